"""When lessons are worth their time, what they are about, and who makes them.

Lessons: better events for one pair, from runs that are spent on nothing else, by whoever makes them.

Finer thresholds, products, learnt scores. Runs are many and what is learnt is little: whoever makes a lesson makes its
runs, too, and no output leaves its process. What is learnt follows from the request alone, so it is the same whoever
learns it.

How large the rounds of an anytime audit are, and in which of them it looks further.

Looking at runs should take no longer than making them: what is done once for each input and value of the claim (events,
proposals, replays) takes the same time for a thousand runs as for a million. Where lanes are fast, a round of the
schedule would hardly use them, and is made larger.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dplint.audit.ahead import BlocksInOrder
from dplint.audit.betting.claim_test import ClaimTest
from dplint.audit.betting.input_groups import InputGroup, Proposal, promise
from dplint.audit.betting.portfolio import Bet
from dplint.audit.betting.spending import Spending
from dplint.audit.lane_counts import SETTLED, NotForOthers
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.session import Stream
from dplint.claims import Literal, Pair
from dplint.events.learning import learn
from dplint.events.refining import Refining, cut
from dplint.events.split_runs import Counts, Floats, SplitRuns, Suggestion
from dplint.runner import time_had
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue
from dplint.runner.texts import TextNumbers

_FROM = 2
"""The first round that is made larger: what is blatant shows before."""
_OF_RUNS = 2 / 3
"""Share of the time that runs themselves should have had, once there is time for more of them."""
_SHARE_OF_ROUND = 0.4
"""Share of the time left for a round of one value of the claim that additional runs may take at once."""
_LAST_SHARE = 0.8
"""The same at the end of a short turn, after which there is time for little else."""
_SHORT_FROM, _SHORT = 3, 2.0
"""The first round whose turns may be short: where less time is left for each than so many times what all but runs has
taken in a turn so far, so that looking for events anew would leave no time to bet on them."""
_COUNTED = 3.0
"""How many times as long as the fastest runs others take, with all that is done about them, as long as nobody knows."""

_MOST_AT_ONCE, _NO_TIME = 2**27, 1e-12
"""At most so many more runs at once, however fast they are: a function that is constant takes next to no time."""
_ENOUGH = 100_000
"""Runs from which on what they took tells what others will take."""


@dataclass
class Pace:
    """Additional runs of a pass whose budget is a time: enough for runs to have had two thirds of the time.

    lanes: what runs are made on. started, end: of the pass, by the monotonic clock.
    """

    lanes: ResidualRuns
    started: float
    end: float
    _short: bool = False
    _turns: int = 0
    _end_of_turn: float = 0.0
    _seconds_per_run: float = 0.0

    def begin(self, number: int, turns: int) -> None:
        """A round of one value of the claim begins. turns: how many values have yet to play this round."""
        now = time_had.now()
        left = (self.end - now) / turns
        self._end_of_turn = now + left if number >= _FROM else now
        others = now - self.started - self.lanes.seconds
        self._short = number >= _SHORT_FROM and left * self._turns < _SHORT * others
        self._turns += 1

    @property
    def is_short(self) -> bool:
        """Whether the turn that began last has time for nothing but more runs on what is known."""
        return self._short and self.more(1) > 0

    def more(self, sides: int, *, last: bool = False) -> int:
        """How many more runs of each of so many data values there is time for now. last: by the end of the turn."""
        now = time_had.now()
        behind = (_OF_RUNS * (now - self.started) - self.lanes.seconds) / (1 - _OF_RUNS)
        share = _LAST_SHARE if last and self._short else _SHARE_OF_ROUND
        seconds = min(behind, share * (self._end_of_turn - now))
        cost = self._seconds_per_run or _COUNTED * self.lanes.seconds_per_run
        if seconds <= 0:
            return 0
        return int(min(seconds / max(cost * max(sides, 1), _NO_TIME), _MOST_AT_ONCE))

    def took(self, runs: int, seconds: float) -> None:
        """So many runs took so long, with all that was done about them."""
        if runs > _ENOUGH:
            self._seconds_per_run = seconds / runs


@dataclass(frozen=True)
class Schedule:
    """Sizes of the first rounds, and what begins when.

    screen: runs of every data value; after these rounds half as many again each time, for the input groups that promise
    most. bet: runs on each side of the pairs that are bet on; after these rounds twice as many each time. widened,
    widened_again: the rounds that begin with more choices of arguments: found for one value of the claim, and for each.
    further: the round, and in it the number of values of the claim that have had their turn, before pairs beyond the
    patterns are looked for.
    """

    screen: tuple[int, ...]
    bet: tuple[int, ...]
    widened: int
    widened_again: int
    further: tuple[int, int]

    def screened(self, number: int) -> int:
        """Runs of every data value in a round."""
        return _grown(self.screen, number, 1.5)

    def paid(self, number: int) -> int:
        """Runs on each side of what is bet on in a round."""
        return _grown(self.bet, number, 2)


PLAIN = Schedule(
    screen=(1_000, 1_000, 2_000, 4_000),
    bet=(4_000, 10_000, 30_000, 100_000),
    widened=1,
    widened_again=3,
    further=(1, 0),
)
"""Where each run calls the function: runs are dear."""
ON_LANES = Schedule(
    screen=(1_000, 4_000, 4_000, 8_000, 8_000),
    bet=(4_000, 30_000, 30_000, 100_000),
    widened=2,
    widened_again=4,
    further=(1, 1),
)
"""A larger second round takes less time than the solver's first look for arguments, so it comes before it."""

