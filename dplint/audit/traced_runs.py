"""Runs of the function itself, many at once (`dplint.tracing`), made in the runner: for what no program is known of."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from dplint.audit.run_blocks import NotOnLanes, child
from dplint.claims import Literal
from dplint.outcomes import ExampleDraw
from dplint.runner import time_had
from dplint.runner.batch import Batch, DataValue, SampleRequest
from dplint.runner.client import NotTracedError, Runner
from dplint.runner.shared_noise import SharedNoise
from dplint.runner.texts import TextNumbers

_BLOCK = 1 << 15
"""Runs of one request: their outputs come through a pipe."""
_AT_FIRST, _ALWAYS = 20, 3
"""Of the first block of an input, and of each other one, so many runs are made again by the function itself."""


_TRIED, _CALLS = 5_000, 50
"""After so many runs it is known how long they take, beside that of so many calls."""
_SPEED = 1 << 22
"""The number of these calls in the names of random streams."""


class TracedRuns:
    """See `CheckedRuns`: the rewritten function runs in the runner, and the function itself on some of its draws."""

    def __init__(self, runner: Runner, *, timed: bool = False) -> None:
        """timed: whether the clock may decide that runs are made by calls."""
        self._runner = runner
        self._block = _BLOCK
        self._checked: dict[str, int] = {}
        self._known: set[str] = set()
        self._timed_runs, self._is_timed = 0, timed
        self.seconds, self.seconds_per_run = 0.0, math.inf

    @property
    def chunk(self) -> int:
        """See `RunBlocks`."""
        return self._block

    def limit(self, runs: int) -> None:
        """See `RunBlocks`."""
        self._block = min(self._block, runs)

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        texts: TextNumbers,  # noqa: ARG002 - a batch of a runner has its own
    ) -> Iterator[tuple[int, tuple[Batch, ...]]]:
        """See `RunBlocks`."""
        number = 0
        while runs > 0:
            count = min(max(1, 2 * self._block // max(2, len(data))), runs)
            yield count, self._timed(data, arguments, count, child(seed, number))
            runs -= count
            number += 1

    def sample(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        shared: SharedNoise | None = None,  # noqa: ARG002 - noise of one's own is as good
        texts: TextNumbers | None = None,  # noqa: ARG002 - a batch of a runner has its own
    ) -> Batch:
        """See `RunBlocks`. Some runs of each block are replayed."""
        (batch,) = self._timed([data], arguments, runs, seed)
        return batch

    def _timed(
        self, data: Sequence[DataValue], arguments: Mapping[str, Literal], runs: int, seed: np.random.SeedSequence
    ) -> tuple[Batch, ...]:
        before = time_had.now()
        name = repr((data, sorted(arguments.items())))
        batches = self._made(data, arguments, runs, seed, _ALWAYS if name in self._known else _AT_FIRST)
        self._known.add(name)
        seconds = time_had.now() - before
        self.seconds += seconds
        self.seconds_per_run = min(self.seconds_per_run, seconds / (runs * len(data)))
        earlier, self._timed_runs = self._timed_runs, self._timed_runs + runs * len(data)
        if self._is_timed and earlier < _TRIED <= self._timed_runs:
            compare_speed(self._runner, data[0], arguments, seed, self.seconds / self._timed_runs)
        return batches

    def check(
        self, data: Sequence[DataValue], arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        """See `CheckedRuns`."""
        keys = {repr((value, sorted(arguments.items()))): value for value in data}
        left = {key: value for key, value in keys.items() if self._checked.get(key, 0) < lanes}
        if left:
            self._made([*left.values()], arguments, lanes, seed, lanes)
            self._checked.update(dict.fromkeys(left, lanes))

    def example(
        self,
        data: DataValue,
        arguments: Mapping[str, Literal],
        in_event: Callable[[object], bool],
        seed: np.random.SeedSequence,
    ) -> tuple[ExampleDraw, ...]:
        """See `CheckedRuns`. Draws have no names here, so none is shown."""
        del data, arguments, in_event, seed
        return ()

    def _made(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: np.random.SeedSequence,
        replayed: int,
    ) -> tuple[Batch, ...]:
        request = SampleRequest(
            datas=tuple(data),
            arguments=dict(arguments),
            runs=runs,
            seed=_seed_of(seed),
            replayed=min(replayed, runs),
        )
        try:
            return tuple(self._runner.sample(request))
        except NotTracedError as reason:
            raise NotOnLanes(str(reason)) from None


def compare_speed(
    runner: Runner, data: DataValue, arguments: Mapping[str, Literal], seed: np.random.SeedSequence, per_run: float
) -> None:
    """Raise NotOnLanes if calls take no longer than so many seconds a run: where runs part, lanes are slow."""
    request = SampleRequest((data,), dict(arguments), _CALLS, seed=_seed_of(child(seed, _SPEED)))
    before = time_had.now()
    runner.sample(request)
    if (time_had.now() - before) / _CALLS < per_run:
        raise NotOnLanes("its runs part so often that calls are as fast")


def _seed_of(seed: np.random.SeedSequence) -> tuple[int, tuple[int, ...]]:
    assert isinstance(seed.entropy, int)
    return seed.entropy, tuple(seed.spawn_key)
