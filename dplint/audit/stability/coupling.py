"""Claims of stability about functions that draw: by the chance that an output lies near another one.

Such a function is stable if the outputs of neighbours can be drawn together so that they are never further apart than
`d_out`. For any output a and radius r that implies

    P(f(D1) is within r of a)  <=  P(f(D2) is within r + d_out of a),

by the triangle inequality; Strassen (Annals of Mathematical Statistics 36, 1965) has the converse, for all sets in
place of balls. What is missing on the right is a probability that the two are too far apart, however they are drawn.
Pair, a and r are chosen on some runs, and tested once, on others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from statistics import median
from typing import Any

from dplint.audit.distances import Distance, NotMeasured, distance, outputs_of, shown
from dplint.audit.pair_search import Compared, PairSearch
from dplint.audit.session import AuditSession
from dplint.claims import Metric, Pair
from dplint.outcomes import StopReason, Unstable
from dplint.statistics.intervals import lower_bound, upper_bound

_PAIRS, _CENTRES = 16, 6
"""The furthest pairs that are looked at, and the most frequent outputs of each side."""
_SCREENED, _TESTED = 60, 400
"""Runs of each side."""
_DRAWS = 1 << 28


@dataclass(frozen=True)
class _Ball:
    """What is near one output of a side. side: 0 or 1. gain: how much likelier it was there than around it."""

    compared: Compared
    side: int
    centre: Any
    radius: float
    gain: float

    def outside(self, metric: Metric, output: Any, allowed: float) -> bool:
        """Whether an output is further from the centre than the radius and what is allowed. Raises NotMeasured."""
        return distance(metric, self.centre, output).exceeds(self.radius + allowed)


@dataclass
class FurthestBySize(PairSearch):
    """A search that goes on, and keeps the pair of each size that was furthest apart in a run.

    Its choices allow any distance. allowed: what the claim allows with each of them.
    """

    allowed: Sequence[float] = ()
    by_size: dict[tuple[int, int], Compared] = field(default_factory=dict)

    def measured(self, pair: Pair, number: int, outputs: tuple[Any, Any]) -> Distance:
        """As before."""
        found, size = super().measured(pair, number, outputs), (number, pair.size)
        if size not in self.by_size or found.value > self.by_size[size].distance.value:
            self.by_size[size] = Compared(pair, self.choices[number][0], outputs, found, self.allowed[number])
        return found


def refuted_by_chance(session: AuditSession, search: FurthestBySize) -> Unstable | None:
    """The pair that refutes the claim at the level of the audit, if one does. Raises what a session raises."""
    pairs = sorted(search.by_size.values(), key=lambda one: -one.distance.value)[:_PAIRS]
    try:
        balls = [ball for number, one in enumerate(pairs) for ball in _balls(session, search, one, number)]
        best = max(balls, key=lambda ball: ball.gain, default=None)
        return None if best is None else _tested(session, search, best)
    except NotMeasured:
        return None


def _drawn(session: AuditSession, compared: Compared, runs: int, number: int) -> tuple[list[Any], ...]:
    data = [session.data_value(compared.pair, side) for side in (1, 2)]
    batches = session.calls(data, compared.choice.values, runs, (_DRAWS, number))
    return tuple(list(outputs_of(batch)) for batch in batches)


def _balls(session: AuditSession, search: PairSearch, compared: Compared, number: int) -> Iterator[_Ball]:
    """Around the most frequent outputs of each side: that output alone, and half of what there is."""
    metric, sides = search.stability.metric, _drawn(session, compared, _SCREENED, number)
    for side, (own, other) in enumerate((sides, sides[::-1])):
        firsts = {repr(one): one for one in own}
        for text, _ in Counter(map(repr, own)).most_common(_CENTRES):
            near = [distance(metric, firsts[text], one).value for one in own]
            for radius in sorted({0.0, median(near)}):
                ball = _Ball(compared, side, firsts[text], radius, 0.0)
                around = sum(not ball.outside(metric, one, compared.allowed) for one in other)
                gain = sum(one <= radius for one in near) - around
                if gain > 0:
                    yield replace(ball, gain=gain)


def _tested(session: AuditSession, search: PairSearch, ball: _Ball) -> Unstable | None:
    metric, allowed, level = search.stability.metric, ball.compared.allowed, session.settings.alpha / 2
    sides = _drawn(session, ball.compared, _TESTED, _PAIRS)
    own, other = sides[ball.side], sides[1 - ball.side]
    outside = [one for one in other if ball.outside(metric, one, allowed)]
    inside = sum(not distance(metric, ball.centre, one).exceeds(ball.radius) for one in own)
    least = lower_bound(inside, len(own), level) - upper_bound(len(other) - len(outside), len(other), level)
    if least <= 0:
        return None
    nearest = min(outside, key=lambda one: distance(metric, ball.centre, one).value)
    return _told(search, ball, (ball.centre, nearest)[:: 1 - 2 * ball.side], least, session.settings.alpha)


def _told(search: PairSearch, ball: _Ball, outputs: Sequence[Any], least: float, alpha: float) -> Unstable:
    one, two = outputs
    compared = replace(ball.compared, outputs=(one, two), distance=distance(search.stability.metric, one, two))
    effort = replace(search.effort(StopReason.VIOLATION), alpha=alpha)
    pair = compared.shown_with(shown(one), shown(two))
    return Unstable(pair=pair, stability=search.stability, d_out=compared.allowed, effort=effort, probability=least)
