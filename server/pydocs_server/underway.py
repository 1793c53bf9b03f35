"""The call that is under way: how far it is, and whether anybody still waits for it.

What takes long says how far it is; who started the call decides what becomes of that. The command
line lets it pass, a client gets it as progress.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import Final, NamedTuple

__all__ = ["CALL", "Call"]


def _nobody(_: float, __: float, ___: str) -> None:
    return


class Call(NamedTuple):
    """One call.

    Attributes:
        report: takes what is done, the whole in the same unit, and what it is, such as `3 of 9
            files searched`.
        is_given_up: whether nobody waits for the answer any more.
    """

    report: Callable[[float, float, str], None] = _nobody
    is_given_up: Callable[[], bool] = lambda: False


CALL: Final[ContextVar[Call]] = ContextVar("CALL", default=Call())  # noqa: B039 - it is immutable
"""The call of this context."""
