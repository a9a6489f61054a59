"""Runs on lanes in place of plain runs: made in the worker, checked against the user's function in the runner."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from dplint.audit.program_arguments import NotPlain, program_arguments
from dplint.audit.translation import events_of, first_difference, tolerance
from dplint.claims import Literal, Mechanism
from dplint.outcomes import ExampleDraw
from dplint.program.nodes import Program
from dplint.program.refusals import INSTALLED, Unsupported, UnsupportedConstruct
from dplint.readings.lanes import (
    BLOCK,
    LEAST,
    KeptDraws,
    Lanes,
    Outputs,
    SampledDraws,
    SharedNoise,
    block_for,
    read_block,
    stack,
)
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue, DrawEvent, ReplayRequest, Runner
from dplint.runner.texts import TextNumbers

_LEAST_SPACE = 16
"""The check compacts early, so that it sees what larger blocks will do."""
_EXAMPLE_BLOCKS = (50, 450, 1_500, 3_000)
"""How many lanes are looked at, block by block, for one that shows an event."""
_DEAR = 6.0
"""How many times as long as one data value after the other runs that share a block may take."""
_MOST_EXAMPLE_DRAWS = 1_000
"""Of a run that is an example."""


class NotOnLanes(Exception):
    """The mechanism has to be run one call at a time, for the reason given in words.

    level_left: by what the level of a test must be multiplied that begins again, because bets were lost before.
    """

    level_left: float = 1.0


class WrongTranslation(NotOnLanes):
    """The program is not the function: on the same draws, or in distribution, they give different outputs."""


class LaneRuns:
    """One mechanism on lanes.

    Deterministic: the same seed gives the same runs. A caller that asks for `chunk` runs at a time needs the memory of
    one block, whatever the number of runs.

    texts: the numbers of the texts that runs give. timed: whether the clock may decide which runs share a block.
    seconds: what all runs so far took, those of checks and examples excepted. seconds_per_run: of the fastest ones.
    """

    def __init__(
        self,
        program: Program,
        mechanism: Mechanism,
        runner: Runner,
        texts: TextNumbers | None = None,
        *,
        timed: bool = False,
    ) -> None:
        self._program = program
        self._mechanism = mechanism
        self._runner = runner
        self._texts = texts or TextNumbers()
        major, minor = runner.versions[0].split(".")[:2]
        self._python = (int(major), int(minor))
        self._ulps = tolerance(program)
        self._block = BLOCK
        self._checked: dict[str, int] = {}
        self._known: set[str] = set()
        self._stacks = mechanism.data is not None
        self._timed, self._alone = timed, math.inf
        self.seconds, self.seconds_per_run = 0.0, math.inf

    @property
    def chunk(self) -> int:
        """Runs whose outputs fit into memory, for one data value."""
        return self._block

    def is_new(self, name: str) -> bool:
        """Whether nobody has asked so before."""
        new = name not in self._known
        self._known.add(name)
        return new

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        *,
        together: bool,
        shared: SharedNoise | None = None,
        in_turn: bool = False,
    ) -> Iterator[tuple[int, tuple[Batch, ...]]]:
        """So many runs of every data value in blocks, each with its number of runs and from streams of its own.

        together: all data values may share a block of lanes. shared: noise that the runs of others have as well; then
        there is one block at most. in_turn: one batch at a time, of one data value after the other. Raises NotOnLanes.
        """
        number = 0
        while runs > 0:
            # The outputs of all data values are in memory together; of a pair, a whole block of each.
            count = min(self.chunk if in_turn else max(1, 2 * self.chunk // max(2, len(data))), runs)
            found = self.sample_all(data, arguments, count, _child(seed, number)) if together else None
            alone = (
                self.sample(value, arguments, count, _child(seed, number, side), shared)
                for side, value in enumerate(data)
            )
            if in_turn:
                yield from ((count, (batch,)) for batch in alone)
            else:
                yield count, tuple(alone if found is None else found)
            runs -= count
            number += 1

    def sample(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        shared: SharedNoise | None = None,
    ) -> Batch:
        """Outputs of so many runs. Raises NotOnLanes."""
        before = time.monotonic()
        given = self._given(data, arguments)
        draws, outputs = SampledDraws(seed, shared), Outputs(self._texts)
        left = runs
        while left > 0:
            count = min(left, self._block)
            outputs.add(self._read(given, count, draws, outputs.texts))
            left -= count
        batch = outputs.batch()
        self._alone = min(self._alone, time.monotonic() - before)
        self._took(runs, time.monotonic() - before)
        return batch

    def sample_all(
        self, data: Sequence[DataValue], arguments: Mapping[str, Literal], runs: int, seed: np.random.SeedSequence
    ) -> list[Batch] | None:
        """Outputs of so many runs of every data value, from one block; None where that is not possible or worth it.

        A block costs some milliseconds however few lanes it has. Raises NotOnLanes.
        """
        name = self._mechanism.data
        if name is None or not self._stacks or len(data) * runs > self._block:
            return None
        before = time.monotonic()
        given = [self._given(value, arguments) for value in data]
        stacked = stack([one[name] for one in given], runs)
        if stacked is None:
            return None
        draws, outputs = SampledDraws(seed), Outputs(self._texts, placed=True)
        together = {**given[0], name: stacked}
        try:
            outputs.add(self._read(together, len(data) * runs, draws, outputs.texts))
        except NotOnLanes:
            # What only the data decides is simpler to follow one value at a time.
            self._stacks = False
            return None
        batches = stacked.split(outputs.batch())
        seconds = time.monotonic() - before
        self._took(len(data) * runs, seconds)
        if self._timed and seconds > _DEAR * len(data) * (self._alone + runs * self.seconds_per_run):
            self._stacks = False
        return batches

    def _took(self, runs: int, seconds: float) -> None:
        self.seconds += seconds
        self.seconds_per_run = min(self.seconds_per_run, seconds / runs)

    def _read(
        self,
        given: Mapping[str, Any],
        lanes: int,
        draws: SampledDraws | KeptDraws,
        texts: TextNumbers,
        least: int = LEAST,
    ) -> Lanes:
        try:
            return read_block(self._program, given, lanes, draws, texts, self._python, least=least)
        except UnsupportedConstruct as refused:
            raise NotOnLanes(in_words(refused.unsupported)) from None
        except (MemoryError, AssertionError, LookupError, TypeError, ValueError) as error:
            # A mistake of the interpretation, which must not cost the audit.
            raise NotOnLanes(f"dplint could not follow it on arrays ({type(error).__name__}: {error})") from error

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
                f"{_shown(replayed.batch, wrong)} and its translation {_shown(mine, wrong)}"
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
        for lanes in _EXAMPLE_BLOCKS:
            draws, outputs = KeptDraws(source), Outputs(TextNumbers(), placed=True)
            block = self._read(self._given(data, arguments), lanes, draws, outputs.texts)
            outputs.add(block)
            for lane, output in enumerate(outputs.batch().likenesses_in_turn()):
                if in_event(output):
                    return self._example(data, arguments, in_event, events_of(draws.made, block, lane))
        return ()

    def _example(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        in_event: Callable[[object], bool],
        events: Sequence[DrawEvent],
    ) -> tuple[ExampleDraw, ...]:
        if len(events) > _MOST_EXAMPLE_DRAWS:
            return ()
        replayed = self._runner.replay(ReplayRequest(data, arguments, 1, events))
        if replayed.wrong_runs or not in_event(replayed.batch.likenesses()[0]):
            reason = replayed.complaints[0] if replayed.wrong_runs else "the function's output is not in the event"
            raise WrongTranslation(f"the replay of a run that shows the event failed: {reason}")
        return tuple(
            ExampleDraw(site=event.site, distribution=event.distribution, value=_literal(event.values[0]))
            for event in events
            if event.site is not None
        )

    def _given(self, data: DataValue, arguments: Mapping[str, Literal]) -> dict[str, Any]:
        """The arguments as objects."""
        try:
            return program_arguments(self._program, self._mechanism, data, arguments)
        except NotPlain as error:
            raise NotOnLanes(str(error)) from None


def _child(seed: np.random.SeedSequence, *numbers: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, *numbers))


def in_words(unsupported: Unsupported) -> str:
    """A construct that lanes do not know, for a note."""
    if unsupported.construct == INSTALLED:
        return f"it is {INSTALLED}"
    return f"{unsupported.construct} at {unsupported.span.words} is not understood"


def _literal(value: Any) -> Literal:
    plain: Literal = value.tolist() if isinstance(value, np.generic | np.ndarray) else value
    return plain


def _shown(batch: Batch, run: int) -> str:
    text = repr(batch.outputs()[run])
    return text if len(text) <= 80 else text[:79] + "…"
