"""A project and its library with their reference graph and a decision, as builders say it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from pydocs_bundle.records import (
    BundleContent,
    Decision,
    Entry,
    Flag,
    IndexText,
    Kind,
    Reference,
    ReferenceKind,
)
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount

WriteBundle = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]

CALL, IMPORT, INHERIT = ReferenceKind.CALL, ReferenceKind.IMPORT, ReferenceKind.INHERIT
UNKNOWN_RECEIVER = "the receiver's type is unknown"

LIBQ = {
    "libq/__init__.py": "from libq._client import Client, get\n",
    "libq/_client.py": '''\
class Base:
    """What clients share."""

    def close(self) -> None:
        """Closes it."""


class Client(Base):
    """Sends things."""

    def send(self, url: str) -> str:
        """Sends one thing."""
        self.close()
        return str(url)


def get(url: str) -> str:
    """Gets one thing."""
    return Client().send(url)
''',
}
LIBQ_EDGES = [
    (IMPORT, "libq", "libq._client.Client", "import Client", ""),
    (IMPORT, "libq", "libq._client.get", "import Client", ""),
    (CALL, "libq._client.Client.send", "libq._client.Base.close", "self.close()", ""),
    (CALL, "libq._client.Client.send", "builtins.str", "str(url)", ""),
    (CALL, "libq._client.get", "libq._client.Client", "Client()", ""),
    (CALL, "libq._client.get", "libq._client.Client.send", "Client()", ""),
    (INHERIT, "libq._client.Client", "libq._client.Base", "class Client", ""),
]
APP = {
    "app/main.py": '''\
from libq import Client, get


class Mine(Client):
    """A client of ours."""

    def send(self, url: str) -> str:
        """Sends it twice."""
        return super().send(url) * 2


def run() -> str:
    """Runs it."""
    return get("x")


def ping() -> None:
    run()
    pong()


def pong() -> None:
    ping()


def blind(thing: object) -> None:
    thing.send("x")


def use(mine: Mine) -> None:
    mine.close()
    elsewhere.call()
''',
    "tests/test_app.py": """\
from app.main import run


def test_run() -> None:
    run()
""",
    "why/0001-send-twice.md": """\
# Send twice

Accepted. The network loses every second thing.
""",
}
APP_EDGES = [
    (IMPORT, "app.main", "libq.Client", "import Client", ""),
    (IMPORT, "app.main", "libq.get", "import Client", ""),
    (INHERIT, "app.main.Mine", "libq.Client", "class Mine", ""),
    (CALL, "app.main.Mine.send", "libq.Client.send", "super()", ""),
    (CALL, "app.main.run", "libq.get", "get(", ""),
    (CALL, "app.main.ping", "app.main.run", "run()", ""),
    (CALL, "app.main.ping", "app.main.pong", "pong()", ""),
    (CALL, "app.main.pong", "app.main.ping", "ping()", ""),
    (CALL, "app.main.blind", "thing.send", "thing.send", UNKNOWN_RECEIVER),
    (CALL, "app.main.use", "app.main.Mine.close", "mine.close", ""),
    (CALL, "app.main.use", "elsewhere.call", "elsewhere.call", ""),
    (CALL, "tests.test_app.test_run", "app.main.run", "run()", ""),
]


@pytest.fixture(scope="session")
def graph(
    content_of: ContentOf, write: WriteBundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Catalog]:
    """The project `app`, the library `libq` it uses, and `other`, which neither uses."""
    folder = tmp_path_factory.mktemp("graph")
    libq = content_of(
        "libq",
        "1.0",
        LIBQ,
        aliases={"libq.Client": "libq._client.Client", "libq.get": "libq._client.get"},
        bases={"libq._client.Client": ["libq._client.Base"]},
    )
    app = content_of("app", "2.0", APP, kind="project", bases={"app.main.Mine": ["libq.Client"]})
    other = content_of("other", "1.0", {"other.py": "def send() -> None:\n    send()\n"})
    write(folder, with_edges(libq, LIBQ_EDGES))
    write(folder, with_decision(with_edges(app, APP_EDGES))._replace(imports=("libq",)))
    write(folder, with_edges(other, [(CALL, "other.send", "other.send", "    send()", "")]))
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        with mount([str(folder)], strict=True) as catalog:
            yield catalog


def with_edges(
    content: BundleContent, edges: Sequence[tuple[ReferenceKind, str, str, str, str]]
) -> BundleContent:
    """The content with references from entries, each on the first line that holds a text."""
    numbers = {entry.qualified_name: number for number, entry in enumerate(content.entries)}
    references = []
    for kind, source, target, at, reason in edges:
        entry = content.entries[numbers[source]]
        lines = content.files[entry.file].text.decode().split("\n")
        line = next(n for n in range(entry.start_line, entry.end_line + 1) if at in lines[n - 1])
        column = len(lines[line - 1].partition(at)[0].encode())
        references.append(
            Reference(kind, numbers[source], target, entry.file, line, column, reason=reason)
        )
    return content._replace(references=tuple(sorted(references)))


def with_decision(content: BundleContent) -> BundleContent:
    """The project's content with what its last file, a decision record, says."""
    file = len(content.files) - 1
    text = content.files[file].text
    docs = len(content.texts)
    title = "Send twice"
    entry = Entry(
        f"app#decision:{content.files[file].path}:1",
        Kind.DECISION,
        file,
        0,
        len(text),
        1,
        text.count(b"\n"),
        summary=title,
        flags=int(Flag(0)),
    )
    decision = Decision(
        docs,
        "adr",
        title,
        "The network loses every second thing.",
        "accepted",
        "2024-02-01",
        ("app.main.Mine",),
    )
    indexed = IndexText("", entry.qualified_name, "", "", text.decode(), "", title)
    return content._replace(
        entries=(*content.entries[:docs], entry, *content.entries[docs:]),
        texts=(*content.texts, indexed),
        decisions=(decision,),
    )
