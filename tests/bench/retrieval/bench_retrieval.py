"""How well `search_codebase` finds: names, files and functions, over real packages.

DATA holds the sets (`questions`, `semble`, `cosqa`); our own and the fresh questions stand beside
this file.
Printed for each set and configuration: the metric with its 95 % bootstrap interval, and apart for
the part that numbers were chosen on and the part that was kept out of sight.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from configurations import CONFIGURATIONS
from corpora import (
    HERE,
    REPOSITORIES,
    code_corpus,
    fresh_corpus,
    own_corpus,
    question_corpus,
    repository,
)
from measure import table
from scores import DEEPEST, first_match, interval, ndcg, reciprocal
from sets import FileCase, NameCase, NobodyCase, Target, codes, files, names, nobodys

from pydocs_bundle import Bundle
from pydocs_server.answered.search import search_codebase
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.spelling import normalised
from pydocs_server.rendered.answer import Answer, count_tokens

SETS = ("questions", "own", "fresh", "semble", "cosqa", "nobody")
PARTS = ("all", "tuned", "kept")
TUNED = "tuned"
FEW_TOKENS = 500
MANY = 50

_ADDRESS = re.compile(r"\S+?@[^\s/]*/(\S+?\.\w+):\d+")

Ask = Callable[..., Answer]
"""`search_codebase` over what is mounted."""

Values = dict[str, list[tuple[str, float]]]
"""For each metric what each case gave, with the part that the case belongs to."""


class Trial(NamedTuple):
    """Bundles to mount, and what to measure on them."""

    name: str
    bundles: list[str]
    evaluate: Callable[[Ask], Values]


def main() -> None:
    """Prepares, asks, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for corpora, kept between runs")
    parser.add_argument("data", type=Path, help="folder with the sets")
    parser.add_argument("--sets", default=",".join(SETS), help="some of: %(default)s")
    parser.add_argument("--only", default="", help="these configurations: name,name")
    parser.add_argument("--build", default="", help="more options for pydocs-build")
    parser.add_argument("--json", type=Path, help="write the figures here too")
    options = parser.parse_args()
    cache, data, build = options.cache.resolve(), options.data.resolve(), options.build.split()
    chosen = options.only.split(",") if options.only else list(CONFIGURATIONS)
    found: dict[tuple[str, str], Values] = {}
    for trial in trials(options.sets.split(","), cache, data, build):
        with mount(trial.bundles) as catalog:
            ask = partial(search_codebase, catalog)
            for name in chosen:
                catalog.ranking = CONFIGURATIONS[name]
                merge(found.setdefault((trial.name, name), {}), trial.evaluate(ask))
    figures = [
        {"set": of, "metric": metric, "configuration": name, **summary(values[metric])}
        for of in dict.fromkeys(of for of, _ in found)
        for metric in found[of, chosen[0]]
        for name, values in ((name, found[of, name]) for name in chosen)
    ]
    heading = ("set", "metric", "configuration", *PARTS)
    keys = ("set", "metric", "configuration")
    lines = [(*(f[key] for key in keys), *(shown(f.get(part)) for part in PARTS)) for f in figures]
    print(table([heading, *lines]))
    if options.json:
        options.json.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


def trials(wanted: Sequence[str], cache: Path, data: Path, build: list[str]) -> Iterator[Trial]:
    """What is measured, set by set."""
    if "questions" in wanted:
        cases = names(data / "questions" / "dev.jsonl")
        folder = question_corpus(cache, data, build)
        asked = {normalised(case.package) for case in cases}
        about = [path for path in every(folder) if is_about(path, asked)]
        yield Trial("questions, package given", about, partial(of_names, cases, given=True))
        yield Trial("questions, 34 packages", about, partial(of_names, cases))
        yield Trial("questions, all packages", every(folder), partial(of_names, cases))
    if "own" in wanted:
        cases = names(HERE / "own_questions.jsonl")
        folder = own_corpus(cache, build)
        yield Trial("own, package given", every(folder), partial(of_names, cases, given=True))
        yield Trial("own, all packages", every(folder), partial(of_names, cases))
    if "fresh" in wanted:
        cases = names(HERE / "fresh_questions.jsonl")
        folder = fresh_corpus(cache, build)
        yield Trial("fresh, package given", every(folder), partial(of_names, cases, given=True))
        yield Trial("fresh, all packages", every(folder), partial(of_names, cases))
    if "semble" in wanted:
        for name in REPOSITORIES:
            queries = files(data / "semble" / "annotations" / f"{name}.json")
            folder = repository(cache, name, build)
            check_targets(folder, queries)
            evaluate = partial(of_files, queries)
            yield Trial(f"semble, {name}", every(folder), evaluate)
            yield Trial("semble, six repositories", every(folder), evaluate)
    if "nobody" in wanted:
        nobody = nobodys(HERE / "nobody.jsonl")
        answered = names(HERE / "own_questions.jsonl")
        folder = own_corpus(cache, build)
        yield Trial("nobody, 21 packages", every(folder), partial(of_nobody, nobody, answered))
        answered = names(data / "questions" / "dev.jsonl")
        folder = question_corpus(cache, data, build)
        yield Trial("nobody, all packages", every(folder), partial(of_nobody, nobody, answered))
        for name in REPOSITORIES:
            queries = files(data / "semble" / "annotations" / f"{name}.json")
            folder = repository(cache, name, build)
            evaluate = partial(of_nobody, nobody, queries)
            yield Trial("nobody, each of six repositories", every(folder), evaluate)
    if "cosqa" in wanted:
        queries = codes(data / "cosqa" / "cosqa.json")
        folder = code_corpus(cache, data, build)
        yield Trial("cosqa", every(folder), partial(of_files, queries, in_text=False))


