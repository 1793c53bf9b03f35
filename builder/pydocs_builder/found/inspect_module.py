"""The stub of one compiled module, from what the module says of itself.

This file runs as a script in the interpreter that the module was compiled for, isolated and without
its `site` start-up: `python -I -S inspect_module.py MODULE FOLDER...` imports the module from the
folders and prints a JSON object with its stub. It imports nothing else of this package but the file
beside it, by its path, so that none of these modules hides one of the target's.
"""

from __future__ import annotations

import importlib
import json
import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

__all__ = ["main"]


def main(name: str, folders: list[str]) -> int:
    """Prints the stub of a module; what the module itself prints goes to stderr."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    sys.path[:0] = folders
    stubs = _beside("interpreter_stubs")
    module = importlib.import_module(name)
    text = stubs.stub_of(name, module, frozenset({name}))
    answers.write(json.dumps({"stub": text}) + "\n")
    answers.flush()
    # Threads that the module has started would keep the process.
    os._exit(0)


def _beside(name: str) -> ModuleType:
    spec = spec_from_file_location(
        f"_pydocs_{name}", Path(__file__).resolve().with_name(f"{name}.py")
    )
    if spec is None or spec.loader is None:
        raise ImportError(name)
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
