"""The procedures for every job, cheapest first, and what is the same for all: how they begin, and how they fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar, assert_never

from dplint.audit.forms_tried import FormsTried, in_each_form
from dplint.audit.procedure import Facts, Needs, Procedure
from dplint.audit.progress import Cancelled, NothingToRun, OutOfTime, Progress
from dplint.audit.run_blocks import TOO_LARGE, NotOnLanes, WrongTranslation, in_words
from dplint.audit.session import AuditSession
from dplint.audit.settings import ClaimNotTestable, claim_settings, in_currency, points_note
from dplint.audit.too_little import CALLS, NO_TURN, underpowered
from dplint.claims import Numerics, Promise
from dplint.extras import NotInstalled, entry_point
from dplint.jobs import (
    ANYTIME,
    Audited,
    AuditJob,
    AuditState,
    ExactJob,
    Job,
    PictureJob,
    SourceJob,
    SweepJob,
    TrainJob,
    WorstJob,
)
from dplint.outcomes import (
    Answer,
    BySource,
    Distributions,
    Failed,
    FailureKind,
    NotRefuted,
    NoViolation,
    Outcome,
    Proved,
    StopReason,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
    largest_losses,
)
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported
from dplint.runner.client import RunnerError

_BOTH = (
    "a proof says that the claim holds: one of the two is an error of dplint, please report it; unless the pair is the "
    "work of rounded floats, which the proof does not model"
)
_Answer: TypeAlias = Audited | Answer | Distributions | BySource | Untestable | Failed
J = TypeVar("J", bound=Job)
A = TypeVar("A")


def carry_out(job: Job, progress: Progress) -> _Answer:
    """Do a job. Everything that user code can do becomes an answer; only dplint's own errors are raised."""
    try:
        return _carried_out(job, progress)
    except NotInstalled as error:
        failed = Failed(kind=FailureKind.INPUT, reason=str(error))
        return Audited(failed) if isinstance(job, AuditJob) else failed


def _carried_out(job: Job, progress: Progress) -> _Answer:
    promise = job.mechanism.claim.promise
    if promise is None or promise.function is None or job.mechanism.untestable:
        return _by_kind(job, progress)
    asked = _with_curve(job, promise.function, progress)
    if not isinstance(asked, Untestable | Failed):
        return _by_kind(asked, progress)
    return Audited(asked) if isinstance(job, AuditJob) else asked


def _with_curve(job: J, function: str, progress: Progress) -> J | Untestable | Failed:
    """The job with the numbers of the curve that is claimed, in place of the function; or why there are none."""
    from dplint.definitions.known.curve import GRID, amounts_of  # noqa: PLC0415

    if isinstance(job, SourceJob):
        return Untestable(reason="the curve that is claimed is a function, and only the source is asked for")
    with AuditSession(job, (), progress) as session:
        try:
            session.load()
            amounts = amounts_of(session.runner.curve(function, GRID))
        except (RunnerError, NothingToRun, OutOfTime, Cancelled) as error:
            return _failed(session, error)
        except ValueError as error:
            name = function.rpartition(":")[2]
            return Untestable(reason=f"{name}, which is claimed as curve, is no privacy curve: {error}")
    claim = replace(job.mechanism.claim, promise=Promise("curve", amounts))
    return replace(job, mechanism=replace(job.mechanism, claim=claim))


