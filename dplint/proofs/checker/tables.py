"""Tables of pandas: rows that are grouped by a column, and numbers of each group under labels that the program knows.

Which groups there are the data decides, so of what is made of each group nothing is read but what it is for certain
labels (`counts.reindex(LABELS, fill_value=0)`, `counts.get(label, 0)`): the sum over the rows whose key is the label,
which is 0 where there is no such row. A label has to be of the type that all keys have, since to pandas an int is no
text, and may be no truth value. Of a *series* the labels are known, and all that is done to it leaves them as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import z3

from dplint.claims import Span
from dplint.proofs.checker.context import Asked, Context
from dplint.proofs.checker.values import (
    Choice,
    Items,
    Mask,
    Series,
    Table,
    Value,
    alike,
    any_of,
    both,
    is_number,
    is_term,
    kept,
    refuse,
    refuse_if,
    sort,
)

NAMES = frozenset("agg assign between groupby isin reindex size to_numpy value_counts".split())  # noqa: SIM905
"""Methods of tables, columns and groups."""


_COUNTS = ("size", "count")
_KEPT = frozenset(["astype", "clip", "copy"])
_FORGOTTEN = frozenset(["max", "mean", "min", "sum", "to_numpy", "tolist"])
"""Methods of a series that leave it its labels, and that look at its numbers alone."""
_GONE_THROUGH = frozenset("array asarray enumerate len list max mean min shape size sum tuple zip".split())  # noqa: SIM905
"""Functions that do."""


class Walking(Context, Protocol):
    """One run that reads tables."""

    # ruff: noqa: D102

    labelled: bool

    def called(self, asked: Asked) -> Value: ...
    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value: ...
    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value: ...


@dataclass(frozen=True, eq=False, slots=True)
class Grouping:
    """The rows of a table by a column; or of these one column. parts: the columns by their names."""

    parts: Table
    by: Value
    column: Value = None

    def of(self, name: Value, span: Span) -> Grouping:
        """One column of the groups."""
        refuse_if(self.column is not None or not isinstance(name, str), "a part of such groups", span)
        return replace(self, column=column(self.parts, name, span))


@dataclass(frozen=True, eq=False, slots=True)
class Groupwise:
    """For each key that is there how many rows it has, or what a column sums to; several of these have names."""

    keys: Value
    columns: tuple[tuple[str, Value], ...]


def by_places(walk: Walking, value: Value, index: Value, span: Span) -> None:
    """Refuses a place in what may be a column of a data frame, and whether something is in it: pandas asks labels."""
    of_data = getattr(value, "kind", None) == "array" and walk.leaves.of(value) & {"d", "g"}
    refuse_if(walk.labelled and of_data and isinstance(index, int | slice | z3.ArithRef), "a place in a column", span)


def column(table: Table, name: str, span: Span) -> Value:
    """A column of a table."""
    columns = dict(table.columns)
    refuse_if(name not in columns, f"the column {name}, which the domain does not name", span)
    return columns[name]


def part(walk: Walking, value: Value, index: Value, active: Mask, span: Span) -> Value:
    """A column of a table or of groups, some rows, or what a series has for a label; None for all else."""
    if isinstance(value, Grouping):
        return value.of(index, span)
    if isinstance(value, Series):
        known = isinstance(index, str | int) and any(alike([index], [one]) for one in value.labels)
        refuse_if(not known, "a label that a series may not have", span)
        return value.values.items[[repr(one) for one in value.labels].index(repr(index))]
    by_places(walk, value, index, span)
    if not isinstance(value, Table):
        return None
    if isinstance(index, str):
        walk.labelled = True
        return column(value, index, span)
    refuse_if(getattr(index, "kind", None) != "array", "such a part of a table", span)
    return Table(tuple((name, walk.subscript(one, index, active, span)) for name, one in value.columns))


def by_label(
    walk: Context, function: Callable[..., Value], values: Sequence[Value], series: Sequence[Series], span: Span
) -> Series:
    """A function of numbers on series with the same labels, arrays and numbers."""
    labels = series[0].labels
    refuse_if(any(not alike(one.labels, labels) for one in series), "series of other labels", span)
    plain = [one.values if isinstance(one, Series) else one for one in values]
    return Series(labels, walk.by_element(function, plain, span))


def called(walk: Walking, asked: Asked) -> Value:
    """What a function or method of tables gives; None for all others."""
    first, *more = asked.arguments or (None,)
    if isinstance(first, Series):
        return _of_series(walk, asked, first)
    refuse_if(any(isinstance(one, Series) for one in more), f"{asked.function} of a series", asked.span)
    if not asked.method or asked.name not in NAMES | {"get", "sum", "count"}:
        return None
    if isinstance(first, Grouping | Groupwise):
        return _of_groups(walk, asked, first, more)
    match first, asked.name, more:
        case Table(), "groupby", [str() as name] if asked.keywords.keys() <= {"observed", "sort"}:
            return Grouping(first, column(first, name, asked.span))
        case Table(), "assign", []:
            return _assigned(first, asked)
    return _of_column(walk, asked, first, more)


def _of_groups(walk: Walking, asked: Asked, first: Grouping | Groupwise, more: Sequence[Value]) -> Value:
    """What a method of groups gives."""
    named = [*asked.keywords.items()]
    match first, asked.name, more:
        case Grouping(), "size", [] if not named:
            return Groupwise(first.by, (("", None),))
        case Grouping(), "sum" | "count", [] if first.column is not None and not named:
            return Groupwise(first.by, (("", first.column if asked.name == "sum" else None),))
        case Grouping(), "agg", [Items() as names] if first.column is not None and not named:
            return _named(first, names, asked.span)
        case Groupwise(), "reindex", [labels] if alike(named, [("fill_value", 0)]):
            return _under(walk, first, known_labels(labels, first.keys, asked.span), asked)
        case Groupwise(columns=(("", values),)), "get", [label, 0] if not named:
            (known,) = known_labels(Items.of("list", [label]), first.keys, asked.span)
            return _of_label(walk, first.keys, values, known, asked)
    raise refuse(f"{asked.name} of groups", asked.span)


def _of_column(walk: Walking, asked: Asked, first: Value, more: Sequence[Value]) -> Value:
    """What a method of a column gives; None for all others."""
    if getattr(first, "kind", None) != "array" or asked.keywords:
        return None
    match asked.name, more:
        case "to_numpy", []:
            return first
        case "value_counts", []:
            return Groupwise(first, (("", None),))
        case "between", [low, high]:
            return walk.by_element(lambda one: _between(walk, one, low, high, asked), (first,), asked.span)
        case "isin", [Items() as values] if values.plain and values.kind in ("list", "tuple"):
            return walk.by_element(lambda one: _is_in(walk, one, values.items, asked), (first,), asked.span)
    return None


def _between(walk: Walking, one: Value, low: Value, high: Value, asked: Asked) -> Value:
    ends = [walk.compare(">=", one, low, True, asked.span), walk.compare("<=", one, high, True, asked.span)]
    return both(*ends)


def _is_in(walk: Walking, one: Value, values: Sequence[Value], asked: Asked) -> Value:
    return any_of([walk.compare("==", one, value, True, asked.span) for value in _of_kind(values, one, asked.span)])


def _of_series(walk: Walking, asked: Asked, series: Series) -> Value:
    """Of its numbers; the labels stay."""
    known = _KEPT | _FORGOTTEN if asked.method else _GONE_THROUGH
    refuse_if(asked.name not in known, f"{asked.name} of a series", asked.span)
    given = [one.values if isinstance(one, Series) and not asked.method else one for one in asked.arguments[1:]]
    inner = walk.called(replace(asked, arguments=(series.values, *given)))
    return Series(series.labels, inner) if asked.method and asked.name in _KEPT else inner


def _assigned(table: Table, asked: Asked) -> Table:
    """With other columns, or more, that are as long."""
    columns = dict(table.columns)
    for name, value in asked.keywords.items():
        one = next(iter(columns.values()))
        refuse_if(not _side_by_side(one, value), "a column that is made of another table", asked.span)
        columns[name] = value
    return Table(tuple(columns.items()))


def _side_by_side(one: Value, other: Value) -> bool:
    """Whether two columns are certainly of the same rows."""
    if isinstance(one, Items) and isinstance(other, Items):
        return other.kind == "array" and len(one.items) == len(other.items) and one.plain and other.plain
    same = type(one) is type(other) and getattr(other, "kind", None) == "array"
    return same and not isinstance(one, Items) and one.source is other.source and one.whole and bool(other.whole)


def _named(grouping: Grouping, names: Items, span: Span) -> Groupwise:
    known = names.kind == "list" and names.plain and all(one in ("sum", *_COUNTS) for one in names.items)
    refuse_if(not known or len(set(names.items)) < len(names.items), "such a summary of groups", span)
    parts = {name: grouping.column if name == "sum" else None for name in names.items}
    return Groupwise(grouping.by, tuple(parts.items()))


def _under(walk: Walking, made: Groupwise, labels: Sequence[Value], asked: Asked) -> Value:
    """A series, or a table of some, under these labels."""
    columns = [
        (name, Series(tuple(labels), Items.of("array", [_of_label(walk, made.keys, one, k, asked) for k in labels])))
        for name, one in made.columns
    ]
    return columns[0][1] if columns[0][0] == "" else Table(tuple(columns))


def _of_label(walk: Walking, keys: Value, values: Value, label: Value, asked: Asked) -> Value:
    """How many rows have a key, or what a column of theirs sums to."""

    def of_row(key: Value, *value: Value) -> Value:
        return kept(walk.compare("==", key, label, True, asked.span), value[0] if value else 1)

    given = (keys,) if values is None else (keys, values)
    return _sum(walk, walk.by_element(of_row, given, asked.span), asked)


def _sum(walk: Walking, column: Value, asked: Asked) -> Value:
    refuse_if(getattr(column, "kind", None) != "array", "a count of what are no rows", asked.span)
    return walk.called(Asked("sum", (column,), {}, asked.active, asked.span, method=True))


def known_labels(labels: Value, keys: Value, span: Span) -> tuple[Value, ...]:
    """Labels that differ, and are of the type of the keys."""
    known = isinstance(labels, Items) and labels.plain and labels.kind in ("list", "tuple", "range")
    refuse_if(not known or len({*map(repr, labels.items)}) < len(labels.items), "labels that are not known", span)
    key = keys.items[0] if isinstance(keys, Items) and keys.items else getattr(keys, "item", None)
    return tuple(_of_kind(labels.items, key, span))


def _of_kind(labels: Sequence[Value], key: Value, span: Span) -> Sequence[Value]:
    """The labels, which are all texts, all ints or all truth values, as a key is; None for a key of no row."""
    if any(map(is_term, labels)) or not all(isinstance(one, str | int) for one in labels):
        raise refuse("labels that are no known texts or whole numbers", span)
    if isinstance(key, Choice):
        kinds = {type(one) for one in key.values}
    elif key is None or isinstance(key, str):
        kinds = {type(one) for one in labels} if key is None else {str}
    else:
        refuse_if(not is_number(key), "keys of this kind", span)
        kinds = {{"bool": bool, "int": int}.get(sort(key), float)}
    refuse_if(len(kinds) > 1 or any(type(one) not in kinds for one in labels), "labels of another type than keys", span)
    return labels
