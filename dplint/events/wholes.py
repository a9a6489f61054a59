"""Which whole sequences are worth a condition: those that come out often, where there are not too many of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from dplint.events.features import Whole
from dplint.events.grids import ValueAxis
from dplint.events.layout import Part
from dplint.events.tables import Table
from dplint.events.thresholds import ATOM, MOST_KEYS, Described, is_literal, leaf_key
from dplint.events.values import Class, RowKey, Texts
from dplint.runner.batch import Kind

_MOST_WAYS = 200
"""A sequence that comes out in more ways than this for one data value is not taken as one value."""


def describe_rows(feature: Whole, tables: Sequence[Table], texts: Texts) -> Described | None:
    """The axis of a sequence as one value; None if it never varies, or comes out in too many ways.

    As in Python a list with a NaN equals no list, so it counts as missing.
    """
    counts: Counter[bytes] = Counter()
    ways: Counter[int] = Counter()
    first: dict[bytes, tuple[Table, Part, int]] = {}
    missing = False
    for table in tables:
        part = table.parts.get(feature.place.steps)
        if part is None or not part.plain:
            missing = True
            continue
        rows = _rows(table, part)
        ways.update(side for side, _ in set(zip(table.sides.tolist(), rows, strict=True)))
        if max(ways.values(), default=0) > _MOST_WAYS:
            return None
        absent = (table.slice(part).classes == Class.NAN).any(axis=0)
        missing |= bool(absent.any())
        for index, row in enumerate(rows):
            if not absent[index if len(absent) > 1 else 0]:
                counts[row] += 1
                first.setdefault(row, (table, part, index))
    if len(counts) + missing < 2:
        return None
    runs = sum(table.size for table in tables)
    keys = {row_key(*first[row], texts): count for row, count in counts.items() if count >= ATOM * runs}
    literal = [key for key in keys if all(map(is_literal, key.items))]
    kept = sorted(literal, key=lambda key: (-keys[key], key.shown))[:MOST_KEYS]
    return Described(feature, True, ValueAxis(feature, tuple(kept)), None) if kept else None


def _rows(table: Table, part: Part) -> list[bytes]:
    """The leaves of a part on each run, as bytes that are the same where the lists are equal in Python."""
    leaves = table.slice(part)
    classes = np.broadcast_to(leaves.classes, leaves.values.shape)
    # Adding 0.0 turns -0.0, which is equal to it, into 0.0.
    joined = np.concatenate([classes, leaves.values + 0.0]).T.tobytes()
    size = len(joined) // table.size
    return [joined[i * size : (i + 1) * size] for i in range(table.size)]


def row_key(table: Table, part: Part, index: int, texts: Texts) -> RowKey:
    """A part of one output of a table as a category."""
    leaves = range(part.start, part.stop)
    classes = np.broadcast_to(table.classes, table.values.shape)
    return RowKey(
        tuple(
            leaf_key(
                Class(int(classes[leaf, index])),
                float(table.values[leaf, index]),
                texts,
                boolean=bool(table.kinds[leaf, index] == Kind.BOOL),
            )
            for leaf in leaves
        )
    )
