"""Small numbers are counted right in either way, whichever is faster."""

from collections import Counter

import numpy as np
import pytest

from dplint.events import grids as tallies
from dplint.events.grids import tally


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.int64])
@pytest.mark.parametrize("size", [1, 2, 3, 16, 17, 200])
@pytest.mark.parametrize("count", [0, 5, 40_000])
def test_tallies_against_a_loop(dtype, size, count):
    """Also where the last number never comes, or no number does."""
    numbers = np.random.default_rng(count + size).integers(0, max(1, size - size % 2), count).astype(dtype)
    counts = Counter(numbers.tolist())

    assert tally(numbers, size).tolist() == [counts[one] for one in range(size)]


def test_few_numbers_are_compared_and_many_are_not(monkeypatch):
    """`np.bincount` takes 280 microseconds for what takes 6 by comparing: 131,072 bools."""
    asked = []
    monkeypatch.setattr(
        tallies.np, "bincount", lambda numbers, minlength: asked.append(minlength) or np.zeros(minlength)
    )
    for size in (2, 16, 17):
        tally(np.zeros(20_000, np.uint8), size)

    assert asked == [17]
