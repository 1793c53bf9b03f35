"""What the bundles of real packages say of their interface, beside what the interpreter says.

Each package of `api.txt` is built into a bundle, and imported in a child process that walks its
public names with `dir` and `inspect`. Counted is the share of public classes, functions and members
that a bundle finds where the interpreter has them, and of equal signatures (names, kinds and
plain defaults of parameters), docstrings, bases and method resolution orders. What the interpreter
cannot tell (a signature in C, a docstring that the standard library lends) is left out and counted.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from environments import HERE, environment, project
from measure import table

from pydocs_bundle import Record
from pydocs_bundle.errors import ExitCode
from pydocs_bundle.records import Flag, Kind
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.inherited import constructor, documentation
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.names import Found, mro, resolve

IMPORTS = {"pyyaml": "yaml", "scikit-image": "skimage", "attrs": "attr attrs", "pytest": "_pytest"}
MEASURES = ("found", "signatures", "docstrings", "bases", "mro")
CALLED = {Kind.CLASS, Kind.FUNCTION, Kind.METHOD, Kind.ATTRIBUTE}
SHOWN = 12
TAKES_ALL = "takes everything"

Row = dict[str, object]
Shape = list[list[object]]


class Difference(NamedTuple):
    """Where a bundle and the interpreter are of two minds: by which cause, and what each says."""

    measure: str
    cause: str
    name: str
    ours: str
    theirs: str


class Tally(NamedTuple):
    """What was compared of one package."""

    compared: Counter[str]
    equal: Counter[str]
    untold: Counter[str]
    differences: list[Difference]


def main() -> None:
    """Compares all packages and prints a table, then the differences by cause."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("cache", type=Path, help="folder for environments, kept between runs")
    parser.add_argument("--python", type=Path, help="compare what this interpreter has installed")
    parser.add_argument("--only", nargs="*", default=(), help="import names to compare, not all")
    parser.add_argument("--kept", action="store_true", help="compare the bundles that are there")
    parser.add_argument("--json", type=Path, help="write figures and all differences here too")
    options = parser.parse_args()
    cache = options.cache.resolve()
    pins = HERE / "api.txt"
    python = options.python or environment(cache / "api", pins)
    bundles = cache / "api-bundles"
    if not options.kept:
        build(project(cache / "api-project", pins), python, bundles)
    catalog = mount([str(bundles)])
    names = list(options.only) or [
        name for pin in pins.read_text("utf-8").split() for name in tops(pin)
    ]
    tallies = {name: compare(catalog, probe(python, name, cache)) for name in names}
    report(tallies, options.json)


def tops(pin: str) -> list[str]:
    """The import names of a pinned distribution."""
    name = pin.partition("==")[0].lower()
    return IMPORTS.get(name, name.replace("-", "_")).split()


def build(wanted: Path, python: Path, bundles: Path) -> None:
    """Bundles of the pinned packages, without those that they need in turn."""
    command: list[str | Path] = [sys.executable, "-m", "pydocs_builder", wanted, "--out", bundles]
    command += ["--python", python, "--direct-only", "-q"]
    if subprocess.run(command, check=False).returncode not in (ExitCode.OK, ExitCode.PARTIAL):
        sys.exit("The bundles cannot be built; pydocs-build says why above.")


def probe(python: Path, name: str, cache: Path) -> dict[str, list[Row]]:
    """What the interpreter says of one package."""
    command = [str(python), str(HERE / "api_probe.py"), name]
    done = subprocess.run(
        command, cwd=cache, capture_output=True, text=True, check=False, timeout=120
    )
    if done.returncode:
        sys.exit(f"{name} cannot be examined: {done.stderr.strip()[-400:]}")
    found: dict[str, list[Row]] = json.loads(done.stdout)
    return found


def compare(catalog: Catalog, package: dict[str, list[Row]]) -> Tally:
    """All rows of one package against the catalog."""
    tally = Tally(Counter(), Counter(), Counter(), [])
    for row in package["names"]:
        compare_name(catalog, row, tally)
    for row in package["classes"]:
        found = first(catalog, str(row["name"]))
        if found is None:
            continue
        for measure, chain in (
            ("bases", list(base_records(catalog, found))),
            ("mro", mro(catalog, found)[1:]),
        ):
            compare_chain(catalog, measure, row, chain, tally)
        members = row["members"]
        for member in members if isinstance(members, list) else []:
            compare_name(catalog, member, tally)
    return tally


