"""The money of a portfolio: conserved, paid on later runs only, and the same as in a slow implementation."""

import math

import numpy as np
import pytest

from dplint.audit.betting.input_groups import Proposal
from dplint.audit.betting.portfolio import Portfolio
from dplint.claims import Pair
from dplint.events.conditions import Event
from dplint.statistics.betting import stake

GRID = np.array([0.1, 0.3, 0.5, 0.7, 0.9, 1.3])
CLAIMED = 3
PAIR = Pair([0.0], [1.0], "one above", 1)


def proposal(count1, count2, runs, sides=(0, 1)):
    """Of no input group: a portfolio never looks at it."""
    return Proposal(
        group=None, pair=PAIR, sides=sides, event=Event(()), growth=0.1, count1=count1, count2=count2, runs=runs
    )  # fmt: skip


def portfolio(delta=0.0, level=0.01, carried=None):
    return Portfolio(grid=GRID, claimed=CLAIMED, delta=delta, level=level,
                     carried=np.zeros(len(GRID)) if carried is None else carried)  # fmt: skip


class Obvious:
    """The same by money, not logarithms: one bet, one epsilon and one run at a time."""

    def __init__(self, delta, level, carried):
        self.delta, self.level = delta, level
        self.factor = [math.exp(x) for x in carried]
        self.bets = []
        self.best = list(self.factor)

    def enter(self, weights, histories):
        self.bets += [
            {"weight": w, "money": [1.0] * len(GRID), "seen": list(h)} for w, h in zip(weights, histories, strict=True)
        ]

    def pay(self, numbers, hits, runs):
        for number, (one, two) in zip(numbers, hits, strict=True):
            bet = self.bets[number]
            for at, epsilon in enumerate(GRID):
                placed = stake(*bet["seen"], epsilon, self.delta)
                size, pivot, c = float(placed.size), float(placed.pivot), math.exp(epsilon)
                for run in range(runs):
                    x, y = run < one, run < two
                    bet["money"][at] *= (1 + size * (x - c * pivot - self.delta)) * (1 - c * size * (y - pivot))
            bet["seen"] = [a + b for a, b in zip(bet["seen"], (one, two, runs), strict=True)]
        self.best = [max(old, new) for old, new in zip(self.best, self.total(), strict=True)]

    def total(self):
        reserve = 1 - sum(bet["weight"] for bet in self.bets)
        return [
            factor * (reserve + sum(bet["weight"] * bet["money"][at] for bet in self.bets))
            for at, factor in enumerate(self.factor)
        ]

    def lower(self):
        found = 0.0
        for epsilon, money in zip(GRID, self.best, strict=True):
            if money < 1 / self.level:
                break
            found = float(epsilon)
        return found


