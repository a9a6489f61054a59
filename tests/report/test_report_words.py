"""Sentences: the numbers in them, and what they must not say."""

import math
from dataclasses import replace

import pytest
import report_samples as samples

from dplint.claims import Claim, Fixed, Parameter
from dplint.outcomes import Argument, FailureKind, Result, StopReason, TestedEpsilon
from dplint.report import documents, editor, json_document, numerals, words
from dplint.report import violation as evidence_words
from dplint.report.numerals import allowed_probability, ratio_found
from dplint.report.violation import seen


def said(violation):
    return documents.message(Result(samples.mechanism(), violation))


def test_what_is_seen_stands_beside_what_is_allowed():
    """171,000 / 50,500 = 3.386 and e^0.7 = 2.0138."""
    sentence = seen(samples.violation())
    assert sentence == (
        "`output < 0.5` has probability 0.3420 on D1 and 0.1010 on D2: "
        "3.39 times as likely; 2.01 is allowed (99.9% confidence)."
    )


def test_with_delta_the_allowed_probability_has_delta_in_it():
    """e^0.7 * 0.101 + 0.05 = 0.2534."""
    violation = samples.violation(delta=0.05)
    assert allowed_probability(violation) == pytest.approx(0.25339, abs=1e-5)
    assert "0.342 on D1, where 0.253 is allowed" in seen(violation)


def test_a_zero_count_never_makes_infinite_odds():
    """The ends of the intervals: (0.342 - 0.0022) / 1.5e-5 = 22,653."""
    violation = samples.violation(count2=0)
    ratio, at_least = ratio_found(violation.counterexample.evidence)
    assert ratio == pytest.approx(22_653, abs=1)
    assert at_least
    assert "impossible" not in seen(violation)
    assert "0 on D2: more than 22,653 times as likely" in said(violation)


def test_only_exact_evidence_says_that_an_event_cannot_happen():
    violation = samples.violation(count2=0, exact=True, lower=math.inf)
    assert "impossible on D2" in said(violation)
    assert words.lower_words(violation) == "no finite epsilon holds"


def test_no_violation_found_says_what_was_tried_and_is_never_called_private():
    text = documents.message(Result(samples.mechanism(), samples.NO_VIOLATION))
    for part in ("epsilon = 0.2, 0.7 and 1.5", "28 pairs", "3 choices", "512 events", "3,600,000 runs", "level 0.001"):
        assert part in text
    assert "private" not in text
    assert text.startswith("no violation found in")
    assert "does not mean private" in words.NOT_PRIVATE


def test_every_kind_of_failure_has_a_cure_but_what_the_user_wanted():
    assert words.cure(Result(samples.mechanism(), replace(samples.FAILED, kind=FailureKind.CANCELLED))) is None
    for kind in set(FailureKind) - {FailureKind.CANCELLED}:
        assert words.cure(Result(samples.mechanism(), replace(samples.FAILED, kind=kind)))


def test_the_cure_of_what_cannot_be_called_is_to_make_it_a_function():
    method = Result(replace(samples.mechanism(), untestable="a method"), samples.UNTESTABLE)
    assert "function of the module" in (words.cure(method) or "")
    assert words.cure(Result(samples.mechanism(), samples.UNTESTABLE)) is None, "the reason has to say it"


def test_the_command_to_reproduce_can_be_pasted():
    mechanism = samples.mechanism(file="my code/a'b.py")
    assert words.reproduce(mechanism, samples.violation(), "--profile ci") == (
        "dplint check 'my code/a'\"'\"'b.py::noisy_max' --seed 7 --profile ci"
    )


def test_a_replay_makes_the_same_runs_whatever_the_machine():
    """Runs in place of seconds, a hundred times what was made, as an end; and nothing comes from the cache."""
    command = words.reproduce(
        samples.mechanism(), samples.anytime_violation(), "--budget 5s --alpha 0.01 --time-limit 9"
    )
    assert command == "dplint check src/release.py::noisy_max --seed 7 --runs 360000000 --no-cache --alpha 0.01"
    given = words.reproduce(samples.mechanism(), samples.anytime_violation(), "--runs 7000")
    assert given.endswith("--seed 7 --no-cache --runs 7000"), "the very number, with which nothing hangs on the clock"
    exact = samples.violation(exact=True)
    assert words.reproduce(samples.mechanism(), exact, "--budget 5s") == (
        "dplint check src/release.py::noisy_max --budget 5s"
    ), "what is computed has as much time as before"


def test_a_claim_leaves_out_its_defaults():
    assert words.claim_words(Claim(epsilon=0.5)) == 'epsilon=0.5, neighbors="linf"'
    claim = Claim(epsilon="a + b", delta=1e-5, relation="l1", sensitivity=2.0)
    assert words.claim_words(claim) == 'epsilon="a + b", delta=1e-5, neighbors="l1", sensitivity=2'


def test_every_outcome_has_a_message_that_names_the_mechanism():
    for result in samples.RESULTS:
        assert f"`{result.mechanism.qualname}`" in documents.message(result)
        assert "\n" not in documents.message(result)


def test_the_evidence_of_the_anytime_test_is_that_of_the_whole_search():
    """Three values of the claim share the level, so e^20 is as good as e^20 / 3 = 161,721,731; 1 / 0.001 is needed."""
    evidence = words.log_evidence(samples.anytime_violation())
    assert evidence == pytest.approx(20 - math.log(3), abs=1e-3)
    assert evidence_words.e_value(evidence, 0.001) == "160,000,000, where 1,000 refutes the claim"


def test_statdp_has_no_e_value():
    assert words.log_evidence(samples.violation()) is None


