"""`pydocs-mcp serve`: mounts beside the import of the SDK, then speaks MCP until input ends."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from types import FrameType
from typing import Final

from pydocs_bundle.errors import ExitCode
from pydocs_server.mounted.loading import load_beside
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.shelf import Shelf
from pydocs_server.wired.pipes import claim

__all__ = ["serve"]

_LOOK_S: Final = 1.0


def serve(
    patterns: Sequence[str] | None,
    *,
    strict: bool = False,
    projects: Sequence[str] = (),
    toolsets: Sequence[str] = (),
) -> None:
    """Serves the bundles over standard input and output until input ends.

    Args:
        patterns: the bundles; without live projects and without any, those found by default.
        strict: a bundle that is refused is an error.
        projects: folders of live projects, whose bundles others keep built.
        toolsets: the sets of tools to offer beside the nine.

    Raises:
        PydocsError: nothing could be mounted, or with `strict`, not all of it.
    """
    pipes = claim()
    # Nearly all that imports make stays; looking through it again and again costs a tenth of them.
    gc.disable()
    for each in (signal.SIGTERM, signal.SIGINT):
        signal.signal(each, _stop)
    _end_with_parent()
    with ThreadPoolExecutor(1) as pool:
        mounting = pool.submit(_ready, patterns, projects, strict=strict)
        # The SDK takes most of the time to the first answer; mounting is done meanwhile.
        from pydocs_server.wired import mcp_server  # noqa: PLC0415
        from pydocs_server.wired.toolsets import tools_with  # noqa: PLC0415

        shelf = mounting.result()
    gc.freeze()
    gc.enable()
    try:
        mcp_server.run(shelf, pipes, tools_with(toolsets))
    finally:
        shelf.close()


def _ready(patterns: Sequence[str] | None, projects: Sequence[str], *, strict: bool) -> Shelf:
    """A shelf that searches by words at once, and by meaning as soon as the model is loaded."""
    if projects:
        from pydocs_server.live.following import followed  # noqa: PLC0415 - most serve none
        from pydocs_server.live.projects import projects as found  # noqa: PLC0415

        return followed(found(projects), patterns or ())
    catalog = mount(patterns, strict=strict)
    from pydocs_server.answered import search  # noqa: F401, PLC0415 - what nearly every client calls first

    for warning in catalog.warnings:
        _say(warning)
    _ = catalog.postings
    shelf = Shelf(catalog)
    load_beside(shelf, _say)
    return shelf


def _say(sentence: str) -> None:
    print(f"pydocs-mcp: {sentence}", file=sys.stderr)  # noqa: T201


def _end_with_parent() -> None:
    """Lets the server end when the client is gone, though another process holds its pipes open."""
    parent = os.getppid()
    if os.name != "posix" or parent == 1:
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(_LOOK_S)
        os._exit(ExitCode.OK)

    threading.Thread(target=watch, daemon=True).start()


def _stop(number: int, _: FrameType | None) -> None:
    """Ends at once: nothing is half-written, and a thread may be waiting for input for ever."""
    os._exit(ExitCode.OK if number == signal.SIGTERM else 128 + number)
