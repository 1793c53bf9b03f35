"""`get_symbol`: what a name is, as deep as the reader wants to pay for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.inherited import constructor, documentation
from pydocs_server.mounted.names import Found, members, mro, require, shown_name
from pydocs_server.rendered.answer import DEFAULT_TOKENS, Answer, assemble, count_tokens, cut_lines
from pydocs_server.rendered.api import api_name, declaration, declarations, public_api, submodules
from pydocs_server.rendered.render import fence, one_line, sealed, visible
from pydocs_server.rendered.rows import brief_row, kind_label, place, row

__all__ = ["DEPTHS", "get_symbol"]

DEPTHS: Final = ("summary", "tree", "source")

_DOCSTRING_TOKENS: Final = 1_200
_TREE_TOKENS: Final = 4_000
_SOURCE_TOKENS: Final = 8_000
_MOST_OTHERS: Final = 8
_MOST_NAMES: Final = 40
_MOST_ROWS: Final = 120
# A named tuple that a call makes is an attribute, and called as a class is.
_CALLED: Final = frozenset({Kind.CLASS, Kind.ATTRIBUTE})
_PROSE: Final = frozenset({Kind.SECTION, Kind.CELL, Kind.DECISION})


class _Group(NamedTuple):
    """A member list under its heading: the class or module that it comes from."""

    heading: str
    members: list[Found]


def get_symbol(
    catalog: Catalog, target: str, *, depth: str = "summary", project: str = ""
) -> Answer:
    """What a name is: declaration, place and documentation; its members; or its source.

    Args:
        catalog: what is mounted.
        target: a dotted name, public or private, bare or whole, or an address.
        depth: `summary`, `tree` (with all members) or `source`.
        project: one of several mounted projects.

    Raises:
        NotFound: nothing has that name.
        UsageError: there is no such depth.
    """
    if depth not in DEPTHS:
        raise UsageError(f"There is no depth {depth!r}; use one of {', '.join(DEPTHS)}.")
    found = require(catalog, target, catalog.select(project=project))
    chosen = found[0]
    same = [one for one in found if _is_same(one, chosen)]
    others = [one for one in found if not _is_same(one, chosen)]
    structured = row(
        catalog,
        chosen.bundle,
        chosen.record,
        via=chosen.via,
        aliases=[visible(alias) for alias in chosen.record.aliases],
        bases=[visible(base) for base in chosen.record.bases],
        docstring=visible(documentation(catalog, chosen)),
        declarations=[line for one in same for line in declarations(one.record)],
        others=[
            brief_row(one.record) | {"package": catalog.label(one.bundle)}
            for one in others[:_MOST_OTHERS]
        ],
        other_count=len(others),
    )
    head = _head(catalog, target, chosen, same)
    closing = _others(catalog, chosen, others)
    if depth == "source" or chosen.record.kind in _PROSE:
        text, more = _source(catalog, chosen, head, closing)
        return Answer(text, structured | more)
    if depth == "tree":
        text, more = _tree(catalog, chosen, head, closing)
        return Answer(text, structured | more)
    names = _member_names(catalog, chosen)
    documented = "\n".join([head, _documentation(catalog, chosen, same)])
    inside = [visible(shown_name(one.record)) for one in members(catalog, chosen)]
    return Answer(
        assemble(documented, [*names, *closing], lambda _: "", separator="\n"),
        structured | {"members": inside[:_MOST_ROWS], "member_count": len(inside)},
    )


def _is_same(one: Found, other: Found) -> bool:
    """Whether two records are one symbol: overloads, a stub and its code."""
    return one.bundle == other.bundle and one.record.qualified_name == other.record.qualified_name


def _head(catalog: Catalog, target: str, found: Found, same: Sequence[Found]) -> str:
    """The first lines: name, kind, place; where it is defined, and how the name led there."""
    record = found.record
    where = f"{place(catalog, found.bundle, record)}-{record.end_line}"
    is_inherited = found.via == "inherited"
    name = target.strip().removesuffix("()") if is_inherited else shown_name(record)
    lines = [f"{one_line(name)}  {kind_label(record.kind)}  {where}"]
    if is_inherited:
        lines.append(f"inherited, defined as {one_line(record.qualified_name)}")
    elif record.public_name and record.public_name != record.qualified_name:
        lines.append(f"defined as {one_line(record.qualified_name)}")
    if record.kind == Kind.ALIAS and record.bases:
        lines.append(f"it is {one_line(record.bases[0])}, which is not mounted")
    claims = [
        word
        for flag, word in (
            (Flag.DEPRECATED, "deprecated"),
            (Flag.GENERATED, "generated"),
            (Flag.TEST, "part of the tests"),
            (Flag.STUB, "from a stub"),
        )
        if record.flags & flag and all(one.record.flags & flag for one in same)
    ]
    if claims:
        lines.append(", ".join(claims))
    return "\n".join(lines)


def _documentation(catalog: Catalog, found: Found, same: Sequence[Found]) -> str:
    """Declarations (several of an overloaded function), constructor and docstring, fenced."""
    record = found.record
    lines = list(dict.fromkeys(line for one in same for line in declarations(one.record)))
    docstring = documentation(catalog, found)
    if record.kind in _CALLED:
        lines += _constructor(catalog, found)
    fitted = cut_lines(docstring, _DOCSTRING_TOKENS)
    body = "\n".join(lines)
    if docstring:
        body += f"\n\n{fitted.text}"
    shown = fence(body, place(catalog, found.bundle, record), "python")
    if fitted.left:
        shown += f'\n{fitted.left} more lines of documentation: depth="source".'
    return shown


def _constructor(catalog: Catalog, found: Found) -> list[str]:
    """How a class is called, as far as its own constructor or that of a base tells."""
    called = constructor(catalog, found)
    if called is None:
        return []
    note = "  # generated" if called.record.flags & Flag.GENERATED else ""
    return [f"    {line}{note}" for line in declarations(called.record)]


def _member_names(catalog: Catalog, found: Found) -> list[str]:
    """The public members by name alone, and what shows them."""
    lines: list[str] = []
    for group in _groups(catalog, found):
        names = [one.record.qualified_name.rpartition(".")[2] for one in group.members]
        if not names:
            continue
        shown = ", ".join(names[:_MOST_NAMES])
        rest = f", … {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        lines.append(f"{group.heading}: {visible(shown)}{rest}")
    if lines:
        lines.append('depth="tree" shows their signatures, depth="source" the code.')
    return lines


def _groups(catalog: Catalog, found: Found) -> list[_Group]:
    """Public members by where they come from: the class and its bases, or a module's API."""
    if found.record.kind == Kind.CLASS:
        return _class_groups(catalog, found)
    if found.record.kind == Kind.MODULE:
        return _module_groups(catalog, found)
    return []


