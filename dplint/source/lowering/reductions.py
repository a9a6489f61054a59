"""`functools.reduce(f, xs, start)` as a call of the loop that it is."""

from __future__ import annotations

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Binary,
    Call,
    CallFunction,
    Compare,
    Comprehension,
    Constant,
    Expression,
    For,
    Function,
    If,
    Name,
    Opaque,
    Raise,
    Return,
    Slice,
    Statement,
    Subscript,
)
from dplint.program.sharing import shared_names
from dplint.program.vocabulary import FUNCTIONS
from dplint.program.walk import draws, walk
from dplint.source.lowering.helpers import Helpers
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.staging import Staged
from dplint.source.operators import BY_NAME

_EMPTY = "reduce() of empty iterable with no initial value"


def reduced(reader: Reader, helpers: Helpers, node: cst.Call, listed: Expression) -> Expression:
    """The call for these items, of a function that no other call shares.

    Raises UnsupportedConstruct where its loop is not known.
    """
    span = reader.span(node)
    names = reader.scope.rename({"items", "total", "item"})
    items, total, item = (Name(names[word], span) for word in ("items", "total", "item"))
    given = [(items.id, listed)]
    step = _step(reader, node.args[0].value, total, item)
    before: tuple[Statement, ...] = ()
    rest: Expression = items
    if len(node.args) == 3:
        given.append((total.id, reader.expression(node.args[2].value)))
    else:
        empty = Compare(Call("len", (items,), (), span), ("==",), (Constant(0, span),), span)
        raised = Raise("TypeError", (Constant(_EMPTY, span),), span)
        first = Assign((total,), Subscript(items, Constant(0, span), span), span)
        before = (If(empty, (raised,), (), span), first)
        rest = Subscript(items, Slice(Constant(1, span), None, None, span), span)
    body = (*before, For(item, rest, (Assign((total,), step, span),), (), span), Return(total, span))
    held = sorted({one.id for one in walk([step]) if isinstance(one, Name)} - {total.id, item.id})
    parameters = (*(name for name, _ in given), *held)
    name = f"{helpers.open[-1]}.reduce{next(reader.scope.numbers)}"
    helpers.done[name] = Function(name, parameters, body, shared_names(parameters, body), span)
    return CallFunction(name, (*given, *((one, Name(one, span)) for one in held)), span)


def _step(reader: Reader, function: cst.BaseExpression, total: Name, item: Name) -> Expression:
    """What the function gives for what there is so far and the next item."""
    span = reader.span(function)
    canonical = reader.scope.canonical(function) or ""
    if isinstance(function, cst.Lambda):
        step = _of_lambda(reader, function, total, item)
    elif canonical.startswith("operator.") and canonical in BY_NAME:
        step = Binary(BY_NAME[canonical], total, item, span)
    elif canonical in FUNCTIONS:
        step = Call(canonical, (total, item), (), span)
    else:
        raise reader.refuse("this function of reduce", function, "write the loop, or a lambda")
    if any(draws(one) or isinstance(one, CallFunction | Comprehension | Opaque | Staged) for one in walk([step])):
        raise reader.refuse("this function of reduce", function, "write the loop")
    return step


def _of_lambda(reader: Reader, function: cst.Lambda, total: Name, item: Name) -> Expression:
    params = function.params
    others = (*params.posonly_params, *params.kwonly_params, params.star_kwarg)
    plain = len(params.params) == 2 and not any(one.default for one in params.params)
    if not plain or any(others) or isinstance(params.star_arg, cst.Param):
        raise reader.refuse("this lambda", function, "give it two parameters")
    before, after = (one.name.value for one in params.params)
    reader.scope.renamed.append({before: total.id, after: item.id})
    try:
        return reader.lambda_body(function)
    finally:
        reader.scope.renamed.pop()
