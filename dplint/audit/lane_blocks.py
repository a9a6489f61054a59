"""Making runs on lanes: blocks of one data value or several, each from a stream of its own; no runner is needed."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from dplint.audit.program_arguments import NotPlain, program_arguments
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
    read_block,
    stack,
)
from dplint.runner import time_had
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue
from dplint.runner.texts import TextNumbers

_DEAR = 6.0
"""How many times as long as one data value after the other runs that share a block may take."""

TOO_LARGE = "reading it as a program takes more memory than there is for it"


class NotOnLanes(Exception):
    """The mechanism has to be run one call at a time, for the reason given in words.

    level_left: by what the level of a test must be multiplied that begins again, because bets were lost before.
    """

    level_left: float = 1.0


class RunBlocks(Protocol):
    """The runs of one mechanism, many at once.

    Deterministic: the same seed gives the same runs. A caller that asks for `chunk` runs at a time needs the memory of
    one block, whatever the number of runs.

    python: the version whose meaning is followed.
    """

    python: tuple[int, int]

    @property
    def dear(self) -> bool:
        """Whether what is wrong should show in few runs."""

    @property
    def seconds(self) -> float:
        """What all runs so far took, those of checks and examples excepted."""

    @property
    def seconds_per_run(self) -> float:
        """Of the fastest ones."""

    @property
    def chunk(self) -> int:
        """Runs whose outputs fit into memory, for one data value."""

    def limit(self, runs: int) -> None:
        """From now on, make at most so many runs at once."""

    @property
    def stacks(self) -> bool:
        """Whether data values may share a block, as far as is known."""

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers,
        *,
        together: bool,
    ) -> Iterator[tuple[int, tuple[Batch, ...]]]:
        """So many runs of every data value in blocks, each with its number of runs and from streams of its own.

        texts: the numbers of texts in outputs. together: all data values may share a block of lanes. Raises NotOnLanes.
        """

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


class CheckedRuns(RunBlocks, Protocol):
    """The same, with the user's function beside it."""

    def check(
        self, data: DataValue, arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        """Replay lanes through the user's function, unless as many have been checked on this input.

        Raises NotOnLanes if anything differs, RunnerError if the function does not come to an end.
        """

    def example(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        in_event: Callable[[object], bool],
        seed: np.random.SeedSequence,
    ) -> tuple[ExampleDraw, ...]:
        """What was drawn in one run whose output is in an event, in the order of the draws; empty if none was found."""


class LaneBlocks:
    """The runs of one mechanism on lanes, by its program. See `RunBlocks`.

    timed: whether the clock may decide which runs share a block.
    """

    def __init__(self, program: Program, mechanism: Mechanism, python: tuple[int, int], *, timed: bool = False) -> None:
        self.python, self.dear = python, False
        self._program = program
        self._mechanism = mechanism
        self._block = BLOCK
        self._stacks = mechanism.data is not None
        self._timed, self._alone = timed, math.inf
        self.seconds, self.seconds_per_run = 0.0, math.inf

    @property
    def chunk(self) -> int:
        """See `RunBlocks`."""
        return self._block

    def limit(self, runs: int) -> None:
        """See `RunBlocks`."""
        self._block = min(self._block, runs)

    @property
    def stacks(self) -> bool:
        """See `RunBlocks`."""
        return self._stacks

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers,
        *,
        together: bool,
    ) -> Iterator[tuple[int, tuple[Batch, ...]]]:
        """See `RunBlocks`."""
        number = 0
        while runs > 0:
            # The outputs of all data values are in memory together; of a pair, a whole block of each.
            stacked = together and self._stacks
            count = min(max(1, (1 if stacked else 2) * self.chunk // max(2, len(data))), runs)
            found = self.sample_all(data, arguments, count, child(seed, number), texts) if stacked else None
            alone = (
                self.sample(value, arguments, count, child(seed, number, n), None, texts)
                for n, value in enumerate(data)
            )
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
        texts: TextNumbers | None = None,
    ) -> Batch:
        """See `RunBlocks`."""
        before = time_had.now()
        given = self._given(data, arguments)
        draws, outputs = SampledDraws(seed, shared), Outputs(texts or TextNumbers(), together=True)
        left = runs
        while left > 0:
            count = min(left, self._block)
            outputs.add(self._read(given, count, draws, outputs.texts))
            left -= count
        batch = outputs.batch()
        self._alone = min(self._alone, time_had.now() - before)
        self._took(runs, time_had.now() - before)
        return batch

    def sample_all(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers | None = None,
    ) -> list[Batch] | None:
        """Outputs of so many runs of every data value, from one block; None where that is not possible or worth it.

        A block costs some milliseconds however few lanes it has. Raises NotOnLanes.
        """
        name = self._mechanism.data
        if name is None or not self._stacks or len(data) * runs > self._block:
            return None
        before = time_had.now()
        given = [self._given(value, arguments) for value in data]
        stacked = stack([one[name] for one in given], runs)
        if stacked is None:
            return None
        draws, outputs = SampledDraws(seed), Outputs(texts or TextNumbers(), placed=True, together=True)
        together = {**given[0], name: stacked}
        try:
            outputs.add(self._read(together, len(data) * runs, draws, outputs.texts))
        except NotOnLanes:
            # What only the data decides is simpler to follow one value at a time.
            self._stacks = False
            return None
        batches = stacked.split(outputs.batch())
        seconds = time_had.now() - before
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
            return read_block(self._program, given, lanes, draws, texts, self.python, least=least)
        except UnsupportedConstruct as refused:
            raise NotOnLanes(in_words(refused.unsupported)) from None
        except MemoryError:
            raise NotOnLanes(TOO_LARGE) from None
        except (AssertionError, LookupError, TypeError, ValueError) as error:
            # A mistake of the interpretation, which must not cost the audit.
            raise NotOnLanes(f"dplint could not follow it on arrays ({type(error).__name__}: {error})") from error

    def _given(self, data: DataValue, arguments: Mapping[str, Literal]) -> dict[str, Any]:
        """The arguments as objects."""
        try:
            return program_arguments(self._program, self._mechanism, data, arguments)
        except NotPlain as error:
            raise NotOnLanes(str(error)) from None


def child(seed: np.random.SeedSequence, *numbers: int) -> np.random.SeedSequence:
    """A stream below another one."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, *numbers))


def in_words(unsupported: Unsupported) -> str:
    """A construct that lanes do not know, for a note."""
    if unsupported.construct == INSTALLED:
        return f"it is {INSTALLED}"
    return f"{unsupported.construct} at {unsupported.span.words} is not understood"
