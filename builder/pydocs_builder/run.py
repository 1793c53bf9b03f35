"""One whole run: plan, build, sum up."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pydocs_builder.build import build
from pydocs_builder.config import BuildConfig
from pydocs_builder.planned.plan import make_plan
from pydocs_builder.progress import show_progress
from pydocs_builder.summary import Summary, summarize

__all__ = ["run"]


def run(config: BuildConfig, *, is_quiet: bool = True) -> Summary:
    """Build the bundles that are asked for, with progress on stderr unless it is to be quiet."""
    with tempfile.TemporaryDirectory(prefix="pydocs-", ignore_cleanup_errors=True) as scratch:
        plan = make_plan(config, Path(scratch), (lambda _: None) if is_quiet else _tell)
        total = len(plan.dependencies) + len(plan.collections) + (plan.project is not None)
        with show_progress(total, is_quiet=is_quiet) as report:
            outcomes = build(plan, config, report)
    fetch_command = "" if config.is_fetching else f"{config.command} --fetch"
    return summarize(plan, config.out, outcomes, fetch_command)


def _tell(said: str) -> None:
    sys.stderr.write(f"{said}\n")
    sys.stderr.flush()
