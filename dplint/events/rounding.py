"""Numbers that are equal but for the rounding of floats.

`0.1 + 0.2` and `0.3` are one number to whoever claims something of real numbers. An event that tells them apart would
refute what holds; so where a sample has such numbers, no event is about a single one, and thresholds are beside them.
"""

from __future__ import annotations

import numpy as np

from dplint.events.columns import Floats, Mask
from dplint.events.ordered import Ordered

_ROUNDING = 4e-15
"""Broken numbers that differ by no more than this share of their size, some units in the last place, are the same."""
_NEAR = 1e-13
"""The same of numbers that steps of their own size led to, as a share of the size of nearly all."""
_NEARLY_ALL = 0.9
_OFTEN = 2
"""How often a number comes on average, if it comes again and again."""
_DIGITS = 14
"""Digits of a number that somebody may have written, and that is what it says."""
_ASIDE = 0.3817
"""Where thresholds are between two numbers of so many digits: no number with few digits is there."""


def are_one(numbers: Ordered) -> bool:
    """Whether all of these finite numbers are one, but for rounding; whole numbers are what they are."""
    if not len(numbers):
        return False
    low, high = numbers.numbers[[0, -1]].tolist()
    return high - low <= _ROUNDING * max(-low, high) and not bool((numbers.distinct == np.rint(numbers.distinct)).all())


def some_are_one(numbers: Ordered) -> bool:
    """Whether some of these finite numbers are different, but only by rounding, as a sample shows it.

    Noise from a continuous law is not: of some thousand draws no two are so near.
    """
    return bool(_near(numbers.distinct).any())


def may_be_one(numbers: Ordered) -> bool:
    """The same, or numbers that were computed: they come again and again, with all the digits that a float has, and may
    come with others from other data.
    """
    broken = numbers.distinct != np.rint(numbers.distinct)
    few = 0 < _OFTEN * int(np.count_nonzero(broken)) <= int(numbers.counts[broken].sum())
    computed = few and any(float(f"{one:.{_DIGITS}g}") != one for one in numbers.distinct[broken].tolist())
    return computed or some_are_one(numbers)


def one_of_each(numbers: Ordered) -> Floats:
    """The least of all finite numbers that are one but for rounding, ascending."""
    ordered = numbers.finite.distinct
    return ordered[np.concatenate([[True], ~_near(ordered)])] if len(ordered) else ordered


def aside(digits: int) -> float:
    """What takes a threshold of so many digits to where no number that comes often is."""
    return _ASIDE * 10.0 ** min(-digits, 300)


def between(ordered: Floats) -> tuple[float, ...]:
    """Thresholds between numbers in ascending order, where no number of the same steps is."""
    return tuple((ordered[:-1] + _ASIDE * np.diff(ordered)).tolist())


def _near(ordered: Floats) -> Mask:
    """Which finite numbers, in ascending order, are the one before but for rounding, shape (n - 1,)."""
    if len(ordered) < 2:
        return np.zeros(0, np.bool_)
    with np.errstate(over="ignore"):
        steps = np.diff(ordered)
        if steps.min() > _NEAR * max(-ordered[0], ordered[-1]):
            return np.zeros(len(steps), np.bool_)
        apart = steps > _NEAR * Ordered.of(np.abs(ordered)).quantiles([_NEARLY_ALL])[0]
    whole = ordered == np.rint(ordered)
    return np.asarray(~apart & ~(whole[1:] & whole[:-1]))
