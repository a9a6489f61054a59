"""A search looks at the clock before each path: there may be many on one sample, and its seconds end there, too."""

from __future__ import annotations

from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from dplint.proofs.proposer import samples
from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text

COINS = """
@dp(epsilon="epsilon", neighbors="l1", size=5)
def release(queries, rng, epsilon):
    shown = 0
    if queries[0] + rng.laplace(scale=1 / epsilon) > 0:
        shown += 1
    if queries[1] + rng.laplace(scale=1 / epsilon) > 0:
        shown += 2
    if queries[2] + rng.laplace(scale=1 / epsilon) > 0:
        shown += 4
    if queries[3] + rng.laplace(scale=1 / epsilon) > 0:
        shown += 8
    if queries[4] + rng.laplace(scale=1 / epsilon) > 0:
        shown += 16
    return shown
"""


def test_the_clock_is_looked_at_between_any_two_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    order: list[str] = []
    compared = samples.compared

    def noted(*given: object) -> object:
        order.append("path")
        return compared(*given)

    monkeypatch.setattr(samples, "compared", noted)
    look = partial(order.append, "look")
    found = search(*of_text(tmp_path, "from dplint import dp\n" + COINS, "release"), 60.0, look)
    assert found.proof is not None
    assert order.count("path") >= 32  # each of five coins, either way
    assert ("path", "path") not in pairwise(order)
