"""Tables of pandas on samples: groups of rows by a column, and numbers of each under known labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
