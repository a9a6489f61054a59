"""Counts of lanes that another process makes: those that this one would have counted, or none."""

import pickle
import sys
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from dplint.audit.lane_counts import CountRequest, LaneCounts, NotForOthers, count_for_another
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.too_little import Glance
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.events.counting import Counting, EventCounter
from dplint.events.split_runs import discover_grids
from dplint.events.texts import TextReader
from dplint.runner.batch import DataValue
from dplint.runner.client import Runner
from dplint.runner.texts import TextNumbers

pytestmark = pytest.mark.process

SOURCE = """
from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def numbers(answers: list[float], rng):
    return [one + rng.laplace(scale=1.0) for one in answers]


@dp(epsilon=1.0, neighbors="linf")
def words(answers: list[float], rng):
    return "more" if answers[0] + rng.laplace(scale=1.0) > 0 else "less"


@dp(epsilon=1.0, neighbors="linf")
def lists(answers: list[float], rng):
    return [number for number, one in enumerate(answers * 3) if one + rng.laplace(scale=1.0) > 0.5]
"""
DATA = (DataValue([0.0, 0.0]), DataValue([1.0, 0.0]), DataValue([0.0, 2.0]))
RUNS = 1_000


@pytest.fixture
def lanes(tmp_path):
    file = tmp_path / "mechanisms.py"
    file.write_text(SOURCE)
    found = {one.mechanism.qualname: one for one in load_file(file, Settings()) if isinstance(one, Target)}
    with Runner(sys.executable, deadline=60, memory_mib=1024) as runner:

        def made(name):
            runner.load(found[name].mechanism)
            return ResidualRuns(runner, found[name].mechanism)

        yield made


def counting_of(lanes, texts):
    batches = [lanes.sample(one, {}, 500, np.random.SeedSequence(number)) for number, one in enumerate(DATA)]
    return Counting(tuple(discover_grids(batches, [], texts)))


class Nobody:
    """Somebody who may be asked, and never answers in time: all requests are noted."""

    spare, worth = 1, 1e-9

    def __init__(self):
        self.asked = []

    def ask(self, asked, series):
        self.asked += pickle.loads(asked)
        return self

    answer = None

    def wait(self, seconds):
        return False


@pytest.mark.parametrize("shared", [False, True])
def test_another_process_counts_what_this_one_would_have_counted(lanes, shared):
    made, others, texts = lanes("numbers"), Nobody(), TextNumbers()
    counting, glance = counting_of(made, texts), Glance()
    glance.varied, made.seconds = True, 1.0
    counts = LaneCounts(made, TextReader(texts), glance, lambda: None, others)
    runs = 2 * made.chunk + RUNS
    counted = counts.blocks(DATA, {}, runs, (7, (3, 1)), counting, shared=shared, between=lambda: None)
    blocks = [(count, take()) for count, take in counted]

    assert sum(count for count, _ in blocks) == runs
    assert others.asked, "somebody was there"
    of_block = {(7, (3, 1, number)): totals for number, (_, totals) in enumerate(blocks)}
    for request, together in zip(others.asked, count_for_another(lanes("numbers"), others.asked), strict=True):
        (found,) = count_for_another(lanes("numbers"), [request])
        sides = slice(request.first, request.first + len(request.datas))
        for mine, theirs, shared_counter in zip(of_block[request.seed], found, together, strict=True):
            np.testing.assert_array_equal(mine[sides], theirs)
            np.testing.assert_array_equal(mine[sides], shared_counter)
        (other,) = count_for_another(lanes("numbers"), [replace(request, seed=(8, request.seed[1]))])
        assert any((one != two).any() for one, two in zip(found, other, strict=True)), "they hang on the seed"
    assert all(len(request.datas) == (len(DATA) if shared else 1) for request in others.asked)


def test_outputs_with_texts_are_not_for_others(lanes):
    made, others, texts = lanes("words"), Nobody(), TextNumbers()
    counting, glance = counting_of(made, texts), Glance()
    glance.varied, made.seconds = True, 1.0
    request = CountRequest(DATA[:1], 0, {}, RUNS, (7, (1,)), False, pickle.dumps(counting))

    with pytest.raises(NotForOthers):
        count_for_another(made, [request])
    known = list(texts.texts)
    counts = LaneCounts(made, TextReader(texts), glance, lambda: None, others)
    ((count, take),) = counts.blocks(DATA, {}, RUNS, (7, (1,)), counting, shared=False, between=lambda: None)
    totals = take()
    assert not others.asked
    assert texts.texts == known
    assert set(known) == {"less", "more"}
    assert all((one.reshape(len(DATA), -1).sum(axis=1) == count).all() for one in totals)


