"""From parsed modules to the symbols of a target: one entry for each, stubs merged with sources.

An entry made here is a draft: its parent is an index into the drafts, its bases are as written,
and public names are not known yet.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from itertools import accumulate
from typing import Final, NamedTuple

from pydocs_builder.extracted.docstrings import clean, is_deprecated, summary_of
from pydocs_builder.extracted.modules import is_package, is_stub
from pydocs_bundle.records import Entry, Flag, Kind, SourceFile
from pydocs_native.records import ParsedModule, ParsedSymbol

__all__ = [
    "Definitions",
    "Module",
    "add_stubs",
    "define",
    "flags_of_path",
    "line_starts",
    "modules_of",
    "without",
]

_PROPERTIES: Final = frozenset(
    {"abstractproperty", "cached_property", "deleter", "getter", "hybrid_property", "property"}
    | {"setter"}
)
_ACCESSORS: Final = frozenset({"deleter", "getter", "setter"})
# Plain numbers: an enumeration's own arithmetic costs more than all the rest of an entry.
_TEST: Final = Flag.TEST.value
_DEPRECATED: Final = Flag.DEPRECATED.value
_OVERLOAD: Final = Flag.OVERLOAD.value
_ASYNC: Final = Flag.ASYNC.value
_STUB: Final = Flag.STUB.value
_PARENT: Final = Entry._fields.index("parent")

_TEST_FOLDERS: Final = frozenset({"test", "tests"})


class Module(NamedTuple):
    """One source file and what the parser found in it."""

    name: str
    file: int
    path: str
    text: bytes
    starts: list[int]
    parsed: ParsedModule
    is_package: bool
    is_stub: bool


class Definitions(NamedTuple):
    """The drafts, where each name is defined, and to which draft each parsed symbol belongs.

    `owners` has one list for each module: the draft of its n-th parsed symbol, the outer
    function's for what is nested in a function, and last the module's own, so that -1 finds it.
    """

    drafts: list[Entry]
    by_name: dict[str, int]
    owners: list[list[int]]


def line_starts(text: bytes) -> list[int]:
    """The offset of each line, and that of the end; CR, LF and CRLF end a line."""
    return list(accumulate(map(len, text.splitlines(keepends=True)), initial=0))


def modules_of(files: Sequence[SourceFile], parsed: dict[int, ParsedModule]) -> list[Module]:
    """The modules among the files: packages, other sources, stubs, each in the files' order."""
    found = [
        Module(
            file.module,
            number,
            file.path,
            file.text,
            line_starts(file.text),
            parsed[number],
            is_package(file.path),
            is_stub(file.path),
        )
        for number, file in enumerate(files)
        if number in parsed
    ]
    return sorted(found, key=lambda module: (module.is_stub, not module.is_package, module.file))


def define(modules: Sequence[Module]) -> Definitions:
    """The drafts of modules that stand for themselves."""
    definitions = Definitions([], {}, [])
    for module in modules:
        _add_module(module, definitions)
    return definitions


def add_stubs(
    stubs: Sequence[Module], definitions: Definitions, follow: Callable[[str, str], str]
) -> None:
    """Adds what stubs say: to the symbols of their sources, or as symbols of their own.

    Args:
        stubs: the stubs of a target.
        definitions: the drafts of its sources, which grow and change.
        follow: gives the definition-site name of a name in a module of the sources.
    """
    for stub in stubs:
        if stub.name in definitions.by_name:
            _merge_module(stub, definitions, follow)
        else:
            _add_module(stub, definitions)


def without(definitions: Definitions, dropped: AbstractSet[int]) -> Definitions:
    """The definitions without some drafts, whose parsed symbols then belong to their parents."""
    places: list[int] = []
    drafts: list[Entry] = []
    new: Callable[..., Entry] = tuple.__new__
    for number, draft in enumerate(definitions.drafts):
        places.append(len(drafts))
        if number in dropped:
            places[number] = places[draft.parent]
        elif draft.parent >= 0 and places[draft.parent] != draft.parent:
            moved = (*draft[:_PARENT], places[draft.parent], *draft[_PARENT + 1 :])
            drafts.append(new(Entry, moved))
        else:
            drafts.append(draft)
    last = len(drafts) - 1
    # The first of several drafts with one name stands for it.
    by_name = {draft[0]: last - number for number, draft in enumerate(reversed(drafts))}
    owners = [[places[number] for number in owned] for owned in definitions.owners]
    return Definitions(drafts, by_name, owners)


