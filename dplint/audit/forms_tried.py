"""The form of the data is settled by runs: the likeliest that runs take, and none that alone shows a violation.

Where the function's annotation or the claim leaves the form open, what is seen in a form that is a guess may be the
work of the guess. So a violation is looked at once more: where another plausible form runs and does not show it, or
where it rests on an exception that one side always raises, that input is none that the function takes.

Every form that is an input of the function is audited: the members of a Union, or what callers pass.

Each has its part of the level and of the budget. A violation in one is a violation. Else the weakest outcome is what is
said of all, and its notes say what is known in the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Generic, TypeAlias, TypeVar

from dplint import outcomes as out
from dplint.audit.inputs import in_a_line, raised
from dplint.audit.preparation import NotTaken, shown
from dplint.audit.progress import NothingToRun, OutOfTime, Progress
from dplint.audit.session import AuditSession
from dplint.claims import Literal, Mechanism
from dplint.events.printed import NotAnEvent, PrintedEvent
from dplint.inputs.candidates import candidate_forms
from dplint.inputs.forms import (
    as_settled,
    covered_forms,
    data_annotation,
    data_form,
    data_words,
    in_form,
    passed_as,
    untested_words,
)
from dplint.inputs.pairs import NoPairs, choose_pairs, has_whole_numbers
from dplint.jobs import Audited, AuditJob, AuditSettings, AuditState, Job
from dplint.runner.batch import Batch, DataValue
from dplint.runner.client import RunnerError

J = TypeVar("J", bound=Job)
Answer = TypeVar("Answer")
Sides: TypeAlias = tuple[list[Batch], ...]
Calls: TypeAlias = Callable[..., Sides]
"""Outputs on each of some data values in any form, with the arguments of a violation; so many runs, few unless told.
The same numbers of runs make the same draws. Raises RunnerError, OutOfTime, NothingToRun.
"""
_FEW, _MANY = 200, 4_000
"""Runs on each side: to compare two forms on the same draws, and to count an event."""
_FAR = 5.0
"""Standard deviations that two counts of one event are never apart, in half a million cases."""
_SHOWN_OF_EVENT = 60
"""Characters of an event in a note."""
_STREAM = (1 << 22,)
_FORM, _LEFT, _NOTES = "form", "forms_left", "form_notes"
"""What a state says of them."""
_NOT_TAKEN = "not an input that the function takes"
_MISSING = "the data parameter wants"
"""Begins the failure of a form whose library is not installed."""


@dataclass
class FormsTried(Generic[J]):
    """The forms of the data of one job, tried in turn. job: in the form in hand. notes: how it came to that one."""

    job: J
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        mechanism = self.job.mechanism
        self._candidates = candidate_forms(mechanism)
        self._left = list(self._candidates.annotations)
        if mechanism.form is not None:
            # It is about this form; which numbers it holds may still be open.
            self._left = [one for one in self._left if data_form(in_form(mechanism, one)) == data_form(mechanism)]
        self._failures: list[tuple[str, out.Failed]] = []
        self._without_exceptions = False
        self._doubts: list[str] = []
        state = (self.job.state if isinstance(self.job, AuditJob) else None) or {}
        known, left, notes = (state.get(name) for name in (_FORM, _LEFT, _NOTES))
        if isinstance(known, str) and known in self._left and isinstance(left, list) and isinstance(notes, list):
            # An earlier pass has settled on it, and what it has learnt is about that form.
            self.notes = tuple(map(str, notes))
            self._left = [one for one in self._left if one in left]
            self._take(known)

    def refused(self, error: RunnerError, failed: out.Failed) -> out.Failed | None:
        """A form that no run takes: None if another one is in hand now, else why the audit fails."""
        missing = error.kind is out.FailureKind.IMPORT and error.reason.startswith(_MISSING)
        if not isinstance(error, NotTaken) and not (missing and self._failures):
            return self._first(failed)
        mechanism = self.job.mechanism
        complaint = error.complaint if isinstance(error, NotTaken) else error.reason
        words = data_words(mechanism)
        self._failures.append((f"{words}: {complaint}", failed))
        current = data_annotation(mechanism)
        self._left = [one for one in self._left if one != current]
        known = {data_words(mechanism)}
        for other in self._left:
            changed = in_form(mechanism, other)
            if data_words(changed) not in known:
                self._take(other)
                before = "a list" if data_form(mechanism) == "list" else words
                self.notes = (f"{passed_as(changed)}with {before} every run raised {complaint}",)
                return None
        return self._first(failed)

    def doubted(self, found: out.Violation, progress: Progress) -> out.Failed | None:
        """A violation that may be the work of a guess: another audit is in hand then, or there is none to be made.

        Raises nothing: what cannot be looked at once more stays as it is. None with the same job: it stays.
        """
        return None if self.job.mechanism.claim.pairs is not None else self._doubted(found, progress)

    def _doubted(self, found: out.Violation, progress: Progress) -> out.Failed | None:
        mechanism, job = self.job.mechanism, self.job
        if not isinstance(job, AuditJob):
            return None
        form, known = data_annotation(mechanism), self._candidates
        open_form = form not in known.certain
        if not (known.open_numbers or open_form):
            return None
        arguments = {one.name: one.value for one in found.counterexample.witness.arguments}
        with AuditSession(job, (), progress) as session:
            session.begin("forms", interruptible=False)

            def calls(data: Sequence[DataValue], runs: int = _FEW) -> Sides:
                blocks = [session.calls(data, arguments, _FEW, (*_STREAM, block)) for block in range(0, runs, _FEW)]
                return tuple([batches[side] for batches in blocks] for side in range(len(data)))

            return self._looked_at_again(job, found, calls, open_form=open_form)

    def _looked_at_again(
        self, job: AuditJob, found: out.Violation, calls: Calls, *, open_form: bool
    ) -> out.Failed | None:
        mechanism, known = job.mechanism, self._candidates
        form, words = data_annotation(mechanism), data_words(mechanism)
        witness = found.counterexample.witness
        complaint = _raised_on_one_side(job.mechanism, found, calls)
        if known.open_numbers and complaint:
            said = f"{complaint}: {_NOT_TAKEN} (given as {words}), unless the claim says so"
            if self._without_exceptions:
                cure = "Name the numbers that it takes with domain= in the claim, or annotate them (list[float], int)."
                return out.Failed(kind=out.FailureKind.INPUT, reason=said, cure=cure, effort=found.effort)
            self._without_exceptions = True
            self.notes = (*self.notes, said)
            # What is computed from the program would come back to it; runs leave such inputs out.
            self.job = replace(self.job, settings=replace(job.settings, exact_seconds=0.0))
            return None
        if not open_form:
            return None
        # What rests on an exception may be the work of a guess that no other guess is as good as.
        for other in known.annotations if complaint else known.annotations[: known.likely]:
            changed = in_form(mechanism, other)
            if other == form or other not in self._left or _shows(changed, mechanism, found, calls):
                continue
            self._left = [one for one in self._left if one != form]
            self._take(other)
            told = f"{witness.event[:_SHOWN_OF_EVENT]} tells {shown(witness.d1)} from {shown(witness.d2)}"
            self._doubts.append(
                f"{passed_as(changed)}given as {words}, {told}, which does not show in this form and is "
                f"{_NOT_TAKEN}; annotate the data parameter if it is one"
            )
            self.notes = (*self.notes, self._doubts[-1])
            return None
        return None

    def without_doubts(self, found: Answer) -> Answer:
        """Of a violation in the form in hand: what an earlier form has shown was no work of a guess."""
        if not isinstance(found, out.Violation):
            return found
        notes = tuple(note for note in found.effort.notes if note not in self._doubts)
        return replace(found, effort=replace(found.effort, notes=notes))

    def kept(self, state: AuditState | None) -> AuditState | None:
        """The state for a later pass, which goes on in the same form."""
        if state is None or self.job.mechanism.form is None:
            return state
        return {**state, _FORM: self.job.mechanism.form, _LEFT: list(self._left), _NOTES: list(self.notes)}

    def _take(self, annotation: str) -> None:
        self.job = replace(self.job, mechanism=in_form(self.job.mechanism, annotation))

    def _first(self, failed: out.Failed) -> out.Failed:
        """The failure of the likeliest form, with what the others raised."""
        if not self._failures:
            return failed
        others = [words for words, one in self._failures[1:]]
        first = self._failures[0][1]
        also = f"; tried too as {'; as '.join(others)}" if others else ""
        return replace(first, reason=first.reason + also)


def _values(mechanism: Mechanism, found: out.Violation) -> list[DataValue] | None:
    """The data of a violation in the form of the mechanism, None if they have none there."""
    witness, form = found.counterexample.witness, data_form(mechanism)
    values = []
    for value in (witness.d1, witness.d2):
        if isinstance(value, list) == (form == "scalar"):
            return None
        numbers: list[Literal] = value if isinstance(value, list) else [value]
        if has_whole_numbers(mechanism) and all(isinstance(one, float) for one in numbers):
            if not all(isinstance(one, float) and one.is_integer() for one in numbers):
                return None
            numbers = [int(one) for one in numbers if isinstance(one, float)]
        values.append(DataValue(value=numbers[0] if form == "scalar" else numbers, form=form, handle=None))
    return values


def _shows(changed: Mechanism, mechanism: Mechanism, found: out.Violation, calls: Calls) -> bool:
    """Whether a violation shows in another form, too, or nothing can be said because the function does not take that.

    On the same draws the outputs are the same, or the event is as likely as in the form in hand, or it is likelier on
    D1 than the claim allows there, too. What is seen on numbers is no matter of the form; what is seen on lists may be,
    where the function takes a number, too.
    """
    with suppress(RunnerError, OutOfTime, NothingToRun, NotAnEvent, NoPairs):
        values, before = _values(changed, found), _values(mechanism, found)
        form = data_form(changed)
        if data_form(mechanism) == "scalar" != form:
            return True
        if values is None or before is None:
            pair = choose_pairs(changed)[0]
            return all(map(_all_raised, calls([DataValue(side, form, None) for side in (pair.d1, pair.d2)])))
        in_it = calls(values)
        if all(map(_all_raised, in_it)) or repr(_outputs(in_it)) == repr(_outputs(calls(before))):
            return True
        event = PrintedEvent(found.counterexample.witness.event)
        (first, second), others = (
            [sum(map(event.holds, _likenesses(batches))) for batches in calls(data, _MANY)] for data in (values, before)
        )
        if all(abs(a - b) <= _FAR * math.sqrt(a + b + 1) for a, b in zip((first, second), others, strict=True)):
            return True  # nothing speaks for another law in this form
        allowed = math.exp(found.epsilon_tested) * second + found.delta_tested * _MANY
        return first > allowed + 3 * math.sqrt(first + 1)
    return True


def _raised_on_one_side(mechanism: Mechanism, found: out.Violation, calls: Calls) -> str:
    """What all runs on one side of a violation raise, in words, where those on the other side do not; empty if none."""
    with suppress(RunnerError, OutOfTime, NothingToRun):
        values = _values(mechanism, found)
        if values is None:
            return ""
        sides = calls(values)
        for number, (own, other) in enumerate((sides, sides[::-1])):
            if _all_raised(own) and not _all_raised(other):
                return f"{shown(values[number].value)} raises {in_a_line(str(raised(own[0])))}"
    return ""


def _all_raised(batches: Sequence[Batch]) -> bool:
    return all(raised(batch) is not None for batch in batches)


def _outputs(sides: Sides) -> list[list[object]]:
    return [[output for batch in batches for output in batch.outputs()] for batches in sides]


def _likenesses(batches: Sequence[Batch]) -> list[object]:
    return [output for batch in batches for output in batch.likenesses()]


_STATES, _LIKELIEST = "forms", "likeliest"
"""What a state has of each form, and the key of one that is not fixed."""
_SHOWN_OF_REASON = 120
"""Characters of what a form has raised, in a note."""


def in_each_form(job: AuditJob, audit: Callable[[AuditJob], Audited]) -> Audited:
    """The audits of a job in each form that the claim covers, as one. audit: of a job in one form."""
    mechanism = job.mechanism
    if mechanism.claim.pairs is not None or mechanism.data is None or mechanism.form is not None:
        return audit(job)
    members, others = _members(mechanism)
    if len(members) + bool(others) < 2 or not members:
        return audit(job)
    states = (job.state or {}).get(_STATES)
    states = states if isinstance(states, dict) else {}
    answers: list[tuple[Mechanism, Audited]] = []
    left = list(members)
    while left:
        member = left.pop(0)
        share = _share(job.settings, len(members), len(left) + 1, [audited.outcome for _, audited in answers])
        audited = audit(replace(job, mechanism=member, settings=share, state=states.get(_key(member))))
        answers.append((member, audited))
        if _ends_all(audited.outcome, keep_going=job.settings.keep_going):
            break
        settled = _settled(member, audited.outcome)
        left = [one for one in left if data_form(one) != data_form(settled)]
    if all(map(_not_taken, answers)):
        return audit(job) if members[0].form is not None else answers[0][1]
    untested = untested_words([*map(data_words, left), *others])
    kept = {_key(one): audited.state for one, audited in answers if audited.state is not None}
    return Audited(_together(answers, job.settings, untested), {_STATES: kept} if kept else None)


def _members(mechanism: Mechanism) -> tuple[list[Mechanism], tuple[str, ...]]:
    """The mechanism in each form, and what is in none.

    The likeliest form is first where the source speaks for another one than callers pass.
    """
    covered, others = covered_forms(mechanism)
    members = [in_form(mechanism, one) for one in covered]
    if members and not candidate_forms(mechanism).declared and data_form(mechanism) not in map(data_form, members):
        members.insert(0, mechanism)
    return members, others


def _key(member: Mechanism) -> str:
    return _LIKELIEST if member.form is None else member.form


def _settled(member: Mechanism, outcome: out.Outcome) -> Mechanism:
    return member if isinstance(outcome, out.Untestable) else as_settled(member, outcome.effort.notes)


def _share(settings: AuditSettings, forms: int, left: int, before: Sequence[out.Outcome]) -> AuditSettings:
    """The settings of the first of so many audits that are left, which have the level of a single one together.

    before: what came of the others. Those that ended early leave their part to the rest.
    """
    efforts = [one.effort for one in before if not isinstance(one, out.Untestable)]
    runs, share = settings.max_runs, settings.budget / forms
    if runs is not None and not settings.keep_going:
        # Whoever goes on after a violation needs as many runs as it took.
        runs = max(1, runs // forms, (runs - sum(one.runs for one in efforts)) // left)
    budget = max(share, (settings.budget - sum(one.seconds for one in efforts)) / left)
    limit = settings.time_limit / forms
    return replace(settings, alpha=settings.alpha / forms, budget=budget, max_runs=runs, time_limit=limit)


def _ends_all(outcome: out.Outcome, *, keep_going: bool) -> bool:
    if isinstance(outcome, out.Violation | out.Unstable):
        return not keep_going
    if not isinstance(outcome, out.Failed):
        return False
    return outcome.scope is not out.FailureScope.MECHANISM or outcome.kind in (
        out.FailureKind.CANCELLED,
        out.FailureKind.EFFECT,
    )


def _not_taken(answer: tuple[Mechanism, Audited]) -> bool:
    """Whether the function does not take data in that form, or it cannot be made here."""
    outcome = answer[1].outcome
    if not isinstance(outcome, out.Failed) or outcome.scope is not out.FailureScope.MECHANISM:
        return False
    return outcome.kind in (out.FailureKind.INPUT, out.FailureKind.IMPORT)


def _together(answers: list[tuple[Mechanism, Audited]], settings: AuditSettings, untested: str) -> out.Outcome:
    """What the audits say of the function. untested: names the forms that had none, may be empty."""
    ran = [(one, audited.outcome) for one, audited in answers if not _not_taken((one, audited))]
    own, said = min(ran, key=lambda answer: _weakness(answer[1]))
    if isinstance(said, out.Untestable):
        return said
    others = [(one, audited.outcome) for one, audited in answers if one is not own]
    known = ", ".join(f"{data_words(_settled(one, outcome))} ({_words(outcome)})" for one, outcome in others)
    clauses = [f"given in other forms, too: {known}"] * bool(known) + [untested] * bool(untested)
    note = f"{passed_as(_settled(own, said))}{'; '.join(clauses)}"
    efforts = [said.effort, *(outcome.effort for _, outcome in others if not isinstance(outcome, out.Untestable))]
    tested = [outcome.effort.forms for _, outcome in ran if not isinstance(outcome, out.Failed | out.Untestable)]
    effort = replace(
        said.effort,
        runs=sum(one.runs for one in efforts),
        earlier_runs=sum(one.earlier_runs for one in efforts),
        seconds=sum(one.seconds for one in efforts),
        alpha=settings.alpha if any(one.alpha for one in efforts) else 0.0,
        notes=(*said.effort.notes, note),
        forms=tuple(dict.fromkeys(words for one in tested for words in one)),
    )
    return replace(said, effort=effort)


def _weakness(outcome: out.Outcome) -> int:
    """A violation first, then what says least."""
    match outcome:
        case out.Violation() | out.Unstable():
            return 0
        case out.Failed():
            return 1
        case out.Underpowered():
            return 2
        case out.NoViolation() | out.NotRefuted():
            return 3
        case out.Proved():
            return 5 if outcome.scope.full else 4
        case out.Untestable():
            return 6


def _words(outcome: out.Outcome) -> str:
    match outcome:
        case out.Violation() | out.Unstable():
            return "refuted, too"
        case out.Proved():
            return "proved" if outcome.scope.full else "proved in part"
        case out.NoViolation():
            return f"no violation found in {_runs(outcome.effort)}"
        case out.Underpowered():
            return f"no violation found, with too few runs to tell ({_runs(outcome.effort)})"
        case out.NotRefuted():
            return f"not refuted in {outcome.effort.pairs:,} pairs"
        case out.Failed() | out.Untestable():
            return f"not tested, because {outcome.reason[:_SHOWN_OF_REASON]}"


def _runs(effort: out.Effort) -> str:
    return f"{effort.runs + effort.earlier_runs:,} runs"
