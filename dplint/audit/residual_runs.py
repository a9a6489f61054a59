"""Runs by residual programs: the function is traced in the runner, and its operations run here, many runs at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.audit.lane_blocks import NotOnLanes, child
from dplint.audit.lane_runs import WrongTranslation, shown_example, shown_output
from dplint.audit.translation import first_difference
from dplint.claims import Literal
from dplint.outcomes import ExampleDraw
from dplint.readings.lanes import BLOCK, SharedNoise, block_for
from dplint.runner.batch import Batch, DataValue
from dplint.runner.client import DrawEvent, NotTracedError, PerRun, ReplayRequest, Runner
from dplint.runner.lane_draws import values_in
from dplint.runner.residual import NotResidual, Output, ResidualDraws, ResidualProgram
from dplint.runner.residual_outputs import ResidualOutputs
from dplint.runner.texts import TextNumbers
from dplint.tracing import inputs
from dplint.tracing.each import differs
from dplint.tracing.lanes import tracer
from dplint.tracing.recording import Values

_TRACED = 1 << 23
"""The number of what the runner traces in the names of random streams."""
_EXAMPLE_BLOCKS = (50, 450, 1_500, 3_000)
TOLERANCE = 1e-9
"""By which floats may differ, relative to the larger one or to 1: NumPy rounds sums and exponentials in other ways."""


class ResidualRuns:
    """See `CheckedRuns`: operations run here, and the function itself on some of their draws."""

    def __init__(self, runner: Runner) -> None:
        major, minor = runner.versions[0].split(".")[:2]
        self.python, self.dear = (int(major), int(minor)), False
        self._runner = runner
        self._block = BLOCK
        self._programs: dict[str, ResidualProgram] = {}
        self._draws = ResidualDraws()
        self._checked: dict[str, int] = {}
        self._known: set[str] = set()
        self._asked = 0
        self._any_data = True
        self.seconds, self.seconds_per_run = 0.0, float("inf")

    @property
    def chunk(self) -> int:
        """See `RunBlocks`."""
        return self._block

    @property
    def stacks(self) -> bool:
        """See `RunBlocks`: each data value has a program of its own."""
        return False

    def limit(self, runs: int) -> None:
        """See `RunBlocks`."""
        self._block = min(self._block, runs)

    def is_new(self, name: str) -> bool:
        """See `CheckedRuns`."""
        new = name not in self._known
        self._known.add(name)
        return new

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers,
        *,
        together: bool,  # noqa: ARG002 - they may, and need not
    ) -> Iterator[tuple[int, tuple[Batch, ...]]]:
        """See `RunBlocks`."""
        number = 0
        while runs > 0:
            count = min(max(1, 2 * self._block // max(2, len(data))), runs)
            streams = [child(seed, number, place) for place in range(len(data))]
            yield count, tuple(
                self.sample(value, arguments, count, stream, None, texts)
                for value, stream in zip(data, streams, strict=True)
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
        before = time.monotonic()
        outputs = ResidualOutputs(texts or TextNumbers())
        self._draws.begin(seed, shared)
        self._run(data, arguments, runs, outputs.take)
        batch = outputs.batch(runs)
        seconds = time.monotonic() - before
        self.seconds += seconds
        self.seconds_per_run = min(self.seconds_per_run, seconds / runs)
        return batch

    def check(
        self, data: DataValue, arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        """See `CheckedRuns`."""
        key = _key(data, arguments)
        if self._checked.get(key, 0) >= lanes:
            return
        mine, events = self._with_draws(data, arguments, lanes, seed)
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
        self._block = min(self._block, block_for(drawn / lanes))

    def example(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        in_event: Callable[[object], bool],
        seed: np.random.SeedSequence,
    ) -> tuple[ExampleDraw, ...]:
        """See `CheckedRuns`."""
        for number, lanes in enumerate(_EXAMPLE_BLOCKS):
            mine, events = self._with_draws(data, arguments, lanes, child(seed, number))
            for lane, output in enumerate(mine.likenesses_in_turn()):
                if in_event(output):
                    alone = [event for event in (_of_lane(event, lane) for event in events) if event is not None]
                    return shown_example(self._runner, data, arguments, in_event, alone)
        return ()

    def _with_draws(
        self, data: DataValue, arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> tuple[Batch, list[DrawEvent]]:
        """Outputs in the order of the lanes, with what was drawn for them."""
        outputs, events = ResidualOutputs(TextNumbers(), placed=True), list[DrawEvent]()

        def take(output: Output, values: Values) -> None:
            outputs.take(output, values)
            events.extend(_events())

        self._draws.begin(seed)
        self._run(data, arguments, lanes, take, draws_wanted=True)
        return outputs.batch(lanes), events

    def _run(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        runs: int,
        take: Callable[[Output, Values], None],
        *,
        draws_wanted: bool = False,
    ) -> None:
        """Raises NotOnLanes."""

        numbers = _numbers(data) if self._any_data else None
        if numbers is not None:
            inputs.use(numbers)
            key = _key(inputs.shape_of_inputs(numbers), arguments)
            try:
                self._go(key, data, arguments, runs, take, draws_wanted=draws_wanted, any_data=True)
                return
            except (NotTracedError, NotResidual):
                self._any_data = False
        try:
            self._go(_key(data, arguments), data, arguments, runs, take, draws_wanted=draws_wanted, any_data=False)
        except (NotTracedError, NotResidual) as reason:
            raise NotOnLanes(str(reason)) from None

    def _go(
        self,
        key: str,
        data: DataValue,
        arguments: Mapping[str, Literal],
        runs: int,
        take: Callable[[Output, Values], None],
        *,
        draws_wanted: bool,
        any_data: bool,
    ) -> None:
        def ask(count: int, made: Sequence[Any]) -> Any:
            self._asked += 1
            stream = (0, (_TRACED, self._asked))
            return self._runner.record(data, arguments, count, stream, made, any_data=any_data)

        program = self._programs.get(key)
        if program is None:
            program = self._programs[key] = ResidualProgram(ask)
        program.run(runs, self._draws, take, ask, draws_wanted=draws_wanted)


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


def _events() -> Iterator[DrawEvent]:
    """The draws of the path that has come to its end, of all its lanes."""
    for draw in tracer.draws:
        here = np.arange(tracer.count) if draw.mask is None else np.flatnonzero(tracer.rows(draw.mask))
        if draw.asked is None or not len(here):
            continue
        places = here.tolist()
        parameters = tuple(
            (name, PerRun(values_in(value, places)) if differs(value) else values_in(value, [0])[0])
            for name, value in draw.asked.parameters.items()
        )
        values = values_in(draw.asked.value, places)
        yield DrawEvent(draw.asked.distribution, parameters, draw.asked.size, tracer.lanes[here], values)


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
