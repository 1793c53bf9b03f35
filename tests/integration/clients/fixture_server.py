"""Our server over HTTP with the conformance suite's tools beside its own: BUNDLES PORT."""

from __future__ import annotations

import sys
import time

import uvicorn

from pydocs_bundle.errors import UsageError
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.mounted.shelf import Shelf
from pydocs_server.rendered.answer import Answer
from pydocs_server.underway import CALL
from pydocs_server.wired.http_app import http_app
from pydocs_server.wired.http_guard import Guard
from pydocs_server.wired.tools import TOOLS, Tool


def test_simple_text(catalog: Catalog) -> Answer:
    """A text."""
    assert catalog
    text = "This is a simple text response for testing."
    return Answer(text, {"text": text})


def test_error_handling(catalog: Catalog) -> Answer:
    """Nothing but an error."""
    assert catalog
    raise UsageError("This tool intentionally returns an error for testing")


def test_tool_with_progress(catalog: Catalog) -> Answer:
    """A text, after it has told how far it is."""
    assert catalog
    for done in (0, 50, 100):
        time.sleep(1.1)
        CALL.get().report(done, 100, f"{done} of 100")
    return Answer("Done.", {"text": "Done."})


FIXTURE_TOOLS = {
    name: Tool(name, name, "One of the conformance suite's tools.", (), "__main__")
    for name in ("test_simple_text", "test_error_handling", "test_tool_with_progress")
}
"""The tools by name."""

if __name__ == "__main__":
    bundles, port = sys.argv[1:]
    app = http_app(Shelf(mount([bundles])), Guard(), {**TOOLS, **FIXTURE_TOOLS})
    uvicorn.run(app, host="127.0.0.1", port=int(port), log_level="warning")
