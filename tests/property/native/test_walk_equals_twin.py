from __future__ import annotations

import os
import tempfile
from pathlib import Path
from types import ModuleType

from hypothesis import given, settings
from hypothesis import strategies as st

from pydocs_native import _twins

names = st.one_of(
    st.sampled_from([b"a", b"b.py", b".git", b"-", b"a-b", b"a.b", b" ", b"\xff\xe9", b"\n"]),
    st.binary(min_size=1, max_size=8).filter(lambda name: not {0, 47} & {*name}),
).filter(lambda name: name not in {b".", b".."})
leaves = st.sampled_from(["file", "empty", "link", "loop", "pipe", "dangling"])
trees = st.recursive(
    leaves, lambda inner: st.dictionaries(names, inner, max_size=5), max_leaves=25
).filter(lambda tree: isinstance(tree, dict))


def plant(folder: bytes, tree: dict[bytes, object]) -> None:
    for name, node in tree.items():
        path = os.path.join(folder, name)  # noqa: PTH118 - names that are no text
        if isinstance(node, dict):
            os.mkdir(path)  # noqa: PTH102 - the same
            plant(path, node)
        elif node == "pipe":
            os.mkfifo(path)
        elif node in {"file", "empty"}:
            with open(path, "wb") as file:  # noqa: PTH123 - the same
                file.write(b"" if node == "empty" else name)
        else:
            target = {"link": b"a", "loop": b"..", "dangling": b"nowhere"}[str(node)]
            os.symlink(target, path)  # noqa: PTH211 - the same


@given(tree=trees, excluded=st.lists(st.sampled_from([".git", "a", "b.py"])))
@settings(deadline=None, max_examples=60)
def test_walk(core: ModuleType, tree: dict[bytes, object], excluded: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        plant(os.fsencode(folder), tree)
        files, problems = core.walk(folder, excluded)
        assert (files, problems) == _twins.walk(folder, excluded)
        paths = [file.path for file in files] + ["none", "."]
        assert core.hash_files(folder, paths) == _twins.hash_files(folder, paths)
        assert core.read_files(folder, paths, 3) == _twins.read_files(folder, paths, 3)


def test_the_interpreters_own_library(core: ModuleType) -> None:
    folder = str(Path(os.__file__).parent)
    excluded = ["__pycache__", "site-packages"]
    assert core.walk(folder, excluded) == _twins.walk(folder, excluded)
