"""One audit's hold on the runner: it hands out samples and keeps count of runs, time and random streams."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any, TypeAlias

import numpy as np

from dplint.audit.ahead import Batches, BlocksInOrder, Others, block_runs, is_drawn
from dplint.audit.lane_counts import LaneCounts
from dplint.audit.progress import Cancellable, Cancelled, Coverage, NothingToRun, OutOfTime, Progress
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.settings import Setting
from dplint.audit.too_little import Glance
from dplint.claims import MOST_OWN_PAIRS, Literal, Numerics, Pair
from dplint.events.texts import TextReader
from dplint.inputs.forms import AS_IT_IS, data_form, form_told
from dplint.inputs.machine_pairs import machine_pairs
from dplint.inputs.pairs import NoPairs, both_orders, choose_pairs
from dplint.jobs import ANYTIME, IMPORTING, AuditJob, AuditState, Job, SourceJob, seed_of
from dplint.outcomes import Effort, Standing, StopReason
from dplint.program.nodes import Program
from dplint.runner import time_had
from dplint.runner.batch import Batch
from dplint.runner.client import MOST_DRAWS, DataValue, GivenNoise, Look, Runner, SampleRequest, Trace
from dplint.runner.texts import TextNumbers

Values: TypeAlias = Mapping[str, Literal]
Stream: TypeAlias = tuple[int, ...]
_BLOCK = 50
"""Runs of one data value before the next one has its turn."""
_SPEED_RUNS = 100
_SPEED_SECONDS, _SPEED_SHARE = 2.0, 0.1
"""What these runs may take: so many seconds, and this share of the budget."""
CHECKED_LANES = 1_000
"""Lanes of each of D1 and D2 that are replayed through the user's function before their pair is tested."""
_SCREENED_LANES = 30
"""Lanes of every data value that are replayed before all inputs are tried."""
_CHECK = 1 << 20
"""The number of a check in the names of random streams; chunks count up from zero."""
_SILENCE = 5.0
"""Seconds of waiting for the runner after which the progress is told again: somebody may wonder."""
_LIVELY = 1.0
_BUSY = 5.0
"""A runner that gave a sign of life so many seconds ago is making its runs one after the other."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """Outputs of some runs: one batch for each data value, all of the same number of runs."""

    runs: int
    batches: tuple[Batch, ...]


class AuditSession:
    """One audit: its runner, its random streams, its clock, and what was spent. A context manager: nothing survives it.

    The runner is started, and the user's module imported, when the first run is asked for, or by `load`.

    claimed: the values of the claim to test. rejected: arguments that the function does not take, or under which it has
    no noise, each as the repr of a dict, and why. has_run: whether some choice of arguments was taken. choices: those
    that were found, for `find_choices`; compared: for `compared_pairs`. own_pairs: as the claim's own neighbour
    function yields them. state: what a later pass can go on from, left by a procedure that can.
    """

    def __init__(self, job: Job, claimed: Sequence[Setting], progress: Progress) -> None:
        self.mechanism, self.settings = job.mechanism, job.settings
        self.machine = isinstance(job, AuditJob) and job.settings.numerics is Numerics.MACHINE
        self.claimed = claimed
        self.seed = seed_of(job.mechanism, job.settings)
        self.texts = TextNumbers()
        self.reader = TextReader(self.texts)
        self.form = data_form(job.mechanism)
        self.coverage, self.glance = Coverage(), Glance()
        self.planned, self.seconds_per_run, self._watched_seconds = 0, 0.0, 0.0
        self.lanes: ResidualRuns | None = None
        self.rejected, self.has_run = dict[str, str](), False
        self.choices: dict[str, list[Any]] = {}
        self.compared: tuple[Program, list[Pair]] | None = None
        self.state: AuditState | None = None
        self._source_text, self._may_run = job.source_text, not isinstance(job, SourceJob)
        self._progress = progress
        self._cancellable = progress if isinstance(progress, Cancellable) else None
        self.others = progress if isinstance(progress, Others) else None
        self._in_order = BlocksInOrder(self._draw, is_drawn, self._block_seconds, self.wait, self.others)
        self.lane_counts: LaneCounts | None = None
        self.screened: set[str] = set()
        """The inputs that lanes have been looked at for."""
        self._interruptible, self._method, self._phase = True, "", ""
        self._before = Coverage()
        self._started, self._begun, self._told = time_had.now(), time.monotonic(), time.monotonic()
        self._runner: Runner | None = None
        self._first_look: float | None = None
        self._pairs: list[Pair] | None = None
        self.own_pairs: list[Pair] = []

    def __enter__(self) -> AuditSession:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._runner is not None:
            self._runner.close()

    def begin(self, method: str, *, interruptible: bool) -> None:
        """Another procedure begins. interruptible: it is ended wherever it tells its progress, if somebody asks."""
        self._method, self._interruptible = method, interruptible
        self._before = self.coverage.copy()

    @property
    def seconds(self) -> float:
        """Time since the audit began, as far as it was to be had."""
        return time_had.now() - self._started

    @property
    def runs(self) -> int:
        """Single executions so far."""
        return self.coverage.runs

    def effort(self, stop: StopReason = StopReason.BUDGET) -> Effort:
        """What was spent and tried so far, for an outcome of the procedure in hand."""
        covered = self.coverage
        elsewhere, fixed = self._in_order.drawn_elsewhere, self.settings.max_runs is not None
        elsewhere += 0 if self.lane_counts is None else self.lane_counts.made_elsewhere
        # Where the number of runs is given, the outcome does not tell who has made them.
        also = [] if fixed or not elsewhere else [f"{elsewhere:,} of the runs were made by other processes"]
        if len(self.own_pairs) == MOST_OWN_PAIRS:
            also.append(f"the first {MOST_OWN_PAIRS} pairs of the claim's neighbour function are looked at, no others")
        return Effort(
            method=self._method,
            looks=covered.looks,
            earlier_runs=covered.earlier_runs,
            runs=covered.runs,
            seconds=time.monotonic() - self._begun,
            pairs=len(self._pairs or ()),
            argument_choices=len(covered.choices),
            events=covered.events,
            alpha=self.settings.alpha,
            seed=self.seed,
            stop=stop,
            notes=(*covered.notes, *also, *(() if self._runner is None else self._runner.left_out)),
            branches=covered.branches,
            forms=form_told(self.mechanism),
        )

    def load(self) -> None:
        """Start the runner and import the user's module, unless that has been done. Raises RunnerError.

        For a job that is about the source alone it raises NothingToRun: whatever asks for it, nothing is executed.
        """
        if not self._may_run:
            raise NothingToRun("nothing is executed where only the source is asked for")
        if self._runner is None:
            self._phase = IMPORTING
            self._runner = Runner(
                self.settings.interpreter,
                deadline=self.settings.deadline,
                memory_mib=self.settings.memory_mib,
                allow=self.settings.allow,
                mechanism=self.mechanism,
                source_text=self._source_text,
                waiting=self._check_patience,
            )
            self.announce(IMPORTING)
            self._runner.load(self.mechanism, self._source_text)

    @property
    def runner(self) -> Runner:
        """The runner, with the user's module imported. Raises RunnerError."""
        self.load()
        assert self._runner is not None
        return self._runner

    def use_lanes(self) -> None:
        """From now on, many runs at once are made of the function itself; `plain` ones excepted."""
        timed = self.settings.max_runs is None
        self.lanes = ResidualRuns(self.runner, self.mechanism, timed=timed)
        self.seconds_per_run, self.screened = 0.0, set()
        # Where the number of runs is given, the outcome does not tell who has made them.
        self.lane_counts = LaneCounts(self.lanes, self.reader, self.glance, self.wait, self.others if timed else None)

    def leave_lanes(self) -> None:
        """From now on, runs call the function."""
        if self.lanes is not None:
            self.lanes, self.lane_counts, self.seconds_per_run = None, None, 0.0

    def take_back(self) -> None:
        """Be as if the procedure in hand had not begun: nothing that it learnt on lanes is kept."""
        self.coverage = self._before.copy()
        self.glance = Glance()
        self.form = data_form(self.mechanism)
        self.rejected.clear()
        self.has_run = False

    def find_pairs(self) -> list[Pair]:
        """The pairs of the claim's relation in both orders, looked for once. Raises NothingToRun if there is none, and
        RunnerError if they come from the user's own callable, which needs the runner, and it fails.
        """
        if self._pairs is None:
            if self.mechanism.claim.pairs is not None:
                self.announce("asking for pairs")
                self.own_pairs = self.runner.pairs(self.mechanism.claim.pairs, MOST_OWN_PAIRS)
                self._pairs = both_orders(self.own_pairs)
            else:
                try:
                    self._pairs = (machine_pairs if self.machine else choose_pairs)(self.mechanism)
                except NoPairs as error:
                    raise NothingToRun(str(error)) from None
        if not self._pairs:
            raise NothingToRun("the neighbour relation leaves no pair: its domain or sensitivity is too narrow")
        return self._pairs

    def measure_speed(self, data: Sequence[DataValue], arguments: Values, stream: Stream) -> None:
        """Make some more runs if they are cheap: the first ones are slower than those that follow."""
        allowed = min(_SPEED_SECONDS, _SPEED_SHARE * self.settings.budget)
        seconds = self.seconds_per_run or self._watched_seconds
        # Where the number of runs is given, it must not hang on the clock.
        fixed = self.settings.max_runs is not None or self.settings.method != ANYTIME
        if fixed or len(data) * _SPEED_RUNS * seconds < allowed:
            for _ in self.sample(data, arguments, _SPEED_RUNS, stream, "first runs"):
                pass
        elif self.seconds_per_run == 0:
            self.learn_speed(seconds)

    def check_time(self) -> None:
        """Raise OutOfTime if the time limit is used up; on a busy machine somebody waits for it, too."""
        limit = self.settings.time_limit
        if self.seconds > limit or time.monotonic() - self._begun > _BUSY * limit:
            raise OutOfTime(f"the time limit of {self.settings.time_limit:g} s was reached")

    def _check_patience(self, quiet: float) -> None:
        """Called while the runner works, which is told. In the first look, where nothing is lost, it may take no more
        than the budget. quiet: seconds since the last sign of life; a single run is a matter of the deadline.

        Raises OutOfTime; the runner has ended then.
        """
        if self._phase == IMPORTING or time.monotonic() - self._told > _SILENCE:
            self._tell(self._phase)
        if self.seconds_per_run > 0 or self.lanes is not None:
            return
        self.check_time()
        budget = self.settings.budget
        if self._first_look is None or self.settings.max_runs is not None or self.settings.method != ANYTIME:
            return
        if quiet < _LIVELY and time_had.now() - self._first_look > max(budget, self.settings.deadline):
            raise OutOfTime(f"the budget of {budget:g} s was over before each input had been run for the first time")

    @property
    def cancelled(self) -> bool:
        """Whether somebody asked this audit to end."""
        return self._cancellable is not None and self._cancellable.cancelled

    def check_cancelled(self) -> None:
        """Raise Cancelled if somebody asked this audit to end. Whoever bets asks between blocks: none is cut in two."""
        if self.cancelled:
            raise Cancelled

    def announce(self, phase: str, standing: Standing | None = None) -> None:
        """Tell the reader what is going on, before a step that makes no runs or when the standing is a new one.

        Raises Cancelled if the procedure in hand is one that may be interrupted, and somebody asked for an end.
        """
        if self._interruptible:
            self.check_cancelled()
        self._tell(phase, standing)

    def _tell(self, phase: str, standing: Standing | None = None) -> None:
        self._phase, self._told = phase, time.monotonic()
        self._progress(phase, self.runs, max(self.planned, self.runs), standing)

    def noise_free(self, data: Sequence[DataValue], arguments: Values) -> tuple[Batch, ...]:
        """One run for each data value with every draw at its centre. Raises RunnerError."""
        return tuple(self.runner.sample(self._request(data, arguments, 1, (0,), noise_free=True)))

    def calls(self, data: Sequence[DataValue], arguments: Values, runs: int, stream: Stream) -> tuple[Batch, ...]:
        """Runs for each data value in one request: the same number of them makes the same draws. Raises RunnerError."""
        self.check_time()
        batches = self.runner.sample(self._request(data, arguments, runs, stream))
        self.coverage.runs += runs * len(data)
        return tuple(map(self.reader.read, batches))

    def look(
        self,
        data: Sequence[DataValue],
        arguments: Values,
        runs: int,
        stream: Stream,
        *,
        noise_free: bool = False,
        lines: bool = False,
        passed_over: bool = False,
    ) -> list[Look]:
        """Watched calls of the function, for each data value: see `Runner.look`. Raises RunnerError."""
        self.check_time()
        before = time_had.now()
        request = self._request(data, arguments, runs, stream, noise_free=noise_free)
        runner = self.runner
        if self.lanes is None:
            self._first_look = self._first_look or before
        found = runner.look(request, lines=lines, passed_over=passed_over)
        if not lines and not passed_over:
            self._watched_seconds = (time_had.now() - before) / max(1, runs * len(data))
        self.coverage.runs += runs * len(data)
        return found

    def trace(
        self,
        data: Sequence[DataValue],
        arguments: Values,
        runs: int,
        stream: Stream,
        given: GivenNoise | None = None,
        *,
        most: int = MOST_DRAWS,
    ) -> list[Trace]:
        """Calls of the function with what they draw, for each data value: see `Runner.trace`. Raises RunnerError."""
        self.check_time()
        found = self.runner.trace(self._request(data, arguments, runs, stream), given, most=most)
        self.coverage.runs += runs * len(data)
        return found

    def constants(self) -> list[int | float | str]:
        """The numbers and short texts that the function and its helpers hold. Raises RunnerError."""
        return self.runner.constants()

    def sample(
        self,
        data: Sequence[DataValue],
        arguments: Values,
        runs: int,
        stream: Stream,
        phase: str,
        *,
        plain: bool = False,
        checked: int | None = None,
    ) -> Iterator[Chunk]:
        """`runs` runs for each data value, in chunks; every chunk draws from streams of its own under `stream`.

        plain: by calling the function, even where other runs are on lanes. checked: lanes of every data value that
        must have been replayed before; None for CHECKED_LANES of a pair, and some of each where there are more. Raises
        RunnerError, NotOnLanes, OutOfTime between chunks.
        """
        lanes = None if plain else self.lanes
        checked = (CHECKED_LANES if len(data) <= 2 else _SCREENED_LANES) if checked is None else checked
        self.check_lanes(data, arguments, checked if lanes is not None else 0, stream)
        if lanes is None:
            blocks = self._in_order.blocks(self._planned(data, arguments, runs, stream))
        else:
            blocks = lanes.blocks(data, arguments, runs, self.seed_for(stream), self.texts)
        done = 0
        while done < runs:
            self.check_time()
            self.announce(phase)
            before = time_had.now()
            count, batches = next(blocks)
            if lanes is not None and lanes is self.lanes:
                self.learn_speed((time_had.now() - before) / (count * len(batches)))
            self.coverage.runs += count * len(batches)
            self.glance.look(batches)
            yield Chunk(count, tuple(map(self.reader.read, batches)))
            done += count

    def _planned(
        self, data: Sequence[DataValue], arguments: Values, runs: int, stream: Stream
    ) -> Iterator[SampleRequest]:
        """The blocks of so many calls for each data value, each of the size that fits when it is asked for."""
        number = 0
        while runs > 0:
            count = min(block_runs(len(data), self.seconds_per_run, self.settings), runs)
            yield self._request(data, arguments, count, (*stream, number))
            runs -= count
            number += 1

    def _draw(self, request: SampleRequest) -> Batches:
        before = time_had.now()
        self._first_look = self._first_look or before
        batches = tuple(self.runner.sample(request))
        if self.lanes is None:
            self.learn_speed((time_had.now() - before) / (request.runs * len(request.datas)))
        return batches

    def wait(self) -> None:
        """While others draw: that it is so is told, and the time limit holds."""
        self.check_time()
        if time.monotonic() - self._told > _SILENCE:
            self._tell(self._phase)

    def check_lanes(
        self,
        data: Sequence[DataValue],
        arguments: Values,
        count: int,
        stream: Stream,
        *,
        needed: bool = False,
    ) -> None:
        """Replay so many lanes of every data value, unless that has been done.

        needed: for a verdict that is known already, also when the time is over. Raises NotOnLanes, RunnerError, and
        OutOfTime unless needed.
        """
        if self.lanes is not None and count:
            if not needed:
                self.check_time()
            self.lanes.check(data, arguments, count, self.seed_for((*stream, _CHECK)))

    def seed_for(self, stream: Stream) -> np.random.SeedSequence:
        """The seed of a stream of this audit."""
        return np.random.SeedSequence(self.seed, spawn_key=stream)

    def _request(
        self,
        data: Sequence[DataValue],
        arguments: Values,
        runs: int,
        stream: Stream,
        *,
        noise_free: bool = False,
    ) -> SampleRequest:
        return SampleRequest(
            datas=tuple(data),
            arguments=dict(arguments),
            runs=runs,
            block=_BLOCK,
            seed=(self.seed, stream),
            noise_free=noise_free,
        )

    def _block_seconds(self, request: SampleRequest) -> float:
        """What a block should take; 0 if that is not known, or it cannot be drawn elsewhere."""
        if self.lanes is not None or any(value.handle is not None for value in request.datas):
            return 0.0
        return self.seconds_per_run * request.runs * len(request.datas)

    def learn_speed(self, seconds: float) -> None:
        """A run took so long."""
        self.seconds_per_run = seconds if self.seconds_per_run == 0 else (self.seconds_per_run + 3 * seconds) / 4

    def data_value(self, pair: Pair, side: int) -> DataValue:
        """Side 1 or 2 of a pair as the runner takes it."""
        if pair.handle is not None and not pair.plain:
            return DataValue(value=None, form=AS_IT_IS, handle=pair.handle[side - 1])
        data = pair.d1 if side == 1 else pair.d2
        return DataValue(value=data, form=self.form if pair.handle is None else AS_IT_IS, handle=None)
