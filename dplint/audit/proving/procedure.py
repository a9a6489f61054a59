"""The procedure that looks for a proof: by the program alone.

Only pairs from a function of the user's own have to be asked for, in the runner. A proof that is found is compared with
calls of the function before it is handed on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from dplint.audit.procedure import Facts, Needs, Suggestion
from dplint.audit.progress import Cancelled, OutOfTime
from dplint.audit.session import AuditSession
from dplint.claims import Pair
from dplint.expressions import expression_parameters
from dplint.inputs.forms import form_told
from dplint.jobs import AuditJob
from dplint.outcomes import Argument, Effort, Proved, largest_losses, largest_share
from dplint.program.nodes import Program
from dplint.proofs.alignment import OwnPairs
from dplint.proofs.hints import Hint

if TYPE_CHECKING:
    from dplint.proofs.searching import Search

_WHY = "a proof fails there"
_SPEND = 0.5
"""What looking for a proof of less may take, as a share of what the proof of the claim may."""


@dataclass(frozen=True)
class Proving:
    """Hands on a proof, which runs should still try to refute; or where a proof fails, as what to try first."""

    needs: Needs = Needs.LOWERED
    name: ClassVar[str] = "proof"
    phase: ClassVar[str] = "looking for a proof"
    anytime: ClassVar[bool] = False

    def decide(self, session: AuditSession, job: AuditJob, facts: Facts) -> Facts | None:
        """A proof that was compared with the function, or a suggestion, as facts; None if there is neither.

        Raises Cancelled, OutOfTime; WrongTranslation where what was proved is not the function; RunnerError;
        NothingToRun where a neighbour function gives no pairs.
        """
        from dplint.audit.proving.compared import confirmed  # noqa: PLC0415
        from dplint.proofs.searching import search  # noqa: PLC0415

        program = proved_program(job)
        pairs = own_pairs(session) if job.mechanism.claim.pairs is not None else None
        before = session.seconds
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
            seconds, forms = session.seconds - before, form_told(job.mechanism)
            effort = Effort(method="proof", looks=0, alpha=0.0, seconds=seconds, forms=forms)
            proof = confirmed(session, job, program, found)
            if job.settings.spend and job.mechanism.claim.stable is None:
                spent = session.seconds - before
                proof = self._with_spend(session, job, replace(found, proof=proof), facts, pairs, spent)
            return Facts(proof=replace(proof, effort=effort))
        if program is job.program:  # else it is told why every run calls the function
            by = "" if job.mechanism.claim.stable else " by shifts of the noise"
            session.coverage.note(f"no proof{by}: {found.reason}")
        if found.hint is None:
            return None
        return Facts((_suggestion(session, job, found.hint),))

    def _with_spend(
        self, session: AuditSession, job: AuditJob, found: Search, facts: Facts, pairs: OwnPairs | None, spent: float
    ) -> Proved:
        """The proof with what is proved of less than the claim; it is none of less where that is known to be lost."""
        from dplint.proofs.spending import least_delta, least_spend  # noqa: PLC0415

        assert found.proof is not None
        lower, settings = largest_share(largest_losses(facts.losses)), job.settings
        seconds = max(_SPEND * settings.proof_seconds, settings.proof_seconds - spent)
        try:
            what = proved_program(job), job.mechanism, found
            proof = least_spend(*what, lower, seconds, lambda: session.announce(self.phase), pairs)
            delta = least_delta(*what, seconds / 2, lambda: session.announce(self.phase), pairs)
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
    claimed = expression_parameters(claim.epsilon) if isinstance(claim.epsilon, str) else frozenset()
    arguments = tuple(Argument(name, value, _WHY) for name, value in hint.arguments.items() if name not in claimed)
    size = len(hint.first) if isinstance(hint.first, list) else 1
    pair = Pair(hint.first, hint.second, _WHY, size)
    if claim.pairs is not None:
        data = repr((hint.first, hint.second))
        pair = next((own for own in session.find_pairs() if repr((own.d1, own.d2)) == data), pair)
    return Suggestion(pair, arguments)
