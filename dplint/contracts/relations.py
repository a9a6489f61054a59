"""How many steps of one claim's relation lie between neighbours of another's."""

from __future__ import annotations

import math

from dplint.claims import Categories, Claim, Columns, Domain, Interval
from dplint.contracts.values import Data
from dplint.relations import Neighbourhood, relation_of

_NORMS = (Neighbourhood.SUM_OF_MOVES, Neighbourhood.LENGTH_OF_MOVE, Neighbourhood.LARGEST_MOVE)
"""Each is at least as large as those behind it."""


def steps(whole: Claim, part: Claim, data: Data) -> int | None:
    """How many steps of `part` there are at most, on `data`, between neighbours of `whole`; None if that is not known.

    A record that is replaced is removed, and another is added. A part of the records may lose or gain one when a record
    is replaced. A norm that is smaller allows all neighbours of one that is larger.
    """
    ours, theirs = relation_of(whole).definition, relation_of(part).definition
    if ours is None or theirs is None:
        alike = whole.pairs is not None and whole.pairs == part.pairs and not whole.pairs.startswith(":")
        return 1 if alike and not data.mapped and not data.cut else None
    if theirs is Neighbourhood.ANY_TWO:
        return 1
    if theirs is Neighbourhood.ONE_DIRECTION and (ours in _NORMS or ours is theirs):
        one = math.ceil(whole.sensitivity / part.sensitivity)
        return None if data.mapped else one if ours is theirs else 2 * one  # first all that go up, then all others
    if ours is Neighbourhood.ONE_DIRECTION:
        ours = Neighbourhood.LARGEST_MOVE
    if ours in _NORMS and theirs in _NORMS:
        if data.mapped or _NORMS.index(theirs) < _NORMS.index(ours):
            return None
        return math.ceil(whole.sensitivity / part.sensitivity)
    if ours is Neighbourhood.ONE_MORE:
        return 1 if theirs is Neighbourhood.ONE_MORE else None
    if ours is Neighbourhood.ONE_REPLACED:
        if theirs is Neighbourhood.ONE_REPLACED:
            return None if data.cut else 1
        return 2 if theirs is Neighbourhood.ONE_MORE else None
    return None


def domain_fits(part: Claim, data: Data) -> bool:
    """Whether all values of the data lie where the claim of a part speaks of them."""
    if part.domain is None or part.domain == data.domain:
        return True
    match part.domain, data.domain:
        case Interval(low=low, high=high, integer=integer), Interval() as have:
            return low <= have.low and have.high <= high and (have.integer or not integer)
        case Categories(values=values), Categories(values=have_values):
            return all(
                any(one is other or (type(one) is type(other) and one == other) for other in values)
                for one in have_values
            )
    return False


def column(domain: Domain | None, name: str) -> Domain | None:
    """Where the values of a column lie, None if that is not known."""
    return dict(domain.columns).get(name) if isinstance(domain, Columns) else None
