"""From a report of the type checker to exact edges.

What a call calls is what runs: a function, the getter or setter of a property, the special
method behind `with`, `for`, an operator or a conversion. A call of a class leads to the class,
which stands for a constructor of its own; where the constructor that runs is a base's, to that one
as well. An overridden method is the one of the static type: what else may run is known only where
everything is mounted.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_builder.checked.checker import CheckError
from pydocs_builder.checked.naming import NAMELESS, Name, Naming
from pydocs_builder.checked.report import Report, Shape, open_report
from pydocs_builder.checked.reports import ReportPlace
from pydocs_builder.checked.sites import Span, callee, match_calls, name_offset, read_span
from pydocs_builder.checked.standard_names import calls_argument
from pydocs_builder.checked.view import view_path
from pydocs_builder.extracted.symbols import Definitions, Module
from pydocs_bundle.records import Reference, ReferenceKind

__all__ = ["Exact", "find_exact"]

_TIER: Final = "exact"
_CALL: Final = ReferenceKind.CALL
_DECORATE: Final = ReferenceKind.DECORATE
_CONSTRUCTORS: Final = ("init_targets", "new_targets")
_OBJECT: Final = "builtins.object"
_ACCESSES: Final = ("property_getters", "property_setters")
_DECORATION: Final = "artificial-call|for-decorated-target"
# The checker asks the left operand of `in`, Python the right one.
_MISTAKEN: Final = "__contains__"
# Who enters leaves, too; the report has the first alone.
_LEAVING: Final = {"__aenter__": "__aexit__", "__enter__": "__exit__"}
# The places of these are operands, of others whole expressions that begin with one.
_AT_NAME: Final = ("-iter", "-next", "stringify", "with-enter")
_RAISE: Final = b"raise"
_BLANKS: Final = 16
_LONGEST_STEM: Final = 220


class Exact(NamedTuple):
    """The exact edges, sorted, and the places of calls of which they are all that is true.

    `notes` says why there are none.
    """

    edges: list[Reference]
    decided: frozenset[tuple[int, int, int]] = frozenset()
    notes: tuple[str, ...] = ()


class _Said(NamedTuple):
    """What a report says of one expression: in which parsed scope it is, and what it is."""

    span: Span
    scope: int
    sort: str
    tag: str
    body: Shape


def find_exact(
    place: ReportPlace,
    source_roots: Sequence[str],
    modules: Sequence[Module],
    definitions: Definitions,
    places: Sequence[int],
) -> Exact:
    """The exact edges of a target; none, and a note, where there is no report on it.

    Args:
        place: where the report is.
        source_roots: the prefixes of the modules' paths from which their names count.
        modules: the modules of the target, in the order of `definitions.owners`.
        definitions: the drafts.
        places: for each draft the index of its entry.
    """
    if place.problem or not place.folder:
        return Exact([], notes=(place.problem,) if place.problem else ())
    folder = Path(place.folder)
    numbers = {
        str(view_path(folder, place.view, source_roots, module.path)): number
        for number, module in enumerate(modules)
    }
    edges: set[Reference] = set()
    decided: set[tuple[int, int, int]] = set()
    try:
        report = open_report(folder / "report")
        naming = Naming(report, modules, numbers, definitions, places)
        for number, identity in _own_modules(report, modules, numbers, naming):
            owners = [places[draft] for draft in definitions.owners[number]]
            found = _ModuleEdges(modules[number], naming, owners)
            found.take(_said(report, identity, number, modules[number], naming))
            edges |= found.edges
            decided |= found.decided
    except CheckError as error:
        return Exact([], notes=(f"no exact edges ({error})",))
    return Exact(sorted(edges), frozenset(decided))


def _own_modules(
    report: Report, modules: Sequence[Module], numbers: Mapping[str, int], naming: Naming
) -> list[tuple[int, int]]:
    """The number of each module of the target, stubs aside, and the report's number of it."""
    stems = {_stem(modules[number].name) for number in numbers.values()}
    found: list[tuple[int, int]] = []
    for identity, name in report.names.items():
        if name.rpartition(":")[0] in stems:
            described = report.describe(identity)
            number = naming.number(described) if described else -1
            if number >= 0 and not modules[number].is_stub:
                found.append((number, identity))
    return sorted(found)


def _stem(name: str) -> str:
    """What a report calls the file of a module: its name as far as it is ASCII, and not longer."""
    return "".join(filter(str.isascii, name.removesuffix(".__init__")))[:_LONGEST_STEM]


def _said(
    report: Report, identity: int, number: int, module: Module, naming: Naming
) -> Iterator[_Said]:
    described = report.describe(identity)
    scopes: dict[str, int] = {}
    for caller, place, expression in report.calls(identity):
        if len(expression) != 1 or described is None:
            continue
        ((sort, body),) = expression.items()
        head, _, tag = place.partition("|")
        span = read_span(head, module.starts)
        if span is None or not isinstance(body, dict):
            continue
        scope = scopes.get(caller)
        if scope is None:
            scope = scopes[caller] = naming.scope(number, described, caller)
        yield _Said(span, scope, sort, tag, body)


