"""The JSON document, held against its schema and against what the outcomes say."""

import json
import math
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest
import report_samples as samples

from dplint.claims import Span
from dplint.outcomes import (
    Argument,
    Bounds,
    BranchCover,
    ClimbStep,
    Curve,
    ExactDelta,
    ExactOutput,
    ExactTable,
    Impossible,
    Measure,
    NoViolation,
    Proved,
    Result,
    Silenced,
    Taken,
    Violation,
    WorstInput,
)
from dplint.report import json_document
from dplint.report.format import Report
from dplint.report.gathered import gather
from dplint.report.json_document import answer_json, check_json
from tests.report.evidence_samples import (
    CONFLICT,
    EVERY_KIND,
    EXACT,
    IMPOSSIBLE,
    LIMIT,
    NOTHING_FOUND,
    PROVED,
    PROVED_UP_TO,
    WITH_DRAWS,
)

SCHEMA = json.loads(Path(json_document.__file__).with_name("dplint-report.schema.json").read_text(encoding="utf-8"))
VERDICTS = {"violation", "proved", "no-violation", "underpowered", "untestable", "failed"}
EVERYTHING = (*samples.EVENTS, *EVERY_KIND)


def strict(schema, *, whole=True):
    """The schema without leave to add keys: what is printed must be in it. whole: nothing adds keys from around it."""
    if isinstance(schema, list):
        return [strict(one, whole=whole) for one in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            made[key] = {name: strict(inner, whole=key == "properties") for name, inner in value.items()}
        elif key in ("items", "anyOf", "oneOf"):
            made[key] = strict(value)
        else:
            made[key] = value
    named = SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")] if "$ref" in schema else schema
    if whole and named.keys() & {"properties", "allOf"} and "additionalProperties" not in named:
        made["unevaluatedProperties"] = False
    return made


VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)
STRICT = jsonschema.Draft202012Validator(strict(SCHEMA))


def refuse(constant: str) -> object:
    raise AssertionError(f"{constant} is no JSON")


def document(events=samples.EVENTS) -> dict:
    return json.loads(check_json(Report(gather(events), 33.4)), parse_constant=refuse)


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_what_is_printed_is_as_the_schema_says_and_nothing_else_is_printed():
    found = document(EVERYTHING)
    assert found["version"] == 3
    assert {result["verdict"] for result in found["results"]} == {*VERDICTS, "proved-in-part"}
    STRICT.validate(found)
    STRICT.validate(json.loads(answer_json(Curve, samples.curve(), gather(samples.EVENTS))))
    STRICT.validate(json.loads(answer_json(Curve, None, gather((samples.ERROR,)))))


def test_the_worst_input_is_as_the_schema_says():
    cover = BranchCover(7, "", Taken.ONLY_FALSE, told_apart=False, impossible=(True,))
    worst = WorstInput(
        d1=[1.0, 2.0],
        d2=[2.0, 2.0],
        arguments=(Argument("T", 0.5, "a branch hangs on it"),),
        loss=Bounds(0.4, math.inf),
        claimed=0.1,
        claimed_delta=0.0,
        inputs=3,
        seconds=0.5,
        steps=(ClimbStep(1, 0.1, 0.3, "one above"), ClimbStep(3, 0.4, math.inf, "a climb")),
        branches=(cover,),
        certified_by="elimination",
        by_runs=100,
    )
    found = json.loads(answer_json(WorstInput, worst, gather(())), parse_constant=refuse)
    STRICT.validate(found)
    STRICT.validate(json.loads(answer_json(WorstInput, None, gather((samples.ERROR,)))))
    for name in ("loss", "by_runs", "branches"):
        less = json.loads(json.dumps(found))
        del less["worst"][name]
        assert not VALIDATOR.is_valid(less)
    assert found["worst"]["refutes"]


def test_the_schema_refuses_what_is_missing_wrong_or_another_version():
    whole = document(EVERYTHING)

    def refused(change):
        copy = json.loads(json.dumps(whole))
        change(copy, next(one for one in copy["results"] if (one["code"], one["evidence"]) == ("DP901", "statistical")))
        return not VALIDATOR.is_valid(copy)

    assert refused(lambda found, _: found.update(version=1))
    assert refused(lambda found, _: found["summary"].pop("proved_in_part"))
    assert refused(lambda found, _: found["errors"][0].update(line="3"))
    assert refused(lambda _, one: one.update(counterexample=None))
    assert refused(lambda _, one: one.update(verdict="proved"))
    assert refused(lambda _, one: one["counterexample"]["witness"].pop("event"))
    assert refused(lambda _, one: one["counterexample"]["evidence"].update(kind="exact"))
    assert refused(lambda _, one: one["counterexample"]["evidence"].update(interval1=[0.1]))
    assert not refused(lambda _, one: one.update(later="a key more")), "keys may be added within a version"


