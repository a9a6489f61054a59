"""JSON, version 3: docs/verdicts.md and dplint-report.schema.json. Keys may be added within a version; these stay.

The answers of `dplint inspect` and `dplint train` as JSON.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dplint import outcomes as out
from dplint.claims import Claim, Mechanism
from dplint.definitions import promise_words
from dplint.report import words
from dplint.report.documents import message
from dplint.report.format import Report
from dplint.report.gathered import Gathered, code_of, effort_of, silenced_code, verdict_name
from dplint.report.json_evidence import VERSION, Json, fields, file_json, json_text, number_json, place_json, written
from dplint.report.parts import part_json
from dplint.report.proof_words import scope_words
from dplint.report.summary import cached_count, expected_false_alarms

_AS_NOTHING_FOUND = "confidence losses tested choices power"
_OF_VERDICT: dict[type[out.Outcome], str] = {
    out.Violation: "epsilon_tested delta_tested epsilon_lower confidence numerics counterexample strongest confirmation"
    " against=proof losses tested",
    out.Proved: "epsilon_upper losses",
    out.NoViolation: _AS_NOTHING_FOUND,
    out.Underpowered: _AS_NOTHING_FOUND,
    out.Unstable: "d_out pair",
    out.NotRefuted: "d_out furthest=pair",
    out.Overspent: "pair spend=steps",
    out.NotOverspent: "furthest=pair spend=steps",
    out.Untestable: "reason",
    out.Failed: "reason kind=failure detail scope line=failure_line",
}
"""What depends on the verdict."""


def check_json(report: Report) -> str:
    """The document of a check. Numbers are never NaN (null stands for it); infinity is the string "inf"."""
    gathered = report.gathered
    document: dict[str, Json] = {
        "version": VERSION,
        "results": [result_json(result) for result in gathered.results],
        "findings": _findings(gathered),
        "errors": [error_json(error) for error in gathered.errors],
        "silenced": [_silenced(one) for one in gathered.silenced],
        "disproved": [_silenced(out.Silenced(one)) for one in gathered.disproved],
        "summary": {
            **gathered.counts,
            "hidden": gathered.hidden,
            "silenced": len(gathered.silenced),
            "baseline": len(gathered.known),
            "cached": cached_count(gathered),
            "seconds": number_json(round(report.seconds, 3)),
            "false_alarms_expected": number_json(expected_false_alarms(gathered)),
        },
    }
    if gathered.dealt is not None:
        document["shard"] = part_json(gathered)
    return json_text(document)


def answer_json(kind: type[out.Answer], answer: out.Answer | None, gathered: Gathered) -> str:
    """The document of a command that asks for one thing: under a key of its own, null if there is none.

    "results" and "errors" say why then. kind: that of the answer, if there were one.
    """
    key, told = _ANSWERS[kind]
    return json_text(
        {
            "version": VERSION,
            key: None if answer is None else told(answer),
            "results": [result_json(result) for result in gathered.results],
            "findings": [finding_json(finding) for finding in gathered.findings],
            "errors": [error_json(error) for error in gathered.errors],
        }
    )


def result_json(result: out.Result) -> dict[str, Json]:
    """One mechanism and its outcome."""
    mechanism, outcome, effort = result.mechanism, result.outcome, effort_of(result.outcome)
    nothing: Json = None
    return {
        **place_json(mechanism.file, mechanism.span),
        "function": mechanism.qualname,
        "claim": _claim(mechanism.claim),
        "verdict": verdict_name(outcome),
        "code": code_of(outcome),
        "message": message(result),
        "evidence": _evidence(outcome),
        **dict.fromkeys(("epsilon_tested", "epsilon_lower", "epsilon_upper"), nothing),
        "spend": None if mechanism.claim.promise else written(out.spend_of(outcome)),
        **dict.fromkeys(("confidence", "counterexample", "strongest", "confirmation", "proof"), nothing),
        "losses": [],
        "power": None,
        **fields(effort, "runs"),
        "seconds": number_json(round(effort.seconds, 3)),
        "reason": None if isinstance(outcome, out.Untestable) else effort.stop.value,
        "cure": words.cure(result),
        "tested": [],
        "choices": [],
        **fields(result, "repairs"),
        "explained_by": [finding_json(finding) for finding in result.explained_by],
        "effort": None if isinstance(outcome, out.Untestable) else written(effort),
        **fields(outcome, _OF_VERDICT[type(outcome)]),
        **_further(result),
    }


def _evidence(outcome: out.Outcome) -> Json:
    """What kind of evidence there is."""
    match outcome:
        case out.Violation():
            return "exact" if words.is_exact(outcome) else "statistical"
        case out.Proved():
            return "proof"
        case out.NoViolation() | out.Underpowered():
            return "statistical" if outcome.effort.runs + outcome.effort.earlier_runs else "exact"
        case out.Unstable() if not isinstance(outcome, out.Overspent):
            return "exact" if outcome.probability == 1.0 else "statistical"
    return None


def _further(result: out.Result) -> dict[str, Json]:
    """What depends on the verdict, and is no field of it."""
    match result.outcome:
        case out.Violation(in_real_numbers=known) as found:
            return {"in_real_numbers": known or None, **(fields(found, "broken") if found.broken else {})}
        case out.Proved() as proof:
            return {"proof": written(proof), **({} if proof.tried is None else _tried(result.mechanism, proof.tried))}
        case out.NoViolation(tested=(only,)) | out.Underpowered(tested=(only,)) as outcome:
            tested = fields(only, "epsilon=epsilon_tested lower=epsilon_lower")
            return {**tested, **(fields(outcome, "why=reason") if isinstance(outcome, out.Underpowered) else {})}
        case out.Underpowered() as outcome:
            return fields(outcome, "why=reason")
        case out.Unstable() as found if found.probability < 1.0:
            return {**fields(found, "probability"), "confidence": 1.0 - found.effort.alpha}
        case out.NotRefuted() as tried if not isinstance(tried, out.NotOverspent):
            return _tried(result.mechanism, tried)
    return {}


def _tried(mechanism: Mechanism, outcome: out.NotRefuted) -> dict[str, Json]:
    """What pairs came to."""
    skipped: Json = [mechanism.span.line + one.below for one in outcome.skipped]
    return {**fields(outcome, _OF_VERDICT[out.NotRefuted]), "skipped": skipped}


def _claim(claim: Claim) -> Json:
    privacy: dict[str, Json] = {"epsilon": None, "delta": None} if claim.stable else fields(claim, "epsilon delta")
    further = "neighbors sensitivity observe" + " numerics" * bool(claim.numerics) + " stable" * bool(claim.stable)
    further += " training" * bool(claim.training)
    promised: dict[str, Json] = {} if claim.promise is None else {"promise": promise_words(claim.promise)}
    return {**privacy, **promised, **fields(claim, further)}


def finding_json(finding: out.Finding) -> dict[str, Json]:
    """A finding."""
    names = "function code severity message fixable raised=raised_by_audit"
    return {**place_json(finding.file, finding.span), **fields(finding, names)}


def _findings(gathered: Gathered) -> Json:
    """All of them, also those that explain a violation: programs that read this look for findings in one place."""
    explaining = {finding for result in gathered.results for finding in result.explaining}
    return [{**finding_json(one), "explains_violation": one in explaining} for one in gathered.all_findings]


def _silenced(silenced: out.Silenced) -> Json:
    """What a comment silences, in few words."""
    item = silenced.item
    of = item if isinstance(item, out.Finding) else item.mechanism
    return {
        **place_json(of.file, of.span),
        "function": item.function if isinstance(item, out.Finding) else item.mechanism.qualname,
        "code": silenced_code(silenced),
        "message": item.message if isinstance(item, out.Finding) else message(item),
    }


def error_json(error: out.CheckError) -> Json:
    """An error."""
    return {**file_json(error.file), "line": error.line, "message": error.message}


def _curve(curve: out.Curve) -> Json:
    mechanism = curve.mechanism
    return {
        **place_json(mechanism.file, mechanism.span),
        "function": mechanism.qualname,
        "claim": _claim(mechanism.claim),
        **fields(curve, "level"),
        **fields(curve.effort, "runs"),
        "seconds": number_json(round(curve.effort.seconds, 3)),
        **fields(curve.effort, "seed"),
        "lines": [
            {
                **fields(line, "parameters claimed exact"),
                "not_exact": line.not_exact or None,
                **fields(line, "points"),
            }
            for line in curve.lines
        ],
    }


def _table(table: out.ExactTable) -> Json:
    return {
        **fields(table, "d1 d2 arguments claimed claimed_delta neighbours refutes loss"),
        **fields(table, "forwards=d1_over_d2 backwards=d2_over_d1 deltas"),
        "at_claim": None if table.at_claim is None else written(table.at_claim.delta),
        **fields(table, "pairs"),
        "arithmetic": "real numbers; rounding is not modelled",
        **fields(table, "certified_by not_compared notes"),
    }


def _sensitivity(answer: out.Sensitivity) -> Json:
    lines: list[Json] = [
        {**fields(one, "name pays too_far"), "line": one.span.line, **_moved(one.found)} for one in answer.lines
    ]
    return {"function": answer.mechanism.qualname, **_moved(answer.found), "lines": lines}


def _moved(found: out.NotRefuted) -> dict[str, Json]:
    """How far neighbours move an output, or what a line assigns."""
    pairs = {**fields(found, "furthest=pair"), **fields(found.effort, "pairs runs")}
    proved = None if found.within is None else scope_words(found.within)
    return {**fields(found.stability, "d_in metric centred"), **pairs, "proved": proved}


_LOWER = ("epsilon", "mu", "normal_epsilon")


def _training(bound: out.TrainingBound) -> Json:
    mechanism = bound.mechanism
    return {
        **place_json(mechanism.file, mechanism.span),
        "function": mechanism.qualname,
        "claim": words.claim_words(mechanism.claim),
        **fields(bound, "refutes code claimed claimed_delta claimed_mu assumes_normal confidence"),
        **{f"{name}_lower": max(getattr(look, name) for look in bound.looks) for name in _LOWER},
        **fields(bound, "canaries left_out learnt whole"),
        "looks": [fields(look, "releases epsilon mu normal_epsilon made right") for look in bound.looks],
        **fields(bound.effort, "seconds seed notes"),
    }


_ANSWERS: Mapping[type[out.Answer], tuple[str, Callable[[Any], Json]]] = {
    out.Curve: ("curve", _curve),
    out.ExactTable: ("table", _table),
    out.WorstInput: ("worst", written),
    out.Sensitivity: ("sensitivity", _sensitivity),
    out.TrainingBound: ("training", _training),
}
