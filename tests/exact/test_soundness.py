"""What must hold before the word "exact" may be said: the four conditions, and that nothing is guessed."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import z3
from flint import arb, ctx, fmpq
from hypothesis import given
from hypothesis import strategies as st

from dplint.outcomes import Impossible, UnequalVanishing
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import Limits, losses_of_pair
from dplint.readings.exact.events import in_event, marginal, numbers_of, text_of
from dplint.readings.exact.piecewise import Part, Piecewise
from dplint.readings.exact.rounding import above, below
from dplint.readings.exact.smooth import SMOOTH_LAWS, Smooth, smooth_density
from dplint.readings.exact.suprema import supremum
from dplint.readings.exact.terms import rate
from tests.exact.exact_tools import largest, losses, probabilities, program, written
from tests.examples import examples
from tests.fixtures.statdp_exact import patterns

ZERO, ONE = fmpq(0), fmpq(1)


def exact(value: float) -> Fraction:
    return Fraction(value)


def fraction(value: arb) -> Fraction:
    """An exact ball, such as an end, as a fraction."""
    mantissa, exponent = value.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


# 1. balls become floats by rounding outwards


@examples(200)
@given(
    st.integers(-(10**40), 10**40),
    st.integers(-400, 400),
    st.integers(0, 10**6),
    st.integers(-500, 300),
)
def test_floats_enclose_the_ball(middle, exponent, radius, radius_exponent):
    with ctx.workprec(128):
        ball = arb(middle) * arb(2) ** exponent + arb(0, arb(radius) * arb(2) ** radius_exponent)
        low, high = below(ball), above(ball)
        assert math.isinf(low) or exact(low) <= fraction(ball.lower())
        assert math.isinf(high) or exact(high) >= fraction(ball.upper())
        assert not (math.isinf(low) and low > 0)
        assert not (math.isinf(high) and high < 0)


def test_what_no_float_is_lies_strictly_within():
    with ctx.workprec(128):
        third = arb(1) / 3
        assert exact(below(third)) < Fraction(1, 3) < exact(above(third))
        assert above(third) == math.nextafter(below(third), 1.0)
        assert above(arb("nan")) == math.inf
        assert below(arb("nan")) == -math.inf


# 2. the order to which a density vanishes is known exactly


def gamma(order: int, factor: int = 1) -> Piecewise:
    """A density like t**order * e**-t from 0 on."""
    return Piecewise([ZERO], [None, Part({(rate(fmpq(-1)), order): arb(factor)}, order)])


@pytest.mark.parametrize(("one", "other"), [(0, 1), (1, 2), (0, 3), (2, 5)])
def test_unequal_orders_are_an_infinite_ratio_and_the_other_order_is_not(one, other):
    found = supremum(gamma(one), gamma(other))
    assert found.infinite == UnequalVanishing(one, other)
    assert found.low == math.inf
    # The other way round the ratio t**(other - one) grows without limit in the tail, by no order at 0.
    back = supremum(gamma(other), gamma(one))
    assert back.low == math.inf
    assert back.infinite is None


def test_a_ball_around_zero_is_not_taken_for_zero():
    """Densities that do not vanish at an edge, but are so small there that a ball around them holds 0."""
    small = arb(0, arb(2) ** -100) + arb(2) ** -110
    first = Piecewise([ZERO, ONE], [None, Part({(rate(ZERO), 0): arb(1)}), None])
    second = Piecewise([ZERO, ONE], [None, Part({(rate(ZERO), 0): small}), None])
    found = supremum(first, second)
    assert found.infinite is None
    assert found.high == math.inf  # nothing is known: that is no infinite loss
    assert found.low < math.inf


def test_equal_orders_have_the_ratio_of_their_coefficients():
    found = supremum(gamma(3, 5), gamma(3, 2))
    assert found.low == pytest.approx(math.log(2.5), abs=1e-9)
    assert found.high - found.low < 1e-8


def test_the_largest_of_exponential_noise_is_impossible_below_its_data(tmp_path):
    """The density of the maximum of n shifted exponentials is 0 below the largest answer: D2 = [2, ...] never gives
    outputs below 2. On (1, 2) D1 has probability (1 - e**(-1/s))**n.
    """
    found = losses(program("statdp/noisy_max.py", "noisy_max_v2b"), [1.0] * 5, [2.0] * 5, epsilon=0.1)
    worst = found.forwards[0]
    assert isinstance(worst.infinite, Impossible)
    assert worst.infinite.mass.low <= (1 - math.exp(-1 / 20)) ** 5 * (1 + 1e-14)
    assert worst.infinite.mass.high >= (1 - math.exp(-1 / 20)) ** 5 * (1 - 1e-14)
    assert 1 < worst.output < 2


def test_orders_of_vanishing_of_a_real_mechanism(tmp_path):
    """The maximum of n exponentials vanishes at its edge to order n - 1. With one answer lowered below the others, the
    edge is theirs, and the order is one less: the same place, and an infinite loss without an impossible output.
    """
    source = """
    def f(rng, queries):
        return max([q + rng.exponential() for q in queries])
    """
    mechanism = written(source, tmp_path)
    found = losses(mechanism, [0.0, 2.0, 2.0], [2.0, 2.0, 2.0])
    assert found.forwards[0].infinite == UnequalVanishing(1, 2)
    assert found.forwards[0].output == 2.0
    assert largest(found.backwards)[1] < math.inf
    # Backwards: the ratio (1 - e**-x)**2 to (1 - e**-x) (1 - e**-(x + 2)) (with x = output - 2) and their derivatives;
    # its supremum by a dense grid of the closed forms.
    x = np.linspace(1e-6, 60, 400_001)
    e, low = np.exp(-x), 1 - np.exp(-x - 2)
    p2, p1 = 3 * e * (1 - e) ** 2, 2 * e * (1 - e) * low + np.exp(-x - 2) * (1 - e) ** 2
    assert found.backwards[0].loss.low == pytest.approx(np.max(np.log(p2 / p1)), abs=1e-6)


# 3. what is cut off in the tails is bounded


@pytest.mark.parametrize("name", sorted(SMOOTH_LAWS))
@pytest.mark.parametrize("precision", [64, 128, 256])
def test_the_tails_of_a_law_are_within_its_ball(name, precision):
    """The integral of a density is 1: the ball holds it, though the integration ends somewhere."""
    with ctx.workprec(precision):
        total = smooth_density(name, fmpq(3, 7)).total()
        assert total.contains(arb(1))
        assert total.rad() < arb(2) ** (-precision // 2)


@pytest.mark.parametrize("name", sorted(SMOOTH_LAWS))
def test_the_bound_is_what_lies_beyond(name):
    """What is said to lie beyond a place is no less than what a longer integration finds there."""
    with ctx.workprec(128):
        density = smooth_density(name, ONE)
        assert isinstance(density, Smooth)
        for place in (fmpq(1, 2), fmpq(3), fmpq(7)):
            for above_it in (True, False):
                end = place if above_it else -place
                tail = density.restricted(*((end, None) if above_it else (None, end))).total()
                assert density._beyond(end, above=above_it).overlaps(tail)


# 4. powers times exponentials on unbounded pieces


def test_a_sum_of_equal_scales_has_a_finite_supremum(tmp_path):
    """Two draws of scale 2: the density (1 + |x| / 2) e**(-|x| / 2) / 8 has powers in its tails. Its ratio to that of
    a shift by 1 grows to e**(1/2) as x grows, and is less everywhere.
    """
    source = """
    def f(rng, queries):
        return queries[0] + rng.laplace(scale=2.0) + rng.laplace(scale=2.0)
    """
    low, high = largest(losses(written(source, tmp_path), [1.0], [0.0]).forwards)
    assert low <= 0.5 <= high
    assert high - low < 1e-8


@pytest.mark.parametrize("power", [1, 2, 5])
def test_a_tail_with_a_higher_power_has_an_infinite_ratio(power):
    found = supremum(gamma(power), gamma(0))
    assert found.low == math.inf


def test_a_supremum_far_out_is_found_and_bounded():
    """The ratio (1 + t) e**-t / ((1 + t / 1000) e**-t) grows to 1000, slowly."""
    first = Piecewise([ZERO], [None, Part({(rate(-ONE), 0): arb(1), (rate(-ONE), 1): arb(1)})])
    second = Piecewise([ZERO], [None, Part({(rate(-ONE), 0): arb(1), (rate(-ONE), 1): arb(fmpq(1, 1000))})])
    found = supremum(first, second)
    assert found.low <= math.log(1000) <= found.high
    assert found.high - found.low < 1e-8 or found.high == math.inf


# nothing is guessed

REFUSED = {
    "a product": ("return noise * noise", "a product of two noisy values"),
    "a square": ("return noise ** 2 > 1", "noisy value"),
    "rounding": ("return round(noise)", "`round`"),
    "an exponential": ("return math.exp(noise)", "`math.exp`"),
    "a noisy scale": ("return rng.laplace(scale=abs(noise) + 1)", "scale"),
    "a noisy index": ("return queries[int(noise)]", "`int`"),
    "isinstance": ("return isinstance(noise, float)", "`isinstance`"),
    "text": ("return f'{noise}'", "f-string"),
    "membership": ("return noise in queries", "`in`"),
    "an exception with noise": ("return noise + 'a'", "noisy"),
    "a division by zero": ("return noise / 0", "divided by zero"),
    "another distribution": ("return rng.gamma(2.0)", "the gamma distribution"),
    "a scale out of range": ("return rng.laplace(scale=0.0)", "out of range"),
    "sorting six": ("return sorted([q + rng.laplace() for q in queries])", "put in order"),
    "an endless loop": ("while rng.laplace() > 0:\n        pass\n    return 1", "need not end"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_followed_is_refused_by_name_and_place(name, tmp_path):
    body, words = REFUSED[name]
    mechanism = written(f"def f(rng, queries):\n    noise = rng.laplace()\n    {body}", tmp_path)
    data = [1.0] * 6
    with pytest.raises(UnsupportedConstruct) as refused:
        losses_of_pair(mechanism, {"queries": data}, {"queries": data}, limits=Limits(steps=20_000))
    assert words in str(refused.value)
    assert refused.value.unsupported.span.line >= 9


def test_too_many_paths_are_refused_with_their_place(tmp_path):
    source = """
    def f(rng, queries):
        noise = [q + rng.laplace() for q in queries]
        return [x > 0 for x in noise]
    """
    mechanism = written(source, tmp_path)
    with pytest.raises(UnsupportedConstruct, match="ways to go on") as refused:
        losses_of_pair(mechanism, {"queries": [0.0] * 12}, {"queries": [1.0] * 12}, limits=Limits(paths=500))
    assert refused.value.unsupported.span.line == 12  # of the comparison


def test_outputs_in_other_coordinates_are_not_taken_for_other_outputs(tmp_path):
    """Both paths give any two numbers; that they are made of draws in another way is no certificate of anything."""
    source = """
    def f(rng, queries):
        x = rng.laplace()
        y = rng.laplace()
        if queries[0] > 0:
            return [x + y, x - y]
        return [x, y]
    """
    mechanism = written(source, tmp_path)
    with pytest.raises(UnsupportedConstruct, match="in another way"):
        losses(mechanism, [1.0], [0.0])


def test_noise_that_only_a_loop_still_holds_is_not_forgotten(tmp_path):
    """The list is in no variable while the loop goes through it: P(a > 0, b > 0) for two draws is 1/4."""
    source = """
    def f(rng, queries):
        count = 0
        for x in [rng.laplace(), rng.laplace()]:
            if x > 0:
                count = count + 1
        return count
    """
    found = probabilities(written(source, tmp_path), [1.0])
    assert found == {"0": pytest.approx(0.25), "1": pytest.approx(0.5), "2": pytest.approx(0.25)}


# certificates of impossible outputs, by a solver that knows nothing of paths: draws are free real numbers


def above_threshold(solver, data, output, limit):
    """What isvt1 does: raw answers against one noisy threshold."""
    threshold = z3.Real("threshold") + limit
    for query, bit in zip(data, output, strict=True):
        solver.add(z3.RealVal(query) >= threshold if bit else z3.RealVal(query) < threshold)


@pytest.mark.parametrize("name", ["half half", "one below rest above", "x shape"])
def test_an_impossible_output_of_raw_answers_is_unsatisfiable(name):
    (d1, d2), *_ = [(a, b) for label, a, b in patterns(5, "linf") if label == name]
    found = losses(program("statdp/sparse_vector.py", "isvt1"), list(d1), list(d2), epsilon=0.7, T=0.5)
    checked = 0
    for first, second, rows in ((d1, d2, found.forwards), (d2, d1, found.backwards)):
        for row in rows:
            solvers = z3.Solver(), z3.Solver()
            for solver, data in zip(solvers, (first, second), strict=True):
                above_threshold(solver, data, row.output, z3.RealVal("1/2"))
            assert solvers[0].check() == z3.sat
            assert (solvers[1].check() == z3.unsat) == isinstance(row.infinite, Impossible)
            checked += isinstance(row.infinite, Impossible)
    assert checked


def test_an_impossible_largest_value_is_unsatisfiable():
    """Answers plus noise that is never negative: their maximum is no less than any answer."""
    found = losses(program("statdp/noisy_max.py", "noisy_max_v2b"), [1.0] * 5, [2.0] * 5, epsilon=0.7)
    worst = found.forwards[0]
    assert isinstance(worst.infinite, Impossible)
    for data, expected in (([1.0] * 5, z3.sat), ([2.0] * 5, z3.unsat)):
        solver = z3.Solver()
        noisy = [z3.RealVal(query) + z3.Real(f"noise{i}") for i, query in enumerate(data)]
        solver.add(*[z3.Real(f"noise{i}") >= 0 for i in range(5)])
        solver.add(*[x <= z3.RealVal(str(worst.output)) for x in noisy])
        solver.add(z3.Or(*[x == z3.RealVal(str(worst.output)) for x in noisy]))
        assert solver.check() == expected


@pytest.mark.parametrize(
    ("file", "name", "given"),
    [
        ("statdp/sparse_vector.py", "isvt4", {"T": 1.0, "N": 1}),
        ("dpsniper/sparse_vector.py", "numerical_svt", {"t": 1.0, "c": 2}),
        ("dpsniper/sparse_vector.py", "svt34_parallel", {"t": 1.0, "c": 2}),
    ],
)
def test_what_is_pruned_loses_no_more_than_the_worst(file, name, given):
    """With pruning, forms that cannot lose most are hardly looked at: the largest loss must be the same."""
    mechanism = program(file, name)
    one, other = ({**given, "epsilon": 0.5, mechanism.data: data} for data in ([1.0] * 3, [2.0, 0.0, 0.0]))
    (whole, pruned) = (losses_of_pair(mechanism, one, other, prune=prune) for prune in (False, True))
    for side in ("forwards", "backwards"):
        rows, few = getattr(whole, side), getattr(pruned, side)
        assert len(rows) == len(few)
        assert max(row.loss.low for row in few) == pytest.approx(max(row.loss.low for row in rows), abs=1e-9)
        assert max(row.loss.high for row in few) >= max(row.loss.low for row in rows)
        lows = {row.key: row.loss.low for row in few}
        assert all(lows[row.key] <= row.loss.high + 1e-12 for row in rows), "still lower bounds"


def test_an_event_about_a_number_alone_counts_constants_in_longer_outputs(tmp_path):
    """`output[0] < 2` holds for `[False, x]`, too, as False is 0: half of the runs, and half of the others."""
    source = """
    def f(rng, queries):
        if rng.random() < 0.5:
            return [queries[0] + rng.laplace(scale=1.0)]
        return [False, queries[0] + rng.laplace(scale=1.0)]
    """
    found = losses(written(source, tmp_path), [2.0], [3.0])
    (law, _), cell = found.laws, (None, fmpq(2))
    ((key, form),) = ((key, form) for key, form in law.items() if len(form.form.template) == 1)
    (number,) = numbers_of(form)
    with ctx.workprec(found.precision):
        density = marginal(form, number.coordinate)
        assert density is not None
        probability = in_event(law, key, number, cell, density)
    assert text_of(form.form, number, cell) == "output[0] < 2.0"
    assert probability is not None
    assert float(probability) == pytest.approx(0.75, abs=1e-12)
