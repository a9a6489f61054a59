"""Whole anytime audits with a real runner: what they find, and what their outcomes say."""

import importlib.util
import math
import re
from dataclasses import replace

import numpy as np
import pytest

from dplint.audit.betting.outcome import Reporter
from dplint.audit.session import AuditSession
from dplint.outcomes import Failed, FailureKind, NoViolation, StopReason, Underpowered, Untestable, Violation
from dplint.program.refusals import Unsupported
from dplint.report.event_words import event_words
from dplint.runner.client import RunnerError
from tests.audit.conftest import audited, outcome_of, read_fixtures
from tests.mechanisms import Handing

pytestmark = pytest.mark.process

STATDP = read_fixtures("statdp")
WRONG = ["histogram_eps", "isvt1", "isvt2", "isvt3", "isvt4", "noisy_max_v1b", "noisy_max_v2b"]
RIGHT = ["histogram", "noisy_max_v1a", "noisy_max_v2a", "svt"]
CHECKED = 3_000
"""Runs on each side of an independent simulation of a counterexample."""


@pytest.fixture(scope="module")
def violations():
    """The outcomes of the wrong mechanisms of the paper, by a seed (as two in three are) under which data of five
    answers are found for all of them.
    """
    return {name: outcome_of(STATDP[name], max_runs=3_000_000, seed=2) for name in WRONG}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_mechanisms_are_found(violations, name):
    outcome = violations[name]

    assert isinstance(outcome, Violation), outcome
    assert (outcome.epsilon_tested, outcome.delta_tested, outcome.confidence) == (0.7, 0.0, 0.999)
    assert outcome.effort.stop is StopReason.VIOLATION


def function_of(target):
    """The user's own function, in this process."""
    path = target.mechanism.path
    spec = importlib.util.spec_from_file_location("under_test", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, target.mechanism.qualname)


@pytest.mark.parametrize("name", WRONG)
def test_a_counterexample_is_what_independent_runs_show(violations, name):
    """By Python's `eval` of the event on outputs of the function itself: six standard errors, the seed is fixed."""
    function, rng = function_of(STATDP[name]), np.random.default_rng(20_26)
    outcome = violations[name]
    for found in filter(None, (outcome.counterexample, outcome.strongest)):
        witness, counted = found.witness, found.evidence
        arguments = {argument.name: argument.value for argument in witness.arguments}
        event = compile(witness.event, "event", "eval")
        sides = ((witness.d1, counted.count1, counted.runs1), (witness.d2, counted.count2, counted.runs2))
        for data, count, runs in sides:
            hits = sum(bool(eval(event, {"output": function(rng, data, **arguments)})) for _ in range(CHECKED))
            p = (hits + count + 1) / (CHECKED + runs + 2)
            error = math.sqrt(p * (1 - p) * (1 / CHECKED + 1 / runs))
            assert abs(hits / CHECKED - count / runs) <= 6 * error


@pytest.mark.parametrize("name", WRONG)
def test_the_draws_of_a_counterexample_give_an_output_in_its_event(violations, name):
    found = violations[name].counterexample
    generator = Handing(one.value for one in found.draws)

    output = function_of(STATDP[name])(
        generator, found.witness.d1, **{argument.name: argument.value for argument in found.witness.arguments}
    )

    assert found.draws
    assert generator.left == []
    assert eval(found.witness.event, {"output": output})


@pytest.mark.parametrize("name", WRONG)
def test_the_numbers_of_a_violation_agree_with_each_other(violations, name):
    outcome = violations[name]
    (tested,) = outcome.tested
    assert tested.rejected
    assert outcome.epsilon_lower == tested.lower >= outcome.epsilon_tested
    assert tested.log_e_value >= -math.log(outcome.effort.alpha)
    assert tested.p_value == pytest.approx(math.exp(-tested.log_e_value))
    assert tested.p_value <= outcome.effort.alpha
    assert outcome.confirmation is None or outcome.confirmation.agrees
    for found in filter(None, (outcome.counterexample, outcome.strongest)):
        counted = found.evidence
        assert counted.p_value == pytest.approx(min(1.0, math.exp(-counted.log_e_value)))
        for share, interval in ((counted.p1, counted.interval1), (counted.p2, counted.interval2)):
            assert interval.low <= share <= interval.high
        assert counted.p1 > math.exp(outcome.epsilon_tested) * counted.p2


