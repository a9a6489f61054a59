"""How many runs each stage of an audit gets, and at what level it may speak."""

from __future__ import annotations

from dataclasses import dataclass

from dplint.jobs import AuditSettings

_EARLY = 20
"""The early round has this many times fewer runs than the full one."""
_LEAST = 200
"""No stage gets fewer runs on a side, however slow the mechanism."""
KEPT = 8
"""Inputs that go on from the screening of all inputs to the full selection."""


@dataclass(frozen=True, slots=True)
class Stages:
    """Runs on each side: screening all inputs, an early test, selecting on the kept inputs, the full test."""

    screen: int
    early_test: int
    select: int
    test: int

    def runs(self, inputs: int, kept: int) -> int:
        """Single executions for one value of the claim, given the number of data values screened and kept."""
        return self.screen * inputs + 2 * self.early_test + self.select * kept + 2 * self.test

    def scaled(self, factor: float) -> Stages:
        """The same with every stage shortened, for a mechanism too slow for the time limit."""
        return Stages(*(max(_LEAST, int(n * factor)) for n in (self.screen, self.early_test, self.select, self.test)))


def stages_of(settings: AuditSettings) -> Stages:
    """The stages for the settings: 100,000 and 500,000 as published, a twentieth of that for the early round."""
    select, test = settings.select_runs, settings.test_runs
    return Stages(max(_LEAST, select // _EARLY), max(_LEAST, test // _EARLY), select, test)


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of the two tests of one value of the claim.

    By the union bound over both rounds and all values of the claim, a right mechanism is flagged with probability at
    most alpha: a quarter goes to the early round, which only has to see what is blatant.
    """

    early: float
    full: float


def levels_of(alpha: float, values: int) -> Levels:
    """Split alpha over the rounds and the values of the claim."""
    return Levels(early=0.25 * alpha / values, full=0.75 * alpha / values)