class Noting(ResidualRuns):
    """Lanes in small blocks; every output is noted by its data value and the block."""

    chunk = 700

    def sample(self, data, arguments, runs, seed, *rest):
        batch = super().sample(data, arguments, runs, seed, *rest)
        self.made[repr(data), seed.spawn_key[2]] = Counter(map(tuple, batch.outputs()))
        return batch


@pytest.fixture
def noting(lanes):
    plain = lanes("lists")
    found = Noting(plain._runner, plain.mechanism)
    found.made = {}
    return found


def expected(noting, counting, blocks):
    """What Python says of the outputs of these blocks, event by event."""
    found = []
    for one in DATA:
        outputs = sum((noting.made[repr(one), number] for number in blocks), Counter())
        found.append(
            [
                sum(count for output, count in outputs.items() if eval(text, {"output": list(output)}))
                for text in (event.expression() for event in counting.what)
            ]
        )
    return found


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("taken", [(0, 1, 2, 3), (1, 3), (3,)], ids=str)
def test_outputs_of_several_blocks_are_counted_together_when_they_are_taken(noting, lanes, monkeypatch, taken, shared):
    tables, texts = [], TextNumbers()
    events = tuple(grid.event(0) for grid in counting_of(lanes("lists"), texts).what)
    take_tables = EventCounter._take
    monkeypatch.setattr(
        EventCounter, "_take", lambda self, found: take_tables(self, [tables.append(one) or one for one in found])
    )
    counting, counts = Counting(events), LaneCounts(noting, TextReader(texts), Glance(), lambda: None, None)
    runs, since = 3 * noting.chunk + 100, 0
    every = counts.blocks(DATA, {}, runs, (7, (3, 1)), counting, shared=shared, between=lambda: None)
    for number, (count, take) in enumerate(every):
        assert count == (noting.chunk if number < 3 else 100)
        if number in taken:
            (hits,) = take()
            assert hits.tolist() == expected(noting, counting, range(since, number + 1))
            since = number + 1
    assert since == 4
    lengths = {len(output) for outputs in noting.made.values() for output in outputs}
    assert len(lengths) > 5
    assert len(tables) <= len(taken) * len(lengths), "a table for each shape, whatever the blocks and data values"


class OneLate:
    """Somebody who answers in time, but for one request, whose answer is there when this process has gone on."""

    spare, worth = 1, 1e-9

    def __init__(self, lanes, late):
        self.lanes, self.asked, self.late = lanes, 0, late

    def ask(self, asked, series):
        self.asked += 1
        return Ticket(pickle.dumps(count_for_another(self.lanes, pickle.loads(asked))), late=self.asked == self.late)


class Ticket:
    def __init__(self, answer, late):
        self.answer, self._late = answer, late

    def wait(self, seconds):
        late, self._late = self._late, False
        return not late


@pytest.mark.parametrize(("shared", "late"), [(True, 2), (False, 4)])
def test_a_block_that_was_made_before_its_turn_is_counted_in_its_turn(noting, lanes, shared, late):
    """While an answer is waited for, a later block is made here, which is no part of what is taken then."""
    texts, glance = TextNumbers(), Glance()
    counting = Counting(tuple(grid.event(0) for grid in counting_of(lanes("lists"), texts).what))
    every = Noting(noting._runner, noting.mechanism)
    every.made = {}
    glance.varied, noting.seconds = True, 1.0
    counts = LaneCounts(noting, TextReader(texts), glance, lambda: None, OneLate(every, late))
    early = 0
    blocks = counts.blocks(DATA, {}, 6 * noting.chunk, (7, (3, 1)), counting, shared=shared, between=lambda: None)
    for number, (_, take) in enumerate(blocks):
        early += any(block > number for _, block in noting.made)
        (hits,) = take()
        both = Noting(noting._runner, noting.mechanism)
        both.made = {**every.made, **noting.made}
        assert hits.tolist() == expected(both, counting, [number])
    assert early, "some block was made before its turn"
    assert 0 < counts.made_elsewhere < 6 * noting.chunk * len(DATA)
