"""Sets pydocs up in this checkout, then tries it or tests it.

Presumes Python 3.11 or newer with its `venv`, and nothing else: `try` makes `.venv`, `test` makes
what it needs below `.nox`. What is there already and still fits is used again.
"""

import argparse
import hashlib
import importlib.util
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator, Sequence
from pathlib import Path

# This comes before any annotation is evaluated, so that an old Python gets as far as the sentence.
if sys.version_info < (3, 11):  # noqa: UP036 - people run this with whatever `python3` is
    sys.exit(
        f"pydocs needs Python 3.11 or newer and this is {sys.version.split()[0]}: "
        "run it again with a newer one, for example `python3.12 bootstrap.py try`."
    )

ROOT = Path(__file__).resolve().parent
PARTS = ("native", "server", "builder")
QUESTION = "how is a bundle checked before it is used?"
PYTEST_CLOSING = re.compile(r"\d+ (?:passed|failed|errors?|skipped)\b.* in \d+\.\d+s")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    commands = argparse.ArgumentParser(prog="bootstrap.py", description=__doc__)
    chosen = commands.add_subparsers(dest="command", required=True)
    chosen.add_parser("setup", help="make .venv with the commands pydocs-build and pydocs-mcp")
    trial = chosen.add_parser("try", help="set up, index this repository, answer a question")
    trial.add_argument("question", nargs="?", default=QUESTION)
    chosen.add_parser("test", help="run every check, or what follows tells nox: -s lint")
    return commands


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and gives its exit status."""
    typed = list(sys.argv[1:] if argv is None else argv)
    # What follows `test` is nox's own command line.
    for_nox = typed[1:] if typed[:1] == ["test"] else []
    arguments = parser().parse_args(typed[: len(typed) - len(for_nox)])
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr] # both are text files here
    if importlib.util.find_spec("ensurepip") is None:
        sys.exit(
            f"{sys.executable} has no `ensurepip`, so it cannot make environments: install your "
            "system's venv package (Debian, Ubuntu: `apt install python3-venv`) and run this again."
        )
    if arguments.command == "test":
        return run_nox(for_nox)
    commands = install_product().parent
    if arguments.command == "setup":
        say(f"The commands are in {commands}.")
        return 0
    return try_product(commands, arguments.question)


def try_product(commands: Path, question: str) -> int:
    """Indexes this repository with all it pins, asks one question, and says how to go on."""
    bundles = str(ROOT / "artifacts" / "*.pdx")
    mcp = str(commands / "pydocs-mcp")
    built = show([str(commands / "pydocs-build"), ".", "--out", "artifacts/"])
    if not any((ROOT / "artifacts").glob("*.pdx")):
        return built or 1
    answered = show([mcp, "search", question, "--bundle", "artifacts/*.pdx"])
    serve = {"command": mcp, "args": ["serve", "--bundle", bundles]}
    say(
        f"Ask something else:      {mcp} search 'your question' --bundle '{bundles}'\n"
        f"Build another project:   {commands / 'pydocs-build'} PROJECT --out FOLDER\n"
        f"Give it to an assistant: {json.dumps({'mcpServers': {'pydocs': serve}})}"
    )
    return answered


def run_nox(arguments: Sequence[str]) -> int:
    """Runs the nox sessions and repeats pytest's closing line at the very end."""
    folder = ROOT / ".nox" / "nox"
    python = make_environment(folder, ["nox"])
    environment = clean_environment(python.parent)
    if not rust_problem():
        say("The checks and tests take some minutes; Rust is compiled first.")
    else:
        say_without_rust()
        environment["PYDOCS_NATIVE"] = "python"
    backend = choose_installer(python, environment)
    command = [str(python), "-m", "nox", "--default-venv-backend", backend, *arguments]
    closing = ""
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            sys.stdout.write(line)
            sys.stdout.flush()
            if PYTEST_CLOSING.search(line):
                closing = line
    sys.stdout.write(closing)
    return process.returncode


def install_product() -> Path:
    """Makes `.venv` with the three distributions; gives its Python."""
    folder = ROOT / ".venv"
    problem = rust_problem()
    python = make_environment(folder, ["run", "build"])
    stamp = folder / "pydocs-parts"
    wanted = digest(
        path
        for part in (*PARTS, "Cargo.toml", "Cargo.lock")
        for path in sorted([ROOT / part, *(ROOT / part).rglob("*")])
        if "__pycache__" not in path.parts and path.suffix not in {".so", ".pyd"}
    )
    wanted += " twins" if problem else " rust"
    if stamp.is_file() and stamp.read_text("utf-8") == wanted:
        return python
    environment = clean_environment(python.parent)  # where maturin is
    if problem:
        say_without_rust()
        environment["PYDOCS_NATIVE"] = "python"
    else:
        say("Compiling the Rust part: about a minute the first time …")
        environment.setdefault("CARGO_TARGET_DIR", str(ROOT / "target"))
    pip = [str(python), "-m", "pip", "install", "--quiet", "--no-deps", "--force-reinstall"]
    # The build backends are in the locks with their hashes: isolation would fetch them unchecked.
    parts = [str(ROOT / part) for part in PARTS]
    if subprocess.run(
        [*pip, "--no-build-isolation", *parts], check=False, env=environment
    ).returncode:
        sys.exit(
            "The parts could not be installed, for the reason above. If it is the Rust toolchain, "
            "set PYDOCS_NATIVE=python and run this again: the Python twins give the same answers."
        )
    stamp.write_text(wanted, "utf-8")
    return python


