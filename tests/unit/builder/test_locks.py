"""What a uv.lock says."""

from __future__ import annotations

import tomllib

from pydocs_builder.pinned.lock_uv import read_uv_lock
from pydocs_builder.pinned.locks import Lock

TEXT = """
version = 1
[[package]]
name = "app"
version = "1"
source = { editable = "." }
dependencies = [{ name = "alpha" }]
[[package]]
name = "Alpha"
version = "1.2"
source = { registry = "https://example.org/simple" }
dependencies = [
    { name = "beta", extra = ["fast"], marker = "sys_platform == 'win32'" },
    { name = "gamma" },
]
[package.optional-dependencies]
more = [{ name = "delta", marker = "python_full_version < '3'" }, { name = "epsilon" }]
[[package]]
name = "two"
version = "1"
source = { registry = "https://example.org/simple" }
resolution-markers = ["python_version < '3.8'", "python_version < '3'"]
[[package]]
name = "dynamic"
source = { directory = "sub" }
"""


def lock() -> Lock:
    return read_uv_lock("uv.lock", tomllib.loads(TEXT))


def test_a_package_is_a_pin_and_the_project_is_none() -> None:
    assert {pin.key: pin.version for pin in lock().pins} == {"alpha": "1.2", "two": "1"}
    assert lock().provided == ("app",)


def test_resolution_markers_say_when_a_pin_counts() -> None:
    (pin,) = (pin for pin in lock().pins if pin.key == "two")
    assert pin.marker == "(python_version < '3.8') or (python_version < '3')"


def test_edges_keep_their_extras_and_markers() -> None:
    edges = [str(one) for one in lock().needs["alpha"]]  # type: ignore[index]
    assert edges == [
        'beta[fast]; sys_platform == "win32"',
        "gamma",
        'delta; python_full_version < "3" and extra == "more"',
        'epsilon; extra == "more"',
    ]


def test_a_table_of_another_shape_says_nothing() -> None:
    odd = tomllib.loads('package = [3, {name = 4}, {name = "a", dependencies = [1, {name = 2}]}]')
    assert read_uv_lock("uv.lock", odd).pins == ()
