"""Runs on lanes of which only counts are wanted, so that other processes can make a part of them.

Outputs are large and counts are small: whoever makes a block counts it, and no output leaves its process. What a block
counts follows from its request alone, so it is the same whoever makes it.

Where the number of runs is given, no others are asked: noise comes in the order in which paths are met.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TypeAlias

import numpy as np

from dplint.audit.ahead import BlocksInOrder, Others
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import child
from dplint.audit.too_little import Glance
from dplint.claims import Literal
from dplint.events.counting import Counting, OutputCounter
from dplint.events.grids import Counts
from dplint.events.texts import TextReader
from dplint.runner import time_had
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue
from dplint.runner.shared_noise import SharedNoise
from dplint.runner.texts import TextNumbers

Totals: TypeAlias = list[Counts]
Take: TypeAlias = Callable[[], Totals]
"""What was counted since the last time. Outputs wait for others of their shape until then."""
_NOISE = 1 << 18
"""The number of noise that is shared in the names of random streams; data values count up from zero."""
SETTLED = 0.3
"""Seconds of runs on lanes before others are asked: a short audit should not cost a second process."""


@dataclass(frozen=True, slots=True)
class CountRequest:
    """One block of lanes of each of these data values.

    first: the number of the first one. seed: entropy and spawn key of a SeedSequence; each data value has a stream of
    its number below it. shared: whether they share their noise. counting: what is counted, pickled: the
    same bytes for all blocks.
    """

    datas: tuple[DataValue, ...]
    first: int
    arguments: Mapping[str, Literal]
    runs: int
    seed: tuple[int, tuple[int, ...]]
    shared: bool
    counting: bytes


class NotForOthers(Exception):
    """There are texts in the outputs, which every audit has numbers of its own for."""


def count_block(
    lanes: ResidualRuns,
    request: CountRequest,
    counter: OutputCounter,
    first: int,
    reader: TextReader,
    look: Callable[[Batch], None],
) -> None:
    """Make a block and count it, the first data value under this number.

    reader: has the numbers of the counter's texts. look: called with the outputs of each data value. Raises NotOnLanes.
    """
    entropy, key = request.seed
    seed = np.random.SeedSequence(entropy, spawn_key=key)
    shared = SharedNoise(child(seed, _NOISE)) if request.shared else None
    for side, value in enumerate(request.datas):
        stream = child(seed, request.first + side)
        batch = reader.read(lanes.sample(value, request.arguments, request.runs, stream, shared, reader.texts))
        look(batch)
        counter.add(first + side, batch)


def count_for_another(lanes: ResidualRuns, requests: Sequence[CountRequest]) -> list[Totals]:
    """What is counted in each of some blocks, for the audit of another process.

    They are counted together, as data values that are all different ones. Raises NotOnLanes, NotForOthers.
    """
    counting: Counting = pickle.loads(requests[0].counting)
    reader = TextReader(TextNumbers())
    ends = list(accumulate(len(request.datas) for request in requests))
    firsts = [0, *ends[:-1]]
    numbers = [request.first + side for request in requests for side in range(len(request.datas))]
    counter = counting.counter(ends[-1], reader.texts, numbers)
    for first, request in zip(firsts, requests, strict=True):
        count_block(lanes, request, counter, first, reader, _refuse_texts)
    totals = counter.totals()
    return [[one[first:end] for one in totals] for first, end in zip(firsts, ends, strict=True)]


def _refuse_texts(batch: Batch) -> None:
    if batch.strings:
        raise NotForOthers


class LaneCounts:
    """Counts of the runs of one audit on lanes, some of them made by others where that pays.

    waiting: called several times a second while others are waited for.
    """

    def __init__(
        self,
        lanes: ResidualRuns,
        reader: TextReader,
        glance: Glance,
        waiting: Callable[[], None],
        others: Others | None,
    ) -> None:
        self._lanes, self._reader, self._glance, self._alone = lanes, reader, glance, others is None
        self._counting: Counting | None = None
        self._counter: OutputCounter | None = None
        self._counted_with = reader
        self._between: Callable[[], None] = lambda: None
        self._seconds_per_run = 0.0
        self.learnt_from_elsewhere = 0
        self._in_order = BlocksInOrder[CountRequest, Totals | None](
            self._count, self._fits, self._seconds, waiting, others, early=self._count_early
        )

    @property
    def made_elsewhere(self) -> int:
        """Runs that others have made, of those that were counted or learnt from."""
        return self._in_order.drawn_elsewhere + self.learnt_from_elsewhere

    def blocks(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: tuple[int, tuple[int, ...]],
        counting: Counting,
        *,
        shared: bool,
        between: Callable[[], None],
    ) -> Iterator[tuple[int, Take]]:
        """So many runs of every data value, block by block, with how to take what was counted up to there.

        shared: the data values share their noise, since drawing it takes half of the time: nothing may be paid on such
        runs. between: called before those of each data value. Raises NotOnLanes.
        """
        # Texts that are new here are in no event yet. Where blocks may come out of their order, they get no numbers.
        in_turn = self._alone or bool(self._reader.texts.texts)
        self._counted_with = self._reader if in_turn else TextReader(self._reader.texts.copy())
        counter = counting.counter(len(data), self._counted_with.texts)
        self._counting, self._counter, self._between = counting, counter, between
        each = len(data) if shared else 1
        planned = self._planned(data, arguments, runs, seed, pickle.dumps(counting), each)
        first = 0
        for count, totals in self._in_order.blocks(planned):
            if totals is not None:
                counter.add_totals(totals, first)
            first = (first + each) % len(data)
            if first == 0:
                yield count, counter.take

    def _planned(
        self,
        data: Sequence[DataValue],
        arguments: Mapping[str, Literal],
        runs: int,
        seed: tuple[int, tuple[int, ...]],
        counting: bytes,
        each: int,
    ) -> Iterator[CountRequest]:
        """Requests for full blocks of every data value. each: of how many data values a request is."""
        most, (entropy, key) = self._lanes.chunk, seed
        for number, start in enumerate(range(0, runs, most)):
            for first in range(0, len(data), each):
                yield CountRequest(
                    datas=tuple(data[first : first + each]),
                    first=first,
                    arguments=dict(arguments),
                    runs=min(most, runs - start),
                    seed=(entropy, (*key, number)),
                    shared=each > 1,
                    counting=counting,
                )

    def _count(self, request: CountRequest) -> None:
        """Count a block in its turn, together with the others of these runs that are made here."""
        assert self._counter is not None
        self._made(request, self._counter, request.first, self._counted_with)

    def _count_early(self, request: CountRequest) -> Totals:
        """What is counted in a block that nobody may count in before its turn."""
        assert self._counting is not None
        reader = TextReader(self._reader.texts.copy())
        sides = range(request.first, request.first + len(request.datas))
        counter = self._counting.counter(len(sides), reader.texts, sides)
        self._made(request, counter, 0, reader)
        return counter.totals()

    def _made(self, request: CountRequest, counter: OutputCounter, first: int, reader: TextReader) -> None:
        self._between()
        before = time_had.now()
        count_block(self._lanes, request, counter, first, reader, self._look)
        self._seconds_per_run = (time_had.now() - before) / (request.runs * len(request.datas))

    def _look(self, batch: Batch) -> None:
        self._glance.look([batch])
        self._between()

    def _seconds(self, request: CountRequest) -> float:
        """What a block should take; 0 if that is not known, or it is not for others."""
        if self._reader.texts.texts or not self._glance.varied or self._lanes.seconds < SETTLED:
            return 0.0
        return self._seconds_per_run * request.runs * len(request.datas)

    def _fits(self, request: CountRequest, answer: object) -> bool:
        """Whether this may be what was to be counted."""
        assert self._counting is not None
        shapes = self._counting.shapes(len(request.datas))
        return isinstance(answer, list) and [np.shape(one) for one in answer] == shapes
