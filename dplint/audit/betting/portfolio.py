"""A portfolio of bets against one value of the claim: its wealth is the evidence.

For an event that is fixed before the runs it is paid on, the factor of a bet (`statistics.betting`) has mean at most 1
under the claim, so that its wealth is a nonnegative supermartingale, and so is the mean of many, whatever their
dependence. Bets may enter later, with money from a reserve that was set aside at the start. By Ville's inequality the
wealth ever reaches 1 / alpha with probability at most alpha: the evidence may be looked at any time. The same money is
bet against every epsilon of a fixed grid, and the largest one that is rejected together with every smaller one is a
lower bound that holds at any time.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, fields

import numpy as np
import numpy.typing as npt

from dplint.audit.betting.input_groups import Proposal
from dplint.outcomes import Confirmation
from dplint.statistics.betting import log_mean, log_wealth, lower_bound, stake
from dplint.statistics.coupled import NONE, Differences, Simulated, capped, coupled_stake, log_coupled

Floats = npt.NDArray[np.float64]

_ENOUGH_HITS = 100
"""Hits on D1 from which on a loss is estimated."""
_HOPELESS = -12.0
"""A bet that has lost all but e^-12 of its money is left alone."""


@dataclass(eq=False)
class Bet(Proposal):
    """Money on one event and one pair, against every epsilon of the grid.

    weight: its share of the starting money. count1, count2, runs: all that was seen of the event on this pair, which
    the next stake is computed from. fresh1, fresh2, fresh_runs: what it was paid on.
    """

    weight: float = field(kw_only=True)
    log_wealth: Floats = field(kw_only=True)
    fresh1: int = 0
    fresh2: int = 0
    fresh_runs: int = 0

    @property
    def log_money(self) -> Floats:
        """Ln of the money that counts."""
        return self.log_wealth

    def loss(self, delta: float) -> float:
        """The loss of the event by its own runs, two standard errors below what was seen; 0 for few runs."""
        share1 = self.fresh1 / max(self.fresh_runs, 1) - delta
        if self.fresh1 < _ENOUGH_HITS or share1 <= 0:
            return 0.0
        error = math.sqrt(1 / self.fresh1 + 1 / (self.fresh2 + 0.5))
        return math.log(share1 * self.fresh_runs / (self.fresh2 + 0.5)) - 2 * error


@dataclass(eq=False)
class CoupledBet(Bet):
    """Money on runs of the function beside models: see `statistics.coupled`. The counts of a bet are those of the runs.

    simulated: of the models, None before that. one, two: where runs on D1 and on D2 were off them. void: runs that were
    not traced have shown another function, and the money is gone. given: whether runs on D1 have noise that is drawn
    until the model is in the event. confirmation: what runs that were not traced have shown.
    """

    simulated: Simulated | None = None
    one: Differences = NONE
    two: Differences = NONE
    void: bool = False
    given: bool = False
    confirmation: Confirmation | None = None

    @property
    def runs_on_d1(self) -> int:
        """Coupled runs there; those on D2 are `fresh_runs`."""
        return self.one.runs

    @property
    def most(self) -> float:
        """What a run on D1 may count against the bet: see `statistics.coupled`."""
        assert self.simulated is not None
        return self.simulated.low if self.given else 1.0

    @property
    def log_money(self) -> Floats:
        """Ln of the money that counts."""
        return np.full(len(self.log_wealth), -np.inf) if self.void else capped(self.log_wealth)


@dataclass
class Portfolio:
    """All bets against one value of the claim.

    grid: tested epsilons, ascending. claimed: the position of the claim's epsilon. level: the probability of a false
    alarm that this value of the claim may use up. carried: ln wealth at each epsilon of the passes before this one.
    """

    grid: Floats
    claimed: int
    delta: float
    level: float
    carried: Floats
    bets: list[Bet] = field(default_factory=list)
    coupled: list[CoupledBet] = field(default_factory=list)
    rounds: int = 0
    peak: Floats = field(default_factory=lambda: np.empty(0))
    """ln of the most money at any look so far, against each epsilon; never less evidence than the money now (Ville)."""

    def __post_init__(self) -> None:
        """Start with what was carried over."""
        self.peak = self.carried

    def enter(self, proposals: Sequence[Proposal]) -> list[Bet]:
        """Bets on the proposals, best first, with this round's part of the reserve."""
        # 1/2 + 1/6 + 1/12 + ... = 1: there is money for any number of rounds.
        share = 1.0 / ((self.rounds + 1) * (self.rounds + 2))
        self.rounds += 1
        shares = 1.0 / np.arange(1, len(proposals) + 1)
        entered = [
            self._entering(proposal, float(share * part))
            for proposal, part in zip(proposals, shares / shares.sum(), strict=True)
        ]
        self.bets += [bet for bet in entered if not isinstance(bet, CoupledBet)]
        self.coupled += [bet for bet in entered if isinstance(bet, CoupledBet)]
        return entered

    def _entering(self, proposal: Proposal, weight: float) -> Bet:
        known = {field.name: getattr(proposal, field.name) for field in fields(Proposal)}
        if isinstance(proposal, Bet):
            known["coupling"] = None
        kind = Bet if known["coupling"] is None else CoupledBet
        return kind(**known, weight=weight, log_wealth=np.zeros(len(self.grid)))

    def pay_coupled(self, bet: CoupledBet, sides: Sequence[tuple[Differences, int]]) -> None:
        """Settle a block of coupled runs: for D1 and for D2 where function and model differed, and the hits."""
        assert bet.simulated is not None
        (one, hits1), (two, hits2) = sides
        margin, c = bet.simulated.margin(self.grid, self.delta), np.exp(self.grid)
        stake = coupled_stake(bet.one, bet.two, margin, c, one.runs / two.runs, bet.most)
        bet.log_wealth = bet.log_wealth + log_coupled(one, two, stake, margin, c)
        bet.one, bet.two = bet.one.plus(one), bet.two.plus(two)
        bet.fresh1, bet.fresh2, bet.fresh_runs = bet.fresh1 + hits1, bet.fresh2 + hits2, bet.fresh_runs + two.runs
        self.peak = np.maximum(self.peak, self.log_total())

    def take_back(self, bet: CoupledBet) -> None:
        """As if the money of this bet had been lost; what others had won at a look before is forgotten with it."""
        bet.void = True
        self.peak = self.log_total()

    def pay(self, bets: Sequence[Bet], hits: Sequence[tuple[int, int]], runs: int) -> None:
        """Settle a block of runs: each bet's hits on D1 and D2 among so many runs on either side."""
        count1, count2, seen = (np.array([getattr(bet, name) for bet in bets])[:, None] for name in _HISTORY)
        stakes = stake(count1, count2, seen, self.grid, self.delta)
        won = np.array(hits, np.int64)
        factors = log_wealth(won[:, :1], won[:, 1:], np.array([[runs]]), stakes, self.grid, self.delta)
        for bet, (one, two), factor in zip(bets, hits, factors, strict=True):
            bet.log_wealth = bet.log_wealth + factor
            bet.count1 += one
            bet.count2 += two
            bet.runs += runs
            bet.fresh1 += one
            bet.fresh2 += two
            bet.fresh_runs += runs
        self.peak = np.maximum(self.peak, self.log_total())

    def alive(self, at: int) -> list[Bet]:
        """The bets that still have money at an epsilon of the grid."""
        return [bet for bet in self.bets if bet.log_wealth[at] > _HOPELESS]

    def won_alone(self) -> list[Bet]:
        """The bets that refute the claim by themselves."""
        enough = -math.log(self.level)
        return [bet for bet in self.bets if math.log(bet.weight) + bet.log_wealth[self.claimed] >= enough]

    def log_total(self) -> Floats:
        """Ln of the wealth at each epsilon, the reserve and what earlier passes earned included."""
        every: list[Bet] = [*self.bets, *self.coupled]
        if not every:
            return self.carried
        weights = np.array([bet.weight for bet in every])
        reserve = max(0.0, 1.0 - float(weights.sum()))
        log_weights = np.log(np.append(weights, reserve if reserve > 0 else 1e-300))
        wealths = np.vstack([*(bet.log_money for bet in every), np.zeros(len(self.grid))])
        return np.asarray(self.carried + log_mean(log_weights[:, None], wealths, 0))

    @property
    def log_e_value(self) -> float:
        """The logarithm of the most wealth against the claim so far."""
        return float(self.peak[self.claimed])

    @property
    def rejected(self) -> bool:
        """Whether the claim is refuted."""
        return self.log_e_value >= -math.log(self.level)

    def lower(self) -> float:
        """The lower bound for the loss."""
        return lower_bound(self.grid, self.peak, self.level)

    def lower_of(self, bet: Bet) -> float:
        """The lower bound that one bet gives with its own share of the money."""
        return lower_bound(self.grid, bet.log_money + math.log(bet.weight), self.level)

    def leader(self, at: int) -> Bet | None:
        """The bet with the most money at an epsilon of the grid."""
        return max([*self.bets, *self.coupled], key=lambda bet: math.log(bet.weight) + bet.log_money[at], default=None)


_HISTORY = ("count1", "count2", "runs")
