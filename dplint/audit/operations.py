"""The procedure that works losses and proofs out of what a function does, where its source has given none."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from dplint.audit.by_operations.expressions import NotRead
from dplint.audit.by_operations.reading import Read, read
from dplint.audit.exact.procedure import Exact
from dplint.audit.inputs import find_choices
from dplint.audit.procedure import Facts, Needs
from dplint.audit.proving.procedure import Proving
from dplint.audit.run_blocks import WrongTranslation
from dplint.audit.session import AuditSession
from dplint.jobs import AuditJob
from dplint.outcomes import Violation

BY_OPERATIONS = "what it does on such data is what it did in traced runs"
"""What a proof takes for granted that is read so."""


@dataclass
class ByOperations:
    """Losses where there are none yet, and a proof where there is none, both of short data."""

    exact: Exact
    """Goes on where this has ended, if its losses are of what is read here."""
    proofs_alone: bool = False
    needs: Needs = Needs.NOTHING
    name: ClassVar[str] = "operations"
    phase: ClassVar[str] = "reading what it does"

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Violation | Facts | None:
        """A violation that runs have confirmed, or facts; None where there is nothing to add. Raises RunnerError."""
        settings = job.settings
        losses = settings.exact_seconds > 0 and not facts.losses and not self.proofs_alone
        wanted = (losses, settings.proof_seconds > 0 and facts.proof is None)
        if job.mechanism.claim.pairs is not None or session.machine or not any(wanted):
            return None
        setting = session.claimed[0]
        choice = find_choices(job, session, setting.fitting(session.find_pairs()), setting, quick=True)[0]
        try:
            return self._decided(session, job, read(session, choice, setting, one_more=losses), wanted)
        except (NotRead, WrongTranslation) as reason:
            session.coverage.note(f"nothing is said from what it does: {reason}")
        return None

    def _decided(
        self, session: AuditSession, job: AuditJob, known: Read, wanted: tuple[bool, bool]
    ) -> Violation | Facts | None:
        losses, proof = wanted
        found = Facts()
        if losses:
            self.exact.deciding = None
            answer = self.exact.decide(session, replace(job, program=known.longer, lowered=None), found)
            if isinstance(answer, Violation):
                return answer
            found = answer or found
        if proof:
            about = replace(job, program=known.program, lowered=None, mechanism=known.mechanism)
            found = found.followed_by(_granted(Proving().decide(session, about, found) or Facts(), job))
        return found


def _granted(facts: Facts, job: AuditJob) -> Facts:
    """With what a proof takes for granted; without one of data that is shorter than the claim speaks of."""
    if facts.proof is None:
        return facts
    scope, claimed = facts.proof.scope, job.mechanism.claim.size
    if claimed is not None and scope.sizes is not None and (scope.sizes.largest or min(claimed)) < min(claimed):
        return replace(facts, proof=None)
    granted = replace(scope, assumptions=(*scope.assumptions, BY_OPERATIONS))
    return replace(facts, proof=replace(facts.proof, scope=granted))
