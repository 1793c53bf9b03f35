"""Names of symbols and files in prose, and what of the target they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple

from pydocs_builder.extracted.names import Names
from pydocs_bundle.records import Entry, Flag, Kind, SourceFile

__all__ = ["Mention", "MentionIndex", "mentions"]

_CODE: Final = re.compile(rb"``?([^`\r\n]{2,120})``?")
_PATH: Final = re.compile(rb"(?<![\w/.`-])(?:[\w.-]{1,60}/){1,12}[\w.-]{1,60}\.\w{1,6}(?![\w/])")
_DOTTED: Final = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*){0,12}")
_SHORTEST_BARE: Final = 4
_MOST_TAILS: Final = 200
_CODE_KINDS: Final = (Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY)
_BARE_KINDS: Final = (Kind.CLASS, Kind.FUNCTION)


class Mention(NamedTuple):
    """A name as prose has it, and its byte offset there."""

    text: str
    start: int


def mentions(text: bytes) -> Iterator[Mention]:
    """What a text marks as code, and the paths it names."""
    for match in _CODE.finditer(text):
        name = match[1].decode(errors="replace").strip().partition("(")[0].lstrip("~.@")
        yield Mention(name, match.start(1))
    if b"/" in text:
        for match in _PATH.finditer(text):
            yield Mention(match[0].decode(errors="replace"), match.start())


class MentionIndex:
    """What names in prose mean; it owns the tails of all names, and answers only where one fits.

    Args:
        names: the names of the target.
        drafts: its symbols.
        files: its files.
        order: gives the method resolution order of a class.
    """

    def __init__(
        self,
        names: Names,
        drafts: Sequence[Entry],
        files: Sequence[SourceFile],
        order: Callable[[str], Sequence[str]],
    ) -> None:
        self._names = names
        self._order = order
        self._known: dict[str, str] = {}
        self._tails: dict[str, list[Entry]] = {}
        for draft in drafts:
            if draft.kind in _CODE_KINDS and not draft.flags & Flag.TEST.value:
                last = draft.qualified_name.rpartition(".")[2]
                tails = self._tails.setdefault(last, [])
                if len(tails) < _MOST_TAILS:
                    tails.append(draft)
        self._paths = {file.path for file in files}
        self._suffixes: dict[str, list[str]] = {}
        for file in files:
            self._suffixes.setdefault(file.path.rpartition("/")[2], []).append(file.path)

    def meant(self, text: str) -> str:
        """The qualified name or the path that a text means; empty where none or several fit."""
        found = self._known.get(text)
        if found is None:
            found = self._known[text] = self._meant(text)
        return found

    def _meant(self, text: str) -> str:
        if "/" in text or text.endswith((".py", ".pyi", ".md", ".rst", ".toml")):
            return self._path(text)
        if not _DOTTED.fullmatch(text):
            return ""
        found = self._names.find(text)
        if found and "." in text:
            return found
        kinds = _CODE_KINDS if "." in text or "_" in text.strip("_") else _BARE_KINDS
        if len(text) < _SHORTEST_BARE and not text[0].isupper():
            return found
        tails = self._tails.get(text.rpartition(".")[2], ())
        fitting = {
            draft.qualified_name
            for draft in tails
            if draft.kind in kinds and draft.qualified_name.endswith("." + text)
        }
        if fitting or found:
            return fitting.pop() if len(fitting) == 1 else found
        return self._inherited(text)

    def _inherited(self, text: str) -> str:
        """The member that a class or a base of it has: `Client.get`, which `BaseClient` defines."""
        owner, _, name = text.rpartition(".")
        holder = self.meant(owner) if owner else ""
        if self._names.kinds.get(holder) is not Kind.CLASS:
            return ""
        members = (self._names.members.get(each, {}) for each in self._order(holder))
        return next((own[name] for own in members if name in own), "")

    def _path(self, text: str) -> str:
        text = text.removeprefix("./")
        if text in self._paths:
            return text
        paths = self._suffixes.get(text.rpartition("/")[2], [])
        fitting = [path for path in paths if path.endswith("/" + text)]
        return fitting[0] if len(fitting) == 1 else ""
