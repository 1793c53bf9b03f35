"""`analyze_symbol`: what a symbol is, how it is tied in, and what a change of it reaches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pydocs_bundle.records import Kind
from pydocs_server.answered.references import same_symbol
from pydocs_server.answered.risk import RULE, Radius, Risk, assess
from pydocs_server.mounted import names
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.directions import Findings, look
from pydocs_server.mounted.edges import Graph
from pydocs_server.mounted.inherited import documentation
from pydocs_server.mounted.names import Found
from pydocs_server.mounted.rows import Row, is_test
from pydocs_server.rendered.answer import DEFAULT_TOKENS, Answer, cut_lines
from pydocs_server.rendered.api import declarations
from pydocs_server.rendered.render import counted, one_line, sealed, visible
from pydocs_server.rendered.rows import kind_label, place, row

__all__ = ["analyze_symbol"]

_MOST_SHOWN: Final = 12
_MOST_TESTS: Final = 4
_MOST_ROWS: Final = 100
_SUMMARY: Final = 240
_FENCES: Final = 40


class _Analysis(NamedTuple):
    """What each direction found, and what follows from it."""

    found: Found
    callers: Findings
    callees: Findings
    inherits: Findings
    impact: Findings
    radius: Radius
    risk: Risk


def analyze_symbol(catalog: Catalog, target: str, *, project: str = "") -> Answer:
    """Definition, references, class hierarchy, blast radius and risk class of one symbol.

    Args:
        catalog: what is mounted.
        target: a dotted name.
        project: one of several mounted projects; empty for all.

    Raises:
        NotFound: nothing has that name.
    """
    within = catalog.select(project=project)
    targets, namesakes = same_symbol(names.require(catalog, target, within))
    graph = Graph(catalog, within)
    made = _analysed(graph, targets)
    fitted = cut_lines("\n".join(_lines(catalog, made, namesakes)), DEFAULT_TOKENS - _FENCES)
    left = f"\n{fitted.left} lines are left: get_references(…, direction=…) has them."
    text = sealed(fitted.text) + (left if fitted.left else "")
    return Answer(text, _structured(catalog, made, namesakes))


def _analysed(graph: Graph, targets: Sequence[Found]) -> _Analysis:
    impact = look(graph, targets, "impact")
    homes = {each.bundle for each in targets}
    certain = [each for each in impact.rows if not _is_doubtful(each)]
    tests = sum(map(is_test, certain))
    others = {
        each.found.bundle
        for each in certain
        if each.found is not None and not is_test(each) and each.found.bundle not in homes
    }
    radius = Radius(len(certain) - tests, tests, len(others), is_whole=not impact.note)
    return _Analysis(
        targets[0],
        look(graph, targets, "callers"),
        look(graph, targets, "callees"),
        look(graph, targets, "inherits"),
        impact,
        radius,
        assess(radius),
    )


# --- text


def _lines(catalog: Catalog, made: _Analysis, namesakes: Sequence[str]) -> list[str]:
    record = made.found.record
    shown = visible(names.shown_name(record))
    where = f"{place(catalog, made.found.bundle, record)}-{record.end_line}"
    lines = [f"{shown}  {kind_label(record.kind)}  {where}"]
    if record.public_name:
        lines.append(f"defined as {visible(record.qualified_name)}")
    lines += declarations(record, _SUMMARY)
    if summary := one_line(documentation(catalog, made.found).partition("\n\n")[0], _SUMMARY):
        lines.append(f"    {summary}")
    if namesakes:
        lines.append(f"not asked about: {', '.join(namesakes[:5])}, also called so")
    lines += ["", f"risk of a change: {made.risk.name} ({', '.join(made.risk.reasons)})"]
    lines += [f"rule: {RULE}", *_unresolved(made.callers), ""]
    lines += _hierarchy(made)
    lines += _listed(f"callers: {_split(made.callers.rows)}", made.callers.rows)
    lines += _listed(f"callees: {len(made.callees.rows):,}", made.callees.rows)
    lines += _blast(catalog, made)
    return lines


def _unresolved(callers: Findings) -> list[str]:
    count = sum(callers.unresolved.values())
    if not count:
        return []
    return [f"unresolved: {count:,} more calls have that name and may belong here"]


def _hierarchy(made: _Analysis) -> list[str]:
    above = [each for each in made.inherits.rows if each.label.startswith(("base", "overridden"))]
    below = [each for each in made.inherits.rows if each not in above]
    lines = []
    if above:
        word = "bases" if made.found.record.kind == Kind.CLASS else "overrides"
        lines.append(f"{word}: {', '.join(map(_shown, above[:_MOST_SHOWN]))}")
    if below:
        word = "subclasses" if made.found.record.kind == Kind.CLASS else "overridden by"
        rest = f", … {len(below) - _MOST_SHOWN} more" if len(below) > _MOST_SHOWN else ""
        shown = ", ".join(map(_shown, below[:_MOST_SHOWN]))
        lines.append(f"{word} ({len(below):,}): {shown}{rest}")
    return lines


def _blast(catalog: Catalog, made: _Analysis) -> list[str]:
    """Product code and tests apart, each by depth, and the packages of the former."""
    product = [each for each in made.impact.rows if not is_test(each)]
    tests = [each for each in made.impact.rows if is_test(each)]
    radius = made.radius
    lines = [f"blast radius: {radius.product:,} in product code, {radius.tests:,} in tests"]
    if may := sum(map(_is_doubtful, made.impact.rows)):
        lines[0] += f", {may:,} may, through overrides"
    if made.impact.note:
        lines[0] += f" ({made.impact.note[0].lower()}{made.impact.note[1:].rstrip('.')})"
    for title, rows in (("product", product), ("tests", tests)):
        for depth in sorted({each.depth for each in rows}):
            level = [each for each in rows if each.depth == depth]
            most = _MOST_TESTS if title == "tests" else _MOST_SHOWN
            shown = ", ".join(f"{_shown(each)}{_doubt(each)}" for each in level[:most])
            rest = f", … {len(level) - most:,} more" if len(level) > most else ""
            lines.append(f"  {title}, depth {depth} ({len(level):,}): {shown}{rest}")
    packages = Counter(
        catalog.label(each.found.bundle) for each in product if each.found is not None
    )
    if len(packages) > 1:
        counts = ", ".join(
            f"{label} {count:,}" for label, count in packages.most_common(_MOST_SHOWN)
        )
        lines.append(f"  by package: {visible(counts)}")
    return lines


def _listed(title: str, rows: Sequence[Row]) -> list[str]:
    """A title and the first of the rows, on one line."""
    if not rows:
        return [title]
    shown = ", ".join(f"{_shown(each)}{_doubt(each)}" for each in rows[:_MOST_SHOWN])
    rest = f", … {len(rows) - _MOST_SHOWN:,} more" if len(rows) > _MOST_SHOWN else ""
    return [f"{title}: {shown}{rest}"]


def _split(rows: Sequence[Row]) -> str:
    tests = sum(map(is_test, rows))
    return f"{len(rows) - tests:,} in product code, {counted(tests, 'test')}"


def _shown(each: Row) -> str:
    return visible(names.shown_name(each.found.record) if each.found else each.name)


def _doubt(each: Row) -> str:
    return " (may)" if _is_doubtful(each) else ""


def _is_doubtful(each: Row) -> bool:
    """Whether it depends on the symbol only if an override of its runs."""
    return each.edge is not None and each.edge.tier == "may"


# --- the same for a program


def _structured(catalog: Catalog, made: _Analysis, namesakes: Sequence[str]) -> dict[str, object]:
    product = [each for each in made.impact.rows if not is_test(each)]
    tests = [each for each in made.impact.rows if is_test(each)]
    structured: dict[str, object] = {
        "target": row(
            catalog,
            made.found.bundle,
            made.found.record,
            docstring=visible(documentation(catalog, made.found)),
        ),
        "risk": {"class": made.risk.name, "reasons": list(made.risk.reasons), "rule": RULE},
        "callers": _rows(made.callers.rows),
        "callees": _rows(made.callees.rows),
        "hierarchy": _rows(made.inherits.rows),
        "blast_radius": {
            "product": made.radius.product,
            "tests": made.radius.tests,
            "may": sum(map(_is_doubtful, made.impact.rows)),
            "other_packages": made.radius.packages,
            "is_whole": made.radius.is_whole,
        },
        "product": _rows(product),
        "tests": _rows(tests),
        "unresolved": {
            "count": sum(made.callers.unresolved.values()),
            "reasons": dict(made.callers.unresolved.most_common()),
        },
    }
    if namesakes:
        structured["namesakes"] = list(namesakes)
    return structured


def _rows(rows: Iterable[Row]) -> list[dict[str, object]]:
    """The first of some rows in short: name, depth, label, tier."""
    return [
        {
            "name": _shown(each),
            "depth": each.depth,
            **({"label": visible(each.label)} if each.label else {}),
            **({"tier": each.edge.tier} if each.edge is not None else {}),
        }
        for each in list(rows)[:_MOST_ROWS]
    ]
