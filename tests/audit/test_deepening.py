"""More runs for the events that promise most: one data value after the other, in full blocks."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from dplint.audit.betting import input_groups
from dplint.audit.betting.input_groups import InputGroup
from dplint.audit.choices import Choice
from dplint.audit.coverage import Coverage
from dplint.audit.inputs import Inputs
from dplint.audit.session import Chunk
from dplint.claims import Pair
from dplint.readings.lanes import SharedNoise
from dplint.runner.batch import Batch, Group, LeafKind
from dplint.runner.batch import Sequence as Listed
from dplint.runner.client import DataValue
from dplint.runner.texts import TextNumbers

CHUNK = 1_000
DATA = (DataValue([0.0, 0.0]), DataValue([1.0, 0.0]))
PAIR = Pair(DATA[0].value, DATA[1].value, "one", 2)


class Session:
    """Gives two noisy numbers a run, in blocks, and remembers what it gave and was asked for."""

    seed = 11

    def __init__(self) -> None:
        self.lanes, self.coverage = SimpleNamespace(chunk=CHUNK, is_new=lambda _name: False), Coverage()
        self.texts, self.machine, self.claimed, self.mechanism = TextNumbers(), False, (), None
        self.asked: list[tuple[int, int, tuple[int, ...]]] = []
        self.shared: list[tuple[int, SharedNoise | None]] = []
        self.given: dict[str, list[np.ndarray]] = {repr(one): [] for one in DATA}
        self._generator = np.random.default_rng(7)

    def sample(self, data, _arguments, runs, stream, _phase, *, checked, together=False, shared=None, in_turn=False):
        assert checked == 0
        assert not (together and in_turn)
        self.shared.append((runs, shared))
        self.asked.append((len(data), runs, stream))
        while runs > 0:
            count = min(CHUNK, runs)
            batches = [self._batch(one, count) for one in data]
            if in_turn:
                yield from (Chunk(count, (batch,), side) for side, batch in enumerate(batches))
            else:
                assert not together or len(data) * count <= CHUNK
                yield Chunk(count, tuple(batches))
            runs -= count

    def _batch(self, one, count):
        values = np.array(one.value) + self._generator.laplace(size=(count, 2))
        self.given[repr(one)].append(values)
        kinds = np.full(values.shape, LeafKind.FLOAT, np.uint8)
        group = Group(Listed("list", (2,), 2), np.arange(count, dtype=np.int32), kinds, values)
        return Batch(count, (group,), ())


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

    in_turn = len(DATA) * runs > CHUNK
    blocks = [1_000, 1_000, 1_000, 1_000, 500] if in_turn else []
    assert [count for count, *_ in session.asked[1:]] == [1, 1] * len(blocks) if in_turn else [2]
    assert len({stream for *_, stream in session.asked}) == len(session.asked)
    assert group.events < before
    assert [runs for runs, shared in session.shared if shared] == [runs for runs in blocks for _ in DATA]
    noise = [id(shared) for _, shared in session.shared if shared]
    assert noise[::2] == noise[1::2], "the data values of a block share their noise"
    assert len(set(noise)) == len(blocks), "blocks do not"
    assert group.runs == 500
    (proposal,) = group.proposals(0.1, 0.0)
    assert proposal.runs == 500 + runs
    happened = eval(f"lambda output: {proposal.event.expression()}")
    for count, one in ((proposal.count1, DATA[0]), (proposal.count2, DATA[1])):
        outputs = np.concatenate(session.given[repr(one)]).tolist()
        assert len(outputs) == 500 + runs
        assert count == sum(map(happened, outputs))


def test_screening_beyond_one_block_counts_every_run_of_each_data_value_once(monkeypatch) -> None:
    """Events are looked for in a block of all data values; the rest comes one data value after the other."""
    monkeypatch.setattr(input_groups, "scales_by_the_book", lambda *_: ())
    session = Session()
    group = InputGroup(session, Inputs(pairs=(PAIR,), data=DATA, sides=((0, 1),)), Choice((), ()), [], (3,))

    assert sum(count for _, count in group.screen(2_600, "trying")) == 2_600
    assert sum(count for _, count in group.screen(2_000, "trying")) == 2_000

    assert [runs for _, runs, _ in session.asked] == [500, 2_100, 2_000]
    assert len({stream for *_, stream in session.asked}) == 3
    assert group.runs == 4_600
    (proposal,) = group.proposals(0.1, 0.0)
    assert proposal.runs == 4_600
    happened = eval(f"lambda output: {proposal.event.expression()}")
    for count, one in ((proposal.count1, DATA[0]), (proposal.count2, DATA[1])):
        outputs = np.concatenate(session.given[repr(one)]).tolist()
        assert (len(outputs), count) == (4_600, sum(map(happened, outputs)))
