"""Whether a list that is made at once of what Python goes through bit by bit has the same items: `iter(xs)`."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dplint.program.nodes import Call, CallFunction, Expression, Opaque
from dplint.program.walk import draws, walk
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.scope import Scope
from dplint.source.lowering.staging import Staged
from dplint.source.walking import is_name, nodes_below

_NEW = frozenset({"list", "range", "sorted", "tuple"})
_MAKING = (cst.List, cst.Tuple, cst.ListComp, cst.Dict, cst.DictComp, cst.BinaryOperation)
_VIEWS = frozenset({"enumerate", "reversed", "zip"})


def snapshot(reader: Reader, node: cst.BaseExpression, inside: Sequence[cst.CSTNode]) -> Expression | None:
    """The list of the items, made at once; None where Python might have others, or do more than to give them.

    inside: what is done while Python goes through them. That a list is changed under another name is refused in any
    case (`program.sharing`).
    """
    if not _is_same_later(reader.scope, node, inside):
        return None
    items = Call("list", (reader.iterable(node),), (), reader.span(node))
    return None if does_more(items) and not _is_new(reader.scope, node) else items


def does_more(expression: Expression) -> bool:
    """Whether it draws, or may do something else than to give a value."""
    return any(draws(one) or isinstance(one, CallFunction | Opaque | Staged) for one in walk([expression]))


def _is_new(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether it makes a list at once, or what is gone through like one, that nobody else holds."""
    made = isinstance(node, cst.Call) and scope.canonical(node.func) in _NEW
    return made or isinstance(node, _MAKING)


def _is_same_later(scope: Scope, node: cst.BaseExpression, inside: Sequence[cst.CSTNode]) -> bool:
    if isinstance(node, cst.Call) and scope.canonical(node.func) in _VIEWS:
        plain = not any(one.keyword or one.star for one in node.args)
        return plain and all(_is_same_later(scope, one.value, inside) for one in node.args)
    if isinstance(node, cst.Subscript) and len(node.slice) == 1 and isinstance(node.slice[0].slice, cst.Slice):
        return _is_same_later(scope, node.value, inside)
    if not isinstance(node, cst.Name) or scope.local(node.value) is None:
        return _is_new(scope, node) or isinstance(node, cst.Name | cst.SimpleString)
    return is_left_alone(scope, node, inside)


def is_left_alone(scope: Scope, name: cst.Name, inside: Sequence[cst.CSTNode]) -> bool:
    """Whether what a local name holds is not changed in place meanwhile, by functions that are made here either."""
    # Nobody changes in place what a caller has given.
    given = name.value in scope.parameters and name.value not in scope.renewed
    made = [one.node for choice in scope.functions.values() for one in choice.values]
    made = [one for one in made if isinstance(one, cst.FunctionDef | cst.Lambda)]
    return given or not any(_may_change(one, name) for one in (*inside, *made))


def _may_change(inside: cst.CSTNode, name: cst.Name) -> bool:
    """Whether a name is mentioned otherwise than to ask for its length."""
    mentioned = [one for one in nodes_below(inside) if is_name(one, name.value) and one is not name]
    asked = set[int]()
    for one in nodes_below(inside) if mentioned else ():
        match one:
            case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=cst.Name() as own)]):
                asked.add(id(own))
    return any(id(one) not in asked for one in mentioned)
