"""What the source alone says of a claim: the search of the audit without what confirms it, without any process."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from typing import ClassVar

from dplint.audit.exact.pairs import LIMITS, NotComputed, TooLong, compute_pair, worst_first
from dplint.audit.exact.refuting import Found, Refuting, has_plain_data, pair_loss, standard_deviations
from dplint.audit.inputs import Choice
from dplint.audit.procedure import Facts, Needs
from dplint.audit.progress import Cancelled, OutOfTime
from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Pair
from dplint.jobs import SourceJob
from dplint.outcomes import BySource, PairLoss, Proved, Unconfirmed, largest_losses
from dplint.program.nodes import Program


@dataclass(frozen=True)
class SourceAlone:
    """Losses on the pairs of the claim, up to one that is more than is claimed. It executes nothing of the user's."""

    needs: Needs = Needs.PROGRAM
    name: ClassVar[str] = "exact"
    phase: ClassVar[str] = "computing probabilities"

    def decide(self, session: AuditSession, job: SourceJob, facts: Facts) -> BySource:  # noqa: ARG002
        """What was computed, or why nothing could be."""
        if job.mechanism.claim.pairs is not None or not has_plain_data(session, job.mechanism):
            return BySource(refused="its data are objects that only the user's interpreter has")
        assert isinstance(job.program, Program)
        lost = _still_lost(session, job, job.program)
        if lost is not None:
            return lost
        search = Refuting(session, job, job.program)
        quick = list(search.values())
        known = next((found for _, found in quick if found.refuting), None)
        proved = None if known is not None else _proof(session, job, job.program)
        # Of a program that may take the place of another, no more is asked than whether it does.
        whole = quick if job.before is not None else search.further()
        losses: list[PairLoss] = []
        for setting, found in whole:
            losses.extend(pair_loss(one, setting) for one in found.computed)
            against = _against(found, setting)
            if against is not None:
                return BySource(against=against, losses=largest_losses(losses))
            if found.refuting:
                # A loss that nothing shows: nothing is said of this value of the claim, as in an audit.
                losses = [one for one in losses if (one.claimed, one.delta) != (setting.epsilon, setting.delta)]
        errors = (
            None
            if job.before is None or proved is None
            else standard_deviations(session, job, (job.before, job.program))
        )
        return BySource(
            losses=largest_losses(losses), proved=proved, refused=search.refused, errors=errors or (None, None)
        )


def _still_lost(session: AuditSession, job: SourceJob, program: Program) -> BySource | None:
    """What the input that refuted the program before shows of this one, where it refutes it, too.

    Most candidates end here: it takes a hundredth of a second, and neither other arguments nor a proof are looked for.
    """
    if job.worst is None:
        return None
    values = {one.name: one.value for one in job.worst.arguments}
    d1, d2 = job.worst.d1, job.worst.d2
    pair = Pair(d1, d2, "what refuted it before", len(d1) if isinstance(d1, list) else 1)
    for setting in session.claimed:
        if not setting.fitting([pair]) or any(values.get(one.name) != one.value for one in setting.parameters):
            continue  # the claim says something else of this input
        found, end = Found(), time.process_time() + job.settings.exact_seconds
        with suppress(NotComputed, TooLong):
            choice = Choice(job.worst.arguments, ())
            one = worst_first(compute_pair(session, program, pair, choice, LIMITS, delta=setting.delta, end=end))
            found.add(one, setting)
            against = _against(found, setting)
            if against is not None:
                return BySource(against=against, losses=largest_losses([pair_loss(one, setting)]))
    return None


def _against(found: Found, setting: Setting) -> Unconfirmed | None:
    """The strongest of what was computed against a value of the claim."""
    strongest = found.strongest(setting)
    if strongest is None:
        return None
    _, shown = strongest
    setting = found.at or setting
    return Unconfirmed(
        witness=shown.witness,
        evidence=shown.evidence,
        lower=shown.lower,
        epsilon=setting.epsilon,
        delta=setting.delta,
        parameters=setting.parameters,
        broken=shown.broken or setting.broken(shown.lower),
    )


def _proof(session: AuditSession, job: SourceJob, program: Program) -> Proved | None:
    """A proof, where one is asked for; not of pairs that a function of the user's would have to give."""
    if job.settings.proof_seconds <= 0 or job.mechanism.claim.pairs is not None:
        return None
    from dplint.proofs.searching import search  # noqa: PLC0415

    try:
        return search(
            program,
            job.mechanism,
            job.settings.proof_seconds,
            lambda: session.announce("looking for a proof"),
            full=job.before is not None,
        ).proof
    except (Cancelled, OutOfTime):
        raise
    except Exception:
        return None  # a mistake of the search, which must not cost what else is known
