"""What a check yielded, gathered and put in an order that does not depend on which worker was faster."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from dplint.claims import Mechanism
from dplint.config import is_selected as is_selected  # noqa: PLC0414 - others ask here
from dplint.outcomes import (
    CheckError,
    CheckEvent,
    Dealt,
    Effort,
    Failed,
    FailureScope,
    Finding,
    NotRefuted,
    NoViolation,
    Outcome,
    Plan,
    Progress,
    Proved,
    Repair,
    Repaired,
    Result,
    Severity,
    Silenced,
    SilencedBy,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
)


@dataclass(frozen=True, slots=True)
class SharedFailure:
    """What all mechanisms of a module or of an interpreter have failed by: one problem, whatever their number.

    results: at least one, each with a Failed of the same scope.
    """

    results: tuple[Result, ...]

    @property
    def failed(self) -> Failed:
        """The failure, as the first of them tells it."""
        outcome = self.results[0].outcome
        assert isinstance(outcome, Failed)
        return outcome

    @property
    def file(self) -> str:
        """The file that is to be looked at."""
        return self.results[0].mechanism.file

    @property
    def line(self) -> int:
        """Where the import failed; where that is not known, or not what failed, the first of the functions."""
        return self.failed.line or self.results[0].mechanism.span.line


Problem: TypeAlias = Result | Finding | CheckError | SharedFailure


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each verdict was reached. `mechanisms` counts also those without an outcome.

    The summaries of JSON and SARIF have these fields. proved: by proofs that leave out nothing; proved_in_part: by
    others.
    """

    mechanisms: int
    violations: int
    proved: int
    proved_in_part: int
    no_violation: int
    underpowered: int
    untestable: int
    unstable: int
    not_refuted: int
    failed: int
    findings: int
    errors: int


@dataclass(frozen=True, slots=True)
class Gathered:
    """All items of a check, each kind sorted by file and line.

    hidden: how many results and findings were deselected. silenced: those that comments silence, as far as selected.
    known: those that are in the baseline. disproved: findings that a proof of the claim shows to be wrong.
    findings: without those, and without those that explain a violation, once `explaining.meet` has put them there.
    dealt: of which check this is a shard, None for none.
    """

    mechanisms: tuple[Mechanism, ...]
    results: tuple[Result, ...]
    findings: tuple[Finding, ...]
    errors: tuple[CheckError, ...]
    hidden: int = 0
    silenced: tuple[Silenced, ...] = ()
    known: tuple[Silenced, ...] = ()
    disproved: tuple[Finding, ...] = ()
    dealt: Dealt | None = None

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """The findings, and those that explain violations, in the order of the source."""
        within = [finding for result in self.results for finding in result.explaining]
        return tuple(sorted([*self.findings, *within], key=lambda one: (one.file, one.span, one.code)))

    @property
    def counts(self) -> Counts:
        """The numbers of the summary."""
        kinds = [type(result.outcome) for result in self.results]
        proofs = [result.outcome for result in self.results if isinstance(result.outcome, Proved)]
        return Counts(
            mechanisms=len(self.mechanisms),
            violations=kinds.count(Violation),
            proved=sum(one.scope.full for one in proofs),
            proved_in_part=sum(not one.scope.full for one in proofs),
            no_violation=kinds.count(NoViolation),
            underpowered=kinds.count(Underpowered),
            untestable=kinds.count(Untestable),
            unstable=kinds.count(Unstable),
            not_refuted=kinds.count(NotRefuted),
            failed=kinds.count(Failed),
            findings=len(self.all_findings),
            errors=len(self.errors),
        )


