"""Where the parts of an output lie among its leaves, for each skeleton."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as SequenceOf
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import islice, product
from math import prod
from typing import Any

from dplint.claims import Literal
from dplint.events.places import Key, Step, Steps, Through
from dplint.runner.batch import Leaf, Mapping, Raised, Record, Sequence, Skeleton, Viewed, leaves_of, with_spots
from dplint.runner.views import ATTRIBUTES

UNORDERED = ("set", "frozenset")
"""Types whose elements come in an order of their own: the leaves are sorted, and have no place."""
OF_PYTHON = {"list", "tuple", *UNORDERED}
"""Types whose elements are numbers of Python, in all likelihood; arrays have NumPy's."""
_DEPTH, _MOST_PARTS = 3, 500
"""How many steps deep an output has parts, and deeper as long as they are no more than so many."""
_ELEMENTS = 24
"""Elements of a sequence that get a place of their own, from the front; the last one always has one."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the outputs of a skeleton: its leaves are `start` to `stop`. length is None for what has no len()."""

    type_name: str
    start: int
    stop: int
    length: int | None
    is_leaf: bool
    plain: bool
    """Whether its leaves are exactly the elements that Python sees, in one dimension and none left out."""
    raised: bool = False

    @property
    def leaves(self) -> int:
        """How many leaves the part has."""
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class Layout:
    """Where the parts of outputs of one shape lie among their leaves, and which of these a table keeps.

    leaves: how many leaves an output has. kept: for each leaf that is kept its row in the table; None if all are.
    """

    skeleton: Skeleton
    parts: dict[Steps, Part]
    leaves: int
    kept: dict[int, int] | None = None

    def keeps(self, leaf: int) -> bool:
        """Whether the table has the leaf."""
        return self.kept is None or leaf in self.kept

    def row(self, leaf: int) -> int:
        """The row of a leaf in the table, which must keep it."""
        return leaf if self.kept is None else self.kept[leaf]

    def only(self, leaves: list[int]) -> Layout:
        """The layout of tables that keep these leaves alone, in ascending order."""
        return replace(self, kept={leaf: row for row, leaf in enumerate(leaves)})

    @cached_property
    def likeness(self) -> Any:
        """All outputs of the shape as one object, with a spot for each leaf."""
        return with_spots(self.skeleton)

    @property
    def whole(self) -> Layout:
        """The layout of tables of this shape that keep all leaves."""
        return self if self.kept is None else replace(self, kept=None)


@lru_cache(maxsize=4096)
def layout_of(skeleton: Skeleton) -> Layout:
    """The layout of tables that keep all leaves."""
    return Layout(skeleton, parts_of(skeleton), leaves_of(skeleton))


@lru_cache(maxsize=4096)
def parts_of(skeleton: Skeleton) -> dict[Steps, Part]:
    """The parts of an output, by the steps that lead to them; the whole output has no steps."""
    depth, parts = _DEPTH, dict(_walk(skeleton, (), 0, _DEPTH))
    while True:
        depth += 1
        deeper = dict(islice(_walk(skeleton, (), 0, depth), _MOST_PARTS + 1))
        if not len(parts) < len(deeper) <= _MOST_PARTS:
            return parts
        parts = deeper


@lru_cache(maxsize=4096)
def is_cut(skeleton: Skeleton) -> bool:
    """Whether outputs have more leaves than are kept."""
    match skeleton:
        case Sequence(shape=shape, items=int(kept)):
            return kept < prod(shape)
        case Sequence(shape=shape, items=tuple(children)):
            return len(children) < shape[0] or any(map(is_cut, children))
        case Mapping(children=children, length=length):
            return len(children) < length or any(map(is_cut, children))
        case Record(children=children) | Viewed(children=children):
            return any(map(is_cut, children))
    return False


