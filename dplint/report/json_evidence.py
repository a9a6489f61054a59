"""What a verdict rests on, as JSON: counterexamples with their evidence, losses, and proofs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
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
    ExactDelta,
    ExactEvidence,
    ExampleDraw,
    Impossible,
    LargestLoss,
    Observation,
    OtherText,
    PairLoss,
    Proved,
    Range,
    Scope,
    Shift,
    SingleOutput,
    UnequalVanishing,
    Violation,
    Witness,
)
from dplint.report import words
from dplint.report.json_values import (
    Json,
    arguments_json,
    bounds_json,
    file_json,
    limit_json,
    number_json,
    span_json,
    value_json,
)
from dplint.report.proof_words import certificate_lines, scope_words, shift_words
from dplint.sites import DrawSite, all_calls, noise_words


def counterexample_json(found: Counterexample, violation: Violation) -> Json:
    """One of the counterexamples of a violation."""
    return {
        "witness": witness_json(found.witness),
        "evidence": evidence_json(found.evidence),
        "lower": number_json(found.epsilon_lower),
        "attacker": words.attacker(replace(violation, counterexample=found)),
        "draws": [_draw(one) for one in found.draws],
    }


def confirmation_json(confirmation: Confirmation) -> Json:
    """What plain runs have shown."""
    return {
        "count1": confirmation.count1,
        "count2": confirmation.count2,
        "runs": confirmation.runs,
        "agrees": confirmation.agrees,
    }


def losses_json(losses: Sequence[LargestLoss]) -> Json:
    """The largest loss for each value of the claim for which losses were computed."""
    return [{"pairs": one.pairs, "high": number_json(one.high), "pair": _pair(one.pair)} for one in losses]


def infinite_json(why: Impossible | UnequalVanishing | None) -> Json:
    """Why no finite epsilon holds; null where one does, or nothing more is known."""
    match why:
        case Impossible():
            return {"kind": "impossible", "mass": bounds_json(why.mass)}
        case UnequalVanishing():
            return {"kind": "unequal-vanishing", "order1": why.order1, "order2": why.order2}
        case None:
            return None
        case _:
            assert_never(why)


def deltas_json(deltas: Sequence[ExactDelta]) -> Json:
    """The least delta at each of some epsilons, as an interval."""
    return [{"epsilon": number_json(one.epsilon), "delta": bounds_json(one.delta)} for one in deltas]


def exact_curve_json(curve: ExactCurve) -> Json:
    """What was computed beside a line of a sweep."""
    return {
        "d1": value_json(curve.d1),
        "d2": value_json(curve.d2),
        "arguments": arguments_json(curve.arguments),
        "loss": bounds_json(curve.loss),
        "deltas": deltas_json(curve.deltas),
        "pairs": curve.pairs,
        "certified_by": curve.certified_by,
    }


def proof_json(proof: Proved) -> Json:
    """What is proved and why."""
    return {
        "scope": _scope(proof.scope),
        "epsilon_upper": limit_json(proof.epsilon_upper),
        "certificate": _certificate(proof.certificate),
    }


def witness_json(witness: Witness) -> Json:
    """The two inputs and what is observed."""
    return {
        "d1": value_json(witness.d1),
        "d2": value_json(witness.d2),
        "arguments": arguments_json(witness.arguments),
        **_observation(witness.observation),
    }


def _observation(observation: Observation) -> dict[str, Json]:
    """An event, as Python over `output`; of a single output, `output` is that alone, and else there is no such key."""
    if isinstance(observation, SingleOutput):
        return {"event": observation.expression, "output": value_json(observation.value)}
    return {"event": observation.expression}


def evidence_json(evidence: Evidence) -> Json:
    """Both probabilities, and where they come from."""
    match evidence:
        case CountedEvidence():
            return {
                "kind": "counted",
                "count1": evidence.count1,
                "count2": evidence.count2,
                "runs1": evidence.runs1,
                "runs2": evidence.runs2,
                "p1": number_json(evidence.p1),
                "p2": number_json(evidence.p2),
                "interval1": bounds_json(evidence.interval1),
                "interval2": bounds_json(evidence.interval2),
                "confidence": number_json(evidence.confidence),
                "p_value": number_json(evidence.p_value),
                "log_e_value": number_json(evidence.log_e_value),
                "seed": evidence.seed,
                "coupled": None if evidence.coupled is None else _coupled(evidence.coupled),
            }
        case ExactEvidence():
            return {
                "kind": "exact",
                "measure": evidence.measure.value,
                "p1": bounds_json(evidence.p1),
                "p2": bounds_json(evidence.p2),
                "infinite": infinite_json(evidence.infinite),
                "certified_by": list(evidence.certified_by),
            }
        case _:
            assert_never(evidence)


def _coupled(coupled: CoupledRuns) -> Json:
    return {
        "model_runs": coupled.model_runs,
        "model_p1": number_json(coupled.p1),
        "model_p2": number_json(coupled.p2),
        "differ1": coupled.differ1,
        "differ2": coupled.differ2,
        "given_noise": coupled.given,
        "losses": [
            {
                **file_json(one.file),
                "line": one.line,
                "scale": number_json(one.scale),
                "moved": number_json(one.moved),
                "draws": one.draws,
                "loss": number_json(one.loss),
            }
            for one in coupled.losses
        ],
    }


def _draw(draw: ExampleDraw) -> Json:
    return {"site": _site(draw.site), "distribution": draw.distribution, "value": value_json(draw.value)}


def _site(site: DrawSite) -> Json:
    return {
        **span_json(site.span),
        "calls": [span_json(call) for call in all_calls(site)],
        "turns": list(site.turns),
        "words": noise_words(site),
    }


def _pair(pair: PairLoss) -> Json:
    return {
        "d1": value_json(pair.d1),
        "d2": value_json(pair.d2),
        "arguments": arguments_json(pair.arguments),
        "loss": bounds_json(pair.loss),
        "claimed": number_json(pair.claimed),
        "delta": number_json(pair.delta),
        "where": None if pair.where is None else _observation(pair.where),
    }


def _scope(scope: Scope) -> Json:
    sizes: Json = None
    if scope.sizes is not None:
        sizes = {"smallest": scope.sizes.smallest, "largest": scope.sizes.largest}
    return {
        "full": scope.full,
        "words": scope_words(scope),
        "neighbors": scope.neighbors,
        "sensitivity": number_json(scope.sensitivity),
        "direction": scope.direction.value,
        "sizes": sizes,
        "pairs": None if scope.pairs is None else len(scope.pairs),
        "arguments": [_argument(one) for one in scope.arguments],
        "epsilon": _range(scope.epsilon),
        "delta": limit_json(scope.delta),
        "arithmetic": scope.arithmetic.value,
        "assumptions": list(scope.assumptions),
        "never_run": list(scope.never_run),
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
    return {
        "low": number_json(values.low),
        "high": number_json(values.high),
        "low_included": not values.above,
        "integer": values.integer,
    }


def _certificate(certificate: Certificate) -> Json:
    return {
        "method": certificate.method,
        "words": list(certificate_lines(certificate)),
        "cost": certificate.cost,
        "checked_by": list(certificate.checked_by),
        "shifts": [_shift(shift, certificate.shifts) for shift in certificate.shifts],
    }


def _shift(shift: Shift, among: Sequence[Shift]) -> Json:
    return {
        "site": _site(shift.site),
        "every_turn": shift.every_turn,
        "distribution": shift.distribution,
        "scale": shift.scale,
        "cost": shift.cost,
        "words": shift_words(shift, among),
        "cases": [
            {
                "when": [{**span_json(one.span), "condition": one.condition, "holds": one.holds} for one in case.when],
                "constant": case.by.constant,
                "terms": [{"variable": variable, "coefficient": number} for variable, number in case.by.terms],
            }
            for case in shift.cases
        ],
    }


def branches_json(branches: Sequence[BranchCover]) -> Json:
    """Branches of data, with the ways that were taken and those that cannot be."""
    return [
        {
            "file": one.file,
            "line": one.line,
            "taken": one.taken.name.lower(),
            "told_apart": one.told_apart,
            "impossible": list[Json](one.impossible),
        }
        for one in branches
    ]
