from __future__ import annotations

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Kind
from pydocs_server.ranked.kinds import KIND_WORDS, kind_mask, kinds_of


def test_any_is_every_kind_but_aliases_and_decisions() -> None:
    assert kinds_of("any") == frozenset(map(int, Kind)) - {Kind.ALIAS, Kind.DECISION}


def test_docs_api_and_decision_share_nothing() -> None:
    parts = [kinds_of(word) for word in ("docs", "api", "decision")]

    assert sum(map(len, parts)) == len(frozenset().union(*parts))
    assert parts[0] | parts[1] == kinds_of("any")


def test_each_finer_kind_is_one_kind() -> None:
    finer = set(KIND_WORDS) - {"any", "docs", "api"}

    assert all(len(kinds_of(word)) == 1 for word in finer)


def test_a_mask_has_one_bit_for_each_kind() -> None:
    assert kind_mask(frozenset({1, 32})) == 0x1_0000_0002


def test_an_unknown_word_lists_the_known_ones() -> None:
    with pytest.raises(UsageError, match="any, api, docs, decision"):
        kinds_of("verb")
