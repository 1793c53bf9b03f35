"""Path patterns: `*`, `?`, `[…]`, `**` and `{a,b}`, matched without runaway backtracking.

A pattern with a slash is matched against the whole path, one without against the file's name in
any folder. Stars match hidden names too: what is in a bundle was chosen to be there.
"""

from __future__ import annotations

import re

from pydocs_bundle.errors import UsageError

__all__ = ["PathPattern", "PatternError", "compile_pattern"]

MAX_LENGTH = 1_000
MAX_ALTERNATIVES = 256


class PatternError(UsageError):
    """A path pattern that cannot be used, and what to write instead."""

    def __init__(self, pattern: str, problem: str) -> None:
        shown = pattern if len(pattern) <= 80 else pattern[:79] + "…"  # noqa: PLR2004
        super().__init__(
            f"The path pattern {shown!r} {problem}; write something like 'src/**/*.py' "
            "or '*.{py,pyi}'."
        )


class PathPattern:
    """A compiled path pattern.

    Args:
        pattern: what the user wrote, already known to be usable.
        expressions: one regular expression for each alternative of the braces.
    """

    __slots__ = ("_expressions", "has_folder", "pattern")

    def __init__(self, pattern: str, expressions: tuple[re.Pattern[str], ...]) -> None:
        self.pattern = pattern
        self.has_folder = "/" in pattern
        self._expressions = expressions

    def matches(self, path: str) -> bool:
        """Whether the path (with `/`, without a leading one) is one that the pattern means."""
        subject = path if self.has_folder else path.rpartition("/")[2]
        return any(expression.fullmatch(subject) for expression in self._expressions)


def compile_pattern(pattern: str) -> PathPattern:
    """The pattern, ready to match; raises `PatternError` where it cannot mean anything."""
    if not pattern:
        raise PatternError(pattern, "is empty")
    if len(pattern) > MAX_LENGTH:
        raise PatternError(pattern, f"is longer than {MAX_LENGTH:,} characters")
    written = pattern.removeprefix("./").lstrip("/") or pattern
    alternatives = _expand_braces(written)
    if alternatives is None:
        raise PatternError(pattern, f"expands to more than {MAX_ALTERNATIVES} alternatives")
    expressions = tuple(re.compile(_expression(each), re.DOTALL) for each in alternatives)
    return PathPattern(written, expressions)


def _expand_braces(pattern: str) -> list[str] | None:
    """Each alternative once, in order; None when there are too many.

    Braces without a comma, and braces that never close, stand for themselves.
    """
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        current = waiting.pop()
        choice = _innermost_choice(current)
        if choice is None:
            done.append(current)
        else:
            start, end, options = choice
            waiting += [current[:start] + option + current[end:] for option in reversed(options)]
        if len(done) + len(waiting) > MAX_ALTERNATIVES:
            return None
    return list(dict.fromkeys(done))


def _innermost_choice(pattern: str) -> tuple[int, int, list[str]] | None:
    start = -1
    for index, char in enumerate(pattern):
        if char == "{":
            start = index
        elif char == "}" and start >= 0:
            options = pattern[start + 1 : index].split(",")
            if len(options) > 1:
                return start, index + 1, options
            start = -1
    return None


def _expression(pattern: str) -> str:
    """A regular expression in which every star but the last commits to its first match.

    The earliest place where the text after a star fits is never worse than a later one, so an
    atomic group around each star gives the same answer as backtracking, in bounded time.
    """
    runs: list[list[str]] = [[]]
    for segment in pattern.split("/"):
        if segment == "**":
            if runs[-1] or len(runs) == 1:
                runs.append([])
        else:
            runs[-1].append(_segment(segment))
    first, *others = ["/".join(run) for run in runs]
    if not others:
        return first
    parts = [first + "/"] if first else []
    parts += [f"(?>(?:[^/]+/)*?{run}/)" for run in others[:-1]]
    parts.append(f"(?:[^/]+/)*{others[-1]}" if others[-1] else ".+")
    return "".join(parts)


def _segment(segment: str) -> str:
    chunks = [""]
    position = 0
    while position < len(segment):
        char = segment[position]
        position += 1
        if char == "*":
            if len(chunks) == 1 or chunks[-1]:
                chunks.append("")
            continue
        if char == "?":
            chunks[-1] += "[^/]"
        elif char == "[" and (close := _class_end(segment, position)) > 0:
            chunks[-1] += _character_class(segment[position:close])
            position = close + 1
        else:
            chunks[-1] += re.escape(char)
    first, *others = chunks
    if not others:
        return first
    return first + "".join(f"(?>[^/]*?{chunk})" for chunk in others[:-1]) + "[^/]*" + others[-1]


def _class_end(segment: str, start: int) -> int:
    """Where the class that opened before `start` closes, or -1: then the bracket is itself."""
    after_first = start + (2 if segment[start : start + 1] in {"!", "^"} else 1)
    return segment.find("]", after_first)


def _character_class(content: str) -> str:
    negated = content[:1] in {"!", "^"}
    members = content[1:] if negated else content
    escaped = re.sub(r"([\\\[\]^&~|]|-(?=-))", r"\\\1", members)
    # `[z-a]` matches nothing rather than being an error: a file name may hold it.
    try:
        re.compile(f"[{escaped}]")
    except re.error:
        return "[^\\s\\S]" if not negated else "[^/]"
    return f"(?!/)[{'^' if negated else ''}{escaped}]"
