"""Which decision replaces which, from the words in which the records say so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from posixpath import dirname, join, normpath
from typing import Final

from pydocs_builder.decided.decisions import FoundDecision

__all__ = ["link_successors"]

_LINK: Final = re.compile(r"\]\(<?([^()<>\s]{1,300})>?\)|`[^`<>]*<([^<>`]{1,300})>`__?")
_NUMBER: Final = re.compile(r"(?<![\d.])#?(\d{1,6})(?![\d.]*\d)")
_DATE: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_DIGITS: Final = re.compile(r"\d{1,6}$")


def link_successors(
    decisions: Sequence[FoundDecision], paths: Sequence[str]
) -> list[FoundDecision]:
    """The decisions, those that another replaces with its number among them.

    A record is named by a link to its file, by its number, or by its title. One that says what it
    replaces counts as well as one that says what replaced it.
    """
    linked = list(decisions)
    records = [number for number, each in enumerate(linked) if each.label or each.origin == "adr"]
    records = [number for number in records if linked[number].origin in {"adr", "proposal"}]
    if len(records) < 2:  # noqa: PLR2004 - one to replace and one to be replaced
        return linked
    known = _Records(linked, records, paths)
    for number in records:
        later = known.meant(linked[number].replaced_by, number)
        if later >= 0:
            linked[number] = linked[number]._replace(successor=later)
    for number in records:
        earlier = known.meant(linked[number].replaces, number)
        if earlier >= 0 and linked[earlier].successor < 0 and linked[number].successor != earlier:
            linked[earlier] = linked[earlier]._replace(successor=number)
    return linked


class _Records:
    """The records by file, number and title."""

    def __init__(
        self, decisions: Sequence[FoundDecision], records: Sequence[int], paths: Sequence[str]
    ) -> None:
        self._folders = {number: dirname(paths[decisions[number].file]) for number in records}
        self._paths = {paths[decisions[number].file]: number for number in records}
        self._titles = {decisions[number].title.lower(): number for number in reversed(records)}
        self._numbers: dict[int, list[int]] = {}
        for number in records:
            if digits := _DIGITS.search(decisions[number].label):
                self._numbers.setdefault(int(digits[0]), []).append(number)

    def meant(self, said: str, by: int) -> int:
        """The record that some words of another name; -1 where they name none."""
        folder = self._folders[by]
        for match in _LINK.finditer(said):
            path = normpath(join(folder, (match[1] or match[2]).partition("#")[0]))
            found = self._paths.get(path, by)
            if found != by:
                return found
        bare = _DATE.sub(" ", _LINK.sub("]", said))
        for match in _NUMBER.finditer(bare):
            same = [each for each in self._numbers.get(int(match[1]), ()) if each != by]
            near = [each for each in same if self._folders[each] == folder] or same
            if len(near) == 1:
                return near[0]
        found = self._titles.get(bare.strip(" .[]\"'`").lower(), by)
        return found if found != by else -1
