"""The first search over stdio: it does not wait for a model that takes its time."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from pydocs_builder.embedded.choice import choose_encoder
from pydocs_builder.embedded.embed import embed
from pydocs_bundle import file_name, write_bundle
from pydocs_bundle.records import BundleContent

SLOW_DISK = """
import os, time
from pydocs_bundle import Bundle

read = Bundle.model.func

def read_slowly(bundle):
    while not os.path.exists(os.environ["MODEL_MAY_BE_READ"]):
        time.sleep(0.02)
    return read(bundle)

Bundle.model = property(read_slowly)
"""
BY_WORDS = "Searched by words alone: a@1 (the encoder is still being loaded)."


def test_it_is_answered_by_words_and_a_later_one_by_meaning(
    tmp_path: Path, tiny_encoder: Path, content_of: Callable[..., BundleContent]
) -> None:
    folder, patches, mark = tmp_path / "bundles", tmp_path / "patches", tmp_path / "mark"
    folder.mkdir()
    patches.mkdir()
    place = Path(shutil.copyfile(tiny_encoder, folder / tiny_encoder.name))
    chosen = choose_encoder(str(place), tmp_path, tmp_path, print).encoder
    assert chosen is not None
    content = content_of("a", "1", {"a.py": 'def close():\n    """Ends it all."""\n'})
    about = {"name": "tiny", "identity": chosen.identity, "dimensions": "32"}
    vectors = embed(content, chosen)
    path = folder / file_name("a", "1")
    write_bundle(path, content, builder={}, vectors=vectors, encoder=about)
    (patches / "sitecustomize.py").write_text(SLOW_DISK, "utf-8")
    paths = os.pathsep.join(filter(None, (str(patches), os.environ.get("PYTHONPATH", ""))))
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "pydocs_server", "serve", "--bundle", str(folder)],
        env={**os.environ, "PYTHONPATH": paths, "MODEL_MAY_BE_READ": str(mark)},
    )

    async def conversation() -> None:
        async with Client(server, read_timeout_seconds=60) as client:
            arguments = {"query": "what ends it all"}
            first = await client.call_tool("search_codebase", arguments)
            assert "close" in said(first)
            assert said(first).endswith(BY_WORDS)
            assert searched_by(first) == "words"
            mark.touch()
            deadline = time.monotonic() + 30
            while True:
                later = await client.call_tool("search_codebase", arguments)
                if searched_by(later) == "words and meaning" or time.monotonic() > deadline:
                    break
                await asyncio.sleep(0.05)
            assert searched_by(later) == "words and meaning"
            assert "by words" not in said(later)

    asyncio.run(conversation())


def said(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


def searched_by(result: CallToolResult) -> object:
    assert isinstance(result.structured_content, dict)
    return result.structured_content["searched_by"]