def _add_module(module: Module, definitions: Definitions) -> None:
    drafts, by_name, owners = definitions
    flags = flags_of_path(module.path)
    own = len(drafts)
    by_name.setdefault(module.name, own)
    drafts.append(_module_entry(module, flags))
    entries, owned = _module_symbols(module, flags, own + 1)
    for number, entry in enumerate(entries, start=own + 1):
        by_name.setdefault(entry.qualified_name, number)
    drafts += entries
    owners.append(owned)


def _merge_module(
    stub: Module, definitions: Definitions, follow: Callable[[str, str], str]
) -> None:
    drafts, by_name, owners = definitions
    own = by_name[stub.name]
    drafts[own] = _documented(drafts[own], stub.parsed.docstring)
    entries, owned = _module_symbols(stub, flags_of_path(stub.path), 0)
    # The place of each entry among the drafts; -1, the module, is found at the end.
    places = [own] * (len(entries) + 1)
    for number, entry in enumerate(entries):
        owner = drafts[places[entry.parent]]
        last = entry.qualified_name.rpartition(".")[2]
        name = f"{owner.qualified_name}.{last}"
        twin = by_name.get(name, -1)
        if twin < 0 and owner.kind is Kind.MODULE:
            twin = by_name.get(follow(stub.name, last), -1)
        if twin >= 0 and drafts[twin].kind is not Kind.MODULE:
            if not drafts[twin].flags & _STUB:
                drafts[twin] = _merged(drafts[twin], entry)
            places[number] = twin
            continue
        places[number] = len(drafts)
        by_name[name] = len(drafts)
        drafts.append(entry._replace(qualified_name=name, parent=places[entry.parent]))
    owners.append([places[number] for number in owned])


def _module_symbols(module: Module, flags: int, first: int) -> tuple[list[Entry], list[int]]:
    """The symbols of one module, and to which of them each parsed symbol belongs.

    They are counted from `first`; the number before is that of the module itself.
    """
    if module.is_stub:
        flags |= _STUB
    prefix = module.name + "."
    symbols = module.parsed.symbols
    entries: list[Entry] = []
    owners = [first - 1] * (len(symbols) + 1)
    is_nested = [False] * (len(symbols) + 1)
    taken = {(symbol.parent, symbol.name) for symbol in symbols if symbol.kind != "attribute"}
    latest: dict[int, tuple[ParsedSymbol, int]] = {}
    for number, symbol in enumerate(symbols):
        parent = symbol.parent
        owners[number] = owners[parent]
        if is_nested[parent]:
            is_nested[number] = True
            continue
        if symbol.kind == "attribute":
            if (parent, symbol.name) in taken:
                continue
            taken.add((parent, symbol.name))
            entry = _attribute_entry(symbol, prefix, module.file, owners[parent], flags)
        else:
            is_nested[number] = symbol.kind == "function"
            entry = _entry(symbol, prefix, module.file, owners[parent], flags)
            before = latest.get(parent)
            if before is not None and _continues(before[0], symbol):
                owners[number] = place = before[1]
                entries[place - first] = _grouped(entries[place - first], entry)
                latest[parent] = symbol, place
                continue
            latest[parent] = symbol, first + len(entries)
        owners[number] = first + len(entries)
        entries.append(entry)
    return entries, owners


def _module_entry(module: Module, flags: int) -> Entry:
    docstring = clean(module.parsed.docstring) if module.parsed.docstring else ""
    if is_deprecated(docstring):
        flags |= _DEPRECATED
    return Entry(
        module.name,
        Kind.MODULE,
        module.file,
        0,
        len(module.text),
        1,
        max(1, len(module.starts) - 1),
        "",
        summary_of(docstring),
        docstring,
        "",
        -1,
        flags | (_STUB if module.is_stub else 0),
    )


