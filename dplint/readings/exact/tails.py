"""What sums of exponential polynomials do far out: limits of their ratio, and from where on one is positive."""

from __future__ import annotations

import functools

from flint import arb, fmpq

from dplint.readings.exact.terms import Rate, Terms


def _leading(terms: Terms, sign: int) -> tuple[Rate, int]:
    """The term that outweighs all others in a tail: sign 1 on the left, -1 on the right."""
    return max(terms, key=functools.cmp_to_key(functools.partial(_compare, sign)))


def _compare(sign: int, one: tuple[Rate, int], other: tuple[Rate, int]) -> int:
    """Positive if the first outweighs the second, negative if the second does, 0 if they go together."""
    if one[0] is other[0]:
        return one[1] - other[1]
    return -sign * (one[0] - other[0]).sign


def limit_in_tail(one: Terms, other: Terms, sign: int) -> arb | None:
    """Of the ratio: infinity where it grows without limit, None where a leading coefficient is not known to be
    positive.
    """
    first, second = _leading(one, sign), _leading(other, sign)
    a, b = one[first], other[second]
    if first[1] % 2 and sign > 0:
        a = -a
    if second[1] % 2 and sign > 0:
        b = -b
    if not (a > 0 and b > 0):
        return None
    order = _compare(sign, first, second)
    return a / b if order == 0 else arb("inf") if order > 0 else arb(0)


def positive_beyond(terms: Terms, place: fmpq, sign: int) -> bool:
    """Whether a sum is positive from a place on outwards, by its leading term.

    With x the distance from 0, c x**m e**(-r x) is the leading term. Any other one with a negative coefficient, as a
    part of it, is |d/c| x**k e**(-s x); where k <= s x, or k <= 0, it becomes less from x on.
    """
    x = -sign * place
    if not x > 0 and any(power for _, power in terms):
        return False
    lead, power0 = _leading(terms, sign)
    total = terms[lead, power0]
    total = -total if power0 % 2 and sign > 0 else total
    for (one, power), coefficient in terms.items():
        k = power - power0
        if one is lead and k == 0:
            continue
        signed = -coefficient if power % 2 and sign > 0 else coefficient
        if signed >= 0:
            continue
        s = arb(0) if one is lead else (one - lead).number * sign
        if k > 0 and not k <= s * x:
            return False
        total -= abs(signed).upper() * (arb(x) ** k) * (-s * arb(x)).exp()
    return bool(total > 0)
