"""Which text of an entry serves search by meaning best: what it says, and how much of it.

For each question of `own_questions.jsonl` and of the tuned part of `fresh_questions.jsonl`, the
entries of its package that are nearest by words or by the bundle's vectors are embedded anew, in
each form; printed is how high the first accepted one stands by its cosine alone, in each form.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import mul
from pathlib import Path
from typing import Final, NamedTuple

from bench_retrieval import every
from corpora import HERE, fresh_corpus, own_corpus
from measure import table
from scores import first_match, interval, reciprocal
from sets import NameCase, names

from pydocs_bundle import Bundle, Record
from pydocs_bundle.records import Kind
from pydocs_native import Encoder
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.ranked.query import understand
from pydocs_server.ranked.rank import weights

NEAREST: Final = 80
"""So many by words, and so many by vectors."""

AT_ONCE: Final = 512
MOST_SOURCE: Final = 4_000

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|[^\W\dA-Za-z_]+")
_PARAMETER: Final = re.compile(r"[(,]\s*\*{0,2}(\w+)")


class Place(NamedTuple):
    """An entry, and whatever a form may take of it, on one line each."""

    qualified_name: str
    name: str
    owner: str
    parameters: str
    said: str
    source: str


class Pool(NamedTuple):
    """A question with the entries that it is to tell apart."""

    case: NameCase
    places: tuple[Place, ...]


Form = Callable[[Place], tuple[str, ...]]
"""The texts of an entry; of several the nearest one counts."""


def main() -> None:
    """Prepares, embeds, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for corpora, kept between runs")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    pools, encoder = prepared(options.cache.resolve())
    questions = [pool.case.query for pool in pools]
    asked = dict(zip(questions, vectors(encoder, questions), strict=True))
    rows = [figures(name, form, pools, asked, encoder) for name, form in FORMS.items()]
    heading = tuple(rows[0])
    print(table([heading, *(tuple(row.values()) for row in rows)]))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=2) + "\n", "utf-8")


def prepared(cache: Path) -> tuple[list[Pool], Encoder]:
    """The questions of both sets with what they are to tell apart, and the encoder."""
    pools: list[Pool] = []
    own, fresh = own_corpus(cache, []), fresh_corpus(cache, [])
    asked = names(HERE / "own_questions.jsonl")
    unseen = [case for case in names(HERE / "fresh_questions.jsonl") if case.part == "tuned"]
    for folder, cases in ((own, asked), (fresh, unseen)):
        with mount(every(folder)) as catalog:
            pools += [Pool(case, tuple(nearest(catalog, case))) for case in cases]
    (encoder,) = own.glob("*-encoder.pdx")
    return pools, Encoder(Bundle.open(encoder).model)


def nearest(catalog: Catalog, case: NameCase) -> Iterator[Place]:
    """What is nearest to a question in its package, each name once."""
    sections = catalog.select(case.package)
    query = understand(catalog, case.query)
    meaning = catalog.semantics.meaning
    if meaning is None:
        sys.exit("The bundles have no vectors: build them with an encoder.")
    found = catalog.postings.search(query.terms, weights(query), NEAREST, sections=sections)
    found += meaning.nearest(case.query, NEAREST, sections)
    for section, number in dict.fromkeys((section, number) for _, section, number in found):
        bundle = catalog.bundles[section]
        record = bundle.records[number]
        if record.kind < Kind.SECTION:
            yield place(bundle, record)


def place(bundle: Bundle, record: Record) -> Place:
    """An entry as the forms take it."""
    owner, _, name = shown_name(record).rpartition(".")
    end = min(record.end, record.start + MOST_SOURCE)
    source = bundle.text.slice(record.file, record.start, end).decode(errors="replace")
    return Place(
        record.qualified_name,
        in_words(name),
        in_words(owner.rpartition(".")[2]),
        in_words(" ".join(_PARAMETER.findall(record.signature))),
        " ".join(bundle.docstring(record.id).split()),
        " ".join(source.split()),
    )