def every(folder: Path) -> list[str]:
    """All bundles of a folder but that of the project that only pins."""
    return sorted(str(path) for path in folder.glob("*.pdx") if path.name != "demo-1.pdx")


def is_about(path: str, wanted: set[str]) -> bool:
    """Whether a bundle is of one of some packages, or of the encoder."""
    with Bundle.open(Path(path)) as bundle:
        manifest = bundle.manifest
        return manifest.kind == "encoder" or normalised(manifest.name) in wanted


def check_targets(folder: Path, queries: Sequence[FileCase]) -> None:
    """Every file that is expected is in the bundle, or the figures would mean nothing."""
    with mount(every(folder)) as catalog:
        paths = [path for bundle in catalog.bundles for path in bundle.text.paths]
    wanted = {target.path for case in queries for target in case.targets}
    missing = sorted(t for t in wanted if not any(is_at(path, t) for path in paths))
    if missing:
        raise SystemExit(f"{folder} lacks {', '.join(missing)}: another release is nearer.")


def of_names(cases: Sequence[NameCase], ask: Ask, *, given: bool = False) -> Values:
    """Whether an accepted name is found, where, and what the answer costs to read.

    With the package as a limit, or without.
    """
    values: Values = {"MRR@10": [], "Hit@10": [], "tokens": []}
    for case in cases:
        answer = ask(case.query, package=case.package if given else "")
        rows = results(answer)
        values["tokens"].append((case.part, float(count_tokens(answer.text))))
        found = [str(row["qualified_name"]) for row in rows]
        rank = first_match(found, case.answers, case.classes)
        values["MRR@10"].append((case.part, reciprocal(rank)))
        values["Hit@10"].append((case.part, float(rank > 0)))
    return values


def of_files(cases: Sequence[FileCase], ask: Ask, *, in_text: bool = True) -> Values:
    """Gain of the files, and what a reader of the answer pays until the first right one."""
    values: Values = {"NDCG@10": [], "tokens": []}
    for case in cases:
        answer = ask(case.query)
        rows = results(answer)
        values["tokens"].append((case.part, float(count_tokens(answer.text))))
        ranks = [rank_of(target, rows) for target in case.targets]
        values["NDCG@10"].append((case.part, ndcg(ranks, len(case.targets))))
        if in_text:
            text = ask(case.query, limit=MANY).text
            first, within = costs(text, case.targets)
            values.setdefault("tokens to first", []).append((case.part, first))
            values.setdefault("recall in 500", []).append((case.part, within))
    return values


def of_nobody(
    nobody: Sequence[NobodyCase], answered: Sequence[NameCase | FileCase], ask: Ask
) -> Values:
    """How much is refused: of what nothing mounted answers, and wrongly of what something does.

    Of the latter only the part that numbers are chosen on: the other stays out of sight.
    """
    values: Values = {"refused": [], "wrongly refused": []}
    for each in nobody:
        is_refused = float(not results(ask(each.query)))
        values["refused"].append((each.part, is_refused))
        values.setdefault(f"refused, {each.about}", []).append((each.part, is_refused))
    for case in answered:
        if case.part == TUNED:
            values["wrongly refused"].append((case.part, float(not results(ask(case.query)))))
    return values


def rank_of(target: Target, rows: Sequence[Mapping[str, object]]) -> int:
    """The rank of the first result in the target's file, and on its lines; 0 without one."""
    for rank, row in enumerate(rows[:DEEPEST], 1):
        if is_at(str(row["path"]), target.path):
            first, last = int(str(row["start_line"])), int(str(row["end_line"]))
            if not target.last or (first <= target.last and last >= target.first):
                return rank
    return 0


def costs(text: str, targets: Sequence[Target]) -> tuple[float, float]:
    """Tokens up to the line that first names a right file, and the share named in 500 tokens.

    Without any, all of the text was read in vain.
    """
    first = count_tokens(text)
    named: dict[str, int] = {}
    for match in _ADDRESS.finditer(text):
        end = text.find("\n", match.end())
        spent = count_tokens(text[: end if end >= 0 else len(text)])
        for target in targets:
            if is_at(match[1], target.path):
                named.setdefault(target.path, spent)
    paths = {target.path for target in targets}
    first = min(named.values(), default=first)
    return float(first), sum(named.get(path, MANY**9) <= FEW_TOKENS for path in paths) / len(paths)


def results(answer: Answer) -> list[dict[str, object]]:
    """The rows of an answer."""
    rows = answer.structured["results"]
    return rows if isinstance(rows, list) else []


def is_at(path: str, wanted: str) -> bool:
    """Whether a path is the wanted one, whatever folders it lies in."""
    return path == wanted or path.endswith(f"/{wanted}")


def merge(into: Values, values: Values) -> None:
    """Adds what was found to what was found before."""
    for metric, cases in values.items():
        into.setdefault(metric, []).extend(cases)


def summary(cases: Sequence[tuple[str, float]]) -> dict[str, tuple[float, float, float]]:
    """For each part the mean and its interval."""
    parts = {part: [v for of, v in cases if part in {"all", of}] for part in PARTS}
    return {part: (sum(v) / len(v), *interval(v)) for part, v in parts.items() if v}


def shown(figure: object) -> str:
    """A mean with its interval."""
    if not isinstance(figure, tuple):
        return ""
    mean, low, high = figure
    digits = 0 if mean > 1 else 3
    return f"{mean:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


if __name__ == "__main__":
    main()
