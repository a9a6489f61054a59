"""Where to look at densities of several numbers: between the cuts of both laws, and beyond them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from flint import fmpq

from dplint.readings.exact.functions import phase_of
from dplint.readings.exact.laws import FormLaw, Term
from dplint.readings.exact.piecewise import Piecewise
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
