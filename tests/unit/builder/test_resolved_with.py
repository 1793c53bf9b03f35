from __future__ import annotations

from pathlib import Path

from pydocs_builder.content import build_content
from pydocs_builder.targets import Checking, Target
from pydocs_bundle.records import BundleContent

SEEN = (("httpx", "0.28.1"), ("shared", "1.0 3b5d5c3712955042212316173ccf37be"))


def content(folder: Path, text: str, checking: Checking | None) -> BundleContent:
    (folder / "a.py").write_text(text, "utf-8")
    target = Target("project", "a", "1", str(folder), ("a.py",), ("a",), checking=checking)
    return build_content(target)[0]


def test_a_bundle_says_with_which_versions_its_edges_were_resolved(tmp_path: Path) -> None:
    made = content(tmp_path, "", Checking("", version="1.5.0", seen=SEEN))

    assert made.resolved_with == (("httpx", "0.28.1"), ("shared", "1.0"))


def test_without_a_type_checker_no_version_was_seen(tmp_path: Path) -> None:
    assert content(tmp_path, "", Checking("", version="", seen=SEEN)).resolved_with == ()
    assert content(tmp_path, "", None).resolved_with == ()


def test_imports_name_what_edges_lead_to(tmp_path: Path) -> None:
    text = "from b import C\n\ndef f(c: C) -> None:\n    c.run()\n    print(c)\n"

    assert content(tmp_path, text, None).imports == ("b",)