def _by_kind(job: Job, progress: Progress) -> _Answer:
    # Each kind of job is imported with the first one: an audit need not wait for what a picture takes.
    if isinstance(job, TrainJob):
        from dplint.audit.steps.canary_audit import CanaryAudit  # noqa: PLC0415

        return _answer(job, progress, (CanaryAudit(),), job.settings.epsilons)[0]
    if job.mechanism.claim.stable is not None or job.mechanism.claim.training is not None:
        return _by_pairs(job, progress)
    match job:
        case AuditJob() if job.known is not None:
            return _proved_again(job, job.known, progress)
        case AuditJob():
            in_machine_too = job.settings.numerics is Numerics.MACHINE
            return _in_machine_too(job, progress) if in_machine_too else _in_reals(job, progress)
        case SweepJob():
            return _answer(job, progress, entry_point("statdp").load()(job), job.at)[0]
        case PictureJob():
            from dplint.audit.picture import Picture  # noqa: PLC0415

            # Lanes have the law of the noise, not the floats that an event of machine numbers asks about.
            kinds = (Needs.RUNS,) if job.settings.numerics is Numerics.MACHINE else (Needs.LANES, Needs.RUNS)
            return _answer(job, progress, tuple(map(Picture, kinds)), job.settings.epsilons)[0]
        case ExactJob():
            from dplint.audit.exact.table import ExactTables, claimed_at  # noqa: PLC0415

            return _answer(job, progress, (ExactTables(),), claimed_at(job))[0]
        case WorstJob():
            from dplint.audit.exact.worst import WorstInputs  # noqa: PLC0415

            return _answer(job, progress, (WorstInputs(),), job.settings.epsilons[:1])[0]
        case SourceJob():
            from dplint.audit.exact.source_alone import SourceAlone  # noqa: PLC0415

            return _answer(job, progress, (SourceAlone(),), job.settings.epsilons)[0]
        case _:
            assert_never(job)


def _by_pairs(job: Job, progress: Progress) -> Audited | Untestable:
    """What is decided by single pairs: claims of stability, and of trainings."""
    if job.mechanism.claim.training is not None:
        from dplint.audit.steps.procedure import StepAudit  # noqa: PLC0415

        if isinstance(job, AuditJob):
            return audit(replace(job, state=None), progress, (StepAudit(),))
        return Untestable(reason="a claim of a training is about all of its steps, of which the function makes one")
    from dplint.audit.stability.procedure import StabilityTest  # noqa: PLC0415

    if isinstance(job, AuditJob):
        found = audit(replace(job, state=None), progress, (*_proofs_of_stability(job), StabilityTest()))
        return _furthest_of_all(job, found, progress)
    return Untestable(reason="a claim of stability is about a function without noise, which has no losses")


def _proofs_of_stability(job: AuditJob) -> Sequence[Procedure[AuditJob, Outcome]]:
    """What looks for a proof of what is claimed, if anything is."""
    stable = job.mechanism.claim.stable
    if job.settings.proof_seconds <= 0 or stable is None or stable.d_out is None:
        return ()
    from dplint.audit.proving.procedure import Proving  # noqa: PLC0415

    return (Proving(),)


def _furthest_of_all(job: AuditJob, found: Audited, progress: Progress) -> Audited:
    """The same; where nothing is claimed, with a proof that none are further apart, if there is one."""
    outcome, claim = found.outcome, job.mechanism.claim
    if not isinstance(outcome, NotRefuted) or outcome.d_out is not None or outcome.stability.centred:
        return found
    furthest = 0.0 if outcome.furthest is None else outcome.furthest.distance
    stable = replace(outcome.stability, d_out=furthest, open_metric=False)
    claiming = replace(job, state=None, mechanism=replace(job.mechanism, claim=replace(claim, stable=stable)))
    _, facts, _ = _answer(claiming, progress, _proofs_of_stability(claiming), job.settings.epsilons)
    proved = facts.proof is not None and facts.proof.scope.full
    return replace(found, outcome=replace(outcome, within=facts.proof.scope)) if proved and facts.proof else found


def _proved_again(job: AuditJob, known: Proved, progress: Progress) -> Audited:
    """A proof from the cache, if the checker finds it again; else an audit as if there were none."""
    from dplint.audit.proving.procedure import ProofAgain, still_proved, told_as_dropped  # noqa: PLC0415

    again = audit(job, progress, _again_by(known, ProofAgain())).outcome
    proved = again if isinstance(again, Failed) and again.kind is FailureKind.CANCELLED else still_proved(known, again)
    if proved is not None:
        return Audited(proved)
    anew = carry_out(replace(job, known=None, state=None), progress)
    assert isinstance(anew, Audited)
    return replace(anew, outcome=told_as_dropped(anew.outcome))


