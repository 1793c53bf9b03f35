"""What became of each requirement, for people: in a build's summary and in a project's bundle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydocs_builder.outcomes import BUILT, FAILED, NOT_FOUND, NOT_INSTALLED, REUSED, UNSUITED
from pydocs_bundle.records import Requirement

__all__ = ["UNSATISFIED", "fate_lines", "printable"]

UNSATISFIED = "the environment's version is not"
"""How the detail of what is there in a version that the project does not ask for begins."""

_FATES = (BUILT, REUSED, UNSUITED, NOT_INSTALLED, NOT_FOUND, FAILED)
# What nobody needs to do anything about is counted where it is long.
_MOST_NAMES = {UNSUITED: 12, NOT_INSTALLED: 12}


def fate_lines(requirements: Iterable[Requirement], *, is_fetching: bool = False) -> Iterator[str]:
    """Lines that tell the fate of every requirement, the reason of those that miss.

    Args:
        requirements: every requirement with its fate.
        is_fetching: whether what is not installed was to be fetched, so that it misses too.
    """
    by_fate: dict[str, list[Requirement]] = {fate: [] for fate in _FATES}
    for row in requirements:
        by_fate.setdefault(row.fate, []).append(row)
    for fate, rows in by_fate.items():
        is_told = fate in {NOT_FOUND, FAILED} or (fate == NOT_INSTALLED and is_fetching)
        yield from _reasons(fate, rows) if is_told else _names(fate, rows)


def printable(text: str) -> str:
    """The text with escapes for what could command a terminal; names and reasons are others'."""
    return "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)


def _reasons(fate: str, rows: Iterable[Requirement]) -> Iterator[str]:
    """A line for each, with its reason."""
    for row in rows:
        why = f" ({row.detail})" if row.detail else ""
        yield f"{fate}: {row.name} {row.specifier}".rstrip() + why


def _names(fate: str, rows: Sequence[Requirement]) -> Iterator[str]:
    """Those that need nobody's attention in one line together, and a line for each odd one."""
    names = list(dict.fromkeys(f"{row.name} {row.version}".rstrip() for row in rows))
    shown = names[: _MOST_NAMES.get(fate, len(names))]
    if len(shown) + 1 < len(names):
        more = f" and {len(names) - len(shown)} more (--json lists them)"
        yield f"{fate}: {len(names)}: {', '.join(shown)}{more}"
    elif names:
        yield f"{fate}: {', '.join(names)}"
    for row in rows:
        if row.fate in {BUILT, REUSED} and row.detail.startswith(UNSATISFIED):
            yield f"note: {row.name} {row.version}: {row.detail}"
