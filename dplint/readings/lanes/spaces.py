"""Spaces of lanes, and masks: sets of lanes, held in the narrowest space that has them all.

A space is a selection of the lanes of a block. The root has all; when most lanes of a space have left a loop, the rest
get a space of their own (they are *compacted*), and what is computed from then on is as narrow as they are. Whatever
was computed before is brought over when it is next looked at. Spaces form a tree, so a common ancestor always exists.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Rows: TypeAlias = NDArray[np.intp]
Bits: TypeAlias = NDArray[np.bool_]


class Space:
    """Some lanes of a block. `rows` are their positions in the parent space, ascending; None for the root."""

    __slots__ = ("_within", "depth", "parent", "rows", "size")

    def __init__(self, size: int, parent: Space | None = None, rows: Rows | None = None) -> None:
        self.size = size
        self.parent = parent
        self.rows = rows
        self.depth: int = 0 if parent is None else parent.depth + 1
        self._within: dict[Space, Rows] = {}

    def narrowed(self, rows: Rows) -> Space:
        """The space of some of these lanes."""
        return Space(len(rows), self, rows)

    def lies_in(self, other: Space) -> bool:
        """Whether every lane of this space is one of the other's, by descent."""
        space: Space | None = self
        while space is not None and space.depth > other.depth:
            space = space.parent
        return space is other

    def rows_in(self, ancestor: Space) -> Rows:
        """The positions of these lanes in a space that this one descends from."""
        found = self._within.get(ancestor)
        if found is None:
            assert self.parent is not None
            assert self.rows is not None
            found = self.rows if self.parent is ancestor else self.parent.rows_in(ancestor)[self.rows]
            self._within[ancestor] = found
        return found


def common_space(left: Space, right: Space) -> Space:
    """The narrowest space that both descend from."""
    while left is not right:
        if left.depth >= right.depth:
            assert left.parent is not None
            left = left.parent
        else:
            assert right.parent is not None
            right = right.parent
    return left


class Mask:
    """A set of lanes, never changed. Masks are compared by identity.

    bits: which lanes of the space belong, None all of them. outside: whether all lanes outside the space belong, too.
    """

    __slots__ = ("_inside", "bits", "outside", "space")

    def __init__(self, space: Space, bits: Bits | None, outside: bool = False) -> None:
        self.space = space
        self.bits = bits
        self.outside = outside
        self._inside = -1

    def count_inside(self) -> int:
        """How many lanes of the space belong."""
        if self._inside < 0:
            self._inside = self.space.size if self.bits is None else int(np.count_nonzero(self.bits))
        return self._inside

    def within(self, space: Space) -> Bits | None:
        """Which lanes of another space belong, None if all do."""
        if space is self.space:
            return self.bits
        if space.lies_in(self.space):
            if self.bits is None:
                return None
            return np.asarray(self.bits[space.rows_in(self.space)])
        above = common_space(space, self.space)
        wide = np.full(above.size, self.outside)
        wide[self.space.rows_in(above)] = True if self.bits is None else self.bits
        return wide if above is space else np.asarray(wide[space.rows_in(above)])

    def rows(self) -> Rows | None:
        """The positions in `space` of the lanes that belong to it; None if all do."""
        return None if self.bits is None else self.bits.nonzero()[0]


class MaskAlgebra:
    """Sets of the lanes of one block. `nowhere` and `everywhere` are single objects, so that they cost nothing."""

    def __init__(self, lanes: int) -> None:
        self.root = Space(lanes)
        self._everywhere = Mask(self.root, None)
        self._nowhere = Mask(self.root, np.zeros(lanes, np.bool_))

    def everywhere(self) -> Mask:
        """All lanes."""
        return self._everywhere

    def nowhere(self) -> Mask:
        """No lane."""
        return self._nowhere

    def mask(self, space: Space, bits: Bits | None, outside: bool = False) -> Mask:
        """A mask; lanes outside the root do not exist."""
        if space is self.root:
            return self._everywhere if bits is None else Mask(space, bits)
        return Mask(space, bits, outside)

    def both(self, left: Mask, right: Mask) -> Mask:
        """The lanes in both."""
        if left is right or right is self._everywhere or left is self._nowhere:
            return left
        if left is self._everywhere or right is self._nowhere:
            return right
        if left.space is not right.space:
            left, right = self._aligned(left, right, outside=False)
        return self.mask(left.space, _meet(left.bits, right.bits), left.outside and right.outside)

    def either(self, left: Mask, right: Mask) -> Mask:
        """The lanes in either."""
        if left is right or right is self._nowhere or left is self._everywhere:
            return left
        if left is self._nowhere or right is self._everywhere:
            return right
        if left.space is not right.space:
            left, right = self._aligned(left, right, outside=True)
        return self.mask(left.space, _join(left.bits, right.bits), left.outside or right.outside)

    def join(self, left: Mask, right: Mask) -> Mask:
        """The lanes in either, none of which is in both."""
        return self.either(left, right)

    def negate(self, mask: Mask) -> Mask:
        """The other lanes."""
        if mask is self._nowhere:
            return self._everywhere
        if mask is self._everywhere:
            return self._nowhere
        bits = np.zeros(mask.space.size, np.bool_) if mask.bits is None else ~mask.bits
        return self.mask(mask.space, bits, not mask.outside)

    def minus(self, left: Mask, right: Mask) -> Mask:
        """The lanes of the left one that are not in the right one."""
        return self.both(left, self.negate(right))

    def inside(self, mask: Mask) -> Mask:
        """The same lanes, with none outside the mask's space."""
        return self.mask(self.root, mask.within(self.root)) if mask.outside else mask

    def count(self, mask: Mask) -> int:
        """How many lanes there are in it."""
        return mask.count_inside() + (self.root.size - mask.space.size if mask.outside else 0)

    def _aligned(self, left: Mask, right: Mask, *, outside: bool) -> tuple[Mask, Mask]:
        """Both in one space: a narrow one, if beyond it the result is known to be `outside` everywhere."""
        for narrow, wide in ((left, right), (right, left)):
            if narrow.outside is outside and narrow.space.lies_in(wide.space):
                return narrow, Mask(narrow.space, wide.within(narrow.space), outside)
        above = common_space(left.space, right.space)
        return (
            Mask(above, left.within(above), left.outside),
            Mask(above, right.within(above), right.outside),
        )


def _meet(left: Bits | None, right: Bits | None) -> Bits | None:
    if left is None:
        return right
    return left if right is None else left & right


def _join(left: Bits | None, right: Bits | None) -> Bits | None:
    return None if left is None or right is None else left | right


def spread(data: NDArray[Any], size: int, rows: Rows) -> NDArray[Any]:
    """Data of some lanes (last axis) put at their places among `size` lanes; the others hold zeros."""
    wide = np.zeros((*data.shape[:-1], size), data.dtype)
    wide[..., rows] = data
    return wide
