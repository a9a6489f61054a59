"""Python's own parser, as the rest of dplint calls it: `ast.parse`, and a second try where Python itself lost count.

Identifiers are those that the compiler sees. `ast` normalises them (NFKC); private names in the bodies of classes,
`__k` in a class C, are mangled here: `_C__k`. Known to all layers; standard library only.
"""

from __future__ import annotations

import ast
import re
import unicodedata
from contextlib import suppress

_PRIVATE = re.compile(r"(?<!\w)__(?!\w*__\b)\w")
_CLASS = re.compile(r"\bclass\b")

_OF_PATTERNS: tuple[type[ast.AST], ...] = tuple(getattr(ast, name) for name in ("MatchClass",) if hasattr(ast, name))
_TRIES = 20
"""In CPython 3.11 all threads count the depth of the tree they build in one place. If two of them build trees at once
(a traceback that is logged is enough), one of them may end with "SystemError: AST constructor recursion depth
mismatch" about a text without fault: https://github.com/python/cpython/issues/106905."""


def parse_text(text: str | bytes) -> ast.Module:
    """The tree of a whole text, with private names mangled; raises what `ast.parse` raises."""
    tree = _parsed(text)
    if may_mangle(text if isinstance(text, str) else text.decode("utf-8", "replace")):
        _mangle(tree)
    return tree


def _parsed(text: str | bytes) -> ast.Module:
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


def may_mangle(text: str) -> bool:
    """Whether a text may have private names in the body of a class."""
    text = text if text.isascii() else unicodedata.normalize("NFKC", text)
    return _PRIVATE.search(text) is not None and _CLASS.search(text) is not None


def mangled(name: str, owner: str | None) -> str:
    """What the compiler makes of a name in the body of a class of that name; None outside of classes."""
    stripped = (owner or "").lstrip("_")
    if not stripped or not name.startswith("__") or name.endswith("__") or "." in name:
        return name
    return f"_{stripped}{name}"


def _mangle(tree: ast.Module) -> None:
    todo: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while todo:
        node, owner = todo.pop()
        inside: list[ast.stmt] = []
        if isinstance(node, ast.ClassDef):
            inside = node.body
            todo += [(one, node.name) for one in inside]
        if owner is not None:
            _mangle_own(node, owner)
        todo += [(one, owner) for one in ast.iter_child_nodes(node) if one not in inside]


def _mangle_own(node: ast.AST, owner: str) -> None:
    """The names that a node itself has. Keywords of calls and of patterns are texts, and stay as they are."""
    if isinstance(node, (ast.Global, ast.Nonlocal)):
        node.names = [mangled(one, owner) for one in node.names]
    elif not isinstance(node, (ast.keyword, *_OF_PATTERNS)):
        for field in ("id", "attr", "name", "asname", "module", "arg", "rest"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                setattr(node, field, mangled(name, owner))
