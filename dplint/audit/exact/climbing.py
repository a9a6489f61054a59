"""From the pair that loses most to its neighbourhood: entries, differences, sizes, arguments, while it loses more.

Losses by counting runs, where nothing computes them: what a search climbs by, and a bound that holds.

Both sides of a pair share their draws, so that counts of near inputs are alike. A score is no bound, for the best of
many is looked for; the bound of the input that is found comes from other runs, of the one event that it is found by.
"""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from dplint.audit.branching import movable_arguments
from dplint.audit.exact.pairs import LIMITS, RUNS_ALPHA, ComputedPair, NotComputed, TooLong, compute_pair, worst_first
from dplint.audit.inputs import Choice, is_claimed
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes
from dplint.audit.session import AuditSession, Stream, Values
from dplint.audit.settings import Setting
from dplint.claims import Literal, Pair, is_number
from dplint.inputs.moves import LONGEST, Moves, moves_of
from dplint.outcomes import Argument, Bounds, Measure
from dplint.program.nodes import Program
from dplint.readings.exact import OutputLoss, PairLosses
from dplint.runner.client import DataValue
from dplint.statistics.intervals import interval, loss_lower_bound

_FAILURES = 25
"""Inputs in turn that lose no more than the best, after which it ends."""
_WHY, _CLIMBED = "a neighbouring input loses less", "a climb"
_SAME = 1e-9
"""Losses that differ by less are the same: the last digits are those of rounded scales."""
_WORTH = 1e-3
"""Share of epsilon that an input must lose more for the search to go on from it as from a better one."""
_MOST_OF_GRID = 12
"""Values of an argument."""
_WIDE = 0.5
"""How often a change is one of `Moves`, in place of a step of the sensitivity."""

Number = int | float
Compute: TypeAlias = Callable[[Pair, Choice], ComputedPair]
"""The losses of a pair. Raises as `compute_pair` does."""


def climbed_pairs(
    session: AuditSession,
    program: Program,
    start: ComputedPair,
    setting: Setting,
    end: float,
    *,
    number: int = 0,
    patience: int = _FAILURES,
    compute: Compute | None = None,
) -> Iterator[ComputedPair]:
    """Inputs next to the best so far, each with its losses. end: as for `compute_pair`. number: of the climb, as each
    has chances of its own. patience: after how many inputs in turn that lose no more it ends. compute: where that is
    not `compute_pair` itself.

    All are such as the claim speaks of: neighbours by its relation, arguments that it allows. The same seed tries the
    same ones.
    """

    def exactly(pair: Pair, choice: Choice) -> ComputedPair:
        return compute_pair(session, program, pair, choice, LIMITS, delta=setting.delta, end=end)

    climb = _Climb(session, program, start, setting, compute or exactly)
    try:
        yield from climb.on_grid()
        yield from climb.at_random(number, patience)
    except TooLong:
        return


class _Climb:
    """From the best input so far to better ones."""

    def __init__(
        self, session: AuditSession, program: Program, start: ComputedPair, setting: Setting, compute: Compute
    ) -> None:
        self._session, self._setting, self._compute = session, setting, compute
        self._start = self._best = start
        self._known = {_key(start.pair, start.choice)}
        self._movable = movable_arguments(program, session.mechanism)
        self._worth = max(_SAME, _WORTH * setting.epsilon)
        self._moves = moves_of(session.mechanism, program, _CLIMBED)

    def on_grid(self) -> Iterator[ComputedPair]:
        """Each open argument in turn at entries of the data, halfway between them, and beyond; whole ones next to it.

        Raises TooLong.
        """
        for name in [one.name for one in _open_arguments(self._best, self._movable)]:
            origin = self._best
            (value,) = (one.value for one in origin.choice.arguments if one.name == name)
            for other in _grid(value, origin.pair):
                choice = _with_argument(origin.choice, name, other)
                if self._is_new(origin.pair, choice):
                    yield from self._tried(origin.pair, choice)

    def at_random(self, number: int, patience: int) -> Iterator[ComputedPair]:
        """One change of the data or of an argument after another, the same ones for the same seed. Raises TooLong."""
        chance, failures = random.Random(self._session.seed + number), 0
        for _ in range(40 * patience):
            # A plateau leads away from where others begin, so that half of the moves begin where it began.
            plateau = self._best.loss.low <= self._start.loss.low + _SAME
            origin = self._start if plateau and chance.random() < 0.5 else self._best
            pair, choice = _moved(self._session, self._moves, origin, self._movable, chance)
            if not self._is_new(pair, choice):
                continue
            before = self._best.loss.low
            yield from self._tried(pair, choice)
            failures = 0 if self._best.loss.low > before + self._worth else failures + 1
            if failures >= patience:
                return

    def _is_new(self, pair: Pair, choice: Choice) -> bool:
        """Whether nobody has tried it, and the claim speaks of it."""
        return _key(pair, choice) not in self._known and is_claimed(self._session, pair, choice, self._setting)

    def _tried(self, pair: Pair, choice: Choice) -> Iterator[ComputedPair]:
        """The input with its losses, if it can be computed."""
        self._known.add(_key(pair, choice))
        with contextlib.suppress(NotComputed):
            found = worst_first(self._compute(pair, choice))
            yield found
            # One that loses as much is gone to, so that a plateau does not end it.
            if found.loss.low >= self._best.loss.low - _SAME:
                self._best = found


