"""The privacy loss of a pair from two laws: certified intervals for each output, certificates where it is infinite.

Densities of several numbers are looked at between the cuts of both laws, and beyond them.
"""

from __future__ import annotations

import functools
import math
from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from flint import arb, fmpq

from dplint.outcomes import Bounds, Impossible, Measure, UnequalVanishing
from dplint.readings.exact.functions import Function, phase_of
from dplint.readings.exact.gaussian_points import GaussianPoints, GaussianRatio
from dplint.readings.exact.lattices import Lattice, lattice_supremum
from dplint.readings.exact.laws import FormLaw, Term, density_of_number
from dplint.readings.exact.piecewise import Piecewise, memo
from dplint.readings.exact.rounding import above, below, density_bounds, probability_bounds
from dplint.readings.exact.smooth import Smooth
from dplint.readings.exact.smooth_suprema import smooth_supremum
from dplint.readings.exact.suprema import TOLERANCE, Supremum, supremum
from dplint.readings.exact.terms import ZERO

_MOST = 600
_NEAR = (-9, -4, -1, 0, 1, 2, 5, 10)


def points_to_try(one: FormLaw, other: FormLaw) -> list[tuple[fmpq, ...]]:
    """Coordinates away from all cuts, so that a density that is zero there is zero around it, too.

    Of whole numbers, those on either side of each cut, and some beyond.
    """
    points: list[tuple[fmpq, ...]] = [()]
    for index in range(one.size):
        axis = _axis([*one.terms, *other.terms], index)
        points = [(*point, place) for point in points for place in axis]
        if len(points) > _MOST:
            points = points[:: 1 + len(points) // _MOST]
    return points


def _axis(terms: Sequence[Term], index: int) -> list[fmpq]:
    cuts: set[tuple[int, int]] = set()
    for term in terms:
        function = term.functions[index]
        own = function.cuts if isinstance(function, Piecewise) else function.centres()
        cuts.update((int(cut.p), int(cut.q)) for cut in own)
    ordered = sorted(fmpq(*cut) for cut in cuts) or [ZERO]
    first = phase_of(terms[0].functions[index])
    if first is not None:
        return [first + k for k in sorted({int((cut - first).floor()) + i for cut in ordered for i in _NEAR})]
    span = max(ordered[-1] - ordered[0], fmpq(1))
    # No cut lies there, whatever other coordinates a coordinate is compared with.
    aside = span / 1_000_003 * (index + 1)
    between = [(a + b) / 2 + aside for a, b in pairwise(ordered)]
    beside = [cut + sign * aside for cut in ordered for sign in (-1, 1)]
    far = [end + sign * span * k for k in (1, 4, 16, 64) for end, sign in ((ordered[0], -1), (ordered[-1], 1))]
    return sorted([*between, *beside, *far])


Law = Mapping[Hashable, FormLaw]
_FEW = 1
"""Places that are looked at in forms which cannot lose most."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputLoss:
    """What the outputs of one form lose: log p1/p2, its supremum over the numbers in them.

    loss: holds the supremum for certain; its high end is inf where only a lower bound is known. output: one that shows
    a loss of `loss.low`, or comes as near to it as one likes. measure, p1, p2: the probabilities of this output, or the
    densities there. infinite: what shows that the loss is infinite. several: whether the form has other outputs. key:
    that of the form in its law. unknown: whether no output is known that shows the loss; then `output` is None.
    """

    loss: Bounds
    output: Any
    measure: Measure
    p1: Bounds
    p2: Bounds
    infinite: Impossible | UnequalVanishing | None = None
    several: bool = False
    unknown: bool = False
    key: Hashable = None


@dataclass(frozen=True, slots=True)
class _Found:
    """The same in balls; place: the coordinates of the output."""

    low: float
    high: float
    place: Sequence[fmpq] | None
    p1: arb
    p2: arb
    infinite: Impossible | UnequalVanishing | None = None


def output_losses(
    law1: Law, law2: Law, *, prune: bool = False, check: Callable[[], None] = lambda: None
) -> list[OutputLoss]:
    """What every form of output that D1 can give loses against D2, the largest first, by laws that are `aligned`.

    Raises NotFollowed. prune: the high ends need only hold the largest loss of all: those of others may be as large as
    that one. check: called for each form, to end the computation by an exception.
    """
    found: list[OutputLoss] = []
    least = -math.inf
    order = sorted(law1, key=lambda key: law1[key].size)
    if prune:
        # What may lose most first: others then need no more than their bound.
        bounds = {key: _bound_of_several(law1[key], law2.get(key)) for key in order}
        order.sort(key=lambda key: -bounds[key] if bounds[key] < math.inf else math.inf)
    again = _coming_again(law1, law2)
    for key in order:
        check()
        one, other = law1[key], law2.get(key)
        loss = _loss_of_form(one, other, least, again=key in again)
        if loss is not None:
            found.append(_reported(key, one, loss))
            if prune and found[-1].loss.low < math.inf:
                least = max(least, found[-1].loss.low)
    return sorted(found, key=lambda one: (-one.loss.low, one.infinite is None))


def _coming_again(law1: Law, law2: Law) -> set[Hashable]:
    """The forms of one number whose two densities are, but for a factor, those of another form: where outputs have
    independent parts. Their supremum is worth to be remembered.
    """
    found: dict[tuple[int, int], list[Hashable]] = defaultdict(list)
    for key, one in law1.items():
        other = law2.get(key)
        if one.size == 1 and other is not None and len(one.terms) == len(other.terms) == 1:
            found[id(one.terms[0].functions[0]), id(other.terms[0].functions[0])].append(key)
    return {key for keys in found.values() if len(keys) > 1 for key in keys}


def _loss_of_form(one: FormLaw, other: FormLaw | None, least: float, *, again: bool) -> _Found | None:
    if other is None:
        return _impossible(one)
    if one.size == 0:
        return _single_output(one, other)
    if one.size > 1:
        return _several_numbers(one, other, least)
    return _by_one_ratio(one, other) if again else _one_number(one, other, least)


def _reported(key: Hashable, one: FormLaw, found: _Found) -> OutputLoss:
    density = None in one.grid
    bounds, factor = (density_bounds if density else probability_bounds), one.per_output if one.size > 1 else arb(1)
    return OutputLoss(
        loss=Bounds(found.low, found.high),
        output=None if found.place is None else one.output(found.place),
        measure=Measure.DENSITY if density else Measure.PROBABILITY,
        p1=bounds(found.p1 * factor),
        p2=bounds(found.p2 * factor),
        infinite=found.infinite,
        several=one.size > 0,
        unknown=found.place is None,
        key=key,
    )


def _single_output(one: FormLaw, other: FormLaw) -> _Found | None:
    p1, p2 = one.probability(), other.probability()
    if p1.is_zero():
        return None
    if not (p1 > 0 and p2 > 0):
        return _Found(_at_least(p1, p2), math.inf, (), p1, p2)
    ratio = (p1 / p2).log()
    return _Found(below(ratio), above(ratio), (), p1, p2)


def _at_least(p1: arb, p2: arb) -> float:
    """What holds of the loss for every number in two balls, which may be around 0."""
    most = p2.upper()
    return below((p1 / most).log()) if p1 > 0 and most > 0 else -math.inf


def _impossible(one: FormLaw) -> _Found | None:
    """Outputs of a form that D2 never has: no path leads there, and paths are left out only if they are impossible."""
    mass = None if any(term.limits for term in one.terms) else one.probability()
    if mass is not None and mass.is_zero():
        return None
    place = () if one.size == 0 else _inside(one.terms[0])
    if place is None or mass is None or not mass > 0:
        # Impossible on D2, but nobody knows whether it is possible on D1.
        return _Found(-math.inf, math.inf, place, arb(0), arb(0))
    return _Found(math.inf, math.inf, place, one.at(place), arb(0), Impossible(probability_bounds(mass)))


def _inside(term: Term) -> tuple[fmpq, ...] | None:
    """A place where all functions of a term are positive; None if comparisons tie its numbers."""
    supports = [function.support() for function in term.functions]
    return (
        None
        if term.limits or not all(supports)
        else tuple(one.inside(support[0]) for one, support in zip(term.functions, supports, strict=True))
    )


def _one_number(one: FormLaw, other: FormLaw, least: float) -> _Found | None:
    p1, p2 = density_of_number(one), density_of_number(other)
    if p1 is None or p2 is None:
        return _by_one_ratio(one, other)
    signed = one.signed or other.signed
    if isinstance(p1, Lattice) and isinstance(p2, Lattice):
        found = lattice_supremum(p1, p2, signed=signed)
    else:
        found = supremum(p1, p2, signed=signed, least=least)
    if found.place is None:
        return None
    place = (found.place,)
    return _Found(found.low, found.high, place, one.at(place), other.at(place), found.infinite)


def _by_one_ratio(one: FormLaw, other: FormLaw) -> _Found | None:
    """By the ratio of the two densities alone, where each has one part; else a lower bound."""
    if len(one.terms) > 1 or len(other.terms) > 1 or one.signed or other.signed:
        return _at_points(one, other)
    (first,), (second,) = one.terms, other.terms
    found = ratio_of(first.functions[0], second.functions[0], TOLERANCE)
    if found is None:
        return _at_points(one, other)
    if found.place is None:
        return None
    base, place = (first.number / second.number).log(), (found.place,)
    low = found.low if math.isinf(found.low) else below(base + arb(found.low))
    return _Found(low, _sum_above(base, [found.high]), place, one.at(place), other.at(place), found.infinite)


def _several_numbers(one: FormLaw, other: FormLaw, least: float) -> _Found:
    """Independent numbers: their losses add up. A mixture loses no more than the worst of its parts, matched in order
    (mediant inequality); how much it loses is known at points. least: of what cannot lose more, one point is enough.
    """
    parts = _matched_parts(one, other)
    if parts is None:
        return _at_points(one, other)
    bases, highs = _bases(one, other), _highs(one, other, parts)
    if len(parts) > 1 or one.terms[0].limits:
        found = _at_points(one, other, _FEW if max(highs) <= least else None)
        return found if found.low == math.inf else replace(found, high=max(found.low, *highs))
    (part,), (base,) = parts, bases
    place = [ZERO if each.place is None else each.place for each in part]
    infinite = next((each for each in part if each.low == math.inf), None)
    if infinite is not None:
        return _Found(math.inf, math.inf, place, one.at(place), other.at(place), infinite.infinite)
    low = below(base + sum((arb(each.low) for each in part), arb(0)))
    return _Found(low, highs[0], place, one.at(place), other.at(place))


def _matched_parts(one: FormLaw, other: FormLaw) -> list[tuple[Supremum, ...]] | None:
    """The suprema of each term against that of the other law, by coordinate; None where some are not known."""
    if len(one.terms) != len(other.terms):
        return None
    matched = [_by_coordinate(*terms) for terms in zip(one.terms, other.terms, strict=True)]
    parts = [part for part in matched if part is not None]
    return parts if len(parts) == len(matched) else None


def _bases(one: FormLaw, other: FormLaw) -> list[arb]:
    return [(p.number / q.number).log() for p, q in zip(one.terms, other.terms, strict=True)]


def _highs(one: FormLaw, other: FormLaw, parts: Sequence[Sequence[Supremum]]) -> list[float]:
    """What each term loses at most."""
    bases = _bases(one, other)
    return [_sum_above(base, [each.high for each in part]) for base, part in zip(bases, parts, strict=True)]


def _bound_of_several(one: FormLaw, other: FormLaw | None) -> float:
    """What a form with several numbers loses at most; infinite where that is not known, and for other forms."""
    if other is None or one.size < 2:
        return math.inf
    parts = _matched_parts(one, other)
    return math.inf if parts is None else max(_highs(one, other, parts))


def _sum_above(base: arb, highs: Sequence[float]) -> float:
    return math.inf if math.inf in highs else above(base + sum((arb(high) for high in highs), arb(0)))


def _by_coordinate(first: Term, second: Term) -> tuple[Supremum, ...] | None:
    """The supremum of the ratio for each coordinate; None where that is not known."""
    if dict(first.limits) != dict(second.limits) or not (first.number > 0 and second.number > 0):
        return None
    found: list[Supremum] = []
    for p, q in zip(first.functions, second.functions, strict=True):
        if p is q:
            found.append(Supremum(0.0, 0.0, p.inside(p.support()[0])))
            continue
        ratio = ratio_of(p, q, TOLERANCE / len(first.functions))
        if ratio is None:
            return None
        found.append(ratio)
    return tuple(found)


def ratio_of(p: Function, q: Function, tolerance: float) -> Supremum | None:
    """The supremum of the ratio of two functions; None where it is not known."""
    if isinstance(p, Lattice) and isinstance(q, Lattice):
        work = functools.partial(lattice_supremum, p, q, tolerance=tolerance)
    elif isinstance(p, Piecewise) and isinstance(q, Piecewise):
        work = functools.partial(supremum, p, q, tolerance=tolerance)
    elif isinstance(p, Smooth) and isinstance(q, Smooth):
        return smooth_supremum(p, q)
    elif isinstance(p, GaussianPoints) and isinstance(q, GaussianPoints):
        return GaussianRatio(p, q, arb(1)).supremum()
    else:
        return None
    # Outputs of different forms have numbers with the same two densities.
    found: Supremum = memo.get((p, q), ("supremum", tolerance), work)
    return found


def _at_points(one: FormLaw, other: FormLaw, most: int | None = None) -> _Found:
    """A lower bound, by densities at some places; infinite where the second one is zero around such a place.

    most: so many places at which D1 has a density are enough.
    """
    best = _Found(-math.inf, math.inf, None, arb(0), arb(0))
    for place in points_to_try(one, other):
        if most is not None and best.place is not None and most <= 0:
            break
        p1 = one.at(place)
        if not p1 > 0:
            continue
        most = None if most is None else most - 1
        p2 = other.at(place)
        if p2.is_zero():
            return _Found(math.inf, math.inf, place, p1, p2, Impossible(Bounds(0.0, 1.0)))
        low = _at_least(p1, p2)
        if low > best.low:
            best = _Found(low, math.inf, place, p1, p2)
    return best
