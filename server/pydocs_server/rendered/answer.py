"""What every tool gives back, and the budget that it keeps: the reader pays for each token."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from pydocs_bundle.errors import ExitCode, PydocsError

__all__ = [
    "DEFAULT_TOKENS",
    "MOST_TOKENS",
    "Answer",
    "Fitted",
    "NotFound",
    "assemble",
    "bounded",
    "count_tokens",
    "cut_lines",
    "fit_blocks",
]

DEFAULT_TOKENS = 2_000
"""What an answer may cost where nobody asked for more."""

MOST_TOKENS = 24_000
"""What no answer costs, whatever was asked for; clients refuse or spill from 25,000 on."""

_CHARACTERS_PER_TOKEN = 4
_ROOM_FOR_CUT = 400


class Answer(NamedTuple):
    """One answer, twice: `text` for a reader, `structured` for a program, each complete."""

    text: str
    structured: dict[str, object]


class NotFound(PydocsError):  # noqa: N818 - it is an answer as much as an error
    """What was asked for is not mounted; the sentence names the closest and the call to make.

    Args:
        sought: what was looked for, with where, a clause such as `httpx.Cleint in httpx 0.28.1`.
        closest: the nearest names that are there, best first.
        call: the call to make next, as the reader would write it.
        problem: what is the matter with it; by default that it is not in what is mounted.
    """

    exit_code = ExitCode.NOT_FOUND

    def __init__(
        self,
        sought: str,
        closest: Sequence[str] = (),
        call: str = "",
        problem: str = "is not in what is mounted",
    ) -> None:
        self.sought = sought
        self.closest = tuple(closest)
        self.call = call
        self.problem = problem
        sentence = f"{sought} {problem}."
        if self.closest:
            sentence += f" Closest: {', '.join(self.closest)}."
        if call:
            sentence += f" Next: {call}."
        super().__init__(sentence)

    def structured(self) -> dict[str, object]:
        """The same for a program: `error`, `sought`, `closest` and `next`."""
        return {
            "error": str(self),
            "sought": self.sought,
            "closest": list(self.closest),
            "next": self.call,
        }


class Fitted(NamedTuple):
    """The text that fits, how many parts of it are shown, and how many are left."""

    text: str
    shown: int
    left: int


def count_tokens(text: str) -> int:
    """How many tokens a text costs, near enough: a token is about four characters."""
    return -(-len(text) // _CHARACTERS_PER_TOKEN)


def cut_lines(text: str, tokens: int) -> Fitted:
    """As many whole lines of a text as the budget buys; a lone longer line is cut with `…`."""
    room = max(tokens, 0) * _CHARACTERS_PER_TOKEN
    lines = text.split("\n")
    if len(text) <= room:
        return Fitted(text, len(lines), 0)
    taken = 0
    shown = 0
    for line in lines:
        if taken + len(line) + (1 if shown else 0) > room:
            break
        taken += len(line) + (1 if shown else 0)
        shown += 1
    if shown:
        return Fitted("\n".join(lines[:shown]), shown, len(lines) - shown)
    return Fitted(lines[0][: room - 1] + "…" if room else "", 1, len(lines) - 1)


def fit_blocks(blocks: Iterable[str], tokens: int, separator: str = "\n\n") -> Fitted:
    """As many whole blocks as the budget buys; a first block that alone is too long loses lines."""
    room = max(tokens, 0) * _CHARACTERS_PER_TOKEN
    every = list(blocks)
    taken = 0
    shown = 0
    for block in every:
        cost = len(block) + (len(separator) if shown else 0)
        if taken + cost > room:
            break
        taken += cost
        shown += 1
    if shown or not every:
        return Fitted(separator.join(every[:shown]), shown, len(every) - shown)
    return Fitted(cut_lines(every[0], tokens).text, 1, len(every) - 1)


def assemble(
    head: str,
    blocks: Iterable[str],
    left: Callable[[int], str],
    tokens: int = DEFAULT_TOKENS,
    separator: str = "\n\n",
) -> str:
    """A head, the blocks that fit under the budget, and, where some do not, what `left(n)` says.

    `left` gets the number of blocks that are not shown (0: the only one is cut) and tells how to
    get them. The whole text keeps the budget, the closing sentence included.
    """
    tokens = min(tokens, MOST_TOKENS)
    every = list(blocks)
    text = separator.join([head, *every] if head else every)
    if count_tokens(text) <= tokens:
        return text
    around = separator.join([head, "", left(len(every))])
    fitted = fit_blocks(every, tokens - count_tokens(around), separator)
    parts = [part for part in (head, fitted.text, left(fitted.left)) if part]
    return cut_lines(separator.join(parts), tokens).text


def bounded(structured: Mapping[str, object], tokens: int = MOST_TOKENS) -> dict[str, object]:
    """A structured answer within a budget: the longest lists, then texts, lose their ends.

    `cut` in the result says how many items or characters of which field are left out. What a
    program asked for on the command line is not bounded; what a model may be shown is.
    """
    kept = dict(structured)
    left: dict[str, int] = {}
    room = tokens * _CHARACTERS_PER_TOKEN - _ROOM_FOR_CUT
    sizes = {key: _json_size(value) + len(key) + 6 for key, value in kept.items()}
    for key in sorted(sizes, key=lambda key: (isinstance(kept[key], str), -sizes[key], key)):
        if sum(sizes.values()) <= room:
            break
        spare = room - sum(size for other, size in sizes.items() if other != key)
        value = kept[key]
        if isinstance(value, list):
            items = _beginning(value, spare)
            kept[key] = items
            left[key] = len(value) - len(items)
        elif isinstance(value, str):
            # An escaped character takes up to six, so a sixth of the room is surely enough.
            text = value[: max(0, spare // 6)]
            kept[key] = text
            left[key] = len(value) - len(text)
        sizes[key] = _json_size(kept[key]) + len(key) + 6
    cut = {key: count for key, count in left.items() if count}
    return kept | ({"cut": cut} if cut else {})


def _beginning(items: list[object], room: int) -> list[object]:
    taken = 4
    for position, item in enumerate(items):
        taken += _json_size(item) + 2
        if taken > room:
            return items[:position]
    return items


def _json_size(value: object) -> int:
    return len(json.dumps(value, ensure_ascii=False))
