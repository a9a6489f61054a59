"""The weight of a path: how likely it is that the draws take it, kept as factors, comparisons and a number.

The weight is number * the integral, over all draws, of the product of their functions, where the comparisons hold. A
draw that no later step mentions is integrated out as soon as that is possible in closed form: first those that no
comparison ties to another draw, then those that are tied to one alone.

All ways in which an operation can come out on one path: Python runs it, and an oracle decides its comparisons.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from flint import arb, fmpq

from dplint.readings.exact.affine import Affine, Coefficients, NotFollowed, oracles
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


_MOST_WAYS = 5_000


@dataclass
class _Script:
    """Decides by a list of decisions, and with True after its end; comparisons with one possible outcome need none.

    open: the places of the decisions that it made itself. known: what other scripts found, for they ask the same as
    long as they have decided alike. asked: how many comparisons there were, those without a decision among them.
    """

    weight: Weight
    decisions: list[bool]
    known: dict[tuple[int, tuple[bool, ...]], tuple[Weight | None, Weight | None]]
    at: int = 0
    asked: int = 0
    open: list[int] = field(default_factory=list)

    def decide(self, difference: Affine) -> bool:
        """Whether it is at least 0."""
        key = (self.asked, tuple(self.decisions[: self.at]))
        self.asked += 1
        if key not in self.known:
            self.known[key] = self.weight.sides(difference)
        yes, no = self.known[key]
        if yes is None or no is None:
            # Both are impossible where the path itself is, which nobody has noticed yet.
            self.weight = self.weight if yes is no else no if yes is None else yes  # type: ignore[assignment]
            return yes is not None
        if self.at >= len(self.decisions):
            self.open.append(self.at)
            self.decisions = [*self.decisions, True]
        taken = self.decisions[self.at]
        self.at += 1
        self.weight = yes if taken else no
        return taken


def all_ways(weight: Weight, operation: Callable[[], Any]) -> tuple[list[tuple[Weight, Any]], bool]:
    """The weights and results of all ways in which it can come out, and whether noise was compared.

    Passes on what the operation raises.
    """
    todo: list[list[bool]] = [[]]
    found: list[tuple[Weight, Any]] = []
    known: dict[tuple[int, tuple[bool, ...]], tuple[Weight | None, Weight | None]] = {}
    while todo:
        script = _Script(weight, todo.pop(), known)
        oracles.append(script)
        try:
            result = operation()
        finally:
            oracles.pop()
        todo.extend([*script.decisions[:index], False] for index in script.open)
        found.append((script.weight, result))
        if not script.asked:
            return found, False
        if len(found) > _MOST_WAYS:
            raise NotFollowed(f"an operation on noise that can come out in more than {_MOST_WAYS:,} ways")
    return found, True


def extremes(weight: Weight, items: Sequence[Any], sign: int, *, index: bool) -> list[tuple[Weight, Any]]:
    """The ways in which each item can be the largest (sign 1) or the smallest (-1), or the first of several."""
    found: list[tuple[Weight, Any]] = []
    for i, one in enumerate(items):
        left: Weight | None = weight.copy()
        for j, other in enumerate(items):
            if left is None or i == j:
                continue
            difference = _difference(one, other)
            if sign < 0:
                difference = -difference
            if isinstance(difference, Affine):
                left = left.narrowed(difference.without_ties(strict=j < i))
            elif not (difference > 0 or (difference == 0 and i < j)):
                left = None
        if left is not None:
            found.append((left, i if index else one))
    if not found:
        raise NotFollowed("the largest or smallest of noisy values and NaN")
    return found


def _difference(one: Any, other: Any) -> Any:
    """Of two numbers; 1.0 or -1.0 for noise and infinity, whose difference is no noisy value."""
    if isinstance(one, Affine) != isinstance(other, Affine):
        number, sign = (other, -1.0) if isinstance(one, Affine) else (one, 1.0)
        if math.isinf(number):
            return math.copysign(sign, sign * number)
    elif not isinstance(one, Affine) and one == other:
        return 0.0
    return one - other
