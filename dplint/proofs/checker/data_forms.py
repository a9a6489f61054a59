"""Data handed over as a dict, a series, a table of polars, a matrix or rows, read as a list, an array or a table.

A program may look at such data in a few ways only, each of which gives what another expression does where the same
records come as a list, an array or a table of pandas:

- `values.sum()` of a series is that of an array, and `table["age"].sum()` of a table of polars that of pandas; the same
  holds of `max`, `mean` and `min` of what is not empty, and of all four after `clip` between whole numbers;
- `matrix.sum(axis=0)` has the sums of the columns, in their order, and `matrix[:, 0].sum()` is the first of them, where
  all columns have one type of numbers;
- what `data.values()` of a dict gives to a loop, or to a function that only goes through it once, are its items;
- a variable of a loop over rows is `row["age"]` where the loop takes the row apart, and so is `row[0]`, or `row.age`
  where the class of the records holds just what it is given (`Program.fields`);
- and `len(data)` is how many records there are.

If a program does nothing else with its data, the program with those other expressions gives the same, draw for draw,
and neighbours are neighbours, since the records and their order are the same. So either both keep a claim, or neither
does. Where there is anything else, the data stays in a form that the checker does not know. A place that is not
understood may look at data that nobody sees there; but every proof refuses a run that comes to one, and of the end of a
program only those are cut off that have all their operands.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from dplint.claims import Columns, Interval, Mechanism
from dplint.inputs.forms import data_annotation, data_form
from dplint.program.nodes import (
    Call,
    Clause,
    Constant,
    Expression,
    For,
    ListDisplay,
    MethodCall,
    Name,
    Opaque,
    Program,
    Slice,
    Subscript,
    TupleDisplay,
    TupleTarget,
)
from dplint.program.walk import bound_names, rebuilt, walk
from dplint.proofs.checker.rewriting import NotRead, Reading
from dplint.proofs.checker.tables import is_read

_FOLDS = frozenset(["max", "mean", "min", "sum"])
_GOES_THROUGH = frozenset(["list", "max", "min", "sum", "tuple"])
"""Functions that go through what they are given once, whatever its type."""


def in_known_form(program: Program, mechanism: Mechanism) -> tuple[Program, Mechanism]:
    """A program and a claim of data in a form that the checker knows: it is kept if and only if this one is.

    Both as they are where there is no such program, or none is needed.
    """
    if data_form(mechanism) == "frame":
        program = with_calls_of_tables(program)
    reading, annotation = _reading(program, mechanism)
    if reading is None:
        return program, mechanism
    try:
        changed = reading.of(program)
    except NotRead:
        return program, mechanism
    parameters = tuple(
        replace(one, annotation=annotation) if one.name == mechanism.data else one for one in mechanism.parameters
    )
    return changed, replace(mechanism, parameters=parameters)


def with_calls_of_tables(program: Program) -> Program:
    """A program with calls of methods of tables that the checker knows, in place of what is not understood."""

    def change(node: Any) -> Any:
        if not isinstance(node, Opaque) or not is_read(node.called, node.names):
            return None
        given = tuple(rebuilt(one, change) for one in node.operands)
        first, last = (
            given[: len(given) - len(node.names)],
            tuple(zip(node.names, given[len(given) - len(node.names) :], strict=True)),
        )
        if node.called.startswith("."):
            return MethodCall(first[0], node.called[1:], first[1:], last, node.span)
        return Call(node.called, first, last, node.span)

    functions = tuple(replace(one, body=rebuilt(one.body, change)) for one in program.functions)
    return replace(program, body=rebuilt(program.body, change), functions=functions)


def _reading(program: Program, mechanism: Mechanism) -> tuple[Reading | None, str]:
    """How the data of that form is read, and the annotation of the form that the checker knows instead."""
    data, form, domain = program.data or "", data_form(mechanism), mechanism.claim.domain
    columns = dict(domain.columns) if isinstance(domain, Columns) else {}
    if not data or data != mechanism.data or mechanism.claim.pairs is not None:
        return None, ""
    match form:
        case "series" | "polars series" if not columns:
            return _OfSeries(data), "np.ndarray"
        case "polars frame" if columns:
            numbers = tuple(name for name, one in columns.items() if isinstance(one, Interval))
            return _OfTable(data, numbers), "pd.DataFrame"
        case "matrix" if len({isinstance(one, Interval) and one.integer for one in columns.values()}) == 1:
            if all(isinstance(one, Interval) for one in columns.values()):
                return _OfMatrix(data, tuple(columns)), "pd.DataFrame"
        case "dict" | "numbered dict" if not columns:
            of_numbers = re.search(r"\b(int|float)\s*\]$", data_annotation(mechanism))
            return _OfDict(data), f"list[{of_numbers[1]}]" if of_numbers else "list"
        case "list of tuples" | "list of lists" if columns:
            return _OfRows(data, tuple(columns)), "list"
        case "list of objects" | "tuple of objects" if columns.keys() <= {*program.fields}:
            return _OfObjects(data, tuple(columns)), "list" if form == "list of objects" else "tuple"
        case "object" if columns.keys() <= {*program.fields}:
            return _OfObject(data, tuple(columns)), "dict"
    return None, ""


class _Folding(Reading):
    """Of a column one number is looked at."""

    def folded(self, node: Any) -> Any:
        """One number of all numbers of a column, which may be cut off before; None for what is none."""
        if not isinstance(node, MethodCall) or node.method not in _FOLDS or node.arguments or node.keywords:
            return None
        match node.receiver:
            case MethodCall(receiver=inner, method="clip", arguments=(low, high), keywords=()):
                column = self.column(inner) if _is_whole(low) and _is_whole(high) else None
                return None if column is None else replace(node, receiver=replace(node.receiver, receiver=column))
        column = self.column(node.receiver)
        return None if column is None else replace(node, receiver=column)

    def column(self, node: Any) -> Expression | None:
        """A column of numbers as the known form has it; None for what is none."""
        raise NotImplementedError


class _OfSeries(_Folding):
    """A series of pandas or polars as an array."""

    def known(self, node: Any) -> Any:
        return self.folded(node)

    def column(self, node: Any) -> Expression | None:
        return node if self.is_data(node) else None


class _OfTable(_Folding):
    """A table of polars as one of pandas."""

    def known(self, node: Any) -> Any:
        return self.folded(node)

    def column(self, node: Any) -> Expression | None:
        match node:
            case Subscript(value=value, index=Constant(value=str() as name)) if self.is_data(value):
                return node if name in self.names else None
        return None


class _OfMatrix(_Folding):
    """An array of two dimensions as a table."""

    def known(self, node: Any) -> Any:
        match node:
            case MethodCall(receiver=value, method="sum", arguments=(), keywords=(("axis", zero),), span=span):
                if self.is_data(value) and _is_whole(zero) and zero == Constant(0, zero.span):
                    columns = (Subscript(value, Constant(name, span), span) for name in self.names)
                    sums = tuple(MethodCall(one, "sum", (), (), span) for one in columns)
                    return Call("numpy.array", (ListDisplay(sums, span),), (), span)
        return self.folded(node)

    def column(self, node: Any) -> Expression | None:
        match node:
            case Subscript(value=value, index=TupleDisplay(elements=(Slice(start=None, stop=None, step=None), place))):
                name = _named(self.names, place) if self.is_data(value) else None
                return None if name is None else replace(node, index=Constant(name, node.span))
        return None


class _OfDict(Reading):
    """The items of a dict, without its keys, as a list."""

    def known(self, node: Any) -> Any:
        match node:
            case Call(function=name, arguments=(items, *more)) if (data := self._data_of(items)) is not None:
                if name in _GOES_THROUGH and (name == "sum" or not more):
                    return self.parts(node, arguments=(data, *self.read(tuple(more))))
            case For(iterable=items) | Clause(iterable=items) if (data := self._data_of(items)) is not None:
                return self.parts(node, iterable=data)
        return None

    def _data_of(self, node: Any) -> Expression | None:
        """The dict of which an expression gives the items; None for any other."""
        match node:
            case MethodCall(receiver=receiver, method="values", arguments=(), keywords=()) if self.is_data(receiver):
                return receiver
        return None


class _OfRows(Reading):
    """Records that are tuples or lists as records that are dicts."""

    def of(self, program: Program) -> Program:
        loops = [one for one in walk(program.body) if isinstance(one, For | Clause) and self.is_data(one.iterable)]
        bound = Counter(name for node in walk(program.body) for name in bound_names([node]))
        self.variables = dict(pair for one in loops for pair in self._variables(one.target))
        if any(bound[name] > 1 for name in self.variables) or len(self.variables) < sum(map(_count, loops)):
            raise NotRead
        return Reading.of(self, program)

    def _variables(self, target: Any) -> Sequence[tuple[str, Expression | None]]:
        """The variables of a loop over rows, with what they are parts of."""
        if isinstance(target, Name):
            return [(target.id, None)]
        if not isinstance(target, TupleTarget) or len(target.elements) != len(self.names):
            raise NotRead
        if not all(isinstance(one, Name) for one in target.elements):
            raise NotRead
        row, span = _row(target), target.span
        listed = zip(target.elements, self.names, strict=True)
        return [(one.id, Subscript(row, Constant(name, span), span)) for one, name in listed if isinstance(one, Name)]

    def known(self, node: Any) -> Any:
        match node:
            case For(iterable=rows, target=target) | Clause(iterable=rows, target=target) if self.is_data(rows):
                return self.parts(node, iterable=rows, target=_row(target))
            case Name(id=name) if self.variables.get(name) is not None:
                return self.variables[name]
            case Subscript(value=Name(id=name), index=place) if self._is_row(name):
                column = _named(self.names, place)
                return None if column is None else replace(node, index=Constant(column, node.span))
        return None

    def _is_row(self, name: str) -> bool:
        return name in self.variables and self.variables[name] is None


class _OfObjects(_OfRows):
    """Records that are objects as records that are dicts."""

    def _variables(self, target: Any) -> Sequence[tuple[str, Expression | None]]:
        if not isinstance(target, Name):
            raise NotRead
        return [(target.id, None)]

    def known(self, node: Any) -> Any:
        match node:
            case Opaque():
                return _field(node, self.names, self._is_row)
            case Subscript():
                return None
        return super().known(node)


class _OfObject(Reading):
    """One record that is an object as a dict."""

    def known(self, node: Any) -> Any:
        return _field(node, self.names, lambda name: name == self.data) if isinstance(node, Opaque) else None


def _field(node: Opaque, names: Sequence[str], is_record: Callable[[str], bool]) -> Subscript | None:
    """The field of a record that an expression reads; None for what is none."""
    match node:
        case Opaque(attribute=name, operands=(Name(id=one),)) if name in names and is_record(one):
            return Subscript(node.operands[0], Constant(name, node.span), node.span)
    return None


def _row(target: Any) -> Name:
    """The variable for a row: that of the loop, or one with a name that no other has."""
    if isinstance(target, Name):
        return target
    return Name(f"({', '.join(one.id for one in target.elements)})", target.span)


def _count(loop: For | Clause) -> int:
    return len(loop.target.elements) if isinstance(loop.target, TupleTarget) else 1


def _is_whole(node: Any) -> bool:
    """Whether it is a whole number that is known."""
    return isinstance(node, Constant) and type(node.value) is int


def _named(names: Sequence[str], place: Any) -> str | None:
    """The column at a place; None if there is none, or it is not known."""
    at: int = place.value if _is_whole(place) else len(names)
    return names[at] if -len(names) <= at < len(names) else None