def in_words(name: str) -> str:
    """A name as words."""
    return " ".join(_WORDS.findall(name)).lower()


def said(most: int, *, owner: bool = True, name: bool = True, parameters: bool = False) -> Form:
    """Name, owner and so many characters of the docstring, or of the source where there is none."""

    def texts(of: Place) -> tuple[str, ...]:
        front = f"{of.name} ({of.owner})" if owner and of.owner else of.name
        front = f"{front} {of.parameters}" if parameters else front
        text = (of.said or of.source)[:most]
        return (f"{front}: {text}" if name and text else text or front,)

    return texts


def windows(count: int) -> Form:
    """As what builds take, and a text for each of the next 320 characters of the docstring."""

    def texts(of: Place) -> tuple[str, ...]:
        later = (of.said[240 + 320 * number :][:320] for number in range(count - 1))
        return (*said(240)(of), *filter(None, later))

    return texts


FORMS: Final[dict[str, Form]] = {
    "name": said(0, owner=False),
    "name (owner)": said(0),
    "name (owner) parameters": said(0, parameters=True),
    "240 of docstring": said(240, name=False),
    "name: 240 of docstring": said(240, owner=False),
    "name (owner): 60 of docstring": said(60),
    "name (owner): 120 of docstring": said(120),
    "name (owner): 240 of docstring": said(240),
    "name (owner): 480 of docstring": said(480),
    "name (owner): 960 of docstring": said(960),
    "name (owner) parameters: 240 of docstring": said(240, parameters=True),
    "name (owner): 320 of source": lambda of: (f"{of.name} ({of.owner}): {of.source[:320]}",),
    "two vectors: 240, the next 320": windows(2),
    "three vectors: 240, 320, 320": windows(3),
}


def figures(
    name: str,
    form: Form,
    pools: Sequence[Pool],
    asked: Mapping[str, array[float]],
    encoder: Encoder,
) -> dict[str, object]:
    """How good one form is, how many texts it makes, how long they are and what they cost."""
    wanted = {of: form(of) for pool in pools for of in pool.places}
    texts = list(dict.fromkeys(text for of in wanted for text in wanted[of]))
    started = time.process_time()
    known = dict(zip(texts, vectors(encoder, texts), strict=True))
    spent = time.process_time() - started
    ranks = [rank(pool, wanted, known, asked[pool.case.query]) for pool in pools]
    values = [reciprocal(rank) for rank in ranks]
    low, high = interval(values)
    return {
        "text": name,
        "MRR@10": f"{sum(values) / len(values):.3f} [{low:.3f}, {high:.3f}]",
        "Hit@10": f"{sum(rank > 0 for rank in ranks) / len(ranks):.3f}",
        "texts": len(texts),
        "tokens": f"{sum(len(encoder.tokenize(text)) for text in texts) / len(texts):.0f}",
        "CPU s": f"{spent:.0f}",
    }


def rank(
    pool: Pool,
    wanted: Mapping[Place, Iterable[str]],
    known: Mapping[str, array[float]],
    question: array[float],
) -> int:
    """The rank of the first accepted entry, by the nearest of each one's texts."""
    near = [
        (max(sum(map(mul, question, known[text])) for text in wanted[of]), of.qualified_name)
        for of in pool.places
    ]
    ordered = [name for _, name in sorted(near, key=lambda one: (-one[0], one[1]))]
    return first_match(ordered, pool.case.answers, pool.case.classes)


def vectors(encoder: Encoder, texts: Sequence[str]) -> Iterator[array[float]]:
    """The vectors of some texts."""
    size = 4 * encoder.dimensions
    for at in range(0, len(texts), AT_ONCE):
        encoded = encoder.encode(texts[at : at + AT_ONCE])
        for start in range(0, len(encoded), size):
            yield array("f", encoded[start : start + size])


if __name__ == "__main__":
    main()
