"""Small bundles to ask questions of, made from sources that a test can show in full."""

from __future__ import annotations

import ast
import random
from array import array
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pydocs_builder.documented.collection_content import build_collection
from pydocs_builder.targets import Collection, Target
from pydocs_bundle import file_name, write_bundle
from pydocs_bundle.records import BundleContent, Entry, Flag, IndexText, Kind, SourceFile
from pydocs_native import write_encoder
from pydocs_server.mounted.catalog import Catalog
from pydocs_server.mounted.mount import mount

WriteBundle = Callable[[Path, BundleContent], Path]
ContentOf = Callable[..., BundleContent]
_Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_EMPTY = IndexText("", "", "", "", "", "", "")


@pytest.fixture(scope="session", autouse=True)
def without_vectors() -> Iterator[None]:
    """Builds make no vectors unless a test names an encoder: the default one is fetched."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYDOCS_ENCODER", "")
        yield


@pytest.fixture(scope="session")
def tiny_model() -> dict[str, Any]:
    """A model of random numbers, 32 wide, that knows letters and few words, for `write_encoder`."""
    chance, hidden, wide = random.Random(7), 32, 48  # noqa: S311 - repeatable
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "##ing", "time", "##out", "!"]
    pieces += [*map(chr, range(97, 123)), *(f"##{chr(code)}" for code in range(97, 123)), "\u4e2d"]
    sizes = {"word_embeddings": len(pieces), "position_embeddings": 30, "token_type_embeddings": 2}
    shapes = {f"embeddings.{name}": (size, hidden, 0) for name, size in sizes.items()}
    shapes["embeddings.LayerNorm"] = (1, hidden, hidden)
    for layer in range(2):
        for part, inputs, outputs in (
            *((f"attention.self.{name}", hidden, hidden) for name in ("query", "key", "value")),
            *(("attention.output.dense", hidden, hidden), ("intermediate.dense", hidden, wide)),
            *(("attention.output.LayerNorm", 1, hidden), ("output.dense", wide, hidden)),
            ("output.LayerNorm", 1, hidden),
        ):
            shapes[f"encoder.layer.{layer}.{part}"] = (inputs, outputs, outputs)
    tensors = {}
    for name, (inputs, outputs, biases) in shapes.items():
        for part, size in (("weight", inputs * outputs), ("bias", biases)):
            numbers = array("f", (chance.gauss(0.0, 0.3) for _ in range(size)))
            tensors[f"{name}.{part}"] = numbers.tobytes()
    return {
        "tensors": tensors,
        "pieces": pieces,
        "layers": 2,
        "heads": 2,
        "positions": 24,
        "special": (0, 1, 2, 3, 4),
    }


@pytest.fixture(scope="session")
def tiny_section(tiny_model: dict[str, Any]) -> bytes:
    """The encoder section of the tiny model."""
    return write_encoder(**tiny_model)


@pytest.fixture(scope="session")
def tiny_encoder(tmp_path_factory: pytest.TempPathFactory, tiny_section: bytes) -> Path:
    """The bundle of the tiny model."""
    content = BundleContent("encoder", "tiny", "1", (), (), ())
    path = tmp_path_factory.mktemp("encoder") / "tiny-encoder.pdx"
    identity = sha256(tiny_section).hexdigest()
    about = {"name": "tiny", "identity": identity, "dimensions": "32"}
    write_bundle(path, content, builder={}, model=tiny_section, encoder=about)
    return path


@pytest.fixture(scope="session")
def content_of() -> ContentOf:
    """Makes `{path: text}` the content of a bundle, as `read_plainly` reads it."""
    return read_plainly


@pytest.fixture(scope="session")
def write() -> WriteBundle:
    """Writes a content as a bundle into a folder; gives its path."""

    def write_one(folder: Path, content: BundleContent) -> Path:
        path = folder / file_name(content.name, content.version)
        write_bundle(path, content, builder={"pydocs-builder": "test"})
        return path

    return write_one


@pytest.fixture(scope="session")
def bundles(tmp_path_factory: pytest.TempPathFactory, write: WriteBundle) -> Path:
    """A folder with a project, its dependencies, and two versions of one of them."""
    folder = tmp_path_factory.mktemp("bundles")
    httpq = read_plainly(
        "httpq",
        "0.28.1",
        HTTPQ,
        summary="The next HTTP client.",
        licence="BSD-3-Clause",
        aliases={
            "httpq.Client": "httpq._client.Client",
            "httpq.Timeout": "httpq._config.Timeout",
            "httpq.get": "httpq._api.get",
        },
        bases={"httpq._client.Client": ["httpq._client.BaseClient"]},
    )
    yamp = read_plainly(
        "PyYAMP",
        "6.0",
        YAMP,
        summary="YAML parser and emitter.",
        aliases={"yamp.SafeLoader": "yamp.loader.SafeLoader"},
        bases={"yamp.loader.SafeLoader": ["yamp.loader.Constructor"]},
    )
    flasq = read_plainly(
        "flasq",
        "3.1",
        FLASQ,
        aliases={"flasq.Flasq": "flasq.app.Flasq"},
        leads={"flasq.Response": "werkzeuq.Response"},
        bases={
            "flasq.app.Flasq": ["flasq.sansio.Scaffold"],
            "flasq.app.Request": ["werkzeuq.Request"],
        },
    )
    contents = [
        httpq,
        yamp,
        flasq,
        read_plainly("werkzeuq", "3.0", {"werkzeuq/__init__.py": WERKZEUQ}),
        read_plainly("pydanteq", "1.10.2", {"pydanteq/__init__.py": PYDANTEQ % "(self, **kw)"}),
        read_plainly(
            "pydanteq", "2.0", {"pydanteq/__init__.py": PYDANTEQ % "(self, *, mode='py')"}
        ),
        read_plainly("shop", "1.0", SHOP, kind="project"),
    ]
    for content in contents:
        write(folder, content)
    return folder


@pytest.fixture(scope="session")
def catalog(bundles: Path) -> Iterator[Catalog]:
    """The folder's bundles, mounted."""
    with mount([str(bundles)]) as mounted:
        yield mounted


