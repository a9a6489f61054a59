"""Tables of pandas and polars on samples: groups of rows by a column, and numbers of each under known labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dplint.claims import Span
from dplint.proofs.proposer.forms import Form
from dplint.proofs.proposer.numbers import Array, Frame, Run, as_key, lifted


class Series(Array):
    """A series with labels."""

    labels: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Groups:
    """The keys of some rows, and a column of theirs."""

    table: Frame
    keys: Sequence[Any]
    column: Any = None


@dataclass(frozen=True)
class Groupwise:
    """The keys of some rows, and what is summed of these, None where they are counted."""

    keys: Sequence[Any]
    columns: Mapping[str, Any]


@dataclass(frozen=True)
class Cells:
    """Two keys of each row, and the labels that are asked for."""

    rows: Sequence[Any]
    columns: Sequence[Any]
    labels: tuple[Sequence[Any], Sequence[Any]] = ((), ())


@dataclass(frozen=True)
class Expression:
    """What polars makes of a table, column by column. single: whether that is one number of each."""

    of: Callable[[Frame], list[tuple[str, Any]]]
    single: bool = False

    def then(self, change: Callable[[Any], Any], *, single: bool = False) -> Expression:
        """The same with each column changed."""
        return Expression(lambda frame: [(name, change(one)) for name, one in self.of(frame)], single or self.single)


def of_polars(  # noqa: C901, PLR0912 - a list of methods
    walk: Run, name: str, arguments: Sequence[Any], span: Span
) -> Any:
    """What a function of polars gives, or a method of its tables and expressions; None for all others."""
    first, *more = arguments or (None,)
    match first, name, more:
        case (None, "Float64:", []):
            return "float"
        case (str(), "col", _):
            return Expression(lambda frame: [(one, frame[one]) for one in arguments])
        case (None, "len", []):
            return Expression(lambda frame: [("len", Form.number(frame.rows))], single=True)
        case Expression(), "alias", [label]:
            return Expression(lambda frame: [(label, one) for _, one in first.of(frame)], first.single)
        case Expression(), "cast", _:
            return first
        case Expression(), "sum" | "clip", _:
            return first.then(lambda one: walk.call(name, [one, *more], {}, True, span), single=name == "sum")
        case Frame(), "select", _:
            return framed({key: Array([one]) for made in more for key, one in made.of(first)}, 1)
        case Frame(), "group_by", [key]:
            return Groups(first, list(map(as_key, first[key])), key)
        case Groups(), "agg", [Expression(), *_]:
            return Groupwise(first.keys, {"": (first, more)})
        case Groups(), "len", []:
            counted = Expression(lambda frame: [("len", Form.number(frame.rows))], single=True)
            return Groupwise(first.keys, {"": (first, [counted])})
        case Frame(), "join", [Groupwise() as made]:
            return _joined(walk, first, made, span)
        case Frame(), "with_columns", _:
            return framed({**first, **dict(pair for one in more for pair in one.of(first))}, first.rows)
        case Frame(), "fill_null", _:
            return first
        case Frame(), "item", []:
            return next(iter(first.values()))[0]
        case Frame(), "sum_horizontal", []:
            rows = zip(*first.values(), strict=True)
            return Array(walk.call("sum", [list(row)], {}, True, span) for row in rows)
        case dict(), "DataFrame", []:
            return framed({key: Array(one) for key, one in first.items()}, len(next(iter(first.values()))))
        case list(), "Series", []:
            return first
    return None


def _joined(walk: Run, labels: Frame, made: Groupwise, span: Span) -> Frame:
    """A row for each label; a sum of no rows is 0."""
    (name,) = labels
    groups, expressions = made.columns[""]
    rows = []
    for label in labels[name]:
        mask = Array(key == as_key(label) for key in groups.keys)
        some = part_of_table(walk, groups.table, mask, span)
        rows.append({name: label, **dict(pair for one in expressions for pair in one.of(some))})
    return framed({key: Array(row[key] for row in rows) for key in rows[0]}, len(rows))


def of_table(  # noqa: C901, PLR0912 - a list of methods
    walk: Run, name: str, arguments: Sequence[Any], keywords: Mapping[str, Any], span: Span
) -> Any:
    """What a method of tables gives, or `pandas.crosstab`; None for all others."""
    first, *more = arguments or (None,)
    match first, name, more:
        case Frame(), "groupby", [str() as key]:
            return Groups(first, list(map(as_key, first[key])))
        case Frame(), "assign", []:
            return framed({**first, **keywords}, first.rows)
        case Groups(), "size" | "count", []:
            return Groupwise(first.keys, {"": None})
        case Groups(), "sum", []:
            return Groupwise(first.keys, {"": first.column})
        case Groups(), "agg", [list() as names]:
            return Groupwise(first.keys, {name: first.column if name == "sum" else None for name in names})
        case Array(), "value_counts", []:
            return Groupwise(list(map(as_key, first)), {"": None})
        case Groupwise(), "reindex", [list() as labels]:
            made = {name: _labelled(first.keys, one, labels) for name, one in first.columns.items()}
            return made[""] if "" in made else framed(made, len(labels))
        case Groupwise(), "get", [label, *_]:
            return _labelled(first.keys, first.columns[""], [label])[0]
        case Array(), "crosstab", [Array() as other]:
            return Cells(list(map(as_key, first)), list(map(as_key, other)))
        case Cells(), "reindex", []:
            return Cells(first.rows, first.columns, (keywords["index"], keywords["columns"]))
        case Cells(labels=(rows, columns)), "to_numpy", []:
            pairs = list(zip(first.rows, first.columns, strict=True))
            return Array(Array(Form.number(pairs.count((as_key(one), as_key(two)))) for two in columns) for one in rows)
        case Array(), "to_numpy", []:
            return Array(first)
        case Array(), "between", [low, high]:
            ends = [
                (walk.compare("<=", low, one, True, span), walk.compare("<=", one, high, True, span)) for one in first
            ]
            return Array(walk.truth(a, True, span) and walk.truth(b, True, span) for a, b in ends)
        case Array(), "isin", [list() as values]:
            return Array(as_key(one) in list(map(as_key, values)) for one in first)
    return None


def part_of_table(walk: Run, value: Any, index: Any, span: Span) -> Any:
    """A column of groups, some rows of a table, or what a series has for a label; None for all else."""
    match value, index:
        case Groups(), str():
            return Groups(value.table, value.keys, value.table[index])
        case Frame(), Array():
            kept = [walk.truth(one, True, span) for one in index]
            rows = {key: Array(x for x, k in zip(one, kept, strict=True) if k) for key, one in value.items()}
            return framed(rows, sum(kept))
        case Series(), _:
            return value[list(map(as_key, value.labels)).index(as_key(index))]
    return None


def framed(columns: Mapping[str, Any], rows: int) -> Frame:
    """A table of that many rows."""
    made = Frame(columns)
    made.rows = rows
    return made


def _labelled(keys: Sequence[Any], values: Any, labels: Sequence[Any]) -> Series:
    found = Series()
    for label in labels:
        total = Form.number(0)
        for place, key in enumerate(keys):
            if key == as_key(label):
                total = total.plus(Form.number(1) if values is None else lifted(values[place]))
        found.append(total)
    found.labels = tuple(labels)
    return found
