"""Losses by counting runs, where nothing computes them: what a search climbs by, and a bound that holds.

Both sides of a pair share their draws, so that counts of near inputs are alike. A score is no bound, for the best of
many is looked for; the bound of the input that is found comes from other runs, of the one event that it is found by.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from dplint.audit.exact.pairs import RUNS_ALPHA, ComputedPair, NotComputed
from dplint.audit.run_blocks import CheckedRuns, NotOnLanes
from dplint.audit.session import AuditSession, Stream, Values
from dplint.claims import Pair
from dplint.outcomes import Bounds, Measure
from dplint.readings.exact import OutputLoss, PairLosses
from dplint.runner.client import DataValue
from dplint.statistics.intervals import interval, loss_lower_bound

_RUNS, _FINAL_RUNS = 8_000, 100_000
_BLOCK = 20_000
_SHARES = (0.005, 0.02, 0.1, 0.5, 0.9, 0.98, 0.995)
"""Of outputs below the thresholds that are tried."""
_CAREFUL = 4.0
"""Standard errors that a score is below the loss that was counted: the best of many events and inputs is looked for."""
_MOST_ROWS, _CHECKED = 5, 100
_STREAM = (1 << 21, 4)
"""The name of their random streams; both sides of a score have the same one."""


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Outputs that are alike but for their numbers; with a threshold, those whose number at a place is above it, or is
    not.
    """

    form: Hashable
    place: int = 0
    threshold: float | None = None
    above: bool = True

    def holds(self, form: Hashable, numbers: Sequence[float]) -> bool:
        """Of one output."""
        if form != self.form:
            return False
        return self.threshold is None or (numbers[self.place] > self.threshold) is self.above

    def __str__(self) -> str:
        """For people."""
        if self.threshold is None:
            return f"outputs like {self.form}"
        side = "above" if self.above else "up to"
        return f"outputs like {self.form} whose number {self.place + 1} is {side} {self.threshold:.6g}"


_Split = tuple[Hashable, tuple[float, ...]]


def losses_by_runs(
    session: AuditSession, lanes: CheckedRuns, pair: Pair, arguments: Values
) -> tuple[PairLosses, RunEvent]:
    """Scores of events in both directions, the largest first. Raises NotComputed, RunnerError."""
    datas = (session.data_value(pair, side) for side in (1, 2))
    sides = [_outputs(session, lanes, data, arguments, _RUNS, (*_STREAM, 0)) for data in datas]
    rows = []
    for event, count1, count2 in _counted(sides[0], sides[1]):
        for sign, (one, other) in ((1, (count1, count2)), (-1, (count2, count1))):
            spread = math.sqrt(1 / (one + 1) + 1 / (other + 1))
            rows.append((math.log((one + 1) / (other + 1)) - _CAREFUL * spread, sign, event, one, other))
    rows.sort(key=lambda row: -row[0])
    forwards, backwards = (
        tuple(_row(score, event, one / _RUNS, other / _RUNS) for score, s, event, one, other in rows if s == sign)
        for sign in (1, -1)
    )
    found = PairLosses(
        forwards=forwards[:_MOST_ROWS],
        backwards=backwards[:_MOST_ROWS],
        laws=({}, {}),
        precision=0,
        paths=0,
        steps=2 * _RUNS,
    )
    return found, rows[0][2]


def bounded_by_runs(session: AuditSession, lanes: CheckedRuns, computed: ComputedPair) -> ComputedPair:
    """The same input with a bound that holds with confidence 1 - RUNS_ALPHA, by runs that nothing was chosen by."""
    event = computed.worst.output
    assert isinstance(event, RunEvent)
    counts = []
    for side in (1, 2):
        data = session.data_value(computed.pair, side)
        found = _outputs(session, lanes, data, computed.choice.values, _FINAL_RUNS, (*_STREAM, side))
        counts.append(sum(event.holds(*one) for one in found))
    one, other = (interval(count, _FINAL_RUNS, RUNS_ALPHA) for count in counts)
    low = loss_lower_bound(counts[0], _FINAL_RUNS, counts[1], _FINAL_RUNS, 0.0, RUNS_ALPHA)
    row = replace(computed.worst, loss=Bounds(low, math.inf), p1=Bounds(*one), p2=Bounds(*other))
    losses = replace(computed.losses, forwards=(row,), backwards=())
    return replace(computed, losses=losses, by_runs=_FINAL_RUNS)


def _row(score: float, event: RunEvent, p1: float, p2: float) -> OutputLoss:
    return OutputLoss(
        loss=Bounds(score, math.inf),
        output=event,
        measure=Measure.PROBABILITY,
        p1=Bounds(p1, p1),
        p2=Bounds(p2, p2),
        several=True,
    )


def _outputs(
    session: AuditSession, lanes: CheckedRuns, data: DataValue, arguments: Values, runs: int, stream: Stream
) -> list[_Split]:
    found: list[_Split] = []
    try:
        lanes.check([data], arguments, _CHECKED, session.seed_for(stream))
        while len(found) < runs:
            count = min(_BLOCK, runs - len(found))
            batch = lanes.sample(data, arguments, count, session.seed_for((*stream, len(found))))
            found += map(_split, batch.outputs())
    except NotOnLanes as reason:
        raise NotComputed(f"neither computed nor run on arrays: {reason}") from None
    session.coverage.runs += runs
    return found


def _split(output: object) -> _Split:
    """The form of an output, and its numbers."""
    numbers: list[float] = []
    return _form(output, numbers), tuple(numbers)


def _form(value: Any, numbers: list[float]) -> Hashable:
    if isinstance(value, float):
        numbers.append(value)
        return "number"
    if isinstance(value, list | tuple):
        return tuple(_form(item, numbers) for item in value)
    if isinstance(value, dict):
        return tuple((key, _form(item, numbers)) for key, item in value.items())
    return value if isinstance(value, int | str | bool | type(None)) else repr(value)


def _counted(one: Sequence[_Split], other: Sequence[_Split]) -> Iterator[tuple[RunEvent, int, int]]:
    """Events with how many outputs of both sides are in them."""
    first, second = Counter(form for form, _ in one), Counter(form for form, _ in other)
    for form in first | second:
        yield RunEvent(form), first[form], second[form]
        columns = [np.array([numbers for found, numbers in side if found == form]) for side in (one, other)]
        width = max((column.shape[1] for column in columns if column.ndim == 2), default=0)
        if not width or min(map(len, columns)) == 0:
            continue
        for place in range(min(width, _MOST_ROWS)):
            values = [column[:, place] for column in columns]
            for threshold in np.quantile(np.concatenate(values), _SHARES, method="nearest"):
                below = [int((side <= threshold).sum()) for side in values]
                yield RunEvent(form, place, float(threshold), above=False), *below  # type: ignore[misc]
                above = [len(side) - count for side, count in zip(values, below, strict=True)]
                yield RunEvent(form, place, float(threshold)), *above  # type: ignore[misc]
