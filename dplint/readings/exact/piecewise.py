"""Functions in pieces of exponential polynomials that are nowhere negative, with exact knowledge of where they vanish.

A ball around 0 does not tell whether a number is 0, and what is impossible must not be guessed. So that knowledge is
kept apart from the balls. A part is absent exactly where the function is zero; a part that is there is positive inside
of its cell; and at each finite end of the cell it behaves like C * distance**order with a C > 0. The densities that we
begin with are such, and so is whatever is made of them here: of nothing negative nothing cancels.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple, TypeAlias

from flint import arb, fmpq

from dplint.readings.exact import terms as sums
from dplint.readings.exact.terms import ZERO, Terms

Cell: TypeAlias = tuple[fmpq | None, fmpq | None]
"""An open interval; None is no end."""


class Part(NamedTuple):
    """A function on one cell: positive inside, and vanishing to these orders at its ends (0: it does not vanish)."""

    terms: Terms
    left: int = 0
    right: int = 0


class Memo:
    """What was made of some functions: objects that are told apart by identity, and kept as long as their ids are used.

    Equal steps then give the same object, and paths that took them can be compared by identity.
    """

    def __init__(self, most: int = 50_000) -> None:
        self._most = most
        self._known: dict[Hashable, tuple[Any, tuple[object, ...]]] = {}

    def get(self, functions: Sequence[object], key: Hashable, make: Callable[[], Any]) -> Any:
        """What `make` gave for these functions and this key."""
        full = (tuple(map(id, functions)), key)
        found = self._known.get(full)
        if found is None:
            if len(self._known) > self._most:
                self._known.clear()
            found = self._known[full] = (make(), tuple(functions))
        return found[0]

    def clear(self) -> None:
        """Forget all."""
        self._known.clear()


memo = Memo()


def exact_key(value: fmpq | None) -> Hashable:
    """A rational as a key; quicker than its own hash."""
    return None if value is None else (int(value.p), int(value.q))


class Piecewise:
    """cuts: increasing; parts: one for each of the len(cuts) + 1 cells between them, None where it is zero."""

    __slots__ = ("_antiderivatives", "_support", "_total", "cuts", "parts")
    primitive = staticmethod(sums.antiderivative)

    def __init__(self, cuts: Sequence[fmpq], parts: Sequence[Part | None]) -> None:
        keep = [i for i in range(len(cuts)) if parts[i] is not None or parts[i + 1] is not None]
        self.parts: tuple[Part | None, ...] = (parts[0], *(parts[i + 1] for i in keep))
        self.cuts: tuple[fmpq, ...] = tuple(cuts[i] for i in keep)
        self._antiderivatives: dict[int, Terms] = {}
        self._support: list[Cell] | None = None
        self._total: arb | None = None

    def like(self, cuts: Sequence[fmpq], parts: Sequence[Part | None]) -> Piecewise:
        """A function of the same numbers."""
        return Piecewise(cuts, parts)

    def with_cells(self, places: Iterable[fmpq]) -> list[fmpq]:
        """Cuts for a function whose formulas change at these places, in order."""
        return union(places, ())

    def inside(self, cell: Cell) -> fmpq:
        """A number in a cell that the function is one of."""
        return inside(cell)

    @property
    def is_zero(self) -> bool:
        """Whether it is zero everywhere."""
        return all(part is None for part in self.parts)

    def cell(self, index: int) -> Cell:
        """The ends of a cell."""
        return (self.cuts[index - 1] if index else None, self.cuts[index] if index < len(self.cuts) else None)

    def pieces(self) -> Iterator[tuple[Cell, Part]]:
        """The cells where it is positive."""
        for index, part in enumerate(self.parts):
            if part is not None:
                yield self.cell(index), part

    def index_at(self, place: fmpq) -> int:
        """The cell that a place is in, or that begins there."""
        return bisect_right(self.cuts, place)

    def index_below(self, place: fmpq) -> int:
        """The cell that a place is in, or that ends there."""
        return bisect_left(self.cuts, place)

    def at(self, place: fmpq) -> arb:
        """The value inside of a cell, exactly 0 in those without a part; at a cut that of the cell on its right."""
        part = self.parts[self.index_at(place)]
        return arb(0) if part is None else sums.value_at(part.terms, place)

    # what can be made of them

    def __mul__(self, other: Piecewise) -> Piecewise:
        cuts, cells = _common(self, other)
        return self.like(
            cuts,
            [
                None
                if a is None or b is None
                else Part(sums.product(a.terms, b.terms), a.left + b.left, a.right + b.right)
                for a, b in cells
            ],
        )

    def __add__(self, other: Piecewise) -> Piecewise:
        cuts, cells = _common(self, other)
        return self.like(cuts, [sum_of_parts([part for part in cell if part is not None]) for cell in cells])

    def times(self, factor: arb) -> Piecewise:
        """Times a positive number."""
        return self.like(
            self.cuts,
            [part and Part(sums.scaled(part.terms, factor), part.left, part.right) for part in self.parts],
        )

    def restricted(self, low: fmpq | None, high: fmpq | None) -> Piecewise:
        """Zero outside of the interval."""
        key = ("restricted", exact_key(low), exact_key(high))
        found: Piecewise = memo.get((self,), key, lambda: self._restricted(low, high))
        return found

    def _restricted(self, low: fmpq | None, high: fmpq | None) -> Piecewise:
        if low is not None and high is not None and low >= high:
            return NOWHERE
        cuts, parts = self.cuts, self.parts
        if high is not None:
            index = bisect_left(cuts, high)
            last = parts[index]
            if last is not None and last.right and (index == len(cuts) or cuts[index] != high):
                last = last._replace(right=0)
            cuts, parts = (*cuts[:index], high), (*parts[:index], last, None)
        if low is not None:
            index = bisect_right(cuts, low)
            first = parts[index]
            if first is not None and first.left and (index == 0 or cuts[index - 1] != low):
                first = first._replace(left=0)
            cuts, parts = (low, *cuts[index:]), (None, first, *parts[index + 1 :])
        return self.like(cuts, parts)

    def substituted(self, slope: fmpq, offset: fmpq) -> Piecewise:
        """The function of t that this is of slope * t + offset; slope is not 0."""
        if slope == 1 and offset == 0:
            return self
        key = ("substituted", exact_key(slope), exact_key(offset))
        found: Piecewise = memo.get((self,), key, lambda: self._substituted(slope, offset))
        return found

    def _substituted(self, slope: fmpq, offset: fmpq) -> Piecewise:
        cuts = [(cut - offset) / slope for cut in self.cuts]
        parts = [
            part and Part(sums.substituted(part.terms, slope, offset), part.left, part.right) for part in self.parts
        ]
        if slope > 0:
            return self.like(cuts, parts)
        turned = [part and Part(part.terms, part.right, part.left) for part in parts]
        return self.like(cuts[::-1], turned[::-1])

    def as_density_of(self, slope: fmpq, offset: fmpq) -> Piecewise:
        """The density of slope * X + offset, where this is that of X."""
        moved = self.substituted(1 / slope, -offset / slope)
        return moved if abs(slope) == 1 else moved.times(arb(abs(1 / slope)))

    # integrals

    def antiderivative(self, index: int) -> Terms:
        """An antiderivative on one cell, with limit 0 at an infinite end; empty where the function is zero.

        Raises ArithmeticError if the function has no integral over the cell.
        """
        found = self._antiderivatives.get(index)
        if found is None:
            part, (low, high) = self.parts[index], self.cell(index)
            found = {} if part is None else self.primitive(part.terms)
            for end, sign in ((low, 1), (high, -1)):
                if end is None and any(one.sign != sign for one, _ in found):
                    raise ArithmeticError("a function without an integral")
            self._antiderivatives[index] = found
        return found

    def mass(self, index: int) -> arb:
        """The integral over one cell."""
        low, high = self.cell(index)
        terms = self.antiderivative(index)
        above = arb(0) if high is None else sums.value_at(terms, high)
        return above if low is None else above - sums.value_at(terms, low)

    def total(self) -> arb:
        """The integral over all."""
        if self._total is None:
            self._total = sum((self.mass(i) for i, part in enumerate(self.parts) if part is not None), arb(0))
        return self._total

    def support(self) -> list[Cell]:
        """Where it is positive, but for single places: intervals from left to right that do not touch."""
        if self._support is None:
            found: list[Cell] = []
            for cell, _ in self.pieces():
                if found and found[-1][1] == cell[0]:
                    found[-1] = (found[-1][0], cell[1])
                else:
                    found.append(cell)
            self._support = found
        return self._support


def inside(cell: Cell) -> fmpq:
    """A place in it."""
    low, high = cell
    if low is None:
        return ZERO if high is None else high - 1
    return low + 1 if high is None else (low + high) / 2


def meet(one: Cell, other: Cell) -> Cell:
    """What two cells have in common; the low end is no less than the high one if that is nothing."""
    low = one[0] if other[0] is None else other[0] if one[0] is None else max(one[0], other[0])
    high = one[1] if other[1] is None else other[1] if one[1] is None else min(one[1], other[1])
    return low, high


NOWHERE = Piecewise((), (None,))
"""The function that is zero."""


def sum_of_parts(parts: Sequence[Part]) -> Part | None:
    """The sum of functions that are positive on the same cell: it vanishes to the least of their orders."""
    if not parts:
        return None
    if len(parts) == 1:
        return parts[0]
    total: Terms = {}
    for part in parts:
        sums.add(total, part.terms)
    return Part(total, min(part.left for part in parts), min(part.right for part in parts))


def union(left: Iterable[fmpq], right: Iterable[fmpq]) -> list[fmpq]:
    """All cuts in order, each once."""
    found: list[fmpq] = []
    for cut in sorted([*left, *right]):
        if not found or cut != found[-1]:
            found.append(cut)
    return found


def cells_of(cuts: Sequence[fmpq]) -> list[Cell]:
    """The cells between cuts."""
    return list(zip([None, *cuts], [*cuts, None], strict=True))


def common_cells(one: Piecewise, other: Piecewise) -> list[tuple[Cell, Part, Part | None]]:
    """The cells of both cut together on which the first is positive, with what both are there."""
    cuts = union(one.cuts, other.cuts)
    on_all = zip(cells_of(cuts), on_cells(one, cuts), on_cells(other, cuts), strict=True)
    return [(cell, p, q) for cell, p, q in on_all if p is not None]


def on_cells(function: Piecewise, cuts: Sequence[fmpq]) -> Iterator[Part | None]:
    """The function on each of finer cells; where a cell ends inside of a part, that does not vanish."""
    index = 0
    for low, high in cells_of(cuts):
        while index < len(function.cuts) and low is not None and function.cuts[index] <= low:
            index += 1
        part = function.parts[index]
        start, end = function.cell(index)
        if part is not None and (low != start or high != end) and (part.left or part.right):
            part = Part(part.terms, part.left if low == start else 0, part.right if high == end else 0)
        yield part


def _common(one: Piecewise, other: Piecewise) -> tuple[list[fmpq], list[tuple[Part | None, Part | None]]]:
    cuts = union(one.cuts, other.cuts)
    return cuts, list(zip(on_cells(one, cuts), on_cells(other, cuts), strict=True))


def product_of(functions: Sequence[Piecewise]) -> Piecewise:
    """The product, remembered for every beginning of the sequence, whatever its order."""
    if len(functions) == 1:
        return functions[0]
    in_order = sorted(functions, key=id)
    found: Piecewise = memo.get(in_order, "product", lambda: product_of(functions[:-1]) * functions[-1])
    return found
