"""The ranking that a user chose: a preset by name, or a file that changes some of the numbers."""

from __future__ import annotations

from pathlib import Path

from pydocs_bundle.errors import UsageError
from pydocs_server.ranked.numbers import PRESETS, RANKING, Ranking

__all__ = ["ranking_of"]

_MOST = 10_000


def ranking_of(chosen: str) -> Ranking:
    """The numbers of a preset, or those in use with the changes that a TOML file lists.

    A file may name the `preset` that it changes.

    Raises:
        UsageError: there is no such preset or file, or the file holds what is no number.
    """
    if not chosen:
        return RANKING
    if chosen in PRESETS:
        return PRESETS[chosen]
    if "." not in chosen and "/" not in chosen:
        raise UsageError(f"There is no preset {chosen!r}; use {_known()}, or a TOML file.")
    import tomllib  # noqa: PLC0415 - only who brings a file pays for it

    try:
        written = tomllib.loads(Path(chosen).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise UsageError(f"{chosen} cannot be read as TOML ({error}).") from error
    preset = written.pop("preset", "hybrid")
    if preset not in PRESETS:
        raise UsageError(f"{chosen} names the preset {preset!r}; use {_known()}.")
    numbers = PRESETS[preset]
    unknown = sorted(written.keys() - set(Ranking._fields))
    if unknown:
        raise UsageError(
            f"{chosen}: {unknown[0]} is no number of the ranking; they are "
            f"{', '.join(Ranking._fields)}."
        )
    return Ranking._make(
        _like(chosen, key, written[key], now) if key in written else now
        for key, now in zip(Ranking._fields, numbers, strict=True)
    )


def _like(file: str, key: str, value: object, now: object) -> object:
    """The value, if it is of the type that the number has."""
    if isinstance(now, tuple):
        if (
            isinstance(value, list)
            and len(value) == len(now)
            and all(_is_number(each) for each in value)
        ):
            return tuple(float(each) for each in value)
    elif isinstance(now, int):
        if isinstance(value, int) and not isinstance(value, bool) and 0 < value <= _MOST:
            return value
    elif _is_number(value):
        return float(str(value))
    raise UsageError(f"{file}: {key} is {value!r}; it has to be something like {now!r}.")


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= _MOST


def _known() -> str:
    return ", ".join(PRESETS)
