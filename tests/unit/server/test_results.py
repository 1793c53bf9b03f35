"""How a search result is shown."""

from __future__ import annotations

from pydocs_bundle import Record
from pydocs_bundle.records import Flag, Kind
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import resolve
from pydocs_server.rendered.results import Result, block, mention, places


def _record(
    name: str, kind: Kind, signature: str = "", summary: str = "", flags: int = 0
) -> Record:
    spans = (0, 0, 9, 1, 2, -1)
    empty: tuple[str, ...] = ()
    return Record(0, name, "", kind, flags, signature, summary, *spans, empty, empty, (), 0, 0, "")


def test_a_section_is_known_by_its_headings() -> None:
    record = _record("p#docs/a.md:Caches", Kind.SECTION, "The guide > Speed > Caches", "Kept.")

    assert block(Result(record, "p@1/docs/a.md:3")) == (
        "Speed > Caches  section  p@1/docs/a.md:3\n    Kept."
    )


def test_a_decision_is_known_by_its_place() -> None:
    record = _record("p#decision:docs/a.md:3", Kind.DECISION, summary="No pools.")

    assert block(Result(record, "p@1/docs/a.md:3")) == "decision  p@1/docs/a.md:3\n    No pools."


def test_what_a_caller_has_to_know_first_is_said() -> None:
    record = _record("p.C.get", Kind.METHOD, "(self) -> str", flags=Flag.DEPRECATED | Flag.ASYNC)

    assert block(Result(record, "p@1/p.py:3", ("0.9",))) == (
        "p.C.get() -> str  deprecated async method  p@1/p.py:3 (also 0.9)"
    )
    assert mention(Result(record, "p@1/p.py:3")) == "p.C.get  deprecated async method  p@1/p.py:3"


def test_further_overloads_are_counted() -> None:
    record = _record("p.get", Kind.FUNCTION, "(a: int) -> int\n(a: str) -> str")

    assert block(Result(record, "p@1/p.py:3")).startswith("p.get(a: int) -> int (+1 overload)  f")


def test_a_class_that_was_asked_for_says_how_it_is_called(catalog: Catalog) -> None:
    text = search_codebase(catalog, "httpq.Client").text

    assert "httpq.Client(BaseClient)  class" in text
    assert "\n    Client(" in text


def test_a_file_is_named_whole_once(catalog: Catalog) -> None:
    names = ("httpq.Client.send", "httpq.Client.stream", "httpq.get", "httpq._config.Timeout")
    found = [resolve(catalog, name)[0] for name in names]

    shown = places(catalog, [(one.bundle, one.record) for one in found])

    assert shown[0].startswith("httpq@0.28.1/httpq/_client.py:")
    assert shown[1].startswith("…/_client.py:")
    assert shown[2].startswith("httpq@0.28.1/httpq/_api.py:")
    assert shown[3].startswith("httpq@0.28.1/httpq/_config.py:")


def test_a_name_that_two_files_share_is_never_cut(catalog: Catalog) -> None:
    names = ("pydanteq.Model", "pydanteq.Model.dump")
    both_versions = [one for name in names for one in resolve(catalog, name)]

    shown = places(catalog, [(one.bundle, one.record) for one in both_versions])

    assert len(shown) == 4
    assert all(where.startswith("pydanteq@") for where in shown)