def _attribute_entry(
    symbol: ParsedSymbol, prefix: str, file: int, parent: int, flags: int
) -> Entry:
    docstring = clean(symbol.docstring) if symbol.docstring else ""
    return Entry(
        prefix + symbol.qualname,
        Kind.ATTRIBUTE,
        file,
        symbol.start,
        symbol.end,
        symbol.start_line,
        symbol.end_line,
        symbol.signature,
        summary_of(docstring),
        docstring,
        "",
        parent,
        flags,
    )


def _entry(symbol: ParsedSymbol, prefix: str, file: int, parent: int, flags: int) -> Entry:
    docstring = clean(symbol.docstring) if symbol.docstring else ""
    kind = Kind.CLASS
    if symbol.kind == "function":
        kind = Kind.METHOD if symbol.parent >= 0 else Kind.FUNCTION
        if symbol.is_async:
            flags |= _ASYNC
    for decorator in symbol.decorators:
        last = _last_name(decorator)
        if last in _PROPERTIES and kind is Kind.METHOD:
            kind = Kind.PROPERTY
        elif last == "overload":
            flags |= _OVERLOAD
        elif last.startswith("deprecated"):
            flags |= _DEPRECATED
    if docstring and is_deprecated(docstring):
        flags |= _DEPRECATED
    return Entry(
        prefix + symbol.qualname,
        kind,
        file,
        symbol.start,
        symbol.end,
        symbol.start_line,
        symbol.end_line,
        symbol.signature,
        summary_of(docstring),
        docstring,
        "",
        parent,
        flags,
        symbol.bases,
        (),
        symbol.decorators,
    )


def flags_of_path(path: str) -> int:
    """The flags that a file's path gives to all that it holds."""
    *folders, name = path.split("/")
    stem = name.partition(".")[0]
    if stem.startswith("test_") or stem.endswith("_test") or stem == "conftest":
        return _TEST
    return 0 if _TEST_FOLDERS.isdisjoint(folders) else _TEST


def _last_name(decorator: str) -> str:
    return decorator.partition("(")[0].rpartition(".")[2]


def _continues(before: ParsedSymbol, symbol: ParsedSymbol) -> bool:
    """Whether a function goes on with the one before it: an overload, or a property's setter."""
    if before.name != symbol.name or symbol.kind != "function" or before.kind != "function":
        return False
    if any(_last_name(decorator) == "overload" for decorator in before.decorators):
        return True
    accessors = [decorator.rpartition(".") for decorator in symbol.decorators]
    return any(name == symbol.name and last in _ACCESSORS for name, _, last in accessors)


def _grouped(group: Entry, entry: Entry) -> Entry:
    """One entry for a name that is defined in several statements, one after the other.

    Callers see the overloads and never the implementation; a property is seen as its getter.
    """
    signature = group.signature
    if entry.flags & _OVERLOAD:
        signature = f"{signature}\n{entry.signature}"
    documented = group if group.docstring else entry
    return group._replace(
        end=entry.end,
        end_line=entry.end_line,
        signature=signature,
        summary=documented.summary,
        docstring=documented.docstring,
        flags=group.flags | entry.flags,
    )


def _merged(source: Entry, stub: Entry) -> Entry:
    """The source's entry, with what only its stub knows."""
    signature = source.signature
    is_typed = ":" in signature or "->" in signature
    if stub.signature and not is_typed and source.kind is not Kind.CLASS:
        signature = stub.signature
    documented = source if source.docstring else stub
    if stub.kind is Kind.ATTRIBUTE and source.kind is not Kind.ATTRIBUTE:
        # The stub says which type of callable it is, the source how it is called.
        signature = source.signature
    return source._replace(
        signature=signature,
        summary=documented.summary,
        docstring=documented.docstring,
        flags=source.flags | (stub.flags & (_OVERLOAD | _DEPRECATED)),
        bases=source.bases or stub.bases,
    )


def _documented(module: Entry, docstring: str | None) -> Entry:
    if module.docstring or not docstring:
        return module
    cleaned = clean(docstring)
    return module._replace(docstring=cleaned, summary=summary_of(cleaned))
