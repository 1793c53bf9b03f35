"""What the documentation tells clients to write is well-formed and starts our server."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any, Final

import jsonschema
import pytest
from ruamel.yaml import YAML

from pydocs_server.command_line import parser

ROOT: Final = Path(__file__).resolve().parents[2]
BLOCK: Final = re.compile(r"^```(json|toml|yaml)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS: Final = BLOCK.findall((ROOT / "docs" / "clients.md").read_text("utf-8"))
CLIENTS: Final = ("Claude Code", "Claude Desktop", "Cursor", "VS Code", "Codex", "Continue")

# What registries insist on, of revision 2025-12-11.
ARGUMENT: Final = {
    "type": "object",
    "properties": {"type": {"enum": ["positional", "named"]}, "format": {"enum": ["filepath"]}},
    "required": ["type"],
    "anyOf": [{"required": ["name"]}, {"required": ["value"]}, {"required": ["valueHint"]}],
}
SERVER: Final = {
    "type": "object",
    "required": ["$schema", "name", "description", "version", "packages"],
    "properties": {
        "name": {"type": "string", "pattern": "^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$", "minLength": 3},
        "title": {"type": "string", "minLength": 1, "maxLength": 100},
        "description": {"type": "string", "minLength": 1, "maxLength": 100},
        "version": {"type": "string", "pattern": r"^\d+\.\d+\.\d+", "maxLength": 255},
        "packages": {
            "type": "array",
            "minItems": 1,
            "items": {
                "type": "object",
                "required": ["registryType", "identifier", "version", "transport"],
                "properties": {
                    "transport": {"properties": {"type": {"const": "stdio"}}, "required": ["type"]},
                    "packageArguments": {"type": "array", "items": ARGUMENT},
                    "environmentVariables": {"type": "array", "items": {"required": ["name"]}},
                },
            },
        },
    },
}


def parsed(language: str, text: str) -> Any:  # noqa: ANN401 - whatever a client's file holds
    if language == "json":
        return json.loads(text)
    return tomllib.loads(text) if language == "toml" else YAML(typ="safe").load(text)


def servers(written: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    tables = [written[key] for key in ("mcpServers", "servers", "mcp_servers") if key in written]
    (table,) = tables
    return list(table.values()) if isinstance(table, dict) else table


def test_each_client_has_its_block() -> None:
    text = (ROOT / "docs" / "clients.md").read_text("utf-8")
    for client in CLIENTS:
        assert BLOCK.search(text.partition(f"\n## {client}\n")[2].partition("\n## ")[0])


@pytest.mark.parametrize(("language", "text"), BLOCKS)
def test_a_block_starts_our_server_as_it_can_be_started(language: str, text: str) -> None:
    for server in servers(parsed(language, text)):
        if "url" in server:
            assert server["url"].endswith("/mcp")
            continue
        assert Path(server["command"]).name == "pydocs-mcp"
        typed = parser().parse_args(server["args"])
        assert typed.command == "serve"
        assert typed.bundle or typed.paths


def test_the_description_for_registries_is_what_they_take() -> None:
    described = json.loads((ROOT / "server.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(SERVER).validate(described)
    project = tomllib.loads((ROOT / "server" / "pyproject.toml").read_text("utf-8"))["project"]
    (package,) = described["packages"]
    assert package["identifier"] == project["name"]
    assert described["version"] == package["version"] == project["version"]
    words = [each.get("value") or each["name"] for each in package["packageArguments"]]
    assert parser().parse_args([*words, "x.pdx"]).command == "serve"
