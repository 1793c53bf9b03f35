"""Graphs as pictures: the text that Mermaid or Graphviz draw.

Names come from third parties: whatever is not plain in one is written as `·`, so that no name ends
its label.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

__all__ = ["Arc", "Picture", "dot", "mermaid", "references_picture"]

_ODD: Final = re.compile(r"[^\w.@:/ ,()+\-]")
_LONGEST: Final = 120


class Arc(NamedTuple):
    """One arrow, from who calls to what is called; dashed where it only may be so."""

    tail: str
    head: str
    label: str = ""
    is_dashed: bool = False


class Picture(NamedTuple):
    """Names in their order, those among them that are the subject or part of the tests, arrows."""

    names: tuple[str, ...]
    arcs: tuple[Arc, ...]
    subjects: frozenset[str] = frozenset()
    tests: frozenset[str] = frozenset()


def picture(arcs: Iterable[Arc], subjects: Iterable[str], tests: Iterable[str]) -> Picture:
    """The picture of some arrows, each drawn once."""
    kept = tuple(dict.fromkeys(arcs))
    chosen = tuple(subjects)
    names = dict.fromkeys([*chosen, *(name for arc in kept for name in (arc.tail, arc.head))])
    return Picture(tuple(names), kept, frozenset(chosen), frozenset(tests))


def references_picture(structured: Mapping[str, object]) -> Picture:
    """The picture of what `get_references` answered: the target, and an arrow for each edge."""
    target = _text(structured, "target", "qualified_name")
    arcs: list[Arc] = []
    tests: list[str] = []
    edges = structured.get("edges")
    for each in edges if isinstance(edges, list) else ():
        name = str(each.get("qualified_name", ""))
        is_outward = structured.get("direction") == "callees" or "edge" not in each
        other = target if is_outward else str(each.get("leads_to", "")) or target
        label = str(each.get("label", ""))
        ends = (other, name) if is_outward else (name, other)
        arcs.append(Arc(*ends, label, each.get("tier") == "may"))
        if each.get("is_test"):
            tests.append(name)
    return picture(arcs, [target], tests)


def mermaid(drawn: Picture) -> str:
    """A Mermaid flow chart."""
    numbers = {name: f"n{number}" for number, name in enumerate(drawn.names)}
    lines = ["flowchart LR"]
    lines += [f'    {number}["{_plain(name)}"]' for name, number in numbers.items()]
    for arc in drawn.arcs:
        arrow = "-.->" if arc.is_dashed else "-->"
        label = f'|"{_plain(arc.label)}"|' if arc.label else ""
        lines.append(f"    {numbers[arc.tail]} {arrow}{label} {numbers[arc.head]}")
    for style, names in (("subject", drawn.subjects), ("test", drawn.tests - drawn.subjects)):
        chosen = [numbers[name] for name in drawn.names if name in names]
        if chosen:
            look = "stroke-width:3px" if style == "subject" else "stroke-dasharray:4"
            lines += [f"    classDef {style} {look}", f"    class {','.join(chosen)} {style}"]
    return "\n".join(lines)


def dot(drawn: Picture) -> str:
    """A Graphviz graph."""
    numbers = {name: f"n{number}" for number, name in enumerate(drawn.names)}
    lines = ["digraph references {", "    rankdir=LR;", "    node [shape=box];"]
    for name, number in numbers.items():
        look = ', style="bold"' if name in drawn.subjects else ""
        look = look or (', style="dashed"' if name in drawn.tests else "")
        lines.append(f'    {number} [label="{_plain(name)}"{look}];')
    for arc in drawn.arcs:
        looks = [f'label="{_plain(arc.label)}"'] if arc.label else []
        looks += ['style="dashed"'] if arc.is_dashed else []
        look = f" [{', '.join(looks)}]" if looks else ""
        lines.append(f"    {numbers[arc.tail]} -> {numbers[arc.head]}{look};")
    return "\n".join([*lines, "}"])


def _plain(name: str) -> str:
    return _ODD.sub("·", name[:_LONGEST])


def _text(structured: Mapping[str, object], *path: str) -> str:
    value: object = structured
    for key in path:
        value = value.get(key, "") if isinstance(value, Mapping) else ""
    return str(value)
