"""Having a live project's bundles built: the builder is another program, which may not be there."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Final

from pydocs_bundle.errors import ExitCode, PydocsError, UsageError
from pydocs_server.live.projects import Project, write_listing

__all__ = ["BuildError", "build", "builds", "require_builder"]

_BUILDER: Final = "pydocs_builder"


class BuildError(PydocsError):
    """A project's bundles could not be built; the builder has said why."""

    exit_code = ExitCode.FAILED

    def __init__(self, project: Project) -> None:
        super().__init__(f"{project.root}: no bundle could be built; what is above says why.")


def require_builder() -> None:
    """Makes sure that the builder is installed beside the server.

    Raises:
        UsageError: it is not.
    """
    if importlib.util.find_spec(_BUILDER) is None:
        raise UsageError(
            "Live projects need the builder beside the server: install pydocs-builder here, or"
            " build bundles elsewhere and name them with --bundle."
        )


def build(project: Project, options: Sequence[str] = ()) -> dict[str, object]:
    """Builds what has changed, lists what counts now, and gives the builder's summary.

    Raises:
        BuildError: nothing could be built.
    """
    done = subprocess.run(  # noqa: S603 - the builder that is installed here
        _command("build", project, options),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=False,
    )
    summary = _summary(done.stdout)
    if summary is None or done.returncode not in (ExitCode.OK, ExitCode.PARTIAL):
        raise BuildError(project)
    _list(project, summary)
    return summary


def builds(project: Project, options: Sequence[str] = ()) -> Iterator[dict[str, object]]:
    """The summaries of a build now and one after each change, until the builder ends."""
    with subprocess.Popen(  # noqa: S603 - the same
        _command("watch", project, options), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE
    ) as process:
        try:
            for line in process.stdout or ():
                summary = _summary(line)
                if summary is not None:
                    _list(project, summary)
                    yield summary
        finally:
            process.terminate()


def _command(what: str, project: Project, options: Sequence[str]) -> list[str]:
    folder = str(project.folder)
    project.folder.mkdir(parents=True, exist_ok=True)
    made = [sys.executable, "-m", _BUILDER, what, str(project.root), "--out", folder, "--json"]
    return [*made, *options]


def _summary(line: bytes) -> dict[str, object] | None:
    try:
        stated = json.loads(line)
    except ValueError:
        return None
    return stated if isinstance(stated, dict) and "bundles" in stated else None


def _list(project: Project, summary: dict[str, object]) -> None:
    rows = summary["bundles"]
    if isinstance(rows, list):
        files = [row["file"] for row in rows if isinstance(row, dict) and row.get("file")]
        if files:
            # The encoder that made their vectors; without it they are searched by words alone.
            encoder = summary.get("encoder")
            files += [encoder] if encoder else []
            write_listing(project, files)
