"""The command line of pydocs-build."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from pydocs_builder.cli import main, parser
from pydocs_builder.encoder.published import DEFAULT
from pydocs_builder.version import VERSION
from pydocs_bundle import Bundle
from pydocs_bundle.kinds import Kind
from pydocs_native import Vectors

Write = Callable[[Path, Mapping[str, str]], Path]
Install = Callable[..., Path]
ROOT = Path(__file__).parents[3]


@pytest.fixture
def bundle(tmp_path: Path, write_files: Write, environment: Path) -> Path:
    """The bundle of a project of one file."""
    project = write_files(tmp_path / "shop", {"shop.py": '"""Sells."""\n'})
    out = tmp_path / "out"
    assert main([str(project), "--out", str(out), "--python", str(environment), "-q"]) == 0
    return out / "shop-0.pdx"


def test_the_encoder_is_the_published_one_unless_the_environment_names_another(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert parser().parse_args(["build", "."]).encoder == ""
    monkeypatch.delenv("PYDOCS_ENCODER")
    assert parser().parse_args(["build", "."]).encoder == DEFAULT.name
    assert parser().parse_args(["build", ".", "--no-vectors"]).encoder == ""


def test_bundles_have_vectors_of_the_encoder_that_is_named(
    tmp_path: Path, write_files: Write, environment: Path, tiny_encoder: Path
) -> None:
    project = write_files(tmp_path / "shop", {"shop.py": '"""Sells."""\n'})
    out = tmp_path / "out"
    words = [str(project), "--out", str(out), "--python", str(environment), "-q"]
    words += ["--cache", str(tmp_path / "cache")]
    assert main([*words, "--encoder", str(tiny_encoder)]) == 0
    with Bundle.open(out / "shop-0.pdx") as bundle, Bundle.open(tiny_encoder) as encoder:
        assert bundle.manifest.encoder == encoder.manifest.encoder
        assert Vectors([bundle.vectors]).rows(0) == [(0, Kind.MODULE, 0)]
    assert (out / tiny_encoder.name).read_bytes() == tiny_encoder.read_bytes()
    assert main(["verify", str(out / "shop-0.pdx"), str(out / tiny_encoder.name)]) == 0
    assert main([*words, "--no-vectors"]) == 0
    with Bundle.open(out / "shop-0.pdx") as bundle:
        assert bundle.vectors is None


def test_the_version_is_that_of_the_distribution(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"pydocs-build {VERSION}\n"
    project = tomllib.loads((ROOT / "builder" / "pyproject.toml").read_text())["project"]
    assert project["version"] == VERSION


@pytest.mark.parametrize("argv", [[], ["build"], ["verify"], ["unpack", "x.pdx"], [".", "--nope"]])
def test_wrong_usage_ends_with_status_2(argv: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(argv)
    assert caught.value.code == 2


def test_help_names_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    assert all(command in shown for command in ("build", "verify", "inspect", "unpack"))


def test_a_first_word_that_is_no_command_is_the_project(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr().err.endswith("does not exist; give the folder of a project.\n")


def test_options_may_stand_before_the_project(tmp_path: Path) -> None:
    assert main(["--out", str(tmp_path), str(tmp_path / "nowhere")]) == 2


def test_jobs_must_be_a_number_above_zero() -> None:
    for number in ("0", "-1", "many"):
        with pytest.raises(SystemExit):
            parser().parse_args(["build", ".", "--jobs", number])


def test_json_goes_to_stdout_and_talk_to_stderr(
    tmp_path: Path,
    write_files: Write,
    environment: Path,
    install: Install,
    capsys: pytest.CaptureFixture[str],
) -> None:
    install("alpha")
    project = write_files(tmp_path / "p", {"requirements.txt": "alpha\nbeta\n", "p.py": ""})
    argv = [str(project), "--out", str(tmp_path / "out"), "--python", str(environment), "--json"]
    assert main(argv) == 3
    shown = capsys.readouterr()
    told = json.loads(shown.out)
    assert [(one["name"], one["fate"]) for one in told["bundles"]] == [
        ("p", "built"),
        ("alpha", "built"),
    ]
    assert [(one["name"], one["fate"]) for one in told["requirements"]] == [
        ("alpha", "built"),
        ("beta", "not found"),
    ]
    assert told["exit_status"] == 3
    assert "[2/2]" in shown.err


def test_a_quiet_build_that_went_well_says_nothing(
    bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bundle.exists()
    shown = capsys.readouterr()
    assert shown.out + shown.err == ""


def test_verify_names_the_bundle(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", str(bundle)]) == 0
    assert capsys.readouterr().out.startswith(f"{bundle}: shop 0, ")


def test_verify_goes_on_after_a_bad_bundle_and_its_status_tells(
    bundle: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = bundle.with_name("bad.pdx")
    bad.write_bytes(bundle.read_bytes()[:-1])
    missing = bundle.with_name("missing.pdx")
    assert main(["verify", str(missing), str(bad), str(bundle)]) == 5
    shown = capsys.readouterr()
    assert shown.out.startswith(f"{bundle}: shop 0, ")
    assert [str(path) in shown.err for path in (missing, bad)] == [True, True]


def test_inspect_shows_the_manifest(bundle: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", str(bundle), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["name"] == "shop"
    assert main(["inspect", str(bundle)]) == 0
    assert "name: shop\n" in capsys.readouterr().out


def test_inspect_tells_what_became_of_each_requirement(
    tmp_path: Path, write_files: Write, environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = {"shop.py": "", "requirements.txt": "nowhere-1\n", "requirements-dev.txt": "".join(
        f"nothing-{number:02}\n" for number in range(15)
    )}  # fmt: skip
    project = write_files(tmp_path / "shop", files)
    out = tmp_path / "out"
    assert main([str(project), "--out", str(out), "--python", str(environment), "-q"]) == 3
    capsys.readouterr()
    path = str(out / "shop-0.pdx")
    assert main(["inspect", path]) == 0
    shown = capsys.readouterr().out.partition("requirements:\n")[2]
    assert "  not installed: 15: nothing-00, nothing-01," in shown
    assert "nothing-11 and 3 more (--json lists them)\n" in shown
    assert "  not found: nowhere-1" in shown
    assert main(["inspect", path, "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)["requirements"]
    assert {(row["name"], row["fate"]) for row in rows} == {
        ("nowhere-1", "not found"),
        *((f"nothing-{number:02}", "not installed") for number in range(15)),
    }


@pytest.mark.parametrize("argv", [["inspect", "nowhere.pdx"], ["verify", "nowhere.pdx"]])
def test_a_file_that_is_not_there_gets_a_sentence(
    argv: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 2
    assert "nowhere.pdx: no such file or directory." in capsys.readouterr().err


def test_unpack_gives_the_sources_back(bundle: Path, tmp_path: Path) -> None:
    assert main(["unpack", str(bundle), "--to", str(tmp_path / "plain")]) == 0
    (source,) = (tmp_path / "plain").rglob("shop.py")
    assert source.read_bytes() == b'"""Sells."""\n'


def test_a_traceback_is_shown_on_request(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "pydocs_builder", str(tmp_path / "nowhere")]
    plain = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Traceback" not in plain.stderr
    traced = subprocess.run([*command, "--traceback"], capture_output=True, text=True, check=False)
    assert "Traceback" in traced.stderr


def test_checking_a_bundle_loads_no_planner(bundle: Path) -> None:
    code = (
        "import sys; from pydocs_builder.cli import main\n"
        f"main(['inspect', {str(bundle)!r}]); print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = done.stdout.splitlines()[-1].split()
    assert not {"packaging", "multiprocessing", "rich", "apsw"} & set(loaded)


def test_one_project_at_a_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        words.append(str(tmp_path / name))
    assert main(words) == 2
    assert "one project at a time" in capsys.readouterr().err


def test_a_name_that_is_a_folder_is_the_project(
    tmp_path: Path, write_files: Write, environment: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_files(tmp_path / "shop", {"shop.py": '"""Sells."""\n'})
    monkeypatch.chdir(tmp_path)
    assert main(["shop", "--out", "out", "--python", str(environment), "-q"]) == 0
    assert (tmp_path / "out" / "shop-0.pdx").exists()


def test_what_is_missing_is_told_with_the_command_that_gets_it(
    tmp_path: Path, environment: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["no thing".replace(" ", "-"), "--python", str(environment), "--out", str(tmp_path)]
    assert main(words) == 4
    said = capsys.readouterr().err
    assert f"`pydocs-build no-thing --python {environment} --out {tmp_path} --fetch` gets" in said


def test_a_settings_file_that_is_not_there_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["alpha", "--config", str(tmp_path / "x.toml"), "--out", str(tmp_path / "out")]
    assert main(words) == 2
    assert "x.toml: no such file" in capsys.readouterr().err
