"""Memory on lanes does not grow with the number of runs."""

from __future__ import annotations

import contextlib
import gc
import weakref

import numpy as np
import pytest

from benchmarks.memory import GROWTH, LIMIT, MILLION, measured
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.lanes import SampledDraws, read_block
from dplint.runner.texts import TextNumbers

SEVERAL = """
def m_list(rng, queries):
    return [q + rng.laplace() for q in queries]

def m_nested(rng, queries):
    return any(q * k + rng.laplace() > 3.0 for q in queries if q > 0.0 for k in (1, 2) if rng.random() < 0.5)

def m_early(rng, queries):
    found = []
    for q in queries:
        if q + rng.laplace() > 1.0:
            found.append(q)
        elif rng.random() < 0.1:
            return found
    return found

def m_while(rng, queries):
    noisy = -1.0
    while noisy < 0.0:
        noisy = queries[0] + rng.normal()
    return noisy

def m_raises(rng, queries):
    return 1 // int(rng.integers(0, 2))

def m_refused(rng, queries):
    while rng.random() < 2.0:
        pass
"""


@pytest.mark.parametrize("name", ["m_list", "m_nested", "m_early", "m_while", "m_raises", "m_refused"])
def test_a_block_is_gone_as_soon_as_nobody_holds_it(targets, name):
    """Without the garbage collector, which waits for many objects and does not see how large arrays are."""
    program = targets(SEVERAL)[name].program
    draws = Watched(np.random.SeedSequence(1))
    gc.collect()
    gc.disable()
    try:
        with pytest.raises(UnsupportedConstruct) if name == "m_refused" else contextlib.nullcontext():
            read_block(program, {"queries": [1.0, 2.0, 0.0]}, 3000, draws, TextNumbers(), (3, 11))
        assert draws.seen
        assert [interpretation() for interpretation in draws.seen] == [None] * len(draws.seen)
    finally:
        gc.enable()


class Watched(SampledDraws):
    """Notes, without holding them, the interpretations that draw."""

    def __init__(self, seed):
        super().__init__(seed)
        self.seen = []

    def draw(self, lanes, *rest):
        self.seen = self.seen or [weakref.ref(lanes)]
        return super().draw(lanes, *rest)


@pytest.mark.process
def test_four_million_runs_take_no_more_memory_than_one_million():
    few, many = measured("histogram", MILLION), measured("histogram", 4 * MILLION)

    assert many.total < LIMIT
    assert many.total - few.total < GROWTH
