"""`__all__`, as far as literals decide it."""

from __future__ import annotations

import ast

from pydocs_native._twins.parsing.source import scrub

__all__ = ["Exports"]

# More names are no list that somebody wrote, and `__all__ += __all__` doubles.
NAME_LIMIT = 10_000
HARMLESS = {"copy", "count", "index", "reverse", "sort"}


class Exports:
    """What is known of `__all__` so far: its names, or that they cannot be known."""

    def __init__(self) -> None:
        self.names: list[str] | None = None
        self.is_undecidable = False

    def assign(self, value: ast.expr, *, is_conditional: bool) -> None:
        """`__all__ = value`; under a condition the names are added: either branch may run."""
        names = self._literals(value)
        if names is None:
            self.give_up()
        elif is_conditional and self.names is not None:
            for name in names:
                if name not in self.names:
                    self.names.append(name)
            if len(self.names) > NAME_LIMIT:
                self.give_up()
        elif not (is_conditional and self.is_undecidable):
            self.names, self.is_undecidable = names, False

    def extend(self, value: ast.expr) -> None:
        """`__all__ += value` and `__all__.extend(value)`."""
        names = self._literals(value)
        if names is None or self.names is None or len(self.names) + len(names) > NAME_LIMIT:
            self.give_up()
        else:
            self.names += names

    def call(self, method: str, call: ast.Call, *, is_conditional: bool) -> None:
        """`__all__.method(…)`."""
        argument = call.args[0] if len(call.args) == 1 and not call.keywords else None
        if method in HARMLESS:
            return
        if method == "extend" and argument is not None:
            self.extend(argument)
            return
        name = _string(argument)
        if name is None or self.names is None or method not in {"append", "remove"}:
            self.give_up()
        elif method == "append" and len(self.names) < NAME_LIMIT:
            self.names.append(name)
        elif method == "append":
            self.give_up()
        elif name in self.names and not is_conditional:
            self.names.remove(name)

    def give_up(self) -> None:
        """It holds more than literals say."""
        self.names, self.is_undecidable = None, True

    def _literals(self, value: ast.expr) -> list[str] | None:
        names: list[str] = []
        operands = [value]
        while operands:
            match operands.pop():
                case ast.BinOp(left, ast.Add(), right):
                    operands += [right, left]
                case ast.List(elements) | ast.Tuple(elements):
                    strings = [_string(element) for element in elements]
                    names += [string for string in strings if string is not None]
                    if None in strings:
                        return None
                case ast.Name("__all__") if self.names is not None:
                    names += self.names
                case _:
                    return None
            if len(names) > NAME_LIMIT:
                return None
        return names


def _string(node: ast.expr | None) -> str | None:
    match node:
        case ast.Constant(str(value)):
            return scrub(value)
        case _:
            return None
