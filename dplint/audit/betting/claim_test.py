"""A claim test: one value of the claim, with its inputs and its portfolio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from dplint.audit.betting.carry_over import CarriedOver
from dplint.audit.betting.input_groups import InputGroup
from dplint.audit.betting.portfolio import Portfolio
from dplint.audit.choices import Choice, find_choices, program_note, translated
from dplint.audit.further import find_further
from dplint.audit.inputs import gather_inputs
from dplint.audit.preparation import prepare
from dplint.audit.progress import NothingToRun
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.inputs.pairs import both_orders
from dplint.jobs import AuditJob
from dplint.statistics.betting import epsilon_grid

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
