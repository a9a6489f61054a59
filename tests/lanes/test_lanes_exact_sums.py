"""Sums that are rounded once are those of `math.fsum`, bit for bit, or Python is asked for them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from dplint.readings.lanes.exact_sums import exact_sum

LANES = 4_000


def agrees(table: np.ndarray, least: float) -> None:
    """At least this share of the lanes is known, and what is known is Python's."""
    with np.errstate(all="ignore"):
        found, known = exact_sum(list(table))
    assert known.mean() >= least
    for lane in np.flatnonzero(known).tolist():
        items = table[:, lane].tolist()
        assert found[lane].hex() == math.fsum(items).hex(), items


@pytest.mark.parametrize("count", [1, 2, 3, 5, 16])
@pytest.mark.parametrize("spread", [0, 1, 16, 300])
def test_numbers_of_all_sizes(count: int, spread: int):
    rng = np.random.default_rng(count)
    table = rng.normal(size=(count, LANES)) * 10.0 ** rng.integers(-spread, spread + 1, (count, LANES))

    agrees(table, 1.0)
    agrees(np.concatenate([table, -table + (rng.random(table.shape) < 0.5) * 1e-30]), 0.5)


@pytest.mark.parametrize("count", [3, 4, 6])
def test_numbers_halfway_between_two_floats(count: int):
    """Powers of two around the last bit of 1 and its half: nearly all sums are ties, or just beside one."""
    rng = np.random.default_rng(count)
    powers = np.array([0, -1, -52, -53, -54, -55, -106, -107, -1074])
    table = rng.choice([-1.0, 1.0], (count, LANES)) * 2.0 ** rng.choice(powers, (count, LANES))
    ties = sum(math.fsum(lane) != sum(lane) for lane in table.T.tolist())
    assert ties > LANES / 100  # else the test could not fail

    agrees(table, 0.5)


def test_odd_numbers_are_left_to_python():
    odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.7e308, -1.7e308, 5e-324, 1.0])
    table = np.random.default_rng(1).choice(odd, (4, LANES))

    agrees(table, 0.05)
    with np.errstate(all="ignore"):
        known = exact_sum(list(table))[1]
    assert not known[~np.isfinite(table).all(axis=0)].any()
