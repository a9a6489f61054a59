"""`rng.shuffle(items)` as a draw of an order, and the items put in that order, in place.

Every order is as likely as any other, as with `permutation`. What is shuffled is a list or an array under a name of the
function's own: a tuple, a range or a dict would raise, or not, by how long it is, and a run that comes with one is
refused. `random.shuffle` exchanges items one by one, which loses rows of a table: to it arrays have one dimension.
"""

from __future__ import annotations

import libcst as cst

from dplint.distributions import PYTHON
from dplint.program.nodes import (
    Assign,
    Call,
    Clause,
    Comprehension,
    Constant,
    Draw,
    If,
    ItemTarget,
    Name,
    Slice,
    Statement,
    Subscript,
)
from dplint.program.opaque import opaque
from dplint.source.bindings import SCOPES, binding_counts
from dplint.source.lowering.draws import Draws
from dplint.source.lowering.hints import SHUFFLE_HINT
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.rewriting import Rewriting
from dplint.source.lowering.scope import Scope
from dplint.source.walking import is_name, nodes_below

_FLAT, _ARRAY = "a list or an array of one dimension", "an array"
_MAKERS = {
    **dict.fromkeys(["list", "sorted", "random.sample", "numpy.arange"], _FLAT),
    **dict.fromkeys(["numpy.array", "numpy.zeros", "numpy.ones", "numpy.full"], _ARRAY),
    **dict.fromkeys(["numpy.sort", "numpy.argsort", "numpy.concatenate", "numpy.repeat"], _ARRAY),
}
_COUNTING = frozenset({"len", "int"})


class Shuffles:
    """Lowers such statements of a function whose body that is."""

    def __init__(self, reader: Reader, rewriting: Rewriting, draws: Draws, body: cst.CSTNode | None) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._rewriting = rewriting
        self._draws = draws
        self._body = body

    def executed(self, node: cst.Call) -> tuple[Statement, ...] | None:
        """The statements; None for what is no shuffle."""
        stream = self._draws.shuffled(node)
        if stream is None:
            return None
        match node.args:
            case [cst.Arg(value=cst.Name(value=word) as items, keyword=None, star="")]:
                kind = self._kind(word)
            case _:
                raise self._reader.refuse("a shuffle of no name", node, SHUFFLE_HINT)
        refused = self._reader.refuse(f"a shuffle of {word}, which may be no list", node, SHUFFLE_HINT)
        if (kind is None and not self._is_assigned(word)) or (kind == _ARRAY and stream.family == PYTHON):
            raise refused
        span, name = self._reader.span(node), self._reader.exactly(items)
        if not isinstance(name, Name):
            raise self._reader.refuse("a shuffle of no name", node, SHUFFLE_HINT)
        places, place = self._rewriting.fresh("places", span), self._rewriting.fresh("place", span)
        size = Call("len", (name,), (), span)
        drawn = Draw("permutation", (("x", size),), None, stream.label, stream.family, span)
        moved = Comprehension("list", Subscript(name, place, span), (Clause(place, places, ()),), span)
        whole = ItemTarget(name, Slice(None, None, None, span), span)
        shuffled = Assign((places,), drawn, span), Assign((whole,), moved, span)
        if kind is not None:
            return shuffled
        # What a helper gives, or a copy of the data: the runs tell.
        types = ("list",) if stream.family == PYTHON else ("list", "numpy.ndarray")
        is_list = Call("isinstance", (name, *(Constant(one, span) for one in types)), (), span)
        return (If(is_list, shuffled, (opaque(refused.unsupported),), span),)

    def _is_assigned(self, name: str) -> bool:
        return isinstance(self._body, cst.BaseSuite) and binding_counts(self._body)[name] > 0

    def _kind(self, name: str) -> str | None:
        """What everything is that the function gives a name; None where that is not known."""
        if not isinstance(self._body, cst.BaseSuite):
            return None
        kinds = [kind for one in nodes_below(self._body, SCOPES) if (kind := _given(self._scope, one, name))]
        # An argument of that name is the caller's, who sees what becomes of it: no program changes that.
        if not kinds or len(kinds) != binding_counts(self._body)[name]:
            return None
        return _ARRAY if _ARRAY in kinds else _FLAT


def _given(scope: Scope, node: cst.CSTNode, name: str) -> str | None:
    """What a statement gives a name."""
    match node:
        case (
            cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=own))], value=cst.BaseExpression() as value)
            | cst.AnnAssign(target=cst.Name(value=own), value=cst.BaseExpression() as value)
        ) if own == name:
            return _made(scope, value)
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Tuple(elements=own))], value=cst.Tuple(elements=values)):
            pairs = zip(own, values, strict=False)
            made = [_made(scope, value.value) for one, value in pairs if is_name(one.value, name)]
            starred = any(isinstance(one, cst.StarredElement) for one in (*own, *values))
            return made[0] if len(made) == 1 and not starred else None
        case cst.AugAssign(target=cst.Name(value=own), operator=cst.AddAssign(), value=value) if own == name:
            return _made(scope, value)
    return None


def _made(scope: Scope, node: cst.BaseExpression) -> str | None:
    """What an expression makes, where that is a list or an array."""
    match node:
        case cst.List() | cst.ListComp() | cst.Call(func=cst.Attribute(attr=cst.Name(value="tolist"))):
            return _FLAT
        case cst.BinaryOperation(left=left, operator=cst.Add(), right=right):
            parts = {_made(scope, left), _made(scope, right)}
            return None if None in parts else _ARRAY if _ARRAY in parts else _FLAT
        case cst.BinaryOperation(left=left, operator=cst.Multiply(), right=right):
            # What repeats a list may be an array in truth.
            kind, times = (_made(scope, left), right) if _made(scope, left) else (_made(scope, right), left)
            return kind if kind is None or _is_count(scope, times) else _ARRAY
        case cst.Call(func=function):
            return _MAKERS.get(scope.canonical(function) or "")
    return None


def _is_count(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether it is certainly one whole number."""
    match node:
        case cst.BinaryOperation(left=left, operator=cst.Add() | cst.Subtract(), right=right):
            return _is_count(scope, left) and _is_count(scope, right)
        case cst.Call(func=function):
            return scope.canonical(function) in _COUNTING
    return isinstance(node, cst.Integer)
