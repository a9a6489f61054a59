"""Runs by residual programs: the function is traced in the runner, and its operations run here, many runs at once."""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np

from dplint.audit.run_blocks import (
    EXAMPLE_BLOCKS,
    NotOnLanes,
    WrongTranslation,
    child,
    compare_speed,
    first_difference,
    shown_example,
    shown_output,
)
from dplint.claims import Literal, Mechanism, Span
from dplint.outcomes import ExampleDraw
from dplint.runner import time_had
from dplint.runner.batch import Batch, DataValue
from dplint.runner.client import DrawEvent, NotTracedError, PerRun, ReplayRequest, Runner
from dplint.runner.lane_draws import values_in
from dplint.runner.residual import NotResidual, ResidualDraws, ResidualProgram
from dplint.runner.residual_outputs import ResidualOutputs
from dplint.runner.residual_tree import Output
from dplint.runner.shared_noise import SharedNoise
from dplint.runner.texts import TextNumbers
from dplint.sites import DrawSite
from dplint.tracing import inputs
from dplint.tracing.each import differs
from dplint.tracing.inputs import Inputs
from dplint.tracing.lanes import tracer
from dplint.tracing.recording import Values

TOLERANCE = 1e-9
"""By which floats may differ, relative to the larger one or to 1: NumPy rounds sums and exponentials in other ways."""

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
_FORMS = ("list", "tuple", "array", "scalar", "dict", "numbered dict", "list of tuples", "list of lists")
"""Of data whose parts come in the order of its literal."""
_TOGETHER = 1 << 14
"""Runs up to which data values share a block: with more, what is only about data is better done once for each."""


def _block_for(draws: float) -> int:
    """How many runs to make together if each makes so many draws."""
    block = _BLOCK
    while block > _LEAST_BLOCK and block * draws > _BLOCK * _DRAWS:
        block //= 2
    return block


