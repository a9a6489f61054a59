"""Computed probabilities of events by models, held against closed forms, SciPy's laws and simulated runs."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from dplint.audit.models.learning import Model
from dplint.audit.procedure import Coupling
from dplint.events.columns import Key, ValueClass
from dplint.events.conditions import Between, Equals, Event, ScoreAbove, Slope, Vote
from dplint.events.families.element import Element
from dplint.events.places import Place
from dplint.program.building import number
from dplint.runner.batch import Sequence
from dplint.runner.texts import TextNumbers


def model(centre, jacobian, law="laplace", **more):
    jacobian = np.array(jacobian, float)
    form = Sequence("list", (len(centre),), len(centre))
    return Model(form, np.array(centre, float), jacobian, (law,) * jacobian.shape[1], {}, **more)


def element(index):
    return Element(Place((index,)))


def at_least(index, value):
    return Between(element(index), value, math.inf)


def below(index, value):
    return Between(element(index), -math.inf, value)


def expected(found, probability):
    """The interval is narrow and holds it."""
    assert found is not None
    assert found[0] <= probability <= found[1]
    assert found[1] - found[0] < 1e-8


@pytest.mark.parametrize(("law", "slope"), list(product(["laplace", "normal", "gumbel", "logistic"], [2.0, -0.5])))
def test_of_a_number_with_noise_of_its_own(law, slope):
    """P(3 + slope z in [2, 5)) by SciPy."""
    mine = model([3, 7], [[slope, 0], [0, 1]], law)
    scipy = {"gumbel": "gumbel_r", "normal": "norm"}.get(law, law)
    ends = sorted((end - 3) / slope for end in (2, 5))
    share = np.subtract(*getattr(stats, scipy).cdf(ends[::-1]))

    expected(mine.probability(Event((Between(element(0), 2.0, 5.0),))), share)


def test_of_several_numbers_it_is_a_product_and_of_one_draw_it_is_not():
    """Leaves 0 and 1 hang on one draw, z >= 1 and -2 z + 1 < -5, so z >= 3; leaf 2 on another, leaf 3 on none."""
    mine = model([0, 1, 0, 4], [[1, 0], [-2, 0], [0, 1], [0, 0]])
    both = at_least(0, 1.0), below(1, -5.0)

    expected(mine.probability(Event(both)), math.exp(-3) / 2)
    expected(mine.probability(Event((*both, at_least(2, 0.0), at_least(3, 4.0)))), math.exp(-3) / 4)
    expected(mine.probability(Event((*both, below(3, 4.0)))), 0.0)


def test_of_votes_it_is_the_law_of_their_sum():
    """Three draws above 0, with weights 1, 1 and 2: at least 3 points in 3 of 8 cases."""
    mine = model([0, 0, 0], np.eye(3))
    votes = tuple(Vote(weight, at_least(index, 0.0)) for index, weight in enumerate((1, 1, 2)))

    expected(mine.probability(Event((ScoreAbove(votes, 2.5),))), 3 / 8)
    expected(mine.probability(Event((ScoreAbove(votes, 4.5),))), 0.0)


def test_of_numbers_that_are_rounded_and_clipped():
    """round(z) >= 1 means z >= 0.5, and of clipped numbers all ends are kept."""
    mine = model([0, 0], np.eye(2), decimals={0: 0}, limits={1: (-1.0, 2.0)})

    expected(mine.probability(Event((at_least(0, 1.0),))), math.exp(-0.5) / 2)
    expected(mine.probability(Event((at_least(1, 2.0),))), math.exp(-2.0) / 2)
    expected(mine.probability(Event((at_least(1, -1.0),))), 1.0)
    expected(mine.probability(Event((below(1, -1.0),))), 0.0)


@pytest.mark.parametrize("slope", [1, -1, 3])
def test_of_whole_noise_each_value_counts(slope):
    """4 + slope k for k of a geometric law, held against the sum of its masses."""
    mine = model([4], [[slope]], 'geometric {"p": 0.3}', decimals={0: 0})
    masses = {4 + slope * k: 0.3 * 0.7 ** (k - 1) for k in range(1, 400)}
    for low, high in ((5.0, math.inf), (-math.inf, 3.0), (2.0, 7.0), (6.5, 6.75), (1.0, 2.0)):
        share = sum(mass for value, mass in masses.items() if low <= value < high)
        expected(mine.probability(Event((Between(element(0), low, high),))), share)


def test_of_a_sum_with_normal_noise():
    """The sum 1 * (2 + z0 + z1) - 0.5 * (3 + 2 z1) is normal around 0.5 with variance 1."""
    mine = model([2, 3], [[1, 1], [0, 2]], "normal")
    event = Event((ScoreAbove((Slope(1.0, element(0)), Slope(-0.5, element(1))), 4.0),))

    expected(mine.probability(event), stats.norm.sf(3.5))
    assert model([2, 3], [[1, 1], [0, 2]]).probability(event) is None
    assert model([2, 3], [[1, 1], [0, 2]], "normal", decimals={0: 1}).probability(event) is None


def test_what_takes_a_simulation():
    """Several draws in a number, a transform, a value, points for less."""
    event = Event((at_least(0, 0.0),))
    assert model([0], [[1, 1]]).probability(event) is None
    assert model([0], [[1]], "random", transform="laplace").probability(event) is None
    value = Equals(element(0), Key(ValueClass.NUMBER, 0.0, number(0.0)))
    assert model([0], [[1]]).probability(Event((value,))) is None
    assert model([0], [[1]]).probability(Event((ScoreAbove((Vote(-1, at_least(0, 0.0)),), -0.5),))) is None


@pytest.mark.parametrize("seed", range(20))
def test_of_random_models_it_is_what_runs_of_the_model_show(seed):
    """Five standard errors of 100,000 runs; each number has a draw, some the same."""
    rng = np.random.default_rng(seed)
    laws = rng.choice(["laplace", "normal", "exponential", 'geometric {"p": 0.4}'], 3).tolist()
    jacobian = np.zeros((4, 3))
    jacobian[np.arange(4), rng.integers(0, 3, 4)] = rng.choice([-2.0, 0.5, 1.0, 3.0], 4)
    form = Sequence("list", (4,), 4)
    centre = np.round(rng.normal(0, 2, 4), 1)
    mine = Model(form, centre, jacobian, tuple(laws), {}, {0: int(rng.integers(0, 2))}, {1: (-1.0, 1.5)})
    lows, widths = np.round(rng.normal(-1, 1, 4), 1).tolist(), rng.choice([1.0, 2.5, math.inf], 4).tolist()
    ends = zip(lows, widths, strict=True)
    ranges = [Between(element(leaf), low, low + width) for leaf, (low, width) in enumerate(ends)]
    votes = ScoreAbove(tuple(Vote(int(rng.integers(1, 4)), one) for one in ranges), float(rng.integers(1, 6)) - 0.5)
    event = Event((votes,)) if seed % 2 else Event(tuple(ranges[:2]))
    low, high = mine.probability(event)
    runs = 100_000
    made = Coupling(mine, mine, event).simulated(runs, np.random.SeedSequence(seed), TextNumbers())

    error = math.sqrt(max(low * (1 - low), 1 / runs) / runs)
    assert low - 5 * error <= made.count1 / runs <= high + 5 * error
