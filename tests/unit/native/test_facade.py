from __future__ import annotations

import subprocess
import sys

import pydocs_native
from pydocs_native import _twins

WITHOUT_EXTENSION = "import sys; sys.modules['pydocs_native._core'] = None; "
SHOW = "import pydocs_native as n; print(n.IMPLEMENTATION, n.analyze.__module__)"
FAILING_FINDER = """
import sys

class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == "pydocs_native._core":
            raise {error}

sys.meta_path.insert(0, Finder())
import pydocs_native
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_missing_extension_falls_back_to_the_twins_and_says_so() -> None:
    result = run(WITHOUT_EXTENSION + SHOW)
    assert result.stdout.split() == ["python", "pydocs_native._twins.analyze"], result.stderr


def test_broken_extension_is_an_error() -> None:
    result = run(FAILING_FINDER.format(error='ImportError("undefined symbol: PyNope")'))
    assert result.returncode == 1
    assert "undefined symbol: PyNope" in result.stderr


def test_extension_that_misses_another_module_is_an_error() -> None:
    error = 'ModuleNotFoundError("no nope", name="nope")'
    result = run(FAILING_FINDER.format(error=error))
    assert result.returncode == 1
    assert "no nope" in result.stderr


def test_everything_exported_is_there() -> None:
    assert all(hasattr(pydocs_native, name) for name in pydocs_native.__all__)


def test_twins_offer_all_that_the_facade_takes_from_the_extension() -> None:
    functions = {name for name in pydocs_native.__all__ if name[0].islower()}
    assert functions | {"Encoder", "Grep", "Postings", "RecordFrame", "Vectors"} == set(
        _twins.__all__
    )