RENEWED = frozenset([3, 5, 7, 9, 12, 15])
"""Rounds in which events are looked for anew."""
LEARNING = 5
"""The round from which on events are refined and learnt."""
EARLY = 2
"""The round in which small trees are looked for already, if no bet has won anything by then: they are quick to find."""
LEARNT_ROUNDS = frozenset([5, 8, 11, 14, 17])
"""Those in which they are, where the budget is counted in runs and nothing may depend on time."""


def _grown(first: Sequence[int], number: int, factor: float) -> int:
    return first[number] if number < len(first) else int(first[-1] * factor ** (number - len(first) + 1))


_MOST_EVENTS = 2
"""Events of each kind that are proposed for a pair."""


@dataclass(frozen=True, slots=True)
class LessonRequest:
    """What is to be learnt, and of which runs.

    datas: the two sides. runs: of each. seed: entropy and spawn key of a SeedSequence. block: runs of a data value that
    are made at once, None where each calls the function. epsilon, delta: what events should exceed. early: only
    products of conditions that are tuned to one another, the leaves of small decision trees.
    """

    datas: tuple[DataValue, DataValue]
    arguments: Mapping[str, Literal]
    runs: int
    seed: tuple[int, tuple[int, ...]]
    block: int | None
    epsilon: float
    delta: float
    early: bool


def lesson(request: LessonRequest, batches: Sequence[tuple[Batch, ...]], texts: TextNumbers) -> list[Suggestion]:
    """The best events that these outputs of the two sides teach; their counts are of runs that took no part in finding
    them.
    """
    split_runs = SplitRuns([two[0] for two in batches], [two[1] for two in batches], texts, most=request.runs)

    def criterion(count1: Counts, count2: Counts, seen: int) -> Floats:
        return promise(count1, count2, seen, request.epsilon, request.delta)

    learnt = () if request.early else learn(split_runs)
    found = [
        *Refining(split_runs).events(criterion, most=_MOST_EVENTS),
        *cut(learnt, split_runs, criterion, most=_MOST_EVENTS),
    ]
    return sorted(found, key=lambda suggestion: -suggestion.score)


def lesson_for_another(lanes: ResidualRuns, request: LessonRequest) -> list[Suggestion]:
    """A lesson for the audit of another process. Raises NotOnLanes, NotForOthers."""
    assert request.block is not None
    lanes.limit(request.block)
    (entropy, key), texts = request.seed, TextNumbers()
    seed = np.random.SeedSequence(entropy, spawn_key=key)
    blocks = lanes.blocks(request.datas, request.arguments, request.runs, seed, texts)
    batches = [two for _, two in blocks]
    if texts.texts:
        raise NotForOthers
    return lesson(request, batches, texts)


_BUDGET = 3.0
"""Seconds of budget from which on learning events pays."""
_SHARE_OF_LEARNING = 0.15
"""Share of the time that learning may take at most: it begins where the last lesson would fit in once more, doubled."""
_PAIRS = 2
_RUNS, _MOST_RUNS, _LEAST_RUNS, _EARLY_RUNS = 20_000, 400_000, 2_000, 4_000
_RUNS_SHARE = 0.2
"""Share of the budget that the runs of a lesson may take: it matters for mechanisms that are slow."""
_USUAL_SECONDS = 0.3
"""What a lesson takes, before there was one."""
_STREAM = 11
"""The number of the stage in the names of random streams."""


@dataclass(frozen=True)
class _Subject:
    """A pair that something is to be learnt of."""

    group: InputGroup
    pair: Pair
    sides: tuple[int, int]

    def proposal(self, suggestion: Suggestion) -> Proposal:
        """An event on the pair."""
        return Proposal(
            group=self.group,
            pair=self.pair,
            sides=self.sides,
            event=suggestion.event,
            growth=suggestion.score,
            count1=suggestion.count1,
            count2=suggestion.count2,
            runs=suggestion.runs,
        )


