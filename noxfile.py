"""The checks of this repository; `python3 bootstrap.py test` runs them, `nox -s NAME` runs one.

Tool versions stand in the dependency groups of pyproject.toml; requirements/ holds them locked.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import tomllib
from pathlib import Path

import nox

ROOT = Path(__file__).parent
DIST = ROOT / "dist"
TWINS = DIST / "twins"
PACKAGES = ("pydocs_native", "pydocs_bundle", "pydocs_server", "pydocs_builder")
SCRIPTS = ("bootstrap.py", "noxfile.py")
HAS_RUST = os.environ.get("PYDOCS_NATIVE") != "python" and shutil.which("cargo") is not None

# What each lock holds: the distributions' own dependencies or not, and dependency groups.
LOCKS: dict[str, tuple[bool, tuple[str, ...]]] = {
    "run": (True, ()),
    "build": (False, ("build",)),
    "nox": (False, ("nox",)),
    "lint": (False, ("lint",)),
    "types": (True, ("types",)),
    "layers": (False, ("layers",)),
    "workflows": (False, ("workflows",)),
    "tests": (True, ("tests",)),
    "node": (False, ("node",)),
    "client-v1": (False, ("client-v1",)),
    "client-fastmcp": (False, ("client-fastmcp",)),
    "sentence-transformers": (False, ("sentence-transformers",)),
}
# Locked without what they depend on: of torch, that would be gigabytes for graphics processors.
ALONE = {"sentence-transformers"}
SYSTEM_PYTHON = "/usr/bin/python3"

nox.needs_version = ">=2026"
nox.options.reuse_venv = "yes"
nox.options.sessions = ["lint", "workflows", "layers", "types", "rust", "twins", "tests"]


def install(session: nox.Session, *locks: str) -> None:
    """Installs what the locks list, every file checked against its hash."""
    for lock in locks:
        session.install("--require-hashes", "-r", f"requirements/{lock}.txt")


def install_product(session: nox.Session, *, twins: bool = False) -> None:
    """Installs the three distributions' wheels, the native one without Rust if told so."""
    native = TWINS if twins or not HAS_RUST else DIST
    wheels = [*native.glob("pydocs_native-*.whl")]
    wheels += [wheel for part in ("server", "builder") for wheel in DIST.glob(f"pydocs_{part}-*")]
    session.install("--no-deps", "--force-reinstall", *map(str, sorted(wheels)))


@nox.session
def lint(session: nox.Session) -> None:
    """Style, and likely mistakes."""
    install(session, "lint")
    session.run("ruff", "check", *session.posargs)
    session.run("ruff", "format", "--check")


@nox.session
def workflows(session: nox.Session) -> None:
    """The workflows keep to their schema and hold no known weakness."""
    install(session, "workflows")
    files = sorted(map(str, Path(".github/workflows").glob("*.yml")))
    session.run("check-jsonschema", "--builtin-schema", "vendor.github-workflows", *files)
    session.run(
        "check-jsonschema", "--builtin-schema", "vendor.dependabot", ".github/dependabot.yml"
    )
    session.run("zizmor", "--offline", "--no-progress", ".github")


@nox.session
def layers(session: nox.Session) -> None:
    """Nothing imports what its layer may not."""
    install(session, "layers")
    sources = os.pathsep.join(str(ROOT / part) for part in ("native", "server", "builder"))
    session.run("lint-imports", "--no-cache", env={"PYTHONPATH": sources})


@nox.session(default=False)
def wheels(session: nox.Session) -> None:
    """Builds the distributions' wheels into dist/, and the native one without Rust beside them."""
    install(session, "build")
    shutil.rmtree(DIST, ignore_errors=True)
    environment = {"CARGO_TARGET_DIR": os.environ.get("CARGO_TARGET_DIR", str(ROOT / "target"))}
    build = ("python", "-m", "build", "--wheel", "--no-isolation", "--outdir")
    for part in ("server", "builder"):
        session.run(*build, str(DIST), part)
    session.run(*build, str(TWINS), "native", env={"PYDOCS_NATIVE": "python"})
    if HAS_RUST:
        session.run(*build, str(DIST), "native", env=environment)


@nox.session(requires=["wheels"])
def types(session: nox.Session) -> None:
    """Types are complete and consistent, and the stub of the Rust module says what is there."""
    install(session, "types")
    install_product(session)
    session.run("mypy", *(word for package in PACKAGES for word in ("-p", package)))
    session.run("mypy", *SCRIPTS, "tests")
    if HAS_RUST:
        session.run("stubtest", "pydocs_native._core")


@nox.session
def rust(session: nox.Session) -> None:
    """The Rust part is formatted, has no lint, and passes its own tests."""
    if not HAS_RUST:
        session.skip("without a Rust toolchain the twins are what there is to test")
    environment = {"PYO3_PYTHON": shutil.which("python", path=session.bin) or "python"}
    session.run("cargo", "fmt", "--check", external=True)
    session.run(
        "cargo", "clippy", "--locked", "--all-targets", "--", "-D", "warnings",
        external=True, env=environment,
    )  # fmt: skip
    session.run("cargo", "test", "--locked", external=True, env=environment)