def test_a_claim_names_what_is_released_besides_the_value():
    event = next(one for one in samples.EVENTS if isinstance(one, Result) and one.mechanism.qualname == "noisy_max")
    claim = replace(event.mechanism.claim, observe=("stdout", "logging"))
    found = document((replace(event, mechanism=replace(event.mechanism, claim=claim)),))
    assert found["results"][0]["claim"]["observe"] == ["stdout", "logging"]
    assert document((event,))["results"][0]["claim"]["observe"] == []


def test_a_bounded_proof_may_not_be_called_proved():
    found = document((PROVED_UP_TO,))
    assert (found["results"][0]["verdict"], found["summary"]["proved"]) == ("proved-in-part", 0)
    found["results"][0]["verdict"] = "proved"
    assert not VALIDATOR.is_valid(found)


def test_the_numbers_of_a_violation():
    result = next(result for result in document()["results"] if result["function"] == "noisy_max")
    assert (result["file"], result["line"], result["column"]) == ("src/release.py", 5, 5)
    assert (result["end_line"], result["end_column"]) == (5, 14)
    assert (result["code"], result["evidence"]) == ("DP901", "statistical")
    assert (result["epsilon_tested"], result["epsilon_lower"], result["confidence"]) == (0.7, 1.1987, 0.999)
    found = result["counterexample"]
    witness, counted = found["witness"], found["evidence"]
    assert witness["d1"] == [1.0, 1.0, 2.0, 1.0, 1.0]
    assert {one["name"]: one["value"] for one in witness["arguments"]} == {"epsilon": 0.7, "T": 1, "N": 1}
    assert (counted["count1"], counted["runs1"], counted["p1"]) == (171_000, 500_000, 0.342)
    assert (counted["kind"], counted["seed"]) == ("counted", 7)
    assert "output" not in witness


def test_the_summary_counts():
    summary = document()["summary"]
    expected = dict.fromkeys(("proved", "no_violation", "underpowered", "untestable", "failed"), 1)
    expected |= {"mechanisms": 11, "violations": 6}
    assert {key: summary[key] for key in expected} == expected
    assert (summary["findings"], summary["errors"], summary["seconds"]) == (2, 1, 33.4)


def test_infinity_is_a_string_and_nan_never_appears():
    """A loss without bound, and numbers that are not known, in every place that holds a number."""
    violation = samples.violation(d1=[math.nan, math.inf], d2=[0.0, -math.inf], lower=math.inf)
    violation = replace(
        samples.with_counts(violation, p_value=math.nan, interval1=Bounds(math.nan, 1.0)),
        confidence=math.nan,
    )
    proved = replace(samples.PROVED, epsilon_upper=math.nan)
    events = (Result(samples.mechanism(), violation), Result(samples.mechanism("p", line=9), proved))
    first, second = document(events)["results"]
    assert first["epsilon_lower"] == "inf"
    assert first["confidence"] is None
    assert first["counterexample"]["evidence"]["p_value"] is None
    assert first["counterexample"]["witness"]["d1"] == ["nan", "inf"]
    assert first["counterexample"]["witness"]["d2"] == [0.0, "-inf"]
    assert second["epsilon_upper"] is None


def test_results_come_by_file_and_line_whatever_the_order_of_the_events():
    forward, backward = document(samples.EVENTS), document(tuple(reversed(samples.EVENTS)))
    assert forward == backward
    lines = [result["line"] for result in forward["results"]]
    assert lines == sorted(lines)
    assert len(lines) == 11


def test_what_was_tested_without_a_violation_is_listed():
    result = next(result for result in document()["results"] if result["function"] == "fine")
    assert [tested["epsilon"] for tested in result["tested"]] == [0.2, 0.7, 1.5]
    assert result["epsilon_tested"] is None, "three values were tested, not one"
    assert result["reason"] == "the budget was used up"
    assert "private" not in result["message"]


