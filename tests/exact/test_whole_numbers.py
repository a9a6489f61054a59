"""Discrete noise without an end: probabilities and losses against SciPy's, by enumeration over a few hundred values.

What the enumeration leaves out is less than 1e-12. It shares no code with the sums in closed form.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from scipy import stats

from dplint.outcomes import Impossible, Measure
from dplint.program.refusals import UnsupportedConstruct
from tests.exact.exact_tools import largest, losses, probabilities, written
from tests.examples import one_in

VALUES = np.arange(-150, 151)
TWO_SIDED = "rng.geometric({0}) - rng.geometric({0})"


def two_sided(p, values=VALUES):
    """The law of the difference of two geometric draws: discrete Laplace, with 1 - p = e**(-a)."""
    return stats.dlaplace.pmf(values, -math.log(1 - p))


def mechanism(body, folder):
    return written("def f(rng, queries):\n" + "\n".join("    " + line for line in body.strip().splitlines()), folder)


# one number


@pytest.mark.parametrize("p", [0.05, 0.3, 0.9])
@pytest.mark.parametrize("gap", [1, 3])
def test_the_geometric_mechanism_loses_its_closed_form(p, gap, tmp_path):
    """Ghosh, Roughgarden and Sundararajan, STOC 2009: the loss of a shift is shift * log(1 / (1 - p))."""
    found = losses(mechanism(f"return int(queries[0] + {TWO_SIDED.format(p)})", tmp_path), [2], [2 + gap])
    for side, own in ((found.forwards, 2), (found.backwards, 2 + gap)):
        (row,) = side
        assert row.measure is Measure.PROBABILITY
        assert row.loss.low <= -gap * math.log(1 - p) <= row.loss.high + 1e-15
        assert row.loss.high - row.loss.low < 1e-8
        assert row.output == own  # the likeliest of those that lose most
        assert row.p1.middle == pytest.approx(stats.dlaplace.pmf(0, -math.log(1 - p)), rel=1e-12)


def test_one_sided_noise_shows_what_cannot_be(tmp_path):
    found = losses(mechanism("return queries[0] + rng.geometric(0.25)", tmp_path), [1], [3])
    (forwards,), (backwards,) = found.forwards, found.backwards
    assert isinstance(forwards.infinite, Impossible)
    mass = stats.geom.cdf(2, 0.25)
    assert forwards.infinite.mass.low <= mass * (1 + 1e-14)
    assert forwards.infinite.mass.high >= mass * (1 - 1e-14)
    assert backwards.loss.low <= -2 * math.log(0.75) <= backwards.loss.high


def test_whole_numbers_moved_by_a_half_have_nothing_in_common(tmp_path):
    found = losses(mechanism("return queries[0] + rng.geometric(0.25)", tmp_path), [1], [1.5])
    assert isinstance(found.forwards[0].infinite, Impossible)
    assert found.forwards[0].infinite.mass.high >= 1 - 1e-14


@pytest.mark.parametrize("scale", [2, -3])
def test_multiples(scale, tmp_path):
    body = f"return {scale} * (queries[0] + {TWO_SIDED.format(0.3)})"
    found = losses(mechanism(body, tmp_path), [0], [1])
    assert largest(found.forwards)[0] == pytest.approx(-math.log(0.7), abs=1e-8)
    assert found.forwards[0].output % scale == 0


def test_a_clipped_output_is_one_output_however_it_came_about(tmp_path):
    """`max(0, min(4, x))` gives 0 by the clipping and by x = 0: two paths, one output."""
    body = f"x = queries[0] + {TWO_SIDED.format(0.25)}\nreturn max(0, min(4, x))"
    found = losses(mechanism(body, tmp_path), [1], [2])

    def law(centre):
        noise = two_sided(0.25)
        clipped = np.clip(VALUES + centre, 0, 4)
        return [noise[clipped == k].sum() for k in range(5)]

    expected = np.log(np.array(law(1)) / np.array(law(2)))
    low, high = largest(found.forwards)
    assert low - 1e-10 <= expected.max() <= high + 1e-10
    assert high - low < 1e-8
    row = found.forwards[0]
    assert row.p1.middle == pytest.approx(law(1)[int(row.output)], abs=1e-12)
    assert row.p2.middle == pytest.approx(law(2)[int(row.output)], abs=1e-12)


def test_a_constant_that_is_one_of_many_numbers(tmp_path):
    """On a coin's side 0 is returned for certain, else 2 + noise, which may be 0 as well."""
    body = f"if rng.random() < 0.5:\n    return 0\nreturn queries[0] + {TWO_SIDED.format(0.5)}"
    found = losses(mechanism(body, tmp_path), [0], [2])
    p1, p2 = ((VALUES == 0) / 2 + two_sided(0.5, VALUES - centre) / 2 for centre in (0, 2))
    ratios = np.log(p1 / p2)
    assert largest(found.forwards)[0] == pytest.approx(ratios.max(), abs=1e-8)
    assert largest(found.backwards)[0] == pytest.approx((-ratios).max(), abs=1e-8)


