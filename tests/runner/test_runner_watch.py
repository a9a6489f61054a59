"""Watched runs: which noise is asked for, which lines are taken, and which constants a function knows."""

from __future__ import annotations

import pytest

from dplint.runner.client import DataValue, SampleRequest

BRANCHES = """
    import numpy as np
    def m(ages, rng, k=1.0):
        total = len(ages)
        if 65 in ages:
            return total + rng.laplace(scale=k)
        return total + rng.normal(0, [1.0, 2.0])[0]
"""


def look(runner, *datas, **given):
    lines = given.pop("lines", False)
    noise_free = given.pop("noise_free", False)
    request = SampleRequest(tuple(DataValue(data) for data in datas), arguments=given, runs=3, noise_free=noise_free)
    return runner.look(request, lines=lines)


@pytest.mark.parametrize("noise_free", [False, True])
def test_draws_are_told_by_line_distribution_and_scale(shared_runner, write, noise_free):
    shared_runner.load(write(BRANCHES))
    one, two = look(shared_runner, [65], [1], k=0.5, noise_free=noise_free)

    (draws,), (others,) = one.draws, two.draws
    assert (draws.distribution, draws.count, draws.low, draws.high, draws.vanishing) == ("laplace", 3, 0.5, 0.5, False)
    assert (others.distribution, others.count, others.low, others.high) == ("normal", 3, 1.0, 2.0)
    assert others.line == draws.line + 1
    assert one.batch.runs == 3
    assert len(set(one.batch.outputs())) == (1 if noise_free else 3), "it draws, unless it is without noise"


@pytest.mark.parametrize(("k", "vanishing"), [(0.0, True), (-1.0, True), (float("inf"), True), (1e-9, False)])
def test_a_scale_that_is_none_is_told(shared_runner, write, k, vanishing):
    shared_runner.load(write(BRANCHES))
    (one,) = look(shared_runner, [65], k=k)

    assert one.draws[0].vanishing is vanishing


def test_lines_tell_branches_apart_and_loops_do_not(shared_runner, write):
    shared_runner.load(write(BRANCHES))
    one, two, three = look(shared_runner, [65], [1, 2], [3], lines=True)

    assert one.lines - two.lines
    assert two.lines - one.lines
    assert two.lines == three.lines


@pytest.mark.parametrize(
    "draw",
    [
        "np.random.laplace(0, k)",
        "np.random.default_rng().laplace(0, k)",
        "GENERATOR.laplace(0, k)",
        "stats.laplace.rvs(scale=k)",
        "helper(k)",
    ],
)
def test_other_ways_to_draw_are_watched_too(shared_runner, write, draw):
    pytest.importorskip("scipy")
    source = f"""
    import numpy as np
    from scipy import stats
    GENERATOR = np.random.default_rng(1)
    def helper(k): return GENERATOR.laplace(scale=k)
    def m(data, k): return {draw}
    """
    shared_runner.load(write(source))
    (one,) = look(shared_runner, [1], k=0.0)

    assert [draw.vanishing for draw in one.draws] == [True]


def test_a_watched_run_that_raises_is_an_output(shared_runner, write):
    shared_runner.load(write("def m(data): raise ValueError('no')"))
    (one,) = look(shared_runner, [1])

    assert one.batch.outputs() == [("ValueError", "no")] * 3


def test_constants_are_those_of_the_function_and_of_what_it_names(shared_runner, write):
    source = """
    import math
    PENSION = 67
    TOWNS = ("x", "y")
    UNUSED = 12345
    def helper(age, most=99):
        return age > PENSION or math.sqrt(age) > 3.25
    class Known:
        def method(self): return 77
    def m(ages):
        '''Not 444.'''
        return sum(1 for age in ages if age == 65 and helper(age)), TOWNS, Known
    """
    shared_runner.load(write(source))
    found = shared_runner.constants()

    assert {65, 67, 99, 3.25, "x", "y", 77} <= set(found)
    assert 12345 not in found
    assert not any("444" in str(one) for one in found)
    assert found.index(65) < found.index(67), "the function's own first"
