"""Outcomes are plain data: frozen, slotted, picklable; and a proof and a violation never take each other's place."""

import dataclasses
import inspect
import pickle
from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from enum import StrEnum

import pytest

import dplint.outcomes
from dplint.outcomes import (
    Bounds,
    CountedEvidence,
    Direction,
    Effort,
    ExactEvidence,
    Failed,
    FailureKind,
    Impossible,
    Measure,
    Outcome,
    OutputEvent,
    Range,
    Scope,
    SingleOutput,
    Sizes,
    Underpowered,
    UnequalVanishing,
    Untestable,
    Violation,
    never_worse,
    together,
)
from tests.report.evidence_samples import EVERY_KIND, NOTHING_FOUND, SVT_PROOF
from tests.report.report_samples import RESULTS, anytime_violation

STANDS = NOTHING_FOUND.outcome
UNTRIED = Underpowered(why="not enough time: the machine was busy", helps=(), confidence=0.999, effort=Effort())

NAMES = {name: one for name, one in vars(dplint.outcomes).items() if not name.startswith("_")}
CLASSES = [one for name, one in NAMES.items() if not inspect.ismodule(one) and name != "TypeAlias"]
DATA = [one for one in CLASSES if isinstance(one, type) and is_dataclass(one)]


@pytest.mark.parametrize("made", DATA, ids=lambda made: made.__name__)
def test_every_class_is_frozen_and_has_slots(made):
    assert made.__dataclass_params__.frozen
    assert "__slots__" in made.__dict__
    assert made.__doc__
    assert not made.__doc__.startswith(f"{made.__name__}("), "not the one that dataclasses make"


def test_every_name_is_a_class_an_enumeration_a_union_or_a_function():
    others = [one for one in CLASSES if one not in DATA and not isinstance(one, str)]  # a sentence is no kind
    enumerations = {one.__name__ for one in others if isinstance(one, type) and issubclass(one, StrEnum)}
    kinds = {"Arithmetic", "Direction", "Effect", "FailureKind", "FailureScope", "Known", "Measure"}
    kinds |= {"Severity", "SilencedBy", "StopReason", "Taken"}
    assert enumerations == kinds
    assert sum(hasattr(one, "__args__") for one in others) == 6
    functions = {"exceeds", "largest_losses", "largest_share", "never_worse", "spend_of", "together"}
    assert functions == {one.__name__ for one in others if inspect.isfunction(one)}
    texts = {one.__name__ for one in others if isinstance(one, type) and issubclass(one, str)} - enumerations
    assert texts == {"OtherText"}
    assert len(others) == len(enumerations) + 6 + len(functions) + len(texts)


@pytest.mark.parametrize("result", [*RESULTS, *EVERY_KIND], ids=lambda result: result.mechanism.qualname)
def test_every_outcome_can_be_sent_to_another_process(result):
    assert pickle.loads(pickle.dumps(result)) == result


def counted(count1=30, count2=10):
    return CountedEvidence(
        count1=count1, count2=count2, runs1=100, runs2=50, interval1=Bounds(0.2, 0.4), interval2=Bounds(0.1, 0.3),
        confidence=0.999, p_value=None, log_e_value=None, seed=1,
    )  # fmt: skip


def test_shares_are_those_of_the_counts():
    assert (counted().p1, counted().p2) == (0.3, 0.2)


def test_the_middle_of_bounds_lies_within_them():
    assert Bounds(0.1, 0.3).middle == pytest.approx(0.2)
    assert Bounds(0.1, 0.1).middle == 0.1
    assert Bounds(float("inf"), float("inf")).middle == float("inf")


@pytest.mark.parametrize("value", [True, "it's", 2.5, [1, "a"], None, (1.0,)])
def test_a_single_output_is_an_event_as_well(value):
    """By Python's own eval."""
    expression = SingleOutput(value).expression
    assert eval(expression, {"output": value})
    assert not eval(expression, {"output": "something else"})
    assert OutputEvent("output < 1").expression == "output < 1"


def exact(infinite=None):
    return ExactEvidence(
        measure=Measure.PROBABILITY, p1=Bounds(0.5, 0.5), p2=Bounds(0.0, 0.0), certified_by=(), infinite=infinite
    )


@pytest.mark.parametrize(
    ("evidence", "code"),
    [
        (counted(), "DP901"),
        (exact(), "DP901"),
        (exact(Impossible(Bounds(0.5, 0.5))), "DP901"),
        (exact(UnequalVanishing(0, 2)), "DP901"),
    ],
)
def test_the_code_of_a_violation_follows_from_its_evidence(evidence, code):
    found = anytime_violation()
    found = replace(found, counterexample=replace(found.counterexample, evidence=evidence))
    assert found.code == code
    assert replace(found, against=SVT_PROOF).code == "DP907"


