"""Ranges and lists of numbers."""

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dplint.cli.options import epsilon_range, epsilons, prefixes

CONTEXT = click.Context(click.Command("test"))
OPTION = click.Option(["--test"])


def test_a_range_holds_both_ends_and_no_rounding_errors():
    values = epsilon_range(CONTEXT, OPTION, "0.1:2.0:0.1")
    assert len(values) == 20
    assert values[:3] == (0.1, 0.2, 0.3)
    assert values[-1] == 2.0


def test_a_range_ends_before_a_step_would_pass_its_end():
    assert epsilon_range(CONTEXT, OPTION, "0.5:1.2:0.5") == (0.5, 1.0)
    assert epsilon_range(CONTEXT, OPTION, "1:1:5") == (1.0,)


def test_a_list_serves_as_a_range():
    assert epsilon_range(CONTEXT, OPTION, "1, 0.5,1") == (0.5, 1.0)


@given(st.integers(1, 50), st.integers(0, 50), st.integers(1, 20))
def test_a_range_in_hundredths(start, length, step):
    """Counted in whole hundredths, a range is Python's own."""
    stop = start + length
    values = epsilon_range(CONTEXT, OPTION, f"{start / 100}:{stop / 100}:{step / 100}")
    assert [round(value * 100) for value in values] == list(range(start, stop + 1, step))


@pytest.mark.parametrize("text", ["", "a:b:c", "1:2", "1:2:3:4", "nan", "inf:inf:1", "0:1:0.1", "1e-9:1:1e-9"])
def test_a_range_that_is_none_is_refused(text):
    with pytest.raises(click.BadParameter):
        epsilon_range(CONTEXT, OPTION, text)


def test_lists():
    assert epsilons(CONTEXT, OPTION, "0.2,0.7, 1.5") == (0.2, 0.7, 1.5)
    assert epsilons(CONTEXT, OPTION, None) is None
    assert prefixes(CONTEXT, OPTION, ("dp1, DP901", "DP2")) == ("DP1", "DP901", "DP2")
