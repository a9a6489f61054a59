"""What is made of sets, `seen & allowed`, and what changes one, `seen |= more`: as dicts.

The items are the keys, and None is the value of each. Of two items that are equal, such as 1 and 1.0, that one is kept
which CPython keeps.
"""

from __future__ import annotations

from dataclasses import replace

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Binary,
    Call,
    Clause,
    Compare,
    Comprehension,
    Constant,
    DictDisplay,
    Expression,
    For,
    IfExp,
    ItemTarget,
    Name,
    Statement,
    TupleDisplay,
)
from dplint.source.lowering.kinds import OF_SETS, is_set
from dplint.source.lowering.reader import Reader
from dplint.source.operators import AUGMENTED, BINARY

_METHODS = {"&": "intersection", "-": "difference", "^": "symmetric_difference", "|": "union"}


class Sets:
    """Lowers these."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._span = reader.span

    def items(self, node: cst.BaseExpression) -> Expression:
        """The items of a set that has a name, or that is made here, as keys of a dict."""
        span = self._span(node)
        match node:
            case cst.Name():
                return Name(self._scope.local(node.value) or node.value, span)
            case cst.IfExp():
                test = self._reader.expression(node.test)
                return IfExp(test, self.items(node.body), self.items(node.orelse), span)
            case cst.BinaryOperation():
                return self._of_two(_METHODS[BINARY[type(node.operator)]], node.left, node.right, node)
            case cst.Call(func=cst.Attribute(value=receiver, attr=cst.Name(value=method)), args=given) if (
                method in OF_SETS and is_set(self._scope, receiver)
            ):
                if given:
                    return self._of_two(method, receiver, given[0].value, node)
                return Call("dict", (self.items(receiver),), (), span)
            case cst.Call(args=[]):
                return DictDisplay((), (), span)
            case cst.Call(args=[cst.Arg(value=given)]):
                return Call("dict", (self.items(given),), (), span) if is_set(self._scope, given) else self._made(given)
            case cst.Set():
                if not all(isinstance(one, cst.Element) for one in node.elements):
                    raise self._reader.refuse("a starred set", node, "write the elements out")
                found = tuple(self._reader.expression(one.value) for one in node.elements)
                return self._dict_of(TupleDisplay(found, found[0].span))
        return self._made(node)

    def _made(self, node: cst.BaseExpression) -> Expression:
        return self._dict_of(self._reader.used_up(node))

    def _dict_of(self, items: Expression) -> Expression:
        return Call("dict", (self._kept(items, ()),), (), items.span)

    def _kept(self, items: Expression, tests: tuple[tuple[str, Expression], ...]) -> Expression:
        """A list of pairs of those items that pass tests, `("not in", other)`."""
        span = items.span
        if isinstance(items, Comprehension) and items.kind == "list" and not tests:
            return replace(items, element=TupleDisplay((items.element, Constant(None, span)), span))
        item = Name(self._scope.rename({"item"})["item"], span)
        conditions = tuple(Compare(item, (operator,), (other,), span) for operator, other in tests)
        pair = TupleDisplay((item, Constant(None, span)), span)
        return Comprehension("list", pair, (Clause(item, items, conditions),), span)

    def _of_two(
        self, method: str, left: cst.BaseExpression, right: cst.BaseExpression, node: cst.BaseExpression
    ) -> Expression:
        """What is made of one set and another one, or a list."""
        span = self._span(node)
        before, one = self._named(left)
        more, other = self._named(right, listed=method == "intersection")
        inside, outside = (("in", one),), (("not in", one),)
        match method:
            case "union":
                pairs: Expression = Binary("+", self._kept(one, ()), self._kept(other, ()), span)
            case "difference":
                pairs = self._kept(one, (("not in", other),))
            case "symmetric_difference":
                pairs = Binary("+", self._kept(one, (("not in", other),)), self._kept(other, outside), span)
            case _ if is_set(self._scope, right):
                # CPython goes through the right one, unless it has more items.
                longer = Compare(Call("len", (other,), (), span), (">",), (Call("len", (one,), (), span),), span)
                pairs = IfExp(longer, self._kept(one, (("in", other),)), self._kept(other, inside), span)
            case _:
                pairs = self._kept(other, inside)
        return self._reader.staged((*before, *more), Call("dict", (pairs,), (), span), span)

    def _named(self, node: cst.BaseExpression, *, listed: bool = False) -> tuple[tuple[Statement, ...], Name]:
        """A set under a name, or a list as one; listed: as what it is."""
        if is_set(self._scope, node):
            items = self.items(node)
        else:
            given = self._reader.used_up(node)
            items = Call("list", (given,), (), given.span) if listed else self._dict_of(given)
        if isinstance(items, Name):
            return (), items
        name = Name(self._scope.rename({"items"})["items"], items.span)
        return (Assign((name,), items, items.span),), name

    # what changes one

    def changed(self, name: Name, node: cst.AugAssign) -> tuple[Statement, ...]:
        """`seen |= more` and its like, of a set that has no other name."""
        operator = AUGMENTED[type(node.operator)]
        if operator == "|":
            return (self.added(name, node.value),)
        return (Assign((name,), self._of_two(_METHODS[operator], node.target, node.value, node.value), name.span),)

    def added(self, name: Name, given: cst.BaseExpression) -> Statement:
        """`seen.update(items)`."""
        items = self.items(given) if is_set(self._scope, given) else self._reader.used_up(given)
        item, span = Name(self._scope.rename({"item"})["item"], name.span), name.span
        return For(item, items, (Assign((ItemTarget(name, item, span),), Constant(None, span), span),), (), span)
