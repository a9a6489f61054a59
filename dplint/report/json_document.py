"""JSON, version 3: docs/verdicts.md and dplint-report.schema.json. Keys may be added within a version; these stay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import assert_never

from dplint.claims import Claim, Mechanism
from dplint.outcomes import (
    CheckError,
    CountedEvidence,
    Curve,
    Effort,
    Failed,
    Finding,
    NotRefuted,
    NoViolation,
    Power,
    Proved,
    Result,
    Silenced,
    TestedEpsilon,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
    spend_of,
)
from dplint.report import words
from dplint.report.documents import message, verdict_name
from dplint.report.gathered import Gathered, code_of, effort_of, silenced_code
from dplint.report.json_evidence import (
    branches_json,
    confirmation_json,
    counterexample_json,
    exact_curve_json,
    losses_json,
    output_pair_json,
    proof_json,
)
from dplint.report.json_values import (
    VERSION,
    Json,
    arguments_json,
    fields,
    file_json,
    json_text,
    number_json,
    place_json,
)
from dplint.report.parts import part_json
from dplint.report.summary import cached_count, expected_false_alarms


def check_json(gathered: Gathered, seconds: float) -> str:
    """The document of a check. Numbers are never NaN (null stands for it); infinity is the string "inf"."""
    document: dict[str, Json] = {
        "version": VERSION,
        "results": [result_json(result) for result in gathered.results],
        "findings": _findings(gathered),
        "errors": [error_json(error) for error in gathered.errors],
        "silenced": [_silenced(one) for one in gathered.silenced],
        "disproved": [_silenced(Silenced(one)) for one in gathered.disproved],
        "summary": {
            **asdict(gathered.counts),
            "hidden": gathered.hidden,
            "silenced": len(gathered.silenced),
            "baseline": len(gathered.known),
            "cached": cached_count(gathered),
            "seconds": number_json(round(seconds, 3)),
            "false_alarms_expected": number_json(expected_false_alarms(gathered)),
        },
    }
    if gathered.dealt is not None:
        document["shard"] = part_json(gathered)
    return json_text(document)


def sweep_json(curve: Curve | None, gathered: Gathered) -> str:
    """The document of a sweep; "curve" is null if there is none, and "results" and "errors" say why."""
    document: dict[str, Json] = {
        "version": VERSION,
        "curve": None if curve is None else _curve(curve),
        "results": [result_json(result) for result in gathered.results],
        "findings": [finding_json(finding) for finding in gathered.findings],
        "errors": [error_json(error) for error in gathered.errors],
    }
    return json_text(document)


def result_json(result: Result) -> dict[str, Json]:
    """One mechanism and its outcome."""
    mechanism, outcome, effort = result.mechanism, result.outcome, effort_of(result.outcome)
    document: dict[str, Json] = {
        **place_json(mechanism.file, mechanism.span),
        "function": mechanism.qualname,
        "claim": _claim(mechanism.claim),
        "verdict": verdict_name(outcome),
        "code": code_of(outcome),
        "message": message(result),
        "evidence": None,
        "epsilon_tested": None,
        "epsilon_lower": None,
        "epsilon_upper": None,
        "spend": None if (spend := spend_of(outcome)) is None else fields(spend, "low high tight delta"),
        "confidence": None,
        "counterexample": None,
        "strongest": None,
        "confirmation": None,
        "proof": None,
        "losses": [],
        "power": None,
        "runs": effort.runs,
        "seconds": number_json(round(effort.seconds, 3)),
        "reason": None,
        "cure": words.cure(result),
        "tested": [],
        "choices": [],
        "repairs": [fields(one, "title diff known error_before error_after") for one in result.repairs],
        "explained_by": [finding_json(finding) for finding in result.explained_by],
        "effort": None if isinstance(outcome, Untestable) else _effort(effort),
    }
    document.update(_details(result))
    return document


def _details(result: Result) -> dict[str, Json]:
    """What depends on the verdict."""
    outcome = result.outcome
    match outcome:
        case Violation():
            counted = isinstance(outcome.counterexample.evidence, CountedEvidence)
            return {
                "evidence": "statistical" if counted else "exact",
                **fields(outcome, "epsilon_tested delta_tested epsilon_lower confidence numerics"),
                "in_real_numbers": outcome.in_real_numbers or None,
                "counterexample": counterexample_json(outcome.counterexample),
                "strongest": None if outcome.strongest is None else counterexample_json(outcome.strongest),
                "confirmation": None if outcome.confirmation is None else confirmation_json(outcome.confirmation),
                "proof": None if outcome.against is None else proof_json(outcome.against),
                "losses": losses_json(outcome.losses),
                "tested": _tested(outcome.tested),
                "reason": outcome.effort.stop.value,
            }
        case Proved():
            return {
                "evidence": "proof",
                **fields(outcome, "epsilon_upper"),
                "proof": proof_json(outcome),
                "losses": losses_json(outcome.losses),
                "reason": outcome.effort.stop.value,
            }
        case NoViolation() | Underpowered():
            only = outcome.tested[0] if len(outcome.tested) == 1 else None
            return {
                "evidence": "statistical" if outcome.effort.runs + outcome.effort.earlier_runs else "exact",
                "epsilon_tested": None if only is None else number_json(only.epsilon),
                "epsilon_lower": None if only is None else number_json(only.lower),
                **fields(outcome, "confidence"),
                "losses": losses_json(outcome.losses),
                "tested": _tested(outcome.tested),
                **fields(outcome, "choices"),
                "power": None if outcome.power is None else _power(outcome.power),
                "reason": outcome.why if isinstance(outcome, Underpowered) else outcome.effort.stop.value,
            }
        case Unstable():
            pair = output_pair_json(outcome.pair)
            return {"evidence": "exact", **fields(outcome, "d_out"), "pair": pair, "reason": outcome.effort.stop.value}
        case NotRefuted():
            pair = None if outcome.furthest is None else output_pair_json(outcome.furthest)
            skipped: Json = [result.mechanism.span.line + one.below for one in outcome.skipped]
            return {**fields(outcome, "d_out"), "pair": pair, "skipped": skipped, "reason": outcome.effort.stop.value}
        case Untestable():
            return {"reason": outcome.reason}
        case Failed():
            return fields(outcome, "reason kind=failure detail scope line=failure_line")
        case _:
            assert_never(outcome)


def _claim(claim: Claim) -> Json:
    numerics: dict[str, Json] = {"numerics": claim.numerics.value} if claim.numerics else {}
    stable: dict[str, Json] = {} if claim.stable is None else {"stable": fields(claim.stable, "d_in d_out metric")}
    privacy: dict[str, Json] = {"epsilon": None, "delta": None} if stable else fields(claim, "epsilon delta")
    return {**privacy, **fields(claim, "neighbors sensitivity observe"), **numerics, **stable}


def _power(power: Power) -> Json:
    return fields(power, f"claimed epsilon share probability{' left_out' if power.left_out else ''}")


def _tested(tested: Sequence[TestedEpsilon]) -> Json:
    return [fields(one, "epsilon delta parameters p_value log_e_value lower runs rejected") for one in tested]


def _effort(effort: Effort) -> Json:
    names = "method looks earlier_runs pairs argument_choices events alpha seed notes"
    return {**fields(effort, names), "branches": branches_json(effort.branches), "forms": list(effort.forms)}


def finding_json(finding: Finding) -> dict[str, Json]:
    """A finding."""
    names = "function code severity message fixable raised=raised_by_audit"
    return {**place_json(finding.file, finding.span), **fields(finding, names)}


def _findings(gathered: Gathered) -> Json:
    """All of them, also those that explain a violation: programs that read this look for findings in one place."""
    explaining = {finding for result in gathered.results for finding in result.explaining}
    return [{**finding_json(one), "explains_violation": one in explaining} for one in gathered.all_findings]


def _silenced(silenced: Silenced) -> Json:
    """What a comment silences, in few words."""
    item = silenced.item
    of = item if isinstance(item, Finding) else item.mechanism
    return {
        **place_json(of.file, of.span),
        "function": item.function if isinstance(item, Finding) else item.mechanism.qualname,
        "code": silenced_code(silenced),
        "message": item.message if isinstance(item, Finding) else message(item),
    }


def error_json(error: CheckError) -> Json:
    """An error."""
    return {**file_json(error.file), "line": error.line, "message": error.message}


def _curve(curve: Curve) -> Json:
    mechanism: Mechanism = curve.mechanism
    return {
        **place_json(mechanism.file, mechanism.span),
        "function": mechanism.qualname,
        "claim": _claim(mechanism.claim),
        "level": number_json(curve.level),
        "runs": curve.effort.runs,
        "seconds": number_json(round(curve.effort.seconds, 3)),
        "seed": curve.effort.seed,
        "lines": [
            {
                "parameters": arguments_json(line.parameters),
                "claimed": number_json(line.claimed),
                "exact": None if line.exact is None else exact_curve_json(line.exact),
                "not_exact": line.not_exact or None,
                "points": [
                    fields(point, "epsilon p_value lower rejected d1 d2 arguments event") for point in line.points
                ],
            }
            for line in curve.lines
        ],
    }
