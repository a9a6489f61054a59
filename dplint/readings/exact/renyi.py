"""The Renyi divergence of two laws, of an order above 1, as an interval that certainly holds it.

It is ln(integral of p**alpha q**(1 - alpha)) / (alpha - 1), a sum over the forms of outputs. Single outputs, pieces of
one exponential (Laplace, exponential, uniform noise), geometric tails, normal and discrete Gaussian numbers are closed
forms; numbers that are independent multiply (Gil, Alajaji and Linder, Information Sciences 249, 2013). Elsewhere
outputs are put together into cells, whose probabilities are certain: no divergence grows by that (van Erven and
Harremoes, IEEE Trans. Information Theory 60(7), 2014, theorem 9), so it is a lower bound, and no upper one is known.
Infinite is what is certainly possible on D1 and impossible on D2, and what has no integral.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass
from itertools import pairwise

from flint import arb, ctx, fmpq

from dplint.outcomes import Bounds
from dplint.readings.exact.alignment import aligned
from dplint.readings.exact.functions import Function, phase_of
from dplint.readings.exact.gaussian_points import GaussianPoints, gaussian_moment
from dplint.readings.exact.lattices import HALF, Lattice
from dplint.readings.exact.laws import FormLaw, density_of_number
from dplint.readings.exact.piecewise import Cell, Part, Piecewise, common_cells, meet, union
from dplint.readings.exact.rounding import above, below
from dplint.readings.exact.smooth import Smooth
from dplint.readings.exact.smooth_suprema import plain_density
from dplint.readings.exact.terms import Rate, rational

Law = Mapping[Hashable, FormLaw]
_CELLS, _WIDTH = 64, fmpq(1, 8)
"""To either side of a centre, and how wide, in scales of the noise."""
_ROUNDING = 1e-12


@dataclass(frozen=True, slots=True)
class _Moment:
    """Holds the integral of p**alpha q**(1 - alpha)."""

    low: arb
    high: arb

    def times(self, other: _Moment) -> _Moment:
        return _Moment(self.low * other.low, self.high * other.high)


_NOTHING, _INFINITE = _Moment(arb(0), arb(0)), _Moment(arb("inf"), arb("inf"))


def _exactly(value: arb) -> _Moment:
    return _Moment(value, value)


def _at_least(value: arb) -> _Moment:
    return _Moment(value, arb("inf"))


def renyi_divergence(laws: tuple[Law, Law], order: float, *, precision: int) -> Bounds:
    """Of D1 from D2. laws, precision: as for `deltas.hockey_stick`. order: above 1. Raises NotFollowed."""
    with ctx.workprec(precision):
        one, other = aligned(*laws)
        alpha = rational(order)
        low, high = arb(0), arb(0)
        for key, form in one.items():
            found = _of_form(form, other.get(key), alpha)
            low, high = low + found.low, high + found.high
        over = arb(alpha) - 1
        least = below(low.log() / over) if low > 0 and low.is_finite() else math.inf if low > 0 else 0.0
        return Bounds(max(0.0, least), above(high.log() / over) if high.is_finite() else math.inf)


def _of_form(one: FormLaw, other: FormLaw | None, alpha: fmpq) -> _Moment:
    if any(term.limits for law in (one, other) if law is not None for term in law.terms) or one.signed:
        return _at_least(arb(0))
    if other is None or other.signed:
        mass = one.probability()
        if other is not None or not (mass.is_zero() or mass > 0):
            return _at_least(arb(0))
        return _NOTHING if mass.is_zero() else _INFINITE if mass > _ROUNDING else _at_least(arb(0))
    if one.size == 0:
        return _of_masses(one.probability(), other.probability(), alpha)
    if len(one.terms) == len(other.terms) == 1:
        (first,), (second,) = one.terms, other.terms
        found = _exactly(first.number ** arb(alpha) * second.number ** arb(1 - alpha))
        for p, q in zip(first.functions, second.functions, strict=True):
            found = found.times(_of_functions(p, q, alpha))
        return found
    if one.size > 1:
        return _at_least(_of_masses(one.probability(), other.probability(), alpha).low)
    whole = density_of_number(one), density_of_number(other)
    if whole[0] is not None and whole[1] is not None:
        return _of_pieces(whole[0], whole[1], alpha)
    return _by_cells(
        _mass_of(one), _mass_of(other), [f for law in (one, other) for t in law.terms for f in t.functions], alpha
    )


def _of_masses(p: arb, q: arb, alpha: fmpq) -> _Moment:
    if p.is_zero():
        return _NOTHING
    if q.is_zero():
        return _INFINITE if p > 0 else _at_least(arb(0))
    if not (p > 0 and q > 0):
        return _at_least(arb(0))
    return _exactly(p ** arb(alpha) * q ** arb(1 - alpha))


def _mass_of(form: FormLaw) -> Callable[[Cell], arb]:
    return lambda cell: sum((term.number * term.functions[0].restricted(*cell).total() for term in form.terms), arb(0))


def _of_functions(p: Function, q: Function, alpha: fmpq) -> _Moment:
    if p is q:
        return _exactly(p.total())
    if isinstance(p, Piecewise) and isinstance(q, Piecewise):
        return _of_pieces(p, q, alpha)
    if isinstance(p, GaussianPoints) and isinstance(q, GaussianPoints):
        found = gaussian_moment(p, q, alpha)
        cut_off = p.total() - p.restricted(*q.cell).total() > _ROUNDING
        return _exactly(found) if found is not None else _INFINITE if cut_off else _at_least(arb(0))
    normal = _of_normals(p, q, alpha)
    if normal is not None:
        return normal
    return _by_cells(lambda cell: p.restricted(*cell).total(), lambda cell: q.restricted(*cell).total(), [p, q], alpha)


def _of_normals(p: Function, q: Function, alpha: fmpq) -> _Moment | None:
    """Gil, Alajaji and Linder 2013, table 2; None where they are no such densities."""
    first = plain_density(p) if isinstance(p, Smooth) else None
    second = plain_density(q) if isinstance(q, Smooth) else None
    if first is None or second is None or first.law.name != "normal" or second.law.name != "normal":
        return None
    a, b = 1 / first.slope**2, 1 / second.slope**2  # variances
    mixed = alpha * b + (1 - alpha) * a
    if mixed <= 0:
        return _INFINITE
    moved = first.offset / first.slope - second.offset / second.slope
    exponent = arb(alpha * (alpha - 1) * moved**2 / (2 * mixed))
    spread = arb(a).sqrt() ** arb(1 - alpha) * arb(b).sqrt() ** arb(alpha) / arb(mixed).sqrt()
    return _exactly(exponent.exp() * spread)


def _of_pieces(p: Piecewise, q: Piecewise, alpha: fmpq) -> _Moment:
    low, high = arb(0), arb(0)
    for cell, first, second in common_cells(p, q):
        if second is None:
            # What rounding of floats may make impossible shows nothing.
            noticed = p.restricted(*cell).total() > _ROUNDING
            found = _INFINITE if noticed else _at_least(arb(0))
        else:
            found = _of_piece(p, q, cell, first, second, alpha)
        low, high = low + found.low, high + found.high
    return _Moment(low, high)


def _of_piece(p: Piecewise, q: Piecewise, cell: Cell, first: Part, second: Part, alpha: fmpq) -> _Moment:
    keys = [*first.terms, *second.terms]
    if len(first.terms) == len(second.terms) == 1 and not any(power for _, power in keys):
        (one, c), (two, d) = (next(iter(part.terms.items())) for part in (first, second))
        if not (c > 0 and d > 0):
            return _at_least(arb(0))
        growth, known = _growth(one[0], two[0], alpha)
        of_cell = _sum if isinstance(p, Lattice) else _integral
        return of_cell(cell, growth, known).times(_exactly(c ** arb(alpha) * d ** arb(1 - alpha)))

    def mass(function: Piecewise) -> Callable[[Cell], arb]:
        return lambda inner: function.restricted(*meet(cell, inner)).total()

    found = _by_cells(mass(p), mass(q), [p, q], alpha, [end for end in cell if end is not None])
    return _at_least(found.low)


def _growth(one: Rate, other: Rate, alpha: fmpq) -> tuple[arb, int | None]:
    """The rate of p**alpha q**(1 - alpha), and its sign if that is known."""
    if one.base == other.base == 1:
        exact = alpha * one.value + (1 - alpha) * other.value
        return arb(exact), int(exact > 0) - int(exact < 0)
    number = arb(alpha) * one.number + arb(1 - alpha) * other.number
    return number, 1 if number > 0 else -1 if number < 0 else None


def _integral(cell: Cell, growth: arb, sign: int | None) -> _Moment:
    low, high = cell
    if sign is None:
        return _at_least(arb(0))
    if (low is None and sign <= 0) or (high is None and sign >= 0):
        return _INFINITE
    if sign == 0:
        assert low is not None
        assert high is not None
        return _exactly(arb(high - low))
    ends = [arb(0) if end is None else (growth * arb(end)).exp() for end in (high, low)]
    return _exactly((ends[0] - ends[1]) / growth)


def _sum(cell: Cell, growth: arb, sign: int | None) -> _Moment:
    low, high = cell
    if sign is None:
        return _at_least(arb(0))
    if (low is None and sign <= 0) or (high is None and sign >= 0):
        return _INFINITE
    if low is not None and high is not None:
        count = int((high - low).p)
        if sign == 0:
            return _exactly(arb(count))
        first = (growth * arb(low + HALF)).exp()
        return _exactly(first * (growth * count).expm1() / growth.expm1())
    if low is not None:
        return _exactly((growth * arb(low + HALF)).exp() / -growth.expm1())
    assert high is not None
    return _exactly((growth * arb(high - HALF)).exp() / -(-growth).expm1())


def _by_cells(
    p: Callable[[Cell], arb],
    q: Callable[[Cell], arb],
    functions: list[Function],
    alpha: fmpq,
    ends: list[fmpq] | None = None,
) -> _Moment:
    """A lower bound by the probabilities of cells."""
    total = arb(0)
    cuts = union(_cuts(functions), ends or [])
    for cell in pairwise([None, *cuts, None]):
        one, other = p(cell), q(cell)
        if not one > 0:
            continue
        if not other.upper() > 0:
            return _INFINITE if other.is_zero() else _at_least(total)
        total += one.lower() ** arb(alpha) * other.upper() ** arb(1 - alpha)
    return _at_least(total)


def _cuts(functions: list[Function]) -> list[fmpq]:
    """Around the centres of all functions; between whole numbers for those on lattices."""
    lattice = next((one for one in functions if isinstance(one, Lattice | GaussianPoints)), None)
    found: list[fmpq] = []
    for function in functions:
        centres = list(function.cuts) if isinstance(function, Piecewise) else function.centres()
        for centre in centres or [fmpq(0)]:
            found += [centre + k * _step(function) for k in range(-_CELLS, _CELLS + 1)]
    if lattice is not None:
        return union([lattice.cut_before(place) for place in found], [])
    return union(found, [])


def _step(function: Function) -> fmpq:
    """How wide cells are."""
    if isinstance(function, GaussianPoints) or phase_of(function) is not None:
        return fmpq(1)
    if isinstance(function, Smooth):
        slopes = [abs(one.slope) for one in function.factors if one.kind == "density"]
        return _WIDTH / max(slopes) if slopes else _WIDTH
    rates = [abs(rate.value) for part in function.parts if part for rate, _ in part.terms if rate.value != 0]
    return _WIDTH / max(rates) if rates else _WIDTH