def compare_name(catalog: Catalog, row: Row, tally: Tally) -> None:
    """One class, function or member: whether it is there, and says the same."""
    name, kind = str(row["name"]), str(row["kind"])
    measure = "members" if kind in ("method", "property") else "found"
    found = first(catalog, name)
    cause = misplaced(catalog, row, found)
    if found is None and row.get("is_made"):
        tally.untold["found: made at run time"] += 1
        return
    note(
        tally,
        measure,
        cause,
        name,
        shown(found),
        f"{row.get('home', '')} {row['place']}:{row['line']}",
    )
    if found is None or cause:
        return
    compare_signature(catalog, row, found, tally)
    if row["docstring"] == "?":
        tally.untold["docstrings: lent from outside"] += 1
        return
    if kind == "property" and found.record.kind == Kind.ATTRIBUTE:
        tally.untold["docstrings: of a property that a call makes"] += 1
        return
    said, wanted = documentation(catalog, found), str(row["docstring"] or "")
    cause = (
        ""
        if said.strip() == wanted.strip()
        else "other text"
        if said and wanted
        else "none of ours"
        if wanted
        else "none of theirs"
    )
    note(tally, "docstrings", cause, name, said[:200], wanted[:200])


def compare_signature(catalog: Catalog, row: Row, found: Found, tally: Tally) -> None:
    """The parameters of what can be called."""
    theirs = row["signature"]
    if not isinstance(theirs, list):
        if row["reason"]:
            tally.untold[f"signatures: {row['reason']}"] += 1
        return
    called: Found | None = found
    if found.record.kind == Kind.CLASS:
        called = constructor(catalog, found)
    text = called.record.signature if called else "()"
    name = str(row["name"])
    if "\n" in text:
        tally.untold["signatures: overloads"] += 1
        return
    try:
        mine = shape(text)
    except (SyntaxError, ValueError):
        note(tally, "signatures", "unreadable", name, text, str(theirs))
        return
    is_bound = called is not None and (
        row["kind"] == "class" or (row["kind"] == "function" and called.record.kind == Kind.METHOD)
    )
    mine = mine[1:] if is_bound and mine and mine[0][1] in (0, 1) else mine
    cause = signature_cause(mine, theirs)
    if cause == TAKES_ALL:
        tally.untold["signatures: a wrapper that takes everything"] += 1
        return
    note(tally, "signatures", cause, name, text, str(theirs))


def signature_cause(mine: Shape, theirs: Shape) -> str:
    """How two lists of parameters differ; empty if they do not."""
    if [bare(str(one[0])) for one in mine] != [bare(str(one[0])) for one in theirs]:
        if [one[1] for one in theirs] == [2, 4]:
            return TAKES_ALL
        return "other parameters"
    if [one[1:3] for one in mine] != [one[1:3] for one in theirs]:
        return "other kinds or defaults"
    pairs = zip(mine, theirs, strict=True)
    same = all(None in (one[3], other[3]) or one[3] == other[3] for one, other in pairs)
    return "" if same else "other default values"


def bare(name: str) -> str:
    """A parameter's name as it is written: `__x` in a class is `_Class__x` to the interpreter."""
    return re.sub(r"^_\w*?(?=__\w)", "", name)


def compare_chain(
    catalog: Catalog, measure: str, row: Row, chain: Sequence[Found], tally: Tally
) -> None:
    """Bases or method resolution order, as far as mounted bundles define them."""
    if row["is_flat"]:
        tally.untold[f"{measure}: forgotten"] += 1
        return
    wanted = row[measure]
    names = [str(one) for one in wanted] if isinstance(wanted, list) else []
    theirs = []
    for name in names:
        led = first(catalog, name)
        if led is not None and led.record.kind == Kind.CLASS:
            theirs.append(led.record.qualified_name)
    mine = [one.record.qualified_name for one in chain if one.record.kind == Kind.CLASS]
    note(
        tally,
        measure,
        "" if mine == theirs else "other classes",
        str(row["name"]),
        str(mine),
        str(theirs),
    )


def base_records(catalog: Catalog, found: Found) -> Iterator[Found]:
    """The mounted classes that a class names as its bases."""
    for base in found.record.bases:
        led = first(catalog, base)
        if led is not None:
            yield led


def first(catalog: Catalog, name: str) -> Found | None:
    """What a whole dotted name leads to; no other symbol whose name ends so."""
    head = name.partition(".")[0]
    providers = catalog.providers(head)
    found = resolve(catalog, name, providers) if providers else []
    return found[0] if found else None


