"""Outputs of independent parts are walked part by part, and lose what a walk of the whole says."""

from __future__ import annotations

import math

import pytest

from dplint.readings.exact import hockey_stick, losses_of_pair, preparation
from dplint.readings.exact.components import components_of
from dplint.readings.exact.keeping import kept
from dplint.readings.exact.unfolding import unfolded
from tests.exact.exact_tools import program, written

ABOVE = """
    def above(rng, queries, t):
        noisy_t = t + rng.laplace(scale=2.0)
        for query in queries:
            if query + rng.laplace(scale=4.0) >= noisy_t:
                return True
        return False
"""
BITS = """
    def bits(rng, queries):
        output = []
        for query in queries:
            output.append(query > 1 if rng.random() < 0.75 else query <= 1)
        return output
"""
SPLIT = {
    "two calls": (
        f"{ABOVE}\n    def f(rng, queries):\n        return above(rng, queries, 0.5), above(rng, queries, 1.5)",
        2,
    ),
    "three parts in a list": (
        f"{ABOVE}\n    def f(rng, queries):\n        one = above(rng, queries, 1.0)\n"
        "        x = queries[0] + rng.laplace()\n"
        "        other = above(rng, queries, 0.0)\n        return [one, x, other]",
        3,
    ),
    "two outputs of one part": (
        f"{ABOVE}\n    def f(rng, queries):\n        x = queries[0] + rng.laplace()\n        y = max(x, 0.0)\n"
        "        if y > 1:\n            y = 1.0\n        return x > 0, y > 0.5, above(rng, queries, 1.0)",
        2,
    ),
    "constants that nobody reads": (
        f"{BITS}\n{ABOVE}\n    def f(rng, queries):\n        return bits(rng, queries), above(rng, queries, 1.0)",
        2,
    ),
    "whole numbers": (
        f"{ABOVE}\n    def f(rng, queries):\n        k = int(queries[0]) + rng.geometric(0.4)\n"
        "        if k < 2:\n            k = 2\n"
        "        return k, above(rng, queries, 1.0)",
        2,
    ),
}
TOGETHER = {
    "a variable in both": (
        "        t = rng.laplace()\n        a = 1 if t > queries[0] else 0\n        b = 1 if t > 1 else 0\n"
        "        return [a for _ in queries], [b for _ in queries]"
    ),
    "a list that both change": (
        "        seen = []\n        if rng.laplace() > 0:\n            seen.append(1)\n        a = len(seen)\n"
        "        if rng.laplace() > 0:\n            seen.append(2)\n        return a, len(seen)"
    ),
    "an early end": (
        "        a = queries[0] + rng.laplace()\n        if a > 1:\n            return 0, 0\n"
        "        b = queries[1] + rng.laplace()\n        if b > 1:\n            b = 1\n        return a > 0, b > 0"
    ),
    "an exception": (
        "        a = queries[0] + rng.laplace()\n        if a > 1:\n            raise ValueError\n"
        "        b = 0\n        if queries[1] + rng.laplace() > 0:\n            b = 1\n        return a > 0, b"
    ),
    "parts that alternate": (
        "        a = 0\n        b = 0\n        if queries[0] + rng.laplace() > 0:\n            a = 1\n"
        "        if queries[1] + rng.laplace() > 0:\n            b = 1\n        return a, b, a + 1"
    ),
}


def whole(mechanism, monkeypatch, *sides):
    """The losses by one walk."""
    with monkeypatch.context() as patched:
        patched.setattr(preparation, "components_of", lambda _: None)
        preparation._programs.clear()
        kept.forget()
        found = losses_of_pair(mechanism, *sides)
        laws = hockey_stick(found.laws, 0.2, precision=found.precision)
    preparation._programs.clear()
    kept.forget()
    return found, laws


def same(mechanism, monkeypatch, *sides):
    """Holds what is computed part by part against one walk."""
    expected, delta = whole(mechanism, monkeypatch, *sides)
    found = losses_of_pair(mechanism, *sides)
    for mine, theirs in ((found.forwards, expected.forwards), (found.backwards, expected.backwards)):
        one, other = ({repr(row.key): row for row in rows} for rows in (mine, theirs))
        assert one.keys() == other.keys()
        for key, row in one.items():
            assert row.loss.low == pytest.approx(other[key].loss.low, abs=1e-8)
            assert row.loss.high == pytest.approx(other[key].loss.high, abs=1e-8)
            if row.output == other[key].output:
                assert row.p1.middle == pytest.approx(other[key].p1.middle, rel=1e-12)
    mine = hockey_stick(found.laws, 0.2, precision=found.precision)
    assert mine.low == pytest.approx(delta.low, abs=1e-9)
    return found, expected


@pytest.mark.parametrize("name", SPLIT)
def test_parts_give_what_the_whole_gives(name, tmp_path, monkeypatch):
    source, parts = SPLIT[name]
    mechanism = written(source, tmp_path)
    found = components_of(unfolded(mechanism))
    assert found is not None
    assert len(found.programs) == parts
    same(mechanism, monkeypatch, {"queries": [1.0, 2.0]}, {"queries": [2.0, 1.0]})


@pytest.mark.parametrize("name", TOGETHER)
def test_what_hangs_together_stays_together(name, tmp_path):
    mechanism = written(f"    def f(rng, queries):\n{TOGETHER[name]}\n", tmp_path)
    assert components_of(unfolded(mechanism)) is None


def test_losses_of_independent_parts_add_up(tmp_path):
    """Two randomised answers with odds 3 to 1: twice the logarithm of 3."""
    source = """
    def answer(rng, yes):
        if rng.random() < 0.5:
            return yes
        return rng.random() < 0.5

    def f(rng, queries):
        return answer(rng, queries[0] > 1), answer(rng, queries[1] > 1)
    """
    mechanism = written(source, tmp_path)
    assert components_of(unfolded(mechanism)) is not None
    found = losses_of_pair(mechanism, {"queries": [2.0, 2.0]}, {"queries": [0.0, 0.0]})
    assert found.forwards[0].loss.low == pytest.approx(2 * math.log(3), abs=1e-12)
    assert found.forwards[0].output == (True, True)


def test_a_part_that_raises_ends_the_others_too(tmp_path, monkeypatch):
    """`1 / queries[1]` fails on the second input, and then there is no output of either part."""
    source = (
        f"{ABOVE}\n    def f(rng, queries):\n        a = above(rng, queries, 1.0)\n"
        "        b = 1 / queries[1]\n        return a, above(rng, [b], 1.0)"
    )
    mechanism = written(source, tmp_path)
    assert components_of(unfolded(mechanism)) is not None
    found, _ = same(mechanism, monkeypatch, {"queries": [1.0, 2.0]}, {"queries": [1.0, 0.0]})
    assert found.forwards[0].loss.low == math.inf
    assert [repr(row.output) for row in found.backwards] == ["Raised(exception='ZeroDivisionError')"]


def test_two_sparse_vectors_are_computed_part_by_part(monkeypatch):
    mechanism = program("dpsniper/sparse_vector.py", "svt34_parallel")
    given = {"t": 1.0, "c": 1, "epsilon": 0.5}
    sides = [{**given, "queries": data} for data in ([1.0] * 3, [2.0, 0.0, 2.0])]
    found, expected = same(mechanism, monkeypatch, *sides)
    assert found.paths < expected.paths
