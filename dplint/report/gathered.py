"""What a check yielded, gathered and put in an order that does not depend on which worker was faster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, TypeAlias, assert_never

from dplint import outcomes as out
from dplint.claims import Mechanism, Span
from dplint.config import is_selected as is_selected  # noqa: PLC0414 - others ask here


@dataclass(frozen=True, slots=True)
class SharedFailure:
    """What all mechanisms of a module or of an interpreter have failed by: one problem, whatever their number.

    results: at least one, each with a Failed of the same scope.
    """

    results: tuple[out.Result, ...]

    @property
    def failed(self) -> out.Failed:
        """The failure, as the first of them tells it."""
        outcome = self.results[0].outcome
        assert isinstance(outcome, out.Failed)
        return outcome

    @property
    def file(self) -> str:
        """The file that is to be looked at."""
        return self.results[0].mechanism.file

    @property
    def line(self) -> int:
        """Where the import failed; where that is not known, or not what failed, the first of the functions."""
        return self.failed.line or self.results[0].mechanism.span.line


Problem: TypeAlias = out.Result | out.Finding | out.CheckError | SharedFailure
_VERDICTS: dict[type[out.Outcome], str] = {
    out.Violation: "violation",
    out.Proved: "proved",
    out.NoViolation: "no-violation",
    out.Underpowered: "underpowered",
    out.Untestable: "untestable",
    out.Unstable: "unstable",
    out.Overspent: "overspent",
    out.NotRefuted: "not-refuted",
    out.NotOverspent: "not-refuted",
    out.Failed: "failed",
}
VERDICT_WORDS = {
    "violation": "violation",
    "unstable": "not stable",
    "overspent": "overspent",
    "failed": "could not be checked",
    "underpowered": "underpowered",
    "untestable": "untestable",
    "no-violation": "no violation found",
    "not-refuted": "not refuted",
    "proved-in-part": "proved in part",
    "proved": "proved",
}
"""All that `verdict_name` may be, the gravest first, as people read it."""


COUNTED = {
    "proved": "proved",
    "proved-in-part": "proved in part",
    "no-violation": "without a violation found",
    "underpowered": "underpowered",
    "untestable": "untestable",
    "unstable": "not stable",
    "overspent": "overspent",
    "not-refuted": "not refuted",
    "failed": "failed",
}
"""The verdicts besides violations, in the order of a summary, as they stand behind their number."""


class Place(NamedTuple):
    """What other tools ask of a problem. The line of an error that knows none is the first.

    code: None for an error. span: None where a line is known at most. function: its qualified name, None for none.
    unchecked: whether it makes the exit code 2, as something could not be checked.
    """

    file: str
    line: int
    column: int
    code: str | None
    severity: out.Severity
    span: Span | None
    function: str | None
    unchecked: bool = False


def placed(problem: Problem) -> Place:
    """Where a problem is, and how grave. What makes the exit code 1 or 2 is an error, in every format."""
    match problem:
        case out.Result(mechanism=mechanism, outcome=outcome):
            severity, span = severity_of(problem) or out.Severity.INFO, mechanism.span
            found = (mechanism.file, span.line, span.column, code_of(outcome), severity, span, mechanism.qualname)
            return Place(*found, isinstance(outcome, out.Failed))
        case out.Finding(file=file, span=span):
            return Place(file, span.line, span.column, problem.code, problem.severity, span, problem.function)
        case out.CheckError() | SharedFailure():
            code = problem.failed.code if isinstance(problem, SharedFailure) else None
            return Place(problem.file, problem.line or 1, 1, code, out.Severity.ERROR, None, None, unchecked=True)
        case _:
            assert_never(problem)


@dataclass(frozen=True, slots=True)
class Gathered:
    """All items of a check, each kind sorted by file and line.

    hidden: how many results and findings were deselected. silenced: those that comments silence, as far as selected.
    known: those that are in the baseline. disproved: findings that a proof of the claim shows to be wrong. unrepaired:
    of how many violations no repair was looked for.
    findings: without those, and without those that explain a violation, once `explaining.meet` has put them there.
    dealt: of which check this is a shard, None for none.
    """

    mechanisms: tuple[Mechanism, ...]
    results: tuple[out.Result, ...]
    findings: tuple[out.Finding, ...]
    errors: tuple[out.CheckError, ...]
    hidden: int = 0
    silenced: tuple[out.Silenced, ...] = ()
    known: tuple[out.Silenced, ...] = ()
    disproved: tuple[out.Finding, ...] = ()
    unrepaired: int = 0
    dealt: out.Dealt | None = None

    @property
    def all_findings(self) -> tuple[out.Finding, ...]:
        """The findings, and those that explain violations, in the order of the source."""
        within = [finding for result in self.results for finding in result.explaining]
        return tuple(sorted([*self.findings, *within], key=lambda one: (one.file, one.span, one.code)))

    @property
    def counts(self) -> dict[str, int]:
        """The numbers of the summary, under the names that JSON and SARIF have for them."""
        named = Counter(verdict_name(result.outcome) for result in self.results)
        return {
            "mechanisms": len(self.mechanisms),
            "violations": named["violation"],
            **{verdict.replace("-", "_"): named[verdict] for verdict in COUNTED},
            "findings": len(self.all_findings),
            "errors": len(self.errors),
        }


def gather(events: Iterable[out.CheckEvent], select: Sequence[str] = (), ignore: Sequence[str] = ()) -> Gathered:
    """Sort the events of a whole check by kind and place.

    select, ignore: prefixes of codes. Results without a code, failures and errors are kept whatever these say:
    what could not be checked must not vanish. A planned mechanism that got no outcome becomes an error.
    """
    kinds = (out.Plan, out.Result, out.Repaired, out.Finding, out.Silenced, out.CheckError, out.Progress)
    found: dict[type, list[Any]] = {kind: [] for kind in kinds}
    for event in events:
        found[type(event)].append(event)
    planned: list[Mechanism] = [mechanism for plan in found[out.Plan] for mechanism in plan.mechanisms]
    repairs = {one.mechanism.name: one.repairs for one in found[out.Repaired]}
    late = {one.mechanism.name for one in found[out.Repaired] if one.late}
    results: list[out.Result] = [replace(one, repairs=repairs.get(one.mechanism.name, ())) for one in found[out.Result]]
    findings: list[out.Finding] = found[out.Finding]
    silenced: list[out.Silenced] = found[out.Silenced]
    errors: list[out.CheckError] = found[out.CheckError]
    everything = [*results, *findings, *silenced]
    verdicts = [*results, *(one.item for one in silenced if isinstance(one.item, out.Result))]
    answered = {result.mechanism.name for result in verdicts}
    errors += [_no_outcome(mechanism) for mechanism in planned if mechanism.name not in answered]
    mechanisms = {mechanism.name: mechanism for mechanism in [*planned, *(result.mechanism for result in verdicts)]}
    kept_results = [result for result in results if _is_kept(result, select, ignore)]
    kept_findings = [finding for finding in findings if is_selected(finding.code, select, ignore)]
    chosen = [one for one in silenced if one.by is not out.SilencedBy.SETTINGS]
    kept_silenced = [one for one in chosen if is_selected(silenced_code(one), select, ignore)]
    kept_silenced.sort(key=lambda one: (*place(one.item), silenced_code(one)))
    return Gathered(
        mechanisms=tuple(sorted(mechanisms.values(), key=lambda mechanism: (mechanism.file, mechanism.span))),
        results=tuple(sorted(kept_results, key=lambda result: (result.mechanism.file, result.mechanism.span))),
        findings=tuple(sorted(kept_findings, key=lambda finding: (finding.file, finding.span, finding.code))),
        errors=tuple(sorted(set(errors), key=lambda error: (error.file, error.line or 0, error.message))),
        hidden=len(everything) - len(kept_results) - len(kept_findings) - len(kept_silenced),
        silenced=tuple(one for one in kept_silenced if one.by is out.SilencedBy.COMMENT),
        known=tuple(one for one in kept_silenced if one.by is out.SilencedBy.BASELINE),
        dealt=found[out.Plan][-1].dealt if found[out.Plan] else None,
        unrepaired=len(late & {one.mechanism.name for one in results if isinstance(one.outcome, out.Violation)}),
    )


def verdict_name(outcome: out.Outcome) -> str:
    """The verdict as JSON has it. A proof that leaves something out has a name of its own."""
    in_part = isinstance(outcome, out.Proved) and not outcome.scope.full
    return "proved-in-part" if in_part else _VERDICTS[type(outcome)]


def code_of(outcome: out.Outcome) -> str | None:
    """The code under which an outcome is reported, None for one that is no problem."""
    return None if isinstance(outcome, out.Proved | out.NoViolation | out.NotRefuted) else outcome.code


def severity_of(result: out.Result) -> out.Severity | None:
    """How a verdict counts; None for one that is no problem."""
    if code_of(result.outcome) is None:
        return None
    usual = (
        out.Severity.WARNING if isinstance(result.outcome, out.Underpowered | out.Untestable) else out.Severity.ERROR
    )
    return usual if result.severity is None or isinstance(result.outcome, out.Failed) else result.severity


def silenced_code(silenced: out.Silenced) -> str:
    """The code of a finding or a verdict that is not reported."""
    item = silenced.item
    return item.code if isinstance(item, out.Finding) else code_of(item.outcome) or ""


def effort_of(outcome: out.Outcome) -> out.Effort:
    """What the outcome cost; nothing for a mechanism that was never run."""
    return out.Effort(alpha=0.0) if isinstance(outcome, out.Untestable) else outcome.effort


def exit_code(gathered: Gathered) -> int:
    """0: nothing wrong. 1: a violation or an error-level finding. 2: something could not be checked; 2 wins over 1.

    Untestable and underpowered mechanisms are displayed and counted, but do not change the exit code: a claim that
    could not be looked at, or hardly, is no broken promise. The setting `severity` may say otherwise of either.
    """
    if gathered.errors or any(isinstance(result.outcome, out.Failed) for result in gathered.results):
        return 2
    if any(severity_of(result) is out.Severity.ERROR for result in gathered.results):
        return 1
    return 1 if any(finding.severity is out.Severity.ERROR for finding in gathered.findings) else 0


def problems(gathered: Gathered) -> list[Problem]:
    """Everything a reader must look at, by file and line: results with a code, findings, errors."""
    found: list[Problem] = [
        result for result in gathered.results if code_of(result.outcome) is not None and scope_of(result) is None
    ]
    found += [*shared_failures(gathered.results), *gathered.findings, *gathered.errors]
    return sorted(found, key=place)


def scope_of(result: out.Result) -> tuple[str, str] | None:
    """What a failure is shared by: the module, or the interpreter with what is wrong with it; None for all else."""
    outcome = result.outcome
    if not isinstance(outcome, out.Failed) or outcome.scope is out.FailureScope.MECHANISM:
        return None
    of_module = outcome.scope is out.FailureScope.MODULE
    return outcome.scope.value, result.mechanism.path if of_module else outcome.reason


def shared_failures(results: Sequence[out.Result]) -> list[SharedFailure]:
    """The failures that are no mechanism's own, each once, in the order of the first mechanism."""
    groups: dict[tuple[str, str], list[out.Result]] = {}
    for result in results:
        scope = scope_of(result)
        if scope is not None:
            groups.setdefault(scope, []).append(result)
    return [SharedFailure(tuple(group)) for group in groups.values()]


def place(problem: Problem) -> tuple[str, int, int]:
    """File, line and column, counted from 1; an error without a line counts as the first."""
    return placed(problem)[:3]


def _is_kept(result: out.Result, select: Sequence[str], ignore: Sequence[str]) -> bool:
    code = code_of(result.outcome)
    return code is None or isinstance(result.outcome, out.Failed) or is_selected(code, select, ignore)


def _no_outcome(mechanism: Mechanism) -> out.CheckError:
    return out.CheckError(
        mechanism.file,
        mechanism.span.line,
        f"the audit of `{mechanism.qualname}` ended without an outcome; this is a bug of dplint, please report it",
    )
