"""What a verdict rests on, as JSON: counterexamples with their evidence, losses, and proofs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from dplint.claims import Categories, Fixed
from dplint.outcomes import (
    ArgumentScope,
    BranchCover,
    Certificate,
    Confirmation,
    CountedEvidence,
    Counterexample,
    CoupledRuns,
    Evidence,
    ExactCurve,
    ExactEvidence,
    ExampleDraw,
    LargestLoss,
    OtherText,
    OutputPair,
    Proved,
    Range,
    Scope,
    Shift,
    Witness,
)
from dplint.report.json_values import Json, fields, file_json, observation_json, span_json, value_json
from dplint.report.proof_words import certificate_lines, scope_words, shift_words
from dplint.sites import DrawSite, all_calls, noise_words


def counterexample_json(found: Counterexample) -> Json:
    """A counterexample of a violation."""
    return {
        "witness": witness_json(found.witness),
        "evidence": evidence_json(found.evidence),
        **fields(found, "epsilon_lower=lower"),
        "draws": [_draw(one) for one in found.draws],
    }


def confirmation_json(confirmation: Confirmation) -> Json:
    """What plain runs have shown."""
    return fields(confirmation, "count1 count2 runs agrees")


def losses_json(losses: Sequence[LargestLoss]) -> Json:
    """The largest loss for each value of the claim for which losses were computed."""
    return [
        {**fields(one, "pairs high"), "pair": fields(one.pair, "d1 d2 arguments loss claimed delta where")}
        for one in losses
    ]


def exact_curve_json(curve: ExactCurve) -> Json:
    """What was computed beside a line of a sweep."""
    return fields(curve, "d1 d2 arguments loss deltas pairs certified_by")


def proof_json(proof: Proved) -> Json:
    """What is proved and why."""
    return {
        "scope": _scope(proof.scope),
        **fields(proof, "epsilon_upper"),
        "certificate": _certificate(proof.certificate),
    }


def witness_json(witness: Witness) -> Json:
    """The two inputs and what is observed."""
    return {**fields(witness, "d1 d2 arguments"), **observation_json(witness.observation)}


def output_pair_json(pair: OutputPair) -> Json:
    """Two inputs of a function without noise, and how far apart its outputs are."""
    return fields(pair, "d1 d2 arguments output1 output2 distance differences")


def evidence_json(evidence: Evidence) -> Json:
    """Both probabilities, and where they come from."""
    match evidence:
        case CountedEvidence():
            names = "count1 count2 runs1 runs2 p1 p2 interval1 interval2 confidence p_value log_e_value seed"
            coupled = None if evidence.coupled is None else _coupled(evidence.coupled)
            return {"kind": "counted", **fields(evidence, names), "coupled": coupled}
        case ExactEvidence():
            return {"kind": "exact", **fields(evidence, "measure p1 p2 infinite certified_by")}
        case _:
            assert_never(evidence)


def _coupled(coupled: CoupledRuns) -> Json:
    return {
        **fields(coupled, "model_runs p1=model_p1 p2=model_p2 differ1 differ2 given=given_noise"),
        "losses": [{**file_json(one.file), **fields(one, "line scale moved draws loss")} for one in coupled.losses],
    }


def _draw(draw: ExampleDraw) -> Json:
    return {"site": _site(draw.site), **fields(draw, "distribution value")}


def _site(site: DrawSite) -> Json:
    return {
        **span_json(site.span),
        "calls": [span_json(call) for call in all_calls(site)],
        **fields(site, "turns"),
        "words": noise_words(site),
    }


def _scope(scope: Scope) -> Json:
    return {
        "full": scope.full,
        "words": scope_words(scope),
        **fields(scope, "neighbors sensitivity direction"),
        "sizes": None if scope.sizes is None else fields(scope.sizes, "smallest largest"),
        "pairs": None if scope.pairs is None else len(scope.pairs),
        "arguments": [_argument(one) for one in scope.arguments],
        "epsilon": _range(scope.epsilon),
        **fields(scope, "delta arithmetic assumptions never_run"),
    }


def _argument(argument: ArgumentScope) -> Json:
    match argument.values:
        case Fixed(value=value):
            return {"name": argument.name, "value": value_json(value)}
        case Categories(values=values):
            listed = [value_json(value) for value in values if not isinstance(value, OtherText)]
            return {"name": argument.name, "values": listed, "any_other_text": len(listed) < len(values)}
        case Range():
            return {"name": argument.name, **_range(argument.values)}
        case _:
            assert_never(argument.values)


def _range(values: Range) -> dict[str, Json]:
    return {**fields(values, "low high"), "low_included": not values.above, "integer": values.integer}


def _certificate(certificate: Certificate) -> Json:
    return {
        "method": certificate.method,
        "words": list(certificate_lines(certificate)),
        **fields(certificate, "cost checked_by"),
        "shifts": [_shift(shift, certificate.shifts) for shift in certificate.shifts],
    }


def _shift(shift: Shift, among: Sequence[Shift]) -> Json:
    return {
        "site": _site(shift.site),
        **fields(shift, "every_turn distribution scale cost"),
        "words": shift_words(shift, among),
        "cases": [
            {
                "when": [{**span_json(one.span), **fields(one, "condition holds")} for one in case.when],
                "constant": case.by.constant,
                "terms": [{"variable": variable, "coefficient": number} for variable, number in case.by.terms],
            }
            for case in shift.cases
        ],
    }


def branches_json(branches: Sequence[BranchCover]) -> Json:
    """Branches of data, with the ways that were taken and those that cannot be."""
    return [
        {**fields(one, "file line"), "taken": one.taken.name.lower(), **fields(one, "told_apart impossible")}
        for one in branches
    ]
