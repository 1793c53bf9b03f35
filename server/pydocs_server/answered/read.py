"""`read_file`: a mounted file's text, with line numbers."""

from __future__ import annotations

from pydocs_bundle.errors import UsageError
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.files import find_file
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, count_tokens
from pydocs_server.rendered.render import fence, visible

__all__ = ["read_file"]

_LONGEST_LINE = 2_000
_TOKENS_FOR_FRAME = 80


def read_file(catalog: Catalog, file_path: str, offset: int = 1, limit: int = 0) -> Answer:
    """The lines of one file, numbered from 1, and how to get the next ones.

    Args:
        catalog: what is mounted.
        file_path: `package@version/path`, `package/path`, or a path that only one bundle has; a
            `:line` behind it is where to begin.
        offset: the first line wanted, unless the path names a later one.
        limit: how many lines; 0 for as many as a default answer holds.
    """
    file, line = find_file(catalog, file_path)
    # Of bytes, these are the line ends of Python sources: LF, CR LF and CR, and nothing else.
    lines = catalog.bundles[file.bundle].text.read(file.file).splitlines()
    first = max(offset, line, 1)
    if first > max(len(lines), 1):
        raise UsageError(
            f"{file.address} has {len(lines):,} lines, so offset={first} is past its end; "
            f'call read_file(file_path="{file.address}", offset={max(len(lines) - 50, 1)}).'
        )
    shown = _that_fit(lines, first, limit)
    last = first + len(shown) - 1
    width = len(str(last))
    body = "\n".join(f"{number:>{width}}\t{each}" for number, each in enumerate(shown, first))
    span = f"{first}-{last}" if shown else "0"
    text_answer = fence(body, f"{file.address}:{span}", _language(file.path))
    structured: dict[str, object] = {
        **file.row(),
        "start_line": first if shown else 0,
        "end_line": last if shown else 0,
        "lines": len(lines),
        "text": visible("\n".join(shown)),
    }
    if last < len(lines):
        further = (
            f'Lines {last + 1:,} to {len(lines):,} are left: read_file(file_path="{file.address}", '
            f"offset={last + 1}, limit={limit or len(shown)})."
        )
        text_answer += "\n" + further
        structured["next"] = further
    elif not lines:
        text_answer += "\nThe file is empty."
    return Answer(text_answer, structured)


def _that_fit(lines: list[bytes], first: int, limit: int) -> list[str]:
    """The wanted lines that the budget buys, at least one, each cut at a length nobody reads."""
    budget = (MOST_TOKENS if limit else DEFAULT_TOKENS) - _TOKENS_FOR_FRAME
    shown: list[str] = []
    for each in lines[first - 1 : first - 1 + limit if limit else None]:
        text = each[: _LONGEST_LINE * 4].decode("utf-8", "replace")
        if len(text) > _LONGEST_LINE:
            text = text[: _LONGEST_LINE - 1] + "…"
        budget -= count_tokens(text + "123456\t\n")
        if budget < 0 and shown:
            break
        shown.append(text)
    return shown


def _language(path: str) -> str:
    return "python" if path.endswith((".py", ".pyi")) else "text"