def gather(events: Iterable[CheckEvent], select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Gathered:
    """Sort the events of a whole check by kind and place.

    select, ignore: prefixes of codes. Results without a code, failures and errors are kept whatever these say:
    what could not be checked must not vanish. A planned mechanism that got no outcome becomes an error.
    """
    planned: list[Mechanism] = []
    results: list[Result] = []
    findings: list[Finding] = []
    errors: list[CheckError] = []
    silenced: list[Silenced] = []
    dealt: Dealt | None = None
    repairs: dict[str, tuple[Repair, ...]] = {}
    for event in events:
        match event:
            case Plan():
                planned.extend(event.mechanisms)
                dealt = event.dealt
            case Result():
                results.append(event)
            case Repaired():
                repairs[event.mechanism.name] = event.repairs
            case Finding():
                findings.append(event)
            case Silenced():
                silenced.append(event)
            case CheckError():
                errors.append(event)
            case Progress():
                pass
            case _:
                assert_never(event)
    results = [replace(one, repairs=repairs.get(one.mechanism.name, ())) for one in results]
    everything = [*results, *findings, *silenced]
    verdicts = [*results, *(one.item for one in silenced if isinstance(one.item, Result))]
    answered = {result.mechanism.name for result in verdicts}
    errors += [_no_outcome(mechanism) for mechanism in planned if mechanism.name not in answered]
    mechanisms = {mechanism.name: mechanism for mechanism in [*planned, *(result.mechanism for result in verdicts)]}
    kept_results = [result for result in results if _is_kept(result, select, ignore)]
    kept_findings = [finding for finding in findings if is_selected(finding.code, select, ignore)]
    chosen = [one for one in silenced if one.by is not SilencedBy.SETTINGS]
    kept_silenced = [one for one in chosen if is_selected(silenced_code(one), select, ignore)]
    kept_silenced.sort(key=lambda one: (*place(one.item), silenced_code(one)))
    return Gathered(
        mechanisms=tuple(sorted(mechanisms.values(), key=lambda mechanism: (mechanism.file, mechanism.span))),
        results=tuple(sorted(kept_results, key=lambda result: (result.mechanism.file, result.mechanism.span))),
        findings=tuple(sorted(kept_findings, key=lambda finding: (finding.file, finding.span, finding.code))),
        errors=tuple(sorted(set(errors), key=lambda error: (error.file, error.line or 0, error.message))),
        hidden=len(everything) - len(kept_results) - len(kept_findings) - len(kept_silenced),
        silenced=tuple(one for one in kept_silenced if one.by is SilencedBy.COMMENT),
        known=tuple(one for one in kept_silenced if one.by is SilencedBy.BASELINE),
        dealt=dealt,
    )


def code_of(outcome: Outcome) -> str | None:
    """The code under which an outcome is reported, None for one that is no problem."""
    match outcome:
        case Violation() | Underpowered() | Unstable() | Untestable() | Failed():
            return outcome.code
        case Proved() | NoViolation() | NotRefuted():
            return None
        case _:
            assert_never(outcome)


def severity_of(result: Result) -> Severity | None:
    """How a verdict counts; None for one that is no problem."""
    if code_of(result.outcome) is None:
        return None
    usual = Severity.WARNING if isinstance(result.outcome, Underpowered | Untestable) else Severity.ERROR
    return usual if result.severity is None or isinstance(result.outcome, Failed) else result.severity


def silenced_code(silenced: Silenced) -> str:
    """The code of a finding or a verdict that is not reported."""
    item = silenced.item
    return item.code if isinstance(item, Finding) else code_of(item.outcome) or ""


def effort_of(outcome: Outcome) -> Effort:
    """What the outcome cost; nothing for a mechanism that was never run."""
    match outcome:
        case Violation() | Proved() | NoViolation() | Underpowered() | Unstable() | NotRefuted() | Failed():
            return outcome.effort
        case Untestable():
            return Effort(alpha=0.0)
        case _:
            assert_never(outcome)


def exit_code(gathered: Gathered) -> int:
    """0: nothing wrong. 1: a violation or an error-level finding. 2: something could not be checked; 2 wins over 1.

    Untestable and underpowered mechanisms are displayed and counted, but do not change the exit code: a claim that
    could not be looked at, or hardly, is no broken promise. The setting `severity` may say otherwise of either.
    """
    if gathered.errors or any(isinstance(result.outcome, Failed) for result in gathered.results):
        return 2
    if any(severity_of(result) is Severity.ERROR for result in gathered.results):
        return 1
    return 1 if any(finding.severity is Severity.ERROR for finding in gathered.findings) else 0


def problems(gathered: Gathered) -> list[Problem]:
    """Everything a reader must look at, by file and line: results with a code, findings, errors."""
    found: list[Problem] = [
        result for result in gathered.results if code_of(result.outcome) is not None and scope_of(result) is None
    ]
    found += [*shared_failures(gathered.results), *gathered.findings, *gathered.errors]
    return sorted(found, key=place)


def scope_of(result: Result) -> tuple[str, str] | None:
    """What a failure is shared by: the module, or the interpreter with what is wrong with it; None for all else."""
    outcome = result.outcome
    if not isinstance(outcome, Failed) or outcome.scope is FailureScope.MECHANISM:
        return None
    of_module = outcome.scope is FailureScope.MODULE
    return outcome.scope.value, result.mechanism.path if of_module else outcome.reason


def shared_failures(results: Sequence[Result]) -> list[SharedFailure]:
    """The failures that are no mechanism's own, each once, in the order of the first mechanism."""
    groups: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        scope = scope_of(result)
        if scope is not None:
            groups.setdefault(scope, []).append(result)
    return [SharedFailure(tuple(group)) for group in groups.values()]


def place(problem: Problem) -> tuple[str, int, int]:
    """File, line and column, counted from 1; an error without a line counts as the first."""
    match problem:
        case Result():
            return problem.mechanism.file, problem.mechanism.span.line, problem.mechanism.span.column
        case Finding():
            return problem.file, problem.span.line, problem.span.column
        case CheckError():
            return problem.file, problem.line or 1, 1
        case SharedFailure():
            return problem.file, problem.line, 1
        case _:
            assert_never(problem)


def _is_kept(result: Result, select: Sequence[str], ignore: Sequence[str]) -> bool:
    code = code_of(result.outcome)
    return code is None or isinstance(result.outcome, Failed) or is_selected(code, select, ignore)


def _no_outcome(mechanism: Mechanism) -> CheckError:
    return CheckError(
        mechanism.file,
        mechanism.span.line,
        f"the audit of `{mechanism.qualname}` ended without an outcome; this is a bug of dplint, please report it",
    )
