from __future__ import annotations

import shutil
import sys
import sysconfig
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pydocs_builder.config import BuildConfig
from pydocs_builder.content import build_content
from pydocs_builder.found import inspection
from pydocs_builder.found.inspection import compiled_modules, inspect_modules, undescribed, untold
from pydocs_builder.planned.fingerprint import fingerprint, identify
from pydocs_builder.planned.plan import make_plan
from pydocs_builder.targets import Inspection, Target, Task

Write = Callable[..., Path]
SUFFIX = str(sysconfig.get_config_var("EXT_SUFFIX") or "")
COMPILED = Path(sysconfig.get_path("stdlib"), "lib-dynload", f"_bisect{SUFFIX}")


def inspected(folder: Path, *modules: str) -> Inspection:
    return Inspection(modules, sys.executable, (str(folder),))


def target(*files: str, compiled: tuple[str, ...]) -> Target:
    return Target("dependency", "d", "1.0", "", files, ("d",), compiled=compiled)


def test_compiled_modules_are_told_by_their_tags() -> None:
    paths = [
        "d/_a.cpython-311-x86_64-linux-gnu.so",
        "d/_b.abi3.so",
        "d/_c.cp311-win_amd64.pyd",
        "d/_d.pyd",
        "d/libsqlite3.so",
        "d.libs/_e.abi3.so",
        "d/x.py",
    ]
    assert compiled_modules(paths) == ("d/_a", "d/_b", "d/_c", "d/_d")


def test_a_stub_or_a_source_describes_a_compiled_module() -> None:
    files = ("d/_a.pyi", "d/_b.py", "d-stubs/_c.pyi", "d/_d/__init__.pyi")
    one = target(*files, compiled=("d/_a", "d/_b", "d/_c", "d/_d", "d/_e"))
    assert undescribed(one) == ("d/_e",)
    assert untold(one) == (
        "d._e: compiled, without a stub; --inspect imports them for their names",
    )
    assert untold(target("d/_e.pyi", compiled=("d/_e",))) == ()


@pytest.mark.skipif(not COMPILED.is_file(), reason="this interpreter has no such extension")
def test_an_inspected_module_has_its_names_in_the_bundle_and_is_marked(
    tmp_path: Path, write_files: Write
) -> None:
    write_files(tmp_path, {"d/__init__.py": "from ._bisect import insort_right\n"})
    shutil.copy(COMPILED, tmp_path / "d")
    one = Target("dependency", "d", "1.0", str(tmp_path), ("d/__init__.py",), ("d",))
    content, notes = build_content(replace(one, inspection=inspected(tmp_path, "d/_bisect")))
    assert notes == ()
    assert content.source["inspected"] == "d._bisect"
    (found,) = (each for each in content.entries if each.qualified_name == "d._bisect.insort_right")
    assert found.signature.startswith("(a, x, lo=0, hi=None")
    assert found.summary.startswith("Insert item x in list a")
    (stub,) = (each for each in content.files if each.path == "d/_bisect.pyi")
    assert stub.text.startswith(b"# What this compiled module says of itself")


def test_modules_that_fail_hang_or_print_do_not_stop_the_build(
    tmp_path: Path, write_files: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection, "_SECONDS", 2)
    sleeper = (
        "import subprocess, sys\nsubprocess.run([sys.executable, '-c', 'input()'], stdin=-1)\n"
    )
    write_files(
        tmp_path,
        {
            "bad.py": "raise ValueError('no card')\n",
            "crash.py": "import os\nos.abort()\n",
            "hang.py": f"import time\n{sleeper}while True: time.sleep(1)\n",
            "loud.py": "print('{\"stub\": 1}')\ndef f(a, b=1): 'Says.'\n",
            "quit.py": "import sys\nsys.exit(3)\n",
        },
    )
    began = time.monotonic()
    names = ("bad", "crash", "hang", "loud", "missing", "quit")
    files, notes = inspect_modules(inspected(tmp_path, *names))
    assert time.monotonic() - began < 30
    assert [file.path for file in files] == ["loud.pyi"]
    assert b"def f(a, b=1):" in files[0].text
    assert [note.partition(":")[0] for note in notes] == ["bad", "crash", "hang", "missing", "quit"]
    assert "no card" in notes[0]
    assert "did not end within 2 seconds" in notes[2]


def test_modules_are_inspected_only_when_asked(
    tmp_path: Path, environment: Path, install: Callable[..., Path], write_files: Write
) -> None:
    (environment / "bin").mkdir()
    (environment / "bin" / "python").symlink_to(sys.executable)
    install("d", files={"d/__init__.py": "", "d/_fast.abi3.so": ""})
    project = write_files(
        tmp_path / "project",
        {"pyproject.toml": '[project]\nname = "p"\nversion = "1"\ndependencies = ["d"]\n'},
    )
    config = BuildConfig(project, tmp_path / "out", str(environment))
    (plain,) = make_plan(config).dependencies
    assert plain.target.inspection is None
    assert any("--inspect" in note for note in plain.target.notes)
    (asked,) = make_plan(replace(config, is_inspecting=True)).dependencies
    assert asked.target.inspection is not None
    assert asked.target.inspection.modules == ("d/_fast",)
    assert asked.target.notes == ()


def test_where_the_interpreter_is_does_not_matter_to_the_fingerprint(
    tmp_path: Path, write_files: Write
) -> None:
    write_files(tmp_path, {"d.py": ""})
    one = Target("dependency", "d", "1.0", str(tmp_path), ("d.py",), ("d",))
    here, there = (
        replace(one, inspection=Inspection(("_d",), executable, ("/x",)))
        for executable in ("/here/python", "/there/python")
    )
    digests = [fingerprint(identify(Task(each, ()))) for each in (here, there, one)]
    assert digests[0] == digests[1] != digests[2]
