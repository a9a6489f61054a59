"""Tables of polars: expressions of their columns, and what is made of groups of rows under labels that are known.

An expression is read as a function of a table, and evaluated where one is given to it. Groups are joined to a table
that the program writes out, from the left and in its order, and what is missing is filled with 0: then each row has the
sum over the rows with its label, which is 0 where there is none. Counts have no sign in polars, so that what is smaller
than 0 becomes a large number: of what is made of groups, nothing is read but its sum with noise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import z3

from dplint.claims import Span
from dplint.proofs.checker import tables
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.tables import Walking, column, known_labels
from dplint.proofs.checker.values import (
    Entries,
    Items,
    Mask,
    Table,
    Value,
    alike,
    all_of,
    equal,
    is_number,
    refuse,
    refuse_if,
    sort,
)

METHODS = frozenset("agg alias cast fill_null group_by item join len select sum_horizontal with_columns".split())  # noqa: SIM905
FUNCTIONS = frozenset(["polars.DataFrame", "polars.Float64:", "polars.Series", "polars.col", "polars.len"])
Columns = Sequence[tuple[str, Value]]


@dataclass(frozen=True, eq=False, slots=True)
class Expression:
    """What gives columns of a table, or if it is `single` one number for each."""

    of: Callable[[Table], Columns]
    single: bool = False

    def then(self, change: Callable[[Value], Value], *, single: bool = False) -> Expression:
        """The same with each column changed."""
        return Expression(lambda table: [(name, change(one)) for name, one in self.of(table)], single or self.single)


@dataclass(frozen=True, eq=False, slots=True)
class Made:
    """A table of known length that was written out, or made of others. read: whether its numbers may be read."""

    columns: tuple[tuple[str, Value], ...]
    read: bool = True

    def same_as(self, other: Value) -> Mask:
        """Whether columns and rows are the same."""
        if not isinstance(other, Made) or not alike(
            [one for one, _ in self.columns], [one for one, _ in other.columns]
        ):
            return False
        pairs = zip(self.columns, other.columns, strict=True)
        return all_of(equal(one, two) for (_, one), (_, two) in pairs)


@dataclass(frozen=True, eq=False, slots=True)
class Grouped:
    """The rows of a table by a column, and what is made of each group; labels: to which that is joined."""

    table: Table
    by: str
    made: tuple[Expression, ...] = ()
    labels: tuple[Value, ...] = ()


def called(walk: Walking, asked: Asked) -> Value:
    """What a function or method of tables gives, of polars or of pandas; None for all others."""
    first, *more = asked.arguments or (None,)
    if asked.function in FUNCTIONS:
        return _function(walk, asked, first)
    match first, asked.name, more:
        case Expression(), _, _:
            return _of_expression(walk, asked, first, more)
        case Grouped(), _, _:
            return _of_groups(walk, asked, first, more)
        case Made(), _, _:
            return _of_made(walk, asked, first, more)
        case Table(), "select", _ if not asked.keywords:
            return _selected(first, more, asked.span)
        case Table(), "group_by", [str() as name] if not asked.keywords:
            return Grouped(first, name)
    return tables.called(walk, asked)


def _function(walk: Walking, asked: Asked, first: Value) -> Value:
    given, name = asked.arguments, asked.name
    refuse_if(asked.keywords, f"a keyword of {asked.function}", asked.span)
    match name, given:
        case "col", (str(), *_) if all(isinstance(one, str) for one in given):
            return Expression(lambda table: [(one, column(table, one, asked.span)) for one in given])
        case "len", ():
            return Expression(
                lambda table: [("len", _folded(walk, table.columns[0][1], "len", asked.span))], single=True
            )
        case "Float64:", ():
            return "float"
        case "Series", (Items(kind="array"),):
            return first
        case "DataFrame", (Entries(keys=(str() as key,), values=(Items(kind="list") as rows,)),) if rows.plain:
            return Made(((key, Items.of("array", rows.items)),))
    raise refuse(f"such arguments of {asked.function}", asked.span)


def _of_expression(walk: Walking, asked: Asked, first: Expression, more: Sequence[Value]) -> Value:
    match asked.name, more:
        case "clip", [low, high] if type(low) is type(high) is int and not asked.keywords:
            return first.then(lambda one: walk.called(replace(asked, arguments=(one, low, high))))
        case "cast", ["float"]:
            return first.then(lambda one: _as_float(walk, one, asked))
        case "sum", [] if not first.single:
            return first.then(lambda one: _folded(walk, one, "sum", asked.span), single=True)
        case "alias", [str() as name]:
            return Expression(lambda table: [(name, one) for _, one in _one(first.of(table), asked.span)], first.single)
    raise refuse(f"{asked.name} of an expression", asked.span)


def _as_float(walk: Walking, one: Value, asked: Asked) -> Value:
    if is_number(one):
        return walk.called(Asked("float", (one,), {}, asked.active, asked.span))
    return walk.called(Asked("astype", (one, "float"), {}, asked.active, asked.span, method=True))


def _one(columns: Columns, span: Span) -> Columns:
    refuse_if(len(columns) != 1, "one name for several columns", span)
    return columns


def _folded(walk: Walking, one: Value, name: str, span: Span) -> Value:
    return walk.called(Asked(name, (one,), {}, True, span, method=name == "sum"))


def _selected(table: Table, given: Sequence[Value], span: Span) -> Made:
    """One row with a number of each."""
    if not given or not all(isinstance(one, Expression) and one.single for one in given):
        raise refuse("a choice of columns with more than one row", span)
    columns = [(name, Items.of("array", [one])) for made in given for name, one in made.of(table)]
    refuse_if(len(dict(columns)) < len(columns), "two columns with one name", span)
    return Made(tuple(columns))


def _of_groups(walk: Walking, asked: Asked, first: Grouped, more: Sequence[Value]) -> Value:
    match asked.name, more:
        case "agg", [_, *_] if not first.made and all(isinstance(one, Expression) and one.single for one in more):
            return replace(first, made=tuple(more))
        case "len", [] if not first.made:
            counted = Expression(lambda table: [("len", _folded(walk, table.columns[0][1], "len", asked.span))], True)
            return replace(first, made=(counted,))
        case "fill_null", [0] if first.labels:
            return _filled(walk, first, asked)
    raise refuse(f"{asked.name} of groups", asked.span)


def _filled(walk: Walking, groups: Grouped, asked: Asked) -> Made:
    """What each label has."""
    keys, rows = column(groups.table, groups.by, asked.span), list[list[tuple[str, Value]]]()
    for label in groups.labels:
        mask = walk.compare("==", keys, label, True, asked.span)
        some = walk.subscript(groups.table, mask, True, asked.span)
        rows.append([pair for one in groups.made for pair in one.of(some)])
    names = [groups.by, *(name for name, _ in rows[0])]
    refuse_if(len({*names}) < len(names), "two columns with one name", asked.span)
    made = [Items.of("array", [row[k][1] for row in rows]) for k in range(len(names) - 1)]
    return Made(tuple(zip(names, [Items.of("array", groups.labels), *made], strict=True)), read=False)


def _of_made(walk: Walking, asked: Asked, first: Made, more: Sequence[Value]) -> Value:
    columns, keywords = dict(first.columns), asked.keywords
    match asked.name, more:
        case "join", [Grouped(labels=(), made=(_, *_)) as groups] if alike(
            sorted(keywords.items()), [("how", "left"), ("maintain_order", "left"), ("on", groups.by)]
        ):
            refuse_if([*columns] != [groups.by], "a join with a table of more columns", asked.span)
            keys = column(groups.table, groups.by, asked.span)
            return replace(groups, labels=known_labels(replace(columns[groups.by], kind="list"), keys, asked.span))
        case "with_columns", [_, *_] if not keywords:
            columns |= dict(_columns(more, Table(first.columns), asked.span))
            return Made(tuple(columns.items()), first.read)
        case "item", [] if first.read and len(columns) == 1 and len(next(iter(columns.values())).items) == 1:
            return next(iter(columns.values())).items[0]
        case "sum_horizontal", [] if first.read:
            total: Value = z3.IntVal(0)
            for one in columns.values():
                total = walk.by_element(lambda a, b: walk.binary("+", a, b, True, asked.span), (one, total), asked.span)
            return total
    raise refuse(f"{asked.name} of a table of polars", asked.span)


def _columns(given: Sequence[Value], table: Table, span: Span) -> Iterator[tuple[str, Value]]:
    for one in given:
        refuse_if(not isinstance(one, Expression) or one.single, "a column that is no expression", span)
        for name, made in one.of(table):
            refuse_if(len(made.items) != len(table.columns[0][1].items), "a column of another length", span)
            yield name, made


def added(walk: Walking, operator: str, left: Value, right: Value, span: Span) -> Value:
    """An expression with noise; None for what is no expression."""
    if not isinstance(left, Expression):
        refuse_if(isinstance(right, Expression), "an expression on the right of an operator", span)
        return None
    numbers = right.items if isinstance(right, Items) and right.kind == "array" else (right,)
    noisy = all(is_number(one) and sort(one) == "float" and walk.leaves.noisy(one) for one in numbers)
    refuse_if(operator != "+" or left.single or not noisy, "an operator on an expression and what is no noise", span)

    def sum_of(one: Value) -> Value:
        return walk.by_element(lambda a, b: walk.binary("+", a, b, True, span), (one, right), span)

    return left.then(sum_of)
