"""All ways in which an operation can come out on one path: Python runs it, and an oracle decides its comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from dplint.readings.exact.affine import Affine, NotFollowed, oracles
from dplint.readings.exact.weights import Weight

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