def read_plainly(
    name: str,
    version: str,
    files: Mapping[str, str],
    *,
    kind: str = "dependency",
    aliases: Mapping[str, str] | None = None,
    leads: Mapping[str, str] | None = None,
    bases: Mapping[str, list[str]] | None = None,
    summary: str = "",
    licence: str = "",
) -> BundleContent:
    """What a bundle of these files says: a plain reading, without the builder's cleverness.

    `aliases` maps public names to the names that define them, `leads` aliases to names outside,
    `bases` a class's qualified name to its bases'.
    """
    found: list[tuple[Entry, IndexText]] = []
    named: list[Entry] = []
    paths = sorted(files)
    for number, path in enumerate(paths):
        if path.endswith(".py"):
            found += _entries(path, number, files[path], bases or {})
            named += _attributes(path, number, files[path])
        else:
            found += _sections(name, path, number, files[path])
    found.sort(key=lambda one: (one[0].file, one[0].start, one[0].kind))
    place = {entry.qualified_name: index for index, (entry, _) in enumerate(found)}
    publics = {definition: alias for alias, definition in (aliases or {}).items()}
    searchable = [
        entry._replace(
            parent=place.get(entry.qualified_name.rpartition(".")[0], -1),
            public_name=_public(entry.qualified_name, publics),
            aliases=(publics[entry.qualified_name],) if entry.qualified_name in publics else (),
        )
        for entry, _ in found
    ]
    named += [
        Entry(alias, Kind.ALIAS, 0, 0, 0, 1, 1, bases=(lead,))
        for alias, lead in (leads or {}).items()
    ]
    named = [
        entry._replace(parent=place.get(entry.qualified_name.rpartition(".")[0], -1))
        for entry in sorted(named)
    ]
    modules = {path.partition("/")[0].removesuffix(".py") for path in paths if path[-3:] == ".py"}
    return BundleContent(
        kind=kind,
        name=name,
        version=version,
        files=tuple(SourceFile(path, files[path].encode(), module=_module(path)) for path in paths),
        entries=(*searchable, *named),
        texts=tuple(text for _, text in found),
        modules=tuple(sorted(modules)),
        summary=summary,
        licence=licence,
    )


def _public(name: str, publics: Mapping[str, str]) -> str:
    owner, _, member = name.rpartition(".")
    return publics.get(name) or (f"{publics[owner]}.{member}" if owner in publics else "")


def _module(path: str) -> str:
    dotted = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    return dotted if path.endswith(".py") else ""