def test_a_single_tested_value_is_the_tested_epsilon():
    outcome = replace(samples.NO_VIOLATION, tested=samples.NO_VIOLATION.tested[:1])
    (result,) = document((Result(samples.mechanism(), outcome),))["results"]
    assert (result["epsilon_tested"], result["epsilon_lower"]) == (0.2, 0.1)


@pytest.mark.parametrize("name", ["größe", "𝛆"])
def test_names_beyond_ascii_survive_an_output_that_knows_only_ascii(name):
    text = check_json(Report(gather((Result(samples.mechanism(name), samples.NO_VIOLATION),)), 0.0))
    assert json.loads(text.encode("ascii"))["results"][0]["function"] == name


def test_a_sweep_has_what_was_computed_exactly():
    lines = json.loads(answer_json(Curve, samples.curve(), gather(())), parse_constant=refuse)["curve"]["lines"]
    assert lines[1]["exact"]["loss"] == [0.7, 0.7 + 1e-12]
    assert lines[1]["exact"]["deltas"][0] == {"epsilon": 0.1, "delta": [pytest.approx(0.15)] * 2}
    assert [line["not_exact"] is None for line in lines] == [line["exact"] is not None for line in lines]


def test_a_table_of_a_claim_with_delta_is_as_the_schema_says():
    """Impossible with probability 0.001, of 0.0001 claimed."""
    row = ExactOutput(
        output="None",
        measure=Measure.PROBABILITY,
        p1=Bounds(0.001, 0.001),
        p2=Bounds(0.0, 0.0),
        loss=Bounds(math.inf, math.inf),
        infinite=Impossible(Bounds(0.001, 0.001)),
    )
    table = ExactTable(
        d1=[1],
        d2=[],
        arguments=(),
        claimed=0.5,
        claimed_delta=1e-4,
        at_claim=ExactDelta(0.5, Bounds(0.001, 0.001)),
        neighbours=True,
        forwards=(row,),
        backwards=(replace(row, infinite=None),),
        deltas=(ExactDelta(0.0, Bounds(0.001, 0.002)),),
        pairs=1,
        certified_by="this test",
    )
    found = json.loads(answer_json(ExactTable, table, gather(())), parse_constant=refuse)
    STRICT.validate(found)
    assert (found["table"]["claimed_delta"], found["table"]["at_claim"]) == (1e-4, [0.001, 0.001])
    assert found["table"]["refutes"]
    pure = json.loads(
        answer_json(ExactTable, replace(table, claimed_delta=0.0, at_claim=None), gather(())), parse_constant=refuse
    )
    STRICT.validate(pure)
    assert pure["table"]["at_claim"] is None
    STRICT.validate(json.loads(answer_json(ExactTable, None, gather((samples.ERROR,)))))
    del found["table"]["at_claim"]
    assert not VALIDATOR.is_valid(found)


def test_a_sweep_has_every_point_of_its_curve():
    found = json.loads(answer_json(Curve, samples.curve(), gather(())), parse_constant=refuse)
    assert [line["claimed"] for line in found["curve"]["lines"]] == [0.2, 0.7, 1.5]
    points = found["curve"]["lines"][1]["points"]
    assert [point["epsilon"] for point in points if point["rejected"]] == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    assert json.loads(answer_json(Curve, None, gather((samples.ERROR,))))["curve"] is None


def test_the_samples_hold_every_kind_of_outcome():
    """So that the tests above speak for all of them."""
    kinds = {type(result.outcome).__name__ for result in samples.RESULTS}
    assert kinds == {Violation.__name__, Proved.__name__, NoViolation.__name__, "Underpowered", "Untestable", "Failed"}


