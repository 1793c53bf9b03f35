from __future__ import annotations

import pytest

from pydocs_native import analyze
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.ranked.query import understand


def _packages(catalog: Catalog, text: str) -> set[str]:
    return {catalog.label(index) for index in understand(catalog, text).packages}


@pytest.mark.parametrize("text", ["Client", "httpq.Client", "safe_load", "httpq.get()", " get "])
def test_one_name_is_a_name(catalog: Catalog, text: str) -> None:
    assert understand(catalog, text).is_name


@pytest.mark.parametrize("text", ["set a timeout", "httpq.Client timeout", "a-b", "??", "x + y"])
def test_more_than_a_name_is_none(catalog: Catalog, text: str) -> None:
    assert not understand(catalog, text).is_name


def test_an_error_message_is_known_by_its_class(catalog: Catalog) -> None:
    assert understand(catalog, "RuntimeError: the pool is closed already").is_failure
    assert not understand(catalog, "how to handle errors").is_failure


def test_names_inside_a_sentence_are_noticed(catalog: Catalog) -> None:
    query = understand(catalog, "what does httpq.Client do with build_request and baseURL?")

    assert query.names == ("httpq.Client", "build_request", "baseURL")


@pytest.mark.parametrize(
    "text", ["parse with yamp", "PyYAMP parse", "yamp.load a file", "pyyamp==6.0 parse"]
)
def test_a_package_is_noticed_in_any_spelling(catalog: Catalog, text: str) -> None:
    assert _packages(catalog, text) == {"PyYAMP@6.0"}


def test_a_version_selects_one_of_two(catalog: Catalog) -> None:
    assert _packages(catalog, "pydanteq==1.10 dump") == {"pydanteq@1.10.2"}
    assert len(_packages(catalog, "pydanteq dump")) == 2


def test_words_that_carry_no_subject_are_dropped(catalog: Catalog) -> None:
    terms = understand(catalog, "how do I set a timeout").terms

    assert set(terms) == set(analyze("set timeout"))


def test_only_such_words_are_kept(catalog: Catalog) -> None:
    assert understand(catalog, "how to do it").terms


def test_a_package_alone_is_still_a_term(catalog: Catalog) -> None:
    assert set(understand(catalog, "yamp").terms) == set(analyze("yamp"))


@pytest.mark.parametrize(
    "text", ["", '"', "* OR NEAR(", "\x00", "a\x00b", "\udc80", "'; --", "🙂" * 5_000, "(" * 3_000]
)
def test_nothing_typed_is_syntax(catalog: Catalog, text: str) -> None:
    assert len(understand(catalog, text).terms) <= 64


TRACEBACK = """Traceback (most recent call last):
  File "/home/me/app/main.py", line 7, in main
    client.send("GET", "/")
  File "/usr/lib/python3.11/site-packages/httpq/_client.py", line 24, in send
    raise RuntimeError("Cannot send, the pool is closed already")
RuntimeError: Cannot send, the pool is closed already
"""


def test_a_traceback_is_asked_by_its_message(catalog: Catalog) -> None:
    query = understand(catalog, TRACEBACK)

    assert query.is_failure
    assert query.text == "RuntimeError: Cannot send, the pool is closed already"


def test_a_traceback_names_the_packages_that_it_went_through(catalog: Catalog) -> None:
    query = understand(catalog, TRACEBACK)

    assert [(frame.path, frame.line, frame.function) for frame in query.frames] == [
        ("httpq/_client.py", 24, "send")
    ]
    assert query.packages == frozenset(catalog.package("httpq"))


def test_windows_paths_in_a_traceback_are_paths(catalog: Catalog) -> None:
    text = TRACEBACK.replace(
        "/usr/lib/python3.11/site-packages/httpq/", r"C:\lib\site-packages\httpq" + "\\"
    )

    assert understand(catalog, text).frames == understand(catalog, TRACEBACK).frames


@pytest.mark.parametrize("text", ["@app.route", "@app.route('/x', methods=['GET'])", "@ app.route"])
def test_a_decorator_is_the_name_that_it_calls(catalog: Catalog, text: str) -> None:
    query = understand(catalog, text)

    assert query.is_name
    assert query.text == "app.route"


def test_of_a_long_query_the_rarest_words_are_searched(catalog: Catalog) -> None:
    common = ("client", "timeout", "pool")
    strange = [f"xq{number}zz" for number in range(60)]
    terms = understand(catalog, " ".join([*common, *strange])).terms
    assert len(terms) == 16
    assert set(terms) >= set(analyze(" ".join(common)))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("@app.route('/', methods=['GET'])", "app.route"),
        ("httpq.Client(timeout=5)", "httpq.Client"),
        ("from httpq import Client", "httpq.Client"),
        ("from httpq import Client as C", "httpq.Client"),
        ("import httpq.errors as e", "httpq.errors"),
        ("pd.read_csv('a.csv')", "pandas.read_csv"),
        ("np.zeros", "numpy.zeros"),
    ],
)
def test_code_is_asked_by_the_name_that_it_is_about(catalog: Catalog, text: str, name: str) -> None:
    query = understand(catalog, text)

    assert (query.text, query.is_name) == (name, True)


@pytest.mark.parametrize("text", ["a timeout (in seconds)", "import", "from here import all that"])
def test_a_sentence_is_no_statement(catalog: Catalog, text: str) -> None:
    assert understand(catalog, text).text == text
