"""Which events rest on an exception."""

import pytest

from dplint.outcomes import OutputEvent, SingleOutput


@pytest.mark.parametrize(
    "expression",
    [
        "isinstance(output, Exception)",
        "isinstance(output, Exception) and type(output).__name__ == 'Full'",
        "isinstance(output, Exception) and str(output) == 'empty'",
        "isinstance(output.returned, Exception)",
        "type(output).__name__ == 'ZeroDivisionError'",
        "type(output).__name__ != 'ValueError'",
        "type(output).__name__ in ['ValueError']",
        "not isinstance(output, Exception)",
        "output == 3 or type(output).__name__ == 'KeyError'",
    ],
)
def test_events_about_exceptions(expression):
    assert OutputEvent(expression).of_exceptions


@pytest.mark.parametrize(
    "expression",
    [
        "output < 1",
        "isinstance(output, (int, float)) and output < 1",
        "not isinstance(output, Exception) and output[0] >= 2",
        "type(output).__name__ == 'list'",
        "output == 'ValueError'",
        "len(output) == 0",
        "this is no Python",
    ],
)
def test_events_about_what_is_returned(expression):
    assert not OutputEvent(expression).of_exceptions


def test_a_value_is_no_exception():
    assert not SingleOutput("ValueError").of_exceptions
