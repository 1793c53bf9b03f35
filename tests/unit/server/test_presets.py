from __future__ import annotations

from pathlib import Path

import pytest

from pydocs_bundle.errors import UsageError
from pydocs_server.mounted.mount import mount
from pydocs_server.ranked.numbers import PRESETS, RANKING
from pydocs_server.ranked.presets import ranking_of


def test_nothing_chosen_is_the_ranking_in_use() -> None:
    assert ranking_of("") == RANKING


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_a_preset_goes_by_its_name(name: str) -> None:
    assert ranking_of(name) == PRESETS[name]


def test_a_file_changes_numbers_of_a_preset(tmp_path: Path) -> None:
    file = tmp_path / "ranking.toml"
    file.write_text('preset = "lexical"\ntest = 0\nname_weights = [1, 2, 3, 4, 5, 6, 7]\n', "utf-8")

    changed = ranking_of(str(file))

    assert changed == PRESETS["lexical"]._replace(
        test=0.0, name_weights=(1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
    )


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("tset = 1", "tset is no number of the ranking"),
        ('test = "much"', "test is 'much'"),
        ("test = -1", "test is -1"),
        ("test = nan", "test is nan"),
        ("test = true", "test is True"),
        ("name_weights = [1]", "name_weights is [1]"),
        ("least_candidates = 0", "least_candidates is 0"),
        ('preset = "best"', "names the preset 'best'"),
        ("test =", "cannot be read as TOML"),
    ],
)
def test_a_file_that_holds_no_numbers_is_wrong_usage(
    tmp_path: Path, written: str, said: str
) -> None:
    file = tmp_path / "ranking.toml"
    file.write_text(written, "utf-8")

    with pytest.raises(UsageError) as refused:
        ranking_of(str(file))
    assert said in str(refused.value)


def test_an_unknown_preset_lists_the_known() -> None:
    with pytest.raises(UsageError, match="hybrid, lexical, dense"):
        ranking_of("best")


def test_a_mount_ranks_by_what_the_environment_names(
    bundles: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYDOCS_RANKING", "lexical")

    with mount([str(bundles)]) as catalog:
        assert catalog.ranking == PRESETS["lexical"]
