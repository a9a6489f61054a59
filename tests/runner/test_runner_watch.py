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
    noise_free, passed_over = given.pop("noise_free", False), given.pop("passed_over", False)
    request = SampleRequest(tuple(DataValue(data) for data in datas), arguments=given, runs=3, noise_free=noise_free)
    return runner.look(request, lines=lines, passed_over=passed_over)


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


def texts_of_passed_over(look):
    return [text for _, text in look.passed_over]


def test_lines_that_no_run_of_any_data_takes_are_told(shared_runner, write):
    shared_runner.load(write(BRANCHES))

    assert texts_of_passed_over(look(shared_runner, [65], passed_over=True)[0]) == [
        "return total + rng.normal(0, [1.0, 2.0])[0]"
    ]
    one, two = look(shared_runner, [65], [1], passed_over=True)
    assert one.passed_over == two.passed_over == ()
    assert look(shared_runner, [65])[0].passed_over == (), "nobody has asked"


ODD_FORMS = """
    import functools
    from contextlib import suppress

    def kept(value):
        return helper(
            value
        )

    def helper(value):
        with suppress(ValueError):
            if value == "never":
                raise ValueError("not taken")
        return value

    @functools.lru_cache
    def cached(k):
        return k * 2

    class Box:
        @staticmethod
        def unused():
            return "not taken in Box"

        @property
        def used(self):
            return 1

    def generated(data):
        for item in data:
            yield item

    def m(data, rng, k=1.0):
        scale = (
            k
            * cached(k)
            + Box().used
        )
        noisy = [
            kept(x)
            + rng.laplace(
                scale=scale,
            )
            for x in generated(
                data
            )
        ]
        while True:
            try:
                {}["nothing"]
            except KeyError:
                break
            finally:
                scale = 0
        chosen = sum(
            noisy
        ) if data else (
            "not taken " * 2
            + helper("not taken either")
        )
        def inner():
            return "not taken inside"
        match_all = lambda: (
            inner()
        )
        assert noisy, (
            match_all()
        )
        return chosen
"""


def test_a_line_of_any_form_that_ran_is_not_passed_over(shared_runner, write):
    """Statements of several lines, generators, methods, `finally`; what is cached may have run before."""
    shared_runner.load(write(ODD_FORMS))
    look(shared_runner, [1.0, 2.0], passed_over=True)
    (one,) = look(shared_runner, [1.0, 2.0], passed_over=True)

    assert texts_of_passed_over(one) == [
        'raise ValueError("not taken")',
        'return "not taken in Box"',
        '"not taken " * 2',
        '+ helper("not taken either")',
        'return "not taken inside"',
        "inner()",
        "match_all()",
    ]


def test_what_threads_take_is_seen_and_a_run_of_very_many_lines_is_given_up(shared_runner, write):
    source = """
    import threading
    def part(found):
        found.append(1)
    def m(data, rng, k=1):
        found = []
        thread = threading.Thread(target=part, args=(found,))
        thread.start()
        thread.join()
        for _ in range(k):
            found.append(2)
        if not found:
            return "not taken"
        return len(found)
    """
    shared_runner.load(write(source))

    assert texts_of_passed_over(look(shared_runner, [1], passed_over=True)[0]) == ['return "not taken"']
    assert look(shared_runner, [1], k=100_000, passed_over=True)[0].passed_over == ()


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
