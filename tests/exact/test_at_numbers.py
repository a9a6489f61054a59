"""The exact reading at numbers: it is the concrete one on the benchmark mechanisms, and says where it contradicts."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact.following import OnBoundary, ReadingDisagrees, run_at
from tests.exact.exact_tools import probabilities, written
from tests.exact.recorded_runs import fixture_runs, small_runs
from tests.examples import one_in


def given(*numbers):
    """Gives these, one draw after the other."""
    left = iter(numbers)
    return lambda *_: next(left)


@pytest.mark.parametrize("part", one_in(6, range(24)))
def test_it_is_the_concrete_reading_on_the_fixtures(part):
    runs = fixture_runs()[part::24]
    for one in runs:
        for seed in range(3):
            one.compare(seed)
    assert len(runs) > 10


@pytest.mark.parametrize("run", small_runs(), ids=lambda run: run.case.name)
def test_it_is_python_on_small_mechanisms(run):
    for seed in range(6):
        run.compare(seed)


def test_what_it_gives_is_the_output_with_the_types_that_the_reading_claims(tmp_path):
    mechanism = written(
        """
        def f(queries, rng):
            noise = rng.laplace(0, 2, size=len(queries))
            more = queries[0] + rng.laplace()
            return {"all": np.array(queries) + noise, "first": more, "above": more > 1, "k": int(rng.geometric(0.5))}
        """,
        tmp_path,
    )
    asked = []

    def draw(node, parameters, size, site):
        asked.append((node.distribution, parameters.get("scale"), size))
        return [np.array([0.25, -1.5]), 0.5, 3][len(asked) - 1]

    found = run_at(mechanism, {"queries": [1.0, 2.0]}, draw)

    assert asked == [("laplace", 2, 2), ("laplace", 1.0, None), ("geometric", None, None)]
    assert found.exception is None
    assert isinstance(found.output["all"], np.ndarray)
    assert found.output["all"].tolist() == [1.25, 0.5]
    assert {key: found.output[key] for key in ("first", "above", "k")} == {"first": 1.5, "above": True, "k": 3}
    assert [type(found.output[key]) for key in ("first", "above", "k")] == [float, bool, int]


def test_it_asks_for_the_draws_of_its_path_alone_in_the_order_of_the_program(tmp_path):
    mechanism = written(
        """
        def f(queries, rng):
            total = 0
            for q in queries:
                if q + rng.laplace() > 1:
                    total += rng.exponential(2)
                elif rng.integers(0, 2) == 1:
                    return "coin"
            return total
        """,
        tmp_path,
    )

    first = run_at(mechanism, {"queries": [0.0, 3.0]}, given(2.5, 0.75, -0.5, 1.5))
    second = run_at(mechanism, {"queries": [0.0, 3.0]}, given(-2.5, 1))

    assert (first.output, second.output) == (2.25, "coin")
    assert [branch.taken for branch in second.branches] == [False, True]


def test_an_exception_is_told_with_its_text(tmp_path):
    mechanism = written(
        """
        def f(queries, rng):
            if queries[0] + rng.laplace() > 1:
                raise ValueError("above")
            return queries[5]
        """,
        tmp_path,
    )

    assert run_at(mechanism, {"queries": [0.0]}, given(2.0)).exception == ("ValueError", ("above",))
    assert run_at(mechanism, {"queries": [0.0]}, given(0.0)).exception == ("IndexError", ())


@pytest.mark.parametrize(
    ("draw", "number"),
    [
        ("rng.laplace()", math.inf),
        ("rng.laplace()", "text"),
        ("rng.exponential()", -1.0),
        ("rng.uniform(1, 2)", 0.5),
        ("rng.geometric(0.5)", 0.5),
        ("rng.geometric(0.5)", 0),
        ("rng.integers(0, 4)", 4),
        ("rng.choice([1, 2])", 3),
        ("rng.laplace(size=2)", [1.0]),
    ],
)
def test_a_draw_that_the_law_does_not_know_is_a_disagreement(draw, number, tmp_path):
    mechanism = written(f"def f(queries, rng):\n    return {draw}", tmp_path)

    with pytest.raises(ReadingDisagrees):
        run_at(mechanism, {"queries": [0.0]}, given(number))


def test_a_draw_that_raises_is_a_disagreement(tmp_path):
    mechanism = written("def f(queries, rng):\n    return rng.laplace()", tmp_path)

    with pytest.raises(ReadingDisagrees, match="StopIteration"):
        run_at(mechanism, {"queries": [0.0]}, given())


def test_an_equality_without_probability_is_said(tmp_path):
    mechanism = written("def f(queries, rng):\n    return queries[0] + rng.laplace() > 1", tmp_path)

    with pytest.raises(OnBoundary):
        run_at(mechanism, {"queries": [0.0]}, given(1.0))


def test_what_is_refused_for_losses_is_refused(tmp_path):
    mechanism = written("def f(queries, rng):\n    return math.exp(rng.laplace())", tmp_path)

    with pytest.raises(UnsupportedConstruct):
        run_at(mechanism, {"queries": [0.0]}, given(1.0))


# what was found by it


def test_an_item_that_is_added_to_is_read(tmp_path):
    """The law had a TypeError in it."""
    mechanism = written(
        """
        def f(rng, queries):
            counts = [0, 0]
            for q in queries:
                if rng.random() < 0.75:
                    counts[q] += 1
            return counts
        """,
        tmp_path,
    )

    found = probabilities(mechanism, [0, 0, 1])

    right = {
        repr([i, j]): stats.binom.pmf(i, 2, 0.75) * stats.binom.pmf(j, 1, 0.75) for i in range(3) for j in range(2)
    }
    assert found == pytest.approx(right)


def test_keys_of_several_types_are_told_apart(tmp_path):
    """Python prints them differently, although they are equal."""
    mechanism = written(
        """
        def f(rng, queries):
            found = {}
            if rng.random() < 0.25:
                found[True] = 1
            else:
                found[1.0] = 1
            for key in found:
                return str(key)
        """,
        tmp_path,
    )

    assert probabilities(mechanism, [0]) == pytest.approx({"'True'": 0.25, "'1.0'": 0.75})