def test_what_the_anytime_test_knows_is_there():
    fine = replace(samples.mechanism("fine"), span=Span(9, 5, 9, 9))
    events = (Result(samples.mechanism(), samples.anytime_violation()), Result(fine, samples.ANYTIME_NO_VIOLATION))
    found = document(events)
    violation, nothing = found["results"]
    assert violation["strongest"]["witness"]["event"] == "output[-1] < 0.25"
    assert violation["strongest"]["lower"] == 1.37
    assert violation["counterexample"]["evidence"]["log_e_value"] == 24.0
    assert violation["counterexample"]["lower"] == 0.944
    assert violation["confirmation"] == {"count1": 2352, "count2": 728, "runs": 20_000, "agrees": True}
    assert [one["log_e_value"] for one in violation["tested"]] == [0.3, 20.0]
    assert (violation["reason"], violation["power"]) == ("violation found", None)
    assert nothing["power"] == {"claimed": 0.7, "epsilon": 0.78, "share": 0.05, "probability": 0.95}
    assert (nothing["strongest"], nothing["confirmation"]) == (None, None)
    effort = nothing["effort"]
    assert (effort["method"], effort["looks"], effort["earlier_runs"]) == ("anytime", 41, 1_500_000)
    assert found["summary"]["false_alarms_expected"] == pytest.approx(0.002)


def test_what_comments_silence_is_listed():
    silenced = document((Silenced(samples.RESULTS[0]), Silenced(samples.FINDINGS[0])))

    assert silenced["summary"]["silenced"] == 2
    assert {one["code"] for one in silenced["silenced"]} == {"DP901", samples.FINDINGS[0].code}
    assert all(one["message"] and one["line"] for one in silenced["silenced"])
    assert silenced["results"] == silenced["findings"] == []


def only(result):
    (found,) = document((result,))["results"]
    return found


def test_exact_evidence_has_two_certain_intervals():
    """A coin that tells the truth with probability 0.9: ln 9 = 2.197."""
    found = only(EXACT)
    assert (found["code"], found["evidence"], found["confidence"]) == ("DP901", "exact", 1.0)
    evidence = found["counterexample"]["evidence"]
    assert (evidence["kind"], evidence["measure"], evidence["infinite"]) == ("exact", "probability", None)
    for key, truth in (("p1", 0.9), ("p2", 0.1)):
        low, high = evidence[key]
        assert low <= truth <= high
    assert found["counterexample"]["witness"]["output"] == "yes"
    assert found["epsilon_lower"] < math.log(9) < found["epsilon_lower"] + 1e-12


def test_an_infinite_loss_says_why():
    impossible, limit = (only(one)["counterexample"]["evidence"]["infinite"] for one in (IMPOSSIBLE, LIMIT))
    assert impossible["kind"] == "impossible"
    assert impossible["mass"][0] == pytest.approx(1 - math.exp(-0.7) / 2)
    assert limit == {"kind": "unequal-vanishing", "order1": 0, "order2": 1}
    assert {only(one)["code"] for one in (IMPOSSIBLE, LIMIT)} == {"DP901"}


def test_a_proof_comes_with_its_scope_and_its_shifts():
    found = only(PROVED)
    assert (found["verdict"], found["epsilon_upper"], found["code"]) == ("proved", "epsilon", None)
    scope, certificate = found["proof"]["scope"], found["proof"]["certificate"]
    assert scope["sizes"] == {"smallest": 0, "largest": None}
    assert scope["epsilon"] == {"low": 0.0, "high": "inf", "low_included": False, "integer": False}
    threshold, answers = certificate["shifts"]
    assert (threshold["cases"][0]["constant"], threshold["cost"], threshold["every_turn"]) == ("1", "1/2", False)
    assert answers["cases"][0]["terms"] == [{"variable": "D2[i] - D1[i]", "coefficient": "-1"}]
    (when,) = answers["cases"][0]["when"]
    assert (when["condition"], when["holds"]) == ("noisy >= threshold", True)
    assert sum(map(Fraction, ("1/2", "1/2"))) == Fraction(certificate["cost"]), "N answers cost 1 / (2 N) each"


def test_a_violation_and_a_proof_are_both_there():
    found = only(CONFLICT)
    assert (found["verdict"], found["code"]) == ("violation", "DP907")
    assert found["counterexample"]["witness"]["event"] == "output == [True]"
    assert found["proof"]["scope"]["full"] is True


def test_losses_and_draws_are_there():
    (largest,) = only(NOTHING_FOUND)["losses"]
    assert (largest["pairs"], largest["pair"]["claimed"]) == (2, 1.0)
    low, high = largest["pair"]["loss"]
    assert low <= math.log(0.7 / 0.3) <= high <= largest["high"]
    draws = only(WITH_DRAWS)["counterexample"]["draws"]
    assert [draw["site"]["turns"] for draw in draws] == [[], [0], [1]]
    assert draws[2]["site"]["words"] == "the noise of line 26 in the second turn"