def _entries(
    path: str, file: int, text: str, bases: Mapping[str, list[str]]
) -> Iterator[tuple[Entry, IndexText]]:
    module, tree = _module(path), ast.parse(text)
    flags = Flag.TEST if "test" in path else Flag(0)
    whole = Entry(module, Kind.MODULE, file, 0, len(text.encode()), 1, text.count("\n") + 1)
    yield _documented(whole, tree, flags), _EMPTY._replace(qualified_name=module, path=path)
    owners: list[tuple[str, ast.AST]] = [(module, tree)]
    while owners:
        owner, node = owners.pop()
        for child in ast.iter_child_nodes(node):
            if not isinstance(child, _Definition):
                continue
            qualified = f"{owner}.{child.name}"
            is_class = isinstance(child, ast.ClassDef)
            kind = Kind.METHOD if isinstance(node, ast.ClassDef) else Kind.FUNCTION
            start, end = _span(text, child)
            signature = _signature(child)
            entry = Entry(
                qualified, Kind.CLASS if is_class else kind, file, start, end, child.lineno,
                child.end_lineno or child.lineno, signature, bases=tuple(bases.get(qualified, ())),
            )  # fmt: skip
            entry = _documented(entry, child, flags)
            body = text.encode()[start:end].decode()
            yield (
                entry,
                IndexText(child.name, qualified, signature, entry.docstring, body, path, ""),
            )
            if is_class:
                owners.append((qualified, child))


def _documented(entry: Entry, node: _Definition | ast.Module, flags: Flag) -> Entry:
    docstring = ast.get_docstring(node) or ""
    name = entry.qualified_name.rpartition(".")[2]
    if name.startswith("_") and not name.endswith("__"):
        flags |= Flag.PRIVATE
    return entry._replace(
        docstring=docstring, summary=docstring.partition("\n")[0], flags=int(flags)
    )


def _signature(node: _Definition) -> str:
    if isinstance(node, ast.ClassDef):
        return f"({', '.join(map(ast.unparse, node.bases))})" if node.bases else ""
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"({ast.unparse(node.args)}){returns}"


def _span(text: str, node: ast.stmt) -> tuple[int, int]:
    lines = text.encode().splitlines(keepends=True)
    start = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: (node.end_lineno or 0) - 1])) + (node.end_col_offset or 0)
    return start, end


def _attributes(path: str, file: int, text: str) -> Iterator[Entry]:
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = f"{_module(path)}.{node.targets[0].id}"
            signature = f" = {ast.unparse(node.value)}"
            yield Entry(
                name, Kind.ATTRIBUTE, file, *_span(text, node), node.lineno, node.lineno, signature
            )


def _sections(name: str, path: str, file: int, text: str) -> Iterator[tuple[Entry, IndexText]]:
    home = f"{name}#{'readme' if path.lower().startswith('readme') else path}"
    starts = [i for i, line in enumerate(text.split("\n")) if line.startswith("#")]
    lines = text.split("\n")
    for position, first in enumerate(starts):
        last = starts[position + 1] if position + 1 < len(starts) else len(lines)
        heading = lines[first].lstrip("# ")
        start = len("\n".join(lines[:first]).encode()) + (first > 0)
        body = "\n".join(lines[first:last])
        entry = Entry(
            f"{home}:{heading}", Kind.SECTION, file, start, start + len(body.encode()),
            first + 1, last, summary=lines[first + 2] if first + 2 < last else "",
        )  # fmt: skip
        yield entry, _EMPTY._replace(heading=heading, body=body, path=path)


HTTPQ = {
    "README.md": """\
# HTTPQ

A client for the *next* web.

## Timeouts

Pass `timeout=` to set a timeout for every request.

## Streaming

Use `client.stream()` to stream a response without loading it.
""",
    "httpq/__init__.py": '''\
"""HTTP for people in a hurry."""

from ._api import get
from ._client import Client
from ._config import Timeout
''',
    "httpq/_api.py": '''\
from ._client import Client


def get(url: str, *, timeout: float = 5.0) -> str:
    """Sends a `GET` request.

    Args:
        url: where to.
    """
    with Client(timeout=timeout) as client:
        return client.send("GET", url)
''',
    "httpq/_client.py": '''\
class BaseClient:
    """What both clients share."""

    def build_request(self, method: str, url: str) -> str:
        """Builds a request, ready to be sent."""
        return f"{method} {url}"

    def _merge(self) -> None:
        pass


class Client(BaseClient):
    """An HTTP client with a connection pool.

    It is thread-safe.
    """

    def __init__(self, *, timeout: float = 5.0) -> None:
        self.timeout = timeout

    def send(self, method: str, url: str) -> str:
        """Sends one request and waits for the answer."""
        request = self.build_request(method, url)
        if not request:
            raise RuntimeError("Cannot send, the pool is closed already")
        return request

    def stream(self, method: str, url: str) -> list[str]:
        """Streams the response body instead of loading it."""
        return [self.send(method, url)]
''',
    "httpq/_config.py": '''\
DEFAULT_TIMEOUT = 5.0


class Timeout:
    """How long to wait for connecting, reading and writing."""

    def __init__(self, seconds: float = DEFAULT_TIMEOUT) -> None:
        self.seconds = seconds
''',
    "tests/test_client.py": '''\
def test_client_timeout() -> None:
    """A client has a timeout, Client timeout timeout."""
''',
}