def _key(pair: Pair, choice: Choice) -> str:
    return repr((sorted((repr(pair.d1), repr(pair.d2))), choice.values))


def _moved(
    session: AuditSession, moves: Moves, best: ComputedPair, movable: Collection[str], chance: random.Random
) -> tuple[Pair, Choice]:
    """One change of the data, or of an argument."""
    open_ones = _open_arguments(best, movable)
    if open_ones and chance.random() < 0.4:
        moved = chance.choice(open_ones)
        value = _moved_argument(moved.value, best, chance)
        return best.pair, _with_argument(best.choice, moved.name, value)
    if chance.random() < _WIDE:
        return moves.moved(best.pair, chance), best.choice
    claim = session.mechanism.claim
    return _moved_data(best.pair, claim.sensitivity, chance, sizes=claim.size is None), best.choice


def _open_arguments(computed: ComputedPair, movable: Collection[str]) -> list[Argument]:
    return [one for one in computed.choice.arguments if one.name in movable and is_number(one.value)]


def _with_argument(choice: Choice, name: str, value: Literal) -> Choice:
    arguments = tuple(Argument(name, value, _WHY) if one.name == name else one for one in choice.arguments)
    return replace(choice, arguments=arguments)


def _grid(value: Literal, pair: Pair) -> list[Number]:
    """Other values for an argument, the nearest first: thresholds are compared with entries, counts with numbers."""
    assert isinstance(value, int | float)
    entries = sorted({float(one) for one in (*_numbers(pair.d1), *_numbers(pair.d2))})
    between = [(one + other) / 2 for one, other in itertools.pairwise(entries)]
    beyond = [entries[0] - 1, entries[-1] + 1] if entries else []
    found: list[Number] = [one for one in (*entries, *between, *beyond) if math.isfinite(one)]
    if isinstance(value, int):
        found = [int(one) if one.is_integer() else one for one in map(float, found)]
        found += [value + move for move in (-2, -1, 1, 2)]
    nearest = sorted(dict.fromkeys(found), key=lambda one: abs(one - value))
    return [one for one in nearest if one != value][:_MOST_OF_GRID]


def _moved_argument(value: Literal, best: ComputedPair, chance: random.Random) -> Literal:
    """A whole number goes up or down; others to an entry of the data, halfway between two, or a little aside."""
    assert isinstance(value, int | float)
    if isinstance(value, int) and chance.random() < 0.5:
        return value + chance.choice((-2, -1, 1, 2))
    entries = [*_numbers(best.pair.d1), *_numbers(best.pair.d2), value]
    one, other = chance.choice(entries), chance.choice(entries)
    return chance.choice((one, (one + other) / 2, value + chance.choice((-1.0, -0.5, -0.25, 0.25, 0.5, 1.0))))


def _moved_data(pair: Pair, sensitivity: float, chance: random.Random, *, sizes: bool) -> Pair:
    """An entry moves on both sides, its difference changes, or, with `sizes`, both sides lose or repeat an entry."""
    if not (isinstance(pair.d1, list) and isinstance(pair.d2, list)):
        return _moved_numbers(pair, sensitivity, chance)
    d1, d2 = list(pair.d1), list(pair.d2)
    if not d1 or len(d1) != len(d2):
        return pair
    place, kind = chance.randrange(len(d1)), chance.random()
    if sizes and kind < 0.15 and len(d1) > 1:
        del d1[place], d2[place]
    elif sizes and kind < 0.3 and len(d1) < LONGEST:
        d1.insert(place, d1[place])
        d2.insert(place, d2[place])
    elif is_number(d1[place]) and is_number(d2[place]):
        entry = _moved_numbers(Pair(d1[place], d2[place], _CLIMBED, 1), sensitivity, chance)
        d1[place], d2[place] = entry.d1, entry.d2
    return Pair(d1, d2, _CLIMBED, len(d1))


def _moved_numbers(pair: Pair, sensitivity: float, chance: random.Random) -> Pair:
    """Both move by the same, or by how much they differ is another."""
    one, two = pair.d1, pair.d2
    if not (isinstance(one, int | float) and isinstance(two, int | float)):
        return pair
    step = _as_before(sensitivity, one)
    if chance.random() < 0.5:
        move = chance.choice((-2, -1, 1, 2)) * step
        return Pair(one + move, two + move, _CLIMBED, 1)
    return Pair(one, one + chance.choice((-1, 0, 1)) * step, _CLIMBED, 1)


def _as_before(step: float, like: Number) -> Number:
    """Whole data stays whole."""
    return int(step) if isinstance(like, int) and float(step).is_integer() else step


def _numbers(data: Literal) -> list[Number]:
    entries: Sequence[Literal] = data if isinstance(data, list | tuple) else [data]
    return [one for one in entries if isinstance(one, int | float) and not isinstance(one, bool)]


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


def losses_by_runs(session: AuditSession, lanes: ResidualRuns, pair: Pair, arguments: Values) -> PairLosses:
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
    return PairLosses(
        forwards=forwards[:_MOST_ROWS],
        backwards=backwards[:_MOST_ROWS],
        laws=({}, {}),
        precision=0,
        paths=0,
        steps=2 * _RUNS,
    )


def bounded_by_runs(session: AuditSession, lanes: ResidualRuns, computed: ComputedPair) -> ComputedPair:
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
    session: AuditSession, lanes: ResidualRuns, data: DataValue, arguments: Values, runs: int, stream: Stream
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
