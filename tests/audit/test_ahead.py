"""Blocks that others draw ahead: the same blocks in the same order, whatever becomes of those who draw."""

import pickle
import random
import threading
import time
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dplint.audit import ahead
from dplint.audit.ahead import BlocksInOrder, block_runs, draw_blocks, is_drawn
from dplint.jobs import AuditSettings
from dplint.runner.batch import Batch, DataValue, SampleRequest


def drawn(request):
    """Batches that tell their request: one string each."""
    return tuple(Batch(request.runs, (), (repr((request.seed, side)),)) for side in range(len(request.datas)))


def requests(count):
    for number in range(count):
        yield SampleRequest((DataValue(0.0), DataValue(1.0)), {}, 5 + number, 50, (7, (1, number)))


EXPECTED = {count: [(one.runs, drawn(one)) for one in requests(count)] for count in range(12)}


class Ticket:
    def __init__(self):
        self.answer, self.there = None, threading.Event()

    def wait(self, seconds):
        return self.there.wait(min(seconds, 0.001))


def all_drawn(asked):
    return [drawn(request) for request in asked]


class Others:
    """Answers as it was told, request by request: right, at once or later; None; what fits nothing; or never."""

    def __init__(self, spare, behaviours):
        self.spare, self.worth = spare, 1.0
        self.asked, self._behaviours = [], iter(behaviours)

    def ask(self, asked, series):
        ticket, behaviour = Ticket(), next(self._behaviours, "right")
        self.asked.append(pickle.loads(asked))
        if behaviour == "right":
            ticket.answer = draw_blocks(asked, all_drawn)
        elif behaviour == "other":
            ticket.answer = pickle.dumps([drawn(next(requests(1)))] * 3)
        if behaviour == "late":
            ticket.answer = draw_blocks(asked, all_drawn)
            threading.Timer(0.005, ticket.there.set).start()
        elif behaviour != "never":
            ticket.there.set()
        return ticket


def blocks(count, others, seconds=1.0):
    here = []

    def draw(request):
        here.append(request.seed)
        return drawn(request)

    found = list(BlocksInOrder(draw, is_drawn, lambda _: seconds, lambda: None, others).blocks(requests(count)))
    return found, here


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(ahead, "_PATIENCE", 0.01)
    monkeypatch.setattr(ahead, "_PATIENT_SHARE", 0.0)


BEHAVIOURS = st.lists(st.sampled_from(["right", "late", "never", "none", "other"]), max_size=12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 11), st.integers(1, 5), BEHAVIOURS, st.sampled_from([0.3, 1.0]))
def test_all_blocks_come_once_and_in_order(count, spare, behaviours, seconds):
    found, _ = blocks(count, Others(spare, behaviours), seconds)

    assert found == EXPECTED[count]


def test_others_draw_what_they_are_there_for():
    others = Others(1, [])

    found, here = blocks(11, others)

    assert found == EXPECTED[11]
    assert len(here) + sum(map(len, others.asked)) == 11
    assert len(here) == 1


def test_nothing_is_asked_of_nobody():
    assert blocks(5, Others(0, []))[1] == [one.seed for one in requests(5)]
    assert blocks(5, None)[1] == [one.seed for one in requests(5)]


def test_quick_blocks_are_asked_for_together():
    others = Others(1, [])
    blocks(11, others, 0.25)
    assert max(map(len, others.asked)) == 4


def test_those_that_never_answer_are_not_asked_for_ever():
    others = Others(1, ["never"] * 100)
    found = BlocksInOrder(drawn, is_drawn, lambda _: 1.0, lambda: None, others).blocks(requests(11))
    assert list(found) == EXPECTED[11]
    assert len(others.asked) == 2, "two for each who draws, and no more as long as they are owed"


def test_who_was_slow_to_begin_is_asked_again():
    """Nobody is waited for before the first answer; when it has come, even too late, it goes on."""
    others = Others(1, ["late", "late"])

    def draw(request):
        time.sleep(0.004)
        return drawn(request)

    blocks_in_order = BlocksInOrder(draw, is_drawn, lambda _: 1.0, lambda: None, others)
    assert list(blocks_in_order.blocks(requests(11))) == EXPECTED[11]
    assert len(others.asked) > 2
    assert blocks_in_order.drawn_elsewhere > 0


def test_what_nobody_takes_is_not_planned_without_end():
    planned = []

    def noting():
        for one in requests(11):
            planned.append(one)
            yield one

    list(islice(BlocksInOrder(drawn, is_drawn, lambda _: 1.0, lambda: None, Others(2, [])).blocks(noting()), 1))
    assert len(planned) <= 6


def test_with_a_fixed_number_of_runs_blocks_do_not_hang_on_the_clock():
    rng, fixed = random.Random(1), AuditSettings(max_runs=500_000)
    sizes = {block_runs(2, rng.uniform(1e-9, 10.0), fixed) for _ in range(100)}
    assert sizes == {5_000}
    assert block_runs(2, 1e-7, AuditSettings()) > block_runs(2, 1e-2, AuditSettings()) > 0
    assert np.all([block_runs(sides, 1.0, AuditSettings(max_runs=1)) >= 1 for sides in (1, 2, 5_000)])