@pytest.mark.parametrize("name", WRONG)
def test_the_bound_is_not_above_the_loss_that_is_known(violations, name):
    """Closed forms for ten answers and N = 1 (truth.json); data of five answers have no larger ones."""
    largest = {
        "histogram_eps": 1 / 0.7, "isvt2": 3.5, "isvt3": 1.225, "isvt4": 3.5, "noisy_max_v1b": 3.5,
    }.get(name, math.inf)  # fmt: skip

    assert violations[name].epsilon_lower <= largest


@pytest.mark.parametrize("name", WRONG)
def test_the_simplest_counterexample_is_no_harder_than_the_strongest(violations, name):
    def difficulty(found):
        d1, d2 = found.witness.d1, found.witness.d2
        broken = sum(not float(x).is_integer() for x in [*d1, *d2])
        return len(d1), broken, sum(a != b for a, b in zip(d1, d2, strict=True))

    outcome = violations[name]
    assert difficulty(outcome.counterexample) <= difficulty(outcome.strongest or outcome.counterexample)
    assert outcome.counterexample.evidence.log_e_value >= -math.log(outcome.effort.alpha) - 1e-9


@pytest.mark.parametrize("name", RIGHT)
def test_right_mechanisms_are_not_found(name):
    """A false alarm has probability at most 0.001, and the seed is fixed."""
    outcome = outcome_of(STATDP[name], max_runs=300_000)

    assert isinstance(outcome, NoViolation), outcome
    (tested,) = outcome.tested
    assert not tested.rejected
    assert tested.lower <= 0.7
    assert outcome.effort.pairs >= 14
    assert outcome.effort.events > 5
    assert outcome.effort.stop in (StopReason.BUDGET, StopReason.NOTHING_LEFT)


def without_time(outcome):
    return replace(outcome, effort=replace(outcome.effort, seconds=0.0))


@pytest.mark.parametrize(
    ("name", "given"), [("noisy_max_v1b", {}), ("noisy_max_v1a", {"max_runs": 200_000, "keep_going": True})]
)
def test_the_same_seed_gives_the_same_outcome(name, given):
    first, second = (outcome_of(STATDP[name], **given) for _ in range(2))
    other = outcome_of(STATDP[name], **given, seed=6)

    assert without_time(first) == without_time(second)
    assert without_time(first) != without_time(replace(other, effort=replace(other.effort, seed=5)))


GENERAL = """
import time

def m_constant(rng, queries):
    return 3.0

def m_leak(rng, queries):
    return queries[0] > 0.5

def m_raises(rng, queries):
    raise ValueError("never " + "works")

def m_without_program(rng, queries):
    memoryview(b"not read")
    return queries[0] + rng.laplace(scale=0.3)

def m_slow(rng, queries):
    noise = rng.laplace()
    time.sleep(1e-3 if noise > 0 else 2e-3)  # so that each run sleeps by itself
    return queries[0] + noise

def m_classic(rng, queries):
    sigma = math.sqrt(2 * math.log(1.25 / 0.01)) / 0.7
    return queries[0] + rng.normal(scale=sigma)

def m_classic_halved(rng, queries):
    sigma = math.sqrt(2 * math.log(1.25 / 0.01)) / 0.7
    return queries[0] + rng.normal(scale=sigma / 2)
"""


@pytest.fixture
def general(targets):
    return targets(GENERAL)


def test_a_constant_leaves_nothing_to_gain(general):
    """Long before a budget of ten million runs; and as there was no event, nothing is said of the claim."""
    outcome = outcome_of(general["m_constant"], max_runs=10_000_000)

    assert isinstance(outcome, Untestable)
    assert outcome.code == "DP908"
    runs = re.search(r"all ([\d,]+) runs returned 3\.0", outcome.reason)
    assert int(runs[1].replace(",", "")) < 2_000_000


def test_a_function_of_the_data_is_found_at_once(general):
    outcome = outcome_of(general["m_leak"])

    assert isinstance(outcome, Violation)
    evidence = outcome.counterexample.evidence
    assert {evidence.p1, evidence.p2} == {0.0, 1.0}
    assert outcome.counterexample.witness.event in ("output == True", "output == False")
    assert outcome.epsilon_lower > 1.0
    assert outcome.effort.runs < 50_000


