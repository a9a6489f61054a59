"""Random mechanisms, on the draws that CPython made: the same outcomes in every reading."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings

from tests.conformance.adapters import concrete, many_runs
from tests.conformance.harness import Case, check
from tests.conformance.strategy import programs

EXAMPLES = 60


@pytest.mark.parametrize("read", [concrete, many_runs])
def test_a_reading_gives_what_random_mechanisms_give(read: Callable) -> None:
    refused = []

    @settings(
        max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, suppress_health_check=[*HealthCheck]
    )
    @given(source=programs())
    def compare(source: str) -> None:
        refused.append(check(Case("made", source, {"queries": [1, 0, 2], "epsilon": 2}), read, range(12)) is not None)

    compare()

    assert not any(refused)
