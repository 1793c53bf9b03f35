"""Signatures as callers read them."""

from __future__ import annotations

import pytest

from pydocs_server.rendered.signatures import bases, briefly, overloads, without_prose


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


@pytest.mark.parametrize(
    ("signature", "shown"),
    [
        ("(self)", "()"),
        ("(self, /, url: str, *, n: int = 1) -> str", "(url: str, *, n: int = 1) -> str"),
        ("(cls: type[T], name: str) -> T", "(name: str) -> T"),
        ("(selfish: int)", "(selfish: int)"),
        (": int = 5", ": int = 5"),
        ("", ""),
    ],
)
def test_the_owner_of_a_method_is_not_passed(signature: str, shown: str) -> None:
    assert briefly(signature, 100, is_method=True) == shown


def test_a_function_may_take_a_self() -> None:
    assert briefly("(cls: type[T], n: int = 0) -> T", 100) == "(cls: type[T], n: int = 0) -> T"


def test_a_long_signature_loses_its_annotations_first() -> None:
    signature = '(url: str | Q, *, sep: Literal[",", "="] = ",", key: Callable[[int], T] = f) -> A'

    assert briefly(signature, 60) == '(url, *, sep=",", key=f) -> A'


def test_then_what_it_returns_and_then_parameters() -> None:
    assert briefly("(a: int, b: int) -> dict[str, str]", 12) == "(a, b)"
    assert briefly("(alpha, beta, gamma, delta)", 20) == "(alpha, beta, …)"
    assert briefly("(a, b={'one': 1, 'two': 2, 'three': 3})", 20) == "(a, b=…)"


def test_of_overloads_the_one_is_shown_that_takes_most() -> None:
    assert briefly("(a: int)\n(a: str, b: int = 0)\n(c: str, d: int)", 99) == "(a: str, b: int = 0)"


@pytest.mark.parametrize("signature", ["(a: str = ')', b: int = 2", "(", "(((", "(')", "(,,)"])
def test_a_signature_that_is_cut_short_is_survived(signature: str) -> None:
    assert len(briefly(signature, 12, is_method=True)) <= 12


@pytest.mark.parametrize(
    ("signature", "shown"),
    [
        ("(Base, metaclass=Meta)", "(Base)"),
        ("(object)", ""),
        ("(dict[str, t.Any], Generic[T, U])", "(dict[str, t.Any])"),
        ("", ""),
    ],
)
def test_bases_are_those_that_a_reader_asks_for(signature: str, shown: str) -> None:
    assert bases(signature) == shown
