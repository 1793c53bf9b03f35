"""What the pip part of a conda `environment.yml` declares."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

from pydocs_builder.wanted.declared import Declared

__all__ = ["is_conda_environment", "read_conda"]

_NAME = re.compile(r"^(?:.*[-_.])?(?:environment|conda[-_]?env)(?:[-_.].*)?\.ya?ml$", re.IGNORECASE)
_SHOWN = 5


def is_conda_environment(path: str) -> bool:
    """Whether a path reads like conda's description of an environment."""
    return _NAME.match(PurePosixPath(path).name) is not None


def read_conda(path: str, raw: bytes) -> tuple[str, Declared]:
    """The lines that the pip part would have as a requirements file, and what else there is.

    conda's own packages are not distributions of an index; they are noted. `ValueError` with a
    clause if the file is no YAML. A file of this name without `dependencies` is no manifest.
    """
    listed = _dependencies(raw)
    pip = [one for part in listed if isinstance(part, dict) for one in _strings(part.get("pip"))]
    others = sorted(
        re.split(r"[\s=<>!~\[]", one.rpartition("::")[2].strip())[0]
        for one in listed
        if isinstance(one, str)
    )
    others = [name for name in others if name not in {"python", "pip", ""}]
    if not others:
        return "\n".join(pip), Declared()
    more = f" and {len(others) - _SHOWN} more" if len(others) > _SHOWN else ""
    note = (
        f"{path}: {', '.join(others[:_SHOWN])}{more} are conda packages; "
        "only what its pip part lists counts"
    )
    return "\n".join(pip), Declared(notes=(note,))


def _dependencies(raw: bytes) -> list[object]:
    from ruamel.yaml import YAML  # noqa: PLC0415 - slow, and rarely needed
    from ruamel.yaml.error import YAMLError  # noqa: PLC0415

    try:
        found = YAML(typ="safe", pure=True).load(raw.decode("utf-8-sig"))
    except (YAMLError, ValueError, TypeError, RecursionError) as error:
        # Its first line names the problem; the others draw a picture.
        raise ValueError(str(error).strip().partition("\n")[0] or "no YAML") from error
    listed = found.get("dependencies") if isinstance(found, dict) else None
    return listed if isinstance(listed, list) else []


def _strings(value: object) -> list[str]:
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []
