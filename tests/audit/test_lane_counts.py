"""Counts of lanes that another process makes: those that this one would have counted, or none."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from dplint.audit.glance import Glance
from dplint.audit.lane_blocks import LaneBlocks
from dplint.audit.lane_counts import CountRequest, LaneCounts, NotForOthers, count_for_another
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.events.columns import TextNumbers
from dplint.events.counting import Counting
from dplint.events.discover import discover_grids
from dplint.runner.batch import DataValue

SOURCE = """
from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def numbers(answers: list[float], rng):
    return [one + rng.laplace(scale=1.0) for one in answers]


@dp(epsilon=1.0, neighbors="linf")
def words(answers: list[float], rng):
    return "more" if answers[0] + rng.laplace(scale=1.0) > 0 else "less"
"""
DATA = (DataValue([0.0, 0.0]), DataValue([1.0, 0.0]), DataValue([0.0, 2.0]))
RUNS = 1_000


@pytest.fixture
def lanes(tmp_path):
    file = tmp_path / "mechanisms.py"
    file.write_text(SOURCE)
    found = {one.mechanism.qualname: one for one in load_file(file, Settings()) if isinstance(one, Target)}
    return lambda name: LaneBlocks(found[name].program, found[name].mechanism, (3, 11))


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
    counts = LaneCounts(made, texts, glance, lambda: None, others)
    runs = 2 * made.chunk + RUNS
    blocks = list(counts.blocks(DATA, {}, runs, (7, (3, 1)), counting, shared=shared, between=lambda: None))

    assert sum(count for count, _ in blocks) == runs
    assert others.asked, "somebody was there"
    of_block = {(7, (3, 1, number)): totals for number, (_, totals) in enumerate(blocks)}
    for request in others.asked:
        found = count_for_another(lanes("numbers"), request)
        sides = slice(request.first, request.first + len(request.datas))
        for mine, theirs in zip(of_block[request.seed], found, strict=True):
            np.testing.assert_array_equal(mine[sides], theirs)
        other = count_for_another(lanes("numbers"), replace(request, seed=(8, request.seed[1])))
        assert any((one != two).any() for one, two in zip(found, other, strict=True)), "they hang on the seed"
    assert all(len(request.datas) == (len(DATA) if shared else 1) for request in others.asked)


def test_outputs_with_texts_are_not_for_others(lanes):
    made, others, texts = lanes("words"), Nobody(), TextNumbers()
    counting, glance = counting_of(made, texts), Glance()
    glance.varied, made.seconds = True, 1.0
    request = CountRequest(DATA[:1], 0, {}, RUNS, (7, (1,)), False, (3, 11), pickle.dumps(counting))

    with pytest.raises(NotForOthers):
        count_for_another(made, request)
    known = list(texts.texts)
    counts = LaneCounts(made, texts, glance, lambda: None, others)
    ((count, totals),) = counts.blocks(DATA, {}, RUNS, (7, (1,)), counting, shared=False, between=lambda: None)
    assert not others.asked
    assert texts.texts == known
    assert set(known) == {"less", "more"}
    assert all((one.reshape(len(DATA), -1).sum(axis=1) == count).all() for one in totals)
