"""More noise, or less: a scale times a number, a parameter, or the length of the data; one draw's, or that of all."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

from dplint.amounts import readable
from dplint.claims import is_number
from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.products import Product, factor, product_of
from dplint.repairs.subject import DrawCall, Subject

_MORE = (1, 1.01, 1.02, 1.05, 1.1, 1.2, 1.4)
_SIMPLE = 12
"""Denominators of fractions that people write."""


def factors(subject: Subject) -> Iterator[tuple[Product, bool]]:
    """What a scale may be multiplied by, the likeliest first, and whether it is far-fetched."""
    excess = subject.excess
    if excess == math.inf:
        return  # no scale makes finite what is lost
    if excess < 1:  # with a delta, noise is not in proportion
        yield from ((factor(_rounded(excess * more)), False) for more in _MORE if excess * more < 1)
        return
    # What is lost as many times as a parameter says is mended for all its values at once.
    named = [name for name in subject.counts if _equal(subject.arguments.get(name), excess)]
    yield from ((factor(1, (name,)), False) for name in named)
    if excess - 1 > 1e-6:
        yield factor(_rounded(excess)), False
    # A scale times so much makes no loss smaller by more than that.
    first = math.floor(excess) + 1
    yield factor(first), False
    for name in subject.counts:
        if name not in named:
            yield factor(1, (name,)), False
        yield factor(2, (name,)), False
    if subject.mechanism.claim.sensitivity != 1:
        yield factor(Fraction(str(subject.mechanism.claim.sensitivity))), False
    yield from ((factor(first + more), True) for more in (1, 2, 3))
    for name in (f"len({subject.mechanism.data})",) if subject.mechanism.data else ():
        yield from ((factor(number, (name,)), True) for number in (Fraction(1, 2), 1, 2))


def _equal(value: object, excess: float) -> bool:
    return is_number(value) and value > 1 and math.isclose(value, excess, rel_tol=1e-3)


def _rounded(excess: float) -> Fraction:
    """A number that people write, not less: a simple fraction, else three digits."""
    simple = readable(excess)
    if simple.denominator <= _SIMPLE:
        return simple
    digits = 10 ** (2 - math.floor(math.log10(excess)))
    return Fraction(math.ceil(Fraction(excess) * digits), digits) if digits >= 1 else Fraction(math.ceil(excess))


def scaled(subject: Subject, draws: tuple[DrawCall, ...], by: Product, *, far: bool) -> Candidate | None:
    """The scales of these draws times a factor; None if one of them has none."""
    nodes = [one.scale for one in draws if one.scale is not None]
    if not nodes or len(nodes) < len(draws):
        return None
    edits = [subject.replaced(one, str(product_of(one, subject.segment).times(by))) for one in nodes]
    what = "the scale" if len(nodes) == 1 else "all scales"
    place = ",".join(str(one.node.lineno) for one in draws)
    return Candidate(f"Multiply {what} by {by}", tuple(edits), place, combines=False, far=far)


def _candidates(subject: Subject) -> Iterator[Candidate]:
    whole = [subject.draws] if len(subject.draws) > 1 else []
    for by, far in factors(subject):
        for draws in (*((one,) for one in subject.draws), *whole) if subject.excess >= 1 else (subject.draws,):
            found = scaled(subject, draws, by, far=far)
            if found is not None:
                yield found


KIND = Kind(
    "scale",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon="epsilon", neighbors="l1")
def total(rng, value: float, epsilon):
    return value + rng.laplace(scale=0.5 / epsilon)  # half of what it takes
""",
        after="""from dplint import dp

@dp(epsilon="epsilon", neighbors="l1")
def total(rng, value: float, epsilon):
    return value + rng.laplace(scale=1 / epsilon)  # half of what it takes
""",
    ),
    order=20,
    second=True,
)
