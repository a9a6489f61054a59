"""What a search for the worst input climbs by: the loss of an input, by whatever way computes it.

All outputs, exactly, where that is possible; else those outputs alone that runs have come to; else counts of runs.
"""

from __future__ import annotations

import functools
import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from dplint.audit.choices import Choice
from dplint.audit.exact.pairs import ComputedPair, NotComputed, TooLong, compute_pair, worst_first
from dplint.audit.exact.run_losses import losses_by_runs
from dplint.audit.exact.searching import LIMITS
from dplint.audit.program_arguments import NotPlain, program_arguments
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import CheckedRuns
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.inputs.path_estimates import recorded_run
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import Goal

_RUNS = 6
"""Runs whose outputs are goals, of either side of a pair."""
_MOST_REFUSED = 6
"""Inputs in turn for which goals come to nothing, after which they are left to runs."""
_MISTAKES = (ArithmeticError, AssertionError, LookupError, MemoryError, TypeError, ValueError, RecursionError)


@dataclass
class Objective:
    """Of one search. end: as for `compute_pair`. partial: whether some outputs, or counts of runs, will do where all
    are too many. may_run: whether runs of the function may be counted. refused: why not all outputs are computed, once
    that is known.
    """

    session: AuditSession
    program: Program
    setting: Setting
    end: float = math.inf
    partial: bool = True
    may_run: bool = False
    refused: str = ""
    _partial: set[int] = field(default_factory=set)
    _goals_refused: int = 0

    def __call__(self, pair: Pair, choice: Choice, goal: Goal | None = None) -> ComputedPair:
        """The losses of a pair, D1 the side that loses more. goal: outputs to look at where not all are computed.

        Raises NotComputed and TooLong.
        """
        size = pair.size
        if size not in self._partial:
            try:
                return self._exactly(pair, choice, None)
            except NotComputed as error:
                self.refused = str(error)
                self._partial.add(size)
        if not self.partial:
            raise NotComputed(self.refused)
        if self._goals_refused < _MOST_REFUSED:
            try:
                found = self._by_goals(pair, choice, [goal] if goal is not None else self._goals(pair, choice))
            except NotComputed as error:
                self.refused = str(error)
                self._goals_refused += 1
            else:
                self._goals_refused = 0
                return found
        return self._by_runs(pair, choice)

    def _exactly(self, pair: Pair, choice: Choice, goal: Goal | None) -> ComputedPair:
        delta = self.setting.delta
        found = compute_pair(self.session, self.program, pair, choice, LIMITS, delta=delta, end=self.end, goal=goal)
        return worst_first(found)

    def _by_goals(self, pair: Pair, choice: Choice, goals: Sequence[Goal]) -> ComputedPair:
        """The one of the outputs that loses most."""
        if self.setting.delta:
            raise NotComputed("not computed exactly: with a delta all outputs count")
        found = [self._exactly(pair, choice, goal) for goal in goals]
        if not found:
            raise NotComputed(self.refused)
        return max(found, key=lambda one: one.loss.low)

    def _goals(self, pair: Pair, choice: Choice) -> list[Goal]:
        """Outputs of some runs of both sides."""
        found: dict[str, Goal] = {}
        try:
            for side in (1, 2):
                data = self.session.data_value(pair, side)
                given = program_arguments(self.program, self.session.mechanism, data, choice.values)
                for seed in range(_RUNS):
                    goal = recorded_run(self.program, given, seed).goal
                    found[goal.key] = goal
        except (NotPlain, UnsupportedConstruct, *_MISTAKES):
            return []
        return list(found.values())

    @functools.cached_property
    def lanes(self) -> CheckedRuns:
        """Many runs at once: those of the audit, else ones of the search's own."""
        return self.session.lanes or ResidualRuns(self.session.runner, self.session.mechanism)

    def _by_runs(self, pair: Pair, choice: Choice) -> ComputedPair:
        if self.setting.delta or not self.may_run:
            raise NotComputed(self.refused)
        given = []
        try:
            for side in (1, 2):
                data = self.session.data_value(pair, side)
                given.append(program_arguments(self.program, self.session.mechanism, data, choice.values))
        except NotPlain as error:
            raise NotComputed(str(error)) from None
        self.session.check_cancelled()
        self.session.check_time()
        if time.process_time() > self.end:
            raise TooLong
        losses, _ = losses_by_runs(self.session, self.lanes, pair, choice.values)
        found = ComputedPair(pair, choice, losses, self.program, (given[0], given[1]), by_runs=losses.steps // 2)
        return worst_first(found)
