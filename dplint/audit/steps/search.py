"""The search for the neighbours that a step of training moves furthest apart, in units of its noise."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from scipy.special import ndtri

from dplint.audit.inputs import Choice
from dplint.audit.stability.distances import Distance, NotMeasured
from dplint.audit.stability.search import PairSearch
from dplint.audit.steps.accountant import FINE, ROUGH, Composition, NormalPair
from dplint.audit.steps.apart import apart
from dplint.audit.steps.noise import NotRead, Reading
from dplint.claims import Pair
from dplint.relations import Neighbourhood, relation_of
from dplint.runner.batch import DataValue

_STREAM = 1 << 28
_WORTH = 1e-3
_CLOSE = 0.9
Point = tuple[float, float]
"""An epsilon and a delta that follow from the claim."""


@dataclass(frozen=True, slots=True)
class StepDistance(Distance):
    """laws: of what is released with the sample, and without it. refuted: whether they are known to refute the claim."""

    laws: NormalPair = field(default_factory=lambda: NormalPair(0.0))
    refuted: bool = False

    def exceeds(self, allowed: float) -> bool:
        """Whether the claim is refuted."""
        return self.refuted or Distance.exceeds(self, allowed)


@dataclass
class StepSearch(PairSearch):
    """points: of the claim, for each choice. composition: of the steps. fresh: the number of the streams of its runs."""

    composition: Composition = field(default_factory=lambda: Composition(1.0, 1))
    points: Sequence[Sequence[Point]] = ()
    fresh: int = 0
    _readings: dict[int, Reading] = field(default_factory=dict)
    _worst: float = 0.0

    def run_on(self, data: Sequence[DataValue], choice: Choice) -> list[Any]:
        """What a step releases of each of the data."""
        number = next(i for i, (one, _) in enumerate(self.choices) if one is choice)
        reading = self._readings.setdefault(number, Reading(self.session, choice.values, (_STREAM, self.fresh, number)))
        found: list[Any] = []
        before = time.monotonic()
        for value in data:
            try:
                found.append(reading.released(value))
            except NotRead as error:
                found.append(NotMeasured(str(error)))
        self.session.learn_speed((time.monotonic() - before) / len(data))
        return found

    def measured(self, pair: Pair, number: int, outputs: tuple[Any, Any]) -> Distance:
        """See `PairSearch`."""
        found = apart(*outputs)
        laws = found.laws if self._has_sample_first(pair) else found.laws.turned
        mu = equivalent(laws)
        refuted = False
        if laws.ratio != 1.0 and mu > self._worst * (1 + _WORTH):
            self._worst = mu
            refuted = self.exceeds(pair, laws, number, ROUGH)
        return StepDistance(mu, 0.0, found.differences, laws, refuted)

    def exceeds(self, pair: Pair, laws: NormalPair, number: int, points: int = FINE) -> bool:
        """Whether all steps together are known to spend more than a choice's claim."""
        ways = [laws] if self._knows_order(pair) or laws.ratio == 1.0 else [laws, laws.turned]
        return any(
            all(self.composition.exceeds(one, epsilon, delta, points) for one in ways)
            for epsilon, delta in self.points[number]
        )

    @property
    def not_seen(self) -> tuple[int, bool]:
        """How many numbers of an output nothing is known of at most, and whether some are not looked at."""
        released = [one for reading in self._readings.values() for one in reading.known]
        return max((len(one.unread) for one in released), default=0), any(one.cut for one in released)

    def is_close(self) -> bool:
        """Whether the furthest pair is so near to what is allowed that a finer look may refute the claim."""
        return self.furthest is not None and self.furthest.rank > _CLOSE

    def _knows_order(self, pair: Pair) -> bool:
        """Whether it is known which side has the sample more, or does not matter."""
        return self.composition.rate == 1.0 or len(_records(pair.d1)) != len(_records(pair.d2))

    def _has_sample_first(self, pair: Pair) -> bool:
        added = relation_of(self.session.mechanism.claim).definition is Neighbourhood.ONE_MORE
        return not added or len(_records(pair.d1)) > len(_records(pair.d2))


def _records(side: Any) -> Sequence[Any]:
    return side if isinstance(side, list | tuple) else ()


def equivalent(laws: NormalPair) -> float:
    """The distance of two laws of one width that are told apart as well, by the best test of one run."""
    if laws.ratio == 1.0 or math.isinf(laws.apart):
        return laws.apart
    first, second = laws.cells()
    share = float((first - second)[first > second].sum())
    return float(2 * ndtri((1 + min(share, 1 - 1e-15)) / 2))
