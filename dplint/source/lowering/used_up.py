"""Iterators that are used up at once: `list(zip(*rows))`, `sum(chain.from_iterable(rows))`."""

from __future__ import annotations

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Call,
    Clause,
    Comprehension,
    Constant,
    Expression,
    Name,
    Subscript,
)
from dplint.source.lowering.reader import Reader

_FLATTENING = "itertools.chain.from_iterable"


class UsedUp:
    """Lowers these."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        reader.all_of = self.all_of

    def _fresh(self, word: str, node: cst.CSTNode) -> Name:
        return Name(self._scope.rename({word})[word], self._reader.span(node))

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
