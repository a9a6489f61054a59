"""Events that show that a pair keeps no (epsilon, delta): P1(E) - e**epsilon P2(E) is more than delta."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from flint import arb, ctx

from dplint.outcomes import Bounds, Impossible
from dplint.readings.exact.alignment import aligned
from dplint.readings.exact.deltas import half_spaces, moved_normals, rounded_delta
from dplint.readings.exact.divergences import divergence_between
from dplint.readings.exact.events import in_event, marginal, numbers_of, text_of
from dplint.readings.exact.functions import Function
from dplint.readings.exact.gaussian_points import GaussianPoints
from dplint.readings.exact.interpretation import Raised
from dplint.readings.exact.laws import FormLaw
from dplint.readings.exact.piecewise import Cell
from dplint.readings.exact.rounding import above, below, probability_bounds
from dplint.readings.exact.smooth import Smooth
from dplint.readings.exact.terms import rational

Law = Mapping[Hashable, FormLaw]
_MOST_OUTPUTS = 12
"""Single outputs that one event names."""
_TOLERANCE = 1e-6
_DIGITS = (2, 3, 17)
"""Decimal digits that the ends of an interval are rounded to."""
_NEARLY = 0.95
"""Of two events the shorter one is shown if it gains so much of the other's."""


@dataclass(frozen=True, slots=True)
class DeltaEvent:
    """A set of outputs, as an expression over `output`. gain: holds P1 - e**epsilon P2."""

    expression: str
    p1: Bounds
    p2: Bounds
    gain: Bounds
    infinite: Impossible | None = None

    def least_epsilon(self, delta: float) -> float:
        """What epsilon is at least with this delta: inf where no epsilon is enough."""
        if self.p1.low <= delta:
            return -math.inf
        if self.p2.high == 0:
            return math.inf
        return below((arb(self.p1.low) - arb(delta)).log() - arb(self.p2.high).log())


def delta_event(laws: tuple[Law, Law], epsilon: float, delta: float, *, precision: int) -> DeltaEvent | None:
    """An event with nearly the largest P1 - e**epsilon P2 of those that are looked at; None if none exceeds delta.

    These are sets of single outputs, half-lines and intervals of one number, and half-spaces of normal ones. laws,
    precision: as for `deltas.hockey_stick`.
    """
    with ctx.workprec(precision):
        one, other = aligned(*laws)
        factor = arb(epsilon).exp()
        found = [event for event in _events(one, other, factor) if event.gain.low > rounded_delta(delta)]
        most = max((event.gain.low for event in found), default=delta)
        enough = [event for event in found if event.gain.low - delta >= _NEARLY * (most - delta)]
        return min(enough, key=lambda event: len(event.expression), default=None)


def _events(one: Law, other: Law, factor: arb) -> Iterator[DeltaEvent]:
    singles = _single_outputs(one, other, factor)
    if singles is not None:
        yield singles
    yield from _half_spaces(one, other, factor)
    for key, form in one.items():
        if form.size == 0 or form.signed:
            continue
        for number in numbers_of(form):
            p, q = (_weighted(law.get(key), number.coordinate) for law in (one, other))
            if p is None or q is None or not p[1] > 0:
                continue
            found = divergence_between(p[0], q[0], factor * q[1] / p[1], _TOLERANCE)
            for cell in () if found is None else _candidates(found.positive):
                p1 = in_event(one, key, number, cell, *p)
                p2 = in_event(other, key, number, cell, *q)
                if p1 is not None and p2 is not None and cell != (None, None):
                    yield _event(text_of(form.form, number, cell), p1, p2, factor)


def _single_outputs(one: Law, other: Law, factor: arb) -> DeltaEvent | None:
    """Those that gain most together; not where some whole number may be one of them. No other number is, surely."""
    if any(phase is not None for law in (one, other) for form in law.values() for phase in form.grid):
        return None
    rows: list[tuple[float, str, arb, arb]] = []
    for key, form in one.items():
        if form.size:
            continue
        p, q = form.probability(), other[key].probability() if key in other else arb(0)
        output = form.output(())
        text = (
            f"type(output).__name__ == {output.exception!r}" if isinstance(output, Raised) else f"output == {output!r}"
        )
        rows.append((below(p - factor * q), text, p, q))
    best = sorted((row for row in rows if row[0] > 0), reverse=True)[:_MOST_OUTPUTS]
    if not best:
        return None
    p1, p2 = sum((row[2] for row in best), arb(0)), sum((row[3] for row in best), arb(0))
    return _event(" or ".join(row[1] for row in best), p1, p2, factor)


def _half_spaces(one: Law, other: Law, factor: arb) -> Iterator[DeltaEvent]:
    """Of several normal numbers, where all outputs have one form."""
    if len(one) != 1 or one.keys() != other.keys():
        return
    ((key, form),) = one.items()
    forms = form, other[key]
    if form.size < 2 or any(len(law.terms) > 1 or law.signed for law in forms):
        return
    first, second = (law.terms[0] for law in forms)
    if first.limits or second.limits:
        return
    moved = moved_normals(first.functions, second.functions)
    for found in half_spaces(moved or (), numbers_of(form), factor):
        yield _event(found.expression, found.p1, found.p2, factor)


def _weighted(law: FormLaw | None, coordinate: int) -> tuple[Function, arb] | None:
    """The law of one number, and what it is to be multiplied by."""
    closed = marginal(law, coordinate)
    if closed is not None:
        return closed, arb(1)
    if law is None or len(law.terms) > 1 or law.terms[0].limits:
        return None
    (term,) = law.terms
    function, weight = term.functions[coordinate], term.number
    for index, other in enumerate(term.functions):
        if index != coordinate:
            weight = weight * other.total()
    return (function, weight) if isinstance(function, Smooth | GaussianPoints) else None


def _candidates(cells: Sequence[Cell]) -> Iterator[Cell]:
    """Each cell, and the half-lines from its ends, where ends are numbers that a program can name, and rounded ones."""
    for cell, digits in product(cells, _DIGITS):
        low, high = (None if end is None else rational(float(f"{int(end.p) / int(end.q):.{digits}g}")) for end in cell)
        yield from ((low, high), (low, None), (None, high))


def _event(text: str, p1: arb, p2: arb, factor: arb) -> DeltaEvent:
    gain = p1 - factor * p2
    infinite = Impossible(probability_bounds(p1)) if p2.is_zero() else None
    bounds = Bounds(below(gain), above(gain))
    return DeltaEvent(text, probability_bounds(p1), probability_bounds(p2), bounds, infinite)
