"""A proof from the cache is told as far as the checker finds it again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from dplint.amounts import multiple
from dplint.audit.procedure import Facts, Needs
from dplint.audit.proving.procedure import own_pairs, proved_program
from dplint.audit.session import AuditSession
from dplint.jobs import CHECKED_AGAIN, DROPPED, AuditJob
from dplint.outcomes import Outcome, Proved, Untestable
from dplint.proofs.alignment import OwnPairs

if TYPE_CHECKING:
    from dplint.proofs.searching import Search


@dataclass(frozen=True)
class ProofAgain:
    """The proof that is found now, compared with no run: that was done when it was found first."""

    needs: Needs = Needs.LOWERED
    name: ClassVar[str] = "proof"
    phase: ClassVar[str] = "checking a proof from the cache"
    anytime: ClassVar[bool] = False

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Proved | Facts:
        """The proof, or nothing new; for as long as the whole audit may take. Raises as `Proving` does."""
        from dplint.proofs.searching import search  # noqa: PLC0415 - z3 loads with the first search

        pairs = own_pairs(session) if job.mechanism.claim.pairs is not None else None
        found = search(
            proved_program(job), job.mechanism, job.settings.time_limit, lambda: session.announce(self.phase), pairs
        )
        return facts if found.proof is None else self._with_share(session, job, found, pairs)

    def _with_share(self, session: AuditSession, job: AuditJob, found: Search, pairs: OwnPairs | None) -> Proved:
        """With the share and the delta that the cache has, if those are proved again; else of the whole claim."""
        from dplint.proofs.spending import proves  # noqa: PLC0415

        proof, known, mechanism = found.proof, job.known, job.mechanism
        assert proof is not None
        if known is None:
            return proof
        program, seconds, share = proved_program(job), job.settings.time_limit, Fraction(known.share)
        share = share.limit_denominator(10**9)

        def proved(share: Fraction, delta: float | None) -> bool:
            pause = partial(session.announce, self.phase)
            return proves(program, mechanism, found, share, seconds, pause, pairs, delta=delta)

        if known.share != 1.0 and proved(share, None):
            proof = replace(proof, share=known.share, epsilon_upper=multiple(mechanism.claim.epsilon, share))
        if known.delta_upper is not None and proved(Fraction(1), known.delta_upper):
            proof = replace(proof, delta_upper=known.delta_upper)
        return proof


def still_proved(known: Proved, again: Outcome) -> Proved | None:
    """What the cache has, as it is told; None if what was found now leaves something of it out."""
    from dplint.proofs.searching import covers  # noqa: PLC0415

    if not isinstance(again, Proved) or again.epsilon_upper != known.epsilon_upper:
        return None
    if again.delta_upper != known.delta_upper:
        return None
    notes = (*known.effort.notes, CHECKED_AGAIN)
    return replace(known, effort=replace(known.effort, notes=notes)) if covers(again.scope, known.scope) else None


def told_as_dropped(outcome: Outcome) -> Outcome:
    """The outcome of the audit that was made instead, with a note."""
    if isinstance(outcome, Untestable):
        return outcome
    return replace(outcome, effort=replace(outcome.effort, notes=(*outcome.effort.notes, DROPPED)))
