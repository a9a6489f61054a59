"""Runs by residual programs: the function is traced in the runner, and its operations run here, many runs at once."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dplint.audit.differences import first_difference
from dplint.audit.run_blocks import EXAMPLE_BLOCKS, WrongTranslation, child, shown_example, shown_output
from dplint.audit.traced_runs import TracedRuns, compare_speed
from dplint.claims import Literal, Mechanism, Span
from dplint.outcomes import ExampleDraw
from dplint.runner import time_had
from dplint.runner.batch import Batch, DataValue
from dplint.runner.client import DrawEvent, NotTracedError, PerRun, ReplayRequest, Runner
from dplint.runner.lane_draws import values_in
from dplint.runner.residual import NotResidual, Output, ResidualDraws, ResidualProgram
from dplint.runner.residual_outputs import ResidualOutputs
from dplint.runner.shared_noise import SharedNoise
from dplint.runner.texts import TextNumbers
from dplint.runner.traced_runs import TOLERANCE
from dplint.sites import DrawSite
from dplint.tracing import inputs
from dplint.tracing.each import differs
from dplint.tracing.lanes import tracer
from dplint.tracing.recording import Values

_TRACED = 1 << 23
"""The number of what the runner traces in the names of random streams."""
_TRIED, _TRIED_RUNS = 1 << 24, 64
"""Runs that tell which program is better, and their number in the names of random streams."""

_SLOW, _PATIENCE = 0.25, 1.0
"""Seconds of one block, and of all, after which it is looked whether calls would be faster."""
_BLOCK = 131_072
"""Runs that are made together at most: enough to make NumPy's calls cheap."""
_DRAWS = 12
"""Draws of a run with which a full block stays in cache; with more, blocks are smaller."""
_LEAST_BLOCK = 256


def _block_for(draws: float) -> int:
    """How many runs to make together if each makes so many draws."""
    block = _BLOCK
    while block > _LEAST_BLOCK and block * draws > _BLOCK * _DRAWS:
        block //= 2
    return block


