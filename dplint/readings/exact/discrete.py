"""The laws of whole numbers that are not followed value by value, for there are very many or infinitely many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from flint import arb, ctx, fmpq

from dplint.readings.exact.lattices import HALF, Lattice
from dplint.readings.exact.piecewise import Part
from dplint.readings.exact.terms import CONSTANT, ZERO, rate


def even_law(low: int, last: int) -> Lattice:
    """All whole numbers from `low` to `last` alike."""
    return _even(low, last, ctx.prec)


@lru_cache(1024)
def _even(low: int, last: int, _precision: int) -> Lattice:
    part = Part({(CONSTANT, 0): arb(fmpq(1, last - low + 1))})
    return Lattice([fmpq(low) - HALF, fmpq(last) + HALF], [None, part, None])


def _geometric_law(p: fmpq) -> Lattice:
    """The probability of k >= 1 is p (1 - p)**(k - 1)."""
    return _geometric(int(p.p), int(p.q), ctx.prec)


@lru_cache(1024)
def _geometric(numerator: int, denominator: int, _precision: int) -> Lattice:
    p = fmpq(numerator, denominator)
    if p == 1:
        return even_law(1, 1)
    return Lattice([HALF], [None, Part({(rate(ZERO, 1 - p), 0): arb(p / (1 - p))})])


def _discrete_laplace_law(a: fmpq) -> Lattice:
    """The probability of k is tanh(a / 2) e**(-a |k|)."""
    return _discrete_laplace(int(a.p), int(a.q), ctx.prec)


@lru_cache(1024)
def _discrete_laplace(numerator: int, denominator: int, _precision: int) -> Lattice:
    decay = fmpq(numerator, denominator)
    factor = arb(decay / 2).tanh()
    return Lattice([-HALF], [Part({(rate(decay), 0): factor}), Part({(rate(-decay), 0): factor})])


DISCRETE_LAWS: Mapping[str, Callable[[fmpq], Lattice]] = {
    "geometric": _geometric_law,
    "discrete_laplace": _discrete_laplace_law,
}
"""By the names of `dplint.distributions`; of their one parameter."""


def forget_discrete_laws() -> None:
    """Let go of all laws: their rates may be forgotten."""
    for law in (_even, _geometric, _discrete_laplace):
        law.cache_clear()
