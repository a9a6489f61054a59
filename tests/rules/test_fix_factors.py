"""Factors that messages name: enough, as somebody would write it."""

from __future__ import annotations

import math

import pytest

from dplint.rules.context import rounded_up


@pytest.mark.parametrize("number", [1.0000001, 1.001, 1.0714285, 1.5, 2.0, 9.999, 10.0, 123.4, 0.0123])
def test_three_digits_are_enough(number: float) -> None:
    shown = float(rounded_up(number))

    assert number * (1 - 1e-6) <= shown <= number * 1.01
    assert math.isclose(shown, float(f"{shown:.3g}"))
