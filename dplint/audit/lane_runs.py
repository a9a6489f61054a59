"""Runs on lanes in place of plain runs: made in the worker, checked against the user's function in the runner."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.audit.lane_blocks import LaneBlocks, NotOnLanes
from dplint.audit.translation import events_of, first_difference, tolerance
from dplint.claims import Literal, Mechanism
from dplint.outcomes import ExampleDraw
from dplint.program.nodes import Program
from dplint.readings.lanes import KeptDraws, Outputs, SampledDraws, block_for
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue, DrawEvent, ReplayRequest, Runner
from dplint.runner.texts import TextNumbers

_LEAST_SPACE = 16
"""The check compacts early, so that it sees what larger blocks will do."""
EXAMPLE_BLOCKS = (50, 450, 1_500, 3_000)
"""How many lanes are looked at, block by block, for one that shows an event."""
_MOST_EXAMPLE_DRAWS = 1_000
"""Of a run that is an example."""


class WrongTranslation(NotOnLanes):
    """The program is not the function: on the same draws, or in distribution, they give different outputs."""


class LaneRuns(LaneBlocks):
    """One mechanism on lanes, and its user's function beside it."""

    def __init__(self, program: Program, mechanism: Mechanism, runner: Runner, *, timed: bool = False) -> None:
        major, minor = runner.versions[0].split(".")[:2]
        super().__init__(program, mechanism, (int(major), int(minor)), timed=timed)
        self._runner = runner
        self._ulps = tolerance(program)
        self._checked: dict[str, int] = {}

    def check(
        self, data: DataValue, arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        """Replay lanes through the user's function, unless as many have been checked on this input.

        Raises NotOnLanes if anything differs, RunnerError if the function does not come to an end.
        """
        key = repr((data, sorted(arguments.items())))
        if self._checked.get(key, 0) >= lanes:
            return
        draws, outputs = KeptDraws(SampledDraws(seed)), Outputs(TextNumbers(), placed=True)
        block = self._read(self._given(data, arguments), lanes, draws, outputs.texts, _LEAST_SPACE)
        outputs.add(block)
        events = events_of(draws.made, block)
        replayed = self._runner.replay(ReplayRequest(data, arguments, lanes, events))
        if replayed.wrong_runs:
            raise WrongTranslation(f"the check of the translation failed: {replayed.complaints[0]}")
        mine = outputs.batch()
        wrong = first_difference(mine, replayed.batch, self._ulps)
        if wrong is not None:
            raise WrongTranslation(
                "the check of the translation failed: on the same draws the function gives "
                f"{shown_output(replayed.batch, wrong)} and its translation {shown_output(mine, wrong)}"
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
        """What was drawn in one run whose output is in an event, in the order of the draws.

        in_event: whether an output is, as `Batch.likenesses` has it. The draws are replayed through the user's
        function, and it is the function's output that is in the event. Empty if none of 5,000 runs is, and for a run
        of more than 1,000 draws. Raises NotOnLanes, WrongTranslation if the function makes other draws or has an
        output that is not in the event, and RunnerError if it does not come to an end.
        """
        source = SampledDraws(seed)
        for lanes in EXAMPLE_BLOCKS:
            draws, outputs = KeptDraws(source), Outputs(TextNumbers(), placed=True)
            block = self._read(self._given(data, arguments), lanes, draws, outputs.texts)
            outputs.add(block)
            for lane, output in enumerate(outputs.batch().likenesses_in_turn()):
                if in_event(output):
                    events = events_of(draws.made, block, lane)
                    return shown_example(self._runner, data, arguments, in_event, events)
        return ()


def shown_example(
    runner: Runner,
    data: DataValue,
    arguments: Mapping[str, Literal],
    in_event: Callable[[object], bool],
    events: Sequence[DrawEvent],
) -> tuple[ExampleDraw, ...]:
    """The draws of one run whose output is in an event, once the function itself has made it with these.

    Raises WrongTranslation, RunnerError.
    """
    if len(events) > _MOST_EXAMPLE_DRAWS:
        return ()
    replayed = runner.replay(ReplayRequest(data, arguments, 1, events))
    if replayed.wrong_runs or not in_event(replayed.batch.likenesses()[0]):
        reason = replayed.complaints[0] if replayed.wrong_runs else "the function's output is not in the event"
        raise WrongTranslation(f"the replay of a run that shows the event failed: {reason}")
    return tuple(
        ExampleDraw(site=event.site, distribution=event.distribution, value=_literal(event.values[0]))
        for event in events
        if event.site is not None
    )


def _literal(value: Any) -> Literal:
    plain: Literal = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    return plain


def shown_output(batch: Batch, run: int) -> str:
    """The output of a run as text, cut if it is long."""
    text = repr(batch.outputs()[run])
    return text if len(text) <= 80 else text[:79] + "…"
