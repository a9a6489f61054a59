"""The procedure that looks for a proof: by the program alone.

Only pairs from a function of the user's own have to be asked for, in the runner. A proof that is found is compared with
calls of the function before it is handed on.

A proof from the cache is told as far as the checker finds it again.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from dplint.amounts import multiple
from dplint.audit.procedure import Facts, Needs, Suggestion
from dplint.audit.progress import Cancelled, OutOfTime
from dplint.audit.session import AuditSession
from dplint.claims import Pair
from dplint.expressions import expression_parameters
from dplint.inputs.forms import form_told
from dplint.jobs import CHECKED_AGAIN, DROPPED, AuditJob
from dplint.outcomes import Argument, Effort, Outcome, Proved, Untestable, largest_losses, largest_share
from dplint.program.nodes import Program
from dplint.proofs.alignment import OwnPairs
from dplint.proofs.wording import Hint

if TYPE_CHECKING:
    from dplint.proofs.searching import Search


_WHY = "a proof fails there"
_SPEND = 0.5
"""What looking for a proof of less may take, as a share of what the proof of the claim may."""
_PATIENCE, _LEAST_PATIENCE = 2.0, 0.3
"""How many times the seconds of the claim's own proof one share of it may take, and at least so many seconds."""


@dataclass(frozen=True)
class Proving:
    """Hands on a proof, which runs should still try to refute; or where a proof fails, as what to try first."""

    needs: Needs = Needs.LOWERED
    name: ClassVar[str] = "proof"
    phase: ClassVar[str] = "looking for a proof"

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Facts | None:
        """A proof that was compared with the function, or a suggestion, as facts; None if there is neither.

        Raises Cancelled, OutOfTime; WrongTranslation where what was proved is not the function; RunnerError;
        NothingToRun where a neighbour function gives no pairs.
        """
        from dplint.audit.proving.compared import confirmed  # noqa: PLC0415
        from dplint.proofs.searching import search  # noqa: PLC0415

        program = proved_program(job)
        pairs = own_pairs(session) if job.mechanism.claim.pairs is not None else None
        before, begun = session.seconds, time.process_time()
        try:
            found = search(
                program, job.mechanism, job.settings.proof_seconds, lambda: session.announce(self.phase), pairs
            )
        except (Cancelled, OutOfTime, MemoryError):
            raise
        except Exception as error:
            # A mistake of the search, which must not cost the audit.
            what = f"{type(error).__name__}: {error}"
            session.coverage.note(f"no proof: dplint failed in the search for one ({what}); please report this")
            return None
        if found.proof is not None:
            patience = max(_LEAST_PATIENCE, _PATIENCE * (time.process_time() - begun))
            seconds, forms = session.seconds - before, form_told(job.mechanism)
            effort = Effort(method="proof", looks=0, alpha=0.0, seconds=seconds, forms=forms)
            proof = confirmed(session, job, program, found)
            claim = job.mechanism.claim
            if job.settings.spend and claim.stable is None and claim.promise is None:
                proof = self._with_spend(session, job, replace(found, proof=proof), facts, pairs, patience)
            return Facts(proof=replace(proof, effort=effort))
        if program is job.program:  # else it is told why every run calls the function
            by = "" if job.mechanism.claim.stable else " by shifts of the noise"
            session.coverage.note(f"no proof{by}: {found.reason}")
        if found.hint is None:
            return None
        return Facts((_suggestion(session, job, found.hint),))

    def _with_spend(
        self, session: AuditSession, job: AuditJob, found: Search, facts: Facts, pairs: OwnPairs | None, patience: float
    ) -> Proved:
        """The proof with what is proved of less than the claim; it is none of less where that is known to be lost."""
        from dplint.proofs.spending import least_delta, least_spend  # noqa: PLC0415

        assert found.proof is not None
        lower, settings = largest_share(largest_losses(facts.losses)), job.settings
        seconds = _SPEND * settings.proof_seconds  # each for the share and the delta
        try:
            what = proved_program(job), job.mechanism, found
            pause = partial(session.announce, self.phase)
            proof = least_spend(*what, lower, seconds, pause, pairs, patience=patience)
            delta = least_delta(*what, seconds, pause, pairs)
            return replace(proof, delta_upper=delta)
        except (Cancelled, OutOfTime, MemoryError):
            raise
        except Exception as error:
            session.coverage.note(f"what is spent is not known: dplint failed ({error!r}); please report this")
            return found.proof


def proved_program(job: AuditJob) -> Program:
    """What a proof is about. There must be one."""
    program = job.program if isinstance(job.program, Program) else job.lowered
    assert program is not None
    return program


def own_pairs(session: AuditSession) -> OwnPairs:
    """What the user's neighbour function yields; none if some of it are objects that only the runner has."""
    session.find_pairs()
    pairs = session.own_pairs
    return tuple((one.d1, one.d2) for one in pairs) if all(one.plain for one in pairs) else ()


def _suggestion(session: AuditSession, job: AuditJob, hint: Hint) -> Suggestion:
    """The neighbours and arguments of a hint, but those of which the claimed epsilon is made."""
    claim = job.mechanism.claim
    amounts = (claim.epsilon,) if claim.promise is None else claim.promise.amounts
    claimed = {name for one in amounts if isinstance(one, str) for name in expression_parameters(one)}
    arguments = tuple(Argument(name, value, _WHY) for name, value in hint.arguments.items() if name not in claimed)
    size = len(hint.first) if isinstance(hint.first, list) else 1
    pair = Pair(hint.first, hint.second, _WHY, size)
    if claim.pairs is not None:
        data = repr((hint.first, hint.second))
        pair = next((own for own in session.find_pairs() if repr((own.d1, own.d2)) == data), pair)
    return Suggestion(pair, arguments)


@dataclass(frozen=True)
class ProofAgain:
    """The proof that is found now, compared with no run: that was done when it was found first."""

    needs: Needs = Needs.LOWERED
    name: ClassVar[str] = "proof"
    phase: ClassVar[str] = "checking a proof from the cache"

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