def test_a_mechanism_that_always_raises_is_a_failure_and_not_clean(general):
    outcome = outcome_of(general["m_raises"])

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.INPUT
    assert "ValueError: never works" in outcome.reason


def test_many_runs_at_once_are_made_of_a_mechanism_without_a_program(general):
    target = general["m_without_program"]
    assert isinstance(target.program, Unsupported)
    # On a busy machine requests are made smaller where the deadline comes near, and the runs are other ones.
    first, second = (outcome_of(target, max_runs=100_000, deadline=1000.0) for _ in range(2))

    assert isinstance(first, Violation)
    assert first.effort.notes == ()
    assert first.confirmation is not None
    assert first.confirmation.agrees
    assert without_time(first) == without_time(second)


def test_plain_calls_and_lanes_reach_the_same_verdict(general):
    refused = Unsupported("a test", general["m_leak"].mechanism.span, "")
    outcome = outcome_of(STATDP["noisy_max_v2b"], program=refused, max_runs=400_000)

    assert isinstance(outcome, Violation)


def test_a_slow_mechanism_keeps_its_budget(general):
    """Each run takes a millisecond at least: so there are at most twice as many as the budget has."""
    outcome = outcome_of(general["m_slow"], max_runs=None, budget=1.0)

    assert isinstance(outcome, Underpowered), "a thousand runs on all inputs together show next to nothing"
    assert outcome.power is None or outcome.power.epsilon > 2 * outcome.power.claimed
    assert any("a call of time.sleep" in one for one in outcome.helps)
    assert outcome.effort.stop is StopReason.BUDGET
    assert outcome.effort.runs <= 2 * 1_000
    assert outcome.effort.events > 0


def test_the_classic_gaussian_passes_and_half_its_sigma_does_not(targets):
    """The classic analysis is not tight: at its own sigma the least delta is a quarter of the claimed one, or less."""
    claims = targets(GENERAL, 'epsilon=0.7, delta=0.01, neighbors="l2", size=5')
    right, wrong = (outcome_of(claims[name], max_runs=2_000_000) for name in ("m_classic", "m_classic_halved"))

    assert isinstance(right, NoViolation)
    assert isinstance(wrong, Violation)
    found = wrong.counterexample.evidence
    assert found.p1 > math.exp(0.7) * found.p2 + 0.01
    assert wrong.delta_tested == 0.01


CUSTOM = """
class Ledger:
    def __init__(self, amounts):
        self.amounts = amounts

def neighbours():
    for size in (2, 4):
        yield Ledger([1.0] * size), Ledger([1.0] * (size - 1) + [3.0])

def m_right(rng, ledger):
    return sum(ledger.amounts) + rng.laplace(scale=2.0)

def m_wrong(rng, ledger):
    return sum(ledger.amounts) + rng.laplace(scale=0.5)
"""


def test_pairs_of_the_users_own(targets):
    """Objects stay in the runner, so that every run calls the function; a pair is shown by what `repr` says."""
    claims = targets(CUSTOM, 'epsilon=1.0, neighbors=":neighbours"')
    right, wrong = (outcome_of(claims[name], max_runs=100_000) for name in ("m_right", "m_wrong"))

    assert isinstance(right, NoViolation)
    assert isinstance(wrong, Violation)
    assert "Ledger" in wrong.counterexample.witness.d1
    assert any(note.startswith("every run calls the function") for note in wrong.effort.notes)


def test_data_frames():
    pytest.importorskip("pandas", reason="the mechanisms take a DataFrame")
    census = read_fixtures("realistic")
    wrong = outcome_of(census["people_by_known_district"], max_runs=20_000)
    right = outcome_of(census["people_by_district"], max_runs=4_000)

    assert isinstance(wrong, Violation)
    assert isinstance(right, NoViolation | Underpowered)


LOCAL = """
def m_coin(rng, answer: int):
    return answer if rng.random() < 0.75 else 1 - answer

def m_loaded(rng, answer: int):
    return answer if rng.random() < 0.9 else 1 - answer
"""


def test_local_privacy(targets):
    """ln 3 = 1.0986 is what the fair coins cost; the loaded ones cost ln 9."""
    claims = targets(LOCAL, 'epsilon=1.1, neighbors="any", domain=[0, 1]')
    right, wrong = outcome_of(claims["m_coin"]), outcome_of(claims["m_loaded"], keep_going=True)

    assert isinstance(right, NoViolation)
    assert right.tested[0].lower <= math.log(3)
    assert isinstance(wrong, Violation)
    assert 2.0 < wrong.epsilon_lower <= math.log(9)


