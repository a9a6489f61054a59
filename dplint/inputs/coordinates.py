"""An input as a point: its real numbers as coordinates with bounds and constraints, for searches that have gradients.

Whole numbers, categories, and which record differs stay as they are: those are for `moves`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from dplint.claims import Columns, Domain, Interval, Literal, Mechanism, NumbersOrMissing, Pair, is_number
from dplint.inputs.pairs import data_domain, has_whole_numbers
from dplint.readings.ghk import Array, Real
from dplint.relations import DataKind, Neighbourhood, relation_of

Point: TypeAlias = NDArray[np.float64]
FAR = 100.0
"""How far numbers of which the claim says nothing are moved, in sensitivities."""


@dataclass(frozen=True, slots=True)
class _Place:
    """A number that is the sum of some coordinates."""

    parts: tuple[int, ...]


@dataclass
class Coordinates:
    """Of a pair and some arguments. start: the point that they are. low, high: bounds of each coordinate."""

    mechanism: Mechanism
    start: list[float] = field(default_factory=list)
    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    _sides: list[Any] = field(default_factory=list)
    _arguments: dict[str, _Place] = field(default_factory=dict)
    _thresholds: list[_Place] = field(default_factory=list)
    _moves: list[int] = field(default_factory=list)
    _constraints: list[tuple[Callable[[Point], Point], Callable[[Point], Point]]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.start)

    def pair(self, point: Point, why: str) -> Pair:
        """The pair at a point, to be asked whether it is one."""
        d1, d2 = (_filled(side, lambda place: float(sum(point[i] for i in place.parts))) for side in self._sides)
        return Pair(d1, d2, why, len(d1) if isinstance(d1, list) else 1)

    def arguments(self, point: Point) -> dict[str, Literal]:
        """The arguments that have a coordinate."""
        return {name: float(point[place.parts[0]]) for name, place in self._arguments.items()}

    def lifted(self, point: Point, given: Mapping[str, Any], side: int) -> dict[str, Any]:
        """The arguments of a program with `Real`s in them. given: those of the pair that it was made of."""
        data = _filled(self._sides[side], lambda place: self._real(point, place))
        name = str(self.mechanism.data)
        if isinstance(given[name], np.ndarray):
            array = np.empty(len(data), object)
            array[:] = data
            data = array
        elif isinstance(given[name], tuple):
            data = tuple(data)
        return {**given, **{key: self._real(point, place) for key, place in self._arguments.items()}, name: data}

    def thresholds(self, point: Point) -> list[Real]:
        """Those for the numbers of the output."""
        return [self._real(point, place) for place in self._thresholds]

    def constraints(self) -> list[dict[str, Any]]:
        """What must not be negative, as `scipy.optimize.minimize` wants it."""
        return [{"type": "ineq", "fun": value, "jac": slope} for value, slope in self._constraints]

    def _real(self, point: Point, place: _Place) -> Real:
        gradient: Array = np.zeros((1, self.count))
        gradient[0, list(place.parts)] = 1.0
        return Real(float(sum(point[i] for i in place.parts)), gradient)

    # how they are made

    def add(self, start: float, low: float, high: float) -> int:
        """Another coordinate."""
        self.start.append(float(start))
        self.low.append(low)
        self.high.append(high)
        return self.count - 1

    def entry(self, value: Any, domain: Domain | None) -> Any:
        """A value with coordinates for the real numbers in it."""
        if isinstance(domain, Columns) and isinstance(value, dict):
            return {name: self.entry(value[name], column) for name, column in domain.columns}
        if isinstance(domain, NumbersOrMissing):
            domain = domain.numbers
        if not isinstance(domain, Interval) or domain.integer or not is_number(value):
            return value
        return _Place((self.add(value, domain.low, domain.high),))

    def vectors(self, d1: Sequence[float], d2: Sequence[float], domain: Interval, definition: Neighbourhood) -> None:
        """Entries and moves, which the relation bounds."""
        far = self.mechanism.claim.sensitivity
        base = [self.add(one, domain.low, domain.high) for one in d1]
        up, down = (1.0, 1.0)
        if definition is Neighbourhood.ONE_DIRECTION:
            rises = sum(b - a for a, b in zip(d1, d2, strict=True)) >= 0
            up, down = float(rises), float(not rises)
        moves = [self.add(b - a, -down * far, up * far) for a, b in zip(d1, d2, strict=True)]
        self._sides = [
            [_Place((i,)) for i in base],
            [_Place((i, j)) for i, j in zip(base, moves, strict=True)],
        ]
        self._moves = moves
        self._bound_sums(base, moves, domain)
        if definition in (Neighbourhood.SUM_OF_MOVES, Neighbourhood.LENGTH_OF_MOVE):
            self._bound_norm(moves, far, definition is Neighbourhood.LENGTH_OF_MOVE)

    def _bound_sums(self, base: Sequence[int], moves: Sequence[int], domain: Interval) -> None:
        def values(point: Point) -> Point:
            other = point[list(base)] + point[list(moves)]
            return np.concatenate([domain.high - other, other - domain.low])

        def slopes(point: Point) -> Point:
            found = np.zeros((len(base), len(point)))
            found[np.arange(len(base)), list(base)] = 1.0
            found[np.arange(len(base)), list(moves)] = 1.0
            return np.vstack([-found, found])

        self._constraints.append((values, slopes))

    def _bound_norm(self, moves: Sequence[int], most: float, euclidean: bool) -> None:
        def value(point: Point) -> Point:
            by = point[list(moves)]
            return np.array([most**2 - by @ by if euclidean else most - np.abs(by).sum()])

        def slope(point: Point) -> Point:
            found = np.zeros((1, len(point)))
            by = point[list(moves)]
            found[0, list(moves)] = -2 * by if euclidean else -np.sign(by)
            return found

        self._constraints.append((value, slope))

    def moved_by(self, point: Point, gradient: Point) -> Point:
        """The point with the largest moves in the direction of a gradient."""
        found = point.copy()
        for i in self._moves:
            found[i] = self.high[i] if gradient[i] > 0 else self.low[i] if gradient[i] < 0 else point[i]
        return self.allowed(found)

    def allowed(self, point: Point) -> Point:
        """The point within its bounds, with moves that are short enough."""
        found = np.clip(point, self.low, self.high)
        definition = relation_of(self.mechanism.claim).definition
        by = found[self._moves]
        length = np.abs(by).sum() if definition is Neighbourhood.SUM_OF_MOVES else float(np.sqrt(by @ by))
        norms = (Neighbourhood.SUM_OF_MOVES, Neighbourhood.LENGTH_OF_MOVE)
        if definition in norms and length > self.mechanism.claim.sensitivity:
            found[self._moves] = by * (self.mechanism.claim.sensitivity / length) * (1 - 1e-12)
        return found


def coordinates_of(
    mechanism: Mechanism, pair: Pair, arguments: Mapping[str, tuple[float, float, float]], numbers: Sequence[float]
) -> Coordinates | None:
    """The coordinates of an input; None where its data have no real numbers, or the relation bounds no norm.

    arguments: start and bounds of each that may move. numbers: thresholds to begin with.
    """
    found = Coordinates(mechanism)
    definition = relation_of(mechanism.claim).definition
    if definition is None or has_whole_numbers(mechanism):
        return None
    if relation_of(mechanism.claim).data is DataKind.VECTOR:
        _add_vectors(found, pair, definition)
    elif isinstance(pair.d1, list) and isinstance(pair.d2, list):
        found._sides = list(_records(found, pair.d1, pair.d2, data_domain(mechanism)))
    else:
        found._sides = [found.entry(side, data_domain(mechanism)) for side in (pair.d1, pair.d2)]
    if not found.count:
        return None
    for name, (start, low, high) in arguments.items():
        found._arguments[name] = _Place((found.add(start, low, high),))
    for number in numbers:
        wide = 10 * max(1.0, abs(number))
        found._thresholds.append(_Place((found.add(number, number - wide, number + wide),)))
    return found


def _add_vectors(found: Coordinates, pair: Pair, definition: Neighbourhood) -> None:
    """Nothing, where the entries are no numbers."""
    scalar = not isinstance(pair.d1, list)
    d1, d2 = ([side] if scalar else side for side in (pair.d1, pair.d2))
    if not (isinstance(d1, list) and isinstance(d2, list)):
        return
    numbers = [float(one) for one in (*d1, *d2) if isinstance(one, int | float) and not isinstance(one, bool)]
    if not d1 or len(numbers) < 2 * len(d1):
        return
    domain, far = data_domain(found.mechanism), FAR * found.mechanism.claim.sensitivity
    if not isinstance(domain, Interval):
        domain = Interval(min(-far, *numbers), max(far, *numbers), False)
    found.vectors(numbers[: len(d1)], numbers[len(d1) :], domain, definition)
    if scalar:
        found._sides = [side[0] for side in found._sides]


def _records(found: Coordinates, d1: list[Any], d2: list[Any], domain: Domain | None) -> tuple[list[Any], list[Any]]:
    """The records that both sides have share their coordinates."""
    shorter, longer = sorted((d1, d2), key=len)
    place = next((i for i, one in enumerate(shorter) if one != longer[i]), len(shorter))
    base = [found.entry(one, domain) for one in shorter]
    if len(shorter) == len(longer):
        other = [found.entry(b, domain) if a != b else base[i] for i, (a, b) in enumerate(zip(d1, d2, strict=True))]
        return base, other
    more = [*base[:place], found.entry(longer[place], domain), *base[place:]]
    return (base, more) if len(d1) < len(d2) else (more, base)


def _filled(side: Any, function: Callable[[_Place], Any]) -> Any:
    if isinstance(side, _Place):
        return function(side)
    if isinstance(side, list):
        return [_filled(one, function) for one in side]
    if isinstance(side, dict):
        return {name: _filled(one, function) for name, one in side.items()}
    return side
