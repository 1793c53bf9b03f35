"""Pictures of references: every edge once, and no name that ends its label."""

from __future__ import annotations

from pathlib import Path

import pytest

from pydocs_bundle.errors import ExitCode
from pydocs_server.answered.references import get_references
from pydocs_server.cli import main
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.rendered.pictures import Arc, dot, mermaid, picture, references_picture


def test_callers_point_at_the_target_and_tests_are_dashed(graph: Catalog) -> None:
    drawn = references_picture(get_references(graph, "app.main.run").structured)

    assert drawn.arcs == (
        Arc("app.main.ping", "app.main.run"),
        Arc("tests.test_app.test_run", "app.main.run"),
    )
    assert dot(drawn) == (
        "digraph references {\n"
        "    rankdir=LR;\n"
        "    node [shape=box];\n"
        '    n0 [label="app.main.run", style="bold"];\n'
        '    n1 [label="app.main.ping"];\n'
        '    n2 [label="tests.test_app.test_run", style="dashed"];\n'
        "    n1 -> n0;\n"
        "    n2 -> n0;\n"
        "}"
    )


def test_impact_points_at_what_each_symbol_uses(graph: Catalog) -> None:
    drawn = references_picture(get_references(graph, "libq.get", "impact").structured)

    assert Arc("app.main.run", "libq._client.get") in drawn.arcs
    assert Arc("app.main.pong", "app.main.ping") in drawn.arcs


def test_callees_and_bases_are_pointed_at(graph: Catalog) -> None:
    callees = references_picture(get_references(graph, "libq.get", "callees").structured)
    bases = references_picture(get_references(graph, "libq.Client", "inherits").structured)

    assert Arc("libq._client.get", "libq._client.Client") in callees.arcs
    assert Arc("libq._client.Client", "libq._client.Base", "base") in bases.arcs
    assert Arc("app.main.Mine", "libq._client.Client", "subclass") in bases.arcs


@pytest.mark.parametrize("name", ['a"]; click b', "a\n    b --> c", "a\\", "`x`|y{}<z>#quot;"])
def test_no_name_ends_its_label(name: str) -> None:
    drawn = picture([Arc(name, "b", name)], ["b"], [])

    for text, lines in ((mermaid(drawn), 6), (dot(drawn), 7)):
        assert len(text.split("\n")) == lines
        assert "\\" not in text
        assert "`" not in text
        assert text.count('"') % 2 == 0
        assert name not in text


def run(folder: Path, *words: str) -> int:
    return main(["refs", "httpq.get", "--direction", "callees", "--bundle", str(folder), *words])


def test_the_command_writes_pictures_where_it_is_told(
    bundles: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    chart, drawing = tmp_path / "one.mmd", tmp_path / "one.dot"

    assert run(bundles, "--dot", str(drawing), "--mermaid", str(chart)) == ExitCode.OK
    assert drawing.read_text("utf-8").startswith("digraph references {\n")
    assert chart.read_text("utf-8").startswith("flowchart LR\n")
    assert capsys.readouterr().out.startswith("none: no callees of httpq.get")


def test_a_picture_without_a_file_is_the_answer(
    bundles: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(bundles, "--mermaid") == ExitCode.OK
    assert capsys.readouterr().out.startswith('flowchart LR\n    n0["httpq._api.get"]\n')


def test_a_picture_that_cannot_be_written_is_wrong_usage(
    bundles: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(bundles, "--dot", str(tmp_path / "none" / "one.dot")) == ExitCode.USAGE
    assert "cannot be written" in capsys.readouterr().err
