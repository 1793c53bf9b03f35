"""Live projects as their users know them: served from a folder, and following its files."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, TextContent

from pydocs_server.mounted.mount import mount

MCP: Final = [sys.executable, "-m", "pydocs_server"]
PATIENCE_S: Final = 120


@pytest.fixture
def project(sample_project: Path, tmp_path: Path) -> Path:
    """A copy of the sample project that a test may change."""
    return Path(shutil.copytree(sample_project, tmp_path / "shop"))


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return dict(os.environ) | {"XDG_CACHE_HOME": str(tmp_path / "caches")}


def index(env: dict[str, str], *words: object) -> dict[str, Any]:
    command = [*MCP, "index", *map(str, words), "--json"]
    done = subprocess.run(command, env=env, check=True, capture_output=True, timeout=300)
    summary = json.loads(done.stdout)
    assert isinstance(summary, dict)
    return summary


def fates(summary: dict[str, Any]) -> dict[str, str]:
    return {each["name"]: each["fate"] for each in summary["bundles"]}


def text_of(result: CallToolResult) -> str:
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


@contextlib.asynccontextmanager
async def client(env: dict[str, str], *words: object) -> Any:  # noqa: ANN401
    server = StdioServerParameters(
        command=MCP[0], args=[*MCP[1:], "serve", *map(str, words)], env=env
    )
    async with Client(server, read_timeout_seconds=PATIENCE_S) as talking:
        yield talking


async def symbol(talking: Client, name: str, **more: object) -> str:
    return text_of(await talking.call_tool("get_symbol", {"target": name, **more}))


async def until(talking: Client, name: str, wanted: str) -> str:
    deadline = time.monotonic() + PATIENCE_S
    while wanted not in (text := await symbol(talking, name)):
        assert time.monotonic() < deadline, text
        await asyncio.sleep(0.1)
    return text


def test_an_unchanged_project_is_only_looked_at(project: Path, env: dict[str, str]) -> None:
    assert set(fates(index(env, project)).values()) == {"built"}
    assert set(fates(index(env, project)).values()) == {"reused"}
    (project / "shop" / "extra.py").write_text('"""More."""\n', "utf-8")
    again = fates(index(env, project))
    assert again.pop("shop") == "built"
    assert set(again.values()) == {"reused"}
    assert set(fates(index(env, project, "--force")).values()) == {"built"}


def test_its_encoder_is_kept_and_mounted_beside_it(
    project: Path, env: dict[str, str], tiny_encoder: Path
) -> None:
    env |= {"PYDOCS_ENCODER": str(tiny_encoder)}
    for _ in range(2):
        summary = index(env, project)
        assert summary["encoder"] == tiny_encoder.name
        assert not [note for note in summary["notes"] if "other builds" in note]
        (listing,) = Path(env["XDG_CACHE_HOME"]).glob("pydocs/projects/*/listing.json")
        files = [
            listing.parent / name for name in json.loads(listing.read_text("utf-8"))["bundles"]
        ]
        with mount([*map(str, files)], strict=True) as catalog:
            assert catalog.semantics.meaning is not None
            assert catalog.semantics.by_words == ()


def test_the_project_itself_can_be_left_out(project: Path, env: dict[str, str]) -> None:
    assert "shop" not in fates(index(env, project, "--skip-project"))


def test_calls_are_answered_as_soon_as_the_first_index_is_there(
    project: Path, env: dict[str, str]
) -> None:
    async def main() -> None:
        async with client(env, project) as talking:
            # A call waits for it, and on a slow machine is told to be made again.
            await until(talking, "shop.total", "The sum of prices in cents.")
            assert "class Version" in await symbol(talking, "packaging.version.Version")

    asyncio.run(main())


def test_answers_say_when_the_files_differ(project: Path, env: dict[str, str]) -> None:
    orders = project / "shop" / "_orders.py"

    async def main() -> None:
        async with client(env, project) as talking:
            assert "Note:" not in await until(talking, "shop.total", "in cents")
            orders.touch()
            await asyncio.sleep(2.1)
            assert "Note:" not in await symbol(talking, "shop.total")
            orders.write_text(orders.read_text("utf-8").replace("in cents", "in pence"), "utf-8")
            (project / "shop" / "new.py").write_text("", "utf-8")
            await asyncio.sleep(2.1)
            result = await talking.call_tool("get_symbol", {"target": "shop.total"})
            assert "shop/_orders.py and 1 more file changed" in text_of(result)
            assert "in cents" in text_of(result)
            assert result.structured_content["notice"].startswith("Note:")
            # Whoever indexes meanwhile is followed.
            await asyncio.to_thread(index, env, project)
            text = await until(talking, "shop.total", "in pence")
            assert "Note:" not in text

    asyncio.run(main())


def test_watching_follows_edits_without_dropping_a_call(project: Path, env: dict[str, str]) -> None:
    orders = project / "shop" / "_orders.py"

    async def main() -> None:
        async with client(env, project, "--watch") as talking:
            await until(talking, "shop.total", "in cents")
            edited = False

            async def keep_asking() -> int:
                asked = 0
                while not edited:
                    result = await talking.call_tool("get_symbol", {"target": "shop.Order"})
                    assert not result.is_error, text_of(result)
                    asked += 1
                return asked

            asking = asyncio.create_task(keep_asking())
            orders.write_text(orders.read_text("utf-8").replace("in cents", "in pence"), "utf-8")
            await until(talking, "shop.total", "in pence")
            (project / "pyproject.toml").write_text("[project\n", "utf-8")
            (project / "shop" / "late.py").write_text('def late():\n    """Late."""\n', "utf-8")
            await until(talking, "shop.late.late", "Late.")
            edited = True
            assert await asking > 0

    asyncio.run(main())


def test_several_projects_are_answered_together_or_one_by_name(
    project: Path, env: dict[str, str], tmp_path: Path
) -> None:
    other = tmp_path / "bakery"
    (other / "bakery").mkdir(parents=True)
    (other / "pyproject.toml").write_text(
        '[project]\nname = "bakery"\nversion = "2"\ndependencies = ["packaging"]\n', "utf-8"
    )
    (other / "bakery" / "__init__.py").write_text(
        'def total() -> int:\n    """Loaves of bread."""\n', "utf-8"
    )

    async def main() -> None:
        async with client(env, project, other) as talking:
            await until(talking, "shop.total", "cents")
            assert "Loaves" in await symbol(talking, "bakery.total")
            question = {"query": "total", "kind": "api", "project": "bakery", "scope": "project"}
            found = (await talking.call_tool("search_codebase", question)).structured_content
            assert {each["package"] for each in found["results"]} == {"bakery"}

    asyncio.run(main())


@pytest.fixture
def watching(project: Path, env: dict[str, str]) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        [*MCP, "watch", str(project), "--json"], env=env, stdout=subprocess.PIPE
    )
    yield process
    process.kill()
    process.communicate()


def test_watch_builds_again_after_each_change(
    project: Path, watching: subprocess.Popen[bytes]
) -> None:
    assert watching.stdout is not None
    assert fates(json.loads(watching.stdout.readline()))["shop"] == "built"
    (project / "README.md").write_text("# Shop\n\nAll new.\n", "utf-8")
    again = fates(json.loads(watching.stdout.readline()))
    assert again.pop("shop") == "built"
    assert set(again.values()) == {"reused"}


def test_a_folder_that_is_none_is_said_in_a_sentence(env: dict[str, str], tmp_path: Path) -> None:
    for command in ("index", "serve", "watch"):
        done = subprocess.run(
            [*MCP, command, str(tmp_path / "none")],
            env=env,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 2
        assert "is no folder of a project" in done.stderr
