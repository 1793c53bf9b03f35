"""Building one target, in whatever process: read, parse, extract, write."""

from __future__ import annotations

import traceback
from pathlib import Path

import apsw
import networkx as nx
import zstandard

import pydocs_native
from pydocs_builder.checked.reports import NO_REPORT, ReportPlace
from pydocs_builder.content import build_content
from pydocs_builder.documented.collection_content import (
    RECIPE,
    build_collection,
    read_known,
    recipe,
)
from pydocs_builder.embedded.embed import embed
from pydocs_builder.embedded.encoders import open_encoder
from pydocs_builder.outcomes import BUILT, FAILED, LateError, Outcome
from pydocs_builder.targets import Task
from pydocs_builder.text_counts import note_texts
from pydocs_builder.version import VERSION
from pydocs_bundle.records import BundleContent
from pydocs_bundle.writer import write_bundle

__all__ = ["build_bundle"]


def build_bundle(
    task: Task, path: Path, fingerprint: str, report: ReportPlace = NO_REPORT
) -> Outcome:
    """Build the bundle of one target; a failure is an outcome, not an exception."""
    target = task.target
    builder = _builder()
    if target.checking is not None and target.checking.version:
        builder["pyrefly"] = target.checking.version
    detail = ""
    try:
        if target.collection is None:
            content, problems = build_content(target, task.requirements, report)
        else:
            builder[RECIPE] = recipe(target.collection)
            known = read_known(path, builder[RECIPE])
            content, problems, anew = build_collection(target, target.collection, known)
            detail = f"{anew} of {len(content.files)} files read anew"
        vectors, encoder = _vectors(task, content)
        if task.encoder is not None and not task.encoder.is_bundle:
            from pydocs_builder.embedded.sentence_transformers import (  # noqa: PLC0415 - an extra
                library_versions,
            )

            builder |= library_versions()
        write_bundle(
            path,
            content,
            builder=builder,
            fingerprint=fingerprint,
            vectors=vectors,
            encoder=encoder,
        )
    except LateError as error:
        return Outcome(target.kind, target.name, target.version, FAILED, detail=str(error))
    except Exception as error:  # noqa: BLE001 - one target must not end the others
        where = traceback.extract_tb(error.__traceback__)[-1]
        said = str(error).strip().partition("\n")[0] or "no reason given"
        detail = f"{type(error).__name__}: {said} ({Path(where.filename).name}:{where.lineno})"
        return Outcome(target.kind, target.name, target.version, FAILED, detail=detail)
    return Outcome(
        target.kind,
        target.name,
        target.version,
        BUILT,
        path.name,
        path.stat().st_size,
        detail,
        notes=(*target.notes, *problems),
    )


def _vectors(task: Task, content: BundleContent) -> tuple[bytes | None, dict[str, str]]:
    """The vectors of a content, and what the manifest says of their encoder."""
    chosen = task.encoder
    if chosen is None:
        return None, {}
    vectors = embed(content, chosen, Path(task.cache) if task.cache else None, note_texts)
    dimensions = str(open_encoder(chosen).dimensions)
    return vectors, {"name": chosen.name, "identity": chosen.identity, "dimensions": dimensions}


def _builder() -> dict[str, str]:
    """What wrote a bundle: the parts whose versions may change its bytes."""
    return {
        "apsw": apsw.apsw_version(),
        "networkx": nx.__version__,
        "native": pydocs_native.IMPLEMENTATION,
        "pydocs-builder": VERSION,
        "zstandard": zstandard.__version__,
    }
