"""What the text of a statement of the top level tells by itself, wherever it stands."""

from __future__ import annotations

import ast
import re
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain

from dplint.source.arguments import KINDS

_WORD = re.compile(r"[^\W\d]\w*")
CLAIM = re.compile(r"#.*\bdplint\s*:\s*(?:dp|stable)\b.*")
_Function = ast.FunctionDef | ast.AsyncFunctionDef
_MOST_TOLD = 4096


@dataclass(frozen=True, slots=True)
class Told:
    """What a slice tells; the fields are those of `Slice`."""

    function: str | None
    names: frozenset[str]
    body: frozenset[str]
    renames: tuple[tuple[str, frozenset[str]], ...]
    binds: frozenset[str] | None
    inert: bool


_told: OrderedDict[str, Told] = OrderedDict()
"""Of the texts that were seen last: a key changes one slice at a time."""


def tell(text: str, statements: list[ast.stmt]) -> Told:
    """What the statements of a text tell."""
    told = _told.get(text)
    if told is None:
        told = _told[text] = _tell(text, statements)
        if len(_told) > _MOST_TOLD:
            _told.popitem(last=False)
    return told


def _tell(text: str, statements: list[ast.stmt]) -> Told:
    alone = statements[0] if len(statements) == 1 else None
    names = frozenset(_names(statements)) | _claimed(text)
    if isinstance(alone, _Function) and _may_be_left_out(alone):
        return Told(alone.name, names, frozenset(_names([alone.args, *alone.body])), (), None, inert=False)
    inert = isinstance(alone, ast.If) and _is_main_guard(alone.test)
    return Told(None, names, names, tuple(_renames(statements)), _binds(statements), inert)


def _binds(statements: list[ast.stmt]) -> frozenset[str] | None:
    if not all(isinstance(one, ast.Assign | ast.AnnAssign | ast.AugAssign | ast.Expr) for one in statements):
        return None
    nodes = chain.from_iterable(map(ast.walk, statements))
    return frozenset(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))


def _renames(statements: list[ast.stmt]) -> Iterator[tuple[str, frozenset[str]]]:
    for node in chain.from_iterable(map(ast.walk, statements)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = (getattr(node, "module", None) or "").split(".")
            yield from ((one.asname or one.name, frozenset([*module, *one.name.split(".")])) for one in node.names)
        elif isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Name | ast.Attribute):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            yield from ((one.id, frozenset(_names([node.value]))) for one in targets if isinstance(one, ast.Name))


def _may_be_left_out(function: _Function) -> bool:
    """Not if it says what names mean elsewhere: by imports, which claims look at, by `global`, by its decorators."""
    telling = (ast.Global, ast.Import, ast.ImportFrom)
    return all(_is_claim(item) for item in function.decorator_list) and not any(
        isinstance(node, telling) for node in ast.walk(function)
    )


def _is_claim(decorator: ast.expr) -> bool:
    match decorator:
        case ast.Call(func=claim):
            return _is_claim(claim)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in KINDS
        case _:
            return False


def _names(statements: Iterable[ast.AST]) -> Iterator[str]:
    """Names and, since a claim may name a function in a string, the words of strings without spaces."""
    for node in chain.from_iterable(map(ast.walk, statements)):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            yield from _WORD.findall(node.value)


def _claimed(text: str) -> frozenset[str]:
    """The words of comments that may be claims."""
    return frozenset(word for comment in CLAIM.findall(text) for word in _WORD.findall(comment))


def _is_main_guard(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=ast.Name(id="__name__"), ops=[ast.Eq()], comparators=[ast.Constant(value="__main__")]):
            return True
        case _:
            return False
