"""One of each thing that a type checker sees called."""

from __future__ import annotations

import contextlib
import functools
import json
import os.path
from collections.abc import Callable, Iterator
from dataclasses import dataclass


class Thing:
    def __init__(self, size: int = 1) -> None:
        self._size = size

    @property
    def size(self) -> int:
        return self._size

    @size.setter
    def size(self, value: int) -> None:
        self._size = value

    def run(self) -> Thing:
        self.size
        return self

    def __enter__(self) -> Thing:
        return self

    def __exit__(self, *_: object) -> None: ...

    def __iter__(self) -> Iterator[int]:
        return iter([self._size])

    def __add__(self, other: Thing) -> Thing:
        return Thing(self._size + other._size)

    def __getitem__(self, key: str) -> str:
        return key

    def __call__(self) -> int:
        return self._size

    def __str__(self) -> str:
        return "é"

    def __contains__(self, item: str) -> bool:
        return False


class Special(Thing):
    def run(self) -> Thing:
        return super().run()

    @classmethod
    def make(cls) -> Special:
        return cls()


class Plain: ...


class Late:
    def __new__(cls) -> Late:
        return super().__new__(cls)


class Later(Late): ...


@dataclass
class Row:
    width: int

    def area(self) -> int:
        return self.width


class Refused(Exception):
    def __init__(self, why: str = "") -> None:
        super().__init__(why)


class Empty(Refused): ...


def traced(function: Callable[[], int]) -> Callable[[], int]:
    @functools.wraps(function)
    def inner() -> int:
        return function()

    return inner


def named(name: str) -> Callable[[Callable[[], int]], Callable[[], int]]:
    def decorate(function: Callable[[], int]) -> Callable[[], int]:
        return function

    return decorate


@traced
def made() -> int:
    return Thing().run().size


@named("second")
def second() -> int:
    return made()


def implied(thing: Thing) -> None:
    with thing as inside:
        inside.run()
    for number in thing:
        print(number)
    thing + thing
    thing["é"], thing.run()
    "a" in thing
    thing()
    thing.size = 3
    thing.size += 1
    f"{thing} {thing.run()}"
    str(thing)


def constructed(kind: type[Thing]) -> None:
    Thing(), Special(), Plain(), Late(), Later(), Row(1).area()
    kind()
    Special.make().run(
        
    ).run()
    dict()


def outside() -> None:
    json.dumps({})
    os.path.join("a", "b")
    sorted([Thing()], key=Thing.run)
    {}.get("a")
    "".join([])
    open("x")


def refused(number: int) -> None:
    if number == 1:
        raise Refused
    if number == 2:
        raise Empty("why")
    raise ValueError from Refused()


def either(thing: Special | Row, unknown, callback: Callable[[], int]) -> None:
    if isinstance(thing, Row):
        thing.area()
    thing.run() if isinstance(thing, Special) else thing.area()
    unknown.run()
    unknown()
    callback()
    [each.run() for each in (Thing(), Special())]
    (lambda: made())()
    local = made
    local()

    def nested() -> None:
        made()

    nested()


@contextlib.contextmanager
def opened() -> Iterator[Thing]:
    yield Thing()


async def waited() -> None:
    async with Waiting() as waiting:
        async for each in waiting.each():
            each.run()
    with opened() as thing:
        thing.run()
    await waited()


class Waiting:
    made = Thing().run()

    async def __aenter__(self) -> Waiting:
        return self

    async def __aexit__(self, *_: object) -> None: ...

    async def each(self):
        yield Thing()


implied(Thing())
