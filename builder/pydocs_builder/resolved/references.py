"""The edges of a target: what imports, calls, decorates, inherits and overrides what, and where."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from pydocs_builder.decided.decision_entries import Document
from pydocs_builder.decided.decisions import FoundDecision
from pydocs_builder.extracted.names import Names, origin_of
from pydocs_builder.extracted.symbols import Definitions, Module
from pydocs_builder.resolved.mentions import MentionIndex, mentions
from pydocs_builder.resolved.resolver import Resolver
from pydocs_builder.resolved.values import RESOLVED, Sort
from pydocs_bundle.records import Kind, Reference, ReferenceKind
from pydocs_native.records import Import

__all__ = ["find_governed", "find_mentions", "find_references"]

_LONGEST_CHAIN: Final = 120
_ABOVE: Final = "above the top-level package"
_MISSING: Final = "a name that nothing defines"
_NOT_CALLABLE: Final = "a value of unknown type"

_CALL: Final = ReferenceKind.CALL
_DECORATE: Final = ReferenceKind.DECORATE
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
    for number, module in enumerate(modules):
        owners = [places[draft] for draft in definitions.owners[number]]
        found += _imports(module, names, owners)
        found += _calls(number, module, resolver, owners)
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


def _calls(
    number: int, module: Module, resolver: Resolver, owners: Sequence[int]
) -> list[Reference]:
    found: list[Reference] = []
    add = found.append
    # As `Reference(…)`, which costs three times as much and says it a hundred thousand times.
    new: Callable[..., Reference] = tuple.__new__
    file = module.file
    symbols = module.parsed.symbols
    resolve = resolver.callee
    targets: dict[tuple[int, str], tuple[str, str]] = {}
    for scope, callee, line, column, is_decorator in module.parsed.calls:
        # A decorator stands outside of what it decorates.
        around = symbols[scope].parent if is_decorator and scope >= 0 else scope
        key = (around, callee)
        target = targets.get(key)
        if target is None:
            sort, name = resolve(number, around, callee)
            if sort in RESOLVED:
                target = (name, "")
            elif sort is Sort.LOCAL:
                # It belongs to the same entry as the function that it is called from.
                target = ("", "")
            else:
                reason = name if sort is Sort.UNKNOWN else _NOT_CALLABLE
                target = (callee[:_LONGEST_CHAIN], reason)
            targets[key] = target
        name, reason = target
        if name:
            kind = _DECORATE if is_decorator else _CALL
            edge = (kind, owners[scope], name, file, line, column, _SYNTACTIC, reason)
            add(new(Reference, edge))
    return found


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
                Reference(ReferenceKind.INHERIT, source, base, module.file, symbol.line, 0)
                for base in resolver.bases(entry.qualified_name)
            ]
            found += _overrides(entry.qualified_name, definitions, names, resolver, places)
    return found


def _overrides(
    owner: str, definitions: Definitions, names: Names, resolver: Resolver, places: Sequence[int]
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
                    entry.start_line,
                    0,
                )
            )
    return found