def misplaced(catalog: Catalog, row: Row, found: Found | None) -> str:
    """Why what was found is not what the interpreter has; empty if it is."""
    if found is None:
        return "not found"
    record = found.record
    kinds = {
        "class": {Kind.CLASS, Kind.ATTRIBUTE},
        "property": {Kind.PROPERTY, Kind.METHOD, Kind.ATTRIBUTE},
    }.get(str(row["kind"]), CALLED)
    if record.kind not in kinds:
        return f"a {Kind(record.kind).label}"
    path = catalog.bundles[found.bundle].text.paths[record.file]
    line, place = row["line"], str(row["place"])
    if (
        not line
        or record.flags & Flag.STUB
        or record.kind == Kind.ATTRIBUTE
        or "\n" in record.signature
    ):
        return ""
    if (
        place.endswith(path)
        and isinstance(line, int)
        and not record.start_line <= line <= record.end_line
    ):
        return "another definition of the name"
    return "" if place.endswith(path) or not place.startswith("/") else "another file"


def shape(signature: str) -> Shape:
    """The parameters of a signature as the interpreter would list them."""
    parameters = signature[signature.index("(") :]
    (function,) = ast.parse(f"def f{parameters}: ...").body
    assert isinstance(function, ast.FunctionDef)
    args = function.args
    positional = [*args.posonlyargs, *args.args]
    missing = len(positional) - len(args.defaults)
    found: Shape = []
    for number, one in enumerate(positional):
        default = args.defaults[number - missing] if number >= missing else None
        found.append(
            [one.arg, int(number >= len(args.posonlyargs)), default is not None, value(default)]
        )
    if args.vararg:
        found.append([args.vararg.arg, 2, False, None])
    for one, given in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append([one.arg, 3, given is not None, value(given)])
    if args.kwarg:
        found.append([args.kwarg.arg, 4, False, None])
    return found


def value(node: ast.expr | None) -> str | None:
    """A default's text as the interpreter shows it, if it is a plain literal."""
    try:
        return repr(ast.literal_eval(node)) if node is not None else None
    except ValueError:
        return None


def note(tally: Tally, measure: str, cause: str, name: str, mine: str, theirs: str) -> None:
    """Counts one comparison; a cause makes it a difference."""
    tally.compared[measure] += 1
    tally.equal[measure] += not cause
    if cause:
        tally.differences.append(Difference(measure, cause, name, mine, theirs))


def shown(found: Found | None) -> str:
    """A record as a difference shows it."""
    if found is None:
        return ""
    record: Record = found.record
    return (
        f"{record.qualified_name} {Kind(record.kind).label} :{record.start_line}-{record.end_line}"
    )


def report(tallies: dict[str, Tally], path: Path | None) -> None:
    """The table, the causes by number, and the file with all of it."""
    measures = ["found", "members", *MEASURES[1:]]
    rows: list[list[object]] = [["package", *measures]]
    total = Tally(Counter(), Counter(), Counter(), [])
    for name, tally in tallies.items():
        rows.append([name, *(share(tally, one) for one in measures)])
        total.compared.update(tally.compared)
        total.equal.update(tally.equal)
        total.untold.update(tally.untold)
        total.differences.extend(tally.differences)
    rows.append(["all", *(share(total, one) for one in measures)])
    print(table(rows))
    causes: dict[tuple[str, str], list[Difference]] = {}
    for one in total.differences:
        causes.setdefault((one.measure, one.cause), []).append(one)
    for (measure, cause), found in sorted(causes.items(), key=lambda it: -len(it[1])):
        print(f"\n{measure}, {cause}: {len(found)}")
        for one in found[:SHOWN]:
            print(f"  {one.name}")
    for cause, count in total.untold.most_common():
        print(f"not compared, {cause}: {count}")
    if path:
        figures = {
            "compared": dict(total.compared),
            "equal": dict(total.equal),
            "not_compared": dict(total.untold),
            "packages": {
                name: {"compared": dict(tally.compared), "equal": dict(tally.equal)}
                for name, tally in tallies.items()
            },
            "differences": [one._asdict() for one in total.differences],
        }
        path.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


def share(tally: Tally, measure: str) -> str:
    """`equal/compared` and the percentage."""
    compared = tally.compared[measure]
    percent = 100 * tally.equal[measure] / compared if compared else 100
    return f"{tally.equal[measure]}/{compared} {percent:.2f}%"


if __name__ == "__main__":
    main()