class Lessons:
    """The lessons of a pass. Where they are on lanes, other processes make some of them, side by side.

    timed: whether the budget is a time.
    """

    def __init__(self, spending: Spending, *, timed: bool) -> None:
        self._spending, self._session, self._timed = spending, spending.session, timed
        self._began = time_had.now()
        self._all = self._last = 0.0
        self._words = ""
        self._asked: list[LessonRequest] = []
        self._here: set[tuple[int, Stream]] = set()
        self._in_order = BlocksInOrder[LessonRequest, list[Suggestion]](
            self._made, _fits, self._seconds, self._session.wait, self._session.others
        )

    def are_due(self, number: int, *, leaders: Callable[[], Sequence[Bet]]) -> bool:
        """Whether to look for better events in a round: in some of them, or as long as it takes a small part of the
        time; early for small trees, where no bet has won anything: what is blatant has shown by then.
        """
        settings = self._spending.job.settings
        if settings.budget < _BUDGET:
            return False
        if number < LEARNING:
            return number == EARLY and not leaders()
        return number in LEARNT_ROUNDS if settings.max_runs is not None else self._has_time()

    def _has_time(self) -> bool:
        """Whether a lesson of twice the length of the last one leaves learning its share of the time."""
        return self._all + 2 * self._last <= _SHARE_OF_LEARNING * (time_had.now() - self._began)

    def better(self, claim_test: ClaimTest, promising: Sequence[Proposal], number: int) -> list[Proposal]:
        """Better events on the pairs that promise most, and on another one in turn. Raises what runs raise."""
        first = {(id(one.group), one.sides): _Subject(one.group, one.pair, one.sides) for one in promising}
        every = [
            _Subject(group, pair, sides)
            for group in claim_test.groups
            for pair, sides in zip(group.inputs.pairs, group.inputs.sides, strict=True)
        ]
        subjects = [*list(first.values())[:_PAIRS], every[(number * 7 + claim_test.number) % len(every)]]
        self._words = f"learning events{claim_test.words}"
        planned = self._planned(claim_test, subjects, number)
        counts = self._session.lane_counts
        if counts is not None and counts.made_elsewhere:
            self._in_order.rely_on_others()
        self._asked.clear()
        self._here.clear()
        found: list[Proposal] = []
        began = time_had.now()
        try:
            for place, (runs, suggestions) in enumerate(self._in_order.blocks(planned)):
                found += map(subjects[place].proposal, suggestions)
                if counts is not None and self._asked[place].seed not in self._here:
                    self._spending.reserved -= 2 * runs
                    self._session.coverage.runs += 2 * runs
                    counts.learnt_from_elsewhere += 2 * runs
                now = time_had.now()
                self._last, began = now - began, now
                self._all += self._last
        finally:
            self._spending.reserved = 0
        return sorted(found, key=lambda proposal: -proposal.growth)

    def _planned(self, claim_test: ClaimTest, subjects: Sequence[_Subject], number: int) -> Iterator[LessonRequest]:
        spending, session = self._spending, self._session
        early = number < LEARNING
        wanted = _EARLY_RUNS if early else min(_RUNS << (number - LEARNING), _MOST_RUNS)
        for index, subject in enumerate(subjects):
            # Whoever makes the lessons, the same ones are made where the budget is counted in runs.
            if index and spending.at_most(wanted, 2) < _LEAST_RUNS:
                return
            runs = spending.affordable(wanted, 2, _RUNS_SHARE)
            if runs < _LEAST_RUNS or (index and self._timed and not self._has_time()):
                return
            # What others are asked for is spent before it has come: the next one gets what is left.
            spending.reserved += 2 * runs
            group, (one, other) = subject.group, subject.sides
            request = LessonRequest(
                datas=(group.inputs.data[one], group.inputs.data[other]),
                arguments=group.choice.values,
                runs=runs,
                seed=(session.seed, (*spending.stream, claim_test.number, _STREAM, number, index)),
                block=None if session.lanes is None else session.lanes.chunk,
                epsilon=spending.target(claim_test),
                delta=claim_test.setting.delta,
                early=early,
            )
            self._asked.append(request)
            yield request

    def _made(self, request: LessonRequest) -> list[Suggestion]:
        """A lesson that is made here."""
        session, stream = self._session, request.seed[1]
        self._here.add(request.seed)
        self._spending.reserved -= 2 * request.runs
        chunks = session.sample(request.datas, request.arguments, request.runs, stream, self._words, checked=0)
        return lesson(request, [chunk.batches for chunk in chunks], session.texts)

    def _seconds(self, request: LessonRequest) -> float:
        """What a lesson should take; 0 if it is not for others."""
        lanes = self._session.lanes
        if (
            lanes is None
            or not self._timed
            or lanes.seconds < SETTLED
            or self._session.texts.texts
            or not self._session.glance.varied
        ):
            return 0.0
        return (self._last or _USUAL_SECONDS) if request.block is not None else 0.0


def _fits(_request: LessonRequest, answer: object) -> bool:
    return isinstance(answer, list) and all(isinstance(one, Suggestion) for one in answer)
