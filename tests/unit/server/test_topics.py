"""Whose documents speak of what a query asks about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pydocs_bundle.records import BundleContent
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount
from pydocs_server.ranked.hits import search
from pydocs_server.ranked.numbers import RANKING
from pydocs_server.ranked.query import understand
from pydocs_server.ranked.topics import topics

Write = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]

QUESTION = "close a window of the picture"
EVERYTHING = (0, 1)


def _functions(names: str, said: str) -> str:
    return "\n\n".join(
        f'def {name}() -> None:\n    """{said.format(name=name)}"""' for name in names.split()
    )


@pytest.fixture
def catalog(tmp_path: Path, write: Write, content_of: ContentOf) -> Iterator[Catalog]:
    files = _functions("open close read write lock flush sync seek", "Does {name} with a file.")
    write(tmp_path, content_of("files", "1.0", {"files/all.py": files}))
    pictures = _functions("show close draw turn", "Does {name} with the picture in a window.")
    write(tmp_path, content_of("pictures", "1.0", {"pictures/all.py": pictures}))
    with mount([str(tmp_path)]) as catalog:
        yield catalog


def test_who_speaks_of_it_counts_most_and_the_others_less(catalog: Catalog) -> None:
    found = topics(catalog, understand(catalog, QUESTION), EVERYTHING, RANKING)

    assert found[1] == 1.0
    assert 0.0 < found[0] < 1.0


def test_a_word_that_is_as_frequent_everywhere_tells_of_none(catalog: Catalog) -> None:
    found = topics(catalog, understand(catalog, "does"), EVERYTHING, RANKING)

    assert found[0] == pytest.approx(found[1], abs=0.01)


def test_one_package_alone_is_not_weighed(catalog: Catalog) -> None:
    assert topics(catalog, understand(catalog, QUESTION), (1,), RANKING) == {}


def test_a_topic_can_outweigh_a_little_better_fit(catalog: Catalog) -> None:
    strongly = RANKING._replace(topic=1.0)
    score = {
        (hit.bundle, numbers.topic): hit.score
        for numbers in (RANKING._replace(topic=0.0), strongly)
        for hit in search(catalog, "window to close", numbers=numbers)
        if hit.record.qualified_name.endswith(".close")
    }

    assert score[0, 1.0] / score[1, 1.0] < score[0, 0.0] / score[1, 0.0]
