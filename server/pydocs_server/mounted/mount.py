"""From what the user names (files, folders, globs) to a catalog of verified bundles."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from pydocs_bundle import Bundle
from pydocs_bundle.errors import BundleError, PydocsError, UsageError
from pydocs_native import Postings
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.spelling import normalised
from pydocs_server.ranked.presets import ranking_of

__all__ = ["mount"]

_VARIABLE: Final = "PYDOCS_BUNDLES"
_RANKING: Final = "PYDOCS_RANKING"
_DEFAULT: Final = "artifacts"
_SUFFIX: Final = ".pdx"
_ADVICE: Final = (
    "build bundles with `pydocs-build PROJECT --out artifacts/`, or name some with --bundle"
)
_ENCODER: Final = "encoder"


class NothingMountedError(UsageError):
    """There is no bundle to answer from; the sentence says where was looked and what to do."""

    def __init__(self, looked: str) -> None:
        super().__init__(f"No bundle is mounted: {looked}; {_ADVICE}.")


class ClashError(BundleError):
    """Two bundles claim one `name==version` and differ, so that neither can be believed."""

    def __init__(self, one: Bundle, other: Bundle) -> None:
        manifest = one.manifest
        super().__init__(
            str(one.path),
            f"it and {other.path} both are {manifest.name}=={manifest.version} with different "
            f"content ({one.content_id[:12]}, {other.content_id[:12]}), so neither is mounted",
            "remove the one that should not be there",
        )


def mount(patterns: Sequence[str] | None = None, *, strict: bool = False) -> Catalog:
    """The catalog of all that the patterns name; without any, `$PYDOCS_BUNDLES`, `./artifacts`.

    It ranks by the preset or the file that `$PYDOCS_RANKING` names.

    Args:
        patterns: files, folders and globs.
        strict: a bundle that is refused is an error; otherwise it is skipped and the catalog's
            `warnings` say why.

    Raises:
        NothingMountedError: no bundle is left to answer from.
        BundleError: with `strict`, the first bundle that was refused.
        UsageError: there is no such ranking.
    """
    ranking = ranking_of(os.environ.get(_RANKING, ""))
    wanted, origin = _wanted(patterns)
    problems: list[PydocsError] = []
    paths = _paths(wanted, problems)
    opened = _distinct(_open(paths, problems), problems)
    encoders = [one for one in opened if one.manifest.kind == _ENCODER]
    bundles = _whole([one for one in opened if one.manifest.kind != _ENCODER], problems)
    encoder = _fitting(encoders, bundles)
    for other in encoders:
        if encoder is not None and other is not encoder:
            problem = f"it is an encoder, and {encoder.path} is mounted already"
            problems.append(BundleError(str(other.path), problem, "mount one encoder"))
            other.close()
    if (strict and problems) or not bundles:
        _close([*bundles, *([encoder] if encoder else [])])
    if strict and problems:
        raise problems[0]
    if not bundles:
        refused = "; ".join(str(problem).rstrip(".") for problem in problems)
        raise NothingMountedError(refused or f"{origin} holds no {_SUFFIX} file")
    warnings = [f"{str(problem).rstrip('.')} (skipped)." for problem in problems]
    return Catalog(bundles, warnings, encoder, ranking)


def _fitting(encoders: Sequence[Bundle], bundles: Sequence[Bundle]) -> Bundle | None:
    """The encoder that made the vectors of the most bundles, the first of those that did."""
    made = [bundle.manifest.encoder.get("identity") for bundle in bundles]
    counts = [made.count(one.manifest.encoder.get("identity")) for one in encoders]
    return encoders[counts.index(max(counts))] if encoders else None


def _wanted(patterns: Sequence[str] | None) -> tuple[list[str], str]:
    """The patterns to use, and how to call where they come from."""
    given = [pattern for pattern in patterns or () if pattern]
    if given:
        return given, ", ".join(given)
    listed = [part for part in os.environ.get(_VARIABLE, "").split(os.pathsep) if part]
    if listed:
        return listed, f"${_VARIABLE} ({os.pathsep.join(listed)})"
    return [_DEFAULT], f"neither --bundle nor ${_VARIABLE} is given, and ./{_DEFAULT}"


def _paths(patterns: Iterable[str], problems: list[PydocsError]) -> list[str]:
    """The files that the patterns name, in an order of their own; content tells copies apart."""
    found: set[str] = set()
    for pattern in patterns:
        named = _named(os.path.expanduser(pattern))  # noqa: PTH111 - a pattern is no path yet
        if not named and pattern != _DEFAULT:
            problems.append(UsageError(f"{pattern} names no {_SUFFIX} file."))
        found.update(named)
    return sorted(found)


def _named(pattern: str) -> list[str]:
    if os.path.isdir(pattern):  # noqa: PTH112 - odd bytes and NUL must not raise
        return glob.glob(f"{glob.escape(pattern)}/*{_SUFFIX}")  # noqa: PTH207 - the same
    if os.path.lexists(pattern):
        return [pattern]
    matches = [
        path
        for path in glob.glob(pattern, recursive=True)  # noqa: PTH207 - the same
        if os.path.isfile(path)  # noqa: PTH113 - the same
    ]
    # `artifacts/*` also names the folder's README; whoever means another suffix writes it out.
    return [path for path in matches if path.endswith(_SUFFIX)] or matches


def _open(paths: Iterable[str], problems: list[PydocsError]) -> list[Bundle]:
    bundles: list[Bundle] = []
    for path in paths:
        try:
            bundle = Bundle.open(Path(path))
        except BundleError as error:
            problems.append(error)
        except (OSError, ValueError) as error:
            problem = error.strerror if isinstance(error, OSError) else str(error)
            problems.append(BundleError(path, f"it cannot be read ({problem})", "check the file"))
        else:
            bundles.append(bundle)
    return bundles


def _distinct(bundles: Iterable[Bundle], problems: list[PydocsError]) -> list[Bundle]:
    """One bundle for each name and version: equal content once, different content not at all."""
    by_pin: dict[tuple[str, str], list[Bundle]] = {}
    for bundle in bundles:
        manifest = bundle.manifest
        by_pin.setdefault((normalised(manifest.name), manifest.version), []).append(bundle)
    kept: list[Bundle] = []
    for _, same in sorted(by_pin.items()):
        # Vectors are no part of the content: of two copies the one that has them says more.
        first, *others = sorted(same, key=lambda bundle: not bundle.manifest.encoder)
        other = next((b for b in others if b.content_id != first.content_id), None)
        if other is None:
            kept.append(first)
            _close(others)
        else:
            problems.append(ClashError(first, other))
            _close(same)
    return kept


def _whole(bundles: list[Bundle], problems: list[PydocsError]) -> list[Bundle]:
    """The bundles whose postings hold together; the hash alone does not tell."""
    kept: list[Bundle] = []
    for bundle in bundles:
        try:
            Postings([bundle.postings])
        except ValueError as error:
            problems.append(BundleError(str(bundle.path), f"its postings are damaged: {error}"))
            bundle.close()
        else:
            kept.append(bundle)
    return kept


def _close(bundles: Iterable[Bundle]) -> None:
    for bundle in bundles:
        bundle.close()