YAMP = {
    "yamp/__init__.py": '''\
"""YAML for Python."""


def load(stream: str, loader: type) -> object:
    """Parses the first YAML document with any loader."""
    return loader(stream)


def safe_load(stream: str) -> object:
    """Parses the first YAML document safely: plain values only."""
    return stream
''',
    "yamp/loader.py": '''\
class Constructor:
    """Makes objects out of nodes."""

    def construct(self, node: str) -> object:
        """Makes one object."""
        return node


class SafeLoader(Constructor):
    """Loads plain values only."""
''',
}

FLASQ = {
    "flasq/__init__.py": "from werkzeuq import Response\n\nfrom .app import Flasq\n",
    "flasq/app.py": '''\
from werkzeuq import Request as RequestBase

from .sansio import Scaffold


class Flasq(Scaffold):
    """The application object."""

    def run(self, host: str = "localhost") -> None:
        """Runs the development server."""


class Request(RequestBase):
    """A request with a matched rule."""
''',
    "flasq/sansio.py": '''\
class Scaffold:
    """What applications and blueprints share."""

    def route(self, rule: str, **options: object) -> object:
        """Decorates a view so that it answers under a rule."""
        return rule
''',
}

WERKZEUQ = '''\
"""The comprehensive web toolbox."""


class Request:
    """An incoming request."""

    def get_json(self, *, force: bool = False) -> object:
        """Parses the body as JSON."""
        return force


class Response:
    """An outgoing response."""
'''

PYDANTEQ = '''\
"""Data validation."""


class Model:
    """Validates its fields."""

    def dump%s -> dict[str, object]:
        """The fields as a dictionary."""
        return {}
'''

SHOP = {
    "shop/__init__.py": "",
    "shop/orders.py": '''\
from httpq import Client


class Orders:
    """The orders of one customer."""

    def fetch(self) -> str:
        """Fetches the orders with a timeout."""
        return Client(timeout=3).send("GET", "/orders")
''',
}


SETTINGS = (
    *("colour", "currency", "limit", "timeout", "retries"),
    *("window", "depth", "width", "height", "margin"),
)
HANDBOOK = {
    "docs/deploy.md": """\
# Deploying

How to put the shop on a server.

## Behind a proxy

Put nginx in front of the shop. Set `SHOP_PROXY` to the number of proxies, so that addresses
of clients are right.

## Backups

Run `shop dump` every night. Restore with `shop load`.
""",
    "docs/reference/settings.md": "# Settings\n\n"
    + "".join(
        f"`OPTION_{number}`: sets the {word} of the shop. It is a number, and has a default.\n\n"
        for number, word in enumerate(SETTINGS)
    ),
    "docs/reference/api.rst": """\
API
===

Orders
------

An order has lines and a currency.

.. _api-prices:

Prices
------

A price is in cents.
""",
    "CHANGELOG.md": "# Changelog\n\n## 2.0\n\nBackups can be restored with `shop load`.\n",
}


@pytest.fixture(scope="session")
def collections(
    content_of: ContentOf, write: WriteBundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Catalog]:
    """The collections `handbook`, with layers, and `recipes`, and the project `shop`."""
    folder = tmp_path_factory.mktemp("collections")
    layers = {"docs/reference/settings.md": "settings", "docs/reference/api.rst": "settings"}
    stated = (("settings", "What can be set"), ("empty", ""))
    made = [
        ("handbook", HANDBOOK, Collection(300, stated, tuple(sorted(layers.items())))),
        ("recipes", {"bread.md": "# Bread\n\nBake it at 250 degrees.\n"}, Collection(1_500)),
    ]
    for name, files, collection in made:
        root = tmp_path_factory.mktemp(name)
        for path, text in files.items():
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (root / path).write_text(text, "utf-8")
        target = Target("docs", name, "abc123", str(root), tuple(sorted(files)), ())
        write(folder, build_collection(target, collection, {})[0]._replace(summary=f"The {name}"))
    project = {"docs/deploy.md": HANDBOOK["docs/deploy.md"], "shop/__init__.py": "X = 1\n"}
    write(folder, content_of("shop", "1.0", project, kind="project"))
    with mount([str(folder)], strict=True) as catalog:
        yield catalog