def _class_groups(catalog: Catalog, found: Found) -> list[_Group]:
    seen: set[str] = set()
    groups: list[_Group] = []
    for ancestor in mro(catalog, found):
        own: list[Found] = []
        for one in members(catalog, ancestor):
            name = one.record.qualified_name.rpartition(".")[2]
            if name not in seen and not name.startswith("_"):
                own.append(one)
            seen.add(name)
        heading = "members" if not groups else f"from {one_line(shown_name(ancestor.record))}"
        groups.append(_Group(heading, own))
    return groups


def _module_groups(catalog: Catalog, found: Found) -> list[_Group]:
    name = found.record.qualified_name
    offered = [Found(found.bundle, one) for one in public_api(catalog, found.bundle, [name])]
    records = catalog.bundles[found.bundle].records
    below = [
        Found(found.bundle, records[number])
        for module in submodules(catalog, found.bundle, name)
        if "." not in module.removeprefix(f"{name}.")
        for number in records.find(module)[:1]
    ]
    return [_Group("offers", offered), _Group("modules", below)]


def _tree(
    catalog: Catalog, found: Found, head: str, closing: Iterable[str]
) -> tuple[str, dict[str, object]]:
    groups = _groups(catalog, found)
    blocks: list[str] = []
    for group in groups:
        lines = [_member_line(found, one) for one in group.members]
        if lines:
            blocks += [f"{group.heading}:", *lines]
    signature = declaration(found.record)
    called = _constructor(catalog, found) if found.record.kind in _CALLED else []
    body = assemble(
        "\n".join([signature, *called]),
        blocks,
        lambda left: f"{left} more lines; ask for one of the members, or read the file.",
        _TREE_TOKENS - count_tokens(head) - 200,
        separator="\n",
    )
    text = "\n".join([head, sealed(body), *closing])
    rows = [
        brief_row(one.record) | {"from": visible(group.heading.removeprefix("from "))}
        for group in groups
        for one in group.members
    ]
    return text, {"members": rows[:_MOST_ROWS], "member_count": len(rows)}


def _member_line(owner: Found, one: Found) -> str:
    record = one.record
    name = api_name(record, [owner.record.qualified_name]).rpartition(".")[2]
    summary = f"  # {one_line(record.summary, 90)}" if record.summary else ""
    name = name or record.qualified_name.rpartition(".")[2]
    line = f"  :{record.start_line}" if record.file == owner.record.file else ""
    return f"  {declaration(record, name, 120)}{summary}{line}"


def _source(
    catalog: Catalog, found: Found, head: str, closing: Iterable[str]
) -> tuple[str, dict[str, object]]:
    record = found.record
    bundle = catalog.bundles[found.bundle]
    source = bundle.source(record.id).decode("utf-8", "replace")
    is_prose = record.kind in _PROSE
    budget = DEFAULT_TOKENS - 400 if is_prose else _SOURCE_TOKENS
    fitted = cut_lines(source, budget)
    where = place(catalog, found.bundle, record)
    parts = [head, fence(fitted.text, where, "text" if is_prose else "python")]
    after = record.start_line + fitted.shown
    if fitted.left:
        file = where.rpartition(":")[0]
        parts.append(f'{fitted.left} more lines: read_file("{file}", offset={after}).')
    more: dict[str, object] = {"source": visible(fitted.text), "lines_left": fitted.left}
    return "\n".join([*parts, *closing]), more


def _others(catalog: Catalog, chosen: Found, others: Sequence[Found]) -> list[str]:
    """Other versions of the symbol, and other symbols with the name that was asked for."""
    name = chosen.record.qualified_name
    lines = [
        f"also in {catalog.label(one.bundle)}: {_difference(chosen.record, one.record)}"
        for one in others
        if one.record.qualified_name == name
    ]
    namesakes = list(
        dict.fromkeys(
            one_line(shown_name(one.record)) for one in others if one.record.qualified_name != name
        )
    )
    if namesakes:
        shown = ", ".join(namesakes[:_MOST_OTHERS])
        left = len(namesakes) - _MOST_OTHERS
        lines.append(f"same name: {shown}" + (f", … {left} more" if left > 0 else ""))
    return lines


def _difference(one: Record, other: Record) -> str:
    if one.signature == other.signature:
        return "the same signature"
    return declaration(other)
