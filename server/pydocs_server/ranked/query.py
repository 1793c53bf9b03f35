"""What the user typed: a name, an error message or a sentence, and the packages it speaks of."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from pydocs_native import analyze
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.packages import Absent, packages_in

__all__ = ["Frame", "Query", "is_code_like", "subject", "understand"]

_LONGEST: Final = 2_000
_MOST_READ: Final = 48
# What a whole traceback costs over hundreds of bundles is bounded by the terms that are searched.
_MOST_TERMS: Final = 16
_MOST_NAMES: Final = 4
_MOST_FRAMES: Final = 3
_SHORTEST_ADVERB: Final = 6

_WORD: Final = re.compile(r"[^\s,;:!?()\[\]{}'\"`<>]+")
_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*", re.ASCII)
_CODE_LIKE: Final = re.compile(r"_|\.|[a-z0-9][A-Z]|^[A-Z]+[a-z]+[A-Z]", re.ASCII)
_FAILURE: Final = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning)\b|\bTraceback\b")
_FRAME: Final = re.compile(
    r"File \"(?P<path>[^\"\n]+)\", line (?P<line>\d+)(?:, in (?P<function>\S+))?"
)
_PACKAGES: Final = re.compile(r".*/(?:site|dist)-packages/")
_SHORT_FORMS: Final = {
    "mpl": "matplotlib",
    "np": "numpy",
    "nx": "networkx",
    "pd": "pandas",
    "pl": "polars",
    "plt": "matplotlib.pyplot",
    "sns": "seaborn",
    "tf": "tensorflow",
    "xr": "xarray",
}
# A decorator, with its arguments or without; a call; the import of one name.
_STATEMENT: Final = re.compile(
    r"@\s*(?P<decorator>[A-Za-z_][\w.]*)\s*(?:\(.*)?|(?P<called>[A-Za-z_][\w.]*)\(.*\)"
    r"|from\s+(?P<module>[A-Za-z_][\w.]*)\s+import\s+(?P<name>[A-Za-z_]\w*)(?:\s+as\s+\w+)?"
    r"|import\s+(?P<imported>[A-Za-z_][\w.]*)(?:\s+as\s+\w+)?",
    re.DOTALL,
)

_FILLERS: Final = (
    "a an and are as at be been but by can could did do does for from had has have how i if in "
    "into is it its me my of on or our should so some than that the their them then there these "
    "they this those to us was we were what when where which while who why will with would you "
    "your"
)
"""Words that carry a question but not its subject; they are dropped unless nothing else is left."""

_ASKING: Final = (
    "about across actually after against also am another any anyone before behind best between "
    "both could different difference during each exactly explain find give help just know like "
    "mean means need needs one other over please possible really same several show tell thing "
    "things under up versus via vs want way ways within without work works"
)
"""Words about the asking itself, and what holds a question together."""

_ASKING_ELSEWHERE: Final = (
    "auf das dem den der die ein eine einen für ich im ist kann kannst mein meine mir mit oder und "
    "von warum was welche wie wo zu zum zur "
    "avec ce comment dans de des du est et faire je la le les ma mes mon où peut peux pour "
    "pourquoi quel quelle quoi sur un une "
    "como con cuál cómo del dónde el en es hacer hago las los mi mis para por puedo qué una "
    "come cosa dei dove gli il lo mia mio nel perché posso quale è "
    "da do dos em fazer faço meu minha não onde os qual que uma "
    "什么 可以 可否 哪个 哪里 如何 对于 怎么 怎样 我们 是否 能否 请问 这个"
)
"""The same in other languages that documentation is written in."""


class Frame(NamedTuple):
    """One step of a traceback: a file below the installed packages, its line and function."""

    path: str
    line: int
    function: str


class Query(NamedTuple):
    """A query, understood.

    `terms` are what the postings are asked for; `names` the words that look like code; `is_name`
    says that the whole query is one name, `is_failure` that it reads like an error message.
    `packages` are the bundles that the query names for certain, `perhaps` the ones it may name.
    `frames` are the places in installed packages that a traceback shows, innermost first.
    `others` are bundles of other versions than one that is asked for firmly, `absent` what is named
    and not mounted; `is_empty` says that no word tells what to look for.
    """

    text: str
    terms: tuple[str, ...]
    names: tuple[str, ...]
    is_name: bool
    is_failure: bool
    packages: frozenset[int]
    perhaps: frozenset[int]
    frames: tuple[Frame, ...] = ()
    others: frozenset[int] = frozenset()
    absent: tuple[Absent, ...] = ()
    is_empty: bool = False


def understand(catalog: Catalog, text: str) -> Query:
    """What a query asks for, seen against what is mounted. Nothing in it is syntax."""
    frames, text = _traceback(text.replace("\x00", " "))
    asked = " ".join(text.split())[:_LONGEST]
    stated = _in_full(_stated(asked) or (asked if _NAME.fullmatch(asked) else ""))
    bare = stated or asked.removesuffix("()")
    words = [word.strip(".-=@") for word in _WORD.findall(stated or asked)]
    words = [word for word in words if word]
    spoken = packages_in(catalog, words)
    certain = spoken.certain.union(
        *(catalog.providers(frame.path.partition("/")[0]) for frame in frames)
    )
    fillers = frozenset(analyze(_FILLERS))
    names = [word for word in words if _NAME.fullmatch(word) and is_code_like(word)]
    return Query(
        text=stated or asked,
        terms=_terms(catalog, words, spoken.naming, fillers),
        names=tuple(dict.fromkeys(names))[:_MOST_NAMES],
        is_name=bool(_NAME.fullmatch(bare)) or ("#" in bare and " " not in bare),
        is_failure=bool(frames) or bool(_FAILURE.search(asked)),
        packages=certain,
        perhaps=spoken.perhaps - certain,
        frames=frames,
        others=spoken.others,
        absent=spoken.absent,
        is_empty=fillers.issuperset(analyze(" ".join(words))),
    )


def _in_full(name: str) -> str:
    """The name without the short form that everybody imports its package by."""
    head, dot, rest = name.partition(".")
    return f"{_SHORT_FORMS[head]}.{rest}" if dot and head in _SHORT_FORMS else name


def _stated(asked: str) -> str:
    """The name that a decorator, a call or an import is about; empty for anything else."""
    match = _STATEMENT.fullmatch(asked)
    if not match:
        return ""
    if match["module"]:
        return f"{match['module']}.{match['name']}"
    return (match["decorator"] or match["called"] or match["imported"]).strip(".")


def _traceback(text: str) -> tuple[tuple[Frame, ...], str]:
    """The innermost frames in installed packages, and the message that the traceback ends with."""
    frames = [
        Frame(
            _PACKAGES.sub("", match["path"].replace("\\", "/")),
            int(match["line"][:9]),
            match["function"] or "",
        )
        for match in _FRAME.finditer(text[: 10 * _LONGEST])
        if _PACKAGES.match(match["path"].replace("\\", "/"))
    ]
    if not _FRAME.search(text):
        return (), text
    # What stands behind the last frame: its line of code, and what was raised.
    said = text[[match.end() for match in _FRAME.finditer(text)][-1] :].strip().split("\n")
    raised = [line for line in said if line[:1].strip() and _FAILURE.search(line)]
    message = " ".join(raised[-1:] or said[-1:])
    return tuple(reversed(frames[-_MOST_FRAMES:])), message or text


def is_code_like(word: str) -> bool:
    """Whether a word can only be a name in code: `Client`, `safe_load`, `httpx.get`."""
    return bool(_CODE_LIKE.search(word))


def subject(text: str) -> list[list[str]]:
    """The words that a question is about, each once, as the terms that it is searched by.

    Unlike a query's, they include the names of packages: a document is not known by whose it is.
    """
    words = [word.strip(".-=@") for word in _WORD.findall(text.replace("\x00", " ")[:_LONGEST])]
    fillers = frozenset(analyze(f"{_FILLERS} {_ASKING} {_ASKING_ELSEWHERE}"))
    found: dict[tuple[str, ...], None] = {}
    for word in words:
        terms = analyze(word)
        if terms and not fillers.issuperset(terms):
            # Where words are not parted, a term is two characters, and some of them ask.
            asks = not word.isascii() and len(terms) > 1
            found[tuple(term for term in terms if not (asks and term in fillers))] = None
    return [list(terms) for terms in found][:_MOST_READ]


def _terms(
    catalog: Catalog, words: list[str], naming: frozenset[str], fillers: frozenset[str]
) -> tuple[str, ...]:
    everything = list(dict.fromkeys(analyze(" ".join(words))))
    telling: dict[str, None] = {}
    for word in words:
        if word not in naming:
            telling.update(dict.fromkeys(analyze(word)))
            if len(word) >= _SHORTEST_ADVERB and word.endswith("ly"):
                # The stemmer keeps `safely` and `safe` apart; whoever asks does not.
                telling.update(dict.fromkeys(analyze(word[:-2])))
    subject = [term for term in telling if term not in fillers]
    return _rarest(catalog, (subject or everything)[:_MOST_READ])


def _rarest(catalog: Catalog, terms: list[str]) -> tuple[str, ...]:
    """So many terms that few documents have, in their order; those that none has come last."""
    if len(terms) <= _MOST_TERMS:
        return tuple(terms)
    counts = dict(zip(terms, catalog.postings.frequencies(terms), strict=True))
    kept = set(sorted(terms, key=lambda term: (not counts[term], counts[term]))[:_MOST_TERMS])
    return tuple(term for term in terms if term in kept)
