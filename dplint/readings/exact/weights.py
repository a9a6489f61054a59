"""The weight of a path: how likely it is that the draws take it, kept as factors, comparisons and a number.

The weight is number * the integral, over all draws, of the product of their functions, where the comparisons hold. A
draw that no later step mentions is integrated out as soon as that is possible in closed form: first those that no
comparison ties to another draw, then those that are tied to one alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence, Set
from typing import TypeAlias

from flint import arb, fmpq

from dplint.readings.exact.affine import Affine, Coefficients, NotFollowed
from dplint.readings.exact.functions import Function, integral_of, integrated, product_of, restricted_first, vanishes
from dplint.readings.exact.piecewise import exact_key
from dplint.readings.exact.terms import ZERO


class Direction:
    """Draws in order with coefficients, the first of which is 1; two or more. One object for each, see `direction`.

    So identity is equality: hashing rationals would take most of the time otherwise.
    """

    __slots__ = ("draws", "pairs")

    def __init__(self, pairs: tuple[tuple[int, fmpq], ...]) -> None:
        self.pairs = pairs
        self.draws = frozenset(draw for draw, _ in pairs)

    def __iter__(self) -> Iterator[tuple[int, fmpq]]:
        return iter(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __repr__(self) -> str:
        return f"<direction {self.pairs}>"


_directions: dict[tuple[tuple[int, int, int], ...], Direction] = {}


def direction(pairs: Iterable[tuple[int, fmpq]]) -> Direction:
    """The one object for this direction."""
    found = tuple(pairs)
    key = tuple([(draw, int(a.p), int(a.q)) for draw, a in found])
    known = _directions.get(key)
    if known is None:
        known = _directions[key] = Direction(found)
    return known


def forget_directions() -> None:
    """Let go of all directions; weights that were made before must not be used any more."""
    _directions.clear()


Limits: TypeAlias = tuple[fmpq | None, fmpq | None]


class Weight:
    """functions: those of each draw, to be multiplied. limits: what a sum of draws lies between. number: a ball."""

    __slots__ = ("functions", "limits", "number")

    def __init__(
        self,
        functions: Mapping[int, tuple[Function, ...]] | None = None,
        limits: Mapping[Direction, Limits] | None = None,
        number: arb | None = None,
    ) -> None:
        self.functions = dict(functions or {})
        self.limits = dict(limits or {})
        self.number = arb(1) if number is None else number

    def copy(self) -> Weight:
        """One that may be changed."""
        return Weight(self.functions, self.limits, self.number)

    def function(self, draw: int) -> Function:
        """The product of the functions of a draw."""
        return product_of(self.functions[draw])

    def assume(self, difference: Affine) -> Weight | None:
        """The part where a noisy value is at least 0; None where that is certainly impossible, or has probability 0.

        What is left may still be impossible, by several comparisons together: then its weight comes out as 0, or as a
        ball around 0, of which nothing is concluded.
        """
        return (self if len(difference.coefficients) == 1 else self.copy()).narrowed(difference)

    def sides(self, difference: Affine) -> tuple[Weight | None, Weight | None]:
        """What `assume` gives for a noisy value, and for its negative."""
        if len(difference.coefficients) > 1:
            return self.assume(difference), self.assume(-difference)
        draw, a, place = _place_of(difference)
        above, below = self.restricted(draw, place, None), self.restricted(draw, None, place)
        return (above, below) if a > 0 else (below, above)

    def narrowed(self, difference: Affine) -> Weight | None:
        """What `assume` gives, of a weight that is not used any more."""
        if len(difference.coefficients) == 1:
            draw, a, place = _place_of(difference)
            return self.restricted(draw, place, None) if a > 0 else self.restricted(draw, None, place)
        return self if self.limit(difference.coefficients, difference.constant) else None

    def restricted(self, draw: int, low: fmpq | None, high: fmpq | None) -> Weight | None:
        """The part where a draw lies between these; None where that has probability 0."""
        functions = restricted_first(self.functions[draw], low, high)
        if vanishes(functions):
            return None
        found = self.copy()
        found.functions[draw] = functions
        return found

    def limit(self, coefficients: Coefficients, constant: fmpq) -> bool:
        """Assume that a sum of two draws or more is at least 0, in place; False if that is impossible.

        Raises NotFollowed for whole numbers compared with noise that has a density.
        """
        if len({draw < 0 for draw in coefficients}) > 1:
            raise NotFollowed("whole numbers drawn at random compared with noise that has a density")
        where, first = _direction_of(coefficients)
        low, high = self.limits.get(where, (None, None))
        bound = -constant / first
        if first > 0:
            low = bound if low is None else max(low, bound)
        else:
            high = bound if high is None else min(high, bound)
        if low is not None and high is not None and low >= high:
            return False
        self.limits[where] = (low, high)
        return True

    def tied(self, draw: int) -> list[Direction]:
        """The comparisons of a draw with others."""
        return [one for one in self.limits if draw in one.draws]

    def settle(self, live: Set[int]) -> bool:
        """Integrate out what is not live, as far as it is tied to one other draw at most; False if the weight is 0."""
        while True:
            found = self._next(live)
            if found is None:
                return True
            draw, other, ties = found
            if other is None:
                self.number = self.number * integral_of(self.functions.pop(draw))
            elif not self._eliminate(draw, other, ties):
                return False

    def _next(self, live: Set[int]) -> tuple[int, int | None, list[Direction]] | None:
        """The draw to integrate out next, the one that it is compared with, if any, and the comparisons.

        Those with the fewest functions are first, so that integrals are plain CDFs.
        """
        hidden = [(len(functions), draw) for draw, functions in self.functions.items() if draw not in live]
        for _, draw in sorted(hidden):
            ties = self.tied(draw)
            others = _others(draw, ties)
            if not others:
                return draw, None, ties
            if len(others) == 1:
                (other,) = others
                bare = len(self.functions[other]) == 1 and _others(other, self.tied(other)) == {draw}
                if other in live or len(self.functions[draw]) == 1 or not bare:
                    return draw, other, ties
        return None

    def _eliminate(self, draw: int, other: int, ties: Sequence[Direction]) -> bool:
        lowers: list[tuple[fmpq, fmpq]] = []
        uppers: list[tuple[fmpq, fmpq]] = []
        for one in ties:
            low, high = self.limits.pop(one)
            coefficients = dict(one)
            a, b = coefficients[draw], coefficients[other]
            for bound, is_low in ((low, a > 0), (high, a < 0)):
                if bound is not None:
                    (lowers if is_low else uppers).append((-b / a, bound / a))
        found = integrated(self.functions.pop(draw), lowers, uppers)
        self.functions[other] = (*self.functions[other], found)
        return not vanishes(self.functions[other])

    def absorb(self) -> bool:
        """Comparisons of one draw alone restrict its functions; False if the weight is 0."""
        for one, (low, high) in list(self.limits.items()):
            if len(one) == 1:
                del self.limits[one]
                ((draw, _),) = one
                self.functions[draw] = restricted_first(self.functions[draw], low, high)
                if vanishes(self.functions[draw]):
                    return False
        return True

    def replace(self, draw: int, coefficients: Coefficients, constant: fmpq = ZERO) -> bool:
        """Put a sum of other draws in the place of a draw in all comparisons; False if one of them cannot hold."""
        for one in self.tied(draw):
            low, high = self.limits.pop(one)
            total = dict(one)
            factor = total.pop(draw)
            for other, a in coefficients.items():
                total[other] = total.get(other, ZERO) + factor * a
            total = {other: a for other, a in total.items() if a != 0}
            moved = factor * constant
            for bound, sign in ((low, 1), (high, -1)):
                if bound is None:
                    continue
                if not total:
                    if sign * (moved - bound) < 0:
                        return False
                elif not self.limit({other: sign * a for other, a in total.items()}, sign * (moved - bound)):
                    return False
        return True


def _place_of(difference: Affine) -> tuple[int, fmpq, fmpq]:
    """Of a value with one draw: the draw, its coefficient, and where the value is 0."""
    ((draw, a),) = difference.coefficients.items()
    return draw, a, -difference.constant / a


def _others(draw: int, ties: Iterable[Direction]) -> set[int]:
    """The draws that a draw is compared with."""
    return {other for tie in ties for other in tie.draws if other != draw}


def _direction_of(coefficients: Coefficients) -> tuple[Direction, fmpq]:
    """The direction of a sum of draws, and the factor that was taken out of it."""
    draws = sorted(coefficients)
    first = coefficients[draws[0]]
    return direction((draw, coefficients[draw] / first) for draw in draws), first


def rows_key(limits: Mapping[Direction, Limits]) -> Hashable:
    """Comparisons as a key."""
    return frozenset([(one, exact_key(low), exact_key(high)) for one, (low, high) in limits.items()])