def _again_by(known: Proved, by_source: Procedure[AuditJob, Outcome]) -> Sequence[Procedure[AuditJob, Outcome]]:
    """What finds a proof again, by the way in which it was found."""
    from dplint.audit.exact.procedure import Exact  # noqa: PLC0415
    from dplint.audit.operations import BY_OPERATIONS, ByOperations  # noqa: PLC0415

    return (ByOperations(Exact(), proofs_alone=True) if BY_OPERATIONS in known.scope.assumptions else by_source,)


def _in_reals(job: AuditJob, progress: Progress) -> Audited:
    settings = job.settings
    if settings.method != ANYTIME:
        return audit(job, progress, entry_point(settings.method).load()(job))
    exact, proofs = settings.exact_seconds > 0, settings.proof_seconds > 0
    return audit(job, progress, audit_procedures(exact=exact, proofs=proofs))


def _in_machine_too(job: AuditJob, progress: Progress) -> Audited:
    """An audit in machine numbers by calls of the function, and then the usual one."""
    from dplint.audit import machine  # noqa: PLC0415
    from dplint.audit.betting.procedure import BettingInMachineNumbers  # noqa: PLC0415

    first = replace(job, settings=machine.in_machine_numbers(job.settings), state=None)
    found = audit(first, progress, (BettingInMachineNumbers(),)).outcome
    if machine.ends_all(found):
        return Audited(found, None)
    usual = _in_reals(replace(job, settings=machine.in_real_numbers(job.settings, found)), progress)
    return Audited(machine.in_both(found, usual.outcome, job.settings.alpha), usual.state)


def audit_procedures(*, exact: bool = False, proofs: bool = False) -> Sequence[Procedure[AuditJob, Outcome]]:
    """The procedures of the anytime test, cheapest first: this is where a new one takes its place.

    exact, proofs: whether losses are computed, and a proof is looked for.
    """
    from dplint.audit.betting.procedure import Betting  # noqa: PLC0415

    found: list[Procedure[AuditJob, Outcome]] = []
    # Each loads a library that audits without it need not wait for.
    if exact:
        from dplint.audit.exact.procedure import exact_procedures  # noqa: PLC0415

        first, further = exact_procedures()
        found.append(first)
    if proofs:
        from dplint.audit.proving.procedure import Proving  # noqa: PLC0415

        found.append(Proving())
    if exact and proofs:
        from dplint.audit.operations import ByOperations  # noqa: PLC0415

        found.append(ByOperations(first))
    if exact:
        found.append(further)
    from dplint.audit.models.procedure import Modelling  # noqa: PLC0415
    from dplint.audit.stability.procedure import Furthest  # noqa: PLC0415

    return *found, Modelling(), Furthest(), Betting(Needs.LANES), Betting(Needs.RUNS)


def audit(job: AuditJob, progress: Progress, procedures: Sequence[Procedure[AuditJob, Outcome]]) -> Audited:
    """One pass over a mechanism by these procedures, in each form of the data that the claim covers."""
    return in_each_form(job, lambda one: _audit(one, progress, procedures))


def _audit(job: AuditJob, progress: Progress, procedures: Sequence[Procedure[AuditJob, Outcome]]) -> Audited:
    """In one form: the first outcome ends it, together with what was handed on."""
    outcome, facts, state = _answer(job, progress, procedures, job.settings.epsilons)
    if isinstance(outcome, Failed) and outcome.kind is FailureKind.BUDGET:
        # A machine that is slow or busy is no fault of the mechanism.
        outcome = underpowered(job, outcome.effort, outcome.reason)
    outcome = settled(outcome, facts)
    if isinstance(outcome, Violation):
        outcome = in_currency(job.mechanism, job.settings.epsilons, outcome)
    return Audited(outcome, state)


