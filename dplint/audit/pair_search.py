"""The search for the pair whose outputs are furthest apart, without noise.

It begins with the pairs that audits of mechanisms begin with, goes on with odd records and with what branches tell
apart, and climbs from the furthest pairs.

Pairs on which a function without noise may move far: uniform data with an odd record, and changes of the best.
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice, zip_longest
from typing import Any

from dplint.audit.branching import branch_inputs
from dplint.audit.distances import Distance, NotMeasured, RaisedOutput, distance, output_of
from dplint.audit.inputs import Choice, beyond_patterns
from dplint.audit.session import AuditSession
from dplint.claims import Columns, Domain, Literal, Mechanism, Pair, Stability
from dplint.inputs.moves import LONGEST, Moves, moves_among
from dplint.inputs.pairs import are_neighbours, data_domain
from dplint.jobs import AuditJob
from dplint.outcomes import Effort, OutputPair, StopReason
from dplint.program.refusals import Unsupported
from dplint.relations import DataKind, Neighbourhood, relation_of
from dplint.relations.records import corner_values, interior_values
from dplint.runner import time_had
from dplint.runner.batch import Batch, DataValue

_SIZES = (1, 2, 5)
_MOST = 400
_WHY = "uniform data and one other record"
_STEPS = "further records"


def uniform_pairs(mechanism: Mechanism, constants: Sequence[int | float | str]) -> list[Pair]:
    """Some equal records, and one other one in front or at the end; each in one order, few of each kind first.

    Before these, each other one in as little data as there may be. The equal ones are the lowest and highest records,
    also with one column at another corner, as a missing value. None where records are no single ones:
    for vectors, single values and users.
    """
    relation, domain = relation_of(mechanism.claim), data_domain(mechanism)
    added = relation.definition is Neighbourhood.ONE_MORE
    if domain is None or not (added or relation.definition is Neighbourhood.ONE_REPLACED):
        return []
    odd = _odd_records(domain)
    values = _once([*odd, *interior_values(domain, constants)])
    sizes = mechanism.claim.size or _SIZES
    least = 0 if added and mechanism.claim.size is None else min(sizes)
    alone = _changed(odd[:1] * least, values, added=added)
    turns = zip_longest(*(_changed([base] * size, values, added=added) for size in sizes for base in odd))
    return list(islice(chain(alone, (pair for turn in turns for pair in turn if pair is not None)), _MOST))


def _odd_records(domain: Domain) -> list[Any]:
    """The corners of the domain; of records with columns also the lowest and highest with one column at a corner."""
    corners = corner_values(domain)
    found = list(corners)
    if isinstance(domain, Columns):
        for corner in corners[:2]:
            assert isinstance(corner, dict)
            found += [{**corner, name: one} for name, column in domain.columns for one in corner_values(column)]
    return _once(found)


def _changed(base: list[Any], values: Sequence[Any], *, added: bool) -> Iterator[Pair]:
    for value in values:
        other = [*base, value] if added else [*base[:-1], value]
        if repr(other) != repr(base):
            yield Pair(base, other, _WHY, len(base))
            yield Pair(base, [value, *base] if added else [value, *base[1:]], _WHY, len(base))


def _once(values: Sequence[Literal]) -> list[Any]:
    return list({repr(value): value for value in values}.values())


def changed_pair(moves: Moves, pair: Pair, chance: random.Random, *, scalar: bool) -> Pair | None:
    """Another pair, near this one or at random; None where what comes out is none."""
    kind = chance.random()
    if kind < 0.1:
        found = moves.at_random(chance, scalar=scalar)
    elif kind < 0.5 and isinstance(pair.d1, list) and isinstance(pair.d2, list):
        found = _on_both_sides(moves, pair.d1, pair.d2, chance)
    else:
        found = moves.moved(pair, chance)
    return found if are_neighbours(moves.mechanism, found.d1, found.d2) else None


def _on_both_sides(moves: Moves, d1: list[Any], d2: list[Any], chance: random.Random) -> Pair:
    """A record is another one wherever it stands, there is one more of it, or one less: the same on both sides."""
    known = [*d1, *d2]
    record = chance.choice(known) if known else None
    own = moves.at_random(chance, scalar=True).d1 if not known or chance.random() < 0.5 else chance.choice(known)
    if isinstance(record, dict) and isinstance(own, dict):
        names = chance.sample(list(record), chance.randint(1, len(record)))
        own = {**record, **{name: own[name] for name in names}}
    kind = chance.random()
    change: Callable[[list[Any]], list[Any]]
    if kind < 0.4:
        change = lambda side: [own if repr(one) == repr(record) else one for one in side]  # noqa: E731
    elif kind < 0.6:
        change = lambda side: [own, *side][:LONGEST]  # noqa: E731
    elif kind < 0.8:
        change = lambda side: [*side, own][:LONGEST]  # noqa: E731
    else:
        change = lambda side: _without_one(side, record)  # noqa: E731
    first, second = change(d1), change(d2)
    return Pair(first, second, moves.why, min(len(first), len(second)))


def _without_one(side: list[Any], record: Any) -> list[Any]:
    place = next((i for i, one in enumerate(side) if repr(one) == repr(record)), None)
    return side if place is None else [*side[:place], *side[place + 1 :]]


def stepped(mechanism: Mechanism, pair: Pair, steps: int, value: Literal, chance: random.Random) -> Pair:
    """The pair with its second side so many neighbouring steps further: by records that there are, or by this one.

    Each step is one that the relation allows, so that both sides are at most `steps` + 1 apart.
    """
    relation = relation_of(mechanism.claim)
    if relation.data is not DataKind.RECORDS or not isinstance(pair.d2, list):
        return pair
    side = list(pair.d2)
    for number in range(steps):
        record = chance.choice([*side, value])
        if relation.definition is Neighbourhood.ONE_MORE:
            shorter = isinstance(pair.d1, list) and len(pair.d2) < len(pair.d1)
            further = side[1:] if shorter and side else [*side, record]
        else:
            further = [record if place == number % max(1, len(side)) else one for place, one in enumerate(side)]
        side = further if relation.are_neighbours is not None and relation.are_neighbours(side, further, 1.0) else side
    return replace(pair, d2=side, pattern=f"{pair.pattern}, {_STEPS}")


def with_fewer(mechanism: Mechanism, pair: Pair) -> Iterator[Pair]:
    """The pair without one of the records that both sides have, for each of them that differs from the one before."""
    d1, d2 = pair.d1, pair.d2
    if not isinstance(d1, list) or not isinstance(d2, list):
        return
    for record in {repr(one): one for one in d1}.values():
        first, second = _without_one(d1, record), _without_one(d2, record)
        if len(first) < len(d1) and len(second) < len(d2) and are_neighbours(mechanism, first, second):
            yield Pair(first, second, pair.pattern, min(len(first), len(second)))


PHASE = "looking for the furthest pair"
_ROUND, _LOOKS = 32, 8
"""Pairs between two looks at the clock, and looks at it where the function is slow."""
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

    def shown_with(self, one: str, two: str) -> OutputPair:
        """The pair for a report, with its outputs as texts."""
        pair, choice = self.pair, self.choice
        return OutputPair(
            d1=pair.d1,
            d2=pair.d2,
            arguments=(*choice.fixed, *choice.arguments),
            output1=one,
            output2=two,
            distance=self.distance.value,
            differences=self.distance.differences,
        )


@dataclass
class PairSearch:
    """One search. choices: of arguments, each with what the claim allows. best: the furthest, the best first, and of
    those that are equally far the latest, so that plateaus are walked. furthest: of these the simplest. refuting: all
    that refute the claim. budget: seconds. max_runs: of the session, after which it ends, whatever the time.

    compared: pairs of which both outputs are known, for each choice. raised: those that raised on both sides. at_first:
    the rank of the furthest of the pairs that it began with.
    """

    session: AuditSession
    job: AuditJob
    stability: Stability
    choices: Sequence[tuple[Choice, float]]
    budget: float
    max_runs: int | None
    best: list[Compared] = field(default_factory=list)
    furthest: Compared | None = None
    refuting: list[Compared] = field(default_factory=list)
    compared: int = 0
    raised: int = 0
    at_first: float = 0.0
    data: dict[str, DataValue] = field(default_factory=dict)
    not_measured: NotMeasured | None = None
    _known: dict[tuple[int, str], Any] = field(default_factory=dict)
    _seen: set[tuple[str, ...]] = field(default_factory=set)
    _begun: float = field(default_factory=time_had.now)

    def run(self, pairs: Sequence[Pair]) -> StopReason:
        """Search until a pair refutes the claim, the budget is used up, or nothing is left. pairs: to begin with."""
        mechanism = self.session.mechanism
        constants = self.session.constants()
        chance = random.Random(self.session.seed)
        moves = moves_among(constants, mechanism, "a climb")
        turns: list[Iterable[Pair]] = [pairs]
        if mechanism.claim.pairs is None:
            further = [*uniform_pairs(mechanism, constants), *beyond_patterns(self.session, {})]
            turns += [further, self._branches(), self._climb(moves, chance)]
        for number, turn in enumerate(map(iter, turns)):
            if number == 1 and self.furthest is not None:
                self.at_first = self.furthest.rank
            while found := list(islice(turn, self._round)):
                self._look_at([*found, *self._stepped(found, moves, chance)])
                if self.refuting and self.has_enough():
                    return StopReason.VIOLATION
                if self._is_over():
                    return StopReason.VIOLATION if self.refuting else StopReason.BUDGET
        return StopReason.VIOLATION if self.refuting else StopReason.NOTHING_LEFT

    def effort(self, stop: StopReason) -> Effort:
        """What the search has taken."""
        for choice, _ in self.choices:
            self.session.coverage.choice(choice.arguments)
        return replace(self.session.effort(stop), alpha=0.0, pairs=self.compared // len(self.choices))

    def has_enough(self) -> bool:
        """Whether the search may end, now that there are pairs that refute the claim."""
        return True

    @property
    def _round(self) -> int:
        """Pairs of which the next look at the clock is not far, where it is known how slow the function is."""
        seconds = self.session.seconds_per_run
        slow = self.max_runs is None and seconds > 0
        return max(1, min(_ROUND, int(self.budget / (_LOOKS * seconds)))) if slow else _ROUND

    def _is_over(self) -> bool:
        if self.max_runs is not None:
            return self.session.runs >= self.max_runs
        return time_had.now() - self._begun > self.budget

    @property
    def further(self) -> list[Compared]:
        """The furthest, and the furthest of those at a finite distance: each if it is further than all at first."""
        finite = [one for one in self.best if math.isfinite(one.distance.value)]
        found = [one for one in (self.furthest, *finite[:1]) if one and one.rank > self.at_first * (1 + _WORTH)]
        return list({repr((one.pair.d1, one.pair.d2)): one for one in found}.values())

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
                outputs = self.run_on([self.data[key] for key in missing], choice)
                self._known |= {(number, key): output for key, output in zip(missing, outputs, strict=True)}
            for pair, keys in fresh:
                self._compare(pair, number, (self._known[number, keys[0]], self._known[number, keys[1]]))
        self.best.sort(key=lambda one: -float(f"{one.rank:.6g}"))
        del self.best[_KEPT * len(self.choices) :]

    def run_on(self, data: Sequence[DataValue], choice: Choice) -> list[Any]:
        """What the function makes of each of the data, or why that is not known."""
        if not self.stability.centred:
            return [read(one) for one in self.session.calls(data, choice.values, 1, _STREAM)]
        self.session.check_time()
        self.session.coverage.runs += len(data)
        return [read(one) for one in self.session.noise_free(data, choice.values)]

    def measured(self, pair: Pair, number: int, outputs: tuple[Any, Any]) -> Distance:  # noqa: ARG002 - others ask
        """How far two outputs are apart, for the choice of this number. Raises NotMeasured."""
        return distance(self.stability.metric, *outputs)

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
            found = self.measured(pair, number, outputs)
        except NotMeasured as error:
            self.not_measured = error
            return
        if self.stability.finite and math.isinf(found.value):
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
