"""Commits that give a reason, as decisions: each in the text that `history` makes of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from pydocs_builder.decided.decisions import FoundDecision, cut_quote, short_title

__all__ = ["commit_decisions"]

_COMMIT: Final = re.compile(rb"^commit ([0-9a-f]{40,64})\nDate:   (\S*)\n\n", re.MULTILINE)
_SHORT: Final = 12


def commit_decisions(file: int, text: bytes) -> Iterator[tuple[FoundDecision, list[str]]]:
    """Each commit as a decision, with the paths that it changes."""
    matches = list(_COMMIT.finditer(text))
    ends = [match.start() for match in matches[1:]] + [len(text)]
    for match, end in zip(matches, ends, strict=False):
        told = text[match.end() : end]
        lines = told.split(b"\n")
        message = b"\n".join(line for line in lines if line.startswith(b"    ") or not line)
        touched = [line.decode(errors="replace") for line in lines if line[:1].strip()]
        # The paths come last, so that the message is one piece of the text.
        quote = cut_quote(told[: len(message.rstrip())])
        line = text.count(b"\n", 0, match.start()) + 1
        identity = match[1].decode()
        decision = FoundDecision(
            "commit",
            short_title(quote.strip().partition("\n")[0]),
            quote,
            file,
            match.start(),
            match.start() + len(text[match.start() : end].rstrip()),
            line,
            line + text[match.start() : end].rstrip().count(b"\n"),
            date=match[2].decode(errors="replace"),
            label=identity[:_SHORT],
            heading=f"commit {identity}",
        )
        yield decision, touched