def make_environment(folder: Path, locks: Sequence[str]) -> Path:
    """Makes a virtual environment with exactly what the locks list; gives its Python."""
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = folder / "pydocs-locks"
    files = [ROOT / "requirements" / f"{lock}.txt" for lock in locks]
    wanted = f"{sys.version} {sys.base_prefix} {digest(iter(files))}"
    if stamp.is_file() and stamp.read_text("utf-8") == wanted and python.exists():
        return python
    say(f"Setting up {folder.relative_to(ROOT)} …")
    venv.create(folder, clear=True, with_pip=True, symlinks=os.name != "nt")
    requirements = [word for file in files for word in ("-r", str(file))]
    pip = [str(python), "-m", "pip", "install", "--quiet", "--require-hashes"]
    if subprocess.run([*pip, *requirements], check=False, env=clean_environment()).returncode:
        sys.exit(f"What {folder.name} needs could not be installed, for the reason above.")
    stamp.write_text(wanted, "utf-8")
    return python


def rust_problem() -> str:
    """Why the Rust part is not compiled here, a clause; empty where it is."""
    if os.environ.get("PYDOCS_NATIVE") == "python":
        return "PYDOCS_NATIVE=python is set"
    cargo = shutil.which("cargo")
    if cargo is None:
        return "there is no Rust toolchain (`cargo`) on PATH"
    manifest = (ROOT / "Cargo.toml").read_text("utf-8")
    wanted = re.search(r'^rust-version = "([\d.]+)"', manifest, re.MULTILINE)
    answer = subprocess.run(
        [cargo, "--version"], check=False, capture_output=True, text=True, cwd=ROOT
    )
    found = re.match(r"cargo ([\d.]+)", answer.stdout)
    if wanted is None or found is None:
        return "`cargo --version` does not work"
    if numbers(found[1]) < numbers(wanted[1]):
        return f"the Rust toolchain is {found[1]}, and {wanted[1]} is needed"
    return ""


def numbers(version: str) -> list[int]:
    """`1.95.0` as numbers, to compare."""
    return [int(number) for number in version.split(".") if number]


def say_without_rust() -> None:
    """Says that the twins are used, and why."""
    say(f"Going on with the Python twins, slower and with the same answers: {rust_problem()}.")


def choose_installer(python: Path, environment: dict[str, str]) -> str:
    """Quick uv, told of pip's certificates; or pip (`venv`), where only pip knows the index."""
    command = [str(python), "-m", "pip", "config", "list"]
    listed = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    if "index-url" in listed and "UV_DEFAULT_INDEX" not in environment:
        return "venv"
    certificates = re.search(r"""\.cert=['"](.+)['"]""", listed)
    if certificates:
        environment.setdefault("SSL_CERT_FILE", certificates[1])
    return "uv"


def clean_environment(*commands: Path) -> dict[str, str]:
    """The environment without what would mix another Python's packages into ours.

    Args:
        commands: folders to look for commands in before all others.
    """
    dropped = {"PYTHONHOME", "PYTHONPATH", "PIP_USER", "PIP_TARGET", "PIP_PREFIX", "VIRTUAL_ENV"}
    kept = {key: value for key, value in os.environ.items() if key not in dropped}
    kept["PATH"] = os.pathsep.join([*map(str, commands), os.environ.get("PATH", os.defpath)])
    return {**kept, "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_REQUIRE_VIRTUALENV": "0"}


def digest(files: Iterator[Path]) -> str:
    """One hash over the names and bytes of files; folders and missing ones count for nothing."""
    total = hashlib.sha256()
    for path in files:
        if path.is_file():
            content = hashlib.sha256(path.read_bytes()).hexdigest()
            total.update(f"{path.relative_to(ROOT).as_posix()} {content}\n".encode())
    return total.hexdigest()


def show(command: Sequence[str]) -> int:
    """Shows a command as typed at the root of the checkout, runs it there, gives its status."""
    say(f"$ {shlex.join([Path(command[0]).name, *command[1:]])}")
    return subprocess.run(command, check=False, cwd=ROOT, env=clean_environment()).returncode


def say(sentence: str) -> None:
    """Talks to the person at the terminal, apart from the answers."""
    print(f"\n{sentence}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
