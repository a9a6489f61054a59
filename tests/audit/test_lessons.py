"""Lessons that another process makes: those that this one would have made, whoever answers and when."""

import pickle
from dataclasses import replace
from unittest import mock

import numpy as np
import pytest

from dplint.audit import ahead
from dplint.audit.betting import lessons, proposing
from dplint.audit.betting.lessons import LessonRequest, lesson, lesson_for_another
from dplint.audit.betting.proposing import Lessons
from dplint.audit.lane_blocks import LaneBlocks
from dplint.audit.lane_counts import NotForOthers
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.events.split_runs import Suggestion
from dplint.runner.batch import DataValue
from dplint.runner.texts import TextNumbers
from tests.audit.drawing_tools import Somebody, alone, outcome
from tests.workers.jobs import FIXTURES, job_from

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
    python=(3, 11),
    epsilon=0.8,
    delta=0.0,
    early=False,
)


@pytest.fixture
def lanes(tmp_path):
    file = tmp_path / "mechanisms.py"
    file.write_text(SOURCE)
    found = {one.mechanism.qualname: one for one in load_file(file, Settings()) if isinstance(one, Target)}
    return lambda name: LaneBlocks(found[name].program, found[name].mechanism, (3, 11))


@pytest.mark.parametrize("early", [False, True])
def test_another_process_learns_what_this_one_would_have_learnt(lanes, early):
    request = replace(REQUEST, early=early)
    one, texts, seed = lanes("numbers"), TextNumbers(), np.random.SeedSequence(7, spawn_key=(3, 1))
    one.limit(3_000)
    batches = [two for _, two in one.blocks(request.datas, {}, 10_000, seed, texts, together=False)]
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


@pytest.fixture(scope="module")
def job():
    return job_from(FIXTURES / "statdp" / "histogram.py", "histogram_eps", max_runs=4_000_000, keep_going=True)


@pytest.fixture(scope="module")
def expected(job):
    return outcome(job, alone)


@pytest.mark.process
@pytest.mark.parametrize(
    "given",
    [
        {},
        {"worth": 0.6},
        {"answers": lambda lesson, number: not lesson or number % 2},
        {"answers": lambda lesson, _number: not lesson},
    ],
    ids=["all at once", "several in one request", "every other one", "none of them"],
)
def test_an_audit_is_the_same_whoever_makes_its_lessons(job, expected, given):
    with mock.patch.object(proposing, "SETTLED", 0.0), mock.patch.multiple(ahead, _PATIENCE=0.0, _PATIENT_SHARE=0.0):
        somebody = Somebody(job, **given)
        found = outcome(job, somebody)

    assert somebody.lessons
    assert found == expected


@pytest.mark.process
def test_lessons_of_other_runs_would_be_noticed(job, expected):
    def other(request):
        return replace(request, seed=(8, request.seed[1])) if isinstance(request, LessonRequest) else request

    with mock.patch.object(proposing, "SETTLED", 0.0):
        assert outcome(job, Somebody(job, change=other)) != expected


@pytest.mark.process
def test_the_last_runs_of_a_budget_go_to_the_same_lessons(job):
    """What others are asked for is spent when it is asked for: the next lesson gets what is left."""
    began, better = [], Lessons.better

    def noted(self, *given):
        began.append(self._session.runs)
        return better(self, *given)

    with mock.patch.object(Lessons, "better", noted):
        outcome(job, alone)
    for left in (1_000, 30_000, 70_000):
        short = replace(job, settings=replace(job.settings, max_runs=began[-1] + left))
        with mock.patch.object(proposing, "lesson", wraps=lessons.lesson) as made:
            plain = outcome(short, alone)
        with mock.patch.object(proposing, "SETTLED", 0.0):
            somebody = Somebody(short)
            assert outcome(short, somebody) == plain
        assert plain[0].effort.runs >= began[-1]
        assert left == 1_000 or any(call.args[0].runs < 20_000 for call in made.call_args_list)


def test_only_lessons_are_answers():
    suggestion = lesson_answer()

    assert proposing._fits(REQUEST, [suggestion])
    assert proposing._fits(REQUEST, [])
    assert not proposing._fits(REQUEST, [1])
    assert not proposing._fits(REQUEST, None)


def lesson_answer():
    return Suggestion(event=None, score=1.0, count1=1, count2=1, runs=1)
