"""Certificates of an infinite loss are checked by z3, by another reading of the program: draws are free variables."""

from __future__ import annotations

import pytest

from dplint.audit.exact.certificates import draws_at_edge, is_impossible
from dplint.outcomes import Impossible, UnequalVanishing
from tests.exact.exact_tools import losses, program, written
from tests.examples import one_in

THRESHOLD = {"epsilon": 0.7, "T": 1.0, "t": 1.0, "N": 1}


def given(mechanism, data):
    values = {**THRESHOLD, mechanism.data: data}
    return {name: values[name] for name in mechanism.parameters}


PAIRS = [
    ([1.0] * 4, [2.0, 1.0, 1.0, 1.0]),
    ([1.0] * 4, [2.0, 2.0, 0.0, 0.0]),
    ([1.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 1.0]),
]


@pytest.mark.parametrize("pair", one_in(3, PAIRS))
@pytest.mark.parametrize(
    ("file", "name"), [("statdp/sparse_vector.py", "isvt1"), ("checkdp/sparse_vector.py", "bad_svt1")]
)
def test_z3_agrees_on_every_output(file, name, pair):
    """Impossible ones have no draws on D2 and some on D1; those that are possible have draws on both."""
    mechanism, (d1, d2) = program(file, name), pair
    found = losses(mechanism, d1, d2, **THRESHOLD)
    for rows, first, second in ((found.forwards, d1, d2), (found.backwards, d2, d1)):
        for row in rows:
            assert is_impossible(mechanism, given(mechanism, second), row.output) == isinstance(
                row.infinite, Impossible
            )
            assert not is_impossible(mechanism, given(mechanism, first), row.output)


def test_what_is_below_all_answers_is_impossible():
    mechanism = program("statdp/noisy_max.py", "noisy_max_v2b")
    found = losses(mechanism, [1.0] * 4, [2.0] * 4, **THRESHOLD)
    output = found.forwards[0].output
    assert is_impossible(mechanism, given(mechanism, [2.0] * 4), output)
    assert not is_impossible(mechanism, given(mechanism, [1.0] * 4), output)


SOURCES = {
    "equal draws have probability zero": ("x = rng.laplace()\n    return x == queries[0]", True, True),
    "a draw at the end of its support": ("return rng.exponential() <= 0", True, True),
    "the same draw twice": ("x = rng.laplace()\n    return x <= x", True, False),
    "whole numbers may be equal": ("return rng.geometric(0.5) == rng.geometric(0.5)", True, False),
    "beyond three scales": ("return rng.laplace() > 50", True, False),
    "a loop of a hundred turns": (
        "count = 0\n    for i in range(100):\n        count += 1\n    return count + rng.laplace() < 99",
        True,
        False,
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_what_is_impossible_and_what_is_not(name, tmp_path):
    body, output, impossible = SOURCES[name]
    mechanism = written(f"def f(rng, queries):\n    {body}", tmp_path)
    assert is_impossible(mechanism, {"queries": [1.0]}, output) == impossible


def test_what_has_no_term_is_not_confirmed(tmp_path):
    mechanism = written("def f(rng, queries):\n    return math.sin(rng.laplace()) > 2", tmp_path)
    assert not is_impossible(mechanism, {"queries": [1.0]}, True)


def test_orders_of_vanishing_are_draws_at_the_edge(tmp_path):
    """Of the largest of three exponentials: all three on [2, 2, 2], two on [0, 2, 2]."""
    mechanism = written("def f(rng, queries):\n    return max([q + rng.exponential() for q in queries])", tmp_path)
    found = losses(mechanism, [0.0, 2.0, 2.0], [2.0, 2.0, 2.0]).forwards[0]
    assert found.infinite == UnequalVanishing(1, 2)
    assert draws_at_edge(mechanism, {"queries": [0.0, 2.0, 2.0]}, found.output) == 2
    assert draws_at_edge(mechanism, {"queries": [2.0, 2.0, 2.0]}, found.output) == 3