def _walk(skeleton: Skeleton, steps: Steps, start: int, left: int) -> Iterator[tuple[Steps, Part]]:
    """The part that a skeleton is, and those inside it, as many more steps deep as are left."""
    stop = start + leaves_of(skeleton)
    match skeleton:
        case Leaf():
            yield steps, Part("", start, stop, None, is_leaf=True, plain=False)
        case Raised():
            yield steps, Part(skeleton.name, start, stop, None, is_leaf=False, plain=False, raised=True)
            if isinstance(skeleton.message, Viewed):
                yield (*steps, Through("str")), Part("", start, start + 1, None, is_leaf=True, plain=False)
                yield from _walk_views(skeleton.message, (*steps, Through("str")), start, left - 1)
        case Sequence():
            yield from _walk_sequence(skeleton, steps, start, left)
        case Mapping():
            names = [step_to(key) for key in skeleton.keys]
            yield steps, Part("dict", start, stop, skeleton.length, is_leaf=False, plain=False)
            if skeleton.length > 1 and stop - start == skeleton.length and set(skeleton.children) == {Leaf()}:
                yield (*steps, Through("values")), Part("list", start, stop, skeleton.length, is_leaf=False, plain=True)
            yield from _walk_children(names, skeleton.children, steps, start, left)
        case Record():
            yield steps, Part(skeleton.name, start, stop, None, is_leaf=False, plain=False)
            yield from _walk_children([f".{name}" for name in skeleton.fields], skeleton.children, steps, start, left)
        case Viewed(is_text=True):
            yield steps, Part("", start, start + 1, None, is_leaf=True, plain=False)
            yield from _walk_views(skeleton, steps, start, left)
        case Viewed():
            yield steps, Part(skeleton.type, start, stop, skeleton.length, is_leaf=False, plain=False)
            yield from _walk_views(skeleton, steps, start, left)


def step_to(key: Literal) -> Step:
    """The step to an entry of a dict. Texts that begin with a dot are steps to attributes, so they need a `Key`."""
    plain = (isinstance(key, str) and not key.startswith(".")) or (isinstance(key, int) and not isinstance(key, bool))
    return key if plain else Key(key)  # type: ignore[return-value]


def _walk_views(skeleton: Viewed, steps: Steps, start: int, left: int) -> Iterator[tuple[Steps, Part]]:
    """What views show is no deeper than what is seen through them."""
    start += skeleton.is_text
    for view, child in zip(skeleton.views, skeleton.children, strict=True):
        step = f".{view}" if view in ATTRIBUTES else Through(view)
        yield from _walk(child, (*steps, step), start, left)
        start += leaves_of(child)


def _walk_sequence(skeleton: Sequence, steps: Steps, start: int, left: int) -> Iterator[tuple[Steps, Part]]:
    length = skeleton.shape[0]
    if isinstance(skeleton.items, int):
        one_dimension = len(skeleton.shape) == 1
        whole = one_dimension and skeleton.items == length
        yield steps, Part(skeleton.type, start, start + skeleton.items, length, is_leaf=False, plain=whole)
        if not one_dimension:
            yield from _walk_dimensions(skeleton.shape, steps, start, skeleton.items)
            return
        if skeleton.type in UNORDERED and whole:
            steps = (*steps, Through("sorted"))
            yield steps, Part("list", start, start + length, length, is_leaf=False, plain=True)
        if left <= 0:
            return
        for index in range(min(skeleton.items, _ELEMENTS)):
            yield (*steps, index), Part("", start + index, start + index + 1, None, is_leaf=True, plain=False)
        if whole and length:
            yield (*steps, -1), Part("", start + length - 1, start + length, None, is_leaf=True, plain=False)
        return
    stop = start + leaves_of(skeleton)
    yield steps, Part(skeleton.type, start, stop, length, is_leaf=False, plain=False)
    if skeleton.type not in UNORDERED:
        kept = skeleton.items[:_ELEMENTS]
        yield from _walk_children(list(range(len(kept))), kept, steps, start, left)


def _walk_dimensions(shape: tuple[int, ...], steps: Steps, start: int, kept: int) -> Iterator[tuple[Steps, Part]]:
    """The parts of an array of several dimensions: all its elements in a row, and each of the first ones by itself."""
    if not all(shape) or kept < prod(shape):
        return
    yield (*steps, Through("ravel")), Part("array", start, start + kept, kept, is_leaf=False, plain=True)
    elements = product(*map(range, shape))
    rows: set[Steps] = set()
    for number, place in enumerate(islice(elements, _ELEMENTS)):
        for depth in range(1, len(shape)):
            row = place[:depth]
            if row not in rows:
                rows.add(row)
                size = prod(shape[depth:])
                first = start + number
                flat = depth == len(shape) - 1
                yield (*steps, *row), Part("array", first, first + size, shape[depth], is_leaf=False, plain=flat)
        yield (*steps, *place), Part("", start + number, start + number + 1, None, is_leaf=True, plain=False)


def _walk_children(
    names: SequenceOf[Step], children: tuple[Skeleton, ...], steps: Steps, start: int, left: int
) -> Iterator[tuple[Steps, Part]]:
    if left <= 0:
        return
    for name, child in zip(names, children, strict=False):
        yield from _walk(child, (*steps, name), start, left - 1)
        start += leaves_of(child)
