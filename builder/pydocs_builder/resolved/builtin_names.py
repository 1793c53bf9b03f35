"""The builtin names of Python, the same whatever interpreter runs the build."""

from __future__ import annotations

from typing import Final

__all__ = ["BUILTIN_CLASSES", "BUILTIN_NAMES"]

# fmt: off
BUILTIN_CLASSES: Final = frozenset({
    "ArithmeticError", "AssertionError", "AttributeError", "BaseException",
    "BaseExceptionGroup", "BlockingIOError", "BrokenPipeError", "BufferError", "BytesWarning",
    "ChildProcessError", "ConnectionAbortedError", "ConnectionError", "ConnectionRefusedError",
    "ConnectionResetError", "DeprecationWarning", "EOFError", "EncodingWarning",
    "EnvironmentError", "Exception", "ExceptionGroup", "FileExistsError", "FileNotFoundError",
    "FloatingPointError", "FutureWarning", "GeneratorExit", "IOError", "ImportError",
    "ImportWarning", "IndentationError", "IndexError", "InterruptedError", "IsADirectoryError",
    "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError",
    "NameError", "NotADirectoryError", "NotImplementedError", "OSError", "OverflowError",
    "PendingDeprecationWarning", "PermissionError", "ProcessLookupError",
    "PythonFinalizationError", "RecursionError", "ReferenceError", "ResourceWarning",
    "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError",
    "SyntaxWarning", "SystemError", "SystemExit", "TabError", "TimeoutError", "TypeError",
    "UnboundLocalError", "UnicodeDecodeError", "UnicodeEncodeError", "UnicodeError",
    "UnicodeTranslateError", "UnicodeWarning", "UserWarning", "ValueError", "Warning",
    "ZeroDivisionError", "bool", "bytearray", "bytes", "classmethod", "complex", "dict",
    "enumerate", "filter", "float", "frozenset", "int", "list", "map", "memoryview", "object",
    "property", "range", "reversed", "set", "slice", "staticmethod", "str", "super", "tuple",
    "type", "zip",
})
"""The builtins that are classes."""

BUILTIN_NAMES: Final = BUILTIN_CLASSES | frozenset({
    "Ellipsis", "False", "None", "NotImplemented", "True", "__build_class__", "__debug__",
    "__import__", "abs", "aiter", "all", "anext", "any", "ascii", "bin", "breakpoint",
    "callable", "chr", "compile", "copyright", "credits", "delattr", "dir", "divmod", "eval",
    "exec", "exit", "format", "getattr", "globals", "hasattr", "hash", "help", "hex", "id",
    "input", "isinstance", "issubclass", "iter", "len", "license", "locals", "max", "min",
    "next", "oct", "open", "ord", "pow", "print", "quit", "repr", "round", "setattr", "sorted",
    "sum", "vars",
})
"""Every builtin."""
# fmt: on
