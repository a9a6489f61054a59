"""Starred arguments, and iterators that are used up at once: `max(*xs)`, `zip(*rows)`, `list(takewhile(f, xs))`."""

from __future__ import annotations

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Binary,
    Break,
    Call,
    Clause,
    Compare,
    Comprehension,
    Constant,
    Expression,
    For,
    If,
    IfExp,
    ListDisplay,
    Name,
    Raise,
    Statement,
    Subscript,
    Unary,
    Update,
)
from dplint.source.lowering.comprehensions import Comprehensions
from dplint.source.lowering.reader import Reader

_ENDS = ("max", "min")
_DROPPING = "itertools.dropwhile"
_FLATTENING = "itertools.chain.from_iterable"
TAKING = frozenset({"itertools.takewhile", _DROPPING})


class UsedUp:
    """Lowers these."""

    def __init__(self, reader: Reader, comprehensions: Comprehensions) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._comprehensions = comprehensions
        reader.all_of = self.all_of

    def _fresh(self, word: str, node: cst.CSTNode) -> Name:
        return Name(self._scope.rename({word})[word], self._reader.span(node))

    def called(self, node: cst.Call) -> Expression | None:
        """A call with starred arguments of a function that takes any number of them; None for all others."""
        function = self._scope.canonical(node.func) or ""
        if function not in (*_ENDS, "math.hypot") or any(one.keyword or one.star == "**" for one in node.args):
            return None
        listed = cst.List([cst.StarredElement(a.value) if a.star else cst.Element(a.value) for a in node.args])
        for one in (listed, *listed.elements):
            self._scope.placed(one, node)
        items, span = self._fresh("items", node), self._reader.span(node)
        before: list[Statement] = [Assign((items,), self._reader.expression(listed), span)]
        count = Call("len", (items,), (), span)
        if function == "math.hypot":
            # Both are one function of CPython, from differences to 0 which are the numbers themselves.
            zeros = Binary("*", ListDisplay((Constant(0.0, span),), span), count, span)
            return self._reader.staged((*before,), Call("math.dist", (items, zeros), (), span), span)
        several: Expression = Call(function, (items,), (), span)
        plain = sum(not one.star for one in node.args)
        if plain == 0:
            none = Compare(count, ("==",), (Constant(0, span),), span)
            text = Constant(f"{function} expected at least 1 argument, got 0", span)
            before.append(If(none, (Raise("TypeError", (text,), span),), (), span))
        if plain <= 1:
            # Of a single argument it goes through the items.
            alone = Call(function, (Subscript(items, Constant(0, span), span),), (), span)
            several = IfExp(Compare(count, ("==",), (Constant(1, span),), span), alone, several, span)
        return self._reader.staged((*before,), several, span)

    def all_of(self, node: cst.BaseExpression) -> Expression | None:
        """A list of all that an iterator gives, which is used up before anything else happens; None for others."""
        if not isinstance(node, cst.Call):
            return None
        function = self._scope.canonical(node.func)
        match node.args:
            case [cst.Arg(star="*", value=rows)] if function == "zip":
                return self._columns(rows, node)
            case [cst.Arg(star="", keyword=None, value=rows)] if function == _FLATTENING:
                return self._flat(rows, node)
            case [cst.Arg(star="*", value=rows)] if function == "itertools.chain":
                return self._flat(rows, node)
            case [cst.Arg(star="", keyword=None, value=test), cst.Arg(star="", keyword=None, value=items)] if (
                function in TAKING
            ):
                return self._taken(test, items, node, drops=function == _DROPPING)
        return None

    def _columns(self, rows: cst.BaseExpression, node: cst.CSTNode) -> Expression:
        """`zip(*rows)`: a tuple for each place that all rows have."""
        span, kept, row, place = (
            self._reader.span(node),
            self._fresh("rows", node),
            self._fresh("row", node),
            self._fresh("place", node),
        )
        listed = Comprehension(
            "list", Call("list", (row,), (), span), (Clause(row, self._reader.used_up(rows), ()),), span
        )
        lengths = Comprehension("list", Call("len", (row,), (), span), (Clause(row, kept, ()),), span)
        shortest = Call("min", (lengths,), (("default", Constant(0, span)),), span)
        column = Comprehension("list", Subscript(row, place, span), (Clause(row, kept, ()),), span)
        places = Clause(place, Call("range", (shortest,), (), span), ())
        columns = Comprehension("list", Call("tuple", (column,), (), span), (places,), span)
        return self._reader.staged((Assign((kept,), listed, span),), columns, span)

    def _flat(self, rows: cst.BaseExpression, node: cst.CSTNode) -> Expression:
        """`chain.from_iterable(rows)`: the items of all rows."""
        span, row, item = self._reader.span(node), self._fresh("row", node), self._fresh("item", node)
        clauses = (Clause(row, self._reader.used_up(rows), ()), Clause(item, row, ()))
        return Comprehension("list", item, clauses, span)

    def _taken(
        self, test: cst.BaseExpression, items: cst.BaseExpression, node: cst.CSTNode, *, drops: bool
    ) -> Expression:
        """`takewhile(test, items)`, or what it leaves."""
        span, taken, began = self._reader.span(node), self._fresh("taken", node), self._fresh("began", node)
        made = self._comprehensions.stepped(items)
        item: Name = self._fresh("item", node)
        if made is None:
            clause = Clause(item, self._reader.iterable(items), ())
            before: tuple[Statement, ...] = ()
        else:
            clause, before = made.clauses[0], (Assign((item,), made.element, span),)
        tested = self._comprehensions.keys_of(test, item)
        assert isinstance(tested, Comprehension)
        target = tested.clauses[0].target
        assert isinstance(target, Name)
        stops = Unary("not", tested.element, span)
        given = Assign((target,), item, span)
        put = Update(taken, "append", (item,), span)
        if drops:
            first = (given, If(stops, (Assign((began,), Constant(True, span), span),), (), span))
            inside: tuple[Statement, ...] = (
                If(Unary("not", began, span), first, (), span),
                If(began, (put,), (), span),
            )
        else:
            inside = (given, If(stops, (Break(span),), (), span), put)
        inside = (*before, *inside)
        for condition in reversed(clause.conditions):
            inside = (If(condition, inside, (), span),)
        start = (Assign((taken,), ListDisplay((), span), span), Assign((began,), Constant(False, span), span))
        loop = For(clause.target, clause.iterable, inside, (), span)
        # A copy, so that what is changed in place has no other name.
        return self._reader.staged((*start[: 1 + drops], loop), Call("list", (taken,), (), span), span)
