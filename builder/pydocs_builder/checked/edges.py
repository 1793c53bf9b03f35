"""From a report of the type checker to exact edges, by the names that the bundle uses.

What a call calls is what runs: a function, the getter or setter of a property, the special method
behind `with`, `for`, an operator or a conversion. A call of a class leads to the class, which stands
for a constructor of its own; where a base defines the constructor that runs, to that one as well.
An overridden method is the one that the static type has; what else may run is known only
once all bundles are mounted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_builder.checked.checker import CheckError
from pydocs_builder.checked.report import Described, Origin, Report, Shape, open_report
from pydocs_builder.checked.reports import ReportPlace
from pydocs_builder.checked.sites import Sites, Span, match_calls, name_offset, read_span
from pydocs_builder.checked.standard_names import standard_name
from pydocs_builder.checked.view import view_path
from pydocs_builder.extracted.symbols import Definitions, Module
from pydocs_bundle.records import Reference, ReferenceKind

__all__ = ["Exact", "find_exact"]

_TIER: Final = "exact"
_CONSTRUCTORS: Final = ("init_targets", "new_targets")
_SPECIAL: Final = {"__enter__": "__exit__", "__aenter__": "__aexit__"}
_DECORATED: Final = "artificial-call|for-decorated-target"
_CONTAINS: Final = "__contains__"
_ACCESSES: Final = ("property_getters", "property_setters")
_OBJECT: Final = "builtins.object"
_RAISE: Final = b"raise"
_LONGEST_STEM: Final = 220


class Exact(NamedTuple):
    """The exact edges, sorted, and the places of calls for which no other edge is true.

    `notes` says why there are none.
    """

    edges: list[Reference]
    decided: frozenset[tuple[int, int, int]]
    notes: tuple[str, ...] = ()


class _Name(NamedTuple):
    """What a target is called; `is_standard` if the standard library defines it."""

    text: str
    is_standard: bool


class _Naming:
    """The names of what a report's numbers mean; it owns those found so far.

    Args:
        report: the report.
        modules: the modules of the target.
        numbers: the number of each path of theirs, as the checker was given it.
        definitions: what they define.
    """

    def __init__(
        self,
        report: Report,
        modules: Sequence[Module],
        numbers: Mapping[str, int],
        definitions: Definitions,
    ) -> None:
        self._report = report
        self._modules = modules
        self._numbers = numbers
        self._definitions = definitions
        self._known: dict[tuple[int, str | int], _Name] = {}
        self._lines: dict[int, dict[tuple[int, str], int]] = {}

    def function(self, ref: object) -> _Name:
        """What a report's reference to a function means; an empty name if nothing."""
        if isinstance(ref, dict):
            module, key = ref.get("module_id"), ref.get("function_id")
            if isinstance(module, int) and isinstance(key, str):
                return self._name(module, key)
        return _Name("", is_standard=False)

    def class_of(self, ref: object) -> _Name:
        """What a report's reference to a class means; an empty name if nothing."""
        if isinstance(ref, dict):
            module, key = ref.get("module_id"), ref.get("class_id")
            if isinstance(module, int) and isinstance(key, int):
                return self._name(module, key)
        return _Name("", is_standard=False)

    def member(self, ref: object, owner: object, name: str) -> _Name:
        """The method called `name` beside a function, or of a class or its bases."""
        orders: list[tuple[int, int]] = []
        if isinstance(ref, dict) and isinstance(module := ref.get("module_id"), int):
            described = self._report.describe(module)
            _, parent = (described.functions if described else {}).get(
                str(ref.get("function_id")), ("", None)
            )
            if isinstance(parent, int):
                orders.append((module, parent))
        if isinstance(owner, dict):
            module, number = owner.get("module_id"), owner.get("class_id")
            if isinstance(module, int) and isinstance(number, int):
                described = self._report.describe(module)
                above = described.orders.get(number, ()) if described else ()
                orders += [(module, number), *above]
        for module, number in orders:
            described = self._report.describe(module)
            key = described.members.get((number, name)) if described else None
            if key is not None:
                return self._name(module, key)
        return _Name("", is_standard=False)

    def module_number(self, described: Described) -> int:
        """The number of a module of the target, -1 if it is of another."""
        is_file = described.origin == Origin.FILE
        return self._numbers.get(described.path, -1) if is_file else -1

    def scope(self, number: int, described: Described, caller: str) -> int:
        """The parsed symbol that a report's caller is; -1 for the module."""
        kind, _, index = caller.partition(":")
        if kind in {"F", "FDT"}:
            name, line = (
                described.functions.get(f"F:{index}", ("", None))[0],
                described.function_lines.get(f"F:{index}", 0),
            )
        elif kind == "CTL" and index.isdecimal():
            name = described.classes.get(int(index), ("", None))[0]
            line = described.class_lines.get(int(index), 0)
        else:
            return -1
        return self._symbols(number).get((line, name), -1)

    def _name(self, module: int, key: str | int) -> _Name:
        found = self._known.get((module, key))
        if found is None:
            found = self._known[module, key] = self._find(module, key)
        return found

    def _find(self, module: int, key: str | int) -> _Name:
        described = self._report.describe(module)
        qualname = described.qualname(key) if described else ""
        if described is None or not qualname:
            return _Name("", is_standard=False)
        if described.origin == Origin.STANDARD:
            return _Name(standard_name(described.name, qualname), is_standard=True)
        if described.origin != Origin.FILE:
            # The checker carries stubs of other people's packages, whose names may be the stubs' alone.
            return _Name("", is_standard=False)
        number = self.module_number(described)
        if number < 0:
            return _Name(f"{described.name}.{qualname}", is_standard=False)
        return _Name(self._own(number, described, key, qualname), is_standard=False)

    def _own(self, number: int, described: Described, key: str | int, qualname: str) -> str:
        if isinstance(key, str):
            line, name = described.function_lines.get(key, 0), described.functions[key][0]
        else:
            line, name = described.class_lines.get(key, 0), described.classes[key][0]
        symbol = self._symbols(number).get((line, name), -1)
        if symbol >= 0:
            draft = self._definitions.owners[number][symbol]
            return self._definitions.drafts[draft].qualified_name
        known = f"{self._modules[number].name}.{qualname}"
        return known if known in self._definitions.by_name else known.rpartition(".")[0]

    def _symbols(self, number: int) -> dict[tuple[int, str], int]:
        found = self._lines.get(number)
        if found is None:
            symbols = self._modules[number].parsed.symbols
            found = self._lines[number] = {
                (symbol.line, symbol.name): index
                for index, symbol in enumerate(symbols)
                if symbol.kind != "attribute"
            }
        return found


