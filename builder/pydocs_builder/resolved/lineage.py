"""The bases of classes: in which order they are asked for a member, and which of them has it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from pydocs_builder.extracted.names import Names
from pydocs_builder.resolved.values import Sort, Unknown, Value

__all__ = ["Lineage", "linearised"]

_MOST_LINES: Final = 64
_DEEPEST: Final = 100
# Bases that bring no members worth an edge.
_EMPTY_BASES: Final = frozenset(
    {"abc.ABC", "builtins.object", "typing.Generic", "typing.Protocol"}
    | {"typing_extensions.Generic", "typing_extensions.Protocol"}
)
_OBJECT_METHODS: Final = frozenset(
    {"__class__", "__delattr__", "__dir__", "__eq__", "__format__", "__getattribute__", "__hash__"}
    | {"__init__", "__init_subclass__", "__ne__", "__new__", "__reduce__", "__reduce_ex__"}
    | {"__repr__", "__setattr__", "__sizeof__", "__str__", "__subclasshook__"}
)


class Lineage:
    """The classes of a target with their bases; it owns the orders and members found so far.

    Args:
        names: the names of the target.
        bases: gives the bases of a class by their definition-site names.
        value_of: gives the value that a definition-site name stands for.
    """

    def __init__(
        self,
        names: Names,
        bases: Callable[[str], Sequence[str]],
        value_of: Callable[[str], Value],
    ) -> None:
        self._names = names
        self._bases = bases
        self._value_of = value_of
        self._orders: dict[str, tuple[str, ...]] = {}
        self._members: dict[tuple[str, str, bool], Value] = {}
        self._depth = 0

    def order(self, name: str) -> tuple[str, ...]:
        """The method resolution order of a class as far as the target defines it."""
        found = self._orders.get(name)
        if found is None:
            if self._depth > _DEEPEST:
                return (name,)
            # A class among its own bases ends here.
            self._orders[name] = (name,)
            self._depth += 1
            bases = [base for base in self._bases(name) if base != name]
            lines = [self.order(base) for base in bases]
            self._depth -= 1
            above = lines[0] if len(lines) == 1 else linearised([*lines, bases])
            found = self._orders[name] = (name, *above[:_DEEPEST])
        return found

    def member(self, owner: str, name: str, *, after: bool = False) -> Value:
        """What `name` is in a class or its bases; `after` begins behind the class itself."""
        key = (owner, name, after)
        found = self._members.get(key)
        if found is None:
            found = self._members[key] = self._member(owner, name, after=after)
        return found

    def _member(self, owner: str, name: str, *, after: bool) -> Value:
        members = self._names.members
        order = self.order(owner)
        outside: list[str] = []
        for base in order[1:] if after else order:
            own = members.get(base)
            if own is not None and name in own:
                return self._value_of(own[name])
            if base not in self._names.kinds and base not in _EMPTY_BASES:
                outside.append(base)
        if len(outside) == 1:
            return Value(Sort.OUTSIDE_MEMBER, f"{outside[0]}.{name}")
        if outside:
            return Unknown.INHERITED
        if name in _OBJECT_METHODS:
            return Value(Sort.OUTSIDE_MEMBER, f"builtins.object.{name}")
        return Unknown.NO_MEMBER


def linearised(lines: Sequence[Sequence[str]]) -> list[str]:
    """The C3 merge of method resolution orders; where there is none, depth first."""
    depth_first = list(dict.fromkeys(name for line in lines for name in line))
    if len(lines) > _MOST_LINES:
        # Nobody writes this by hand, and the merge costs the square.
        return depth_first
    merged: list[str] = []
    rest = [line for line in lines if line]
    positions = [0] * len(rest)
    behind = Counter(name for line in rest for name in line[1:])
    while len(merged) < len(depth_first):
        heads = [line[at] for line, at in zip(rest, positions, strict=True) if at < len(line)]
        head = next((name for name in heads if not behind[name]), None)
        if head is None:
            return depth_first
        merged.append(head)
        for number, line in enumerate(rest):
            at = positions[number]
            if at < len(line) and line[at] == head:
                positions[number] = at + 1
                if at + 1 < len(line):
                    behind[line[at + 1]] -= 1
    return merged
