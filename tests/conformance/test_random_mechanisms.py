"""Random mechanisms, on the draws that CPython made: the same outcomes in every interpretation."""

from __future__ import annotations

import math

from dplint_conformance import compare
from tests.conformance.adapters import INTERPRETATIONS, concrete
from tests.examples import in_proportion


def test_interpretations_give_what_random_mechanisms_give() -> None:
    """Some 5 in 100 are refused, each by all of them: those that change an array of rows in place, say."""
    adapters = INTERPRETATIONS

    refused = compare(adapters, examples=in_proportion(100))

    assert len(refused) <= in_proportion(8) * len(adapters), refused


def test_lists_that_several_names_hold_are_followed_as_in_python_or_refused() -> None:
    """Of two hundred 73 were refused, each by all of them; four standard errors are for so few as are tried."""
    adapters, examples = [concrete], in_proportion(120)

    refused = compare(adapters, examples=examples, aliases=True)

    most = 0.45 * examples + 4 * math.sqrt(examples / 4)
    assert len(refused) <= most * len(adapters), "too much is refused for this to say much"
