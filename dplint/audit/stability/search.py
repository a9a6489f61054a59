"""The search for the pair whose outputs are furthest apart, without noise.

It begins with the pairs that audits of mechanisms begin with, goes on with odd records and with what branches tell
apart, and climbs from the furthest pairs.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from dplint.audit.branching import branch_inputs
from dplint.audit.choices import Choice
from dplint.audit.session import AuditSession
from dplint.audit.stability.distances import Distance, NotMeasured, RaisedOutput, distance, output_of
from dplint.audit.stability.pairs import changed_pair, stepped, uniform_pairs, with_fewer
from dplint.claims import Pair, Stability
from dplint.inputs.moves import Moves, moves_among
from dplint.inputs.pairs import NoPairs, further_pairs
from dplint.jobs import AuditJob
from dplint.outcomes import StopReason
from dplint.program.refusals import Unsupported
from dplint.relations import DataKind, relation_of
from dplint.runner.batch import Batch, DataValue

PHASE = "looking for the furthest pair"
_ROUND = 32
"""Pairs between two looks at the clock."""
_PATIENCE = 12
"""Rounds of a climb without a pair that is further apart, after which it ends."""
_KEPT, _WORTH = 8, 1e-6
_BRANCH_SECONDS = 1.0
_STREAM = (1 << 24,)


@dataclass(frozen=True)
class Compared:
    """A pair that was run with a choice of arguments. allowed: d_out there, infinite where nothing is claimed."""

    pair: Pair
    choice: Choice
    outputs: tuple[Any, Any]
    distance: Distance
    allowed: float

    @property
    def refutes(self) -> bool:
        """Whether the outputs are further apart than the claim allows."""
        return self.distance.exceeds(self.allowed)

    @property
    def rank(self) -> float:
        """How far they are apart, in units of what is allowed."""
        unit = self.allowed if math.isfinite(self.allowed) and self.allowed > 0 else 1.0
        return self.distance.value / unit


@dataclass
class PairSearch:
    """One search. choices: of arguments, each with what the claim allows. best: the furthest, the best first, and of
    those that are equally far the latest, so that plateaus are walked. furthest: of these the simplest. refuting: all
    that refute the claim.

    compared: pairs of which both outputs are known, for each choice. raised: those that raised on both sides.
    """

    session: AuditSession
    job: AuditJob
    stability: Stability
    choices: Sequence[tuple[Choice, float]]
    best: list[Compared] = field(default_factory=list)
    furthest: Compared | None = None
    refuting: list[Compared] = field(default_factory=list)
    compared: int = 0
    raised: int = 0
    data: dict[str, DataValue] = field(default_factory=dict)
    not_measured: NotMeasured | None = None
    _known: dict[tuple[int, str], Any] = field(default_factory=dict)
    _seen: set[tuple[str, ...]] = field(default_factory=set)
    _begun: float = field(default_factory=time.monotonic)

    def run(self, pairs: Sequence[Pair]) -> StopReason:
        """Search until a pair refutes the claim, the budget is used up, or nothing is left. pairs: to begin with."""
        mechanism = self.session.mechanism
        constants = self.session.constants()
        chance = random.Random(self.session.seed)
        moves = moves_among(constants, mechanism, "a climb")
        turns: list[Iterable[Pair]] = [pairs]
        if mechanism.claim.pairs is None:
            turns += [self._further(constants), self._branches(), self._climb(moves, chance)]
        for turn in map(iter, turns):
            while found := list(islice(turn, _ROUND)):
                self._look_at([*found, *self._stepped(found, moves, chance)])
                if self.refuting:
                    return StopReason.VIOLATION
                if self._is_over():
                    return StopReason.BUDGET
        return StopReason.NOTHING_LEFT

    def _is_over(self) -> bool:
        settings = self.session.settings
        if settings.max_runs is not None:
            return self.session.runs >= settings.max_runs
        return time.monotonic() - self._begun > settings.budget

    def _further(self, constants: Sequence[int | float | str]) -> Iterable[Pair]:
        try:
            more = further_pairs(self.session.mechanism, constants)
        except NoPairs:
            more = []
        return [*uniform_pairs(self.session.mechanism, constants), *more]

    def _branches(self) -> Iterator[Pair]:
        """What the branches of the source tell apart, where it was read."""
        program = self.job.program
        if not isinstance(program, Unsupported):
            end = time.process_time() + _BRANCH_SECONDS
            yield from (one.pair for one in branch_inputs(self.session, program, self.choices[0][0], end))

    def _climb(self, moves: Moves, chance: random.Random) -> Iterator[Pair]:
        """Changes of the furthest pairs, as long as some are further."""
        furthest, failures = -1.0, 0
        while self.best and failures < _PATIENCE:
            # Plateaus lead nowhere, so some begin from another pair, or take several changes at once.
            for _ in range(_ROUND):
                pair: Pair | None = self.best[min(int(chance.expovariate(0.5)), len(self.best) - 1)].pair
                for _ in range(chance.choice((1, 1, 2, 3))):
                    pair = pair and changed_pair(moves, pair, chance, scalar=self.session.form == "scalar")
                if pair is not None:
                    yield pair
            failures = 0 if self.best[0].rank > furthest * (1 + _WORTH) else failures + 1
            furthest = self.best[0].rank

    def _stepped(self, pairs: Sequence[Pair], moves: Moves, chance: random.Random) -> Iterator[Pair]:
        """The pairs as many records further as the claim speaks of."""
        steps = 0 if relation_of(moves.mechanism.claim).data is DataKind.VECTOR else round(self.stability.d_in) - 1
        for pair in pairs if steps else ():
            value = moves.at_random(chance, scalar=True).d1
            yield from (stepped(moves.mechanism, pair, number, value, chance) for number in (1, steps))

    def _look_at(self, pairs: Sequence[Pair]) -> None:
        """Run what has not been run, and compare."""
        fresh: list[tuple[Pair, tuple[str, str]]] = []
        for pair in pairs:
            values = [self.session.data_value(pair, side) for side in (1, 2)]
            one, two = map(repr, values)
            if (one, two) in self._seen or (two, one) in self._seen or one == two:
                continue
            self._seen.add((one, two))
            self.data |= {one: values[0], two: values[1]}
            fresh.append((pair, (one, two)))
        for number, (choice, _) in enumerate(self.choices):
            self.session.announce(PHASE)
            missing = [key for _, keys in fresh for key in keys if (number, key) not in self._known]
            missing = list(dict.fromkeys(missing))
            if missing:
                batches = self._run([self.data[key] for key in missing], choice)
                self._known |= {(number, key): read(batch) for key, batch in zip(missing, batches, strict=True)}
            for pair, keys in fresh:
                self._compare(pair, number, (self._known[number, keys[0]], self._known[number, keys[1]]))
        self.best.sort(key=lambda one: -float(f"{one.rank:.6g}"))
        del self.best[_KEPT * len(self.choices) :]

    def _run(self, data: Sequence[DataValue], choice: Choice) -> Sequence[Batch]:
        if not self.stability.centred:
            return self.session.calls(data, choice.values, 1, _STREAM)
        self.session.check_time()
        self.session.coverage.runs += len(data)
        return self.session.noise_free(data, choice.values)

    def simplest(self) -> Compared:
        """The simplest pair that refutes the claim, of those at hand and of the same with fewer common records."""
        best, before = min(self.refuting, key=_size), 0
        while len(self.refuting) > before and self.session.mechanism.claim.size is None:
            before = len(self.refuting)
            self._look_at(list(with_fewer(self.session.mechanism, best.pair)))
            best = min((one for one in self.refuting if one.choice == best.choice), key=_size)
        return best

    def _compare(self, pair: Pair, number: int, outputs: tuple[Any, Any]) -> None:
        """NaN never counts as further: it is a missing number, which `distance` has made infinite."""
        if all(isinstance(one, RaisedOutput) for one in outputs):
            self.raised += 1
            return
        self.not_measured = next((one for one in outputs if isinstance(one, NotMeasured)), self.not_measured)
        if any(isinstance(one, NotMeasured) for one in outputs):
            return
        try:
            found = distance(self.stability.metric, *outputs)
        except NotMeasured as error:
            self.not_measured = error
            return
        self.compared += 1
        choice, allowed = self.choices[number]
        one, far = Compared(pair, choice, outputs, found, allowed), self.furthest
        self.best.insert(0, one)
        if one.refutes:
            self.refuting.append(one)
        further = far is None or one.rank > far.rank * (1 + _WORTH)
        if further or (far and one.rank * (1 + _WORTH) >= far.rank and _size(one) < _size(far)):
            self.furthest = one


def _size(compared: Compared) -> tuple[bool, int, float]:
    pair = compared.pair
    return math.isinf(compared.distance.value), len(repr((pair.d1, pair.d2))), -compared.rank


def read(batch: Batch) -> Any:
    """The output of a batch, or why it is not known."""
    try:
        return output_of(batch)
    except NotMeasured as error:
        return error
