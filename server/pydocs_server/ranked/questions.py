"""A question to a documentation collection: its words, their other forms, what each weighs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import log
from typing import Final, NamedTuple

from pydocs_native import Postings, analyze
from pydocs_server.ranked.query import subject

__all__ = ["Word", "words_of"]

_SHORT_FORMS: Final = (
    "admin administration administrator|app application|arg argument|async asynchronous"
    "|auth authentication authenticate authorization|conf config configuration configure"
    "|db database|dep dependency|dev development developer|dir directory folder"
    "|doc documentation document|env environment|err error|func function|info information"
    "|init initialize initialization|lib library|param parameter|prod production"
    "|regex regexp|repo repository|spec specification|sync synchronous|temp temporary"
)
"""What people type for a word and the other way round, a group for each meaning."""

_ENDINGS: Final = (
    *("ations", "ation", "ators", "ator", "ments", "ment", "ions", "ion", "ances", "ance"),
    *("ences", "ence", "ers", "er", "ors", "or", "able", "ible", "ness", "ity", "al", "ate", "e"),
)
_INFLECTIONS: Final = (
    *("en", "n", "st", "t", "ung", "ungen", "a", "o", "as", "ar", "ir", "ez", "ent", "ons"),
    *("ción", "ção", "zione", "té", "és", "ées", "ée", "é"),
)
"""Endings of other languages than English, for words too long to become others by them."""

_SHORTEST_ROOT: Final = 4
_SHORTEST_INFLECTED: Final = 6
_LIGHT: Final = (
    "add adding build change create define do get implement make put run send set setup use write"
)
"""Verbs that most questions have: a section that says another one may answer as well."""

_LIGHT_WEIGHT: Final = 0.4
_LEAST_DOCUMENTS: Final = 100
"""A word that all of a few parts hold is not yet one that tells nothing."""

_PAIR_WEIGHT: Final = 0.5
_IDEOGRAPHS: Final = "\u2e80"


class Word(NamedTuple):
    """One word of a question: the terms that all mean it, and how much it tells in a collection.

    `terms` are those that the collection has; none means that it never speaks of it. `is_light`
    says that it is a verb that tells little.
    """

    terms: tuple[str, ...]
    weight: float
    is_light: bool = False


def words_of(question: str, postings: Postings, documents: int) -> list[Word]:
    """The words of a question that tell what it is about, weighed by how rare they are.

    Args:
        question: in words; nothing in it is syntax.
        postings: those of the collections that are asked.
        documents: how many parts of sections these have together.
    """
    documents = max(documents, _LEAST_DOCUMENTS)
    words: list[Word] = []
    light = frozenset(analyze(_LIGHT))
    for written in subject(question):
        for term in _units(written, postings):
            forms = [term, *_other_forms(term)]
            counts = dict(zip(forms, postings.frequencies(forms), strict=True))
            known = tuple(form for form, count in counts.items() if count)
            most = max((counts[each] for each in known), default=0)
            weight = log(1 + (documents - most + 0.5) / (most + 0.5))
            # Of two characters that nothing has side by side, most are no word.
            weight *= _PAIR_WEIGHT if not known and term[0] >= _IDEOGRAPHS else 1
            is_light = term in light
            words.append(Word(known, weight * (_LIGHT_WEIGHT if is_light else 1), is_light))
    return list(dict.fromkeys(words))


def _units(written: Sequence[str], postings: Postings) -> Iterable[str]:
    """A written word as what is looked for: a name whole where it is known, else by its parts."""
    whole, *parts = written
    is_name = bool(parts) and parts[0] in whole
    if not is_name:
        return written
    return [whole] if postings.frequencies([whole])[0] else parts


def _other_forms(term: str) -> list[str]:
    """What else says the same: `deploy` for `deployment`, `configuration` for `config`."""
    found: dict[str, None] = {}
    for group in _SHORT_FORMS.split("|"):
        forms = group.split()
        if term in analyze(" ".join(forms)):
            found.update(dict.fromkeys(analyze(" ".join(forms))))
    # What one side of the ocean writes with an s, a z or a u, the other does not.
    for ours, theirs in (("is", "iz"), ("isation", "ization"), ("our", "or")):
        for one, other in ((ours, theirs), (theirs, ours)):
            if term.endswith(one) and len(term) > len(one) + 2:
                found[term.removesuffix(one) + other] = None
    for endings, shortest in ((_ENDINGS, _SHORTEST_ROOT), (_INFLECTIONS, _SHORTEST_INFLECTED)):
        root = _root(term, endings, shortest)
        if len(root) >= shortest and root.isalpha() and root[0] < _IDEOGRAPHS:
            forms = [root, *(root + ending for ending in endings)]
            found.update(dict.fromkeys(form for each in forms for form in analyze(each)))
    found.pop(term, None)
    return list(found)


def _root(term: str, endings: Sequence[str], shortest: int) -> str:
    """A term without the first of the endings that it has, if enough of it is left."""
    for ending in endings:
        if term.endswith(ending) and len(term) - len(ending) >= shortest:
            return term.removesuffix(ending)
    return term
