"""Proposes numbers for claims with a delta: how far normal noise may move, and what its shifts cost, in floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction

import z3

_TIGHT = 1e-9
_STEPS = 200
_NAMED = {"epsilon": 0.5, "delta": 0.05}
"""Arguments at which a term is worked out; what hangs on others is no number, which the checker notices."""


def most_moved(epsilon: float, delta: float) -> Fraction | None:
    """The most sigmas by which noise may move (Balle and Wang, ICML 2018, theorem 8), or a little less."""
    low, high = 0.0, 1.0
    while _delta(high, epsilon) <= delta and high < 1e6:
        high *= 2
    for _ in range(_STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if middle and _delta(middle, epsilon) <= delta else (low, middle)
    return Fraction(low * (1 - _TIGHT)) if low > 0 else None


def _delta(moved: float, epsilon: float) -> float:
    far, half = epsilon / moved, moved / 2
    below = [math.erfc(one / math.sqrt(2)) / 2 for one in (far - half, far + half)]
    try:
        return below[0] - math.exp(epsilon) * below[1]
    except OverflowError:
        return below[0]


def shares(cost: z3.ArithRef) -> Iterator[Fraction]:
    """Numbers that a cost may not exceed: a fraction of small numbers that is near, or a little more."""
    try:
        number = _worked_out(cost)
    except (ValueError, ArithmeticError, KeyError):
        return
    near = Fraction(number).limit_denominator(10_000)
    if near > 0 and abs(float(near) / number - 1) < _TIGHT:
        yield near
    if number > 0:
        yield Fraction(number * (1 + _TIGHT))


def _worked_out(value: z3.ExprRef) -> float:
    if z3.is_rational_value(value) or z3.is_int_value(value):
        return float(value.as_fraction()) if z3.is_rational_value(value) else float(value.as_long())
    name = value.decl().name()
    if z3.is_const(value):
        return _NAMED.get(name.removeprefix("a:"), 1.0)
    parts = [_worked_out(part) for part in value.children()]
    if z3.is_add(value):
        return math.fsum(parts)
    if z3.is_mul(value):
        return math.prod(parts)
    if z3.is_sub(value):
        return parts[0] - math.fsum(parts[1:])
    if z3.is_div(value):
        return parts[0] / parts[1]
    if z3.is_to_real(value):
        return parts[0]
    known: Mapping[str, Callable[..., float]] = {
        "log": math.log,
        "sqrt": math.sqrt,
        "exp": math.exp,
        "-": lambda one: -one,
    }
    return known[name.partition("/")[0]](*parts)