def find_exact(
    place: ReportPlace,
    source_roots: Sequence[str],
    modules: Sequence[Module],
    definitions: Definitions,
    places: Sequence[int],
) -> Exact:
    """The exact edges of a target; none, and a clause, where there is no report on it.

    Args:
        place: where the report is.
        source_roots: the prefixes of the modules' paths from which their names count.
        modules: the modules of the target, in the order of `definitions.owners`.
        definitions: the drafts.
        places: for each draft the index of its entry.
    """
    if place.problem or not place.folder:
        return Exact([], frozenset(), (place.problem,) if place.problem else ())
    folder = Path(place.folder)
    numbers = {
        str(view_path(folder, place.view, source_roots, module.path)): number
        for number, module in enumerate(modules)
    }
    try:
        report = open_report(folder / "report")
        return _find(report, modules, numbers, definitions, places)
    except CheckError as error:
        return Exact([], frozenset(), (f"no exact edges ({error})",))


def _find(
    report: Report,
    modules: Sequence[Module],
    numbers: Mapping[str, int],
    definitions: Definitions,
    places: Sequence[int],
) -> Exact:
    naming = _Naming(report, modules, numbers, definitions)
    edges: set[Reference] = set()
    decided: set[tuple[int, int, int]] = set()
    for number, id_ in sorted(_own_modules(report, modules, numbers, naming).items()):
        owners = [places[draft] for draft in definitions.owners[number]]
        found = _Module(modules[number], naming, owners)
        described = report.describe(id_)
        if described is not None:
            found.read(number, described, list(report.calls(id_)))
            edges |= found.edges
            decided |= found.decided
    return Exact(sorted(edges), frozenset(decided), ())


def _own_modules(
    report: Report, modules: Sequence[Module], numbers: Mapping[str, int], naming: _Naming
) -> dict[int, int]:
    """The report's number of each module of the target, stubs aside."""
    stems = {_stem(modules[number]) for number in numbers.values()}
    found: dict[int, int] = {}
    for id_, name in report.names.items():
        if name.rpartition(":")[0] in stems:
            described = report.describe(id_)
            number = naming.module_number(described) if described else -1
            if number >= 0 and not modules[number].is_stub:
                found[number] = id_
    return found


def _stem(module: Module) -> str:
    """What a report calls the file of a module: its name as far as it is ASCII, not too long."""
    name = module.name.removesuffix(".__init__") or module.name
    return "".join(filter(str.isascii, name))[:_LONGEST_STEM]


