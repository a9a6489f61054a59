"""A later pass goes on where an earlier one stopped, and a pass that somebody ends has an outcome."""

import json
import math
from ast import literal_eval
from dataclasses import replace

import numpy as np
import pytest

from dplint.audit import inputs
from dplint.audit.betting.claim_test import CarriedOver
from dplint.audit.betting.portfolio import Portfolio
from dplint.audit.procedures import carry_out
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.settings import Setting
from dplint.outcomes import Failed, FailureKind, StopReason, Underpowered, Violation
from dplint.statistics.betting import epsilon_grid
from tests.audit.conftest import audited, read_fixtures
from tests.workers.jobs import job_from

pytestmark = pytest.mark.process

STATDP = read_fixtures("statdp")
RIGHT = STATDP["noisy_max_v2a"]
RUNS = 60_000
GRID = np.array([0.5, 0.7, 1.0])
SETTING = Setting((), 0.7, 0.0)


def through_json(state):
    return json.loads(json.dumps(state, allow_nan=False))


@pytest.fixture(scope="module")
def first():
    return audited(RIGHT, max_runs=RUNS, keep_going=True)


def test_a_second_pass_goes_on_from_the_first(first):
    """Its wealth is what it earns on runs of its own, times what was carried; its runs are counted beside."""
    second = audited(RIGHT, state=through_json(first.state), max_runs=RUNS, keep_going=True)

    assert second.outcome.effort.earlier_runs == first.outcome.effort.runs
    assert (first.state["passes"], second.state["passes"]) == (1, 2)
    assert second.state["runs"] == first.outcome.effort.runs + second.outcome.effort.runs
    (key,) = first.state["wealth"]
    assert second.outcome.tested[0].lower > first.outcome.tested[0].lower
    # The same money is carried against each epsilon; where it is that of luck alone it stays small.
    assert second.state["wealth"][key] != first.state["wealth"][key]
    assert second.outcome.tested[0].log_e_value >= first.state["wealth"][key][_claimed(key, first)] - 1e-9


def _claimed(key, found):
    """The position of 0.7 on the grid: the bound is read on it, and 0.7 is the claim."""
    grid = epsilon_grid([0.7])
    assert len(grid) == len(found.state["wealth"][key])
    return int(np.flatnonzero(grid == 0.7)[0])


@pytest.fixture
def used(monkeypatch):
    """The streams of runs on lanes, those of checks excepted: the same lanes may be checked twice, and are not paid."""
    found = []

    def noting(make):
        def noted(self, data, arguments, runs, seed, *rest):
            found.append(seed.spawn_key)
            return make(self, data, arguments, runs, seed, *rest)

        return noted

    monkeypatch.setattr(ResidualRuns, "together", noting(ResidualRuns.together))
    return found


def test_the_streams_of_a_second_pass_are_new(first, used):
    """No stream of random numbers of the first pass is used again, except where nothing is paid: the first runs."""
    audited(RIGHT, max_runs=10 * RUNS, keep_going=True)
    before, used[:] = set(used), []
    audited(RIGHT, state=first.state, max_runs=10 * RUNS, keep_going=True)

    assert len(before) > 20
    assert not before & set(used)


def test_no_stream_is_used_twice_in_a_pass(used):
    """Also with several values of the claim and learnt events."""
    audited(STATDP["noisy_max_v1b"], max_runs=3_000_000, keep_going=True, epsilons=(0.2, 0.7))

    assert len(used) > 100
    assert len(set(used)) == len(used)


def test_evidence_of_earlier_passes_multiplies(first):
    """The same streams, as no pass is said to have been: after one look the evidence is that with the carried money."""
    wrong, money = STATDP["histogram_eps"], 20.0
    (key,) = first.state["wealth"]
    carried = [math.log(money)] * len(epsilon_grid([0.7]))
    state = {"version": 1, "passes": 0, "runs": 0, "wealth": {key: carried}}
    alone, both = (audited(wrong, state=given).outcome for given in (None, state))

    assert alone.effort.looks == both.effort.looks == 1
    (less,), (more,) = alone.tested, both.tested
    assert more.log_e_value == pytest.approx(less.log_e_value + math.log(money))
    assert more.p_value == pytest.approx(less.p_value / money)
    assert both.epsilon_lower > alone.epsilon_lower


