"""JSON, version 1: DESIGN section 2's contract. Keys may be added within a version; those of the contract stay."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias, assert_never

from dplint.claims import Claim, Literal, Mechanism, Span
from dplint.outcomes import (
    Argument,
    CheckError,
    Confirmation,
    Counterexample,
    Curve,
    Effort,
    Failed,
    Finding,
    NoViolation,
    Power,
    Proved,
    Result,
    Silenced,
    TestedEpsilon,
    Untestable,
    Violation,
)
from dplint.report import words
from dplint.report.gathered import Gathered, code_of, effort_of, silenced_code
from dplint.report.summary import cached_count, expected_false_alarms

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"

VERSION = 1


def check_json(gathered: Gathered, seconds: float) -> str:
    """The document of a check. Numbers are never NaN (null stands for it); infinity is the string "inf"."""
    counts = gathered.counts
    document: dict[str, Json] = {
        "version": VERSION,
        "results": [result_json(result) for result in gathered.results],
        "findings": _findings(gathered),
        "errors": [error_json(error) for error in gathered.errors],
        "silenced": [_silenced(one) for one in gathered.silenced],
        "summary": {
            "mechanisms": counts.mechanisms,
            "violations": counts.violations,
            "proved": counts.proved,
            "no_violation": counts.no_violation,
            "untestable": counts.untestable,
            "failed": counts.failed,
            "findings": counts.findings,
            "errors": counts.errors,
            "hidden": gathered.hidden,
            "silenced": len(gathered.silenced),
            "baseline": len(gathered.known),
            "cached": cached_count(gathered),
            "seconds": number_json(round(seconds, 3)),
            "false_alarms_expected": number_json(expected_false_alarms(gathered)),
        },
    }
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


def json_text(document: dict[str, Json]) -> str:
    """A document as text."""
    return json.dumps(document, indent=2, allow_nan=False) + "\n"


def result_json(result: Result) -> dict[str, Json]:
    """One mechanism and its outcome."""
    mechanism, outcome, effort = result.mechanism, result.outcome, effort_of(result.outcome)
    document: dict[str, Json] = {
        **place_json(mechanism.file, mechanism.span),
        "function": mechanism.qualname,
        "claim": _claim(mechanism.claim),
        "verdict": "no-violation" if isinstance(outcome, NoViolation) else words.verdict(outcome),
        "code": code_of(outcome),
        "message": words.message(result),
        "evidence": None,
        "epsilon_tested": None,
        "epsilon_lower": None,
        "epsilon_upper": None,
        "confidence": None,
        "counterexample": None,
        "strongest": None,
        "confirmation": None,
        "power": None,
        "runs": effort.runs,
        "seconds": number_json(round(effort.seconds, 3)),
        "reason": None,
        "cure": words.cure(result),
        "tested": [],
        "choices": [],
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
            return {
                "evidence": outcome.evidence.value,
                "epsilon_tested": number_json(outcome.epsilon_tested),
                "delta_tested": number_json(outcome.delta_tested),
                "epsilon_lower": number_json(outcome.epsilon_lower),
                "confidence": number_json(outcome.confidence),
                "counterexample": _counterexample(outcome.counterexample, outcome),
                "strongest": None if outcome.strongest is None else _counterexample(outcome.strongest, outcome),
                "confirmation": None if outcome.confirmation is None else _confirmation(outcome.confirmation),
                "tested": _tested(outcome.tested),
                "reason": outcome.effort.stop.value,
            }
        case Proved():
            return {
                "evidence": outcome.evidence.value,
                "epsilon_upper": number_json(outcome.epsilon_upper),
                "scope": outcome.scope,
                "reason": outcome.effort.stop.value,
            }
        case NoViolation():
            only = outcome.tested[0] if len(outcome.tested) == 1 else None
            return {
                "evidence": "statistical",
                "epsilon_tested": None if only is None else number_json(only.epsilon),
                "epsilon_lower": None if only is None else number_json(only.lower),
                "confidence": number_json(outcome.confidence),
                "tested": _tested(outcome.tested),
                "choices": [_arguments(choice) for choice in outcome.choices],
                "power": None if outcome.power is None else _power(outcome.power),
                "reason": outcome.effort.stop.value,
            }
        case Untestable():
            return {"reason": outcome.reason}
        case Failed():
            return {"reason": outcome.reason, "failure": outcome.kind.value, "detail": outcome.detail}
        case _:
            assert_never(outcome)


def place_json(file: str, span: Span) -> dict[str, Json]:
    """The keys of a range in a file."""
    return {
        "file": file,
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _claim(claim: Claim) -> Json:
    return {
        "epsilon": claim.epsilon if isinstance(claim.epsilon, str) else number_json(claim.epsilon),
        "delta": claim.delta if isinstance(claim.delta, str) else number_json(claim.delta),
        "neighbors": claim.neighbors,
        "sensitivity": number_json(claim.sensitivity),
    }


def _counterexample(found: Counterexample, violation: Violation) -> Json:
    """One of the counterexamples of a violation."""
    return {
        "d1": _value(found.d1),
        "d2": _value(found.d2),
        "args": {argument.name: _value(argument.value) for argument in found.arguments},
        "event": found.event,
        "p1": number_json(found.p1),
        "p2": number_json(found.p2),
        "count1": found.count1,
        "count2": found.count2,
        "runs1": found.runs1,
        "runs2": found.runs2,
        "p_value": number_json(found.p_value),
        "log_e_value": number_json(found.log_e_value),
        "seed": found.seed,
        "interval1": [number_json(bound) for bound in found.interval1],
        "interval2": [number_json(bound) for bound in found.interval2],
        "confidence": number_json(found.confidence),
        "arguments": _arguments(found.arguments),
        "epsilon_lower": number_json(found.epsilon_lower),
        "attacker": words.attacker(replace(violation, counterexample=found)),
    }


def _confirmation(confirmation: Confirmation) -> Json:
    return {
        "count1": confirmation.count1,
        "count2": confirmation.count2,
        "runs": confirmation.runs,
        "agrees": confirmation.agrees,
    }


def _power(power: Power) -> Json:
    return {
        "claimed": number_json(power.claimed),
        "epsilon": number_json(power.epsilon),
        "share": number_json(power.share),
        "probability": number_json(power.probability),
    }


def _arguments(arguments: Sequence[Argument]) -> Json:
    return [{"name": a.name, "value": _value(a.value), "why": a.why} for a in arguments]


def _tested(tested: Sequence[TestedEpsilon]) -> Json:
    return [
        {
            "epsilon": number_json(one.epsilon),
            "delta": number_json(one.delta),
            "parameters": _arguments(one.parameters),
            "p_value": number_json(one.p_value),
            "log_e_value": number_json(one.log_e_value),
            "lower": number_json(one.lower),
            "runs": one.runs,
            "rejected": one.rejected,
        }
        for one in tested
    ]


def _effort(effort: Effort) -> Json:
    return {
        "method": effort.method,
        "looks": effort.looks,
        "earlier_runs": effort.earlier_runs,
        "pairs": effort.pairs,
        "argument_choices": effort.argument_choices,
        "events": effort.events,
        "alpha": number_json(effort.alpha),
        "seed": effort.seed,
        "notes": list(effort.notes),
    }


def finding_json(finding: Finding) -> dict[str, Json]:
    """A finding."""
    return {
        **place_json(finding.file, finding.span),
        "function": finding.function,
        "code": finding.code,
        "severity": finding.severity.value,
        "message": finding.message,
        "fixable": finding.fixable,
        "raised_by_audit": finding.raised,
    }


def _findings(gathered: Gathered) -> Json:
    """All of them, also those that explain a violation: programs that read this look for findings in one place."""
    explaining = {finding for result in gathered.results for finding in result.explained_by}
    return [{**finding_json(one), "explains_violation": one in explaining} for one in gathered.all_findings]


def _silenced(silenced: Silenced) -> Json:
    """What a comment silences, in few words."""
    item = silenced.item
    of = item if isinstance(item, Finding) else item.mechanism
    return {
        **place_json(of.file, of.span),
        "function": item.function if isinstance(item, Finding) else item.mechanism.qualname,
        "code": silenced_code(silenced),
        "message": item.message if isinstance(item, Finding) else words.message(item),
    }


def error_json(error: CheckError) -> Json:
    """An error."""
    return {"file": error.file, "line": error.line, "message": error.message}


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
                "parameters": _arguments(line.parameters),
                "claimed": number_json(line.claimed),
                "points": [
                    {
                        "epsilon": number_json(point.epsilon),
                        "p_value": number_json(point.p_value),
                        "lower": number_json(point.lower),
                        "rejected": point.rejected,
                        "d1": _value(point.d1),
                        "d2": _value(point.d2),
                        "arguments": _arguments(point.arguments),
                        "event": point.event,
                    }
                    for point in line.points
                ],
            }
            for line in curve.lines
        ],
    }


def number_json(value: float | None) -> Json:
    """A number that JSON can hold: null for NaN, "inf" for infinity."""
    if value is None or math.isnan(value):
        return None
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def _value(value: Literal) -> Json:
    """Data as JSON: tuples become lists, and floats that JSON cannot hold become "nan", "inf" and "-inf"."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list | tuple):
        return [_value(entry) for entry in value]
    if isinstance(value, dict):
        return {str(key): _value(entry) for key, entry in value.items()}
    return value
