from __future__ import annotations

from collections.abc import Callable

from pydocs_builder.extracted.chunks import LONGEST_BODY
from pydocs_bundle.records import BundleContent, Kind

Built = Callable[..., BundleContent]

SOURCE = '''\
"""Module."""
import os

class C:
    """Class."""
    flag = 1

    @property
    def x(self):
        return 1

    # between
    def f(self):
        def nested():
            return 2
        return nested

    after = 2

def g(): return 3
# last
'''


def bodies(content: BundleContent) -> dict[str, str]:
    return {text.qualified_name: text.body for text in content.texts}


def test_each_symbol_is_searched_with_its_own_lines_only(built: Built) -> None:
    found = bodies(built({"m.py": SOURCE}))
    assert found["m"] == '"""Module."""\nimport os\n\n\n# last\n'
    assert found["m.C"] == (
        'class C:\n    """Class."""\n    flag = 1\n\n\n    # between\n\n    after = 2\n'
    )
    assert found["m.C.x"] == "    @property\n    def x(self):\n        return 1\n"
    assert "def nested" in found["m.C.f"]
    assert found["m.g"] == "def g(): return 3\n"


def test_searched_fields_are_those_of_the_entry(built: Built) -> None:
    content = built({"p/m.py": 'def f(a: int) -> str:\n    """Does.\n\n    Much.\n    """\n'})
    (text,) = (text for text in content.texts if text.name == "f")
    assert text[:4] == ("f", "p.m.f", "(a: int) -> str", "Does.\n\nMuch.")
    assert (text.path, text.heading) == ("p/m.py", "")


def test_entries_stand_by_place_and_names_behind_them(built: Built) -> None:
    content = built({"b.py": "y = 1\ndef g(): ...\n", "a.py": "x = 1\nclass C:\n    z = 1\n"})
    assert [one.qualified_name for one in content.entries] == [
        "a",
        "a.C",
        "b",
        "b.g",
        "a.C.z",
        "a.x",
        "b.y",
    ]
    assert len(content.texts) == 4
    assert [file.path for file in content.files] == ["a.py", "b.py"]


def test_body_of_a_table_is_cut_at_a_line_end(built: Built) -> None:
    row = "    'x' * 60,\n"
    content = built({"m.py": "TABLE = [\n" + row * (2 * LONGEST_BODY // len(row)) + "]\n"})
    (text,) = content.texts
    assert LONGEST_BODY - len(row) <= len(text.body) <= LONGEST_BODY
    assert text.body.endswith(row)
    assert any(note.startswith("m.py: ") and "grep" in note for note in content.notes)


def test_empty_module_has_a_place(built: Built) -> None:
    content = built({"p/__init__.py": ""})
    (one,) = content.entries
    assert (one.kind, one.start, one.end, one.start_line, one.end_line) == (Kind.MODULE, 0, 0, 1, 1)