BAD = {
    "nothing": {},
    "another version": {"version": 99},
    "a list": [1, 2],
    "words for numbers": {"passes": "one"},
    "a bool": {"passes": True},
    "fewer than no passes": {"passes": -1},
    "fewer than no runs": {"runs": -5},
    "parts of a run": {"runs": 1.5},
    "no wealth": {"wealth": None},
    "wealth that is no list": {"wealth": {"a": 3.0}},
    "wealth without end": {"wealth": {"a": [0.0, math.inf]}},
    "wealth that is no number": {"wealth": {"a": [math.nan]}},
    "wealth in words": {"wealth": {"a": ["much"]}},
    "a whole number beyond all floats": {"wealth": {"a": [10**400]}},
}


@pytest.mark.parametrize("damage", BAD.values(), ids=BAD)
def test_a_state_that_is_not_ours_is_as_none(damage):
    good = {"version": 1, "passes": 1, "runs": 10, "wealth": {"a": [0.5]}, "lanes": True}
    broken = {**good, **damage} if isinstance(damage, dict) and damage else damage

    assert CarriedOver.read(good).passes == 1
    assert CarriedOver.read(broken) == CarriedOver.read(None) == CarriedOver()


def test_an_audit_with_a_foreign_state_is_one_without(first):
    again = audited(RIGHT, state={"version": 1, "passes": -3, "runs": 0, "wealth": {}}, max_runs=RUNS, keep_going=True)

    assert again.state == first.state


def portfolio(carried):
    return Portfolio(grid=GRID, claimed=1, delta=0.0, level=0.01, carried=carried)


def test_wealth_on_another_grid_is_not_carried():
    carried_over = CarriedOver(1, 10, {}).followed_by([(SETTING, portfolio(np.ones(3)))], 5, lanes=True)

    assert CarriedOver.read(carried_over).carried(SETTING, GRID).tolist() == [1.0, 1.0, 1.0]
    assert CarriedOver.read(carried_over).carried(SETTING, GRID[:2]).tolist() == [0.0, 0.0]
    assert CarriedOver.read(carried_over).carried(Setting((), 0.7, 0.1), GRID).tolist() == [0.0, 0.0, 0.0]


def test_a_value_of_the_claim_that_a_pass_did_not_reach_keeps_its_money():
    """So that what was lost stays lost, and a short pass costs no evidence."""
    other = Setting((), 1.0, 0.0)
    one = CarriedOver().followed_by([(SETTING, portfolio(np.ones(3))), (other, portfolio(-np.ones(3)))], 5, lanes=False)
    two = CarriedOver.read(through_json(one)).followed_by([(SETTING, portfolio(2 * np.ones(3)))], 5, lanes=False)
    carried_over = CarriedOver.read(through_json(two))

    assert (carried_over.passes, carried_over.runs) == (2, 10)
    assert carried_over.carried(SETTING, GRID).tolist() == [2.0, 2.0, 2.0]
    assert carried_over.carried(other, GRID).tolist() == [-1.0, -1.0, -1.0]


@pytest.mark.parametrize(("lanes", "left"), [(True, 0.0), (False, 1.0)])
def test_what_was_earned_on_lanes_is_lost_with_the_translation(lanes, left):
    """But not that these passes have been: their random streams are used up."""
    state = CarriedOver().followed_by([(SETTING, portfolio(np.ones(3)))], 5, lanes=lanes)
    carried_over = CarriedOver.read(through_json(state)).off_lanes()

    assert carried_over.carried(SETTING, GRID).tolist() == [left] * 3
    assert (carried_over.passes, carried_over.runs) == (1, 5)


