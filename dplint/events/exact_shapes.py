"""Outputs of one shape whose dicts have some of the keys each, taken apart into outputs of exact shapes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplint.events.layout import has_some_keys, leaves_of
from dplint.runner.batch import Group, LeafKind, Record, Sequence, Skeleton
from dplint.runner.batch import Mapping as Dict

Mask: TypeAlias = NDArray[np.bool_]
Numbers: TypeAlias = NDArray[np.intp]
Shape: TypeAlias = tuple[Numbers, Skeleton, Mask]
"""Which outputs have a shape, ascending; the shape; and which of the leaves of all shapes together these have."""
_DIGITS = 60
"""Truths that fit into a whole number of 64 bits."""


def exact_groups(group: Group) -> Iterator[Group]:
    """The group, in groups of exact shapes."""
    if not has_some_keys(group.skeleton):
        yield group
        return
    missing = dict(enumerate(group.kinds.T == LeafKind.MISSING))
    for rows, skeleton, there in exact_shapes(group.skeleton, missing, len(group.rows)):
        leaves = np.flatnonzero(there)
        yield Group(skeleton, group.rows[rows], group.kinds[rows][:, leaves], group.values[rows][:, leaves])


def exact_shapes(skeleton: Skeleton, missing: Mapping[int, Mask], outputs: int) -> Iterator[Shape]:
    """The exact shapes of so many outputs. missing: for leaves by their numbers where these are missing, shape (n,) or
    (1,).
    """
    shapes = InShapes.of(missing.values(), outputs)
    for rows in np.split(shapes.order, np.flatnonzero(shapes.place == 0)[1:]) if outputs else ():
        there = np.ones(leaves_of(skeleton), np.bool_)
        for leaf, where in missing.items():
            there[leaf] = not where[rows[0] if len(where) > 1 else 0]
        yield rows, _exact(skeleton, iter(there.tolist())), there


@dataclass(frozen=True, slots=True)
class InShapes:
    """Outputs in the order of their exact shapes, each with its place among those of its shape, and their number."""

    order: Numbers
    place: Numbers
    size: Numbers

    @classmethod
    def of(cls, missing: Iterable[Mask], outputs: int) -> InShapes:
        """For so many outputs. missing: of leaves, as in `exact_shapes`."""
        codes, width = np.zeros(outputs, np.int64), 0
        for where in missing:
            if where.any():
                if width == _DIGITS:
                    codes = np.unique(codes, return_inverse=True)[1].reshape(-1).astype(np.int64)
                    width = outputs.bit_length()
                codes, width = (codes << 1) | where, width + 1
        order = np.argsort(codes, kind="stable")
        starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
        sizes = np.diff(starts, append=outputs)
        return cls(order, np.arange(outputs) - np.repeat(starts, sizes), np.repeat(sizes, sizes))

    def first(self, most: int, runs: int) -> Numbers:
        """The first outputs of every shape, ascending: in proportion, `most` out of so many runs."""
        return np.sort(self.order[self.place < np.ceil(self.size * most / runs)])

    def every(self, step: int) -> Numbers:
        """Every so manieth output of each shape, ascending."""
        return np.sort(self.order[self.place % step == 0])


def _exact(skeleton: Skeleton, there: Iterator[bool]) -> Skeleton:
    """The shape of an output. there: of each leaf, whether the output has it."""
    match skeleton:
        case Dict(keys, children, _, True):
            kept = tuple(key for key in keys if next(there))
            return Dict(kept, children[: len(kept)], len(kept))
        case Sequence(items=tuple(children)):
            return replace(skeleton, items=tuple(_exact(child, there) for child in children))
        case Dict(children=children) | Record(children=children):
            return replace(skeleton, children=tuple(_exact(child, there) for child in children))
    for _ in range(leaves_of(skeleton)):
        next(there)
    return skeleton
