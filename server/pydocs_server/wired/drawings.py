"""The pictures that the command line is asked for beside an answer: written where it says."""

from __future__ import annotations

from pathlib import Path

from pydocs_bundle.errors import UsageError
from pydocs_server.rendered.answer import Answer
from pydocs_server.rendered.pictures import dot, mermaid, references_picture

__all__ = ["STDOUT", "draw_references"]

STDOUT = "-"
"""The file name that stands for standard output."""


def draw_references(answer: Answer, dot_file: str, mermaid_file: str) -> str:
    """Draws what `get_references` answered; gives what belongs on standard output, or nothing.

    Args:
        answer: what it answered.
        dot_file: where the Graphviz graph goes; empty for none, `-` for standard output.
        mermaid_file: the same for the Mermaid flow chart.

    Raises:
        UsageError: a file cannot be written.
    """
    drawn = references_picture(answer.structured)
    parts = [
        _written(file, text)
        for file, text in ((dot_file, dot(drawn)), (mermaid_file, mermaid(drawn)))
        if file
    ]
    return "\n".join(filter(None, parts))


def _written(file: str, text: str) -> str:
    if file == STDOUT:
        return text
    try:
        Path(file).write_text(f"{text}\n", encoding="utf-8", newline="\n")
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise UsageError(f"{file} cannot be written: {why}; name another file.") from error
    return ""
