"""Definitions: what follows from them, against computations that use nothing of dplint, and papers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from dplint.amounts import number
from dplint.claims import Claim, Promise
from dplint.definitions import (
    DELTA,
    UnknownDefinitionError,
    claimed_amounts,
    definition_named,
    definition_names,
    definition_of,
    implied,
    most_epsilon,
    points_of,
    promise_words,
    scaled_to,
)
from dplint.definitions.known.curve import GRID, amounts_of
from dplint.expressions import evaluate_expression

EPSILONS = (0.0, 0.1, 0.5, 1.0, 3.0)


def gaussian(mu, epsilon):
    """Balle and Wang, ICML 2018, theorem 8."""
    return stats.norm.cdf(mu / 2 - epsilon / mu) - math.exp(epsilon) * stats.norm.cdf(-mu / 2 - epsilon / mu)


AMOUNTS = {
    "curve": amounts_of([gaussian(0.8, epsilon) for epsilon in GRID]),
    "pure": (0.7,),
    "approximate": (0.7, 1e-5),
    "rho": (0.3,),
    "mu": (0.8,),
    "renyi": (2.0, 0.4, 8.0, 1.6),
}


def test_there_are_amounts_for_each_definition():
    assert definition_names() == tuple(sorted(AMOUNTS))


@pytest.mark.parametrize("name", AMOUNTS)
def test_a_curve_falls_and_is_convex(name):
    """In e**epsilon, of which the hockey-stick divergence is a supremum of lines."""
    definition, factors = definition_named(name), np.linspace(1.0, 20.0, 400)
    deltas = np.array([definition.delta(AMOUNTS[name], math.log(factor)) for factor in factors])
    assert np.all(np.diff(deltas) <= 1e-12)
    # Of a few orders the least is known, which need not be convex.
    assert name == "renyi" or np.all(np.diff(deltas, 2) >= -1e-9)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_curve_of_mu_is_that_of_the_gaussian_mechanism(epsilon):
    assert definition_named("mu").delta((0.8,), epsilon) == pytest.approx(gaussian(0.8, epsilon), rel=1e-8)


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_curve_of_pure_epsilon_is_that_of_randomised_response(epsilon):
    p = 1 / (1 + math.exp(-0.7))
    expected = max(0.0, p - math.exp(epsilon) * (1 - p))
    assert definition_named("pure").delta((0.7,), epsilon) == pytest.approx(expected, rel=2e-9, abs=1e-12)


@pytest.mark.parametrize("rho", [0.01, 0.3, 2.0])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_curve_of_rho_is_the_best_over_all_orders(rho, epsilon):
    """Canonne, Kamath and Steinke 2020, corollary 13, by another minimiser on a fine grid first."""

    def logarithm(u):
        order = 1 + math.exp(u)
        return (order - 1) * (order * rho - epsilon) + (order - 1) * math.log1p(-1 / order) - math.log(order)

    grid = np.linspace(-12, 12, 20_001)
    start = min(grid, key=logarithm)
    best = optimize.minimize_scalar(logarithm, bounds=(start - 0.01, start + 0.01), method="bounded").fun
    assert definition_named("rho").delta((rho,), epsilon) == pytest.approx(
        min(1.0, math.exp(best)), rel=1e-6, abs=1e-14
    )


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_normal_noise_keeps_the_curve_of_its_rho_and_of_its_divergences(epsilon):
    """rho is mu**2 / 2, and what follows from it is no less than what the noise loses."""
    for mu in (0.2, 0.8, 2.0):
        lost = gaussian(mu, epsilon)
        assert definition_named("rho").delta((mu**2 / 2,), epsilon) >= lost
        assert definition_named("renyi").delta((4.0, 2 * mu**2), epsilon) >= lost


def test_a_published_conversion():
    """Bun and Steinke 2016, proposition 1.3: rho + 2 sqrt(rho ln(1 / delta)) is enough, so what is tight is no more."""
    for rho in (0.01, 0.1, 1.0):
        for delta in (1e-3, 1e-6, 1e-10):
            tight = most_epsilon(definition_named("rho"), (rho,), delta)
            assert tight <= rho + 2 * math.sqrt(rho * math.log(1 / delta))
            mu = math.sqrt(2 * rho)
            assert tight >= optimize.brentq(lambda e, m=mu, d=delta: gaussian(m, e) - d, 0, 60)


@pytest.mark.parametrize(
    ("amounts", "values"),
    [
        (Promise("rho", ("epsilon**2 / 2",)), {"epsilon": 0.6}),
        (Promise("mu", ("mu",)), {"mu": 0.6}),
        (Promise("renyi", (8.0, "epsilon")), {"epsilon": 0.6}),
        (Promise("renyi", ("alpha * rho",)), {"rho": 0.6}),
        (Promise("rho", ("rho", "delta")), {"rho": 0.6, "delta": 1e-5}),
    ],
)
def test_what_is_implied_as_an_expression_does_follow(amounts, values):
    """No less than what the tight curve says of the same numbers."""
    epsilon, delta = (evaluate_expression(str(one), values) for one in implied(amounts))
    promised = claimed_amounts(amounts, values)
    assert promised.definition.delta(promised.amounts, epsilon) <= delta * (1 + 1e-9)


def test_of_numbers_the_tight_point_is_implied():
    epsilon, delta = implied(Promise("mu", (1.0,)))
    assert delta == DELTA
    assert gaussian(1.0, epsilon) == pytest.approx(DELTA, rel=1e-6)


@pytest.mark.parametrize("name", ["rho", "mu", "renyi", "curve"])
def test_points_lie_on_the_curve(name):
    promised = claimed_amounts(Promise(name, AMOUNTS[name]), {})
    points = list(points_of(promised))
    assert 3 <= len(points) <= 4, "where much is allowed at epsilon = 0 already, a point has none"
    for epsilon, delta in points:
        assert epsilon > 0
        assert 0 < delta < 1
        assert delta == promised.definition.delta(AMOUNTS[name], epsilon)


@pytest.mark.parametrize("name", ["rho", "mu", "renyi", "curve"])
def test_the_inverse_of_a_curve(name):
    """Amounts that allow just what twice as much allows are twice as much, from below."""
    definition, amounts = definition_named(name), AMOUNTS[name]
    doubled = definition.scaled(amounts, 2.0)
    found = scaled_to(definition, amounts, 0.9, definition.delta(doubled, 0.9))
    assert found == pytest.approx(doubled, rel=1e-6)
    assert scaled_to(definition, amounts, math.inf, 0.1)[-1] == math.inf


def read(text):
    """Expressions over one parameter, which is 3."""
    return number(evaluate_expression(text, {"x": 3.0}) if isinstance(text, str) else text)


def counted(whole, part):
    """What a claim of a part counts under that of the whole, in numbers."""
    amounts = definition_of(whole).counted(whole, part, read)
    return tuple(None if amount is None else float(amount.value) for amount in amounts)


def promised(kind, *amounts):
    return Claim(epsilon=9.0, delta=1e-6, promise=Promise(kind, amounts))


def test_what_adds_up():
    """The same numbers as of normal noise: of scale 1 / mu it has rho = mu**2 / 2, and order * rho at each order."""
    pure, rough = Claim(epsilon="x"), Claim(epsilon=2.0, delta=0.25)
    mu, rho = promised("mu", "x"), promised("rho", 0.5)
    assert counted(pure, pure) == (3.0, 0.0)
    assert counted(pure, rough) == (2.0, 0.25)
    assert counted(mu, mu) == (9.0, 0.0)
    assert counted(rho, mu) == (4.5, 0.0)
    assert counted(rho, rho) == (0.5, 0.0)
    assert counted(rho, pure) == (4.5, 0.0)
    assert counted(promised("renyi", 8.0, 0.3), rho) == (4.0, 0.0)
    assert counted(promised("renyi", 8.0, 0.3), promised("renyi", 8.0, 0.125)) == (0.125, 0.0)


@pytest.mark.parametrize(
    ("whole", "part"),
    [
        (promised("mu", 1.0), promised("rho", 0.5)),
        (promised("mu", 1.0), Claim(epsilon=1.0)),
        (promised("rho", 1.0), Claim(epsilon=1.0, delta=1e-6)),
        (promised("rho", 1.0), promised("rho", 0.5, 1e-6)),
        (promised("rho", 1.0, 1e-6), promised("rho", 0.5)),
        (promised("rho", 1.0), promised("renyi", 2.0, 0.5)),
        (promised("renyi", 8.0, 0.3), promised("renyi", 4.0, 0.1)),
        (promised("renyi", 2.0, 0.3, 8.0, 0.5), promised("renyi", 2.0, 0.1)),
        (promised("renyi", "alpha"), promised("renyi", 2.0, 0.1)),
        (promised("curve", ":f"), promised("curve", ":f")),
        (promised("rho", 1.0), promised("curve", ":f")),
        (Claim(epsilon=1.0), promised("curve", ":f")),
    ],
)
def test_where_no_rule_is_known_nothing_is_counted(whole, part):
    assert counted(whole, part)[0] is None


def test_steps_of_normal_noise():
    """Three steps move it three times as far: mu is three times as much, its square and rho nine times."""
    assert definition_named("mu").steps(3) == definition_named("rho").steps(3) == 9
    assert definition_named("pure").steps(3) == 3
    assert (definition_named("renyi").steps(1), definition_named("renyi").steps(2)) == (1, None)


@pytest.mark.parametrize("epsilon", np.linspace(0.0, 12.0, 97))
def test_between_its_points_a_curve_is_the_chord(epsilon):
    """No less than what was claimed, for that is convex; and not much more."""
    found, exact = definition_named("curve").delta(AMOUNTS["curve"], epsilon), gaussian(0.8, epsilon)
    assert exact <= found <= exact * 1.02 + 1e-6


def test_behind_its_last_point_a_curve_stays_what_it_is():
    flat = amounts_of([0.3 if epsilon == 0 else 0.25 for epsilon in GRID])
    assert definition_named("curve").delta(flat, 1e3) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("curve", "words"),
    [
        (lambda e: 1.5 - e / 100, "1.5 at epsilon = 0 is no delta"),
        (lambda e: -0.1, "-0.1 at epsilon = 0 is no delta"),
        (lambda e: math.nan if e > 1 else 0.1, "nan at epsilon = 1.0625 is no delta"),
        (lambda e: e / 100, "grows between epsilon = 0 and 0.0625"),
        (lambda e: 0.5 if e < 1 else 0.1, "not convex in e\\^epsilon: 0.5 at epsilon = 0.9375 is above"),
        (lambda e: max(0.0, 0.2 - e / 10), "not convex"),  # a line in epsilon, which no mechanism has
    ],
)
def test_what_is_no_privacy_curve(curve, words):
    with pytest.raises(ValueError, match=words):
        amounts_of([curve(epsilon) for epsilon in GRID])


@pytest.mark.parametrize("curve", [lambda e: definition_named("pure").delta((0.7,), e), lambda e: 0.1 + 0 * e])
def test_what_is_one(curve):
    deltas = [curve(epsilon) for epsilon in GRID]
    assert [definition_named("curve").delta(amounts_of(deltas), e) for e in GRID] == pytest.approx(deltas, rel=1e-8)


def test_words():
    assert promise_words(Promise("curve", ("module:bounds",))) == 'curve = "module:bounds"'
    assert claimed_amounts(Promise("curve", AMOUNTS["curve"]), {}).short == "private by the claimed curve"
    assert implied(Promise("curve", (":bounds",))) == (0.0, 1.0), "what is true of all mechanisms"
    assert promise_words(Promise("rho", (0.5,))) == "rho = 0.5"
    assert promise_words(Promise("rho", (0.5, 1e-5))) == "rho = 0.5, delta = 1e-05"
    assert promise_words(Promise("mu", ("mu",))) == 'mu = "mu"'
    assert promise_words(Promise("renyi", (8.0, 0.3))) == "renyi = (8, 0.3)"
    assert promise_words(Promise("renyi", (2.0, 0.1, 8.0, 0.3))) == "renyi = [(2, 0.1), (8, 0.3)]"
    assert claimed_amounts(Promise("rho", ("epsilon**2 / 2",)), {"epsilon": 1.0}).short == "0.5-zCDP"


def test_the_definition_of_a_claim():
    assert definition_of(Claim(epsilon=1.0)).name == "pure"
    assert definition_of(Claim(epsilon=1.0, delta=1e-5)).name == "approximate"
    assert definition_of(Claim(epsilon=1.0, delta=1e-5, promise=Promise("mu", (1.0,)))).name == "mu"
    with pytest.raises(UnknownDefinitionError, match="there are"):
        definition_named("gdp")
