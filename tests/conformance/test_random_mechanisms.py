"""Random mechanisms, on the draws that CPython made: the same outcomes in every reading."""

from __future__ import annotations

from tests.conformance.adapters import READINGS, concrete, lanes
from tests.conformance.explore import compare
from tests.conformance.strategy import aliases, mechanisms


def test_readings_give_what_random_mechanisms_give() -> None:
    refused = compare(READINGS, mechanisms(), examples=100, start=None)

    assert len(refused) <= 15, refused


def test_lists_that_several_names_hold_are_followed_as_in_python_or_refused() -> None:
    refused = compare([concrete, lanes], aliases(), examples=80, start=None)

    assert len(refused) <= 120, "nearly everything is refused, so this says little"