def test_evidence_beyond_all_floats_has_a_name():
    """e^5000 = 10^2171.47, and 10^0.47 = 2.97."""
    violation = samples.anytime_violation()
    tested = tuple(replace(one, p_value=0.0, log_e_value=5000.0) for one in violation.tested)
    assert evidence_words.e_value(words.log_evidence(replace(violation, tested=tested)), 0.001).startswith("2.9e2171,")


def test_no_violation_of_the_anytime_test_says_what_would_have_been_found():
    text = words.tried(samples.mechanism(), samples.ANYTIME_NO_VIOLATION)
    for part in (
        "16 pairs",
        "1,240 events",
        "2,100,000 runs (in earlier passes: 1,500,000)",
        "ended because the budget was used up",
        "at epsilon = 0.7 a loss of 0.78 or more on any of these pairs, by an event of probability 0.05 or more, would",
        "would have been found with probability 0.95",
    ):
        assert part in text
    spared = replace(samples.ANYTIME_NO_VIOLATION.power, left_out="75 of 100 values of an output")
    told = words.tried(samples.mechanism(), replace(samples.ANYTIME_NO_VIOLATION, power=spared))
    assert told.endswith("probability 0.95; 75 of 100 values of an output were not looked at one by one")
    assert "would have been found" not in words.tried(samples.mechanism(), samples.NO_VIOLATION), (
        "nothing is promised that is not known"
    )


def test_defaults_that_were_kept_are_named():
    """What the audit fills in itself, the claim's own parameters, and what `args` names, are none of these."""
    parameters = (
        Parameter("rng", default="RNG"),
        Parameter("rows", default="()"),
        Parameter("epsilon", default="1.0"),
        Parameter("verbose", default="False"),
        Parameter("mode", default="'raw'"),
        Parameter("limit", default="3"),
        Parameter("seed", default="None"),
    )
    claim = replace(samples.mechanism().claim, epsilon="2 * epsilon", args=(("limit", Fixed(3)),))
    one = replace(samples.mechanism(), parameters=parameters, claim=claim, data="rows", rng="rng")

    assert "of arguments (verbose = False and mode = 'raw' by default), " in words.tried(one, samples.NO_VIOLATION)


@pytest.mark.parametrize("stop", StopReason)
def test_every_reason_to_end_reads_as_a_sentence(stop):
    effort = replace(samples.EFFORT, stop=stop)
    expected = {
        StopReason.VIOLATION: "ended because a violation was found",
        StopReason.CANCELLED: "cancelled before its end",
        StopReason.NOTHING_LEFT: "ended because nothing was left to gain",
        StopReason.BUDGET: "ended because the budget was used up",
        StopReason.TIME: "ended because the time limit was reached",
    }
    assert words.ended(effort) == expected[stop]


def test_a_confirmation_is_told_either_way():
    confirmation = samples.anytime_violation().confirmation
    told = evidence_words.confirmation(confirmation)
    assert told == "by 20,000 calls of the function itself with each of D1 and D2: 0.118 and 0.0364"
    assert evidence_words.confirmation(replace(confirmation, agrees=False)).startswith("not by 20,000 calls")


def test_the_strongest_counterexample_on_one_line():
    strongest = samples.anytime_violation().strongest
    assert evidence_words.strongest(strongest, 0.7) == (
        "epsilon at least 1.37 by output[-1] < 0.25 on "
        "D1 = [2.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], "
        "D2 = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]"
    )
    assert evidence_words.strongest(replace(strongest, epsilon_lower=None), 0.7).startswith("by output[-1]")


def test_no_bound_is_told_as_the_claim_that_it_refutes():
    """Wherever there is a bound: where all that is known is that the claim does not hold, it is more than the claim."""
    found = samples.anytime_violation()
    claimed = found.epsilon_tested
    at_claim = replace(
        found,
        epsilon_lower=claimed,
        counterexample=replace(found.counterexample, epsilon_lower=claimed),
        strongest=replace(found.strongest, epsilon_lower=claimed),
    )
    result = Result(samples.mechanism(), at_claim)

    assert words.lower_words(at_claim) == f"epsilon is more than {claimed:g}"
    assert editor.bound_title(at_claim) == f"ε > {claimed:g} at 99.9%"
    assert evidence_words.strongest(at_claim.strongest, claimed).startswith(f"epsilon more than {claimed:g} by")
    assert f"at least {claimed:g}" not in documents.message(result)
    document = json_document.result_json(result)
    assert document["epsilon_lower"] == claimed
    assert "epsilon_lower" not in {**document["counterexample"], **document["strongest"]}


def at_point(epsilon, delta, rho=None):
    parameters = () if rho is None else (Argument("rho", rho, ""),)
    return TestedEpsilon(
        epsilon=epsilon, delta=delta, parameters=parameters, p_value=1.0, lower=0.0, runs=1, rejected=False
    )


@pytest.mark.parametrize(
    ("tested", "said"),
    [
        ([at_point(0.5, 0.0)], "epsilon = 0.5"),
        (
            [at_point(0.2, 0.1, 0.5), at_point(0.4, 0.01, 0.5), at_point(0.9, 0.2, 1.0), at_point(1.4, 0.1, 1.0)],
            "4 points of the curve that is claimed at rho = 0.5 and rho = 1.0",
        ),
        ([at_point(0.2, 0.1), at_point(0.4, 0.01)], "2 points of the curve that is claimed"),
    ],
)
def test_points_of_a_curve_are_counted_and_not_listed(tested, said):
    assert words.tested_words(tuple(tested)) == said


@pytest.mark.parametrize(("number", "said"), [(0.5, "0.5"), (1.25e-5, "1.25e-5"), (6.735885360722571, "6.736")])
def test_a_claimed_number_is_as_it_was_written_unless_nobody_would_write_it(number, said):
    assert numerals.claimed(number) == said
