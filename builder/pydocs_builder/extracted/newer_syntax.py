"""The newest syntax that a source uses, and so the oldest Python that can run it.

The parser reads every syntax. Whoever runs an older interpreter is told what that will refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from pydocs_native import ParsedModule

__all__ = ["NEWEST_MINOR", "NeededPython", "needed_python"]

NEWEST_MINOR: Final = 14
"""The version with the newest syntax that is known here."""

_LINE_END: Final = re.compile(rb"\r\n|\r|\n")
# Comments and strings, as a Python below 3.12 takes a text apart.
_UNREAD: Final = re.compile(
    rb"#[^\r\n]*|(?P<prefix>(?<!\w)[rRbBuUfFtT]{1,2})?"
    rb"(?P<text>\"\"\"(?:[^\\]|\\.)*?\"\"\"|'''(?:[^\\]|\\.)*?'''"
    rb"|\"(?:[^\"\\\r\n]|\\.)*\"|'(?:[^'\\\r\n]|\\.)*')",
    re.DOTALL,
)
_BRACES: Final = re.compile(rb"\{\{|\}\}|[{}\\]")
_TYPE_PARAMETERS: Final = 12
_PARAMETER_DEFAULTS: Final = 13
_TEMPLATES: Final = 14
_UNPACKED: Final = 11
_ONLY_POSITIONAL: Final = 8


class _Form(NamedTuple):
    """What some syntax looks like outside strings, and the minor version that brought it.

    Only a text that has the word is searched for the pattern.
    """

    minor: int
    word: bytes
    pattern: re.Pattern[bytes]


_FORMS: Final = (
    _Form(13, b"[", re.compile(rb"\b(?:class|def|type)[ \t]+\w+[ \t]*\[[^\]\r\n]*[^=<>!:]=(?!=)")),
    _Form(12, b"[", re.compile(rb"\b(?:class|def)[ \t]+\w+[ \t]*\[")),
    _Form(
        12,
        b"type ",
        re.compile(rb"^[ \t]*type[ \t]+\w+[ \t]*(?:\[[^\r\n]*\][ \t]*)?=(?!=)", re.MULTILINE),
    ),
    _Form(14, b"except ", re.compile(rb"except[ \t]+[\w.]+[ \t]*,[^:\r\n]*:")),
    _Form(11, b"except", re.compile(rb"except[ \t]*\*")),
    _Form(10, b"match ", re.compile(rb"match\b[^=\r\n]+:[ \t]*(?:\r\n?|\n)[ \t]+case\b")),
    _Form(8, b":=", re.compile(rb":=")),
)
# Where a string may be one that an older Python would end elsewhere, or not know. Each pattern
# begins with plain characters: for these a text is searched ten times as fast.
_NESTED: Final = tuple(
    re.compile(rb"%s[^%s\r\n]*\{[^}%s\r\n]*[%s\\]" % (mark, *[mark[-1:]] * 3))
    for mark in (b'f"', b"f'", b'F"', b"F'", b'fr"', b"fr'")
)
_TEMPLATE: Final = tuple(
    re.compile(rb"%s(?:(?<=[\s(=\[,{:+]%s)|(?<=[\s(=\[,{:+][rR]%s))" % (mark, mark, mark))
    for mark in (b't"', b"t'", b'T"', b"T'", b'tr"', b"tr'")
)
_TYPE_STATEMENT: Final = re.compile(rb"type[ \t]+[^\W\d]")


class NeededPython(NamedTuple):
    """The minor version of Python 3 that a source needs, and the first line that needs it."""

    minor: int
    line: int


def needed_python(
    text: bytes, module: ParsedModule, known: int, *, is_searched: bool = True
) -> NeededPython | None:
    """What a source needs beyond Python 3.`known`; None where that can run it.

    To search a text for more than its definitions show takes a tenth of a build.
    """
    found = list(_of_symbols(text, module))
    found += _of_text(text, known) if is_searched else ()
    newer = [each for each in found if each.minor > known]
    return min(newer, key=lambda each: (-each.minor, each.line), default=None)


def _of_symbols(text: bytes, module: ParsedModule) -> Iterator[NeededPython]:
    for symbol in module.symbols:
        signature = symbol.signature
        if symbol.kind == "attribute":
            if _TYPE_STATEMENT.match(text, symbol.start):
                yield NeededPython(_TYPE_PARAMETERS, symbol.start_line)
        elif signature.startswith("["):
            parameters = signature.partition("](")[0]
            has_default = re.search(r"(?<![=<>!:])=(?!=)", parameters) is not None
            yield NeededPython(
                _PARAMETER_DEFAULTS if has_default else _TYPE_PARAMETERS, symbol.line
            )
        elif "/" in signature and re.search(r"[(,] ?/[,)]", signature):
            yield NeededPython(_ONLY_POSITIONAL, symbol.line)
        if ": *" in signature and symbol.kind == "function":
            yield NeededPython(_UNPACKED, symbol.line)


def _of_text(text: bytes, known: int) -> Iterator[NeededPython]:
    is_nested = known < _TYPE_PARAMETERS and any(each.search(text) for each in _NESTED)
    is_template = known < _TEMPLATES and any(each.search(text) for each in _TEMPLATE)
    forms = [form for form in _FORMS if form.minor > known and form.word in text]
    forms = [form for form in forms if form.pattern.search(text)]
    if not (is_nested or is_template or forms):
        return
    code = bytearray(text)
    for match in _UNREAD.finditer(text):
        prefix = (match["prefix"] or b"").lower()
        if b"t" in prefix:
            yield NeededPython(_TEMPLATES, _line(text, match.start()))
        if b"f" in prefix and _is_nested(match["text"]):
            # Behind it an older Python would see other strings than there are.
            yield NeededPython(_TYPE_PARAMETERS, _line(text, match.start()))
            break
        code[match.start() : match.end()] = b" " * (match.end() - match.start())
    for form in forms:
        if found := form.pattern.search(code):
            yield NeededPython(form.minor, _line(text, found.end() - 1))


def _is_nested(text: bytes) -> bool:
    """Whether an f-string, ended at its first own quote, ends within one of its expressions."""
    depth = 0
    for match in _BRACES.finditer(text):
        mark = match[0]
        if mark == b"\\":
            if depth:
                return True
        elif depth or len(mark) == 1:
            depth += len(mark) if mark[:1] == b"{" else -len(mark)
            depth = max(depth, 0)
    return depth > 0


def _line(text: bytes, position: int) -> int:
    return len(_LINE_END.findall(text, 0, position)) + 1