class _ModuleEdges:
    """The edges of one module; it owns those found so far.

    Args:
        module: the module.
        naming: what numbers stand for.
        owners: for each parsed symbol the index of its entry, the module's last.
    """

    def __init__(self, module: Module, naming: Naming, owners: Sequence[int]) -> None:
        self._module = module
        self._naming = naming
        self._owners = owners
        self.edges: set[Reference] = set()
        self.decided: set[tuple[int, int, int]] = set()

    def take(self, said: Iterator[_Said]) -> None:
        """Take the edges of all expressions of the module."""
        calls: dict[Span, _Said] = {}
        for one in said:
            if one.sort == "Call" and one.tag in {"", _DECORATION}:
                # A decorator that is called is both; what counts is the call.
                if not one.tag or one.span not in calls:
                    calls[one.span] = one
            elif one.sort in {"Call", "FormatStringStringify"}:
                self._implied(one)
            elif one.sort in {"AttributeAccess", "Identifier"}:
                self._accessed(one)
        sites = match_calls(self._module, list(calls))
        for span, one in calls.items():
            number = sites.calls.get(span)
            if number is None:
                offset = name_offset(self._module.text, callee(self._module.text, span))
                self._add(_CALL, one.scope, self._called(one.body), offset)
                continue
            call = self._module.parsed.calls[number]
            kind = _DECORATE if call.is_decorator else _CALL
            names = list(self._called(one.body))
            offset = self._module.starts[call.line - 1] + call.column
            self._add(kind, call.scope, names, offset)
            is_known = names and NAMELESS.text not in {name.text for name in names}
            is_alone = (call.line, call.column) not in sites.shared
            if is_known and is_alone and "unresolved" not in one.body:
                self.decided.add((self._module.file, call.line, call.column))

    def _implied(self, said: _Said) -> None:
        """What an operator, a statement or a conversion runs."""
        names: list[Name] = []
        which = "call_targets" if said.sort == "Call" else "targets"
        for function, receiver in _targets(said.body, which):
            name = self._naming.function(function)
            if name.is_standard or name.last == _MISTAKEN:
                continue
            names.append(name)
            if name.last in _LEAVING:
                names.append(self._naming.member(function, receiver, _LEAVING[name.last]))
        if names:
            is_operand = said.tag.endswith(_AT_NAME)
            offset = name_offset(self._module.text, said.span) if is_operand else said.span.start
            self._add(_CALL, said.scope, names, offset)

    def _accessed(self, said: _Said) -> None:
        """The property that an attribute is, and the class that `raise` makes an instance of."""
        functions = (one for which in _ACCESSES for one, _ in _targets(said.body, which))
        names = [name for name in map(self._naming.function, functions) if not name.is_standard]
        start = said.span.start
        before = self._module.text[max(0, start - len(_RAISE) - _BLANKS) : start]
        called = said.body.get("if_called")
        if before.rstrip().endswith(_RAISE) and isinstance(called, dict) and _makes(called):
            names += self._called(called)
        if names:
            self._add(_CALL, said.scope, names, name_offset(self._module.text, said.span))

    def _called(self, body: Shape) -> Iterator[Name]:
        """The names of what a call calls."""
        for function, _ in _targets(body, "call_targets"):
            name = self._naming.function(function)
            yield name
            if name.is_standard and calls_argument(name.text):
                yield from self._arguments(body)
        made = [one for which in _CONSTRUCTORS for one in _targets(body, which)]
        classes = {self._naming.class_of(receiver) for _, receiver in made} - {NAMELESS}
        yield from sorted(classes)
        for function, _ in made:
            constructor = self._naming.function(function)
            owner = Name(constructor.text.rpartition(".")[0], constructor.is_standard)
            if not classes and owner.text != _OBJECT:
                # A class of the standard library is told by the constructor that it defines.
                yield owner
                if calls_argument(owner.text):
                    yield from self._arguments(body)
            elif classes and not constructor.is_standard and owner not in classes:
                yield constructor

    def _arguments(self, body: Shape) -> Iterator[Name]:
        """What is given to a function that calls what it is given."""
        given = body.get("higher_order_parameters")
        for one in given.values() if isinstance(given, dict) else ():
            if isinstance(one, dict):
                for function, _ in _targets(one, "call_targets"):
                    name = self._naming.function(function)
                    # Many an object could be called, and is not meant to be.
                    if name.last != "__call__":
                        yield name

    def _add(self, kind: ReferenceKind, scope: int, names: Iterable[Name], offset: int) -> None:
        line = bisect_right(self._module.starts, offset)
        column = offset - self._module.starts[line - 1]
        source = self._owners[scope]
        for name in names:
            # That a function calls what is in it says nothing: both are one entry.
            if name.text and name.within != source:
                edge = Reference(kind, source, name.text, self._module.file, line, column, _TIER)
                self.edges.add(edge)


def _makes(called: Shape) -> bool:
    return any(which in called for which in _CONSTRUCTORS)


def _targets(body: Shape, which: str) -> Iterator[tuple[object, object]]:
    """The function and the receiver's class of each target."""
    listed = body.get(which)
    for one in listed if isinstance(listed, list) else ():
        target = one.get("target") if isinstance(one, dict) else None
        if isinstance(target, dict):
            # `Overrides` is a method of the static type or any that overrides it.
            yield target.get("Function") or target.get("Overrides"), one.get("receiver_class")
