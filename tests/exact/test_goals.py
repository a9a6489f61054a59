"""The law of one output alone is that of the full walk and of closed forms, with no path that cannot come to it."""

import itertools
import math

import pytest
from scipy import integrate, stats

from dplint.readings.exact import ANY, Goal, Raised, losses_of_pair
from dplint.readings.exact.goals import growing_output
from tests.exact.exact_tools import program, written

EPSILON = 0.1


def bits_probability(data, bits):
    """P(above threshold gives these bits), by quadrature over the threshold."""
    scale = 2 / EPSILON

    def below(z):
        return math.exp(z) / 2 if z < 0 else 1 - math.exp(-z) / 2

    def integrand(t):
        shares = [below((q - t) / scale if bit else (t - q) / scale) for q, bit in zip(data, bits, strict=True)]
        return math.exp(-abs(t) / scale) / (2 * scale) * math.prod(shares)

    ends = [-600, -100, -20, *sorted({0.0, *data}), 20, 100, 600]
    return sum(integrate.quad(integrand, a, b, epsabs=1e-16)[0] for a, b in itertools.pairwise(ends))


def test_an_output_of_sixteen_answers_by_quadrature_and_two_paths():
    """The full walk would have 65,536 paths."""
    mechanism = program("dpfinder/sparse_vector.py", "above_threshold")
    bits = [0] * 8 + [1] * 8
    d1 = [-6.0 + 0.75 * i for i in range(16)]
    d2 = [one + (1 if i < 8 else -1) for i, one in enumerate(d1)]
    found = losses_of_pair(
        mechanism,
        {"queries": d1, "epsilon": EPSILON, "T": 0.0},
        {"queries": d2, "epsilon": EPSILON, "T": 0.0},
        goal=Goal(bits),
    )
    (row,) = found.forwards
    p1, p2 = bits_probability(d1, bits), bits_probability(d2, bits)
    assert row.output == bits
    assert found.paths == 2
    assert row.p1.low == pytest.approx(p1, rel=1e-9)
    assert row.p2.high == pytest.approx(p2, rel=1e-9)
    assert row.loss.low == pytest.approx(math.log(p1 / p2), rel=1e-8)


@pytest.mark.parametrize(
    ("file", "name", "more"),
    [
        ("dpfinder/sparse_vector.py", "above_threshold", {}),
        ("dpfinder/sparse_vector.py", "alg1", {}),
        ("dpfinder/sparse_vector.py", "alg3", {"c": 1}),
        ("dpfinder/selection.py", "report_noisy_max", {}),
        ("statdp/sparse_vector.py", "isvt3", {"N": 2}),
        ("statdp/sparse_vector.py", "svt", {"N": 2}),
    ],
)
def test_each_output_of_the_full_walk(file, name, more):
    mechanism = program(file, name)
    known = {"T": 0.5, "c": 2, "epsilon": 0.7, **more}
    known = {one: value for one, value in known.items() if one in mechanism.parameters}
    sides = [{**known, mechanism.data: data} for data in ([0.25, 1.0, -0.5, 2.0], [1.0, 0.25, 0.0, 1.5])]
    whole = losses_of_pair(mechanism, *sides)
    one, other = (single_outputs(law) for law in whole.laws)
    for output, p1 in one.values():
        (row,) = losses_of_pair(mechanism, *sides, goal=Goal(output)).forwards
        assert row.p1.middle == pytest.approx(p1, rel=1e-12)
        assert row.p2.middle == pytest.approx(other[repr(output)][1], rel=1e-12)
    noisy = [row for row in whole.forwards if whole.laws[0][row.key].size]
    for row in noisy:
        goal = Goal([ANY if isinstance(item, float) else item for item in row.output])
        alone = {one.key: one for one in losses_of_pair(mechanism, *sides, goal=goal).forwards}[row.key]
        assert alone.loss.middle == pytest.approx(row.loss.middle, abs=1e-8)
    assert len(one) + len(noisy) > 3


def single_outputs(law):
    """Those without noise, by their repr, each with its probability."""
    found = {}
    for form in law.values():
        for term in form.terms if not form.size else ():
            for rows in itertools.product(*[latent.items() for latent in term.latents]):
                output = form.output([], [row for row, _ in rows])
                probability = float(term.number) * math.prod(float(share) for _, share in rows)
                found[repr(output)] = output, probability + found.get(repr(output), (output, 0.0))[1]
    return found


BEGINNING = """
def f(rng, data):
    out = []
    for x in data:
        out.append(x + rng.laplace() > 0)
    return out
"""


def test_an_event_of_beginnings_sums_what_follows(tmp_path):
    mechanism = written(BEGINNING, tmp_path)
    d1, d2 = {"data": [1.0, 0.0, 2.0]}, {"data": [0.0, 1.0, 2.0]}
    found = losses_of_pair(mechanism, d1, d2, goal=Goal([True, ANY, ANY]))
    assert len(found.forwards) == 4
    assert sum(row.p1.middle for row in found.forwards) == pytest.approx(stats.laplace.sf(-1.0), rel=1e-12)
    assert sum(row.p2.middle for row in found.forwards) == pytest.approx(0.5, rel=1e-12)


RAISES = """
def f(rng, data):
    out = []
    for x in data:
        if x + rng.laplace() > 3:
            raise ValueError
        out.append(x > 0)
    return out
"""


def test_an_exception_is_a_goal_too(tmp_path):
    """A list that has begun says nothing of it."""
    mechanism = written(RAISES, tmp_path)
    found = losses_of_pair(mechanism, {"data": [1.0, 0.0]}, {"data": [0.0, 0.0]}, goal=Goal(Raised("ValueError")))
    (row,) = found.forwards
    stays = stats.laplace.cdf(2.0) * stats.laplace.cdf(3.0)
    assert row.p1.middle == pytest.approx(1 - stays, rel=1e-12)
    assert row.p2.middle == pytest.approx(1 - stats.laplace.cdf(3.0) ** 2, rel=1e-12)


@pytest.mark.parametrize(
    ("body", "growing"),
    [
        ("out = []\n    for x in data:\n        out.append(x)\n    return out", "out"),
        ("return [x + rng.laplace() > 0 for x in data]", None),  # it gets its name where it is unfolded
        ("out = []\n    for x in data:\n        out.append(x)\n        out[0] = 1\n    return out", None),
        ("out = []\n    for x in data:\n        out = []\n        out.append(x)\n    return out", None),
        ("out = []\n    for x in data:\n        out.append(x)\n        out.pop()\n    return out", None),
        ("out = []\n    out.append(data[0])\n    if data[0] > 1:\n        return [1]\n    return out", None),
        ("out = []\n    for x in data:\n        out.append(x)\n    out += [1]\n    return out", None),
    ],
)
def test_only_a_list_that_grows_shows_how_the_output_begins(body, growing, tmp_path):
    assert growing_output(written(f"def f(rng, data):\n    {body}\n", tmp_path)) == growing