def test_money_that_is_lost_to_the_last_penny_is_still_a_number():
    state = CarriedOver().followed_by([(SETTING, portfolio(np.array([-np.inf, 0.0, 1.0])))], 5, lanes=False)

    assert CarriedOver.read(through_json(state)).carried(SETTING, GRID)[0] < -1e5


class Ending:
    """A progress that asks for an end after so many messages."""

    def __init__(self, after, phase=""):
        self.after = after
        self.phase = phase
        self.standings = []

    @property
    def cancelled(self):
        return self.after <= 0

    def __call__(self, phase, done, total, standing=None):
        self.after -= phase.startswith(self.phase)
        self.standings += [standing] if standing else []


def test_a_pass_that_is_cancelled_says_what_is_known_and_can_be_continued():
    ended = audited(RIGHT, progress=Ending(12, "betting"), max_runs=5_000_000, keep_going=True)

    assert isinstance(ended.outcome, Underpowered), "22,000 runs do not show a loss of twice the claim"
    assert ended.outcome.effort.stop is StopReason.CANCELLED
    assert 0 < ended.outcome.effort.runs < 2_500_000
    assert ended.outcome.tested[0].lower > 0
    later = audited(RIGHT, state=through_json(ended.state), max_runs=RUNS, keep_going=True)
    assert later.outcome.effort.earlier_runs == ended.outcome.effort.runs


def test_a_violation_that_is_known_survives_the_end():
    """Going on for a higher bound, and ended while it does."""
    progress = Ending(25, "betting")
    ended = audited(STATDP["noisy_max_v2b"], progress=progress, max_runs=None, budget=60.0, keep_going=True).outcome

    assert isinstance(ended, Violation)
    assert ended.effort.stop is StopReason.CANCELLED
    assert ended.effort.seconds < 30
    shares, lowers = [s.share for s in progress.standings], [s.lower for s in progress.standings]
    assert shares[-1] == 1.0
    assert shares == sorted(shares)
    assert lowers == sorted(lowers)
    assert lowers[-1] <= ended.epsilon_lower


def test_an_end_before_anything_was_tried_is_a_failure_and_not_clean():
    ended = audited(RIGHT, progress=Ending(0))

    assert isinstance(ended.outcome, Failed)
    assert ended.outcome.kind is FailureKind.CANCELLED
    assert ended.state is None


GUARDED = """
from dplint import dp

@dp(epsilon=0.7, neighbors="linf")
def guarded(rng, xs, cap: int, k: int):
    if cap < 1:
        raise ValueError("cap")
    seen = bytes(1)
    return xs[0] * len(seen) + rng.laplace(scale=k / 0.7)
"""
"""Bytes are not understood, so that arguments are simple values: some are rejected, some leave no noise."""


def test_arguments_that_were_left_out_are_not_tried_again(tmp_path, monkeypatch):
    """By later rounds and passes; they are still told, and the passes try the same choices."""
    (tmp_path / "guarded.py").write_text(GUARDED)
    job = job_from(tmp_path / "guarded.py", epsilons=(0.7,), max_runs=20_000, keep_going=True)
    tried = []
    first_runs = inputs._first_runs
    monkeypatch.setattr(
        inputs, "_first_runs", lambda *given, **more: tried.append(repr(given[2].values)) or first_runs(*given, **more)
    )
    first = carry_out(job, lambda *_: None)
    tried_first, tried[:] = list(tried), []
    second = carry_out(replace(job, state=through_json(first.state)), lambda *_: None)

    bad = [one for one in tried_first if min(literal_eval(one).values()) < 1]
    left_out = set(bad)
    assert left_out
    assert len(bad) == len(left_out), "each once"
    assert left_out == set(first.state["rejected"])
    assert set(tried) == set(tried_first) - left_out
    told = [[note for note in one.outcome.effort.notes if "left out" in note] for one in (first, second)]
    assert sorted(told[0]) == sorted(told[1])
    assert any("every run raised ValueError: cap" in note and "(cap = 0, k = 1" in note for note in told[0])
    assert len(first.outcome.effort.notes) == len(second.outcome.effort.notes)
