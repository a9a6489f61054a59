"""A claim test: one value of the claim, with its inputs and its portfolio.

What one pass of the anytime audit leaves for the next: its wealth, which the next one multiplies.

The wealth of a pass is the mean of its bets at the moment when it ends. The next pass starts from it with fresh bets on
fresh random streams, so that over all passes it is one supermartingale and alpha is spent only once.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeGuard

import numpy as np
import numpy.typing as npt

from dplint.audit.betting.input_groups import InputGroup
from dplint.audit.betting.portfolio import Portfolio
from dplint.audit.inputs import Choice, find_choices, find_further, gather_inputs, program_note, translated
from dplint.audit.preparation import prepare
from dplint.audit.progress import NothingToRun
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.inputs.pairs import both_orders
from dplint.jobs import AuditJob, AuditState
from dplint.statistics.betting import epsilon_grid

_VERSION = 1
Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class CarriedOver:
    """Earlier passes: how many, their runs, and for each value of the claim ln of the wealth against each epsilon.

    lanes: whether some of the wealth was made on lanes. rejected: choices of arguments that were left out, and why, as
    `AuditSession.rejected` has them.
    """

    passes: int = 0
    runs: int = 0
    wealth: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    lanes: bool = False
    rejected: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def read(state: AuditState | None) -> CarriedOver:
        """From a stored state; as if there had been no earlier pass if it is not one of ours."""
        if not isinstance(state, dict) or state.get("version") != _VERSION:
            return CarriedOver()
        passes, runs, wealth = state.get("passes"), state.get("runs"), state.get("wealth")
        if not _is_count(passes) or not _is_count(runs) or not isinstance(wealth, dict):
            return CarriedOver()
        found = {}
        for key, values in wealth.items():
            if not isinstance(values, list) or not all(map(_is_finite, values)):
                return CarriedOver()
            found[str(key)] = tuple(map(float, values))
        rejected = state.get("rejected", {})
        if not isinstance(rejected, dict) or not all(isinstance(why, str) for why in rejected.values()):
            return CarriedOver()
        return CarriedOver(passes, runs, found, lanes=state.get("lanes") is not False, rejected=rejected)

    def off_lanes(self) -> CarriedOver:
        """What is left of it if operations are not those of the function: nothing that was earned on lanes."""
        return replace(self, wealth={}, lanes=False) if self.lanes else self

    def carried(self, setting: Setting, grid: Floats) -> Floats:
        """Ln of the wealth that a value of the claim starts with."""
        values = self.wealth.get(_key(setting), ())
        return np.array(values) if len(values) == len(grid) else np.zeros(len(grid))

    def followed_by(
        self,
        claim_tests: Sequence[tuple[Setting, Portfolio]],
        runs: int,
        rejected: Mapping[str, str] | None = None,
        *,
        lanes: bool,
    ) -> AuditState:
        """The state after one more pass, on lanes or not; values of the claim that it did not reach keep money."""
        # Money that is lost to the last penny is kept as a number that JSON can hold.
        wealth: dict[str, object] = {key: list(values) for key, values in self.wealth.items()}
        wealth |= {
            _key(setting): np.maximum(portfolio.log_total(), -1e6).tolist() for setting, portfolio in claim_tests
        }
        return {
            "version": _VERSION,
            "passes": self.passes + 1,
            "runs": self.runs + runs,
            "wealth": wealth,
            "lanes": lanes or self.lanes,
            "rejected": {**self.rejected, **(rejected or {})},
        }


def _is_count(value: object) -> TypeGuard[int]:
    return type(value) is int and value >= 0


def _is_finite(value: object) -> bool:
    return type(value) is float and math.isfinite(value)


def _key(setting: Setting) -> str:
    return repr((setting.epsilon, setting.delta, setting.size, [(a.name, a.value) for a in setting.parameters]))


_PREPARE, _GROUPS, _FURTHER = 5, 6, 8
"""Numbers of the stages in the names of random streams."""


class ClaimTestHost(Protocol):
    """What a claim test needs of the pass that it belongs to."""

    job: AuditJob
    session: AuditSession
    stream: tuple[int, ...]
    carried_over: CarriedOver


@dataclass(frozen=True)
class Round:
    """One finished round: runs that its bets were chosen on, new bets, runs of their trial and of those that grow.

    entry: how often bets had entered before, in rounds and beside them.
    """

    screened: int
    bets: int
    trial: int
    paid: int
    entry: int


@dataclass
class ClaimTest:
    """One value of the claim.

    suggested: the groups that other procedures have suggested, also among the others; first: those of them that need an
    event. further: pairs beyond the patterns that are worth runs, None before anybody has looked; in_further: their
    group, also among the others.
    events: how many were looked at, by input group.
    promising: whether some promised anything.
    """

    number: int
    setting: Setting
    pairs: Sequence[Pair]
    portfolio: Portfolio
    words: str
    groups: list[InputGroup] = field(default_factory=list)
    suggested: list[InputGroup] = field(default_factory=list)
    first: list[InputGroup] = field(default_factory=list)
    further: list[Pair] | None = None
    in_further: list[InputGroup] = field(default_factory=list)
    events: dict[int, int] = field(default_factory=dict)
    promising: bool = True
    played: list[Round] = field(default_factory=list)

    @property
    def _since(self) -> int:
        """The round in which a loss that shows must have been bet on at the latest: the last but two."""
        return max(0, len(self.played) - 3)

    @property
    def screened(self) -> int:
        """Runs on each side that a bet of that round was chosen on."""
        return self.played[self._since].screened

    @property
    def last_weight(self) -> float:
        """The share of the money of the last bet of that round."""
        number, bets = self.played[self._since].entry, max(self.played[self._since].bets, 1)
        return 1 / ((number + 1) * (number + 2)) / bets / sum(1 / k for k in range(1, bets + 1))

    def blocks(self) -> list[int]:
        """The runs that a bet of that round would have been paid on, if it had grown."""
        found: list[int] = []
        seen = self.screened
        for one in self.played[self._since :]:
            left = one.paid if found else one.trial + one.paid
            while left > 0:
                block = min(left, one.trial if not found else max(one.trial, seen // 2))
                found.append(block)
                seen += block
                left -= block
        return found

    @property
    def smallest(self) -> int:
        """The size of the smallest data."""
        return min((group.size for group in self.groups if group not in self.in_further), default=0)

    @property
    def choices(self) -> list[Choice]:
        """The choices of arguments that all pairs are tried with, the one that the claim test began with first."""
        own = [group for group in self.groups if group not in self.suggested]
        return list({repr(group.choice.values): group.choice for group in own}.values())


def make_claim_test(
    host: ClaimTestHost, number: int, setting: Setting, pairs: Sequence[Pair], like: ClaimTest | None
) -> ClaimTest:
    """A claim test with the input groups of one choice of arguments: a quick one, or that of another claim test.

    Raises RunnerError, NothingToRun.
    """
    grid = epsilon_grid([s.epsilon for s in host.session.claimed])
    portfolio = Portfolio(
        grid=grid,
        claimed=int(np.searchsorted(grid, setting.epsilon)),
        delta=setting.delta,
        level=host.job.settings.alpha / len(host.session.claimed),
        carried=host.carried_over.carried(setting, grid),
    )
    words = ", ".join(f"{a.name} = {a.value}" for a in setting.parameters)
    claim_test = ClaimTest(number, setting, both_orders(pairs), portfolio, f", {words}" if words else "")
    if not claim_test.pairs:
        raise NothingToRun("the neighbour relation leaves no pair of the length that the claim is about")
    if like is None:
        choices = find_choices(host.job, host.session, pairs, setting, quick=True)
    else:
        choices = translated(like.choices[:1], setting)
    add_groups(host, claim_test, choices, claim_test.pairs, needed=not any(choice.arguments for choice in choices))
    if not claim_test.groups:
        # What looked best is rejected by the function, or leaves it without noise.
        add_groups(host, claim_test, find_choices(host.job, host.session, pairs, setting), claim_test.pairs)
    return claim_test


def widen(host: ClaimTestHost, claim_test: ClaimTest, like: ClaimTest | None) -> None:
    """Other choices of arguments for the claim test: those of another claim test, or all that can be found. Raises
    RunnerError.
    """
    if like is None:
        choices = find_choices(host.job, host.session, claim_test.pairs, claim_test.setting)
    else:
        choices = translated(like.choices, claim_test.setting)
    host.session.coverage.note(program_note(host.job, choices))
    known = {repr(choice.values) for choice in claim_test.choices}
    new = [choice for choice in choices if repr(choice.values) not in known]
    add_groups(host, claim_test, new, claim_test.pairs, needed=False)


def add_groups(
    host: ClaimTestHost, claim_test: ClaimTest, choices: Sequence[Choice], pairs: Sequence[Pair], *, needed: bool = True
) -> None:
    """An input group for each choice that runs and each size of the pairs, small data first.

    needed: whether it is a failure, RunnerError, if no choice does.
    """
    if not choices:
        return
    session = host.session
    stream = (*host.stream, claim_test.number, _PREPARE, len(claim_test.groups))
    prepared = prepare(session, pairs, choices, stream, needed=needed)
    session.coverage.note(*prepared.notes)
    numbers = {repr(value): index for index, value in enumerate(prepared.inputs.data)}
    for index, choice in enumerate(prepared.choices):
        session.coverage.choice(choice.arguments)
        for size in sorted({pair.size for pair in prepared.inputs.pairs}):
            if size in prepared.without[index]:
                continue
            inputs = gather_inputs(session, [pair for pair in prepared.inputs.pairs if pair.size == size])
            known = prepared.noise_free[index]
            noise_free = [known[numbers[repr(value)]] for value in inputs.data] if known else []
            stream = (*host.stream, claim_test.number, _GROUPS, len(claim_test.groups))
            claim_test.groups.append(InputGroup(session, inputs, choice, noise_free, stream))


def add_further(host: ClaimTestHost, claim_test: ClaimTest, like: ClaimTest | None) -> None:
    """An input group for pairs beyond the patterns, with the choice of arguments that the claim test began with.

    The pairs are those of another claim test, or looked for now. Raises RunnerError.
    """
    further = None if like is None else like.further
    if further is None:
        stream = (*host.stream, claim_test.number, _FURTHER)
        budget = host.job.settings.budget
        further = find_further(host.session, claim_test.choices[0], claim_test.pairs, stream, budget)
    claim_test.further = further
    pairs = both_orders(claim_test.setting.fitting(further))
    if not pairs:
        return
    session, choice = host.session, claim_test.choices[0]
    stream = (*host.stream, claim_test.number, _PREPARE, len(claim_test.groups))
    prepared = prepare(session, pairs, [choice], stream, needed=False, remember=False)
    tried = prepared.inputs.pairs
    usable = [pair for pair in tried if prepared.choices and pair.size not in prepared.without[0]]
    if usable:
        inputs = gather_inputs(session, usable)
        stream = (*host.stream, claim_test.number, _GROUPS, len(claim_test.groups))
        group = InputGroup(session, inputs, choice, session.noise_free(inputs.data, choice.values), stream)
        claim_test.groups.append(group)
        claim_test.in_further.append(group)
