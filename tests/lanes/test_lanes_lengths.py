"""Arrays of several lengths, and selections: what Python gives in each lane, without being asked lane by lane."""

from __future__ import annotations

import numpy as np
import pytest

from dplint.readings.lanes import SampledDraws, objects_of, read_block
from dplint.readings.lanes.merging import LaneMerger
from dplint.runner.texts import TextNumbers

LANES = 3_000
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
    draws = SampledDraws(np.random.SeedSequence(3))

    def refuse(*_: object) -> None:
        raise AssertionError("lanes are taken apart")

    with monkeypatch.context() as patched:
        patched.setattr(LaneMerger, "explode", refuse)
        block = read_block(program, {"queries": QUERIES}, LANES, draws, TextNumbers(), (3, 11))

    assert len({repr(output) for _, output in objects_of(block)}) > 3
