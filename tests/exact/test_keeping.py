"""What is kept from one pair to the next changes no number, and belongs to one program and one input."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flint import arb, fmpq

from dplint.readings.exact import Limits, losses_of_pair
from dplint.readings.exact.computing import Kept, kept
from dplint.readings.exact.piecewise import Part, Piecewise
from dplint.readings.exact.suprema import Side, supremum
from dplint.readings.exact.terms import rate
from tests.exact.exact_tools import program, written

COUNTED = [
    ("statdp/sparse_vector.py", "svt", {"T": 1.0, "N": 1}),
    ("statdp/sparse_vector.py", "isvt4", {"T": 0, "N": 1}),
]
DATA = ([1.0] * 4, [2.0, 0.0, 0.0, 0.0], [2.0] * 4, [1.0, 1.0, 0.0, 0.0])


def numbers(found):
    """All that is told of a pair."""
    return [
        [(row.key, row.loss, row.p1, row.p2, row.output) for row in side] for side in (found.forwards, found.backwards)
    ]


@pytest.mark.parametrize(("file", "name", "given"), COUNTED)
def test_pairs_one_after_the_other_give_what_each_gives_alone(file, name, given):
    mechanism = program(file, name)
    sides = [{**given, "epsilon": 0.5, mechanism.data: data} for data in DATA]
    pairs = [(one, other) for one in sides for other in sides]
    kept.forget()
    together = [numbers(losses_of_pair(mechanism, *pair)) for pair in pairs]
    for pair, found in zip(pairs, together, strict=True):
        kept.forget()
        assert numbers(losses_of_pair(mechanism, *pair)) == found


def test_inputs_that_a_program_tells_apart_have_laws_of_their_own(tmp_path):
    """1, 1.0 and True are equal, and keys of dicts; `str` tells them apart."""
    mechanism = written("def f(rng, queries):\n    return str(queries[0]) if rng.random() < 0.5 else ''\n", tmp_path)
    seen = []
    for value in (1, 1.0, True, -0.0, 0.0, 0):
        found = losses_of_pair(mechanism, {"queries": [value]}, {"queries": [value]})
        seen.append({row.output for row in found.forwards} - {""})
    assert seen == [{"1"}, {"1.0"}, {"True"}, {"-0.0"}, {"0.0"}, {"0"}]


def test_other_limits_and_other_programs_are_computed_anew(tmp_path):
    one = written("def f(rng, queries):\n    return queries[0] + rng.laplace() > 0\n", tmp_path)
    other = written("def f(rng, queries):\n    return queries[0] + rng.laplace() > 1\n", tmp_path)
    given = {"queries": [0.0]}
    first = losses_of_pair(one, given, given).forwards
    assert first[0].p1.middle == pytest.approx(0.5)
    assert {round(row.p1.middle, 9) for row in losses_of_pair(other, given, given).forwards} == {
        round(math.exp(-1) / 2, 9),
        round(1 - math.exp(-1) / 2, 9),
    }
    with pytest.raises(Exception, match="too long"):
        losses_of_pair(other, given, given, limits=Limits(steps=1))


def test_few_laws_are_kept_and_none_of_what_has_no_key():
    own, made = Kept(), []

    def law(**given):
        return own.law("key", given, lambda: made.append(given) or len(made))

    assert [law(x=1), law(x=1), law(x=1.0), law(x=np.array([1.0])), law(x=np.array([1.0]))] == [1, 1, 2, 3, 3]
    assert [law(x={1, 2}), law(x={1, 2}), law(x=[object()])] == [4, 5, 6], "nobody knows what tells them apart"
    for number in range(20):
        law(x=number)
    assert law(x=1.0) > 6, "forgotten by then"


def exponential(low, high, value, coefficient=1.0):
    """c e**(r t) between two ends."""
    cuts = [end for end in (low, high) if end is not None]
    part = Part({(rate(value), 0): arb(coefficient)})
    return Piecewise(cuts, [*([] if low is None else [None]), part, *([] if high is None else [None])])


@pytest.mark.parametrize(
    ("low", "high", "r1", "r2"),
    [
        (fmpq(0), fmpq(3), fmpq(1), fmpq(-2)),
        (fmpq(0), fmpq(3), fmpq(-2), fmpq(1)),
        (fmpq(-3), fmpq(-1), fmpq(1, 7), fmpq(1, 5)),
        (fmpq(1), None, fmpq(-3), fmpq(-1)),
        (None, fmpq(2), fmpq(3), fmpq(1)),
        (fmpq(1), None, fmpq(-1), fmpq(-1)),
    ],
)
def test_the_ratio_of_two_exponentials_is_largest_at_an_end(low, high, r1, r2):
    """By its formula: c e**((r1 - r2) t) is monotone."""
    found = supremum(exponential(low, high, r1, 3.0), exponential(low, high, r2, 2.0))
    ends = [float(end.p) / float(end.q) for end in (low, high) if end is not None]
    slope = float(r1.p) / float(r1.q) - float(r2.p) / float(r2.q)
    exact = math.log(1.5) + max(slope * end for end in ends)
    assert found.low <= exact + 1e-14
    assert exact - 1e-14 <= found.high
    assert found.high - found.low < 1e-8


def test_taylor_coefficients_are_those_of_the_derivatives():
    """Of t**2 e**(t / 2) at 3, by Leibniz; the remainder holds that of every place nearby."""
    side = Side(Part({(rate(fmpq(1, 2)), 2): arb(1)}))

    def coefficient(k, t):
        derivatives = [t * t, 2 * t, 2.0]
        total = sum(math.comb(k, j) * derivatives[j] * 0.5 ** (k - j) for j in range(min(k, 2) + 1))
        return total * math.exp(t / 2) / math.factorial(k)

    for k, found in enumerate(side.taylor(fmpq(3), 6)):
        assert float(found) == pytest.approx(coefficient(k, 3.0), rel=1e-14)
    around = side.remainder(6, arb(3, 0.5))
    for t in (2.5, 2.9, 3.0, 3.5):
        assert float(around.lower()) <= coefficient(6, t) <= float(around.upper())
    assert [bool(one.is_zero()) for one in side.taylor(fmpq(3), 4, first=2)] == [True, True, False, False]
