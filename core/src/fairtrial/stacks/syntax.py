"""Python source, parsed; safe to do in several threads."""

import ast
import threading

_LOCK = threading.Lock()
"""
Held while a tree is made: Python 3.11 counts its depth for all threads together, and raises
`SystemError: AST constructor recursion depth mismatch` where two of them are at it (cpython#106905).
"""


def parsed(text: str) -> ast.Module | None:
    """Returns the tree of a module's text; None where it is no Python, or nested too deeply."""
    try:
        with _LOCK:
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
