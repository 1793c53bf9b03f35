"""Which questions documentation collections answer: their own, those of others, those of nobody.

Wanted is a folder with the bundles of four collections called `flask`, `sqlite-utils`, `mkdocs` and
`fastapi`, each the documents of its repository, as `[tool.pydocs.docs]` makes them. Printed are the
shares that are answered, and the area under the curve of coverage: how often a question of their
own is covered better than one of others.
"""

from __future__ import annotations

import argparse
import json
import tomllib
from pathlib import Path

from environments import HERE
from measure import table

from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.ranked.sections import FINDING, find_sections


def main() -> None:
    """Asks, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bundles", type=Path, help="the folder with the bundles")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    questions = tomllib.loads((HERE / "ask_questions.toml").read_text("utf-8"))
    nobody = questions.pop("nobody")
    own: list[float] = []
    foreign: list[float] = []
    none: list[float] = []
    with mount([str(options.bundles)]) as catalog:
        ids = {bundle.manifest.name: index for index, bundle in enumerate(catalog.bundles)}
        for name, asked in questions.items():
            others = [one for other in asked["foreign"] for one in questions[other]["questions"]]
            own += [coverage(catalog, ids[name], one) for one in asked["questions"]]
            foreign += [coverage(catalog, ids[name], one) for one in others]
            none += [coverage(catalog, ids[name], one) for one in nobody]
    strangers = [*foreign, *none]
    better = sum((a > b) + 0.5 * (a == b) for a in own for b in strangers)
    figures = {
        "own questions": len(own),
        "own answered": share(own),
        "questions of others": len(foreign),
        "questions of others answered": share(foreign),
        "questions of nobody": len(none),
        "questions of nobody answered": share(none),
        "area under the curve": round(better / len(own) / len(strangers), 3),
    }
    print(table([("figure", "value"), *figures.items()]))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def coverage(catalog: Catalog, bundle: int, question: str) -> float:
    """How much of a question the best section holds, enough or not."""
    numbers = FINDING._replace(enough=0.0, beside_best=0.0)
    sections = find_sections(catalog, question, [bundle], numbers=numbers)
    return max((section.coverage for section in sections), default=0.0)


def share(covered: list[float]) -> float:
    """The share of questions that get an answer."""
    return round(sum(one >= FINDING.enough for one in covered) / len(covered), 3)


if __name__ == "__main__":
    main()
