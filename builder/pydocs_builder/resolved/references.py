"""The edges of a target: what imports, calls, decorates, inherits and overrides what, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pydocs_builder.decided.decision_entries import Document
from pydocs_builder.decided.decisions import FoundDecision
from pydocs_builder.extracted.names import Names, origin_of
from pydocs_builder.extracted.symbols import Definitions, Module
from pydocs_builder.resolved.accesses import accesses, passed
from pydocs_builder.resolved.chains import shown
from pydocs_builder.resolved.flow import Found, find_callees, find_run
from pydocs_builder.resolved.mentions import MentionIndex, mentions
from pydocs_builder.resolved.places import base_place, name_place
from pydocs_builder.resolved.resolver import Resolver
from pydocs_builder.resolved.values import RESOLVED, Sort
from pydocs_bundle.records import Kind, Reference, ReferenceKind
from pydocs_native.records import Call, Import

__all__ = ["find_governed", "find_mentions", "find_references"]

_LONGEST_CHAIN: Final = 120
_ABOVE: Final = "above the top-level package"
_MISSING: Final = "a name that nothing defines"
_NOT_CALLABLE: Final = "a value of unknown type"

_CALL: Final = ReferenceKind.CALL
_DECORATE: Final = ReferenceKind.DECORATE
_NAMELESS: Final = (Sort.LOCAL, Sort.LAMBDA, Sort.PARTIAL)
_SYNTACTIC: Final = "syntactic"


def find_references(
    modules: Sequence[Module],
    definitions: Definitions,
    names: Names,
    resolver: Resolver,
    places: Sequence[int],
) -> list[Reference]:
    """All edges, by module and then by kind and line.

    Args:
        modules: the modules, in the order of `definitions.owners`.
        definitions: the drafts; what is nested in a function belongs to the outer function.
        names: the names of the target, followed.
        resolver: what its expressions stand for.
        places: for each draft the index of its entry.
    """
    found: list[Reference] = []
    callees = find_callees(modules, resolver)
    run = find_run(modules, resolver)
    for number, module in enumerate(modules):
        owners = [places[draft] for draft in definitions.owners[number]]
        found += _imports(module, names, owners)
        edges = _calls(module, [*callees[number], *run[number]], owners)
        for kind, scope, target, line, column in (
            *passed(callees[number], resolver),
            *accesses(number, module, resolver),
        ):
            edges.append(Reference(kind, owners[scope], target, module.file, line, column))
        # A read that is a call, and a callback that is one anyway, stand once.
        found += dict.fromkeys(edges)
    found += _inheritance(modules, definitions, names, resolver, places)
    return found


def find_mentions(
    documents: Sequence[Document], index: MentionIndex, places: Sequence[int]
) -> list[Reference]:
    """An edge from a section to each symbol or file that it names, where it is named first."""
    found: list[Reference] = []
    for document in documents:
        for number, section in enumerate(document.sections):
            if section.kind is not Kind.SECTION:
                continue
            seen: set[str] = set()
            for mention in mentions(section.text):
                meant = index.meant(mention.text)
                if meant and meant not in seen:
                    seen.add(meant)
                    before = section.text[: mention.start]
                    found.append(
                        Reference(
                            ReferenceKind.MENTION,
                            places[document.first + number],
                            meant,
                            document.file,
                            section.start_line + before.count(b"\n"),
                            mention.start - before.rfind(b"\n") - 1,
                        )
                    )
    return found


def find_governed(decisions: Sequence[FoundDecision], places: Sequence[int]) -> list[Reference]:
    """An edge from each decision to what it governs."""
    return [
        Reference(ReferenceKind.GOVERN, place, governed, decision.file, decision.line, 0)
        for decision, place in zip(decisions, places, strict=False)
        for governed in decision.governs
    ]


def _imports(module: Module, names: Names, owners: Sequence[int]) -> list[Reference]:
    found: list[Reference] = []
    for item in module.parsed.imports:
        origin = origin_of(item, module)
        target, reason = _imported(item, origin, names)
        found.append(
            Reference(
                ReferenceKind.IMPORT,
                owners[item.scope],
                target,
                module.file,
                item.line,
                item.column,
                _SYNTACTIC,
                reason,
            )
        )
    return found


def _imported(item: Import, origin: str, names: Names) -> tuple[str, str]:
    if not origin:
        return "." * item.level + item.module, _ABOVE
    if not item.name or item.name == "*":
        return origin, ""
    target = names.follow(origin, item.name)
    return (target, "") if target else (f"{origin}.{item.name}", _MISSING)


def _calls(module: Module, found: Sequence[Found], owners: Sequence[int]) -> list[Reference]:
    edges: list[Reference] = []
    add = edges.append
    # As `Reference(…)`, which costs three times as much and says it a hundred thousand times.
    new: Callable[..., Reference] = tuple.__new__
    file = module.file
    for _, call, callees in found:
        is_written = isinstance(call, Call)
        kind = _DECORATE if isinstance(call, Call) and call.is_decorator else _CALL
        source = owners[call.scope]
        place = (file, call.line, call.column)
        is_told = False
        for value in callees:
            if value.sort in RESOLVED and (is_written or value.sort is Sort.FUNCTION):
                add(new(Reference, (kind, source, value.name, *place, _SYNTACTIC, "")))
            # What has no name belongs to the same entry as the function that it is made in.
            is_told = is_told or value.sort in RESOLVED or value.sort in _NAMELESS
        if isinstance(call, Call) and not is_told:
            value = callees[0]
            reason = value.name if value.sort is Sort.UNKNOWN else _NOT_CALLABLE
            text = shown(call.callee)[:_LONGEST_CHAIN]
            add(new(Reference, (kind, source, text, *place, _SYNTACTIC, reason)))
    return edges


def _inheritance(
    modules: Sequence[Module],
    definitions: Definitions,
    names: Names,
    resolver: Resolver,
    places: Sequence[int],
) -> list[Reference]:
    found: list[Reference] = []
    seen: set[int] = set()
    for number, module in enumerate(modules):
        for symbol, draft in zip(module.parsed.symbols, definitions.owners[number], strict=False):
            if symbol.kind != "class" or draft in seen:
                continue
            seen.add(draft)
            entry = definitions.drafts[draft]
            if entry.kind is not Kind.CLASS or definitions.by_name[entry.qualified_name] != draft:
                continue
            source = places[draft]
            found += [
                Reference(
                    ReferenceKind.INHERIT,
                    source,
                    base,
                    module.file,
                    *base_place(module, symbol, written),
                )
                for base, written in resolver.written_bases(entry.qualified_name)
            ]
            found += _overrides(entry.qualified_name, modules, definitions, names, resolver, places)
    return found


def _overrides(
    owner: str,
    modules: Sequence[Module],
    definitions: Definitions,
    names: Names,
    resolver: Resolver,
    places: Sequence[int],
) -> list[Reference]:
    bases = [
        names.members[base] for base in resolver.lineage.order(owner)[1:] if base in names.members
    ]
    if not bases:
        return []
    found: list[Reference] = []
    for last, name in names.members.get(owner, {}).items():
        draft = definitions.by_name[name]
        entry = definitions.drafts[draft]
        if entry.kind not in (Kind.METHOD, Kind.PROPERTY) or last in ("__init__", "__new__"):
            continue
        overridden = next((base[last] for base in bases if last in base), "")
        if overridden:
            found.append(
                Reference(
                    ReferenceKind.OVERRIDE,
                    places[draft],
                    overridden,
                    entry.file,
                    *_own_place(name, modules, resolver, entry.start_line),
                )
            )
    return found


def _own_place(
    name: str, modules: Sequence[Module], resolver: Resolver, line: int
) -> tuple[int, int]:
    """The place of a method's name; its line where its name is defined nowhere by itself."""
    number, _ = place = resolver.site(name)
    return name_place(modules[number], resolver.symbol(place)) if number >= 0 else (line, 0)
