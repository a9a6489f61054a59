"""Lessons that another process makes: those that this one would have made, whoever answers and when."""

import pickle
import sys
from dataclasses import replace

import numpy as np
import pytest

from dplint.audit.betting import proposing
from dplint.audit.betting.proposing import LessonRequest, lesson, lesson_for_another
from dplint.audit.lane_counts import NotForOthers
from dplint.audit.residual_runs import ResidualRuns
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.events.split_runs import Suggestion
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
"""
REQUEST = LessonRequest(
    datas=(DataValue([1.0, 0.5]), DataValue([0.0, 0.0])),
    arguments={},
    runs=10_000,
    seed=(7, (3, 1)),
    block=3_000,
    epsilon=0.8,
    delta=0.0,
    early=False,
)


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


@pytest.mark.parametrize("early", [False, True])
def test_another_process_learns_what_this_one_would_have_learnt(lanes, early):
    request = replace(REQUEST, early=early)
    one, texts, seed = lanes("numbers"), TextNumbers(), np.random.SeedSequence(7, spawn_key=(3, 1))
    one.limit(3_000)
    batches = [two for _, two in one.blocks(request.datas, {}, 10_000, seed, texts)]
    mine = lesson(request, batches, texts)

    assert mine
    assert lesson_for_another(lanes("numbers"), request) == mine
    assert pickle.loads(pickle.dumps(mine)) == mine
    assert lesson_for_another(lanes("numbers"), replace(request, seed=(8, (3, 1)))) != mine
    assert lesson_for_another(lanes("numbers"), replace(request, block=2_000)) != mine
    assert any(one.event.complexity > 4 for one in mine) or early


def test_what_returns_texts_is_not_learnt_elsewhere(lanes):
    with pytest.raises(NotForOthers):
        lesson_for_another(lanes("words"), REQUEST)


def test_only_lessons_are_answers():
    suggestion = lesson_answer()

    assert proposing._fits(REQUEST, [suggestion])
    assert proposing._fits(REQUEST, [])
    assert not proposing._fits(REQUEST, [1])
    assert not proposing._fits(REQUEST, None)


def lesson_answer():
    return Suggestion(event=None, score=1.0, count1=1, count2=1, runs=1)
