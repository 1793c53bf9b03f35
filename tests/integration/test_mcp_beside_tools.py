"""What a client finds beside the nine tools: resources, completion, further tools, progress."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp_types import INVALID_PARAMS, ResourceTemplateReference, TextResourceContents

ERAS: Final = ("legacy", "2026-07-28")
SYMBOL: Final = "pydocs://symbol/{package}/{name}"


@asynccontextmanager
async def connected(bundles: Path, mode: str = "auto", *options: str) -> AsyncIterator[Client]:
    arguments = ["-m", "pydocs_server", "serve", "--bundle", str(bundles), *options]
    server = StdioServerParameters(command=sys.executable, args=arguments, env=dict(os.environ))
    async with Client(server, mode=mode, read_timeout_seconds=60) as client:
        yield client


@pytest.mark.parametrize("mode", ERAS)
def test_resources_are_listed_completed_and_read(real_bundles: Path, mode: str) -> None:
    async def main() -> None:
        async with connected(real_bundles, mode) as client:
            listed = (await client.list_resources()).resources
            assert "pydocs://package/shop@1.0" in {each.uri for each in listed}
            templates = (await client.list_resource_templates()).resource_templates
            assert SYMBOL in {each.uri_template for each in templates}
            reference = ResourceTemplateReference(uri=SYMBOL)
            packages = await client.complete(reference, {"name": "package", "value": "sh"})
            assert packages.completion.values == ["shop@1.0"]
            names = await client.complete(
                reference,
                {"name": "name", "value": "shop.tot"},
                context_arguments={"package": "shop@1.0"},
            )
            assert names.completion.values == ["shop.total"]
            (content,) = (
                await client.read_resource("pydocs://symbol/shop@1.0/shop.total")
            ).contents
            assert isinstance(content, TextResourceContents)
            assert "The sum of prices in cents." in content.text

    asyncio.run(main())


@pytest.mark.parametrize(("mode", "code"), [(ERAS[0], -32002), (ERAS[1], INVALID_PARAMS)])
def test_a_resource_that_is_not_there_names_the_closest(
    real_bundles: Path, mode: str, code: int
) -> None:
    async def main() -> None:
        async with connected(real_bundles, mode) as client:
            with pytest.raises(MCPError) as caught:
                await client.read_resource("pydocs://symbol/shop@1.0/shop.totall")
            assert caught.value.error.code == code
            assert "shop.total" in caught.value.error.message
            assert (await client.list_tools()).tools

    asyncio.run(main())


def test_further_tools_are_offered_on_request(real_bundles: Path, tmp_path: Path) -> None:
    for version, parameters in (("1.0", "name"), ("2.0", "name, greeting")):
        root = tmp_path / version
        (root / "hello").mkdir(parents=True)
        (root / "pyproject.toml").write_text(
            f'[project]\nname = "hello"\nversion = "{version}"\n', "utf-8"
        )
        (root / "hello" / "__init__.py").write_text(
            f'def greet({parameters}):\n    """Greets."""\n', "utf-8"
        )
        build = [sys.executable, "-m", "pydocs_builder", str(root), "--out", str(tmp_path / "out")]
        subprocess.run(build, check=True, timeout=300)

    async def main() -> None:
        async with connected(real_bundles) as client:
            assert "compare_versions" not in {t.name for t in (await client.list_tools()).tools}
        options = ("--toolset", "versions", "--toolset", "docs")
        async with connected(tmp_path / "out", "auto", *options) as client:
            named = [tool.name for tool in (await client.list_tools()).tools]
            assert named[9:] == ["list_docs", "ask_docs", "reindex", "compare_versions"]
            result = await client.call_tool("compare_versions", {"package": "hello"})
            assert not result.is_error
            assert result.structured_content is not None
            (changed,) = result.structured_content["changed"]
            assert changed["breaks"] == ["greeting is new and required"]
            result = await client.call_tool("compare_versions", {"package": "no such"})
            assert result.is_error

    asyncio.run(main())


@pytest.fixture(scope="session")
def big_bundle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A bundle of so much text that to search it with a slow pattern takes seconds."""
    root = tmp_path_factory.mktemp("big") / "big"
    (root / "big").mkdir(parents=True)
    (root / "pyproject.toml").write_text('[project]\nname = "big"\nversion = "1"\n', "utf-8")
    line = "x = '" + "ab" * 40 + "'\n"
    for number in range(60):
        (root / "big" / f"m{number}.py").write_text(line * 10_000, "utf-8")
    build = [sys.executable, "-m", "pydocs_builder", str(root), "--out", str(root.parent / "out")]
    subprocess.run(build, check=True, timeout=300)
    return root.parent / "out"


# Backtracks over each line, from each of its characters.
SLOW: Final = r"(?=(\w+)\1z)"


def test_a_long_call_says_how_far_it_is(big_bundle: Path) -> None:
    heard: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total, message))

    async def main() -> None:
        async with connected(big_bundle) as client:
            await client.call_tool("grep", {"pattern": SLOW}, progress_callback=hear)

    asyncio.run(main())
    assert heard
    assert [each[0] for each in heard] == sorted(each[0] for each in heard)
    assert all(message and "files searched" in message for _, _, message in heard)


def test_a_cancelled_call_leaves_room_for_the_next(big_bundle: Path) -> None:
    async def main() -> None:
        async with connected(big_bundle) as client:
            # More than can run at once: those that were cancelled must not go on in their threads.
            for _ in range(12):
                with anyio.move_on_after(0.05):
                    await client.call_tool("grep", {"pattern": SLOW})
            with anyio.fail_after(20):
                result = await client.call_tool("get_symbol", {"target": "big.m1"})
            assert not result.is_error

    asyncio.run(main())