def settled(outcome: Outcome, facts: Facts) -> Outcome:
    """What an outcome and the facts that were known before it say together.

    A violation and a proof that covers its input contradict each other, and both are kept. Where runs found nothing, or
    none can be made, the proof is what is known. A failure stays one: nothing may make it look like an answer.
    """
    proof, losses = facts.proof, largest_losses(facts.losses)
    match outcome:
        case Violation():
            beside = outcome if proof is None else outcome.beside(proof)
            return replace(beside, losses=outcome.losses or losses)
        case NoViolation() | Underpowered() if proof is not None:
            notes = tuple(one for one in outcome.effort.notes if not (proof.scope.settled and NO_TURN in one))
            effort = replace(outcome.effort, method=proof.effort.method, notes=notes)
            return replace(proof, effort=effort, losses=losses)
        case NotRefuted() if proof is not None:
            return replace(proof, effort=replace(outcome.effort, method=proof.effort.method), tried=outcome)
        case Unstable() if proof is not None:
            return replace(outcome, effort=replace(outcome.effort, notes=(*outcome.effort.notes, _BOTH)))
        case Untestable() if proof is not None and proof.epsilon_upper:  # else it is seen not to be what was read
            return replace(proof, losses=losses)
        case NoViolation() | Underpowered() | Proved():
            return replace(outcome, losses=outcome.losses or losses)
        case _:
            return outcome


def _answer(
    job: J, progress: Progress, procedures: Sequence[Procedure[J, A]], epsilons: Sequence[float]
) -> tuple[A | Untestable | Failed, Facts, AuditState | None]:
    """The answer to a job, the facts that were handed on before it, and what a later pass can go on from.

    epsilons: values for the parameters that the claim depends on.
    """
    if job.mechanism.untestable:
        return Untestable(reason=job.mechanism.untestable), Facts(), None
    forms = FormsTried(job)
    while True:
        before = forms.job
        answer, facts, state, error = _answer_in(before, progress, procedures, epsilons, forms.notes)
        if isinstance(error, RunnerError) and isinstance(answer, Failed):
            answer = forms.refused(error, answer) or answer
        elif isinstance(answer, Violation):
            answer = forms.doubted(answer, progress) or answer
        if forms.job is before:
            return forms.without_doubts(answer), facts, forms.kept(state)


def _answer_in(
    job: J, progress: Progress, procedures: Sequence[Procedure[J, A]], epsilons: Sequence[float], notes: Sequence[str]
) -> tuple[A | Untestable | Failed, Facts, AuditState | None, Exception | None]:
    """The same with the data in one form, and what kept the procedures from an answer. notes: how it came to that."""
    try:
        claimed = claim_settings(job.mechanism, epsilons)
    except ClaimNotTestable as error:
        return Untestable(reason=str(error)), Facts(), None, None
    with AuditSession(job, claimed, progress) as session:
        receiver = job.mechanism.receiver
        told = receiver is not None and (receiver.given or receiver.preparations)
        made = [f"the object is made as {receiver.words}"] if told and receiver is not None else []
        session.coverage.note(*made, points_note(job.mechanism.claim), *notes)
        try:
            answer, facts = _asked_in_turn(session, job, procedures)
            if _saw_no_event(answer):
                return session.glance.untestable(), facts, None, None
            return answer, facts, session.state, None
        except (RunnerError, NothingToRun, OutOfTime, Cancelled) as error:
            return _failed(session, error), Facts(), None, error
        except MemoryError:
            reason = "the audit takes more memory than its share of what the machine has free"
            failed = Failed(kind=FailureKind.MEMORY, reason=reason, effort=session.effort())
            return failed, Facts(), None, None


def _saw_no_event(answer: object) -> bool:
    """Whether an audit has made runs enough to see events, and found none: the outputs say nothing to it."""
    if not isinstance(answer, NoViolation | Underpowered):
        return False
    enough = isinstance(answer, NoViolation) or answer.power is not None
    return enough and answer.effort.runs > 0 and not answer.effort.events


