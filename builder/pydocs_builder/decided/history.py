"""The history of a project as a text: the commits whose messages give a reason.

Git is asked, never the network, and nothing that a repository's configuration names is run.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import Final, NamedTuple

__all__ = ["COMMITS_PATH", "History", "read_history"]

COMMITS_PATH: Final = ".pydocs/commits.txt"
"""The file of a project's bundle that holds them, in a folder that no project has by chance."""

_HEAD: Final = (
    "Commits of this project whose messages give a reason, the newest first, as `git log` shows"
    " them.\nThis file was written by pydocs-build; the project has no such file.\n"
)
_MOST_READ: Final = 20_000
_MOST_KEPT: Final = 400
_MOST_PATHS: Final = 12
_LONGEST: Final = 4_000
_FEWEST_WORDS: Final = 8
_SECONDS: Final = 60

_REASON: Final = re.compile(
    r"\b(?:because|so that|in order to|to avoid|rationale|reason(?:s|ing)?|decided?|decision|why"
    r"|instead of|rather than|otherwise|trade-?offs?|therefore|turned? out|on purpose"
    r"|deliberate(?:ly)?|intentional(?:ly)?|the problem (?:is|was)|no longer need"
    r"|would (?:have|be|break|fail|need))\b",
    re.IGNORECASE,
)
# Of a message that is one line only the plainest words count.
_PLAIN: Final = re.compile(r"\b(?:because|so that|to avoid|in order to)\b", re.IGNORECASE)
_TRAILER: Final = re.compile(
    r"(?:signed-off-by|co-authored-by|change-id|reviewed-by|acked-by|tested-by|cc|closes|fixes"
    r"|refs?|link|reported-by|suggested-by|git-svn-id|cherry-picked-from)\s*[:#].*",
    re.IGNORECASE,
)
_BOT: Final = re.compile(
    r"\[bot\]|\b(?:dependabot|renovate|pre-commit-ci|github-actions|pyup|greenkeeper|mergify"
    r"|weblate|allcontributors|copybara)\b",
    re.IGNORECASE,
)
_SETTINGS: Final = (
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.quotepath=false"),
    *("-c", "log.showSignature=false", "-c", "gpg.program=false", "-c", "log.mailmap=false"),
    *("-c", "i18n.logOutputEncoding=UTF-8", "-c", "core.alternateRefsCommand=false"),
)
_ENVIRONMENT: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}


class History(NamedTuple):
    """The commits as one text, empty where there are none, and what was wrong with them."""

    text: str = ""
    notes: tuple[str, ...] = ()


class _Commit(NamedTuple):
    identity: str
    author: str
    date: str
    message: str


def read_history(root: Path) -> History:
    """The commits behind `HEAD` that give a reason; nothing where the folder is no repository.

    Merges and bots are left out. The text depends on `HEAD` alone.
    """
    if not (root / ".git").exists():
        return History()
    try:
        commits = [each for each in _commits(root) if _gives_reason(each)][:_MOST_KEPT]
        if not commits:
            return History(notes=_shallow(root))
        touched = _touched(root, [each.identity for each in commits])
    except FileNotFoundError:
        return History()
    except (OSError, subprocess.SubprocessError) as error:
        said = getattr(error, "stderr", None) or str(error)
        said = said if isinstance(said, str) else bytes(said).decode(errors="replace")
        first = said.strip().partition("\n")[0][:200]
        return History(notes=(f".git: the history cannot be read ({first}); ask `git log` why",))
    shown = "\n".join(_shown(each, touched.get(each.identity, [])) for each in commits)
    return History(f"{_HEAD}\n{shown}", _shallow(root))


def _commits(root: Path) -> list[_Commit]:
    form = "--format=%x00%H%x1f%an%x1f%ad%x1f%B"
    out = _git(root, "log", "--no-merges", f"-n{_MOST_READ}", "--date=short", form, "HEAD")
    found = []
    for each in out.split("\0")[1:]:
        identity, author, date, message = each.split("\x1f", 3)
        found.append(_Commit(identity, author, date, message.strip("\n")))
    return found


def _touched(root: Path, identities: list[str]) -> dict[str, list[str]]:
    """The files that commits change, of those that change few."""
    arguments = ("log", "--no-walk=unsorted", "--stdin", "--name-only", "--format=%x00%H")
    plain = ("--no-renames", "--no-ext-diff", "--no-textconv", "--relative")
    out = _git(root, *arguments, *plain, stdin="\n".join(identities) + "\n")
    found = {}
    for each in out.split("\0")[1:]:
        identity, *paths = (line for line in each.split("\n") if line)
        found[identity] = paths if len(paths) <= _MOST_PATHS else []
    return found


def _git(root: Path, *arguments: str, stdin: str = "") -> str:
    command = ["git", "--no-pager", "-C", str(root), *_SETTINGS, *arguments]
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    done = subprocess.run(  # noqa: S603 - git itself, and nothing of the project's
        command,
        input=stdin.encode(),
        capture_output=True,
        check=True,
        timeout=_SECONDS,
        env={**kept, **_ENVIRONMENT},
    )
    return done.stdout.decode(errors="replace")


def _shallow(root: Path) -> tuple[str, ...]:
    try:
        is_shallow = _git(root, "rev-parse", "--is-shallow-repository").strip() == "true"
    except (OSError, subprocess.SubprocessError):
        return ()
    said = ".git: the clone is shallow, older reasons are not there; `git fetch --unshallow`"
    return (said,) if is_shallow else ()


def _gives_reason(commit: _Commit) -> bool:
    if _BOT.search(commit.author):
        return False
    subject, _, body = commit.message.partition("\n")
    told = "\n".join(line for line in body.splitlines() if not _TRAILER.match(line.strip()))
    if not told.strip():
        return _PLAIN.search(subject) is not None
    return len(told.split()) >= _FEWEST_WORDS and _REASON.search(told) is not None


def _shown(commit: _Commit, paths: list[str]) -> str:
    message = commit.message[:_LONGEST].replace("\r", "").replace("\0", " ")
    lines = [f"    {line}".rstrip() for line in message.split("\n")]
    listed = sorted(path for path in paths if not path.startswith('"'))
    parts = [f"commit {commit.identity}", f"Date:   {commit.date}", "", *lines, ""]
    return "\n".join([*parts, *listed, ""] if listed else parts)
