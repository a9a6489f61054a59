"""Paths: what the draws may decide differently, side by side, as the leaves of a tree of decisions.

A mask is a set of nodes, and stands for the leaves below them: so masks that the evaluator obtained before a path was
split stay right afterwards. Both children of a split are new nodes. A value is one Python object for all paths, or a
table by node; a path has what its nearest ancestor in the table has.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from dplint.readings.exact.weights import Weight

Mask: TypeAlias = frozenset[int]
ROOT = 0
_EVERYWHERE: Mask = frozenset([ROOT])
_NOWHERE: Mask = frozenset()
_ABSENT = object()


class TooMuchWork(Exception):
    """The computation takes more steps than it may."""


class Value:
    """What a variable holds: one object in all paths (table is None), or one for each path by the table."""

    __slots__ = ("object", "table")

    def __init__(self, value: Any = None, table: Mapping[int, Any] | None = None) -> None:
        self.object = value
        self.table = table


class Paths:
    """The tree, and the weight of each of its leaves. most: how many leaves there may be at a time."""

    def __init__(self, most: int) -> None:
        self.weights: dict[int, Weight] = {ROOT: Weight()}
        self.splits = 0
        self.largest = 1
        self._most = most
        self._parent: dict[int, int] = {}
        self._children: dict[int, list[int]] = {}
        self._next = ROOT + 1
        self._ended: set[int] = set()
        self._resolved: dict[Mask, Mask] = {}
        self._checked: dict[Mask, Mask] = {}

    # the tree

    def split(self, leaf: int, weights: Sequence[Weight]) -> list[int]:
        """Put several leaves in the place of one."""
        del self.weights[leaf]
        children = [self._new(leaf, weight) for weight in weights]
        self.splits += 1
        self._changed()
        return children

    def merge(self, leaves: Sequence[int], weight: Weight) -> int:
        """Put one leaf in the place of several, which no mask of the evaluator tells apart; a child of the first."""
        for leaf in leaves:
            del self.weights[leaf]
        for leaf in leaves[1:]:
            self._end(leaf)
        child = self._new(leaves[0], weight)
        self._changed()
        return child

    def end(self, leaves: Iterable[int]) -> None:
        """These paths go no further."""
        for leaf in leaves:
            if self.weights.pop(leaf, None) is not None:
                self._end(leaf)
        self._changed()

    def _new(self, parent: int, weight: Weight) -> int:
        node = self._next
        self._next += 1
        self._parent[node] = parent
        self._children.setdefault(parent, []).append(node)
        self.weights[node] = weight
        return node

    def _end(self, leaf: int) -> None:
        node: int | None = leaf
        while node is not None and node not in self._ended:
            self._ended.add(node)
            node = self._parent.get(node)

    def _changed(self) -> None:
        self._resolved.clear()
        self._checked.clear()
        self.largest = max(self.largest, len(self.weights))
        if len(self.weights) > self._most:
            raise TooMuchWork(f"more than {self._most:,} different ways to go on at once")

    def leaves(self, mask: Mask) -> Mask:
        """The leaves that a mask stands for."""
        found = self._resolved.get(mask)
        if found is None:
            found = self._resolved[mask] = frozenset(self._below(mask))
        return found

    def _below(self, mask: Mask) -> Iterable[int]:
        if ROOT in mask:
            return self.weights
        if mask <= self.weights.keys():
            return mask
        found: list[int] = []
        for node in mask:
            if node in self.weights:
                found.append(node)
            else:
                found.extend(self._leaves_below(node))
        return found

    def _leaves_below(self, node: int) -> list[int]:
        """Of an inner node or one that has ended; ways to leaves that are known to lead on are not walked again."""
        found: list[int] = []
        todo = self._children.get(node)
        while todo:
            left: list[int] = []
            for child in todo:
                if child in self.weights:
                    found.append(child)
                else:
                    left.extend(self._children.get(child, ()))
            todo = left
        if node in self._children:
            self._children[node] = found.copy()
        return found

    # values

    def get(self, value: Value, leaf: int) -> Any:
        """What a path has; None where nothing was said of it."""
        table = value.table
        if table is None:
            return value.object
        node: int | None = leaf
        while node is not None:
            found = table.get(node, _ABSENT)
            if found is not _ABSENT:
                return found
            node = self._parent.get(node)
        return None

    def select(self, mask: Mask, new: Value, old: Value) -> Value:
        """New in the paths of the mask, old in the others."""
        inside = self.leaves(mask)
        if len(inside) == len(self.weights):
            return new
        return Value(table={leaf: self.get(new if leaf in inside else old, leaf) for leaf in self.weights})

    # masks, as the evaluator wants them

    def everywhere(self) -> Mask:
        """All paths."""
        return _EVERYWHERE

    def nowhere(self) -> Mask:
        """No path."""
        return _NOWHERE

    def both(self, left: Mask, right: Mask) -> Mask:
        """The paths in both."""
        if left is right or ROOT in right:
            return left
        return right if ROOT in left else self.leaves(left) & self.leaves(right)

    def either(self, left: Mask, right: Mask) -> Mask:
        """The paths in either, or in both."""
        if not right or left is right:
            return left
        return right if not left else self.leaves(left) | self.leaves(right)

    join = either

    def negate(self, mask: Mask) -> Mask:
        """The other paths."""
        return frozenset(self.weights) - self.leaves(mask)

    def always(self, mask: Mask) -> bool:
        """Whether all paths that go on are in it."""
        return ROOT in mask or len(self.leaves(mask)) == len(self.weights)

    def never(self, mask: Mask) -> bool:
        """Whether none is."""
        return not mask or not self.leaves(mask)

    def impossible(self, mask: Mask) -> bool:
        """See `never`."""
        return self.never(mask)

    def alive(self, mask: Mask) -> Mask:
        """The paths that have not ended; the same object if that is all of them."""
        found = self._checked.get(mask)
        if found is None:
            found = mask
            if not self._ended.isdisjoint(mask):
                left = self.leaves(mask)
                found = mask if left == mask else left
            self._checked[mask] = found
        return found

    def checkpoint(self, active: Mask) -> Mask:
        """Nothing to let go of."""
        return active