def test_several_numbers_add_up(tmp_path):
    found = losses(mechanism(f"return [q + {TWO_SIDED.format(0.3)} for q in queries]", tmp_path), [1, 5, 2], [2, 5, 0])
    low, high = largest(found.forwards)
    assert low <= -3 * math.log(0.7) <= high + 1e-15
    assert high - low < 1e-8
    assert found.forwards[0].p1.middle == pytest.approx(two_sided(0.3, 0) ** 3, rel=1e-12)


# comparisons, in which two numbers may be equal


def joint(p, centres):
    """All triples of noisy numbers near their centres, with probabilities."""
    values = np.arange(-40, 41)
    laws = [two_sided(p, values - c) for c in centres]
    grids = np.meshgrid(*[values] * len(centres), indexing="ij")
    weight = np.ones(grids[0].shape)
    for axis, law in enumerate(laws):
        weight = weight * law.reshape([-1 if i == axis else 1 for i in range(len(centres))])
    return np.stack(grids), weight


@pytest.mark.parametrize("function", ["argmax", "argmin"])
@pytest.mark.parametrize("centres", one_in(3, [(1, 1, 1), (3, 1, 2), (0, 4, 4)]))
def test_the_first_of_the_largest(function, centres, tmp_path):
    """By enumeration of all triples: ties go to the first."""
    body = f"return int(np.{function}([q + {TWO_SIDED.format(0.6)} for q in queries]))"
    found = probabilities(mechanism(body, tmp_path), list(centres))
    triples, weight = joint(0.6, centres)
    chosen = getattr(np, function)(triples, axis=0)
    assert [found[repr(i)] for i in range(3)] == pytest.approx([weight[chosen == i].sum() for i in range(3)], abs=1e-12)


COMPARISONS = {
    "a < b <= c": lambda a, b, c: (a < b) & (b <= c),
    "a == b": lambda a, b, _c: a == b,
    "a != b and b != c": lambda a, b, c: (a != b) & (b != c),
    "2 * a > 1": lambda a, _b, _c: 2 * a > 1,
    "a + b - c >= 2": lambda a, b, c: a + b - c >= 2,
    "abs(a) <= 2": lambda a, _b, _c: np.abs(a) <= 2,
    "max(a, b) > c": lambda a, b, c: np.maximum(a, b) > c,
    "a / 2 >= 0.75": lambda a, _b, _c: a / 2 >= 0.75,
    "bool(a) and a < 3": lambda a, _b, _c: (a != 0) & (a < 3),
}


@pytest.mark.parametrize("text", one_in(3, list(COMPARISONS)))
def test_comparisons_count_ties(text, tmp_path):
    body = f"a, b, c = [q + {TWO_SIDED.format(0.6)} for q in queries]\nreturn True if {text} else False"
    found = probabilities(mechanism(body, tmp_path), [1, 0, 2])
    triples, weight = joint(0.6, (1, 0, 2))
    assert found["True"] == pytest.approx(weight[COMPARISONS[text](*triples)].sum(), abs=1e-12)


