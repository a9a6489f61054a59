"""How much larger rounds are made where lanes are fast."""

from types import SimpleNamespace

import pytest

from dplint.audit.betting.pace import pace


def test_after_a_round_runs_have_taken_half_of_the_time():
    """By the speed of lanes, if nothing is done but to make the additional runs."""
    lanes = SimpleNamespace(seconds=0.5, seconds_per_run=1e-7)

    factor = pace(lanes, 100_000, 3, seconds=2.0, budget=10.0)

    more = (factor - 1) * 100_000 * lanes.seconds_per_run
    assert lanes.seconds + more == pytest.approx((2.0 + more) / 2)


def test_a_round_makes_up_for_a_share_of_the_budget_at_most():
    """A second of imports is not made up for at once."""
    lanes = SimpleNamespace(seconds=0.5, seconds_per_run=1e-7)

    factor = pace(lanes, 100_000, 3, seconds=100.0, budget=1.0)

    assert 0 < (factor - 1) * 100_000 * lanes.seconds_per_run < 1.0


@pytest.mark.parametrize(
    ("number", "made", "seconds"),
    [(0, 0.1, 2.0), (1, 0.1, 2.0), (4, 1.0, 2.0), (4, 1.5, 2.0), (4, 0.0, 2.0)],
)
def test_rounds_are_never_smaller_than_the_schedule_has_them(number, made, seconds):
    """Nor larger in the first rounds, where lanes have had their half, and before anything was made on them."""
    assert pace(SimpleNamespace(seconds=made, seconds_per_run=1e-7), 10_000, number, seconds, 10.0) == 1.0