@pytest.mark.parametrize(
    ("sizes", "direction", "full"),
    [
        (None, Direction.BOTH, True),
        (Sizes(0, None), Direction.BOTH, True),
        (Sizes(1, 5), Direction.BOTH, False),
        (Sizes(0, None), Direction.LARGER_FIRST, False),
        (None, Direction.SMALLER_FIRST, False),
    ],
)
def test_a_proof_is_full_only_if_it_leaves_out_no_length_and_no_order(sizes, direction, full):
    scope = Scope(
        relation="l1", neighbors="l1", sensitivity=1.0, sizes=sizes, arguments=(), epsilon=Range(),
        direction=direction,
    )  # fmt: skip
    assert scope.full is full


def test_a_proof_and_a_violation_are_kept_together_whichever_came_first():
    violation = anytime_violation()
    both = replace(violation, against=SVT_PROOF)
    assert together(SVT_PROOF, violation) == both
    assert together(violation, SVT_PROOF) == both
    assert together(both, SVT_PROOF) == both
    assert together(SVT_PROOF, both) == both


def test_runs_that_find_nothing_are_noted_beside_a_proof():
    found = together(SVT_PROOF, NOTHING_FOUND.outcome)
    assert replace(found, effort=SVT_PROOF.effort) == SVT_PROOF
    assert found.effort.notes == ("2,100,000 runs after the proof have found no violation",)


def test_anything_else_is_what_was_found_last():
    failed, untestable = Failed(kind=FailureKind.CRASH, reason="died"), Untestable(reason="no")
    outcomes: list[Outcome] = [anytime_violation(), NOTHING_FOUND.outcome, failed, untestable]
    for before in (None, *outcomes):
        for found in outcomes:
            assert together(before, found) is found


def test_an_outcome_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        SVT_PROOF.epsilon_upper = 0.1
    assert {field.name for field in fields(Violation)} >= {"counterexample", "against", "losses"}
    assert dataclasses.is_dataclass(SVT_PROOF.scope)


@pytest.mark.parametrize("before", [anytime_violation(), STANDS])
def test_a_pass_that_could_try_nothing_replaces_no_verdict(before):
    after = together(together(before, UNTRIED), UNTRIED)

    assert type(after) is type(before)
    assert replace(after, effort=before.effort) == before
    (note,) = set(after.effort.notes) - set(before.effort.notes)
    assert note == "a later pass could try nothing: not enough time: the machine was busy"
    assert together(UNTRIED, before) == before


def test_a_pass_that_was_too_short_does_not_replace_one_that_saw_more():
    """Its runs are counted all the same."""
    effort = replace(STANDS.effort, runs=7, earlier_runs=STANDS.effort.runs)
    short = replace(UNTRIED, effort=effort, tested=STANDS.tested)
    after = together(STANDS, short)

    assert type(after) is type(STANDS)
    assert after.effort.runs + after.effort.earlier_runs == STANDS.effort.runs + 7
    assert replace(after, effort=STANDS.effort) == STANDS


def test_no_later_pass_takes_back_what_one_has_shown():
    """The verdict stays what it was, whatever a busy machine does; that something went wrong is noted, once."""
    violation = anytime_violation()
    failed = Failed(kind=FailureKind.DEADLINE, reason="one call took more than 10 s")
    for known in (violation, STANDS, SVT_PROOF):
        kept = never_worse(never_worse(known, failed), failed)
        assert type(kept) is type(known)
        assert kept.effort.notes == (*known.effort.notes, "a later pass failed: one call took more than 10 s")
    assert never_worse(None, failed) is never_worse(UNTRIED, failed) is failed
    kept = never_worse(violation, STANDS)
    assert (kept.counterexample, kept.epsilon_lower) == (violation.counterexample, violation.epsilon_lower)
    assert "without finding it again" in kept.effort.notes[-1]
    assert never_worse(STANDS, violation) is violation
    all_runs = violation.effort.runs + violation.effort.earlier_runs
    runs = replace(violation.effort, runs=10, earlier_runs=all_runs)
    for other in (
        replace(violation, epsilon_lower=0.9 * violation.epsilon_lower, effort=runs),
        replace(violation, epsilon_tested=2 * violation.epsilon_tested, effort=runs),
    ):
        kept = never_worse(violation, other)
        assert (kept.epsilon_lower, kept.epsilon_tested) == (violation.epsilon_lower, violation.epsilon_tested)
        assert kept.effort.runs + kept.effort.earlier_runs == all_runs + 10
        assert never_worse(other, violation) is violation
    exact = replace(violation, confidence=1.0, epsilon_lower=0.9 * violation.epsilon_lower)
    assert never_worse(exact, violation).confidence == 1.0
    assert never_worse(violation, exact) is exact
    assert never_worse(replace(violation, against=SVT_PROOF), exact) == exact.beside(SVT_PROOF)
    assert never_worse(violation, UNTRIED) == together(violation, UNTRIED)
