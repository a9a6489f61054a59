"""Random mechanisms, on the draws that CPython made: the same outcomes in every reading."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.conformance.adapters import concrete, many_runs
from tests.conformance.explore import compare

EXAMPLES = 100


@pytest.mark.parametrize("read", [concrete, many_runs])
def test_a_reading_gives_what_random_mechanisms_give(read: Callable) -> None:
    refused = compare(read, examples=EXAMPLES, start=None)

    assert len(refused) <= EXAMPLES / 20, refused