@dataclass
class _Reasons:
    """In words. unread: why nothing is said from the source. one_by_one: why many runs cannot be made at once."""

    unread: str | None = None
    one_by_one: str | None = None

    def no_answer(self, session: AuditSession, procedure: Procedure[J, A], error: NotOnLanes | MemoryError) -> None:
        """The procedure has given up, and nothing that it learnt is kept. Raises the error of the last resort."""
        makes_runs = procedure.needs in (Needs.LANES, Needs.RUNS)
        if isinstance(error, MemoryError) and procedure.needs is Needs.RUNS:
            raise error
        session.take_back()
        if makes_runs:
            self.one_by_one = TOO_LARGE if isinstance(error, MemoryError) else str(error)
        elif isinstance(error, MemoryError):
            session.coverage.note(f"no answer by {procedure.name}: it takes more memory than there is for it")
        else:
            self.unread = self.unread or str(error)
            session.coverage.note(f"nothing is said from the source: {error}")

    def __str__(self) -> str:
        return self.one_by_one or self.unread or "none has anything to say"


def _asked_in_turn(
    session: AuditSession, job: J, procedures: Sequence[Procedure[J, A]]
) -> tuple[A | Untestable | Failed, Facts]:
    """The first answer, and the facts before it."""
    facts = Facts()
    reasons = _Reasons(in_words(job.program) if isinstance(job.program, Unsupported) else None)
    for procedure in procedures:
        if _cannot_be_met(job, procedure.needs, reasons):
            continue
        session.begin(procedure.name, interruptible=procedure.name != ANYTIME)
        try:
            _prepare(session, procedure.needs, reasons)
            session.announce(procedure.phase)
            answer = procedure.decide(session, job, facts)
        except (NotOnLanes, MemoryError) as error:
            reasons.no_answer(session, procedure, error)
            if isinstance(error, NotOnLanes):
                job = replace(job, settings=replace(job.settings, alpha=job.settings.alpha * error.level_left))
            if isinstance(error, WrongTranslation) and procedure.needs is not Needs.LANES:
                facts = facts.without_program
            continue
        if isinstance(answer, Facts):
            facts = facts.followed_by(answer)
        elif answer is not None:
            return answer, facts
    return Untestable(reason=f"no procedure can decide: {reasons}"), facts


def _cannot_be_met(job: Job, needs: Needs, reasons: _Reasons) -> bool:
    """Whether a procedure needs a program that there is not, or many runs at once where there are none."""
    if needs is Needs.LOWERED:
        return _lowered(job) is None
    if needs is Needs.LANES:
        return reasons.one_by_one is not None
    return reasons.unread is not None and needs is Needs.PROGRAM


def _lowered(job: Job) -> Program | None:
    """The program, be it with what is not understood in it."""
    if isinstance(job.program, Unsupported):
        return job.lowered if isinstance(job, AuditJob) else None
    return job.program


def _prepare(session: AuditSession, needs: Needs, reasons: _Reasons) -> None:
    """Put things as the procedure needs them."""
    if needs in (Needs.LANES, Needs.RUNS):
        session.load()
    if needs is Needs.LANES:
        session.use_lanes()
    elif needs is Needs.RUNS:
        session.leave_lanes()
        if reasons.one_by_one is not None:
            session.coverage.note(f"{CALLS}, because {reasons.one_by_one}")


def _failed(session: AuditSession, error: RunnerError | NothingToRun | OutOfTime | Cancelled) -> Failed:
    """What kept the procedures from an answer."""
    match error:
        case RunnerError():
            return Failed(
                kind=error.kind,
                reason=error.reason,
                detail=error.detail,
                cure=error.cure,
                scope=error.scope,
                line=error.line,
                effort=session.effort(),
            )
        case NothingToRun():
            kind, reason = FailureKind.INPUT, str(error)
        case OutOfTime():
            kind, reason = FailureKind.BUDGET, f"not enough time: {error}"
        case Cancelled():
            reason = "the check was ended before its test was complete, and this test says nothing before its end"
            return Failed(kind=FailureKind.CANCELLED, reason=reason, effort=session.effort(StopReason.CANCELLED))
    return Failed(kind=kind, reason=reason, effort=session.effort())
