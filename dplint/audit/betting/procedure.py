"""The procedure that bets: anytime, on lanes or on calls of the function."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import ClassVar

from dplint.audit.betting.carry_over import CarriedOver
from dplint.audit.betting.climbing_rounds import ClimbingRounds
from dplint.audit.choices import find_choices
from dplint.audit.comparing import UNCOMPARED, pair_of
from dplint.audit.lane_blocks import TOO_LARGE, NotOnLanes
from dplint.audit.lane_runs import WrongTranslation
from dplint.audit.procedure import Facts, Needs
from dplint.audit.session import AuditSession
from dplint.audit.telling import most_telling_first
from dplint.inputs.compared import pairs_to_compare
from dplint.jobs import AuditJob
from dplint.outcomes import NoViolation, Outcome, PairLoss, Underpowered
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported

_AFTER_A_PROOF = 0.05
"""Seconds of budget where the claim is proved for every length."""
_REPLAYED_LOSSES, _REPLAYED_RUNS, _REPLAY = 3, 200, (1 << 21, 2)
"""What is replayed before: runs on each side of so many pairs, and the name of their random streams."""


_COMPARED, _COMPARED_LANES, _COMPARISON = 6, 4, (1 << 21, 3)
"""Pairs on which lanes are compared, how many of each side, and the name of their random streams."""
_CANDIDATES, _TELLING = 40, 0.02
"""Pairs that these are chosen from, and the seconds after which no more are looked at."""


@dataclass(frozen=True)
class Betting:
    """One pass of the anytime test, going on from `job.state` if there is one. needs: LANES or RUNS."""

    needs: Needs
    name: ClassVar[str] = "anytime"
    phase: ClassVar[str] = "trying inputs"
    anytime: ClassVar[bool] = True

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Outcome:
        """A violation as soon as there is one; else what would have been found."""
        carried_over = CarriedOver.read(job.state)
        if self.needs is Needs.RUNS and not isinstance(job.program, Unsupported):
            carried_over = carried_over.off_lanes()
        session.coverage.earlier_runs = carried_over.runs
        session.rejected |= carried_over.rejected
        proof = facts.proof
        if proof is not None and proof.scope.full and UNCOMPARED not in proof.scope.assumptions:
            # Nothing is left to be found but an error of dplint: the program may not be the function.
            short = replace(job.settings, budget=min(job.settings.budget, _AFTER_A_PROOF))
            job = replace(job, settings=short)
            if self.needs is Needs.LANES:
                _replay(session, facts.losses)
        elif self.needs is Needs.LANES:
            _compare(session, job)
        rounds = ClimbingRounds(job, session, carried_over, facts)
        try:
            outcome = rounds.run(session.find_pairs())
        except NotOnLanes as reason:
            reason.level_left = rounds.level_left()
            raise
        except MemoryError:
            if self.needs is Needs.RUNS:
                raise
            refused = NotOnLanes(TOO_LARGE)
            refused.level_left = rounds.level_left()
            raise refused from None
        if isinstance(outcome, NoViolation) or (isinstance(outcome, Underpowered) and outcome.tested):
            session.state = rounds.state()
        return outcome


def _compare(session: AuditSession, job: AuditJob) -> None:
    """See that lanes do what the function does on data that is chosen so that a misreading shows.

    What is bet on is replayed once more, on its own data. Raises WrongTranslation, RunnerError.
    """
    assert isinstance(job.program, Program)
    setting = session.claimed[0]
    (choice, *_) = find_choices(job, session, setting.fitting(session.find_pairs()), setting)
    pairs = pairs_to_compare(session.mechanism, job.program, _CANDIDATES, session.seed)
    inputs = ((pair, choice.values) for pair in pairs)
    telling = most_telling_first(session, job.program, inputs, len(pairs), _TELLING)
    for number, (pair, _) in enumerate(islice(telling, _COMPARED)):
        data = [session.data_value(pair, side) for side in (1, 2)]
        try:
            session.check_lanes(data, choice.values, _COMPARED_LANES, (*_COMPARISON, number))
        except WrongTranslation:
            raise
        except NotOnLanes:
            continue  # such data is not followed, and nothing is said of it


def _replay(session: AuditSession, losses: Sequence[PairLoss]) -> None:
    """See that the function does what the program does on the same draws, on the pairs that were computed to lose most.

    On a busy machine bets might not come so far. Raises NotOnLanes, RunnerError.
    """
    for number, one in enumerate(sorted(losses, key=lambda loss: -loss.loss.low)[:_REPLAYED_LOSSES]):
        pair = pair_of(session, (one.d1, one.d2))
        values = {argument.name: argument.value for argument in one.arguments}
        data = [session.data_value(pair, side) for side in (1, 2)]
        session.check_lanes(data, values, _REPLAYED_RUNS, (*_REPLAY, number), needed=True)
