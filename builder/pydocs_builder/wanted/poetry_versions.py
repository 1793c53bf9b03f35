"""Poetry's version constraints, `^1.2`, `~1.2`, `1.2.*`, as specifiers and as markers."""

from __future__ import annotations

import re

from packaging.specifiers import InvalidSpecifier, Specifier, SpecifierSet
from packaging.version import InvalidVersion, Version

__all__ = ["as_marker", "as_specifier"]

_CLAUSE = re.compile(r"(?P<operator>\^|~=|~|===|==|!=|<=|>=|<|>|=)?\s*(?P<version>[^\s,|<>=!~^]+)")
_ANY = "*"
_MINOR = 2


def as_specifier(constraint: str) -> str:
    """The specifier that a constraint means, empty for any version.

    `ValueError` with a clause if it is none, or allows alternatives, which no specifier can.
    """
    alternatives = _alternatives(constraint)
    if len(alternatives) > 1:
        raise ValueError(f"{constraint!r} allows alternatives, which no requirement can state")
    return alternatives[0]


def as_marker(constraint: str) -> str:
    """The marker that a constraint on Python itself means, empty for any version."""
    parts = []
    for alternative in _alternatives(constraint):
        clauses = (_marker(one) for one in SpecifierSet(alternative))
        parts.append(" and ".join(sorted(clauses)))
    if not all(parts):
        return ""
    return parts[0] if len(parts) == 1 else " or ".join(f"({part})" for part in parts)


def _alternatives(constraint: str) -> list[str]:
    try:
        return [_specifier(one.strip()) for one in re.split(r"\|\|?", constraint)]
    except (InvalidSpecifier, InvalidVersion) as error:
        raise ValueError(f"{constraint!r} is no version constraint") from error


def _specifier(constraint: str) -> str:
    clauses: list[str] = []
    left = _CLAUSE.sub("", constraint).replace(",", "").strip()
    if left:
        raise InvalidSpecifier(left)
    for clause in _CLAUSE.finditer(constraint):
        clauses += _clauses(clause["operator"] or "", clause["version"])
    return str(SpecifierSet(",".join(clauses)))


def _clauses(operator: str, version: str) -> list[str]:
    if version == _ANY:
        return []
    if operator in {"^", "~"}:
        lowest = Version(version.removesuffix(".*"))
        return [f">={lowest}", f"<{_bound(operator, lowest)}"]
    if operator in {"", "="}:
        return [f"=={version}"]
    if operator not in {"==", "!="}:
        version = version.removesuffix(".*")
    return [f"{operator}{version}"]


def _bound(operator: str, lowest: Version) -> str:
    """The first version that a caret or a tilde no longer allows."""
    release = list(lowest.release)
    if operator == "^":
        # The leftmost part that is not zero stays; of zeros only, the last one.
        kept = next((i for i, part in enumerate(release) if part), len(release) - 1)
    else:
        kept = min(len(release), _MINOR) - 1
    return ".".join(map(str, [*release[:kept], release[kept] + 1]))


def _marker(specifier: Specifier) -> str:
    version = specifier.version.removesuffix(".*")
    variable = "python_full_version" if version.count(".") >= _MINOR else "python_version"
    if variable == "python_version" and specifier.operator in {"<=", ">"}:
        # `>3.8` begins after every 3.8.x; what only the whole version tells.
        variable = "python_full_version"
    return f'{variable} {specifier.operator} "{version}"'
