"""A line: one value of the claim, with its inputs and its portfolio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from dplint.audit.arms import Arm
from dplint.audit.job import AuditJob
from dplint.audit.passes import Earlier
from dplint.audit.portfolio import Portfolio
from dplint.audit.preparation import NothingToRun, find_choices, prepare, program_note
from dplint.audit.screening import Choice, gather_inputs
from dplint.audit.session import Session
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.statistics.betting import epsilon_grid

_PREPARE, _ARMS = 5, 6
"""Numbers of the stages in the names of random streams."""


class Host(Protocol):
    """What a line needs of the pass that it belongs to."""

    job: AuditJob
    session: Session
    settings: Sequence[Setting]
    stream: tuple[int, ...]
    notes: list[str]
    earlier: Earlier


@dataclass(frozen=True)
class Round:
    """One finished round: runs that its bets were chosen on, new bets, runs of their trial and of those that grow."""

    screened: int
    bets: int
    trial: int
    paid: int


@dataclass
class Line:
    """One value of the claim. events: how many were looked at, by arm. hopeful: whether some promised anything."""

    number: int
    setting: Setting
    pairs: Sequence[Pair]
    portfolio: Portfolio
    words: str
    arms: list[Arm] = field(default_factory=list)
    events: dict[int, int] = field(default_factory=dict)
    hopeful: bool = True
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
        number, bets = self._since, max(self.played[self._since].bets, 1)
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
        return min((arm.size for arm in self.arms), default=0)

    @property
    def choices(self) -> list[Choice]:
        """The choices of arguments, the one that the line began with first."""
        return list({repr(arm.choice.values): arm.choice for arm in self.arms}.values())


def make_line(host: Host, number: int, setting: Setting, pairs: Sequence[Pair], like: Line | None) -> Line:
    """A line with the arms of one choice of arguments: a quick one, or that of another line.

    Raises RunnerError, NothingToRun.
    """
    grid = epsilon_grid([s.epsilon for s in host.settings])
    portfolio = Portfolio(
        grid=grid,
        claimed=int(np.searchsorted(grid, setting.epsilon)),
        delta=setting.delta,
        level=host.job.settings.alpha / len(host.settings),
        carried=host.earlier.carried(setting, grid),
    )
    words = ", ".join(f"{a.name} = {a.value}" for a in setting.parameters)
    line = Line(number, setting, both_orders(pairs), portfolio, f", {words}" if words else "")
    choices = find_choices(host.job, host.session, pairs, setting, quick=True) if like is None else []
    _add_arms(host, line, choices if like is None else _translated(like.choices[:1], setting))
    if not line.arms:
        raise NothingToRun("the neighbour relation leaves no pair of the length that the claim is about")
    return line


def widen(host: Host, line: Line, like: Line | None) -> None:
    """Other choices of arguments for the line: those of another line, or all that can be found. Raises RunnerError."""
    if like is None:
        choices = find_choices(host.job, host.session, line.pairs, line.setting)
    else:
        choices = _translated(like.choices, line.setting)
    note = program_note(host.job, choices)
    if note and note not in host.notes:
        host.notes.append(note)
    known = {repr(arm.choice.values) for arm in line.arms}
    _add_arms(host, line, [choice for choice in choices if repr(choice.values) not in known])


def _translated(choices: Sequence[Choice], setting: Setting) -> list[Choice]:
    """The same arguments for another value of the claim; what the solver finds rarely depends on it."""
    fixed = {a.name: a for a in setting.parameters}
    return [Choice(choice.arguments, tuple(fixed.get(a.name, a) for a in choice.fixed)) for choice in choices]


def _add_arms(host: Host, line: Line, choices: Sequence[Choice]) -> None:
    """An arm for each choice that runs and each size, small data first."""
    if not choices:
        return
    session = host.session
    stream = (*host.stream, line.number, _PREPARE, len(line.arms))
    prepared = prepare(session, line.pairs, choices, stream)
    host.notes += [note for note in prepared.notes if note not in host.notes]
    numbers = {repr(value): index for index, value in enumerate(prepared.inputs.data)}
    for index, choice in enumerate(prepared.choices):
        for size in sorted({pair.size for pair in prepared.inputs.pairs}):
            inputs = gather_inputs(session, [pair for pair in prepared.inputs.pairs if pair.size == size])
            quiet = [prepared.noise_free[index][numbers[repr(value)]] for value in inputs.data]
            stream = (*host.stream, line.number, _ARMS, len(line.arms))
            line.arms.append(Arm(session, inputs, choice, quiet, stream))


def both_orders(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, and those of them turned round that are not among them: a claim binds in both directions."""
    known = {repr((pair.d1, pair.d2, pair.handle)) for pair in pairs}
    turned = [Pair(pair.d2, pair.d1, pair.pattern, pair.size) for pair in pairs if pair.handle is None]
    return [*pairs, *(pair for pair in turned if repr((pair.d1, pair.d2, None)) not in known)]
