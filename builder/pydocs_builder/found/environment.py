"""What is installed in an environment; a distribution's metadata is read when asked for."""

from __future__ import annotations

import re
from collections.abc import Iterable

from packaging.utils import NormalizedName

from pydocs_builder.found.installed import (
    Distribution,
    find_distributions,
    origin_address,
    read_dist_metadata,
)
from pydocs_builder.found.metadata import Metadata

__all__ = ["Environment"]

_VCS = re.compile(r"^(?:git|hg|svn|bzr)\+")


class Environment:
    """The installed distributions of some folders."""

    def __init__(self, folders: Iterable[str]) -> None:
        self._distributions = dict(find_distributions(folders))
        self._metadata: dict[NormalizedName, Metadata | None] = {}

    def including(self, found: Iterable[Distribution]) -> Environment:
        """This environment with other distributions in front of its own."""
        wider = Environment(())
        wider._distributions = {**self._distributions, **{one.key: one for one in found}}
        return wider

    def distribution(self, key: NormalizedName) -> Distribution | None:
        """The distribution of a name, None if it is not installed."""
        return self._distributions.get(key)

    def metadata(self, key: NormalizedName) -> Metadata | None:
        """The metadata of a name, None if it is not installed or cannot be read."""
        if key not in self._metadata:
            found = self._distributions.get(key)
            self._metadata[key] = None if found is None else read_dist_metadata(found)
        return self._metadata[key]

    def installed_from(self, address: str) -> Distribution | None:
        """The distribution that was installed from an address which tells no name."""
        wanted = _bare(address)
        for key in sorted(self._distributions):
            stated = origin_address(self._distributions[key])
            if stated and _bare(stated) == wanted:
                return self._distributions[key]
        return None


def _bare(address: str) -> str:
    """An address without version control, revision and fragment."""
    bare = _VCS.sub("", address.strip()).partition("#")[0]
    head, separator, tail = bare.rpartition("/")
    return (head + separator + tail.partition("@")[0]).removesuffix(".git").rstrip("/")