@nox.session(requires=["wheels"])
def twins(session: nox.Session) -> None:
    """What needs no Rust passes without it: the packages over the Python twins alone."""
    install(session, "tests")
    install_product(session, twins=True)
    session.run("pytest", "-n", "2", "--dist", "loadfile", "tests/unit", "tests/contract", "-q")


@nox.session(requires=["wheels"])
def tests(session: nox.Session) -> None:
    """All tests but the benches; arguments go to pytest."""
    install(session, "tests")
    install_product(session)
    encoder = DIST / "encoder" / "all-MiniLM-L6-v2-encoder.pdx"
    if HAS_RUST and not encoder.is_file():
        # The weights are a download of 83 MB; without them only what needs them is left out.
        session.run("pydocs-build", "encoder", "--out", str(encoder.parent), success_codes=range(9))
    environment = {"PYDOCS_TEST_ENCODER": str(encoder)} if encoder.is_file() else {}
    if not environment:
        session.warn("the encoder's weights could not be had: its tests with them are skipped")
    arguments = session.posargs or ("-n", "2", "--dist", "loadfile")
    session.run("pytest", *arguments, env=environment)


@nox.session(requires=["wheels"], default=False)
def clients(session: nox.Session) -> None:
    """Clients that are not ours and the official conformance suite talk to the server."""
    install(session, "tests", "node")
    install_product(session)
    folder = ROOT / "tests" / "integration" / "clients"
    session.run("npm", "ci", "--silent", "--no-audit", "--no-fund", "--prefix", str(folder))
    environment = {"PYDOCS_CLIENTS": "1"}
    # Other versions of the SDK than the server's: each in an environment of its own.
    for name in ("v1", "fastmcp"):
        home = Path(session.create_tmp()) / name
        python = home / "bin" / "python"
        session.run("python", "-m", "venv", str(home))
        pip = [str(python), "-m", "pip", "install", "--quiet", "--require-hashes", "-r"]
        session.run(*pip, f"requirements/client-{name}.txt", external=True)
        environment[f"PYDOCS_PYTHON_{name.upper()}"] = str(python)
    session.run("pytest", "-n", "2", str(folder), env=environment)


@nox.session(
    requires=["wheels"], default=False, python=SYSTEM_PYTHON, venv_params=["--system-site-packages"]
)
def sentence_transformers(session: nox.Session) -> None:
    """Models of sentence-transformers as encoders, with the torch that the system has."""
    probe = "import importlib.util as u; print(u.find_spec('torch') is not None)"
    if "True" not in str(session.run("python", "-c", probe, silent=True)):
        session.error(
            f"{SYSTEM_PYTHON} has no torch; on Debian 12 and its like, "
            "`apt-get install python3-torch libopenblas0-pthread` brings it"
        )
    install(session, "run", "tests", "sentence-transformers")
    install_product(session)
    session.run("pytest", *(session.posargs or ["tests/integration/test_sentence_transformers.py"]))


@nox.session(requires=["wheels"], default=False)
def bench(session: nox.Session) -> None:
    """Runs one bench: `nox -s bench -- graph/bench_micro.py --json micro.json …`."""
    install(session, "run")
    install_product(session)
    script, *arguments = session.posargs or ["README.md"]
    if script == "README.md":
        session.error("name a bench and its arguments; tests/bench/README.md lists them")
    # What the benches share lies above those in a folder of their own.
    session.run("python", f"tests/bench/{script}", *arguments, env={"PYTHONPATH": "tests/bench"})


@nox.session(default=False)
def lock(session: nox.Session) -> None:
    """Writes requirements/*.txt anew: from the distributions' dependencies and the groups."""
    install(session, "nox")
    with tempfile.TemporaryDirectory() as folder:
        wanted = Path(folder) / "distributions.in"
        wanted.write_text("\n".join(own_dependencies()) + "\n", "utf-8")
        for name, (has_own, groups) in LOCKS.items():
            sources = [str(wanted)] if has_own else []
            sources += [word for group in groups for word in ("--group", f"pyproject.toml:{group}")]
            sources += ["--no-deps"] if name in ALONE else []
            session.run(
                "uv", "pip", "compile", *sources, *session.posargs, "--quiet", "--no-header",
                "--no-annotate", "--generate-hashes", "--no-emit-index-url", "--universal",
                "--python-version", "3.11", "--output-file", f"requirements/{name}.txt",
            )  # fmt: skip


def own_dependencies() -> list[str]:
    """What the three distributions require, but for one another."""
    found: set[str] = set()
    for part in ("native", "server", "builder"):
        project = tomllib.loads((ROOT / part / "pyproject.toml").read_text("utf-8"))["project"]
        found.update(project.get("dependencies", ()))
    return sorted(line for line in found if not line.startswith("pydocs-"))
