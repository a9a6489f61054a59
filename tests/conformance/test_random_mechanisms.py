"""Random mechanisms, on the draws that CPython made: the same outcomes in every reading."""

from __future__ import annotations

from tests.conformance.adapters import READINGS
from tests.conformance.explore import compare

EXAMPLES = 120


def test_readings_give_what_random_mechanisms_give() -> None:
    refused = compare(READINGS, examples=EXAMPLES, start=None)

    assert len(refused) <= EXAMPLES * len(READINGS) / 20, refused
