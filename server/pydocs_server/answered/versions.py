"""`compare_versions`: what an upgrade changes in the public API of a package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from pydocs_bundle import Record
from pydocs_bundle.errors import UsageError
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.names import Walk
from pydocs_server.mounted.nearest import shown_name
from pydocs_server.ranked.rank import is_private
from pydocs_server.rendered.answer import DEFAULT_TOKENS, MOST_TOKENS, Answer, assemble
from pydocs_server.rendered.api import declaration
from pydocs_server.rendered.parameters import Broken, broken, is_same_call
from pydocs_server.rendered.render import one_line, sealed, visible
from pydocs_server.rendered.rows import brief_row, kind_label
from pydocs_server.rendered.signatures import overloads

__all__ = ["DEFAULT_LIMIT", "compare_versions"]

DEFAULT_LIMIT = 100

_KINDS: Final = frozenset({Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.PROPERTY, Kind.ATTRIBUTE})
_OWNED: Final = frozenset({Kind.METHOD, Kind.PROPERTY, Kind.ATTRIBUTE})
_NOT_OFFERED: Final = int(Flag.TEST | Flag.STUB)
_WIDTH: Final = 200


class _Change(NamedTuple):
    """One name that both versions have and that is not the same in both."""

    name: str
    before: Record
    after: Record
    breaks: tuple[Broken, ...]
    is_retyped: bool


def compare_versions(
    catalog: Catalog, package: str, old: str = "", new: str = "", limit: int = DEFAULT_LIMIT
) -> Answer:
    """The public names that were removed, added, changed or deprecated between two versions.

    Args:
        catalog: what is mounted.
        package: in any spelling.
        old: the version to come from; empty for the older one of the two that are mounted.
        new: the version to go to; empty for the newest that is mounted.
        limit: how many names to list.

    Raises:
        NotFound: no such package or version is mounted.
        UsageError: only one version is.
    """
    before, after = _chosen(catalog, package, old, new)
    was, now = _offered(catalog, before), _offered(catalog, after)
    removed = _gone(catalog, was, now, after)
    added = _gone(catalog, now, was, before)
    changes = [
        _change(name, was[name], now[name])
        for name in sorted(was.keys() & now.keys())
        if _is_changed(was[name], now[name])
    ]
    retyped = [one.name for one in changes if one.is_retyped]
    deprecated = [
        now[name]
        for name in sorted(now)
        if now[name].flags & Flag.DEPRECATED
        and not (name in was and was[name].flags & Flag.DEPRECATED)
    ]
    changes.sort(key=lambda one: (not one.breaks, one.name))
    manifest = catalog.bundles[after].manifest
    versions = f"{catalog.bundles[before].manifest.version} → {manifest.version}"
    head = (
        f"{visible(manifest.name)} {visible(versions)}: {len(removed):,} removed,"
        f" {len(added):,} added, {len(changes):,} changed"
        f" ({sum(bool(one.breaks) for one in changes):,} of them may break callers),"
        f" {len(deprecated):,} newly deprecated."
    )
    lines = [
        *(f"- {_told(one)}" for one in removed),
        *("\n".join(_changed_lines(one)) for one in changes if not one.is_retyped),
        *(f"! {one_line(shown_name(one), _WIDTH)} is deprecated" for one in deprecated),
        *(f"+ {_told(one)}" for one in added),
        *(
            [f"~ only other annotations or values: {', '.join(map(visible, retyped))}"]
            if retyped
            else []
        ),
    ]
    structured: dict[str, object] = {
        "package": visible(manifest.name),
        "old": visible(catalog.bundles[before].manifest.version),
        "new": visible(manifest.version),
        "removed": [_row(one) for one in removed],
        "changed": [_changed_row(one) for one in changes],
        "deprecated": [_row(one) for one in deprecated],
        "added": [_row(one) for one in added],
    }
    return Answer(_text(head, lines, limit), structured)


def _text(head: str, lines: Sequence[str], limit: int) -> str:
    if not lines:
        return f"{head} The public API is the same."
    tokens = DEFAULT_TOKENS if limit <= DEFAULT_LIMIT else MOST_TOKENS
    shown = lines[:limit]
    beyond = len(lines) - len(shown)

    def left(count: int) -> str:
        return f"… {count + beyond} more: give a higher limit (they are sorted: removed first)"

    body = assemble("", shown, left, tokens - 120, separator="\n")
    if beyond and len(body.splitlines()) == len(shown):
        body += f"\n{left(0)}"
    return f"{head}\n- removed, ~ changed, ! deprecated, + added\n{sealed(body)}"


def _chosen(catalog: Catalog, package: str, old: str, new: str) -> tuple[int, int]:
    """The two bundles to compare, the older one first where no version is given."""
    mounted = catalog.package(package)
    if new.strip():
        after = catalog.package(f"{package}=={new.strip().lstrip('=@')}")[0]
    else:
        after = mounted[0]
    if old.strip():
        before = catalog.package(f"{package}=={old.strip().lstrip('=@')}")[0]
    else:
        others = [index for index in mounted if index != after]
        if not others:
            manifest = catalog.bundles[after].manifest
            raise UsageError(
                f"Only {manifest.name} {manifest.version} is mounted; build the version to compare"
                f" it with (pydocs-build {manifest.name}==VERSION) and mount both."
            )
        # What comes right before it in the order of versions, else whatever there is.
        later = mounted[mounted.index(after) + 1 :]
        before = (later or others)[0]
    return before, after


def _offered(catalog: Catalog, bundle: int) -> dict[str, Record]:
    """The public symbols of a bundle by the names that users know them by."""
    found: dict[str, Record] = {}
    for record in catalog.bundles[bundle].records:
        if record.kind not in _KINDS or record.flags & _NOT_OFFERED or is_private(record):
            continue
        name = shown_name(record)
        # A module's own helpers have no public name; its attributes are found by their own.
        last = name.rpartition(".")[2]
        if not last.startswith("_") or (last.startswith("__") and record.kind == Kind.METHOD):
            found.setdefault(name, record)
    return found


def _gone(
    catalog: Catalog, there: dict[str, Record], here: dict[str, Record], bundle: int
) -> list[Record]:
    """What only `there` has; of a class that is gone not each member, and nothing inherited."""
    gone: list[Record] = []
    walk = Walk(catalog)
    missing = there.keys() - here.keys()
    for name in sorted(missing):
        owner = name.rpartition(".")[0]
        if owner in missing and there[name].kind in _OWNED and there[owner].kind == Kind.CLASS:
            continue
        walk.begin()
        if not walk.lookup(name, [bundle]):
            gone.append(there[name])
    return sorted(gone, key=lambda one: (one.kind == Kind.ATTRIBUTE, one.kind in _OWNED))


def _change(name: str, before: Record, after: Record) -> _Change:
    was, now = before.signature, after.signature
    if before.kind != after.kind:
        return _Change(name, before, after, (), is_retyped=False)
    if after.kind in (Kind.ATTRIBUTE, Kind.PROPERTY):
        return _Change(name, before, after, (), is_retyped=True)
    if after.kind == Kind.CLASS:
        return _Change(name, before, after, (), is_retyped=False)
    same = is_same_call(was, now) and not (before.flags ^ after.flags) & Flag.ASYNC
    return _Change(name, before, after, broken(was, now), is_retyped=same)


def _is_changed(before: Record, after: Record) -> bool:
    return (
        before.kind != after.kind
        or _plain(before) != _plain(after)
        or (before.flags ^ after.flags) & int(Flag.ASYNC) != 0
    )


def _plain(record: Record) -> list[str]:
    """A signature without what only looks different: spaces and quotes around names of types."""
    return ["".join(one.split()).replace('"', "'") for one in overloads(record.signature)]


def _told(record: Record) -> str:
    return declaration(record, shown_name(record), _WIDTH)


def _changed_lines(change: _Change) -> list[str]:
    before, after = (declaration(each, "", _WIDTH) for each in (change.before, change.after))
    clauses = one_line("; ".join(each.clause for each in change.breaks))
    why = f"  ({clauses})" if clauses else ""
    return [f"~ {one_line(change.name, _WIDTH)}{why}", f"    {before}", f"  → {after}"]


def _row(record: Record) -> dict[str, object]:
    return brief_row(record)


def _changed_row(change: _Change) -> dict[str, object]:
    return {
        "public_name": visible(change.name),
        "kind": kind_label(change.after.kind),
        "before": one_line(change.before.signature),
        "after": one_line(change.after.signature),
        "breaks": [visible(each.clause) for each in change.breaks],
        "is_retyped": change.is_retyped,
    }
