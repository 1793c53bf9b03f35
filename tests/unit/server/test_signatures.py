"""Signatures as callers read them."""

from __future__ import annotations

import pytest

from pydocs_server.rendered.signatures import overloads, without_prose


def test_prose_in_annotations_is_left_out_whole() -> None:
    signature = '(path: Annotated[str, Doc("""\nThe [path](url), (see)…\n"""),], *, n: int = 1)'

    assert without_prose(signature) == "(path: str, *, n: int = 1)"


def test_prose_that_the_build_cut_is_left_out_too() -> None:
    signature = (
        '(a: Annotated[dict[str, Any] | None, Doc("""\nText, cut… = None, b: int = 2) -> str'
    )

    assert without_prose(signature) == "(a: dict[str, Any] | None = None, b: int = 2) -> str"


def test_prose_in_several_literals_is_one_prose() -> None:
    signature = '(a: Annotated[int, Doc("one " "`two` ")] = 0)'

    assert without_prose(signature) == "(a: int = 0)"


def test_what_else_an_annotation_says_stays() -> None:
    signature = "(a: Annotated[dict[str, int], Gt(0), Doc('above')], b: Annotated[int, Le(3)])"

    assert without_prose(signature) == (
        "(a: Annotated[dict[str, int], Gt(0)], b: Annotated[int, Le(3)])"
    )


@pytest.mark.parametrize("signature", ["", "(a: int) -> str", '(a: str = ", Doc(")', ", Doc("])
def test_other_signatures_are_as_they_were(signature: str) -> None:
    assert overloads(signature) == [signature]


def test_each_overload_is_one_line() -> None:
    signature = '(a: int) -> int\n(a: str = """x\n  y""") -> str'

    assert overloads(signature) == ["(a: int) -> int", '(a: str = """x y""") -> str']
