"""Many runs of one mechanism at once: what makes them, and what can keep it from that."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from dplint.claims import Literal
from dplint.outcomes import ExampleDraw
from dplint.program.refusals import INSTALLED, Unsupported
from dplint.runner import time_had
from dplint.runner.batch import Batch, SampleRequest
from dplint.runner.client import DataValue, DrawEvent, ReplayRequest, Runner
from dplint.runner.shared_noise import SharedNoise
from dplint.runner.texts import TextNumbers

EXAMPLE_BLOCKS = (50, 450, 1_500, 3_000)
"""How many runs are looked at, block by block, for one that shows an event."""
_MOST_EXAMPLE_DRAWS = 1_000
"""Of a run that is an example."""
_CALLS, _SPEED = 50, 1 << 22
"""So many calls tell how long one takes; and their number in the names of random streams."""
TOO_LARGE = "making many runs at once takes more memory than there is for it"


class NotOnLanes(Exception):
    """The mechanism has to be run one call at a time, for the reason given in words.

    level_left: by what the level of a test must be multiplied that begins again, because bets were lost before.
    """

    level_left: float = 1.0


class WrongTranslation(NotOnLanes):
    """What makes the runs is not the function: on the same draws, or in distribution, they give different outputs."""


class RunBlocks(Protocol):
    """The runs of one mechanism, many at once.

    Deterministic: the same seed gives the same runs. A caller that asks for `chunk` runs at a time needs the memory of
    one block, whatever the number of runs.
    """

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
        self, data: Sequence[DataValue], arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        """Replay so many lanes of each data value through the user's function, unless as many have been checked on it.

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


def child(seed: np.random.SeedSequence, *numbers: int) -> np.random.SeedSequence:
    """A stream below another one."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, *numbers))


def compare_speed(
    runner: Runner, data: DataValue, arguments: Mapping[str, Literal], seed: np.random.SeedSequence, per_run: float
) -> None:
    """Raise NotOnLanes if calls take no longer than so many seconds a run: where runs part, lanes are slow."""
    stream = child(seed, _SPEED)
    assert isinstance(stream.entropy, int)
    request = SampleRequest((data,), dict(arguments), _CALLS, seed=(stream.entropy, tuple(stream.spawn_key)))
    before = time_had.now()
    runner.sample(request)
    if (time_had.now() - before) / _CALLS < per_run:
        raise NotOnLanes("its runs part so often that calls are as fast")


def in_words(unsupported: Unsupported) -> str:
    """A construct that lanes do not know, for a note."""
    if unsupported.construct == INSTALLED:
        return f"it is {INSTALLED}"
    return f"{unsupported.construct} at {unsupported.span.words} is not understood"


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
