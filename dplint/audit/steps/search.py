"""The search for the neighbours that a step of training moves furthest apart, in units of its noise."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from scipy.special import ndtri

from dplint.audit.distances import Distance, NotMeasured
from dplint.audit.inputs import Choice
from dplint.audit.pair_search import Compared, PairSearch
from dplint.audit.steps.accountant import FINE, ROUGH, Composition, NormalPair
from dplint.audit.steps.apart import apart
from dplint.audit.steps.noise import NotRead, Reading
from dplint.claims import Pair
from dplint.events.layout import is_cut
from dplint.relations import Neighbourhood, relation_of
from dplint.runner.batch import DataValue

_STREAM = 1 << 28
_WORTH = 1e-3
_USUAL, _SURE = 8, 32
"""Runs with fresh noise on which what is learnt is held against the function, and before a claim is refuted."""
_CLOSE = 0.9
_AFTER = 3
"""Rounds that are made after one with a pair that refutes the claim."""
Point = tuple[float, float]
"""An epsilon and a delta that follow from the claim."""


@dataclass(frozen=True, slots=True)
class StepDistance(Distance):
    """laws: of what is released with the sample, and without it. refuted: whether these refute the claim for sure."""

    laws: NormalPair = field(default_factory=lambda: NormalPair(0.0))
    refuted: bool = False

    def exceeds(self, allowed: float) -> bool:
        """Whether the claim is refuted."""
        return self.refuted or Distance.exceeds(self, allowed)


@dataclass
class StepSearch(PairSearch):
    """points: of the claim, for each choice. composition: of the steps. again: whether what
    was found is looked at again. unread: why of some batch it is not known what is released, "" if there is none.
    """

    composition: Composition = field(default_factory=lambda: Composition(1.0, 1))
    points: Sequence[Sequence[Point]] = ()
    again: bool = False
    unread: str = ""
    _readings: dict[int, Reading] = field(default_factory=dict)
    _worst: float = 0.0
    _after: int = 0

    def run_on(self, data: Sequence[DataValue], choice: Choice) -> list[Any]:
        """What a step releases of each of the data."""
        number = self.number(choice)
        if number not in self._readings:
            stream = (_STREAM, self.again, number)
            self._readings[number] = Reading(self.session, choice.values, stream, _SURE if self.again else _USUAL)
        reading = self._readings[number]
        before = time.monotonic()
        found = reading.released(data)
        self.session.learn_speed((time.monotonic() - before) / len(data))
        self.unread = self.unread or next((str(one) for one in found if isinstance(one, NotRead)), "")
        return [NotMeasured(str(one)) if isinstance(one, NotRead) else one for one in found]

    def measured(self, pair: Pair, number: int, outputs: tuple[Any, Any]) -> StepDistance:
        """See `PairSearch`."""
        laws, differences = apart(*outputs)
        laws = laws if self._has_sample_first(pair) else laws.turned
        mu, refuted = equivalent(laws), False
        if laws.ratio != 1.0 and mu > self._worst * (1 + _WORTH):
            self._worst = mu
            refuted = self.exceeds(pair, laws, number, ROUGH)
        return StepDistance(mu, 0.0, differences, laws, refuted)

    def exceeds(self, pair: Pair, laws: NormalPair, number: int, grid: int = FINE) -> bool:
        """Whether all steps together are known to spend more than a choice's claim."""
        ways = [laws] if self._knows_order(pair) or laws.ratio == 1.0 else [laws, laws.turned]
        return any(
            all(self.composition.exceeds(one, epsilon, delta, grid) for one in ways)
            for epsilon, delta in self.points[number]
        )

    def has_enough(self) -> bool:
        """Whether the search may end with what refutes the claim: a little later, as a worse pair may be near."""
        self._after += 1
        return self._after > _AFTER or math.isinf(max(one.distance.value for one in self.refuting))

    def simplest(self) -> Compared:
        """The simplest of those that are furthest apart."""
        furthest = max(one.distance.value for one in self.refuting)
        self.refuting = [one for one in self.refuting if one.distance.value >= furthest * (1 - _WORTH)]
        return super().simplest()

    def not_seen(self) -> Iterator[str]:
        """What of an output is not looked at, in words."""
        released = [one for reading in self._readings.values() for one in reading.known]
        if any(is_cut(one.seen.skeleton) for one in released):
            yield "the output is longer than what is looked at, and nothing is known of the rest"
        if unread := max((len(one.unread) for one in released), default=0):
            yield f"of {unread:,} numbers of the output nothing is known: in these runs they are no sums of noise"

    def refutes_at_a_finer_look(self) -> bool:
        """Whether the furthest pair refutes the claim after all: what is allowed is only roughly known to a search."""
        far = self.furthest
        if far is None or far.rank < _CLOSE or not self.exceeds(far.pair, self.laws(far), self.number(far.choice)):
            return False
        self.refuting.append(far)
        return True

    def number(self, choice: Choice) -> int:
        """Of a choice."""
        return next(number for number, (one, _) in enumerate(self.choices) if one is choice)

    @staticmethod
    def laws(compared: Compared) -> NormalPair:
        """What is released with the sample, and without it."""
        assert isinstance(compared.distance, StepDistance)
        return compared.distance.laws

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