def test_several_values_of_the_claim_share_alpha():
    """The evidence that refutes one of three has to be three times as strong."""
    outcome = outcome_of(STATDP["histogram_eps"], epsilons=(0.2, 0.7, 1.5), keep_going=True, max_runs=600_000)

    assert [tested.epsilon for tested in outcome.tested] == [0.2, 0.7, 1.5]
    assert [tested.rejected for tested in outcome.tested] == [True, True, False]
    for tested in outcome.tested:
        assert tested.p_value == pytest.approx(min(1.0, 3 * math.exp(-tested.log_e_value)))
        assert tested.lower <= 1 / tested.epsilon
        assert tested.rejected == (tested.p_value <= 0.001)


@pytest.mark.parametrize("limit", [0.0, 0.05, 0.15])
def test_the_time_limit_ends_an_audit_cleanly(limit):
    """Whatever it interrupts: an outcome, and never an error."""
    outcome = outcome_of(STATDP["svt"], time_limit=limit, max_runs=None, budget=30.0)

    assert isinstance(outcome, NoViolation | Underpowered)
    if isinstance(outcome, NoViolation) or outcome.tested:
        assert outcome.effort.stop is StopReason.TIME
    else:
        assert "not enough time" in outcome.why


def test_a_bound_that_the_time_limit_ends_is_a_violation_still(monkeypatch):
    """Going on after a violation: the time is over as soon as there is one, and nothing is lost."""
    hours = [0.0]

    def over(phase, done, total, standing=None):
        hours[0] = 1e9 if standing is not None and standing.share >= 1 else hours[0]

    monkeypatch.setattr(AuditSession, "seconds", property(lambda self: hours[0]))
    outcome = outcome_of(STATDP["histogram_eps"], progress=over, keep_going=True)

    assert isinstance(outcome, Violation)
    assert outcome.effort.stop is StopReason.TIME
    assert outcome.confirmation is None


def test_a_violation_survives_runs_that_fail_once_it_is_known(monkeypatch):
    def fail(*given, **more):
        raise RunnerError(FailureKind.DEADLINE, "one run never came back", "")

    monkeypatch.setattr(Reporter, "_hits", fail)
    outcome = outcome_of(STATDP["noisy_max_v1b"])

    assert isinstance(outcome, Violation)
    assert outcome.confirmation is None


@pytest.mark.parametrize(
    ("given", "words"), [({"max_runs": 1}, "1 runs"), ({"max_runs": None, "budget": 1e-9}, "1e-09 s")]
)
def test_a_budget_that_is_too_small_for_anything_is_told_and_not_clean(given, words):
    outcome = outcome_of(STATDP["noisy_max_v1b"], **given)

    assert isinstance(outcome, Underpowered)
    assert words in outcome.why
    assert outcome.tested == ()


def test_what_cannot_be_run_is_untestable(general):
    target = general["m_leak"]
    unfit = replace(target, mechanism=replace(target.mechanism, untestable="it is a closure"))

    assert outcome_of(unfit) == Untestable(reason="it is a closure")


def test_an_audit_that_found_something_leaves_no_state(general):
    assert audited(general["m_leak"]).state is None


NAMED = """
class Full(Exception):
    pass

def m_returns(rng, queries):
    if queries[0] > 2:
        raise ValueError("too many")
    return sum(queries) / 100 + rng.laplace(scale=2)

def m_own(rng, queries):
    if queries[0] > 2:
        raise Full
    return [sum(queries) / 100 + rng.laplace(scale=2)]
"""


@pytest.mark.parametrize(("name", "raised"), [("m_returns", "ValueError"), ("m_own", "Full")])
def test_a_leak_by_an_exception_names_it(targets, name, raised):
    """On one side it is always raised and on the other never: what is returned there shows the same, and says less.

    The claim names the domain: else nothing would say that what raises is an input.
    """
    found = outcome_of(targets(NAMED, 'epsilon=1.0, neighbors="linf", domain=(0.0, 4.0)')[name])

    assert isinstance(found, Violation)
    witness = found.counterexample.witness
    assert event_words(witness.observation) == f"it raises {raised}"
    assert witness.d1[0] > 2 >= witness.d2[0]