class ResidualRuns:
    """The runs of one mechanism, many at once: operations run here, and the function itself on some of their draws.

    Deterministic: the same seed gives the same runs. A caller that asks for `chunk` runs at a time needs the memory of
    one block, whatever the number of runs.

    seconds: what all runs so far took, those of checks and examples excepted. seconds_per_run: of the fastest ones.
    """

    def __init__(self, runner: Runner, mechanism: Mechanism, *, timed: bool = False) -> None:
        """timed: whether the clock may decide that runs are made by calls."""
        self.mechanism = mechanism
        self._runner, self._timed = runner, timed
        self._block = _BLOCK
        self._programs: dict[str, ResidualProgram] = {}
        self._draws = ResidualDraws()
        self._checked: dict[str, int] = {}
        self._asked, self._compared = 0, False
        self._any_data: bool | None = None
        self.seconds, self.seconds_per_run = 0.0, math.inf

    @property
    def chunk(self) -> int:
        """Runs whose outputs fit into memory, for one data value."""
        return self._block

    def limit(self, runs: int) -> None:
        """From now on, make at most so many runs at once."""
        self._block = min(self._block, runs)

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers,
    ) -> Iterator[tuple[int, tuple[Batch, ...]]]:
        """So many runs of every data value in blocks, each with its number of runs and from streams of its own.

        texts: the numbers of texts in outputs. Raises NotOnLanes.
        """
        number = 0
        while runs > 0:
            count = min(max(1, 2 * self._block // max(2, len(data))), runs)
            yield count, self._samples(data, arguments, count, child(seed, number), texts)
            runs -= count
            number += 1

    def _samples(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers,
    ) -> tuple[Batch, ...]:
        """So many runs of each data value, several of them together where that takes less time."""
        batches: dict[int, Batch] = {}
        for places in self._of_one_shape(data, arguments, runs):
            chosen = [data[place] for place in places]
            made = self.together(chosen, arguments, runs, child(seed, places[0]), None, texts)
            batches.update(zip(places, made, strict=True))
        return tuple(batches[place] for place in range(len(data)))

    def _of_one_shape(
        self, data: Sequence[DataValue], arguments: Mapping[str, Literal], runs: int
    ) -> Iterator[list[int]]:
        """The places of the data values that share blocks: those of one shape, if there are few runs of each."""
        shapes: dict[Any, list[int]] = {}
        for place, value in enumerate(data):
            given = self._for_any_data(value, arguments) if runs * 2 <= _TOGETHER else None
            shape = place if given is None else (given.shape,)
            shapes.setdefault(shape, []).append(place)
        most = max(1, _TOGETHER // runs)
        for places in shapes.values():
            for first in range(0, len(places), most):
                yield places[first : first + most]

    def sample(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        shared: SharedNoise | None = None,
        texts: TextNumbers | None = None,
    ) -> Batch:
        """Outputs of so many runs. texts: the numbers of those in outputs. Raises NotOnLanes."""
        (batch,) = self.together([data], arguments, runs, seed, shared, texts or TextNumbers())
        return batch

    def together(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        shared: SharedNoise | None,
        texts: TextNumbers,
    ) -> tuple[Batch, ...]:
        """So many runs of each of some data values, of one shape if there are several."""

        def apart() -> tuple[Batch, ...]:
            streams = [child(seed, place) for place in range(len(data))]
            return tuple(
                self.sample(value, arguments, runs, stream, shared, texts)
                for value, stream in zip(data, streams, strict=True)
            )

        if len(data) > 1 and not self._any_data:
            return apart()
        before = time_had.now()
        outputs = ResidualOutputs(texts, runs, len(data))
        try:
            self._run(data, arguments, runs, outputs.take, seed, shared)
        except (NotTracedError, NotResidual) as reason:
            self._go_on_otherwise(reason)
            return apart()
        batches = outputs.batches()
        seconds, made = time_had.now() - before, runs * len(data)
        self.seconds += seconds
        self.seconds_per_run = min(self.seconds_per_run, seconds / made)
        if self._timed and not self._compared and seconds > _SLOW and self.seconds > _PATIENCE:
            self._compared = True
            compare_speed(self._runner, data[0], arguments, seed, seconds / made)
        return batches

    def check(
        self, data: Sequence[DataValue], arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        """Replay so many lanes of each data value through the user's function, unless as many have been checked on it.

        Raises NotOnLanes if anything differs, RunnerError if the function does not come to an end.
        """
        left = [value for value in data if self._checked.get(_key(value, arguments), 0) < lanes]
        for places in self._of_one_shape(left, arguments, lanes):
            self._check([left[place] for place in places], arguments, lanes, child(seed, places[0]))

    def _check(
        self, data: Sequence[DataValue], arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        if len(data) > 1 and not self._any_data:
            self.check(data, arguments, lanes, seed)
            return
        try:
            made = self._with_draws(data, arguments, lanes, seed)
        except (NotTracedError, NotResidual) as reason:
            self._go_on_otherwise(reason)
            self.check(data, arguments, lanes, seed)
            return
        self._replay(data, arguments, made)
        for value, (_, events) in zip(data, made, strict=True):
            self._checked[_key(value, arguments)] = lanes
            drawn = sum(np.size(np.asarray(event.values)) for event in events)
            self._block = min(self._block, _block_for(drawn / lanes))

    def _replay(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        made: Sequence[tuple[Batch, Sequence[DrawEvent]]],
    ) -> None:
        """Make the same runs by the function, with these draws. Raises WrongTranslation where they differ."""
        again = self._runner.replays(
            [
                ReplayRequest(value, arguments, mine.runs, events, TOLERANCE)
                for value, (mine, events) in zip(data, made, strict=True)
            ]
        )
        for (mine, _), replayed in zip(made, again, strict=True):
            if replayed.wrong_runs:
                raise WrongTranslation(f"the check of its operations failed: {replayed.complaints[0]}")
            wrong = first_difference(mine, replayed.batch, TOLERANCE)
            if wrong is not None:
                raise WrongTranslation(
                    "the check of its operations failed: on the same draws the function gives "
                    f"{shown_output(replayed.batch, wrong)} and its operations {shown_output(mine, wrong)}"
                )

    def example(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        in_event: Callable[[object], bool],
        seed: np.random.SeedSequence,
    ) -> tuple[ExampleDraw, ...]:
        """What was drawn in one run whose output is in an event, in the order of the draws; empty if none was found."""
        for number, lanes in enumerate(EXAMPLE_BLOCKS):
            try:
                ((mine, events),) = self._with_draws([data], arguments, lanes, child(seed, number))
            except (NotTracedError, NotResidual):
                break
            for lane, output in enumerate(mine.likenesses_in_turn()):
                if in_event(output):
                    alone = [event for event in (_of_lane(event, lane) for event in events) if event is not None]
                    alone = _with_turns(alone)
                    return shown_example(self._runner, data, arguments, in_event, alone)
        return ()

    def _go_on_otherwise(self, reason: Exception) -> None:
        """What no program for all data of a shape tells, one for each data value may. Raises NotOnLanes."""
        if not self._any_data:
            raise NotOnLanes(str(reason)) from None
        self._any_data = False

    def _with_draws(
        self, data: Sequence[DataValue], arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> list[tuple[Batch, list[DrawEvent]]]:
        """For each data value outputs in the order of the lanes, with what was drawn for them. Raises as `_run`."""
        outputs = ResidualOutputs(TextNumbers(), lanes, len(data), placed=True)
        events: list[list[DrawEvent]] = [[] for _ in data]

        def take(output: Output, values: Values) -> None:
            outputs.take(output, values)
            for number, (start, stop) in enumerate(pairwise(outputs.edges(tracer.lanes))):
                if start < stop:
                    events[number].extend(self._events(start, stop, number * lanes))

        self._run(data, arguments, lanes, take, seed, draws_wanted=True)
        return list(zip(outputs.batches(), events, strict=True))

    def _events(self, start: int, stop: int, first: int) -> Iterator[DrawEvent]:
        """The draws of the path that has come to its end, of its lanes `start` to `stop`, numbered from `first`."""
        for draw in tracer.draws:
            here = np.arange(start, stop)
            if draw.mask is not None:
                here = here[tracer.rows(draw.mask)[start:stop]]
            asked, places = draw.asked, here.tolist()
            if asked is None or not places:
                continue
            parameters = tuple(
                (name, PerRun(values_in(value, places)) if differs(value) else values_in(value, [0])[0])
                for name, value in asked.parameters.items()
            )
            values = values_in(asked.value, places)
            site = self._site(asked.place) if asked.place else None
            yield DrawEvent(asked.distribution, parameters, asked.size, tracer.lanes[here] - first, values, site)

    def _site(self, place: Sequence[tuple[str, int, int, int, int]]) -> DrawSite:
        *calls, draw = (
            Span(first, column, last, end, shown_file(self.mechanism, file)) for file, first, column, last, end in place
        )
        return DrawSite(draw, tuple(calls))

    def _run(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        take: Callable[[Output, Values], None],
        seed: np.random.SeedSequence,
        shared: SharedNoise | None = None,
        *,
        draws_wanted: bool = False,
    ) -> None:
        """So many runs of each data value; several are of one shape. Raises NotTracedError, NotResidual."""
        given = self._for_any_data(data[0], arguments)
        if given is not None:
            every = [given, *(one for one in map(self._inputs, data[1:]) if one is not None)]
            inputs.use([one.parts for one in every], np.repeat(np.arange(len(data)), runs))
        program = self._program(data, runs, arguments, given)
        self._draws.begin(seed, shared)
        program.run(runs * len(data), self._draws, take, draws_wanted=draws_wanted)

    def _for_any_data(self, data: DataValue, arguments: Mapping[str, Literal]) -> Inputs | None:
        """The shape and the parts of data where one program is for all data of its shape, else None."""
        if self._any_data is False:
            return None
        given = self._inputs(data)
        if given is not None and self._any_data is None:
            self._any_data = self._is_for_any_data(data, arguments, given)
        return given if self._any_data else None

    def _inputs(self, data: DataValue) -> Inputs | None:
        """The parts of data that is made of lists, tuples, dicts, numbers and texts, or an array of numbers."""
        if data.handle is not None or data.form not in _FORMS or self.mechanism.claim.apart:
            return None
        try:
            return inputs.inputs_of(np.array(data.value) if data.form == "array" else data.value)
        except ValueError:
            return None

    def _is_for_any_data(self, data: DataValue, arguments: Mapping[str, Literal], given: Inputs) -> bool:
        """Whether one program for all data of a shape is as good as one for each data value."""
        calls = []
        for any_data in (True, False):
            inputs.use([given.parts])
            before = tracer.one_by_one_calls
            self._draws.begin(np.random.SeedSequence(0, spawn_key=(_TRIED,)))
            try:
                program = self._program([data], _TRIED_RUNS, arguments, given if any_data else None)
                program.run(_TRIED_RUNS, self._draws, lambda *_: None)
            except (NotTracedError, NotResidual):
                if any_data:
                    return False
                break
            calls.append(tracer.one_by_one_calls - before)
            if not calls[0]:
                break
        return len(calls) == 1 or calls[0] < calls[1] + _TRIED_RUNS

    def _program(
        self, data: Sequence[DataValue], runs: int, arguments: Mapping[str, Literal], given: Inputs | None
    ) -> ResidualProgram:
        """The residual program for so many runs of each input. given: the first one, if it is for any data."""

        def ask(count: int, made: Sequence[Any], lanes: Sequence[int]) -> Any:
            self._asked += 1
            stream = (0, (_TRACED, self._asked))
            of_runs = None
            if given is not None:
                of_runs = [lane // runs for lane in lanes] or [number % len(data) for number in range(count)]
            return self._runner.record(data, arguments, count, stream, made, of_runs=of_runs)

        key = _key(data[0] if given is None else given.shape, arguments)
        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = ResidualProgram(ask)
        program.ask = ask
        return program


def shown_file(mechanism: Mechanism, file: str) -> str:
    """A file as spans have it: empty for the mechanism's own, else as seen from the project's folder."""
    if file == mechanism.path:
        return ""
    return os.path.relpath(file, mechanism.project_root) if mechanism.project_root else file


def _key(data: object, arguments: Mapping[str, Literal]) -> str:
    return repr((data, sorted(arguments.items())))


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
