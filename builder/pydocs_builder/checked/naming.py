"""What a report's numbers stand for, by the names that bundles use."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from pydocs_builder.checked.report import Described, Origin, Report
from pydocs_builder.checked.standard_names import standard_name
from pydocs_builder.extracted.symbols import Definitions, Module

__all__ = ["NAMELESS", "Name", "Naming"]

_LOCALS: Final = "<locals>"
_Key = str | int
"""A function's id or a class's number in its module."""


class Name(NamedTuple):
    """The definition-site name of a function or class; `is_standard` if Python brings it.

    What is defined in a function has the function's name, and `within` is the function's entry.
    """

    text: str
    is_standard: bool = False
    within: int = -1

    @property
    def last(self) -> str:
        """What follows the last dot."""
        return self.text.rpartition(".")[2]


NAMELESS: Final = Name("")
"""What no bundle has a name for."""


class Naming:
    """The names of functions and classes; it owns those found so far.

    Args:
        report: the report.
        modules: the modules of the target.
        numbers: the number of each by its path, as the checker was given it.
        definitions: what they define.
        places: for each draft of theirs the index of its entry.
    """

    def __init__(
        self,
        report: Report,
        modules: Sequence[Module],
        numbers: Mapping[str, int],
        definitions: Definitions,
        places: Sequence[int],
    ) -> None:
        self._report = report
        self._modules = modules
        self._numbers = numbers
        self._definitions = definitions
        self._places = places
        self._known: dict[tuple[int, _Key], Name] = {}
        self._symbols: dict[int, dict[tuple[int, str], int]] = {}

    def function(self, reference: object) -> Name:
        """The name of what a report refers to as a function."""
        at = _place(reference, "function_id", str)
        return self._name(*at) if at else NAMELESS

    def class_of(self, reference: object) -> Name:
        """The name of what a report refers to as a class."""
        at = _place(reference, "class_id", int)
        return self._name(*at) if at else NAMELESS

    def member(self, function: object, owner: object, name: str) -> Name:
        """The method of a name beside another one, else of a class or what it inherits from."""
        places: list[tuple[int, _Key | None]] = []
        if at := _place(function, "function_id", str):
            described = self._report.describe(at[0])
            parent = described.functions.get(str(at[1]), ("", None))[1] if described else None
            places.append((at[0], parent))
        if at := _place(owner, "class_id", int):
            described = self._report.describe(at[0])
            places.append(at)
            places += described.orders.get(at[1], ()) if described else ()
        for module, class_ in places:
            described = self._report.describe(module)
            found = described.members.get((class_, name)) if described else None
            if found is not None:
                return self._name(module, found)
        return NAMELESS

    def number(self, described: Described) -> int:
        """The number of a module of the target; -1 for a module that is not of it."""
        return self._numbers.get(described.path, -1) if described.origin == Origin.FILE else -1

    def scope(self, number: int, described: Described, caller: str) -> int:
        """The parsed symbol that a report calls `F:1`, `CTL:1` (a class body) or `FDT:1`.

        The last are the decorators of a function. The module itself is -1.
        """
        kind, _, index = caller.partition(":")
        if kind in {"F", "FDT"}:
            key: _Key = f"F:{index}"
        elif kind == "CTL" and index.isdecimal():
            key = int(index)
        else:
            return -1
        return self._symbol(number, described, key)

    def _name(self, module: int, key: _Key) -> Name:
        found = self._known.get((module, key))
        if found is None:
            found = self._known[module, key] = self._find(module, key)
        return found

    def _find(self, module: int, key: _Key) -> Name:
        described = self._report.describe(module)
        qualname = described.qualname(key) if described else ""
        if described is None or not qualname:
            return NAMELESS
        if described.origin == Origin.STANDARD:
            return Name(standard_name(described.name, qualname), is_standard=True)
        if described.origin != Origin.FILE:
            # The checker brings stubs of many a package, whose names may be those of stubs alone.
            return NAMELESS
        number = self.number(described)
        if number < 0:
            return Name(f"{described.name}.{qualname}")
        symbol = self._symbol(number, described, key)
        if symbol >= 0:
            draft = self._definitions.owners[number][symbol]
            is_local = _LOCALS in self._modules[number].parsed.symbols[symbol].qualname
            within = self._places[draft] if is_local else -1
            return Name(self._definitions.drafts[draft].qualified_name, within=within)
        # What is generated has no place of its own, and perhaps no entry but the class's.
        name = f"{self._modules[number].name}.{qualname}"
        return Name(name if name in self._definitions.by_name else name.rpartition(".")[0])

    def _symbol(self, number: int, described: Described, key: _Key) -> int:
        """The parsed symbol of a definition of the target, by its line and name; -1 if none."""
        known = self._symbols.get(number)
        if known is None:
            symbols = self._modules[number].parsed.symbols
            known = self._symbols[number] = {
                (symbol.line, symbol.name): index
                for index, symbol in enumerate(symbols)
                if symbol.kind != "attribute"
            }
        name = described.name_of(key)
        return known.get((described.lines.get(key, 0), name), -1)


def _place(reference: object, key: str, kind: type[str | int]) -> tuple[int, _Key] | None:
    """The module and the key in it that a report refers to."""
    if isinstance(reference, dict):
        module, found = reference.get("module_id"), reference.get(key)
        if isinstance(module, int) and isinstance(found, kind):
            return module, found
    return None
