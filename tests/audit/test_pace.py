"""How much larger rounds are made where lanes are fast."""

from types import SimpleNamespace

import pytest

from dplint.audit.betting import proposing as module
from dplint.audit.betting.proposing import Pace


@pytest.fixture
def clock(monkeypatch):
    """The clock of budgets, which a test sets."""
    found = SimpleNamespace(now=100.0)
    monkeypatch.setattr(module.time_had, "now", lambda: found.now)
    return found


def pace_of(clock, made, seconds_per_run=1e-7, budget=10.0):
    """A pass that began two seconds ago, of which runs have taken so many seconds."""
    lanes = SimpleNamespace(seconds=made, seconds_per_run=seconds_per_run)
    return Pace(lanes, clock.now - 2.0, clock.now - 2.0 + budget)


def test_runs_catch_up_with_the_rest_and_no_more(clock):
    """By what runs were seen to cost: after them, runs have had no more than two thirds of the time."""
    pace = pace_of(clock, made=0.5)
    pace.begin(3, 1)
    pace.took(1_000_000, 0.4)

    more = pace.more(10)

    seconds = more * 10 * 0.4e-6
    assert 0.5 + seconds <= (2.0 + seconds) * 2 / 3 + 1e-6
    assert seconds == pytest.approx(2.5, rel=0.01)


@pytest.mark.parametrize("turns", [1, 3])
def test_other_values_of_the_claim_have_their_turns_too(clock, turns):
    """A pass that is far behind makes additional runs for a part of its share of what is left."""
    pace = pace_of(clock, made=0.01, budget=3.0)
    pace.begin(3, turns)
    pace.took(1_000_000, 0.1)

    before = pace.more(10) * 10 * 0.1e-6
    clock.now += 0.2 / turns
    after = pace.more(10) * 10 * 0.1e-6
    clock.now += 2.0

    assert 0 < after < before <= 0.5 / turns
    assert pace.more(10) == 0


@pytest.mark.parametrize(("number", "made"), [(0, 0.1), (1, 0.1), (4, 1.4), (4, 1.9)])
def test_rounds_are_as_the_schedule_has_them(clock, number, made):
    """The first ones, and all where runs have had their share."""
    pace = pace_of(clock, made)
    pace.begin(number, 1)

    assert pace.more(10) == 0


def test_a_pass_that_has_made_no_runs_is_not_made_larger(clock):
    """Nobody knows what a run takes."""
    pace = pace_of(clock, 0.0, seconds_per_run=float("inf"))
    pace.begin(4, 1)

    assert pace.more(10) == 0


def test_a_few_runs_do_not_tell_what_others_take(clock):
    """What is done once would count for them alone."""
    pace = pace_of(clock, 0.5)
    pace.begin(4, 1)
    before = pace.more(10)
    pace.took(100, 1.0)

    assert pace.more(10) == before > 0


@pytest.mark.parametrize("seconds_per_run", [0.0, 1e-300, 1e-12])
def test_a_constant_takes_no_time_and_still_its_runs_have_an_end(clock, seconds_per_run):
    pace = pace_of(clock, 0.5, seconds_per_run)
    pace.begin(4, 1)

    assert 0 < pace.more(1) <= 2**27


def pace_after(clock, *, turns, others, left, number=3):
    """A pass of which so many turns have taken so many seconds but for runs, at the last turn of a round."""
    lanes = SimpleNamespace(seconds=0.0, seconds_per_run=1e-7)
    pace = Pace(lanes, clock.now, clock.now + others + 0.1 + left)
    for _ in range(turns):
        pace.begin(0, 1)
    clock.now += others + 0.1
    lanes.seconds = 0.1
    pace.begin(number, 1)
    return pace


@pytest.mark.parametrize(
    ("turns", "others", "left", "number", "short"),
    [
        (6, 1.2, 0.3, 3, True),
        (6, 1.2, 0.5, 3, False),
        (6, 1.2, 0.3, 2, False),
        (1, 0.1, 0.15, 4, True),
    ],
)
def test_a_turn_is_short_if_what_is_done_beside_runs_would_take_half_of_it(clock, turns, others, left, number, short):
    """From the fourth round on: by then all inputs have had their turns."""
    assert pace_after(clock, turns=turns, others=others, left=left, number=number).is_short == short


@pytest.mark.parametrize(("left", "times"), [(0.5, 2), (2.0, 1)])
def test_a_short_turn_ends_with_as_many_runs_as_there_is_time_for(clock, left, times):
    pace = pace_after(clock, turns=6, others=3.0, left=left)

    assert pace.is_short == (times == 2)
    assert pace.more(1) > 0
    assert pace.more(1, last=True) == pytest.approx(times * pace.more(1), abs=2)