class _Module:
    """The edges of one module; it owns those found so far.

    Args:
        module: the module.
        naming: what numbers mean.
        owners: for each parsed symbol the index of its entry, the module's last.
    """

    def __init__(self, module: Module, naming: _Naming, owners: Sequence[int]) -> None:
        self._module = module
        self._naming = naming
        self._owners = owners
        self.edges: set[Reference] = set()
        self.decided: set[tuple[int, int, int]] = set()

    def read(
        self, number: int, described: Described, said: Sequence[tuple[str, str, Shape]]
    ) -> None:
        """Take the edges of all expressions of the module."""
        starts = self._module.starts
        calls: dict[Span, tuple[str, Shape]] = {}
        decorators: dict[Span, tuple[str, Shape]] = {}
        others: list[tuple[str, Span, str, str, Shape]] = []
        for caller, place, expression in said:
            head, _, tag = place.partition("|")
            if (
                len(expression) != 1
                or tag.startswith("identifier|")
                and "Identifier" not in expression
            ):
                continue
            ((sort, body),) = expression.items()
            span = read_span(head, starts)
            if span is None or not isinstance(body, dict):
                continue
            if sort == "Call" and not tag:
                calls[span] = (caller, body)
            elif sort == "Call" and tag == _DECORATED:
                decorators[span] = (caller, body)
            else:
                others.append((caller, span, sort, tag, body))
        for span, known in decorators.items():
            calls.setdefault(span, known)
        sites = match_calls(self._module, list(calls))
        for span, (caller, body) in calls.items():
            scope = self._naming.scope(number, described, caller)
            self._call(span, body, scope, sites)
        for caller, span, sort, tag, body in others:
            self._other(span, sort, tag, body, self._naming.scope(number, described, caller))

    def _call(self, span: Span, body: Shape, scope: int, sites: Sites) -> None:
        names = [name.text for name in self._called(body)]
        index = sites.calls.get(span)
        if index is None:
            line, column = self._position(
                name_offset(self._module.text, _callee(self._module.text, span))
            )
            for name in names:
                self._add(ReferenceKind.CALL, scope, name, line, column)
            return
        call = self._module.parsed.calls[index]
        kind = ReferenceKind.DECORATE if call.is_decorator else ReferenceKind.CALL
        for name in names:
            self._add(kind, call.scope, name, call.line, call.column)
        is_whole = names and "unresolved" not in body
        if is_whole and (call.line, call.column) not in sites.shared:
            self.decided.add((self._module.file, call.line, call.column))

    def _other(self, span: Span, sort: str, tag: str, body: Shape, scope: int) -> None:
        """What runs without a call being written."""
        names: list[_Name] = []
        offset = span.start
        if sort == "AttributeAccess":
            for which in _ACCESSES:
                names += [self._naming.function(ref) for ref, _ in _targets(body, which)]
            offset = name_offset(self._module.text, span)
            names += self._raised(span, body)
        elif sort == "Identifier":
            names += self._raised(span, body)
        elif sort in {"Call", "FormatStringStringify"} and tag != _DECORATED:
            which = "call_targets" if sort == "Call" else "targets"
            for ref, receiver in _targets(body, which):
                name = self._naming.function(ref)
                last = name.text.rpartition(".")[2]
                # The checker asks the left operand of `in`, Python the right one.
                if last != _CONTAINS and not name.is_standard:
                    names.append(name)
                if last in _SPECIAL and not name.is_standard:
                    names.append(self._naming.member(ref, receiver, _SPECIAL[last]))
            if tag.endswith(("with-enter", "-iter", "-next", "stringify")):
                offset = name_offset(self._module.text, span)
        if names:
            line, column = self._position(offset)
            for name in names:
                self._add(ReferenceKind.CALL, scope, name.text, line, column)

    def _raised(self, span: Span, body: Shape) -> Iterator[_Name]:
        """The class that `raise` without a call makes an instance of."""
        before = self._module.text[max(0, span.start - 16) : span.start].rstrip()
        called = body.get("if_called")
        if before.endswith(_RAISE) and isinstance(called, dict) and "init_targets" in called:
            yield from self._called(called)

    def _called(self, body: Shape) -> Iterator[_Name]:
        """The names of what a call calls."""
        for ref, _ in _targets(body, "call_targets"):
            yield self._naming.function(ref)
        made = [one for which in _CONSTRUCTORS for one in _targets(body, which)]
        classes = {self._naming.class_of(receiver).text for _, receiver in made} - {""}
        for ref, receiver in made:
            constructor = self._naming.function(ref)
            owner = constructor.text.rpartition(".")[0]
            if not classes and owner != _OBJECT:
                # A class of the standard library is told by the constructor that it defines.
                yield _Name(owner, is_standard=True)
            elif receiver is not None and not constructor.is_standard and owner not in classes:
                yield constructor
        for name in classes:
            yield _Name(name, is_standard=False)

    def _position(self, offset: int) -> tuple[int, int]:
        from bisect import bisect_right

        line = bisect_right(self._module.starts, offset)
        return line, offset - self._module.starts[line - 1]

    def _add(self, kind: ReferenceKind, scope: int, name: str, line: int, column: int) -> None:
        if name:
            source = self._owners[scope]
            self.edges.add(Reference(kind, source, name, self._module.file, line, column, _TIER))


def _targets(body: Shape, which: str) -> Iterator[tuple[object, object]]:
    """The function and the receiver's class of each target."""
    listed = body.get(which)
    for one in listed if isinstance(listed, list) else ():
        target = one.get("target") if isinstance(one, dict) else None
        if isinstance(target, dict):
            ref = target.get("Function") or target.get("Overrides")
            if ref is not None:
                yield ref, one.get("receiver_class")


def _callee(text: bytes, span: Span) -> Span:
    """The part of a call before its last opening bracket, as far as no bracket is in its arguments."""
    opening = text.rfind(b"(", span.start, span.end)
    return Span(span.start, opening) if opening > span.start else span
