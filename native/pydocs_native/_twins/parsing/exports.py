"""`__all__`, as far as literals decide it."""

from __future__ import annotations

import ast

from pydocs_native._twins.parsing.chain import UNKNOWN, chain
from pydocs_native._twins.parsing.source import scrub

__all__ = ["Exports"]

# More names are no list that somebody wrote, and `__all__ += __all__` doubles.
NAME_LIMIT = 10_000
HARMLESS = {"copy", "count", "index", "reverse", "sort"}


class Names:
    """Literal names, and the chains of other lists that are taken in.

    One of them is `<expression>` where something is taken in that is no list's name.
    """

    def __init__(self) -> None:
        self.listed: list[str] = []
        self.lists: list[str] = []

    def extend(self, listed: list[str], lists: list[str]) -> None:
        """Takes in more, up to a limit."""
        if len(self.listed) + len(self.lists) + len(listed) + len(lists) > NAME_LIMIT:
            self.give_up()
        else:
            self.listed += listed
            self.lists += [one for one in lists if one != UNKNOWN]
            if UNKNOWN in lists:
                self.give_up()

    def give_up(self) -> None:
        """Something is taken in that literals do not decide."""
        if UNKNOWN not in self.lists:
            self.lists.append(UNKNOWN)


class Exports:
    """What is known of `__all__` so far; nothing as long as it has not been assigned."""

    def __init__(self) -> None:
        self.names: Names | None = None

    def assign(self, value: ast.expr, *, is_conditional: bool) -> None:
        """`__all__ = value`; under a condition the names are added: either branch may run."""
        names = self._taken(value)
        if is_conditional and self.names is not None:
            known = self.names.listed
            self.names.extend([it for it in names.listed if it not in known], names.lists)
        else:
            self.names = names

    def extend(self, value: ast.expr) -> None:
        """`__all__ += value` and `__all__.extend(value)`."""
        names = self._taken(value)
        self._known().extend(names.listed, names.lists)

    def call(self, method: str, call: ast.Call, *, is_conditional: bool) -> None:
        """`__all__.method(…)`."""
        argument = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if method in HARMLESS:
            return
        if method == "extend" and argument is not None:
            self.extend(argument)
            return
        match argument:
            case ast.Constant(str(value)) if method == "append":
                self._known().extend([scrub(value)], [])
            case ast.Constant(str(value)) if method == "remove":
                known, name = self._known(), scrub(value)
                if name in known.listed and not is_conditional:
                    known.listed.remove(name)
            case _:
                self.give_up()

    def give_up(self) -> None:
        """Something happens to it that literals do not decide."""
        self._known().give_up()

    def _known(self) -> Names:
        """What is known; of a list that came from elsewhere, such as a star import, nothing."""
        if self.names is None:
            self.names = Names()
            self.names.give_up()
        return self.names

    def _taken(self, value: ast.expr) -> Names:
        names = Names()
        parts = [(value, False)]
        while parts:
            part, is_element = parts.pop()
            match part:
                case ast.Constant(str(name)) if is_element:
                    names.extend([scrub(name)], [])
                case ast.Starred(starred) if is_element:
                    parts.append((starred, False))
                case _ if is_element:
                    names.give_up()
                case ast.BinOp(left, ast.Add(), right):
                    parts += [(right, False), (left, False)]
                case ast.List(elements) | ast.Tuple(elements):
                    parts += [(element, True) for element in reversed(elements)]
                case ast.Name("__all__") if self.names is not None:
                    names.extend(self.names.listed, self.names.lists)
                case ast.Call(ast.Name("list" | "sorted" | "tuple"), [argument], []):
                    parts.append((argument, False))
                case _:
                    names.extend([], [_list_name(part)])
        return names


def _list_name(node: ast.expr) -> str:
    """The chain of `q.__all__`, or the plain name of another list."""
    match node:
        case ast.Name(name) if name != "__all__":
            return name
        case ast.Attribute(attr="__all__"):
            chained = chain(node)
            return UNKNOWN if any(mark in chained for mark in "([<") else chained
        case _:
            return UNKNOWN
