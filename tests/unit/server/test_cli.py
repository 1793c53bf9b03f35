from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from pydocs_bundle.errors import ExitCode
from pydocs_server.cli import main, parser

DOCUMENTED = Path(__file__).parents[3] / "docs" / "cli.md"


def _subparsers() -> dict[str, argparse.ArgumentParser]:
    (action,) = (
        action
        for action in parser()._actions  # noqa: SLF001 - argparse tells it in no other way
        if isinstance(action, argparse._SubParsersAction)  # noqa: SLF001
    )
    return dict(action.choices)


def _options(command: argparse.ArgumentParser) -> set[str]:
    actions = command._actions  # noqa: SLF001
    return {option for action in actions for option in action.option_strings}


def _documented() -> dict[str, set[str]]:
    """The options that the documentation lists for each command."""
    parts = re.split(
        r"^### `pydocs-mcp ([\w-]+)", DOCUMENTED.read_text("utf-8"), flags=re.MULTILINE
    )
    option = re.compile(r"(?<=`)--?[a-zA-Z][\w-]*")
    everywhere = set(option.findall(parts[0])) - {"--version"}
    return {
        name: everywhere | set(option.findall(text.partition("\n## ")[0]))
        for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }


def test_every_option_is_documented_and_every_documented_one_exists() -> None:
    assert {name: _options(command) for name, command in _subparsers().items()} == _documented()


def test_search_prints_the_answer(bundles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "httpq.Client", "--bundle", str(bundles)]) == ExitCode.OK
    assert (
        "httpq.Client(BaseClient)  class  httpq@0.28.1/httpq/_client.py:12"
        in capsys.readouterr().out
    )


def test_json_is_one_line_for_a_program(bundles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "safe_load", "--json", "--bundle", str(bundles)]) == ExitCode.OK

    output = capsys.readouterr().out
    assert output.count("\n") == 1
    assert json.loads(output)["results"][0]["public_name"] == "yamp.safe_load"


def test_several_words_are_one_query(bundles: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["search", "parse", "yaml", "safely", "--json", "--bundle", str(bundles)])

    assert json.loads(capsys.readouterr().out)["query"] == "parse yaml safely"


def test_one_bundle_option_takes_what_the_shell_made_of_a_glob(
    bundles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = sorted(map(str, bundles.glob("*.pdx")))

    assert main(["overview", "--bundle", *files, "--json"]) == ExitCode.OK
    assert len(json.loads(capsys.readouterr().out)["packages"]) == 7
    assert main(["search", "--bundle", *files, "Client"]) == ExitCode.OK


def test_a_miss_has_its_status_and_its_sentence(
    bundles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["symbol", "httpq.Cleint", "--bundle", str(bundles)]) == ExitCode.NOT_FOUND

    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("pydocs-mcp: 'httpq.Cleint' is not in what is mounted. Closest: ")
    assert output.err.count("\n") == 1


def test_a_miss_in_json_names_the_closest(
    bundles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["symbol", "httpq.Cleint", "--json", "--bundle", str(bundles)])

    assert json.loads(capsys.readouterr().out)["closest"][0] == "httpq.Client"


def test_no_bundle_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["search", "x", "--bundle", str(tmp_path)]) == ExitCode.USAGE
    assert "pydocs-build PROJECT --out artifacts/" in capsys.readouterr().err


def test_strict_gives_the_status_of_a_bad_bundle(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.pdx").write_bytes(b"bad")

    assert main(["search", "x", "--strict", "--bundle", str(tmp_path)]) == ExitCode.BAD_BUNDLE
    assert "bad.pdx" in capsys.readouterr().err


def test_warnings_do_not_touch_the_answer(
    bundles: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.pdx").write_bytes(b"bad")

    main(["overview", "--json", "--bundle", str(bundles), "--bundle", str(tmp_path / "bad.pdx")])

    output = capsys.readouterr()
    assert json.loads(output.out)
    assert "(skipped)" in output.err


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["dance"],
        ["search"],
        ["search", "x", "--limit", "many"],
        ["symbol", "x", "--depth", "?"],
    ],
)
def test_wrong_usage_exits_with_its_status(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == ExitCode.USAGE


def test_an_unknown_option_shows_what_the_command_takes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["grep", "x", "--package", "rich"])
    said = capsys.readouterr().err
    assert "--package" in said
    assert "--path" in said


def _run(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "pydocs_server", *arguments],
        capture_output=True,
        env={**os.environ, **environment},
        check=False,
        timeout=60,
    )


def test_output_is_utf8_whatever_the_locale(bundles: Path) -> None:
    ended = _run(
        "search", "日本語 ü", "--bundle", str(bundles), PYTHONIOENCODING="cp1252", LC_ALL="C"
    )

    assert ended.returncode == ExitCode.OK
    assert "日本語 ü" in ended.stdout.decode("utf-8")


def test_a_reader_that_stops_early_is_no_error(bundles: Path) -> None:
    command = [sys.executable, "-m", "pydocs_server", "overview", "--bundle", str(bundles)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
        assert process.wait() == ExitCode.OK


def test_a_cold_search_imports_nothing_heavy(bundles: Path) -> None:
    program = (
        "import sys; from pydocs_server.cli import main; "
        "main(['search', 'client timeout', '--bundle', sys.argv[1]]); "
        "print(*sys.modules, file=sys.stderr)"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program, str(bundles)], capture_output=True, check=True
    )
    heavy = {"apsw", "asyncio", "importlib.metadata", "mcp", "packaging", "rich", "difflib"}
    heavy |= {"dataclasses", "email", "inspect", "pydocs_builder", "sqlite3", "unittest"}

    assert not heavy & set(ended.stderr.decode().split())
