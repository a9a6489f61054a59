"""Names that hold a `collections.ChainMap` which is only read, of dicts that nobody changes: as one dict.

`ChainMap(a, b)` has the keys of `{**b, **a}`, in that order and with those values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Binary,
    Call,
    Constant,
    DictDisplay,
    Expression,
    If,
    MethodCall,
    Name,
    Statement,
    Unary,
)
from dplint.program.opaque import opaque
from dplint.program.refusals import Unsupported
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope
from dplint.source.walking import nodes_below

READING = frozenset({"get", "items", "keys", "values"})


def is_plain(scope: Scope, node: cst.Call) -> bool:
    """Whether it is given dicts that have a name, or are written out here."""
    return all(one.keyword is None and not one.star and _is_dict(scope, one.value) for one in node.args)


def _is_dict(scope: Scope, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.BooleanOperation):
        return _is_dict(scope, node.left) and _is_dict(scope, node.right)
    return isinstance(node, cst.Name) or _is_new(scope, node)


def _is_new(scope: Scope, node: cst.BaseExpression) -> bool:
    made = isinstance(node, cst.Call) and scope.canonical(node.func) == "dict"
    return made or isinstance(node, cst.Dict | cst.DictComp)


def changing(scope: Scope, body: cst.CSTNode, names: Collection[str]) -> set[str]:
    """Those of some names of ChainMaps that are not only read, or whose dicts may change or be no dicts."""
    if not names:
        return set()
    given: list[tuple[str, cst.BaseExpression]] = []
    for one in nodes_below(body):
        match one:
            case (
                cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=name))], value=value)
                | cst.AnnAssign(target=cst.Name(value=name), value=cst.BaseExpression() as value)
            ):
                given.append((name, value))
    barred = {*_changed(body)} | {name for name, value in given if name not in names and not _is_new(scope, value)}
    maps = [(name, _maps_of(value)) for name, value in given if name in names]
    return {name for name, held in maps if name in barred or not barred.isdisjoint(held)}


def _changed(body: cst.CSTNode) -> Iterator[str]:
    """The names of which a function may change what they hold, or asks for more than keys and values."""
    for one in nodes_below(body):
        match one:
            case cst.Attribute(value=cst.Name(value=name), attr=cst.Name(value=word)) if word not in READING:
                yield name
            case cst.AugAssign(target=cst.Name(value=name)):
                yield name
            case cst.AssignTarget(target=target) | cst.AugAssign(target=target) | cst.Del(target=target):
                parts = (part.value for part in nodes_below(target) if isinstance(part, cst.Subscript))
                yield from (part.value for part in parts if isinstance(part, cst.Name))


def _maps_of(node: cst.BaseExpression) -> Iterator[str]:
    """The names that a call of ChainMap is given."""
    pending = [one.value for one in node.args] if isinstance(node, cst.Call) else []
    while pending:
        one = pending.pop()
        if isinstance(one, cst.BooleanOperation):
            pending += [one.left, one.right]
        elif isinstance(one, cst.Name):
            yield one.value


def chained(reader: Reader, node: cst.Call) -> tuple[tuple[Statement, ...], Expression]:
    """The dict, and what comes before it."""
    span = reader.span(node)
    before: list[Statement] = []
    pairs: list[Expression] = []
    for one in node.args:
        given = reader.expression(one.value)
        kept = Name(reader.scope.rename({"given"})["given"], span)
        before.append(Assign((kept,), given, span))
        if isinstance(one.value, cst.Name) and one.value.value in reader.scope.parameters | reader.scope.given:
            is_dict = Call("isinstance", (kept, Constant("dict", span)), (), span)
            refused = Unsupported(
                "a ChainMap of what is no dict",
                span,
                "give it dicts that are made there: ChainMap({**options}, DEFAULTS)",
            )
            before.append(If(Unary("not", is_dict, span), (opaque(refused),), (), span))
        pairs.insert(0, Call("list", (MethodCall(kept, "items", (), (), span),), (), span))
    if not pairs:
        return (), DictDisplay((), (), span)
    joined = pairs[0]
    for part in pairs[1:]:
        joined = Binary("+", joined, part, span)
    return (*before,), Call("dict", (joined,), (), span)
