"""Outputs that differ in nothing but which keys their dicts have, looked at as one table: what is not there is missing.

Noise that decides who is in a histogram of ten counts makes a thousand shapes of a few outputs each, and whatever is
done for each shape then takes longer than all that is done for each output.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, TypeAlias, TypeVar

import numpy as np

from dplint.events.array_values import Varies
from dplint.events.columns import MISSING, Column, Mask
from dplint.events.layout import Layout, layout_of, step_to
from dplint.events.missing_entries import SomeKeys
from dplint.events.places import Steps
from dplint.events.table_values import TableValues
from dplint.events.tables import Piece, Table, weights_of
from dplint.runner.batch import Leaf, LeafKind, Mapping, Record, Skeleton
from dplint.runner.batch import Sequence as Listed

_T = TypeVar("_T")
_LEAF = Leaf()
_FEWEST = 3
"""So many shapes are worth a table of them together."""
_Own: TypeAlias = list[list[int]]
"""Of each shape the number of its own leaf for each leaf of all of them together, -1 for none."""


class Together:
    """Values of several tables. What is asked of all of them is asked once of those that differ in keys alone."""

    def __init__(self, tables: Sequence[TableValues]) -> None:
        self.tables = tuple(tables)
        alike: dict[object, list[int]] = {}
        for number, values in enumerate(self.tables):
            form = None if values.table.layout.varies else _form(values.table.layout.skeleton)
            if form is not None:
                alike.setdefault(form, []).append(number)
        made = ((numbers, _joined([self.tables[one] for one in numbers])) for numbers in alike.values())
        self._groups = [(numbers, values) for numbers, values in made if values is not None]

    def asked(self, look: Callable[[TableValues], _T], cut: Callable[[_T, slice], _T]) -> list[_T]:
        """What is seen of each table. cut: what was seen of some rows, from what was seen of all."""
        found: dict[int, _T] = {}
        for numbers, values in self._groups:
            try:
                seen = look(values)
            except Varies:
                continue
            edges = accumulate((self.tables[one].table.size for one in numbers), initial=0)
            for number, edge in zip(numbers, pairwise(edges), strict=True):
                found[number] = cut(seen, slice(*edge))
        return [found[n] if n in found else look(values) for n, values in enumerate(self.tables)]


def rows_of_column(column: Column, rows: slice) -> Column:
    """Some rows of a column, or all of one that has an entry for all outputs."""
    classes, values, kinds = column.classes, column.values, column.kinds
    if classes.shape[-1] > 1:
        classes = classes[..., rows]
    if values.shape[-1] > 1:
        values = values[..., rows]
    if kinds is not None and kinds.shape[-1] > 1:
        kinds = kinds[..., rows]
    return Column(classes, values, kinds, column.texts)


def rows_of_mask(mask: Mask, rows: slice) -> Mask:
    """The same of a mask."""
    return mask if len(mask) == 1 else mask[rows]


@lru_cache(maxsize=4096)
def _form(skeleton: Skeleton) -> object | None:
    """What shapes have in common that differ in the keys of dicts alone; None for shapes without such dicts."""
    match skeleton:
        case Mapping(keys, children, length) if length == len(keys) and set(children) <= {_LEAF}:
            return "dict"
        case Listed(kind, shape, tuple(items)):
            inner = tuple(_form(item) or item for item in items)
            return (kind, shape, inner) if any(map(_form, items)) else None
        case Record(name, fields, children):
            inner = tuple(_form(child) or child for child in children)
            return (name, fields, inner) if any(map(_form, children)) else None
    return None


def _joined(tables: Sequence[TableValues]) -> SomeKeys | None:
    """The outputs of these tables, of one form, as one table; None where that is not worth it, or not possible."""
    if len(tables) < _FEWEST:
        return None
    layouts = [values.table.layout for values in tables]
    keys: dict[Steps, list[set[Any]]] = {}
    own: _Own = [[] for _ in tables]
    skeleton = _together([layout.skeleton for layout in layouts], [0] * len(tables), (), own, keys)
    if skeleton is None:
        return None
    kept = [
        leaf
        for leaf, mine in enumerate(zip(*own, strict=True))
        if all(one < 0 or layout.keeps(one) for one, layout in zip(mine, layouts, strict=True))
    ]
    sizes = [values.table.size for values in tables]
    there = {
        (*steps, step_to(key)): np.repeat([key in held for held in each], sizes)
        for steps, each in keys.items()
        for key in set().union(*each)
    }
    table = _table(layout_of(skeleton).only(kept), [values.table for values in tables], own, kept)
    return SomeKeys(table, tables[0].texts, there)


def _table(layout: Layout, tables: Sequence[Table], own: _Own, kept: Sequence[int]) -> Table:
    edges = list(accumulate((table.size for table in tables), initial=0))
    kinds = np.full((len(kept), edges[-1]), int(LeafKind.NONE), np.uint8)
    classes = np.full(kinds.shape, MISSING, np.uint8)
    found = np.zeros(kinds.shape)
    pieces: list[Piece] = []
    for table, mine, (start, stop) in zip(tables, own, pairwise(edges), strict=True):
        pieces += [(side, slice(rows.start + start, rows.stop + start)) for side, rows in table.pieces]
        for row, leaf in enumerate(kept):
            if mine[leaf] >= 0:
                there = table.layout.row(mine[leaf])
                kinds[row, start:stop] = table.kinds[there]
                classes[row, start:stop] = table.classes[there]
                found[row, start:stop] = table.values[there]
    return Table(layout, kinds, classes, found, tuple(pieces), weights_of(tables))


def _together(
    skeletons: Sequence[Skeleton], starts: list[int], steps: Steps, own: _Own, keys: dict[Steps, list[set[Any]]]
) -> Skeleton | None:
    """The shape with all keys that any of these has, and which of the leaves are whose: `own`, and `keys` by the steps
    to dicts in which they differ, are added to. starts: the first leaf of each, moved on. None where keys that are
    equal are not alike.
    """
    first = skeletons[0]
    if isinstance(first, Mapping):
        return _all_keys(skeletons, starts, steps, own, keys)
    if not isinstance(first, Listed | Record) or _form(first) is None:
        # The same everywhere.
        count = layout_of(first).leaves
        for number, start in enumerate(starts):
            own[number] += range(start, start + count)
            starts[number] = start + count
        return first
    names, rows = _children(first)
    inner = [
        _together([_children(one)[1][place] for one in skeletons], starts, (*steps, name), own, keys)
        for place, (name, _) in enumerate(zip(names, rows, strict=True))
    ]
    found = tuple(child for child in inner if child is not None)
    if len(found) < len(inner):
        return None
    return (
        Record(first.name, first.fields, found) if isinstance(first, Record) else Listed(first.type, first.shape, found)
    )


def _children(skeleton: Skeleton) -> tuple[Sequence[Any], tuple[Skeleton, ...]]:
    if isinstance(skeleton, Record):
        return [f".{name}" for name in skeleton.fields], skeleton.children
    assert isinstance(skeleton, Listed)
    assert isinstance(skeleton.items, tuple)
    return range(len(skeleton.items)), skeleton.items


def _all_keys(
    skeletons: Sequence[Skeleton], starts: list[int], steps: Steps, own: _Own, keys: dict[Steps, list[set[Any]]]
) -> Skeleton | None:
    orders = [skeleton.keys for skeleton in skeletons if isinstance(skeleton, Mapping)]
    every = list(dict.fromkeys(key for order in orders for key in order))
    if len({repr(key) for order in orders for key in order}) > len(every):
        return None
    for number, order in enumerate(orders):
        place = {key: starts[number] + leaf for leaf, key in enumerate(order)}
        own[number] += [place.get(key, -1) for key in every]
        starts[number] += len(order)
    if any(order != orders[0] for order in orders):
        keys[steps] = [set(order) for order in orders]
    return Mapping(tuple(every), (_LEAF,) * len(every), len(every))
