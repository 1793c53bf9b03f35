"""What stubs define, by its name at run time."""

from __future__ import annotations

import pytest

from pydocs_builder.checked.standard_names import calls_argument, standard_name


@pytest.mark.parametrize(
    ("module", "qualname", "name"),
    [
        ("json", "dumps", "json.dumps"),
        ("builtins", "dict.get", "builtins.dict.get"),
        ("contextlib", "ExitStack.close", "contextlib.ExitStack.close"),
        ("typing", "Mapping.get", "_collections_abc.Mapping.get"),
        ("typing", "AbstractSet", "_collections_abc.Set"),
        ("typing", "NamedTuple", "typing.NamedTuple"),
        ("collections", "deque.append", "_collections.deque.append"),
        ("collections", "Counter.update", "collections.Counter.update"),
        ("_typeshed", "SupportsRead.read", ""),
    ],
)
def test_names_are_those_at_run_time(module: str, qualname: str, name: str) -> None:
    assert standard_name(module, qualname) == name


def test_some_functions_call_what_they_are_given() -> None:
    assert calls_argument("builtins.map")
    assert not calls_argument("threading.Thread")
