"""Every form that is an input of the function is audited: the members of a Union, or what callers pass.

Each has its part of the level and of the budget. A violation in one is a violation. Else the weakest outcome is what is
said of all, and its notes say what is known in the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from dplint.claims import Mechanism
from dplint.inputs.candidates import candidate_forms
from dplint.inputs.forms import as_settled, covered_forms, data_form, data_words, in_form, passed_as, untested_words
from dplint.jobs import Audited, AuditJob, AuditSettings
from dplint.outcomes import (
    Effort,
    Failed,
    FailureKind,
    FailureScope,
    NotRefuted,
    NoViolation,
    Outcome,
    Proved,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
)

_STATES, _LIKELIEST = "forms", "likeliest"
"""What a state has of each form, and the key of one that is not fixed."""
_SHOWN = 120
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


def _settled(member: Mechanism, outcome: Outcome) -> Mechanism:
    return member if isinstance(outcome, Untestable) else as_settled(member, outcome.effort.notes)


def _share(settings: AuditSettings, forms: int, left: int, before: Sequence[Outcome]) -> AuditSettings:
    """The settings of the first of so many audits that are left, which have the level of a single one together.

    before: what came of the others. Those that ended early leave their part to the rest.
    """
    efforts = [one.effort for one in before if not isinstance(one, Untestable)]
    runs, share = settings.max_runs, settings.budget / forms
    if runs is not None and not settings.keep_going:
        # Whoever goes on after a violation needs as many runs as it took.
        runs = max(1, runs // forms, (runs - sum(one.runs for one in efforts)) // left)
    budget = max(share, (settings.budget - sum(one.seconds for one in efforts)) / left)
    limit = settings.time_limit / forms
    return replace(settings, alpha=settings.alpha / forms, budget=budget, max_runs=runs, time_limit=limit)


def _ends_all(outcome: Outcome, *, keep_going: bool) -> bool:
    if isinstance(outcome, Violation | Unstable):
        return not keep_going
    if not isinstance(outcome, Failed):
        return False
    return outcome.scope is not FailureScope.MECHANISM or outcome.kind in (FailureKind.CANCELLED, FailureKind.EFFECT)


def _not_taken(answer: tuple[Mechanism, Audited]) -> bool:
    """Whether the function does not take data in that form, or it cannot be made here."""
    outcome = answer[1].outcome
    if not isinstance(outcome, Failed) or outcome.scope is not FailureScope.MECHANISM:
        return False
    return outcome.kind in (FailureKind.INPUT, FailureKind.IMPORT)


def _together(answers: list[tuple[Mechanism, Audited]], settings: AuditSettings, untested: str) -> Outcome:
    """What the audits say of the function. untested: names the forms that had none, may be empty."""
    ran = [(one, audited.outcome) for one, audited in answers if not _not_taken((one, audited))]
    own, said = min(ran, key=lambda answer: _weakness(answer[1]))
    if isinstance(said, Untestable):
        return said
    others = [(one, audited.outcome) for one, audited in answers if one is not own]
    known = ", ".join(f"{data_words(_settled(one, outcome))} ({_words(outcome)})" for one, outcome in others)
    clauses = [f"given in other forms, too: {known}"] * bool(known) + [untested] * bool(untested)
    note = f"{passed_as(_settled(own, said))}{'; '.join(clauses)}"
    efforts = [said.effort, *(outcome.effort for _, outcome in others if not isinstance(outcome, Untestable))]
    tested = [outcome.effort.forms for _, outcome in ran if not isinstance(outcome, Failed | Untestable)]
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


def _weakness(outcome: Outcome) -> int:
    """A violation first, then what says least."""
    match outcome:
        case Violation() | Unstable():
            return 0
        case Failed():
            return 1
        case Underpowered():
            return 2
        case NoViolation() | NotRefuted():
            return 3
        case Proved():
            return 5 if outcome.scope.full else 4
        case Untestable():
            return 6


def _words(outcome: Outcome) -> str:
    match outcome:
        case Violation() | Unstable():
            return "refuted, too"
        case Proved():
            return "proved" if outcome.scope.full else "proved in part"
        case NoViolation():
            return f"no violation found in {_runs(outcome.effort)}"
        case Underpowered():
            return f"no violation found, with too few runs to tell ({_runs(outcome.effort)})"
        case NotRefuted():
            return f"not refuted in {outcome.effort.pairs:,} pairs"
        case Failed() | Untestable():
            return f"not tested, because {outcome.reason[:_SHOWN]}"


def _runs(effort: Effort) -> str:
    return f"{effort.runs + effort.earlier_runs:,} runs"
