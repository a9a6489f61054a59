"""Annotations as source text: what names a container, what is in it, and the members of a Union."""

from __future__ import annotations

import ast
from functools import lru_cache, partial

from dplint.claims import Mechanism
from dplint.syntax import parse_expression

_OPEN = ("Any", "object", "ArrayLike", "")
"""Annotations that leave the form open."""
_WRAPPERS = ("Optional", "Annotated")


def written_annotation(mechanism: Mechanism) -> str:
    """The annotation of the data parameter as source text without quotes, empty if there is none."""
    parameter = mechanism.parameter(mechanism.data) if mechanism.data else None
    return (parameter.annotation or "").strip("\"'") if parameter else ""


@lru_cache(maxsize=1 << 8)
def parts(annotation: str) -> tuple[str, str, tuple[str, ...]]:
    """The name of the container, what stands before its dot, and the annotations of what is in it.

    Asked for with every pair of data, so the same text is parsed once.
    """
    node = _parsed(annotation)
    if node is None:
        return "", "", ()
    node = _without_none(node)
    inner: tuple[str, ...] = ()
    if isinstance(node, ast.Subscript):
        inner = tuple(map(ast.unparse, _inside(node)))
        node = node.value
    if isinstance(node, ast.Attribute):
        return node.attr, ast.unparse(node.value), inner
    return (node.id if isinstance(node, ast.Name) else ""), "", inner


@lru_cache(maxsize=1 << 8)
def members(annotation: str) -> tuple[str, ...]:
    """The annotations of which a Union allows any, in their order and without None; of any other the annotation."""
    node = _parsed(annotation)
    if node is None:
        return (annotation,)
    several = [ast.unparse(one) for one in _members(node)]
    return tuple(dict.fromkeys(several)) if len(several) > 1 else (annotation,)


def named_forms(written: str) -> list[str]:
    """The forms that an annotation names."""
    named = [one for one in members(written) if parts(one)[0] not in _OPEN or (parts(one)[0] == "" and one != "")]
    return [one for one in named if not any(map(partial(_is_whole_of, one), named))]


def _is_whole_of(annotation: str, other: str) -> bool:
    """Whether one stands for whole numbers in the same form as another one, which is not about these alone."""
    outer, _, inner = parts(annotation)
    whole = annotation == "int" or "int" in inner
    pair = ("int", "float") if outer == "int" else (outer, outer)
    return whole and other != annotation and (outer, parts(other)[0]) == pair and "int" not in parts(other)[2]


def says_numbers(annotation: str) -> bool:
    """Whether an annotation says which numbers the data holds."""
    outer, _, inner = parts(annotation)
    return outer in ("float", "int", "bool") or bool(inner) or annotation in ("float", "int")


def _parsed(annotation: str) -> ast.expr | None:
    try:
        return parse_expression(annotation.strip() or "None")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _inside(node: ast.Subscript) -> list[ast.expr]:
    return list(node.slice.elts) if isinstance(node.slice, ast.Tuple) else [node.slice]


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _members(node: ast.expr) -> list[ast.expr]:
    match node:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return [*_members(left), *_members(right)]
        case ast.Subscript() if _name(node.value) == "Union":
            return [one for inside in _inside(node) for one in _members(inside)]
        case ast.Subscript() if _name(node.value) in _WRAPPERS:
            return _members(_inside(node)[0])
        case ast.Constant(value=None):
            return []
        case ast.Constant(value=str() as text):
            inner = _parsed(text)
            return [node] if inner is None else _members(inner)
        case _:
            return [node]


def _without_none(node: ast.expr) -> ast.expr:
    """What is left of `X | None`, `Optional[X]` and `Annotated[X, ...]`."""
    several = _members(node)
    return several[0] if len(several) == 1 else node