def test_sparse_vector_with_discrete_noise(tmp_path):
    """Above threshold with discrete Laplace noise: for each threshold the answers are independent; summed over it."""
    body = f"""
t = 2 + {TWO_SIDED.format(0.3)}
out = []
for q in queries:
    if q + {TWO_SIDED.format(0.2)} >= t:
        out.append(True)
        break
    out.append(False)
return out
"""
    data = [1, 2, 0, 3]
    found = probabilities(mechanism(body, tmp_path), data)
    thresholds = 2 + VALUES
    weight = two_sided(0.3)
    below = np.array([[two_sided(0.2, np.arange(-400, 401))[: 400 + t - q].sum() for t in thresholds] for q in data])
    for count in range(5):
        passed = np.prod(below[:count], axis=0) * (1 - below[count] if count < 4 else 1)
        output = [False] * count + ([True] if count < 4 else [])
        assert found[repr(output)] == pytest.approx((weight * passed).sum(), abs=1e-11)


# the other laws


@pytest.mark.parametrize("high", [100, 10**6, 10**18])
def test_whole_numbers_of_a_large_range(high, tmp_path):
    body = f"x = rng.integers(0, {high})\nreturn x < queries[0]"
    found = probabilities(mechanism(body, tmp_path), [37])
    assert found["True"] == pytest.approx(37 / high, rel=1e-12)


def test_two_whole_numbers_of_a_large_range(tmp_path):
    """P(X < Y) for two of a million is (1 - 1e-6) / 2."""
    body = "x = rng.integers(0, 10**6)\ny = rng.integers(0, 10**6)\nreturn x < y"
    assert probabilities(mechanism(body, tmp_path), [1])["True"] == pytest.approx((1 - 1e-6) / 2, abs=1e-14)


def test_bernoulli_and_binomial_draws_and_weighted_choices(tmp_path):
    body = """
kept = rng.binomial(1, 0.75)
other = rng.choice([0, 1, 2], p=[0.5, 0.3, 0.2])
return int(kept * queries[0] + (1 - kept) * other)
"""
    found = probabilities(mechanism(body, tmp_path), [1])
    expected = {0: 0.25 * 0.5, 1: 0.75 + 0.25 * 0.3, 2: 0.25 * 0.2}
    assert found == {repr(k): pytest.approx(p, abs=1e-15) for k, p in expected.items()}


def test_a_sum_of_binomials_by_their_law(tmp_path):
    body = "return int(rng.binomial(10, 0.3) + rng.binomial(20, 0.3))"
    found = probabilities(mechanism(body, tmp_path), [1])
    assert [found[repr(k)] for k in range(31)] == pytest.approx(list(stats.binom.pmf(range(31), 30, 0.3)), abs=1e-14)


def test_an_array_of_draws(tmp_path):
    body = "x = rng.geometric(0.5, size=3)\nreturn int(np.sum(x)) <= 5"
    found = probabilities(mechanism(body, tmp_path), [1])
    triples = itertools.product(range(1, 6), repeat=3)
    assert found["True"] == pytest.approx(sum(0.5 ** sum(t) for t in triples if sum(t) <= 5), abs=1e-14)


REFUSED = {
    "return rng.geometric(0.5) > rng.laplace()": "noise that has a density",
    "return rng.geometric(0.5) + rng.laplace()": "whole numbers",
    "return rng.geometric(0.5) % 2 == 0": "`%`",
    "return rng.poisson(3.0)": "poisson",
    "return 2 * rng.geometric(0.5) > 3 * rng.geometric(0.5)": "multiples",
    "return int(rng.geometric(0.5) / 2)": "`int`",
}


@pytest.mark.parametrize("body", one_in(3, list(REFUSED)))
def test_what_is_refused(body, tmp_path):
    with pytest.raises(UnsupportedConstruct, match=REFUSED[body]):
        losses(mechanism(body, tmp_path), [1], [2])
