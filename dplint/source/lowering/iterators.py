"""Iterators that have a name: `it = iter(xs)`, as a list and the place up to which it is used up.

`next(it)`, a loop over it, and functions that use it up take items from there on. Such a name is bound once, in the
function's own block, and the list is not changed afterwards, so that it is made at once.
"""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from dplint.program.nodes import (
    Assign,
    AugAssign,
    Call,
    Compare,
    Constant,
    Expression,
    For,
    If,
    Name,
    Raise,
    Slice,
    Statement,
    Subscript,
    While,
)
from dplint.program.refusals import Unsupported
from dplint.source.bindings import SCOPES, binding_counts, statements
from dplint.source.lowering.catching import exceptions_of
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.snapshots import snapshot
from dplint.source.walking import nodes_below

_USING_UP = frozenset({"list", "max", "min", "sorted", "sum", "tuple"})
_LAZY = (cst.GeneratorExp, cst.Lambda)


class Iterators:
    """Lowers these. body: of the function. own: whether that is the mechanism, which nobody else calls."""

    def __init__(self, reader: Reader, body: cst.CSTNode | None, *, own: bool) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span
        self._body = body
        self._own = own
        self._held: dict[str, tuple[Name, Name]] = {}
        """By the variable: the list, and the place of the next item."""

    def kept(self, target: cst.BaseExpression, value: cst.BaseExpression) -> tuple[Statement, ...] | None:
        """`it = iter(xs)`; None for everything else."""
        match target, value:
            case cst.Name(value=name), cst.Call(args=[cst.Arg(value=items, keyword=None, star="")]) if (
                self._scope.canonical(value.func) == "iter"
            ):
                pass
            case _:
                return None
        if not isinstance(self._body, cst.BaseSuite) or binding_counts(self._body)[name] != 1:
            return None
        inside = [*statements(self._body)]
        here = [n for n, one in enumerate(inside) if isinstance(one, cst.Assign) and one.value is value]
        if not here or name in self._scope.parameters | self._scope.given:
            return None
        listed = snapshot(self._reader, items, inside[here[0] + 1 :])
        if listed is None:
            return None
        span, variable = self._span(value), self._scope.local(name) or name
        words = self._scope.rename({"items", "place"})
        kept, place = Name(words["items"], span), Name(words["place"], span)
        if not self._held:
            self._reader.register({cst.Call: self._called})
            self._reader.register_iterable(cst.Call, self._called)
        self._held[variable] = kept, place
        hint = "call next of it, loop over it, or make a list of it"
        self._scope.unusable[variable] = Unsupported("an iterator kept as a value", span, hint)
        return Assign((kept,), listed, span), Assign((place,), Constant(0, span), span)

    def _of(self, node: cst.BaseExpression) -> tuple[Name, Name] | None:
        return self._held.get(self._scope.local(node.value) or "") if isinstance(node, cst.Name) else None

    def looped(
        self, node: cst.For, block: Callable[[cst.BaseSuite], tuple[Statement, ...]]
    ) -> tuple[Statement, ...] | None:
        """A loop over such an iterator, which its body may ask for more items; None for all others."""
        held = self._of(node.iter)
        if held is None:
            return None
        (items, place), span = held, self._span(node)
        target = self._reader.target(node.target)
        orelse = () if node.orelse is None else block(node.orelse.body)
        again = any(self._of(one) is not None for one in nodes_below(node.body) if isinstance(one, cst.Name))
        if not again:
            return (For(target, _rest(items, place), (_moved(place), *block(node.body)), orelse, span),)
        taken = Assign((target,), Subscript(items, place, span), span)
        return (While(_has_more(items, place), (taken, _moved(place), *block(node.body)), orelse, span),)

    def _called(self, node: cst.Call) -> Expression | None:
        """`next(it)`, `list(it)`; None for everything else."""
        match node.args:
            case [cst.Arg(value=given, keyword=None, star=""), *others] if (held := self._of(given)) is not None:
                pass
            case _:
                return None
        (items, place), span = held, self._span(node)
        function = self._scope.canonical(node.func)
        if function in _USING_UP and not others:
            rest = Name(self._scope.rename({"rest"})["rest"], span)
            before = Assign((rest,), _rest(items, place), span), Assign((place,), Call("len", (items,), (), span), span)
            return self._reader.staged(before, Call(function or "", (rest,), (), span), span)
        if function != "next" or len(others) > 1 or any(one.keyword or one.star for one in others):
            return None
        item = Name(self._scope.rename({"item"})["item"], span)
        taken = Assign((item,), Subscript(items, place, span), span), _moved(place)
        if not others:
            if not self._may_end_here(node):
                raise self._reader.refuse("next without a default that nobody catches", node, "give it a default")
            stop = If(_has_more(items, place, ">="), (Raise("StopIteration", (), span),), (), span)
            return self._reader.staged((stop, *taken), item, span)
        default = Assign((item,), self._reader.expression(others[0].value), span)
        return self._reader.staged((default, If(_has_more(items, place), taken, (), span)), item, span)

    def _may_end_here(self, node: cst.Call) -> bool:
        """Whether a StopIteration is caught, or leaves the mechanism: a generator makes another exception of it."""
        assert self._body is not None
        below = [*nodes_below(self._body, SCOPES)]
        if any(isinstance(one, _LAZY) and any(part is node for part in nodes_below(one)) for one in below):
            return False
        tried = [
            one for one in below if isinstance(one, cst.Try) and any(part is node for part in nodes_below(one.body))
        ]
        return (self._own and not self._scope.calls) or any(map(self._catches, tried))

    def _catches(self, node: cst.Try) -> bool:
        """Whether it has an `except StopIteration`."""
        kinds = [exceptions_of(self._scope, one.type) if one.type is not None else None for one in node.handlers]
        return any("StopIteration" in kind for kind in kinds if kind is not None)


def _rest(items: Name, place: Name) -> Expression:
    return Subscript(items, Slice(place, None, None, place.span), place.span)


def _has_more(items: Name, place: Name, sign: str = "<") -> Expression:
    return Compare(place, (sign,), (Call("len", (items,), (), place.span),), place.span)


def _moved(place: Name) -> Statement:
    return AugAssign(place, "+", Constant(1, place.span), place.span)