class ResidualRuns:
    """See `CheckedRuns`: operations run here, and the function itself on some of their draws.

    What operations do not tell is run in the runner (`TracedRuns`), from the first input on where that shows.
    """

    def __init__(self, runner: Runner, mechanism: Mechanism, *, timed: bool = False) -> None:
        """timed: whether the clock may decide that runs are made in another way, or by calls."""
        self.mechanism = mechanism
        self._runner, self._timed = runner, timed
        self._block = _BLOCK
        self._programs: dict[str, ResidualProgram] = {}
        self._draws = ResidualDraws()
        self._checked: dict[str, int] = {}
        self._asked, self._compared = 0, False
        self._any_data: bool | None = None
        self._instead: TracedRuns | None = None
        self._seconds, self._seconds_per_run = 0.0, math.inf

    @property
    def are_in_the_runner(self) -> bool:
        """Whether operations do not tell what the function does."""
        return self._instead is not None

    @property
    def seconds(self) -> float:
        """See `RunBlocks`."""
        return self._seconds if self._instead is None else self._instead.seconds

    @property
    def seconds_per_run(self) -> float:
        """See `RunBlocks`."""
        return self._seconds_per_run if self._instead is None else self._instead.seconds_per_run

    @property
    def chunk(self) -> int:
        """See `RunBlocks`."""
        return self._block if self._instead is None else self._instead.chunk

    def limit(self, runs: int) -> None:
        """See `RunBlocks`."""
        self._block = min(self._block, runs)
        if self._instead is not None:
            self._instead.limit(runs)

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers,
    ) -> Iterator[tuple[int, tuple[Batch, ...]]]:
        """See `RunBlocks`."""
        number = 0
        while runs > 0:
            if self._instead is not None:
                yield from self._instead.blocks(data, arguments, runs, child(seed, number), texts)
                return
            count = min(max(1, 2 * self._block // max(2, len(data))), runs)
            streams = [child(seed, number, place) for place in range(len(data))]
            yield (
                count,
                tuple(
                    self.sample(value, arguments, count, stream, None, texts)
                    for value, stream in zip(data, streams, strict=True)
                ),
            )
            runs -= count
            number += 1

    def sample(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        shared: SharedNoise | None = None,
        texts: TextNumbers | None = None,
    ) -> Batch:
        """See `RunBlocks`."""
        if self._instead is not None:
            return self._instead.sample(data, arguments, runs, seed, shared, texts)
        before = time_had.now()
        outputs = ResidualOutputs(texts or TextNumbers())
        try:
            self._run(data, arguments, runs, outputs.take, seed, shared)
        except (NotTracedError, NotResidual):
            self._go_on_otherwise()
            return self.sample(data, arguments, runs, seed, shared, texts)
        batch = outputs.batch(runs)
        seconds = time_had.now() - before
        self._seconds += seconds
        self._seconds_per_run = min(self._seconds_per_run, seconds / runs)
        if self._timed and not self._compared and seconds > _SLOW and self._seconds > _PATIENCE:
            self._compared = True
            compare_speed(self._runner, data, arguments, seed, seconds / runs)
        return batch

    def check(
        self, data: DataValue, arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        """See `CheckedRuns`."""
        if self._instead is not None:
            self._instead.check(data, arguments, lanes, seed)
            return
        key = _key(data, arguments)
        if self._checked.get(key, 0) >= lanes:
            return
        try:
            mine, events = self._with_draws(data, arguments, lanes, seed)
        except (NotTracedError, NotResidual):
            self._go_on_otherwise()
            self.check(data, arguments, lanes, seed)
            return
        replayed = self._runner.replay(ReplayRequest(data, arguments, lanes, events, TOLERANCE))
        if replayed.wrong_runs:
            raise WrongTranslation(f"the check of its operations failed: {replayed.complaints[0]}")
        wrong = first_difference(mine, replayed.batch, 0, TOLERANCE)
        if wrong is not None:
            raise WrongTranslation(
                "the check of its operations failed: on the same draws the function gives "
                f"{shown_output(replayed.batch, wrong)} and its operations {shown_output(mine, wrong)}"
            )
        self._checked[key] = lanes
        drawn = sum(np.size(np.asarray(event.values)) for event in events)
        self._block = min(self._block, _block_for(drawn / lanes))

    def example(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        in_event: Callable[[object], bool],
        seed: np.random.SeedSequence,
    ) -> tuple[ExampleDraw, ...]:
        """See `CheckedRuns`."""
        for number, lanes in enumerate(EXAMPLE_BLOCKS if self._instead is None else ()):
            try:
                mine, events = self._with_draws(data, arguments, lanes, child(seed, number))
            except (NotTracedError, NotResidual):
                break
            for lane, output in enumerate(mine.likenesses_in_turn()):
                if in_event(output):
                    alone = [event for event in (_of_lane(event, lane) for event in events) if event is not None]
                    alone = _with_turns(alone)
                    return shown_example(self._runner, data, arguments, in_event, alone)
        return ()

    def _go_on_otherwise(self) -> None:
        """What no program for all data of a shape tells, one for each data value may."""
        if self._any_data:
            self._any_data = False
        else:
            self._go_on_in_the_runner()

    def _go_on_in_the_runner(self) -> None:
        self._instead = TracedRuns(self._runner, timed=self._timed)
        self._instead.limit(self._block)

    def _with_draws(
        self, data: DataValue, arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> tuple[Batch, list[DrawEvent]]:
        """Outputs in the order of the lanes, with what was drawn for them. Raises as `_run`."""
        outputs, events = ResidualOutputs(TextNumbers(), placed=True), list[DrawEvent]()

        def take(output: Output, values: Values) -> None:
            outputs.take(output, values)
            events.extend(self._events())

        self._run(data, arguments, lanes, take, seed, draws_wanted=True)
        return outputs.batch(lanes), events

    def _events(self) -> Iterator[DrawEvent]:
        """The draws of the path that has come to its end, of all its lanes."""
        for draw in tracer.draws:
            here = np.arange(tracer.count) if draw.mask is None else np.flatnonzero(tracer.rows(draw.mask))
            asked, places = draw.asked, here.tolist()
            if asked is None or not places:
                continue
            parameters = tuple(
                (name, PerRun(values_in(value, places)) if differs(value) else values_in(value, [0])[0])
                for name, value in asked.parameters.items()
            )
            values = values_in(asked.value, places)
            site = self._site(asked.place) if asked.place else None
            yield DrawEvent(asked.distribution, parameters, asked.size, tracer.lanes[here], values, site)

    def _site(self, place: Sequence[tuple[str, int, int, int, int]]) -> DrawSite:
        *calls, draw = (Span(first, column, last, end, self._shown(file)) for file, first, column, last, end in place)
        return DrawSite(draw, tuple(calls))

    def _shown(self, file: str) -> str:
        if file == self.mechanism.path:
            return ""
        root = self.mechanism.project_root
        return os.path.relpath(file, root) if root else file

    def _run(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        runs: int,
        take: Callable[[Output, Values], None],
        seed: np.random.SeedSequence,
        shared: SharedNoise | None = None,
        *,
        draws_wanted: bool = False,
    ) -> None:
        """Raises NotTracedError, NotResidual."""
        numbers = _numbers(data)
        if numbers is not None and self._any_data is None:
            self._any_data = self._is_for_any_data(data, arguments, numbers)
        any_data = False
        if numbers is not None and self._any_data:
            any_data = True
            inputs.use(numbers)
        program = self._program(data, arguments, any_data=any_data)
        self._draws.begin(seed, shared)
        program.run(runs, self._draws, take, draws_wanted=draws_wanted)

    def _is_for_any_data(self, data: DataValue, arguments: Mapping[str, Literal], numbers: list[Any]) -> bool:
        """Whether one program for all data of a shape is as good as one for each data value."""
        calls = []
        for any_data in (True, False):
            inputs.use(numbers)
            before = tracer.one_by_one_calls
            self._draws.begin(np.random.SeedSequence(0, spawn_key=(_TRIED,)))
            try:
                self._program(data, arguments, any_data=any_data).run(_TRIED_RUNS, self._draws, lambda *_: None)
            except (NotTracedError, NotResidual):
                if any_data:
                    return False
                break
            calls.append(tracer.one_by_one_calls - before)
            if not calls[0]:
                break
        return len(calls) == 1 or calls[0] <= calls[1]

    def _program(self, data: DataValue, arguments: Mapping[str, Literal], *, any_data: bool) -> ResidualProgram:
        """The residual program for these inputs."""

        def ask(count: int, made: Sequence[Any]) -> Any:
            self._asked += 1
            stream = (0, (_TRACED, self._asked))
            return self._runner.record(data, arguments, count, stream, made, any_data=any_data)

        numbers = _numbers(data) if any_data else None
        key = _key(data if numbers is None else inputs.shape_of_inputs(numbers), arguments)
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = ResidualProgram(ask)
        program.ask = ask
        return program


def _key(data: object, arguments: Mapping[str, Literal]) -> str:
    return repr((data, sorted(arguments.items())))


def _numbers(data: DataValue) -> list[Any] | None:
    """The numbers of data that is a list, a tuple, an array or a number."""
    if data.handle is not None or data.form not in ("list", "tuple", "array", "scalar"):
        return None
    try:
        value = np.array(data.value) if data.form == "array" else data.value
    except ValueError:
        return None
    return inputs.numbers_of(value)


def _with_turns(events: Sequence[DrawEvent]) -> list[DrawEvent]:
    """The draws of one run, those of a place that draws several times with their turn there."""
    times, numbered = Counter(event.site for event in events), Counter[DrawSite | None]()
    found = []
    for event in events:
        site = event.site
        if site is not None and times[site] > 1:
            found.append(replace(event, site=replace(site, turns=(numbered[site],))))
            numbered[site] += 1
        else:
            found.append(event)
    return found


def _of_lane(event: DrawEvent, lane: int) -> DrawEvent | None:
    """The same of one lane, as that of the only run; None if it is not in it."""
    assert event.rows is not None
    rows = np.flatnonzero(np.asarray(event.rows) == lane)
    if not len(rows):
        return None
    row = int(rows[0])
    parameters = tuple(
        (name, PerRun([value.values[row]]) if isinstance(value, PerRun) else value) for name, value in event.parameters
    )
    return DrawEvent(event.distribution, parameters, event.size, [0], [event.values[row]], event.site)
