"""What a change of a signature means for those who call it."""

from __future__ import annotations

import ast
from typing import NamedTuple

from pydocs_server.rendered.signatures import overloads

__all__ = ["Broken", "broken", "is_same_call"]


class Broken(NamedTuple):
    """One reason why a call that was right may fail, as a clause."""

    clause: str


class _Parameter(NamedTuple):
    name: str
    default: str
    is_positional: bool
    is_keyword: bool

    @property
    def is_required(self) -> bool:
        return not self.default


def broken(before: str, after: str) -> tuple[Broken, ...]:
    """Why calls may fail that suited the former signature; empty where none can, or none is told.

    Overloads and signatures that cannot be read are not judged.
    """
    was, now = _parameters(before), _parameters(after)
    if was is None or now is None:
        return ()
    (old, _, _), (new, takes_more, takes_any) = was, now
    by_name = {each.name: each for each in new}
    reasons = []
    for each in old:
        there = by_name.get(each.name)
        if there is None:
            is_taken = (takes_any and each.is_keyword) or (takes_more and each.is_positional)
            if not is_taken:
                reasons.append(f"{each.name} is gone")
        elif there.is_required and not each.is_required:
            reasons.append(f"{each.name} is now required")
        elif each.is_positional and not there.is_positional and not takes_more:
            reasons.append(f"{each.name} only by keyword")
        elif each.is_keyword and not there.is_keyword and not takes_any:
            reasons.append(f"{each.name} only by position")
    known = {each.name for each in old}
    reasons += [
        f"{each.name} is new and required"
        for each in new
        if each.is_required and each.name not in known
    ]
    kept = set(_order(old)) & set(_order(new))
    if not reasons and [n for n in _order(old) if n in kept] != [
        n for n in _order(new) if n in kept
    ]:
        reasons.append("another order of the parameters")
    return tuple(map(Broken, reasons))


def is_same_call(before: str, after: str) -> bool:
    """Whether two signatures take the same arguments with the same defaults, whatever the types."""
    was, now = _parameters(before), _parameters(after)
    return was is not None and was == now


def _order(parameters: list[_Parameter]) -> list[str]:
    return [each.name for each in parameters if each.is_positional]


def _parameters(signature: str) -> tuple[list[_Parameter], bool, bool] | None:
    """The parameters, and whether `*args` and `**kwargs` take any other."""
    each = overloads(signature)
    if len(each) != 1 or not each[0].startswith("("):
        return None
    try:
        parsed = ast.parse(f"def f{each[0]}: ...").body[0]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if not isinstance(parsed, ast.FunctionDef):
        return None
    given = parsed.args
    positional = [*given.posonlyargs, *given.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(given.defaults))
    defaults += given.defaults
    found = [
        _Parameter(
            one.arg,
            _written(default),
            is_positional=True,
            is_keyword=number >= len(given.posonlyargs),
        )
        for number, (one, default) in enumerate(zip(positional, defaults, strict=True))
    ]
    found += [
        _Parameter(one.arg, _written(default), is_positional=False, is_keyword=True)
        for one, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    if found and found[0].name in {"self", "cls"}:
        del found[0]
    return found, given.vararg is not None, given.kwarg is not None


def _written(default: ast.expr | None) -> str:
    return "" if default is None else ast.unparse(default)
