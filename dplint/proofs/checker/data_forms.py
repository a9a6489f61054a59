"""Data handed over as a dict, a series, a table of polars, a matrix or rows, read as a list, an array or a table.

A program may look at such data in a few ways only, each of which gives what another expression does where the same
records come as a list, an array or a table of pandas:

- `values.sum()` of a series is that of an array, and `table["age"].sum()` of a table of polars that of pandas; the same
  holds of `max`, `mean` and `min` of what is not empty, and of all four after `clip` between whole numbers;
- `matrix.sum(axis=0)` has the sums of the columns, in their order, and `matrix[:, 0].sum()` is the first of them, where
  all columns have one type of numbers;
- of a set, whose records all differ, `x in data` and `len(data | {a, b})` are counts; sums of it are in any order;
- what `data.values()` of a dict gives to a loop, or to a function that only goes through it once, are its items, and
  `data[key]` is one for a key that a loop gives;
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
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from dplint.claims import Column, Columns, Interval, Mechanism, Span
from dplint.inputs.forms import data_annotation, data_form
from dplint.program import nodes as ir
from dplint.program.walk import rebuilt, rebuilt_program, walk
from dplint.proofs.checker import expressions, tables
from dplint.proofs.checker.rewriting import NotRead, Reading

_FOLDS = frozenset(["max", "mean", "min", "sum"])
_OF_PANDAS = tables.NAMES | frozenset(
    "astype clip copy count fillna get isna max mean min notna sum tolist".split()  # noqa: SIM905
)
_OF_OUTPUTS = frozenset(["filter", "head", "to_dict"])
"""What `stable` reads of tables beside these."""
_OF_POLARS = expressions.METHODS | frozenset(["clip", "sum"])
_BY_NAME = frozenset("columns fill_value how index maintain_order observed on sort".split())  # noqa: SIM905
_GOES_THROUGH = frozenset(["list", "max", "min", "sum", "tuple"])
"""Functions that go through what they are given once, whatever its type."""


def in_known_form(program: ir.Program, mechanism: Mechanism) -> tuple[ir.Program, Mechanism]:
    """A program and a claim of data in a form that the checker knows: it is kept if and only if this one is.

    Both as they are where there is no such program, or none is needed.
    """
    if data_form(mechanism) in ("frame", "polars frame"):
        polars, more = (
            data_form(mechanism) == "polars frame",
            _OF_OUTPUTS if mechanism.claim.stable else frozenset[str](),
        )
        program = _with_calls(program, more, polars=polars)
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
    return changed, replace(mechanism, parameters=parameters, form=annotation)


def _with_calls(program: ir.Program, more: frozenset[str], *, polars: bool) -> ir.Program:
    """A program with calls of methods of tables that the checker knows, in place of what is not understood.

    Nothing that such a method is given by name has it change its receiver. Methods of lists and arrays are among them,
    too, for they may be called of what these give. more: further methods.
    """

    def change(node: Any) -> Any:
        if not isinstance(node, ir.Opaque) or not _is_read(node, more, polars):
            return None
        given = tuple(rebuilt(one, change) for one in node.operands)
        split = len(given) - len(node.names)
        first, last = given[:split], tuple(zip(node.names, given[split:], strict=True))
        if node.called.startswith("."):
            return ir.MethodCall(first[0], node.called[1:], first[1:], last, node.span)
        return ir.Call(node.called, first, last, node.span)

    return rebuilt_program(program, change)


def _is_read(node: ir.Opaque, more: frozenset[str], polars: bool) -> bool:
    if not node.called.startswith("."):
        return polars and node.called in expressions.FUNCTIONS
    known = more | (_OF_POLARS if polars else _OF_PANDAS)
    return node.called[1:] in known and (node.called == ".assign" or _BY_NAME.issuperset(node.names))


def _reading(program: ir.Program, mechanism: Mechanism) -> tuple[Reading | None, str]:
    """How the data of that form is read, and the annotation of the form that the checker knows instead."""
    data, form, domain = program.data or "", data_form(mechanism), mechanism.claim.domain
    if not data or data != mechanism.data or mechanism.claim.pairs is not None:
        return None, ""
    if isinstance(domain, Columns):
        return _of_columns(program, data, form, dict(domain.columns))
    annotation = data_annotation(mechanism)
    of_numbers = re.search(r"\b(int|float)\s*\]$", annotation)
    listed = f"list[{of_numbers[1]}]" if of_numbers else "list"
    match form:
        case "series" | "polars series":
            return _OfSeries(data), "np.ndarray"
        case "dict" | "numbered dict":
            return _OfDict(data, ("0, 1, ...",) if form == "numbered dict" else ()), listed
        case "set" | "frozenset":
            return _OfSet(data), listed
    return None, ""


def _of_columns(program: ir.Program, data: str, form: str, columns: Mapping[str, Column]) -> tuple[Reading | None, str]:
    """The same of records with columns."""
    numbers = {name: one for name, one in columns.items() if isinstance(one, Interval)}
    match form:
        case "polars frame":
            return _OfTable(data, tuple(numbers)), "pd.DataFrame"
        case "matrix" if len(numbers) == len(columns) and len({one.integer for one in numbers.values()}) == 1:
            return _OfMatrix(data, tuple(columns)), "pd.DataFrame"
        case "list of tuples" | "list of lists":
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
        if not isinstance(node, ir.MethodCall) or node.method not in _FOLDS or node.arguments or node.keywords:
            return None
        match node.receiver:
            case ir.MethodCall(receiver=inner, method="clip", arguments=(low, high), keywords=()):
                column = self.column(inner) if _is_whole(low) and _is_whole(high) else None
                return None if column is None else replace(node, receiver=replace(node.receiver, receiver=column))
        column = self.column(node.receiver)
        return None if column is None else replace(node, receiver=column)

    def column(self, node: Any) -> ir.Expression | None:
        """A column of numbers as the known form has it; None for what is none."""
        raise NotImplementedError


class _OfSeries(_Folding):
    """A series of pandas or polars as an array."""

    def known(self, node: Any) -> Any:
        return self.folded(node)

    def column(self, node: Any) -> ir.Expression | None:
        return node if self.is_data(node) else None


class _OfTable(_Folding):
    """A table of polars as one of pandas, or where what is made of it is read by `expressions`."""

    def known(self, node: Any) -> Any:
        match node:
            case ir.MethodCall(receiver=table, method="filter" | "group_by" | "select") if self.is_data(table):
                return self.parts(node, receiver=table)
        return self.folded(node)

    def column(self, node: Any) -> ir.Expression | None:
        match node:
            case ir.Subscript(value=value, index=ir.Constant(value=str() as name)) if self.is_data(value):
                return node if name in self.names else None
        return None


class _OfMatrix(_Folding):
    """An array of two dimensions as a table."""

    def known(self, node: Any) -> Any:
        match node:
            case ir.MethodCall(receiver=value, method="sum", arguments=(), keywords=(("axis", zero),), span=span):
                if self.is_data(value) and _is_whole(zero) and zero == ir.Constant(0, zero.span):
                    columns = (ir.Subscript(value, ir.Constant(name, span), span) for name in self.names)
                    sums = tuple(ir.MethodCall(one, "sum", (), (), span) for one in columns)
                    return ir.Call("numpy.array", (ir.ListDisplay(sums, span),), (), span)
        return self.folded(node)

    def column(self, node: Any) -> ir.Expression | None:
        match node:
            case ir.Subscript(
                value=value, index=ir.TupleDisplay(elements=(ir.Slice(start=None, stop=None, step=None), place))
            ):
                name = _named(self.names, place) if self.is_data(value) else None
                return None if name is None else replace(node, index=ir.Constant(name, node.span))
        return None


class _OfDict(Reading):
    """The items of a dict, without its keys, as a list. names: of keys that are 0, 1, ..., these words."""

    def bound(self, loop: ir.For | ir.Clause) -> Sequence[tuple[str, ir.Expression | None]]:
        """A key, whose variable takes the item, and that of an item, which is the same then."""
        match loop.target:
            case ir.Name(id=key) if self.is_data(loop.iterable):
                return [(key, None)]
            case ir.TupleTarget(elements=(ir.Name(id=key) as one, ir.Name(id=item))) if _is_call(
                loop.iterable, "items"
            ):
                return [(key, None), (item, one)]
        raise NotRead

    def goes_through(self, iterable: Any) -> bool:
        return self.is_data(iterable) or (_is_call(iterable, "items") and self.is_data(iterable.receiver))

    def known(self, node: Any) -> Any:
        match node:
            case ir.Call("max", (keys,), (("default", ir.Constant(value=-1) as one),), span) if (
                self.names and _is_whole(one)
            ):
                count = ir.Call("len", (keys,), (), span)
                return ir.Binary("-", count, ir.Constant(1, span), span) if self.is_data(keys) else None
            case ir.Call(function=name, arguments=(items, *more)) if (data := self._data_of(items)) is not None:
                if name in _GOES_THROUGH and (name == "sum" or not more):
                    return self.parts(node, arguments=(data, *self.read(tuple(more))))
            case ir.For(iterable=items) | ir.Clause(iterable=items) if (data := self._data_of(items)) is not None:
                return self.parts(node, iterable=data)
            case ir.For(iterable=keys, target=target) | ir.Clause(iterable=keys, target=target) if self.goes_through(
                keys
            ):
                key = target.elements[0] if isinstance(target, ir.TupleTarget) else target
                return self.parts(node, target=key, iterable=ir.Name(self.data, target.span))
            case ir.Subscript(value=whole, index=ir.Name(id=key)) if self.is_data(whole) and self.is_part(key):
                return node.index
        return None

    def _data_of(self, node: Any) -> ir.Expression | None:
        """The dict of which an expression gives the items; None for any other."""
        return node.receiver if _is_call(node, "values") and self.is_data(node.receiver) else None


class _OfSet(Reading):
    """A set as the list of what is in it, which all differ; in what order, nothing may hang on."""

    def known(self, node: Any) -> Any:
        match node:
            case ir.Call(function="sum" | "max" | "min", arguments=(one,)) if self.is_data(one):
                return self.parts(node, arguments=node.arguments)
            case ir.Call(
                function="len" | "max" | "min" | "sum",
                arguments=(ir.Comprehension(kind="list", clauses=(ir.Clause(iterable=one) as clause,)) as items,),
            ) if self.is_data(one) and not any(isinstance(inner, ir.Draw | ir.CallFunction) for inner in walk(items)):
                clause = replace(clause, conditions=self.read(clause.conditions))
                items = replace(items, element=self.read(items.element), clauses=(clause,))
                return self.parts(node, arguments=(items,))
            case ir.Call(function="len", arguments=(ir.Binary(operator="|", left=one, right=more),), span=span):
                values = _display(more) if self.is_data(one) else ()
                if values:
                    others = self._those(one, "not in", values, span)
                    return ir.Binary("+", others, ir.Constant(len({value.value for value in values}), span), span)
            case ir.Compare(
                left=ir.Constant() as value, operators=("in" | "not in" as how,), comparators=(one,), span=span
            ):
                if self.is_data(one):
                    found = self._those(one, "in", (value,), span)
                    return ir.Compare(found, (">" if how == "in" else "==",), (ir.Constant(0, span),), span)
        return None

    def goes_through(self, iterable: Any) -> bool:  # noqa: ARG002 - what goes through it stands in what is known
        return False

    def _those(self, data: Any, how: str, values: tuple[ir.Expression, ...], span: Span) -> ir.Call:
        """How many are among some values, or are not."""
        one = ir.Name(f"one of {self.data} at {span}", span)
        condition = ir.Compare(one, (how,), (ir.TupleDisplay(values, span),), span)
        return ir.Call("len", (ir.Comprehension("list", one, (ir.Clause(one, data, (condition,)),), span),), (), span)


class _OfRows(Reading):
    """Records that are tuples or lists as records that are dicts."""

    def bound(self, loop: ir.For | ir.Clause) -> Sequence[tuple[str, ir.Expression | None]]:
        """The variables of a loop over rows, with what they are parts of."""
        target = loop.target
        if isinstance(target, ir.Name):
            return [(target.id, None)]
        if not isinstance(target, ir.TupleTarget) or len(target.elements) != len(self.names):
            raise NotRead
        if not all(isinstance(one, ir.Name) for one in target.elements):
            raise NotRead
        row, span = _row(target), target.span
        listed = zip(target.elements, self.names, strict=True)
        return [
            (one.id, ir.Subscript(row, ir.Constant(name, span), span))
            for one, name in listed
            if isinstance(one, ir.Name)
        ]

    def known(self, node: Any) -> Any:
        match node:
            case ir.For(iterable=rows, target=target) | ir.Clause(iterable=rows, target=target) if self.is_data(rows):
                return self.parts(node, iterable=rows, target=_row(target))
            case ir.Subscript(value=ir.Name(id=name), index=place) if self.is_part(name):
                column = _named(self.names, place)
                return None if column is None else replace(node, index=ir.Constant(column, node.span))
        return None


class _OfObjects(_OfRows):
    """Records that are objects as records that are dicts."""

    bound = Reading.bound

    def known(self, node: Any) -> Any:
        match node:
            case ir.Opaque():
                return _field(node, self.names, self.is_part)
            case ir.Subscript():
                return None
        return super().known(node)


class _OfObject(Reading):
    """One record that is an object as a dict."""

    def known(self, node: Any) -> Any:
        return _field(node, self.names, lambda name: name == self.data) if isinstance(node, ir.Opaque) else None


def _field(node: ir.Opaque, names: Sequence[str], is_record: Callable[[str], bool]) -> ir.Subscript | None:
    """The field of a record that an expression reads; None for what is none."""
    match node:
        case ir.Opaque(attribute=name, operands=(ir.Name(id=one),)) if name in names and is_record(one):
            return ir.Subscript(node.operands[0], ir.Constant(name, node.span), node.span)
    return None


def _row(target: Any) -> ir.Name:
    """The variable for a row: that of the loop, or one with a name that no other has."""
    if isinstance(target, ir.Name):
        return target
    return ir.Name(f"({', '.join(one.id for one in target.elements)})", target.span)


def _is_call(node: Any, method: str) -> bool:
    """Whether it is a call of a method that is given nothing."""
    return isinstance(node, ir.MethodCall) and (node.method, node.arguments, node.keywords) == (method, (), ())


def _display(node: Any) -> tuple[ir.Constant, ...]:
    """What is in a set that is written out in constants; nothing for all else."""
    values = node.operands if isinstance(node, ir.Opaque) and node.called == "{}" else ()
    constants = tuple(one for one in values if isinstance(one, ir.Constant))
    return constants if len(constants) == len(values) else ()


def _is_whole(node: Any) -> bool:
    """Whether it is a whole number that is known."""
    return isinstance(node, ir.Constant) and type(node.value) is int


def _named(names: Sequence[str], place: Any) -> str | None:
    """The column at a place; None if there is none, or it is not known."""
    at: int = place.value if _is_whole(place) else len(names)
    return names[at] if -len(names) <= at < len(names) else None
