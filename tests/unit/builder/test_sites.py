"""From the type checker's spans to the parser's places."""

from __future__ import annotations

import pytest

from pydocs_builder.checked.sites import Span, match_calls, name_offset, read_span
from pydocs_builder.extracted.symbols import Module, line_starts
from pydocs_native import parse_all


def module(source: str) -> Module:
    text = source.encode()
    (parsed,) = parse_all([text])
    return Module("m", 0, "m.py", text, line_starts(text), parsed, False, False)  # noqa: FBT003


def spans(one: Module, *texts: str) -> list[Span]:
    found = []
    for text in texts:
        start = one.text.index(text.encode())
        found.append(Span(start, start + len(text.encode())))
    return found


def matched(source: str, *texts: str) -> list[tuple[str, int] | None]:
    """The callee and the column of the parsed call of each text."""
    one = module(source)
    wanted = spans(one, *texts)
    calls = match_calls(one, wanted).calls
    parsed = one.parsed.calls
    return [
        (parsed[calls[span]].callee, parsed[calls[span]].column) if span in calls else None
        for span in wanted
    ]


@pytest.mark.parametrize(
    ("source", "texts", "found"),
    [
        ("f()\n", ["f()"], [("f", 0)]),
        ("a.b.c()\n", ["a.b.c()"], [("a.b.c", 4)]),
        ("f(g(h()))\n", ["f(g(h()))", "g(h())", "h()"], [("f", 0), ("g", 2), ("h", 4)]),
        ("a.f().g()\n", ["a.f()", "a.f().g()"], [("a.f", 2), ("a.f().g", 6)]),
        (
            "a.f(x()).g(y())\n",
            ["a.f(x())", "x()", "a.f(x()).g(y())", "y()"],
            [("a.f", 2), ("x", 4), ("a.f().g", 9), ("y", 11)],
        ),
        # As if the checker had not seen the call inside.
        ("f(g())\n", ["f(g())"], [("f", 0)]),
        ("f()()\n", ["f()", "f()()"], [("f", 0), None]),
        ("(lambda: g())()\n", ["(lambda: g())()", "g()"], [None, ("g", 9)]),
        ("'é'; f(g())\n", ["f(g())"], [("f", 6)]),
        ("a[f()].g()\n", ["a[f()].g()", "f()"], [("a[].g", 7), ("f", 2)]),
    ],
)
def test_a_call_is_matched_by_its_own_name(
    source: str, texts: list[str], found: list[tuple[str, int] | None]
) -> None:
    assert matched(source, *texts) == found


def test_a_call_in_an_f_string_is_where_the_string_begins() -> None:
    assert matched('f"{f(1)} {o.g(2)}"\n', "f(1)", "o.g(2)") == [("f", 0), ("o.g", 0)]


def test_calls_that_share_a_place_are_known() -> None:
    assert match_calls(module("f()()\ng()\n"), []).shared == frozenset({(1, 0)})


def test_spans_count_bytes_from_one() -> None:
    starts = line_starts("é = 1\nf()\n".encode())
    assert read_span("1:1-1:3", starts) == Span(0, 2)
    assert read_span("2:1-2:4", starts) == Span(7, 10)


@pytest.mark.parametrize("place", ["", "x", "1:1", "0:1-1:2", "1:0-1:2", "1:2-1:2", "1:1-9:9"])
def test_what_is_no_span_of_the_file_is_none(place: str) -> None:
    assert read_span(place, line_starts(b"f()\n")) is None


@pytest.mark.parametrize(
    ("text", "offset"), [("a.b.c", 4), ("name", 0), ("f(x.y)", 0), ("a\n  .b", 5)]
)
def test_an_expression_stands_where_its_last_name_does(text: str, offset: int) -> None:
    assert name_offset(text.encode(), Span(0, len(text))) == offset