def play(delta, level, carried, p1, p2, seed, rounds=5, block=60):
    """The same rounds on both: two bets enter in each, one in either direction, and all are paid."""
    generator = np.random.default_rng(seed)
    mine, obvious = portfolio(delta, level, carried), Obvious(delta, level, carried)
    for _ in range(rounds):
        histories = [
            (int(generator.binomial(50, p)), int(generator.binomial(50, q)), 50) for p, q in [(p1, p2), (p2, p1)]
        ]
        entered = mine.enter([proposal(*histories[0]), proposal(*histories[1], sides=(1, 0))])
        obvious.enter([bet.weight for bet in entered], histories)
        hits = [
            (int(generator.binomial(block, p)), int(generator.binomial(block, q)))
            for p, q in [(p1, p2), (p2, p1)] * (len(mine.bets) // 2)
        ]
        mine.pay(mine.bets, hits, block)
        obvious.pay(range(len(mine.bets)), hits, block)
        yield mine, obvious


@pytest.mark.parametrize("carry", [0.0, 1.5, -2.0])
@pytest.mark.parametrize(("delta", "p1", "p2"), [(0.0, 0.6, 0.2), (0.0, 0.3, 0.3), (0.1, 0.7, 0.2), (0.0, 0.2, 0.6)])
@pytest.mark.parametrize("seed", [1, 2])
def test_money_peak_and_bound_agree_with_a_slow_implementation(delta, p1, p2, carry, seed):
    carried = np.full(len(GRID), carry)
    for mine, obvious in play(delta, 0.01, carried, p1, p2, seed):
        assert np.exp(mine.log_total()) == pytest.approx(obvious.total(), rel=1e-9)
        assert np.exp(mine.peak) == pytest.approx(obvious.best, rel=1e-9)
        assert mine.lower() == obvious.lower()
        assert mine.rejected == (obvious.best[CLAIMED] >= 100)
        assert mine.log_e_value == pytest.approx(math.log(obvious.best[CLAIMED]))


@pytest.mark.parametrize("direction", [(0.6, 0.2), (0.2, 0.6)])
def test_a_violation_is_found_in_either_direction_by_the_bet_on_it(direction):
    """ln 3 is above 0.9 and below 1.3, and 5 rounds of 60 runs are enough to say at least 0.3."""
    *_, (mine, _) = play(0.0, 0.01, np.zeros(len(GRID)), *direction, seed=3)

    assert 0.3 <= mine.lower() <= 0.9
    likelier = (0, 1) if direction[0] > direction[1] else (1, 0)
    assert mine.leader(CLAIMED).sides == likelier
    losers = [bet for bet in mine.bets if bet.sides != likelier]
    assert all(bet.log_wealth[CLAIMED] <= 0 for bet in losers)


@pytest.mark.parametrize("sizes", [[1] * 40, [3, 4, 6, 6, 6, 6], [0, 5, 0, 0, 7, 1], [200] * 10])
def test_money_is_conserved_however_many_bets_enter(sizes):
    mine = portfolio()
    for size in sizes:
        entered = mine.enter([proposal(20, 10, 100)] * size)
        assert all(bet.weight > 0 for bet in entered)
        assert [bet.weight for bet in entered] == sorted((bet.weight for bet in entered), reverse=True)
        assert sum(bet.weight for bet in mine.bets) <= 1 + 1e-12
        assert mine.log_total() == pytest.approx(np.zeros(len(GRID)), abs=1e-12)


def test_what_a_bet_was_chosen_on_pays_nothing():
    """However good it looked: its money is what it entered with until it is paid on runs made later."""
    mine = portfolio()
    (early,) = mine.enter([proposal(900, 10, 1000)])
    assert mine.log_e_value == 0.0
    assert (early.fresh1, early.fresh2, early.fresh_runs) == (0, 0, 0)

    mine.pay([early], [(45, 1)], 50)
    before = early.log_wealth.copy()
    (late,) = mine.enter([proposal(900, 10, 1000)])
    assert np.array_equal(late.log_wealth, np.zeros(len(GRID)))
    mine.pay([late], [(40, 2)], 50)

    assert np.array_equal(early.log_wealth, before)
    assert (early.fresh1, early.fresh2, early.fresh_runs, early.runs) == (45, 1, 50, 1050)
    assert (late.fresh1, late.fresh2, late.fresh_runs, late.runs) == (40, 2, 50, 1050)


def test_the_stake_comes_from_earlier_runs_and_not_from_those_that_it_is_paid_on():
    """Two bets with one history are paid by one rule: a block without any hit loses what the stake risked."""
    mine = portfolio()
    bets = mine.enter([proposal(60, 20, 100), proposal(60, 20, 100)])
    mine.pay(bets, [(40, 0), (0, 0)], 100)
    size, pivot = (float(x[0]) for x in stake([60], [20], [100], GRID[:1], 0.0))
    c = math.exp(GRID[0])

    gained = 40 * math.log(1 + size * (1 - c * pivot)) - 40 * math.log(1 - size * c * pivot)

    assert bets[0].log_wealth[0] - bets[1].log_wealth[0] == pytest.approx(gained, rel=1e-9)


def test_the_peak_stays_when_the_money_is_lost_again():
    mine = portfolio()
    bets = mine.enter([proposal(60, 10, 100)])
    mine.pay(bets, [(120, 20)], 200)
    peak = mine.peak.copy()
    assert mine.rejected
    for _ in range(4):
        mine.pay(bets, [(5, 120)], 200)

    assert mine.log_total()[CLAIMED] < -0.5 < peak[CLAIMED]
    assert np.array_equal(mine.peak, peak)
    assert mine.rejected


def test_carried_money_multiplies():
    """A pass that starts from the money of another one ends with the product, and so does its evidence."""
    carried = np.log(np.linspace(4.0, 0.5, len(GRID)))
    plain, later = portfolio(), portfolio(carried=carried)
    for mine in (plain, later):
        mine.pay(mine.enter([proposal(60, 10, 100)]), [(35, 15)], 60)

    assert later.log_total() == pytest.approx(carried + plain.log_total(), rel=1e-12)
    assert portfolio(carried=carried).log_e_value == carried[CLAIMED]


def test_the_bound_of_one_bet_counts_its_own_share_of_the_money_only():
    mine = portfolio()
    bets = mine.enter([proposal(60, 10, 100)] * 5)
    mine.pay(bets, [(48, 12)] * 5, 80)

    for bet in bets:
        enough = [e for e, log in zip(GRID, bet.log_wealth, strict=True) if bet.weight * math.exp(log) >= 100]
        assert mine.lower_of(bet) == max(enough, default=0.0) <= mine.lower()
    assert bets[0].weight == pytest.approx(5 * bets[4].weight)
    assert mine.lower_of(bets[0]) > mine.lower_of(bets[4]) > 0.0


def test_a_bet_that_has_lost_everything_is_not_alive():
    """At the epsilons where it risked something: e^-12 is left of its money, and it may still stand elsewhere."""
    mine = portfolio()
    (bet,) = mine.enter([proposal(950, 200, 1000)])
    mine.pay([bet], [(0, 100)], 200)

    assert mine.alive(0) == []
    assert bet.log_wealth[0] < -12
    assert mine.log_total()[0] == pytest.approx(math.log(0.5), abs=1e-4)
