"""One whole run: plan, build, sum up."""

from __future__ import annotations

from pydocs_builder.build import build
from pydocs_builder.config import BuildConfig
from pydocs_builder.plan import make_plan
from pydocs_builder.progress import show_progress
from pydocs_builder.summary import Summary, summarize

__all__ = ["run"]


def run(config: BuildConfig, *, is_quiet: bool = True) -> Summary:
    """Build the bundles of a project, with progress on stderr unless it is to be quiet."""
    plan = make_plan(config)
    with show_progress(len(plan.dependencies) + 1, is_quiet=is_quiet) as report:
        outcomes = build(plan, config, report)
    return summarize(plan, config.out, outcomes)
