"""`call_graph`: who calls a symbol and what it calls, some steps in both directions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from pydocs_bundle.errors import UsageError
from pydocs_server.answered.references import call_site, same_symbol
from pydocs_server.mounted import names
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.edges import Graph
from pydocs_server.mounted.neighbours import Branch, Tree, grow
from pydocs_server.mounted.rows import is_test
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, cut_lines
from pydocs_server.rendered.pictures import Arc, Picture, mermaid, picture
from pydocs_server.rendered.render import counted, sealed, visible
from pydocs_server.rendered.rows import row

__all__ = ["DEEPEST", "DEFAULT_DEPTH", "DEFAULT_LIMIT", "FORMATS", "MOST", "WAYS", "call_graph"]

DEFAULT_DEPTH: Final = 2
DEEPEST: Final = 6
DEFAULT_LIMIT: Final = 40
MOST: Final = 500
WAYS: Final = ("both", "callers", "callees")
FORMATS: Final = ("text", "mermaid")


def call_graph(
    catalog: Catalog,
    target: str,
    direction: str = "both",
    depth: int = DEFAULT_DEPTH,
    limit: int = DEFAULT_LIMIT,
    format: str = "text",  # noqa: A002 - what callers write
    *,
    project: str = "",
) -> Answer:
    """The calls around a symbol as a tree of each direction, or as a Mermaid flow chart.

    Args:
        catalog: what is mounted.
        target: a dotted name.
        direction: `callers`, `callees` or `both`.
        depth: how many steps, 1 to 6.
        limit: how many symbols in each direction.
        format: `text` or `mermaid`.
        project: one of several mounted projects; empty for all.

    Raises:
        NotFound: nothing has that name.
        UsageError: there is no such direction or format.
    """
    for name, value, choices in (("direction", direction, WAYS), ("format", format, FORMATS)):
        if value not in choices:
            raise UsageError(f"{name} is {value!r}; use one of {', '.join(choices)}.")
    within = catalog.select(project=project)
    targets, _ = same_symbol(names.require(catalog, target, within))
    graph = Graph(catalog, within)
    trees: dict[str, Tree] = {}
    if direction != "callees":
        trees["callers"] = grow(graph, targets, "callers", depth, limit)
    if direction != "callers":
        trees["callees"] = grow(graph, targets, "callees", depth, limit)
    subject = targets[0]
    shown = names.shown_name(subject.record)
    drawn = picture(
        [arc for way, tree in trees.items() for arc in _arcs(tree.root, way)],
        [shown],
        {_name(each) for tree in trees.values() for each in _every(tree.root) if _is_test(each)},
    )
    head = f"Calls around {visible(shown)}, to depth {depth}: " + ", ".join(
        f"{counted(tree.size, way.removesuffix('s'))}{'' if tree.is_whole else ' and more'}"
        for way, tree in trees.items()
    )
    structured: dict[str, object] = {
        "target": row(catalog, subject.bundle, subject.record),
        "depth": depth,
        "calls": [each for way, tree in trees.items() for each in _calls(graph, tree.root, way)],
        "is_whole": all(tree.is_whole for tree in trees.values()),
    }
    if format == "mermaid":
        structured["mermaid"] = mermaid(drawn)
    return Answer(f"{head}.\n{_body(graph, trees, drawn, format, limit)}", structured)


def _body(graph: Graph, trees: dict[str, Tree], drawn: Picture, form: str, limit: int) -> str:
    if form == "mermaid":
        return f"```mermaid\n{mermaid(drawn)}\n```"
    lines: list[str] = []
    for way, tree in trees.items():
        lines.append(f"{way}:" if tree.root.children else f"{way}: none")
        lines += _lines(graph, tree.root, 1)
    tokens = DEFAULT_TOKENS if limit <= DEFAULT_LIMIT else MOST_TOKENS
    fitted = cut_lines("\n".join(lines), tokens - 100)
    left = f"\n{fitted.left} lines are left: lower depth, or ask for one direction."
    return sealed(fitted.text) + (left if fitted.left else "")


def _lines(graph: Graph, branch: Branch, depth: int) -> Iterator[str]:
    indent = "  " * depth
    for child in branch.children:
        if child.row is None or child.row.edge is None:
            continue
        address, _ = call_site(graph, child.row.edge)
        notes = [child.row.edge.tier, *([visible(child.row.label)] if child.row.label else [])]
        if child.row.built_against:
            notes.append(f"built against {visible(child.row.built_against)}")
        if _is_test(child):
            notes.append("test")
        again = "  (followed above or below)" if child.is_repeated else ""
        yield f"{indent}{visible(_name(child))} [{', '.join(notes)}]  {address}{again}"
        yield from _lines(graph, child, depth + 1)
    if branch.left:
        yield f"{indent}… {branch.left:,} more"


def _every(branch: Branch) -> Iterator[Branch]:
    yield branch
    for child in branch.children:
        yield from _every(child)


def _calls(graph: Graph, branch: Branch, way: str) -> Iterator[dict[str, object]]:
    """Each call once as it hangs in the tree: who calls what, where, and how sure that is."""
    for child in branch.children:
        if child.row is None or child.row.edge is None:
            continue
        address, line = call_site(graph, child.row.edge)
        ends = (_name(child), _name(branch)) if way == "callers" else (_name(branch), _name(child))
        yield {
            "caller": visible(ends[0]),
            "callee": visible(ends[1]),
            "is_mounted": child.found is not None,
            "is_test": _is_test(child),
            "tier": child.row.edge.tier,
            "label": visible(child.row.label),
            "call_site": {"address": address, "text": line},
        }
        yield from _calls(graph, child, way)


def _arcs(branch: Branch, way: str) -> Iterator[Arc]:
    for child in branch.children:
        ends = (_name(child), _name(branch)) if way == "callers" else (_name(branch), _name(child))
        is_dashed = (
            child.row is not None and child.row.edge is not None and child.row.edge.tier == "may"
        )
        yield Arc(*ends, is_dashed=is_dashed)
        yield from _arcs(child, way)


def _name(branch: Branch) -> str:
    if branch.found is not None:
        return names.shown_name(branch.found.record)
    return branch.row.name if branch.row is not None else ""


def _is_test(branch: Branch) -> bool:
    return branch.row is not None and is_test(branch.row)
