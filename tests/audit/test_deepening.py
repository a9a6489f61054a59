"""More runs for the events that promise most: one data value after the other, in full blocks."""

from __future__ import annotations

import numpy as np
import pytest

from dplint.audit.betting import input_groups
from dplint.audit.betting.input_groups import InputGroup
from dplint.audit.inputs import Choice, Inputs
from dplint.audit.lane_counts import LaneCounts
from dplint.audit.progress import Coverage
from dplint.audit.run_blocks import child
from dplint.audit.session import Chunk
from dplint.audit.too_little import Glance
from dplint.claims import Pair
from dplint.events.texts import TextReader
from dplint.runner.batch import Batch, Group, LeafKind
from dplint.runner.batch import Sequence as Listed
from dplint.runner.client import DataValue
from dplint.runner.shared_noise import SharedNoise
from dplint.runner.texts import TextNumbers

CHUNK = 1_000
DATA = (DataValue([0.0, 0.0]), DataValue([1.0, 0.0]))
PAIR = Pair(DATA[0].value, DATA[1].value, "one", 2)


class Lanes:
    """Gives two noisy numbers a run, and remembers what it gave and whose noise the runs shared."""

    chunk, seconds, seconds_per_run = CHUNK, 0.0, 1e-6

    def __init__(self) -> None:
        self.shared: list[tuple[int, SharedNoise | None]] = []
        self.streams: list[tuple[int, ...]] = []
        self.given: dict[str, list[np.ndarray]] = {repr(one): [] for one in DATA}
        self._generator = np.random.default_rng(7)

    def sample(self, one, _arguments, count, seed, shared=None, texts=None):
        assert count <= CHUNK
        self.shared.append((count, shared))
        self.streams.append(seed.spawn_key)
        values = np.array(one.value) + self._generator.laplace(size=(count, 2))
        self.given[repr(one)].append(values)
        kinds = np.full(values.shape, LeafKind.FLOAT, np.uint8)
        group = Group(Listed("list", (2,), 2), np.arange(count, dtype=np.int32), kinds, values)
        return Batch(count, (group,), ())


class Everything:
    """Of these lanes all inputs have been looked at."""

    def __contains__(self, _name):
        return True


class Session:
    """Makes runs of these lanes: in blocks of all data values, and one after the other where they are counted."""

    seed, screened = 11, Everything()

    def __init__(self) -> None:
        self.lanes, self.coverage, self.texts = Lanes(), Coverage(), TextNumbers()
        self.machine, self.claimed, self.mechanism = False, (), None
        self.lane_counts = LaneCounts(self.lanes, TextReader(self.texts), Glance(), lambda: None, None)
        self.asked: list[tuple[int, tuple[int, ...]]] = []

    def sample(self, data, arguments, runs, stream, _phase, *, checked):
        assert checked == 0
        assert len(data) * runs <= CHUNK
        self.asked.append((runs, stream))
        if runs:
            seed = np.random.SeedSequence(self.seed, spawn_key=(*stream, 0))
            yield Chunk(
                runs, tuple(self.lanes.sample(one, arguments, runs, child(seed, n)) for n, one in enumerate(data))
            )

    def check_lanes(self, _data, _arguments, count, _stream):
        assert count == 0

    def check_time(self):
        """There is always time."""

    def announce(self, phase):
        assert phase == "trying"

    def learn_speed(self, seconds):
        """It does not matter."""


@pytest.mark.parametrize("runs", [100, 4_500])
def test_counts_are_of_all_runs_of_each_data_value(monkeypatch, runs) -> None:
    monkeypatch.setattr(input_groups, "scales_by_the_book", lambda *_: ())
    session = Session()
    inputs = Inputs(pairs=(PAIR,), data=DATA, sides=((0, 1),))
    group = InputGroup(session, inputs, Choice((), ()), [], (3,))
    for _ in group.screen(500, "trying"):
        pass
    before = group.events

    group.deepen(runs, "trying", 0.1, 0.0)

    blocks = [1_000, 1_000, 1_000, 1_000, 500] if len(DATA) * runs > CHUNK else []
    assert [count for count, _ in session.asked] == ([500] if blocks else [500, 100])
    assert len(set(session.lanes.streams)) == len(session.lanes.streams)
    assert group.events < before
    assert [runs for runs, shared in session.lanes.shared if shared] == [runs for runs in blocks for _ in DATA]
    noise = [id(shared) for _, shared in session.lanes.shared if shared]
    assert noise[::2] == noise[1::2], "the data values of a block share their noise"
    assert len(set(noise)) == len(blocks), "blocks do not"
    assert group.runs == 500
    (proposal,) = group.proposals(0.1, 0.0)
    assert proposal.runs == 500 + runs
    happened = eval(f"lambda output: {proposal.event.expression()}")
    for count, one in ((proposal.count1, DATA[0]), (proposal.count2, DATA[1])):
        outputs = np.concatenate(session.lanes.given[repr(one)]).tolist()
        assert len(outputs) == 500 + runs
        assert count == sum(map(happened, outputs))


def test_screening_beyond_one_block_counts_every_run_of_each_data_value_once(monkeypatch) -> None:
    """Events are looked for in a block of all data values; the rest comes one data value after the other."""
    monkeypatch.setattr(input_groups, "scales_by_the_book", lambda *_: ())
    session = Session()
    group = InputGroup(session, Inputs(pairs=(PAIR,), data=DATA, sides=((0, 1),)), Choice((), ()), [], (3,))

    assert sum(count for _, count in group.screen(2_600, "trying")) == 2_600
    assert sum(count for _, count in group.screen(2_000, "trying")) == 2_000

    assert [runs for runs, _ in session.asked] == [500, 0]
    assert [runs for runs, _ in session.lanes.shared[::2]] == [500, 1_000, 1_000, 100, 1_000, 1_000]
    assert len(set(session.lanes.streams)) == len(session.lanes.streams) == 12
    assert group.runs == 4_600
    (proposal,) = group.proposals(0.1, 0.0)
    assert proposal.runs == 4_600
    happened = eval(f"lambda output: {proposal.event.expression()}")
    for count, one in ((proposal.count1, DATA[0]), (proposal.count2, DATA[1])):
        outputs = np.concatenate(session.lanes.given[repr(one)]).tolist()
        assert (len(outputs), count) == (4_600, sum(map(happened, outputs)))
