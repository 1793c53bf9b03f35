"""Checking everything: all that `Bundle.open` checks, and what only a full reading shows."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import apsw

from pydocs_bundle.errors import BundleError
from pydocs_bundle.layout import check_padding
from pydocs_bundle.manifest import Manifest
from pydocs_bundle.reader import Bundle
from pydocs_bundle.schema import DUMP_ORDER, Row, dump_digest

__all__ = ["verify"]


def verify(path: Path) -> Manifest:
    """The manifest of the bundle at `path`, once every byte of it has been accounted for.

    Raises:
        BundleError: anything in the file is not as it was written, or contradicts itself.
    """
    with Bundle.open(path, verify="all") as bundle:
        check_padding(bundle.view, bundle.layout, str(path))
        return bundle.manifest
