"""Programs of others: they are there where `nox -s clients` has installed them."""

from __future__ import annotations

import os

collect_ignore_glob = [] if os.environ.get("PYDOCS_CLIENTS") else ["test_*.py"]
