"""One whole run: plan, build, sum up."""

from __future__ import annotations

import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from pydocs_builder.build import build
from pydocs_builder.config import BuildConfig
from pydocs_builder.embedded.choice import choose_encoder, place_encoder
from pydocs_builder.embedded.chosen import ChosenEncoder
from pydocs_builder.planned.plan import Plan, make_plan
from pydocs_builder.progress import show_progress
from pydocs_builder.summary import Summary, summarize
from pydocs_builder.targets import Task
from pydocs_bundle.caches import user_caches

__all__ = ["run"]


def run(config: BuildConfig, *, is_quiet: bool = True) -> Summary:
    """Build the bundles that are asked for, with progress on stderr unless it is to be quiet."""
    with tempfile.TemporaryDirectory(prefix="pydocs-", ignore_cleanup_errors=True) as scratch:
        tell = (lambda _: None) if is_quiet else _tell
        plan = make_plan(config, Path(scratch), tell)
        caches = config.cache or _caches(Path(scratch))
        total = len(plan.dependencies) + len(plan.collections) + (plan.project is not None)
        choice = choose_encoder(config.encoder, config.out, caches, tell)
        if choice.encoder is not None:
            plan = _with_encoder(plan, choice.encoder, caches)
        with show_progress(total, is_quiet=is_quiet) as report:
            outcomes = build(plan, config, report)
        encoder = place_encoder(choice.encoder, config.out) if choice.encoder else ""
    fetch_command = "" if config.is_fetching else f"{config.command} --fetch"
    if choice.note:
        plan = replace(plan, notes=(choice.note, *plan.notes))
    return summarize(plan, config.out, outcomes, fetch_command, encoder)


def _caches(scratch: Path) -> Path:
    """Where the encoder and vectors are kept between builds, if the user has such a place."""
    try:
        return user_caches() / "vectors"
    except RuntimeError:
        return scratch / "vectors"


def _with_encoder(plan: Plan, encoder: ChosenEncoder, caches: Path) -> Plan:
    def embedded(task: Task) -> Task:
        return replace(task, encoder=encoder, cache=str(caches))

    return replace(
        plan,
        project=plan.project and embedded(plan.project),
        dependencies=tuple(map(embedded, plan.dependencies)),
        collections=tuple(map(embedded, plan.collections)),
    )


def _tell(said: str) -> None:
    sys.stderr.write(f"{said}\n")
    sys.stderr.flush()
