"""Faults of what the lowering gives: programs of which one node is another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

from dplint.program import nodes as ir
from dplint.program.walk import is_node, walk

_OPERATORS = {"+": "-", "-": "+", "*": "+", "/": "*", "//": "/", "%": "//", "<": "<=", "<=": "<", ">": ">=", ">=": ">",
              "==": "!=", "!=": "==", "in": "not in", "not in": "in", "and": "or", "or": "and"}  # fmt: skip
_WORDS = {"min": "max", "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor"}


def changes(program: ir.Program) -> list[tuple[str, ir.Program]]:
    """The program with one node another, in words and as it is then."""
    return [
        (f"`{_short(node)}` becomes `{_short(other)}` in line {node.span.line}", _with(program, node, other))
        for node in walk(program)
        for other in _others(node)
    ]


def _short(node: ir.Node) -> str:
    parts = (getattr(node, name, None) for name in ("operator", "operators", "value", "function", "keywords"))
    return f"{type(node).__name__} {next((part for part in parts if part is not None), '')}"[:60]


def _others(node: ir.Node) -> Iterator[ir.Node]:  # noqa: C901, PLR0912 - one case a kind
    match node:
        case ir.Constant(value=bool() as value):
            yield replace(node, value=not value)
        case ir.Constant(value=int() | float() as value):
            yield replace(node, value=value + 1)
        case ir.Binary(operator=sign) | ir.BoolOp(operator=sign) | ir.AugAssign(operator=sign) if sign in _OPERATORS:
            yield replace(node, operator=_OPERATORS[sign])
        case ir.Compare(operators=(sign,)) if sign in _OPERATORS:
            yield replace(node, operators=(_OPERATORS[sign],))
        case ir.Unary(operand=operand):
            yield operand
        case ir.IfExp(body=body, orelse=orelse) | ir.If(body=body, orelse=(_, *_) as orelse):
            yield replace(node, body=orelse, orelse=body)
        case ir.For(orelse=(_, *_)) | ir.While(orelse=(_, *_)):
            yield replace(node, orelse=())
        case ir.Call(function=name, arguments=arguments, keywords=keywords):
            for word, other in _WORDS.items():
                if name.endswith(word):
                    yield replace(node, function=name.removesuffix(word) + other)
            for k in range(len(arguments) - 1):
                yield replace(node, arguments=(*arguments[:k], arguments[k + 1], arguments[k], *arguments[k + 2 :]))
            if keywords:
                yield replace(node, keywords=keywords[1:])
        case ir.MethodCall(keywords=(_, *keywords)):
            yield replace(node, keywords=tuple(keywords))


def _with(tree: Any, old: ir.Node, new: ir.Node) -> Any:
    """The tree with the one in place of the other."""
    if tree is old:
        return new
    if isinstance(tree, tuple):
        return tuple(_with(part, old, new) for part in tree)
    if is_node(type(tree)):
        return replace(tree, **{one.name: _with(getattr(tree, one.name), old, new) for one in fields(tree) if one.init})
    return tree
