"""What a name means in a module of the target, followed to where it is defined.

Chains of imports are followed through all modules of the target, star imports too. A cycle ends,
and a name that leads nowhere gives an empty string, never a guess.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from pydocs_builder.extracted.lazy import is_lazy, lazy_names, literal_value, served_modules
from pydocs_builder.extracted.symbols import Module
from pydocs_bundle.records import Entry, Flag, Kind
from pydocs_native.records import Import

__all__ = ["Names", "Namespace", "absolute", "bound_name", "bound_target", "origin_of"]

_LONGEST_CHAIN: Final = 40
_MOST_ROUNDS: Final = 64


@dataclass(slots=True)
class Namespace:
    """The names that one module binds, before any of them is followed.

    `imports` gives for a local name the module it comes from and its name there (empty for a
    module itself); `typing_imports` are those that exist for type checkers only, `lazy` those
    that its `__getattr__` serves; `stubs` are the definitions that only its stub has, `renamed`
    the symbols that an assignment gives a second name. `exports` is `__all__` where that can be
    known, else `listed` what is sure to be in it; `reexports` are the names imported as
    themselves. `is_lazy` says that there may be names that nothing binds.
    """

    name: str
    is_package: bool
    definitions: dict[str, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    typing_imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    lazy: dict[str, tuple[str, str]] = field(default_factory=dict)
    stubs: dict[str, str] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    stars: list[str] = field(default_factory=list)
    reexports: set[str] = field(default_factory=set)
    exports: tuple[str, ...] | None = None
    listed: tuple[str, ...] = ()
    is_lazy: bool = False


def absolute(module: str, level: int, name: str, *, is_package: bool) -> str:
    """The absolute name of a module imported from another; empty where it lies above the top."""
    if not level:
        return name
    parts = module.split(".")
    depth = len(parts) - level + is_package
    if depth <= 0:
        return ""
    parts = parts[:depth]
    return ".".join([*parts, name] if name else parts)


def origin_of(item: Import, module: Module) -> str:
    """The absolute name of the module that an import names."""
    return absolute(module.name, item.level, item.module, is_package=module.is_package)


def bound_name(item: Import) -> str:
    """The local name that an import binds: `import a.b` binds `a`."""
    return item.alias or item.name or item.module.partition(".")[0]


def bound_target(item: Import, origin: str) -> tuple[str, str]:
    """What that local name stands for: a module and a name in it, or a module and nothing."""
    if item.name:
        return origin, item.name
    return (origin, "") if item.alias else (origin.partition(".")[0], "")


class _Trail(NamedTuple):
    """What has been looked at while a name is followed, and how far that has led."""

    seen: set[tuple[str, str]]
    length: int = 0


class Names:
    """The names of a whole target; it owns what has been followed so far."""

    def __init__(self) -> None:
        self.kinds: dict[str, Kind] = {}
        self.members: dict[str, dict[str, str]] = {}
        self.namespaces: dict[str, Namespace] = {}
        self.renamed_members: list[tuple[str, str]] = []
        self._packages: set[str] = set()
        self._modules: dict[str, Module] = {}
        self._followed: dict[tuple[str, str], str] = {}
        self._visible: dict[str, set[str]] = {}

    def bind(self, modules: Sequence[Module], drafts: Sequence[Entry], start: int = 0) -> None:
        """Adds what modules import and define.

        Args:
            modules: the sources of a target, and then, in a second call, its stubs.
            drafts: all drafts so far.
            start: where the drafts of these modules begin.
        """
        for module in modules:
            self._modules.setdefault(module.name, module)
            self._bind_imports(module)
            parts = module.name.split(".")
            self._packages.update(".".join(parts[:depth]) for depth in range(1, len(parts)))
        for draft in drafts[start:]:
            self._bind_draft(draft, drafts)
        for module in modules:
            space = self.namespaces[module.name]
            if not module.is_stub and is_lazy(module):
                self._bind_lazy(module, space)
        for module in modules:
            if module.parsed.lists and self.namespaces[module.name].exports is None:
                space = self.namespaces[module.name]
                space.exports = self._listed(module, set())
                space.listed = (*space.listed, *module.parsed.listed)
        self._followed.clear()
        self._visible = _spread_stars(self.namespaces)

    def rename(self, owner: str, last: str, target: str, *, is_class: bool) -> None:
        """Make an attribute of a module or a class another name of `target`."""
        self.kinds.pop(f"{owner}.{last}", None)
        if is_class:
            self.members[owner][last] = target
            self.renamed_members.append((f"{owner}.{last}", target))
            return
        space = self.namespaces[owner]
        space.attributes.pop(last, None)
        space.stubs.pop(last, None)
        space.renamed[last] = target
        self._followed.pop((owner, last), None)

    def forget(self) -> None:
        """Look anew at what has been followed so far."""
        self._followed.clear()

    def is_inside(self, name: str) -> bool:
        """Whether a name is that of a module or a package of the target."""
        return name in self.namespaces or name in self._packages

    def follow(self, module: str, name: str) -> str:
        """The definition-site name of what `module.name` stands for; empty where it is nothing.

        What lies outside the target is given by the name under which it is imported.
        """
        key = (module, name)
        found = self._followed.get(key)
        if found is None:
            found = self._followed[key] = self._follow(module, name, _Trail(set()))
        return found

    def find(self, dotted: str) -> str:
        """The definition-site name of an absolute dotted name inside the target, or empty."""
        if dotted in self.kinds:
            return dotted
        parts = dotted.split(".")
        depth = len(parts)
        while depth and not self.is_inside(".".join(parts[:depth])):
            depth -= 1
        if not depth:
            return ""
        found = ".".join(parts[:depth])
        for part in parts[depth:]:
            found = self.member(found, part)
            if not found:
                return ""
        return found if found in self.kinds else ""

    def member(self, owner: str, name: str) -> str:
        """A member of a module or a class by its definition-site name, without looking at bases."""
        if self.is_inside(owner):
            return self.follow(owner, name)
        return self.members.get(owner, {}).get(name, "")

    def visible(self, module: str) -> Iterable[str]:
        """Every name that a module binds, those of its star imports included, sorted."""
        return sorted(self._visible[module])

    def _bind_imports(self, module: Module) -> None:
        space = self.namespaces.get(module.name)
        is_beside = space is not None and module.is_stub
        if space is None:
            space = self.namespaces[module.name] = Namespace(module.name, module.is_package)
        if space.exports is None:
            space.exports = module.parsed.exports
        for item in module.parsed.imports:
            origin = origin_of(item, module)
            if item.scope != -1 or not origin:
                continue
            if item.name == "*":
                if origin not in space.stars:
                    space.stars.append(origin)
                continue
            # What a stub adds is there for type checkers, as TYPE_CHECKING blocks are.
            bound = space.typing_imports if item.is_typing or is_beside else space.imports
            bound[bound_name(item)] = bound_target(item, origin)
            if item.name and item.alias == item.name:
                space.reexports.add(item.name)

    def _bind_lazy(self, module: Module, space: Namespace) -> None:
        space.is_lazy = True
        space.lazy = lazy_names(module, space.imports, self._modules, self.is_inside)
        for origin, name in served_modules(module, space.imports):
            served = f"{origin}.{name}" if name else origin
            if self.is_inside(served) and served not in space.stars:
                space.stars.append(served)

    def _listed(self, module: Module, open_names: set[str]) -> tuple[str, ...] | None:
        """`__all__` with the lists that it takes in; None where one of them cannot be known."""
        if module.name in open_names:
            return None
        open_names.add(module.name)
        found = list(module.parsed.listed)
        for chain in module.parsed.lists:
            names = self._names_of(module, chain, open_names)
            if names is None:
                return None
            found += names
        return tuple(dict.fromkeys(found))

    def _names_of(self, module: Module, chain: str, open_names: set[str]) -> Sequence[str] | None:
        owner, _, last = chain.rpartition(".")
        space = self.namespaces[module.name]
        origin = ""
        if owner:
            head, *links = owner.split(".")
            origin = self.follow(module.name, head)
            for link in links:
                origin = self.member(origin, link) if origin else ""
        elif last in space.imports:
            origin, last = space.imports[last]
        elif last in space.attributes:
            origin = module.name
        known = self.namespaces.get(origin)
        if known is None:
            return None
        if last == "__all__":
            if known.exports is None and self._modules[origin].parsed.lists:
                return self._listed(self._modules[origin], open_names)
            return known.exports
        value = literal_value(self._modules[origin], last)
        if not isinstance(value, dict | list | tuple | set | frozenset):
            return None
        return sorted(one for one in value if isinstance(one, str))

    def _bind_draft(self, draft: Entry, drafts: Sequence[Entry]) -> None:
        name = draft.qualified_name
        self.kinds.setdefault(name, draft.kind)
        if draft.parent < 0:
            return
        owner = drafts[draft.parent]
        last = name[len(owner.qualified_name) + 1 :]
        if owner.kind is not Kind.MODULE:
            self.members.setdefault(owner.qualified_name, {}).setdefault(last, name)
            return
        space = self.namespaces[owner.qualified_name]
        if draft.flags & Flag.STUB.value and not owner.flags & Flag.STUB.value:
            space.stubs.setdefault(last, name)
        elif draft.kind is Kind.ATTRIBUTE:
            space.attributes.setdefault(last, name)
        else:
            space.definitions.setdefault(last, name)

    def _follow(self, module: str, name: str, trail: _Trail) -> str:
        if (module, name) in trail.seen or trail.length > _LONGEST_CHAIN:
            return ""
        trail.seen.add((module, name))
        trail = _Trail(trail.seen, trail.length + 1)
        dotted = f"{module}.{name}"
        space = self.namespaces.get(module)
        if space is None:
            return dotted if dotted in self.namespaces or module not in self._packages else ""
        found = (
            space.definitions.get(name)
            or space.renamed.get(name)
            or self._follow_tables(space, name, trail)
            or self._follow_stars(space, name, trail)
        )
        return found or (dotted if self.is_inside(dotted) else "")

    def _follow_tables(self, space: Namespace, name: str, trail: _Trail) -> str:
        """What a name is that is imported or assigned: preferably what the target defines."""
        outside = ""
        for imported in (space.imports, space.lazy, space.typing_imports):
            if name in imported:
                found = self._follow_import(*imported[name], trail)
                if found in self.kinds or self.is_inside(found):
                    return found
                outside = outside or found
        return space.attributes.get(name) or space.stubs.get(name) or outside

    def _follow_stars(self, space: Namespace, name: str, trail: _Trail) -> str:
        # The last star import wins, as it does at run time.
        for origin in reversed(space.stars):
            if origin in self.namespaces and _is_starred(self.namespaces[origin], name):
                found = self._follow(origin, name, trail)
                if found:
                    return found
        return ""

    def _follow_import(self, origin: str, name: str, trail: _Trail) -> str:
        if not name:
            return origin
        found = self._follow(origin, name, trail)
        if found:
            return found
        dotted = f"{origin}.{name}"
        return dotted if self.is_inside(dotted) else ""


def _is_starred(space: Namespace, name: str) -> bool:
    return name in space.exports if space.exports is not None else not name.startswith("_")


def _spread_stars(namespaces: dict[str, Namespace]) -> dict[str, set[str]]:
    """Every name that each module binds; star imports are repeated until nothing is added."""
    visible = {
        name: {
            *space.definitions,
            *space.attributes,
            *space.imports,
            *space.typing_imports,
            *space.lazy,
            *space.stubs,
        }
        for name, space in namespaces.items()
    }
    starred = [space for space in namespaces.values() if space.stars]
    for _ in range(_MOST_ROUNDS):
        has_grown = False
        for space in starred:
            own = visible[space.name]
            before = len(own)
            for origin in space.stars:
                if origin in namespaces:
                    source = namespaces[origin]
                    own.update(name for name in tuple(visible[origin]) if _is_starred(source, name))
            has_grown = has_grown or len(own) > before
        if not has_grown:
            break
    return visible
