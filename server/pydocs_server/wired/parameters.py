"""What a tool takes: the JSON schema that clients see, and the check that arguments pass."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, NamedTuple

from pydocs_bundle.errors import UsageError
from pydocs_server.rendered.render import one_line

__all__ = ["ArgumentError", "Parameter", "checked"]

LONGEST_TEXT: Final = 10_000
"""Characters that any one string may have."""

Default = str | int | bool | tuple[str, ...] | None


class ArgumentError(UsageError):
    """An argument that a tool does not take; the sentence says what it takes instead."""

    def __init__(self, tool: str, problem: str, remedy: str) -> None:
        super().__init__(f"{tool}: {problem}; {remedy}.")


class Parameter(NamedTuple):
    """One parameter; without a default it is required.

    An `array` holds strings. `minimum` and `maximum` bound integers, `min_length` and `max_length`
    strings and arrays.
    """

    name: str
    type: Literal["string", "integer", "boolean", "array"]
    description: str = ""
    default: Default = None
    choices: tuple[str, ...] = ()
    minimum: int | None = None
    maximum: int | None = None
    min_length: int = 0
    max_length: int | None = None

    @property
    def is_required(self) -> bool:
        """Whether a call must give it."""
        return self.default is None

    def schema(self) -> dict[str, object]:
        """The JSON schema of its values."""
        schema: dict[str, object] = {"type": self.type}
        if self.type == "array":
            schema["items"] = {"type": "string"}
            schema |= _given(minItems=self.min_length or None, maxItems=self.max_length)
        elif self.type == "string":
            schema |= _given(minLength=self.min_length or None, maxLength=self.max_length)
        schema |= _given(
            enum=list(self.choices) or None,
            minimum=self.minimum,
            maximum=self.maximum,
            default=list(self.default) if isinstance(self.default, tuple) else self.default,
            description=self.description or None,
        )
        return schema

    def taken(self, tool: str, value: object) -> object:
        """The value as the function takes it.

        Raises:
            ArgumentError: the parameter does not take it.
        """
        return _TAKEN[self.type](self, tool, value)


def checked(
    tool: str,
    parameters: Sequence[Parameter],
    arguments: Mapping[str, object],
    spellings: Mapping[str, str],
) -> dict[str, object]:
    """The arguments by our names, all of them known and of their kinds; defaults are left out.

    `null` counts as not given: clients send it for what their users left empty.

    Raises:
        ArgumentError: the first thing that is wrong with them.
    """
    known = {each.name: each for each in parameters}
    taken: dict[str, object] = {}
    for written, value in arguments.items():
        parameter = known.get(spellings.get(written, written))
        if parameter is None:
            raise ArgumentError(
                tool,
                f"there is no parameter {_shown(written)}",
                f"it takes {', '.join(known)}",
            )
        if value is not None:
            taken[parameter.name] = parameter.taken(tool, value)
    for each in parameters:
        if each.is_required and each.name not in taken:
            raise ArgumentError(
                tool, f"{each.name} is missing", f"call {tool}({each.name}=…): {each.description}"
            )
    return taken


def _given(**fields: object) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None}


def _shown(value: object) -> str:
    """A value in an error's sentence, short and with nothing hidden."""
    try:
        text = repr(value[:200] if isinstance(value, str | list) else value)
    except ValueError:  # Python writes no integers of thousands of digits
        text = "a number too long to show"
    return one_line(text, 80)


def _text(parameter: Parameter, tool: str, value: object) -> str:
    name = parameter.name
    if not isinstance(value, str):
        raise ArgumentError(tool, f"{name} is {_shown(value)}", f"{name} is a string")
    if parameter.choices and value not in parameter.choices:
        raise ArgumentError(
            tool, f"{name} is {_shown(value)}", f"use one of {', '.join(parameter.choices)}"
        )
    if len(value) > LONGEST_TEXT:
        raise ArgumentError(
            tool, f"{name} has {len(value):,} characters", f"at most {LONGEST_TEXT:,} are taken"
        )
    if parameter.min_length and not value.strip("\0"):
        wanted = parameter.description.rstrip(".") or "some text"
        raise ArgumentError(tool, f"{name} is empty", f"give {wanted[:1].lower()}{wanted[1:]}")
    return value


def _integer(parameter: Parameter, tool: str, value: object) -> int:
    name = parameter.name
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    bounds = f"{name} is a whole number from {parameter.minimum:,} to {parameter.maximum:,}"
    if isinstance(value, bool) or not isinstance(value, int):
        raise ArgumentError(tool, f"{name} is {_shown(value)}", bounds)
    low, high = parameter.minimum, parameter.maximum
    if (low is not None and value < low) or (high is not None and value > high):
        raise ArgumentError(tool, f"{name} is {_shown(value)}", bounds)
    return value


def _boolean(parameter: Parameter, tool: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ArgumentError(
            tool, f"{parameter.name} is {_shown(value)}", f"{parameter.name} is true or false"
        )
    return value


def _array(parameter: Parameter, tool: str, value: object) -> list[str]:
    name = parameter.name
    form = f'{name} is a list of strings such as ["package.name"]'
    if not isinstance(value, list):
        raise ArgumentError(tool, f"{name} is {_shown(value)}", form)
    most = parameter.max_length
    if len(value) < parameter.min_length or (most is not None and len(value) > most):
        raise ArgumentError(
            tool, f"{name} has {len(value):,} items", f"give {parameter.min_length} to {most}"
        )
    element = Parameter(f"each of {name}", "string", min_length=1)
    return [_text(element, tool, item) for item in value]


_TAKEN: Final[dict[str, Callable[[Parameter, str, object], object]]] = {
    "string": _text,
    "integer": _integer,
    "boolean": _boolean,
    "array": _array,
}
