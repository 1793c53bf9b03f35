"""Second names: an attribute that is nothing but another symbol becomes an alias of it.

`URL = Url` in a module and `isnot = is_not` in a class say the same as an import does. What is
assigned more than once or comes from another distribution stays what it is. A string behind one
is no docstring to Python, which has the symbol's own under both names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from pydocs_builder.extracted.names import Names
from pydocs_builder.extracted.symbols import Definitions, Module, without
from pydocs_bundle.records import Entry, Kind

__all__ = ["follow_renames"]

_RENAME: Final = re.compile(
    r"(?:: (?:\w+\.)?(?:TypeAlias|Final))? = ([^\W\d]\w*(?: ?\. ?[^\W\d]\w*)*)"
)
_MOST_ROUNDS: Final = 8
_SYMBOLS: Final = frozenset({Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY})


def follow_renames(
    modules: Sequence[Module], definitions: Definitions, names: Names
) -> Definitions:
    """The definitions without attributes that are second names; `names` learns where they lead."""
    candidates = dict(_candidates(modules, definitions, names))
    dropped: set[int] = set()
    for _ in range(_MOST_ROUNDS):
        found = {
            place: target
            for place, chain in candidates.items()
            if (target := _target(definitions.drafts, place, chain, names))
        }
        for place, target in found.items():
            _rename(definitions.drafts, place, target, names)
            del candidates[place]
        dropped |= found.keys()
        if not found or not candidates:
            break
    names.forget()
    return without(definitions, dropped) if dropped else definitions


def _candidates(
    modules: Sequence[Module], definitions: Definitions, names: Names
) -> Iterator[tuple[int, str]]:
    chains: dict[int, str] = {}
    files: set[int] = set()
    for place, entry in enumerate(definitions.drafts):
        # Most attributes are something else, and this is cheaper than the expression.
        is_short = entry.kind is Kind.ATTRIBUTE and entry.signature[-1:].isidentifier()
        if is_short and (match := _RENAME.fullmatch(entry.signature)):
            chains[place] = match[1].replace(" ", "")
            files.add(entry.file)
    for module, owners in zip(modules, definitions.owners, strict=True):
        if module.file not in files:
            continue
        found = {
            (symbol.parent, symbol.name): place
            for symbol, place in zip(module.parsed.symbols, owners, strict=False)
            if place in chains and symbol.start == definitions.drafts[place].start
        }
        space = names.namespaces[module.name]
        counts = Counter(
            key for one in module.parsed.bindings if (key := (one.scope, one.target)) in found
        )
        for (scope, name), place in found.items():
            is_bound_otherwise = name in space.imports or name in space.definitions
            if counts[scope, name] == 1 and not (scope == -1 and is_bound_otherwise):
                yield place, chains[place]


def _target(drafts: Sequence[Entry], place: int, chain: str, names: Names) -> str:
    """The symbol of the target that an attribute stands for, by its definition-site name."""
    entry = drafts[place]
    owner = drafts[entry.parent]
    module = owner
    while module.kind is not Kind.MODULE:
        module = drafts[module.parent]
    head, *links = chain.split(".")
    found = names.members.get(owner.qualified_name, {}).get(head, "") if owner is not module else ""
    found = found or names.follow(module.qualified_name, head)
    for link in links:
        found = names.member(found, link) if found else ""
    is_itself = found == entry.qualified_name
    return found if not is_itself and names.kinds.get(found) in _SYMBOLS else ""


def _rename(drafts: Sequence[Entry], place: int, target: str, names: Names) -> None:
    entry = drafts[place]
    owner = drafts[entry.parent]
    last = entry.qualified_name[len(owner.qualified_name) + 1 :]
    names.rename(owner.qualified_name, last, target, is_class=owner.kind is not Kind.MODULE)
