"""A line: one value of the claim, with its inputs and its portfolio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from dplint.audit.arms import Arm
from dplint.audit.job import AuditJob
from dplint.audit.portfolio import Portfolio
from dplint.audit.preparation import NothingToRun, find_choices, prepare, program_note
from dplint.audit.screening import gather_inputs
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


@dataclass
class Line:
    """One value of the claim. events: how many events were looked at, by arm. hopeful: whether some promised anything."""

    number: int
    setting: Setting
    arms: list[Arm]
    portfolio: Portfolio
    words: str
    events: dict[int, int] = field(default_factory=dict)
    hopeful: bool = True

    @property
    def smallest(self) -> int:
        """The size of the smallest data."""
        return min((arm.size for arm in self.arms), default=0)


def make_line(host: Host, number: int, setting: Setting, pairs: Sequence[Pair]) -> Line:
    """Choose arguments, see what runs, and set up the arms: small data first. Raises RunnerError, NothingToRun."""
    session = host.session
    choices = find_choices(host.job, session, pairs, setting)
    prepared = prepare(session, both_orders(pairs), choices, (*host.stream, number, _PREPARE))
    for note in (program_note(host.job, choices), *prepared.notes):
        if note and note not in host.notes:
            host.notes.append(note)
    numbers = {repr(value): index for index, value in enumerate(prepared.inputs.data)}
    arms = []
    for index, choice in enumerate(prepared.choices):
        for size in sorted({pair.size for pair in prepared.inputs.pairs}):
            inputs = gather_inputs(session, [pair for pair in prepared.inputs.pairs if pair.size == size])
            quiet = [prepared.noise_free[index][numbers[repr(value)]] for value in inputs.data]
            arms.append(Arm(session, inputs, choice, quiet, (*host.stream, number, _ARMS, index, size)))
    if not arms:
        raise NothingToRun("the neighbour relation leaves no pair of the length that the claim is about")
    grid = epsilon_grid([s.epsilon for s in host.settings])
    portfolio = Portfolio(
        grid=grid,
        claimed=int(np.searchsorted(grid, setting.epsilon)),
        delta=setting.delta,
        level=host.job.settings.alpha / len(host.settings),
        carried=np.zeros(len(grid)),
    )
    words = ", ".join(f"{a.name} = {a.value}" for a in setting.parameters)
    return Line(number, setting, arms, portfolio, f", {words}" if words else "")


def both_orders(pairs: Sequence[Pair]) -> list[Pair]:
    """The pairs, and those of them turned round that are not among them: a claim binds in both directions."""
    found = list(pairs)
    known = {repr((pair.d1, pair.d2, pair.handle)) for pair in pairs}
    for pair in pairs:
        if pair.handle is None and repr((pair.d2, pair.d1, None)) not in known:
            found.append(Pair(pair.d2, pair.d1, pair.pattern, pair.size))
    return found
