"""The stub says what types the extension gives; this looks at what it really gives."""

from __future__ import annotations

import ast
import collections.abc
import inspect
import types
import typing
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import get_args, get_origin

import pytest

import pydocs_native
from pydocs_native import records

core = pytest.importorskip("pydocs_native._core")

STUB = ast.parse(Path(pydocs_native.__file__).with_name("_core.pyi").read_text("utf-8"))
NAMES: Mapping[str, object] = {**vars(records), "Sequence": collections.abc.Sequence}
TEXTS = [("a", "m.a", "(x)", "doc", "body", "m.py", "")]
WEIGHTS = [1.0] * 7
CLASSES = ("Encoder", "Grep", "Postings", "RecordFrame", "Vectors")
FRAME = (
    b'[["m"],[""],[1],[0],[""],[""],[0],[0],[0],[1],[0],[0],'
    b'[[]],[["a"]],[[1]],[0],[0],[""],[0],[0]]'
)
VECTOR = bytes(6) + b"\x80\x3f"
SOURCE = b'''"""Doc."""
import os as o
__all__ = ["f"]
# WHY: to see it.
class C(Base):
    """Doc."""
    x: int = 1
@deco
async def f(a: int, *, b=o.x()) -> str:
    """Doc."""
    with C() as c:
        return c.run()
'''


def uses(folder: str, model: bytes) -> dict[str, list[object]]:
    encoder = core.Encoder(model)
    postings = core.Postings([core.write_postings(TEXTS, b"\1", b"\0")])
    frame = core.RecordFrame(FRAME, 1, first=0, entries=2, files=1)
    section = core.write_vectors(VECTOR, 2, b"\1\0\0\0", b"\1\0", bytes(32))
    vectors = core.Vectors([section, None])
    return {
        "walk": [core.walk(folder), core.walk(folder + "/none")],
        "xxh64": [core.xxh64(b"")],
        "hash_files": [core.hash_files(folder, ["m.py", "none"])],
        "read_file": [core.read_file(folder + "/m.py", 9999)],
        "read_files": [core.read_files(folder, ["m.py", "none"], 9999)],
        "parse": [core.parse(SOURCE), core.parse(b"def")],
        "parse_all": [core.parse_all([SOURCE, b""])],
        "analyze": [core.analyze("a b")],
        "terms_in": [core.terms_in(["a b"], ["b"])],
        "RecordFrame.__new__": [frame],
        "RecordFrame.record": [frame.record(0)],
        "write_postings": [core.write_postings(TEXTS, b"\1", b"\0")],
        "write_vectors": [section],
        "Vectors.__new__": [vectors],
        "Vectors.row_counts": [vectors.row_counts()],
        "Vectors.rows": [vectors.rows(0)],
        "Vectors.search": [vectors.search(VECTOR, 9)],
        "Vectors.scores": [vectors.scores(VECTOR, [(0, 1), (1, 1)])],
        "Postings.__new__": [postings],
        "Postings.document_counts": [postings.document_counts()],
        "Postings.frequencies": [postings.frequencies(["a"])],
        "Postings.section_frequencies": [postings.section_frequencies(["a", "b"])],
        "Postings.search": [postings.search(["a"], WEIGHTS, 9)],
        "write_encoder": [model],
        "Encoder.__new__": [encoder],
        "Encoder.dimensions": [encoder.dimensions],
        "Encoder.tokenize": [encoder.tokenize("a")],
        "Encoder.encode": [encoder.encode(["a"])],
        "Grep.__new__": [core.Grep("a")],
        "Grep.lines": [core.Grep("a").lines([b"a"], [(0, 1)], 9, 1_000)],
        "Grep.search": [core.Grep("a").search([b"a"], 9)],
    }


def declared() -> dict[str, ast.FunctionDef]:
    functions: dict[str, ast.FunctionDef] = {}
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            functions[node.name] = node
        elif isinstance(node, ast.ClassDef):
            methods = [child for child in node.body if isinstance(child, ast.FunctionDef)]
            functions |= {f"{node.name}.{method.name}": method for method in methods}
    return functions


def fits(value: object, kind: object) -> bool:
    """Whether `value` is what the annotation `kind` says, all the way down."""
    if get_origin(kind) is types.UnionType:
        return any(fits(value, one) for one in get_args(kind))
    plain = get_origin(kind) or (type(None) if kind is None else kind)
    if type(value) is not plain:
        return False
    if not isinstance(value, list | tuple):
        return True
    kinds = list(get_args(kind)) or list(typing.get_type_hints(plain).values())
    if isinstance(value, list) or kinds[1:] == [...]:
        kinds = kinds[:1] * len(value)
    return len(value) == len(kinds) and all(map(fits, value, kinds))


def test_the_stub_lists_what_the_extension_has() -> None:
    functions = {name.partition(".")[0] for name in declared()}
    assert functions == set(core.__all__)


@pytest.mark.parametrize("name", sorted(declared()))
def test_results_have_the_types_that_the_stub_says(
    name: str, tmp_path: Path, tiny_section: bytes
) -> None:
    (tmp_path / "m.py").write_bytes(SOURCE)
    annotation = declared()[name].returns
    assert annotation is not None
    names = {**NAMES, **{each: getattr(core, each) for each in CLASSES}}
    kind = eval(ast.unparse(annotation), names)  # noqa: S307 - our own stub
    results = uses(str(tmp_path), tiny_section)[name]
    assert results
    for result in results:
        assert fits(result, kind), (result, kind)


@pytest.mark.parametrize("name", sorted(declared()))
def test_parameters_have_the_names_that_the_stub_says(name: str) -> None:
    owner, _, method = name.rpartition(".")
    target: Callable[..., object] = getattr(core, owner or method)
    if method != "__new__" and owner:
        target = getattr(target, method)
    if inspect.isgetsetdescriptor(target):
        return
    found = [p.name for p in inspect.signature(target).parameters.values() if p.name != "self"]
    arguments = declared()[name].args
    said = [a.arg for a in (*arguments.args, *arguments.kwonlyargs) if a.arg not in {"self", "cls"}]
    assert found == said


def test_the_check_itself_tells_right_from_wrong() -> None:
    assert fits([("a", 1)], list[tuple[str, int]])
    assert not fits([("a", "1")], list[tuple[str, int]])
    assert not fits([("a", 1)], list[records.WalkedFile])
    assert fits([records.WalkedFile("a", 1)], list[records.WalkedFile])
    assert not fits(["a", None], list[str])
    assert fits((1, "a", None), tuple[int | str | None, ...])
    assert not fits(("a",), tuple[str, str])
