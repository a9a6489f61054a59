"""The supremum of the ratio of two densities of one law, by its closed form: normal, logistic, Gumbel, Cauchy noise.

With a = 1 / scale, and x the output:

- normal: the logarithm is a parabola, which is open upwards, or a line, unless the first scale is the smaller one; then
  its vertex is the largest value.
- logistic, equal scales: log f has the derivative -tanh(z / 2), between -1 and 1, so that the logarithm grows to
  a |m1 - m2| in a tail (m the centres).
- Gumbel, equal scales: a (m1 - m2) + e**(-a x) (e**(a m2) - e**(a m1)), monotone in x.
- Cauchy: a ratio N / D of two quadratic polynomials. Its largest value is the larger k for which N - k D has a double
  root, a root of the quadratic equation that this is for k.
"""

from __future__ import annotations

import math
from fractions import Fraction

from flint import arb, fmpq

from dplint.readings.exact.rounding import above, below
from dplint.readings.exact.smooth import Smooth
from dplint.readings.exact.smooth_ratios import plain_density
from dplint.readings.exact.suprema import Supremum
from dplint.readings.exact.terms import ZERO, rational

_FAR, _FAR_OF_NORMAL = 64, 32
"""Scales from a centre: a place in a tail, at which densities are still numbers that floats have."""


def smooth_supremum(one: Smooth, other: Smooth) -> Supremum | None:
    """Of log p1/p2 over all places; None where no closed form is known. Both are densities, and nothing else."""
    p, q = plain_density(one), plain_density(other)
    if p is None or q is None or p.law is not q.law or (p.slope > 0) != (q.slope > 0):
        return None
    sign = 1 if p.slope > 0 else -1
    a, b = abs(p.slope), abs(q.slope)
    m, n = -p.offset / a, -q.offset / b
    if (a, m) == (b, n):
        return Supremum(0.0, 0.0, sign * m)
    found = {"normal": _normal, "logistic": _logistic, "gumbel": _gumbel, "cauchy": _cauchy}[p.law.name](a, m, b, n)
    if found is None:
        return None
    value, place = found
    if not value.is_finite():
        return Supremum(math.inf, math.inf, sign * place)
    return Supremum(below(value), above(value), sign * place)


def _normal(a: fmpq, m: fmpq, b: fmpq, n: fmpq) -> tuple[arb, fmpq]:
    if a < b or a == b:
        away = -1 if m < n else 1
        return arb("inf"), m + away * _FAR_OF_NORMAL / a
    first, second = a * a / 2, b * b / 2
    most = arb(a / b).log() + arb(first * second * (m - n) ** 2 / (first - second))
    return most, (first * m - second * n) / (first - second)


def _logistic(a: fmpq, m: fmpq, b: fmpq, n: fmpq) -> tuple[arb, fmpq] | None:
    away = -1 if m < n else 1
    if a < b:
        return arb("inf"), m + away * _FAR / a
    return (arb(a * abs(m - n)), m + away * _FAR / a) if a == b else None


def _gumbel(a: fmpq, m: fmpq, b: fmpq, n: fmpq) -> tuple[arb, fmpq] | None:
    if a < b:
        return arb("inf"), m + _FAR / a
    if a > b:
        return None
    return (arb(a * (m - n)), m + _FAR / a) if m > n else (arb("inf"), m - 4 / a)


def _cauchy(a: fmpq, m: fmpq, b: fmpq, n: fmpq) -> tuple[arb, fmpq]:
    n2, n1, n0 = b * b, -2 * b * b * n, 1 + b * b * n * n
    d2, d1, d0 = a * a, -2 * a * a * m, 1 + a * a * m * m
    second, first, rest = d1 * d1 - 4 * d2 * d0, 4 * (n2 * d0 + n0 * d2) - 2 * n1 * d1, n1 * n1 - 4 * n2 * n0
    # Both outer coefficients are negative, the middle one is positive: two positive roots, or one double root.
    root = arb(max(first * first - 4 * second * rest, ZERO)).sqrt()
    most = (arb(first) + root) / arb(-2 * second)
    slope = 2 * (arb(n2) - most * arb(d2))
    place = m + _FAR / a if slope.contains(0) else _near(-(arb(n1) - most * arb(d1)) / slope)
    return (most * arb(a / b)).log(), place


def _near(ball: arb) -> fmpq:
    return rational(Fraction(float(ball.mid())))
