"""What is known of Python's own callables: what they give, and which arguments they call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

__all__ = ["CALLING", "PROTOCOLS", "RESULTS"]

_TEXT: Final = (
    *("__add__", "__mod__", "__mul__", "capitalize", "casefold", "center", "expandtabs", "format"),
    *("format_map", "join", "ljust", "lower", "lstrip", "removeprefix", "removesuffix", "replace"),
    *("rjust", "rstrip", "strip", "swapcase", "title", "translate", "upper", "zfill"),
)
_PATH: Final = (
    *("__truediv__", "absolute", "expanduser", "joinpath", "relative_to", "rename", "replace"),
    *("resolve", "with_name", "with_stem", "with_suffix"),
)
_PATHS: Final = ("pathlib.Path", "pathlib.PosixPath", "pathlib.PurePath", "pathlib.PurePosixPath")
_MATCHING: Final = ("fullmatch", "match", "search")

RESULTS: Final[Mapping[str, str]] = {
    **{f"builtins.str.{name}": "builtins.str" for name in _TEXT},
    **{f"builtins.bytes.{name}": "builtins.bytes" for name in _TEXT if "format" not in name},
    **{f"builtins.{kind}.split": "builtins.list" for kind in ("str", "bytes")},
    **{f"builtins.{kind}.splitlines": "builtins.list" for kind in ("str", "bytes")},
    "builtins.str.encode": "builtins.bytes",
    "builtins.bytes.decode": "builtins.str",
    "builtins.bytes.hex": "builtins.str",
    **{f"builtins.{name}": "builtins.str" for name in ("ascii", "chr", "format", "repr")},
    "builtins.input": "builtins.str",
    **{f"builtins.{name}": "builtins.int" for name in ("hash", "id", "len", "ord")},
    **{f"{path}.{name}": path for path in _PATHS for name in _PATH},
    **{f"{path}.as_posix": "builtins.str" for path in _PATHS},
    **{f"{path}.read_text": "builtins.str" for path in _PATHS},
    **{f"{path}.read_bytes": "builtins.bytes" for path in _PATHS},
    "re.compile": "re.Pattern",
    **{f"re.{name}": "re.Match" for name in _MATCHING},
    **{f"re.Pattern.{name}": "re.Match" for name in _MATCHING},
    "re.escape": "builtins.str",
    "re.sub": "builtins.str",
    "re.Pattern.sub": "builtins.str",
    "json.dumps": "builtins.str",
    "logging.getLogger": "logging.Logger",
    "threading.current_thread": "threading.Thread",
    "textwrap.dedent": "builtins.str",
    "textwrap.indent": "builtins.str",
    "os.getcwd": "builtins.str",
    "os.path.join": "builtins.str",
    "os.path.abspath": "builtins.str",
    "os.path.basename": "builtins.str",
    "os.path.dirname": "builtins.str",
}
"""The class of what a callable returns, where it is always the same."""

CALLING: Final[Mapping[str, tuple[int | str, ...]]] = {
    "atexit.register": (0,),
    "asyncio.to_thread": (0,),
    "builtins.filter": (0,),
    "builtins.iter": (0,),
    "builtins.list.sort": ("key",),
    "builtins.map": (0,),
    "builtins.max": ("key",),
    "builtins.min": ("key",),
    "builtins.sorted": ("key",),
    "collections.defaultdict": (0,),
    "functools.reduce": (0,),
    "heapq.nlargest": ("key",),
    "heapq.nsmallest": ("key",),
    "itertools.accumulate": (1, "func"),
    "itertools.dropwhile": (0,),
    "itertools.filterfalse": (0,),
    "itertools.groupby": (1, "key"),
    "itertools.starmap": (0,),
    "itertools.takewhile": (0,),
    "json.dump": ("default",),
    "json.dumps": ("default",),
    "json.load": ("object_hook", "object_pairs_hook"),
    "json.loads": ("object_hook", "object_pairs_hook"),
    "multiprocessing.Process": ("target",),
    "re.Pattern.sub": (0, "repl"),
    "re.Pattern.subn": (0, "repl"),
    "re.sub": (1, "repl"),
    "re.subn": (1, "repl"),
    "signal.signal": (1,),
    "threading.Thread": ("target",),
    "threading.Timer": (1, "function"),
    "weakref.finalize": (1,),
    # Methods, whatever their object is.
    "add_done_callback": (0,),
    "apply_async": (0,),
    "call_at": (1,),
    "call_later": (1,),
    "call_soon": (0,),
    "call_soon_threadsafe": (0,),
    "run_in_executor": (1,),
    "run_sync": (0,),
    "start_soon": (0,),
    "submit": (0,),
}
"""For callables that call what they are given, in which places: by position or by name."""

_ITERATING: Final = (
    *("all", "any", "dict", "enumerate", "filter", "frozenset", "iter", "list", "map", "max"),
    *("min", "set", "sorted", "sum", "tuple", "zip"),
)

PROTOCOLS: Final[Mapping[str, tuple[str, ...]]] = {
    "builtins.abs": ("__abs__",),
    "builtins.bool": ("__bool__",),
    "builtins.bytes": ("__bytes__",),
    "builtins.divmod": ("__divmod__",),
    "builtins.float": ("__float__",),
    "builtins.format": ("__format__",),
    "builtins.hash": ("__hash__",),
    "builtins.int": ("__int__",),
    "builtins.len": ("__len__",),
    "builtins.next": ("__next__",),
    "builtins.print": ("__str__",),
    "builtins.repr": ("__repr__",),
    "builtins.reversed": ("__reversed__",),
    "builtins.round": ("__round__",),
    "builtins.str": ("__str__",),
    "builtins.str.format": ("__format__",),
    "builtins.str.join": ("__iter__",),
    **{f"builtins.{name}": ("__iter__",) for name in _ITERATING},
}
"""The special methods that builtins run on what they are given."""
