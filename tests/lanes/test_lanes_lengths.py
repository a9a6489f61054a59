"""Arrays of several lengths, and selections: what Python gives in each lane, without being asked lane by lane."""

from __future__ import annotations

import numpy as np
import pytest

from dplint.audit.lane_runs import LaneRuns
from dplint.runner.client import DataValue
from tests.lanes.lane_tools import outputs_of_arrays_alone

MECHANISMS = {
    "kept": "noisy = np.asarray(queries) + rng.normal(size=len(queries))\n    kept = noisy[noisy > 1]\n"
    "    return kept.tolist(), len(kept), (2 * kept).sum(), float(kept.mean()) if len(kept) else None",
    "places": "noisy = np.asarray(queries) + rng.normal(size=len(queries))\n"
    "    return np.flatnonzero(noisy > 1).tolist(), np.where(noisy < 0)[0]",
    "partition": "noisy = np.asarray(queries) + rng.normal(size=len(queries))\n"
    "    return np.argpartition(-noisy, 1)[:2].tolist(), np.partition(noisy, 2)",
    "range": "noisy = [query + round(rng.normal()) for query in queries]\n"
    "    return max(range(len(noisy)), key=noisy.__getitem__), sorted(range(len(noisy)), key=noisy.__getitem__)",
    "zip": "noisy = [query + rng.normal() for query in queries]\n"
    "    return [place * value for place, value in zip(range(9), noisy)]",
    "remove": "left = [0, 1, 2, 3]\n    left.remove(int(rng.integers(4)))\n    del left[int(rng.integers(-3, 3))]\n"
    "    return left, [queries[place] for place in left]",
}
QUERIES = [1.0, 0.0, 2.0, 1.0]


@pytest.mark.parametrize("name", MECHANISMS)
def test_no_lane_is_asked_by_itself(targets, monkeypatch: pytest.MonkeyPatch, name: str):
    program = targets(f"def m(rng, queries):\n    {MECHANISMS[name]}\n")["m"].program

    assert len(outputs_of_arrays_alone(program, QUERIES, monkeypatch)) > 3


FRESH = """
def m_kept(rng, queries):
    noisy = np.asarray(queries) + np.round(rng.normal(size=len(queries)), 1)
    kept, rest = noisy[noisy > 0], noisy[~(noisy > 0)]
    return kept, rest.tolist(), kept.size, (kept * 2 - 1).tolist(), np.flatnonzero(noisy < 1), kept[:1], np.sort(rest)

def m_sums(rng, queries):
    noisy = np.asarray(queries) + rng.normal(size=len(queries))
    kept = noisy[noisy > 0]
    return kept.sum(), float(kept.mean()) if kept.size else -1.0, kept.max() if len(kept) > 0 else None

def m_range(rng, queries):
    noisy = [query + np.round(rng.normal()) for query in queries]
    return max(range(len(noisy)), key=noisy.__getitem__), min(range(len(noisy) - 1, -1, -1), key=lambda i: noisy[i])

def m_partition(rng, queries):
    noisy = np.asarray(queries) + np.round(rng.normal(size=len(queries)))
    return np.argpartition(noisy, 1), np.partition(noisy, -2), np.argpartition(noisy, [0, 1])[:1].tolist()

def m_places(rng, queries):
    place, table = int(rng.integers(0, 6)), [0.5, 1.5, -2.5, 7.0]
    noisy = [query + rng.laplace() for query in queries]
    return table[place % 4], (1, 2, 3)[place % 3], noisy[place % max(len(noisy), 1)], [3, 1.0, None, "a"][place % 4]

def m_branches(rng, queries):
    noisy = np.asarray(queries, dtype=float) + rng.laplace(size=len(queries))
    found = noisy[noisy > 0.5] if noisy.sum() > 0 else noisy[:2]
    for value in found:
        if value > 3:
            return "big", len(found)
    return found.tolist(), bool((found > 1).any())
"""
NAN, INF = float("nan"), float("inf")
DATA = [
    [],
    [0.0],
    [1, 0, 2, 2],
    [0.0] * 5,
    [2.0, -0.0],
    [NAN, 1.0, 0.0],
    [INF, -INF, 1.0],
    [1e17, -1e17, 3.0],
    [5] * 20,
]


@pytest.mark.parametrize("form", ["list", "array"])
def test_the_function_gives_the_same_on_odd_data(targets, lanes_runner, form):
    """Nothing, ties, zeros of both signs, integers, NaN and infinities: run by run, by replaying the draws."""
    for target in targets(FRESH).values():
        lanes_runner.load(target.mechanism)
        for number, data in enumerate(DATA):
            runs = LaneRuns(target.program, target.mechanism, lanes_runner)
            runs.check(DataValue(data, form), {}, 100, np.random.SeedSequence(number))
