"""Python's own parser, as the rest of dplint calls it: `ast.parse`, and a second try where Python itself lost count.

Known to all layers; standard library only.
"""

from __future__ import annotations

import ast
from contextlib import suppress

_TRIES = 20
"""In CPython 3.11 all threads count the depth of the tree they build in one place. If two of them build trees at once
(a traceback that is logged is enough), one of them may end with "SystemError: AST constructor recursion depth
mismatch" about a text without fault: https://github.com/python/cpython/issues/106905."""


def parse_text(text: str | bytes) -> ast.Module:
    """The tree of a whole text; raises what `ast.parse` raises."""
    for _ in range(_TRIES - 1):
        with suppress(SystemError):
            return ast.parse(text)
    return ast.parse(text)


def parse_expression(text: str) -> ast.expr:
    """The tree of one expression; raises what `ast.parse` raises, a SyntaxError above all."""
    for _ in range(_TRIES - 1):
        with suppress(SystemError):
            return ast.parse(text, mode="eval").body
    return ast.parse(text, mode="eval").body
