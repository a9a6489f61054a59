"""The procedure: what it computes is confirmed by the function itself, and what it cannot compute is left to others."""

from __future__ import annotations

import math
import re
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest
from scipy import stats

from dplint.audit import session
from dplint.audit.exact import refuting
from dplint.audit.exact.procedure import _Deciding, exact_procedures
from dplint.audit.procedure import Facts
from dplint.audit.procedures import audit, carry_out
from dplint.audit.settings import claim_settings
from dplint.check.loading import Target, audit_settings, load_file
from dplint.claims import Pair
from dplint.config import Settings
from dplint.jobs import AuditJob, AuditSettings, ExactJob, SourceJob
from dplint.outcomes import (
    Bounds,
    BySource,
    ExactEvidence,
    ExactTable,
    Failed,
    FailureKind,
    Impossible,
    Measure,
    NoViolation,
    Taken,
    Underpowered,
    Untestable,
    Violation,
)
from dplint.program.building import NOWHERE
from dplint.program.refusals import Unsupported
from tests.audit.procedure_tools import Handmade
from tests.exact.exact_tools import targets

SETTINGS = AuditSettings(
    method="anytime", exact_seconds=1.0, epsilons=(0.7,), budget=1.0, seed=1, interpreter=sys.executable
)
NOTHING = Untestable(reason="nobody else was asked")


def job(target, **changes):
    return AuditJob(mechanism=target.mechanism, program=target.program, settings=replace(SETTINGS, **changes))


def alone(target, **changes):
    """What the procedure says, and what it hands on."""
    last = Handmade(NOTHING)
    outcome = audit(job(target, **changes), lambda *_: None, (*exact_procedures(), last)).outcome
    return outcome, last.asked[0] if last.asked else Facts()


def written(tmp_path, body, claim='epsilon="epsilon", neighbors="linf", size=2'):
    path = tmp_path / "module.py"
    path.write_text(f"from dplint import dp\n\n\n@dp({claim})\ndef f(rng, queries, epsilon):\n    {body}\n")
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    return target


WRONG = {
    "noisy_max_v1b": "statdp/noisy_max.py",
    "noisy_max_v2b": "statdp/noisy_max.py",
    "histogram_eps": "statdp/histogram.py",
    "isvt1": "statdp/sparse_vector.py",
    "isvt2": "statdp/sparse_vector.py",
    "isvt3": "statdp/sparse_vector.py",
    "isvt4": "statdp/sparse_vector.py",
}


@pytest.mark.process
@pytest.mark.parametrize("name", WRONG)
def test_the_wrong_mechanisms_of_statdp_are_refuted_and_confirmed(name):
    outcome, _ = alone(targets(WRONG[name])[name])
    assert isinstance(outcome, Violation), outcome
    evidence = outcome.counterexample.evidence
    assert isinstance(evidence, ExactEvidence)
    assert evidence.measure is Measure.PROBABILITY
    assert outcome.confidence == 1.0
    assert outcome.confirmation is not None
    assert outcome.confirmation.agrees
    assert outcome.counterexample.epsilon_lower > 0.7
    if evidence.infinite is None:
        loss = math.log(evidence.p1.middle / evidence.p2.middle)
        assert outcome.counterexample.epsilon_lower == pytest.approx(loss, abs=1e-12)
    else:
        assert isinstance(evidence.infinite, Impossible)
        assert outcome.confirmation.count2 == 0
    # what StatDP's authors say is its true epsilon, or less, at this size
    assert outcome.effort.alpha == 0.0


@pytest.mark.process
def test_a_right_mechanism_has_a_largest_loss():
    target = targets("statdp/sparse_vector.py")["svt"]
    outcome, facts = alone(target)
    assert outcome is not NOTHING or facts.losses
    assert facts.losses
    assert all(loss.loss.high <= 0.7 + 1e-9 for loss in facts.losses)
    assert all(loss.claimed == 0.7 for loss in facts.losses)
    assert not facts.suggestions


@pytest.mark.process
def test_where_nothing_is_found_the_report_has_the_largest_loss():
    target = targets("statdp/histogram.py")["histogram"]
    outcome = carry_out(job(target, budget=0.5), lambda *_: None).outcome
    assert isinstance(outcome, NoViolation | Underpowered)  # that, on a busy machine
    (largest,) = outcome.losses
    # 1.1 - 1.0 and its like are not quite 0.1, and the losses are those of the data as floats have it.
    assert largest.pair.loss.low <= 0.7 + 1e-12
    assert largest.high + 1e-9 >= 0.7
    assert largest.high - largest.pair.loss.low < 1e-8


def test_what_is_refused_costs_little_and_says_nothing(tmp_path):
    outcome, facts = alone(written(tmp_path, "return round(queries[0] + rng.laplace(scale=1 / epsilon))"))
    assert outcome == NOTHING
    assert facts == Facts()


@pytest.mark.process
def test_a_function_that_is_not_the_program_is_not_refuted(tmp_path):
    """The module changes what the function does behind the back of the program: the runs do not agree."""
    target = written(tmp_path, "return queries[0] + rng.laplace(scale=epsilon) > 1.5")
    path = tmp_path / "module.py"
    path.write_text(path.read_text() + "\n\nf.__code__ = (lambda rng, queries, epsilon: rng.random() < 0.5).__code__\n")
    outcome, facts = alone(target)
    assert outcome == NOTHING
    assert facts.losses == ()


@pytest.mark.process
def test_a_claim_that_holds_but_for_the_last_digit_is_not_refuted(tmp_path):
    """2 / 0.7 is a rounded float, and Laplace noise of that scale loses 0.7 and a little in exact arithmetic."""
    target = written(tmp_path, "return queries[0] + rng.laplace(scale=1 / epsilon)")
    outcome, facts = alone(target)
    assert outcome == NOTHING
    assert max(loss.loss.high for loss in facts.losses) == pytest.approx(0.7, abs=1e-8)


def test_a_program_that_could_not_be_lowered_is_not_asked_for():
    target = targets("statdp/histogram.py")["histogram"]
    unread = replace(job(target), program=Unsupported("a lambda", NOWHERE))
    last = Handmade(NOTHING)
    assert audit(unread, lambda *_: None, (*exact_procedures(), last)).outcome == NOTHING


def test_the_table_of_a_pair():
    target = targets("statdp/sparse_vector.py")["isvt1"]
    asked = ExactJob(
        mechanism=target.mechanism,
        program=target.program,
        settings=SETTINGS,
        d1=[2.0, 0.0],
        d2=[1.0, 1.0],
        arguments=(("T", 1.0), ("epsilon", 0.7)),
    )
    table = carry_out(asked, lambda *_: None)
    assert isinstance(table, ExactTable)
    assert table.refutes
    assert table.forwards[0].output == "[True, False]"
    # the threshold 1 + X lies between 0 and 2 with probability 1 - e**(-0.35)
    mass = 1 - math.exp(-0.7 / 2)
    assert table.forwards[0].p1.low <= mass * (1 + 1e-14)
    assert table.forwards[0].p1.high >= mass * (1 - 1e-14)
    assert isinstance(table.forwards[0].infinite, Impossible)


@pytest.mark.parametrize(("scale", "refuted"), [(1.0, True), (5.0, False)])
def test_the_table_of_a_claim_with_delta(scale, refuted, tmp_path):
    """Normal noise keeps no epsilon alone; Balle and Wang (ICML 2018), Theorem 8, for what it keeps with a delta."""
    claim = 'epsilon=1.0, delta=1e-5, neighbors="linf", size=1'
    target = written(tmp_path, f"return queries[0] + rng.normal(scale={scale})", claim)
    settings = replace(SETTINGS, epsilons=())
    asked = ExactJob(
        mechanism=target.mechanism,
        program=target.program,
        settings=settings,
        d1=[0.0],
        d2=[1.0],
        arguments=(("epsilon", 1.0),),
    )
    table = carry_out(asked, lambda *_: None)
    assert isinstance(table, ExactTable)
    assert table.refutes is refuted
    expected = stats.norm.cdf(0.5 / scale - scale) - math.exp(1.0) * stats.norm.cdf(-0.5 / scale - scale)
    assert table.at_claim is not None
    assert table.at_claim.delta.low <= expected + 1e-12
    assert table.at_claim.delta.high >= expected - 1e-12
    assert table.at_claim.delta.high - table.at_claim.delta.low < 1e-9


def test_a_pair_with_a_lower_bound_only_is_left_to_the_bets(tmp_path, monkeypatch):
    """Of logistic noise that is cut off no upper bound is known: the largest lower one is where to bet first."""
    monkeypatch.setattr(refuting, "_SECONDS_FOR_SEARCH", math.inf)  # the time is for a slow machine, not for a climb
    body = "return max(0.0, queries[0] + rng.logistic(scale=2 / epsilon))"
    outcome, facts = alone(written(tmp_path, body), exact_seconds=20.0)
    assert outcome == NOTHING
    (suggested,) = facts.suggestions
    worst = max(facts.losses, key=lambda one: one.loss.low)
    assert worst.loss.high == math.inf
    assert (suggested.pair.d1, suggested.pair.d2) == (worst.d1, worst.d2)
    assert suggested.arguments == worst.arguments


@pytest.mark.process
def test_it_finds_what_a_branch_leads_to_and_the_patterns_do_not_reach(tmp_path):
    """From 2.5 on, where no pattern of one answer comes, half of the noise is missing."""
    body = "return queries[0] + rng.laplace(scale=1 / epsilon if queries[0] < 2.5 else 0.5 / epsilon)"
    target = written(tmp_path, body, claim='epsilon="epsilon", neighbors="linf", size=1')
    outcome, _ = alone(target, exact_seconds=5.0)
    assert isinstance(outcome, Violation)
    witness = outcome.counterexample.witness
    assert max(witness.d1 + witness.d2) >= 2.5
    assert abs(witness.d1[0] - witness.d2[0]) <= 1
    assert outcome.confirmation.agrees


@pytest.mark.process
def test_what_governs_noise_is_not_moved(tmp_path):
    """Nobody has written down that a sensitivity is at least 1, and half of it is half of the noise."""
    target = written(tmp_path, "return queries[0] + rng.laplace(scale=sensitivity / epsilon)")
    path = tmp_path / "module.py"
    path.write_text(path.read_text().replace("epsilon):", "epsilon, sensitivity):"))
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    outcome, facts = alone(target, exact_seconds=5.0)
    assert outcome == NOTHING
    assert {{one.name: one.value for one in loss.arguments}["sensitivity"] for loss in facts.losses} == {1}
    assert max(loss.loss.high for loss in facts.losses) == pytest.approx(0.7, abs=1e-8)


def kept_by_normal_noise(epsilon, scale):
    """Balle and Wang (ICML 2018), Theorem 8: the least delta for data that differs by 1."""
    half, shift = 1 / (2 * scale), epsilon * scale
    return float(stats.norm.cdf(half - shift) - math.exp(epsilon) * stats.norm.cdf(-half - shift))


@pytest.mark.process
@pytest.mark.parametrize(("scale", "refuted"), [(3.0, True), (3.731, False)])
def test_a_claim_with_delta_is_decided_by_the_loss_with_that_delta(scale, refuted, tmp_path):
    """3.7306316 is the least scale of normal noise that keeps (1, 1e-5) for data that differs by 1."""
    assert (kept_by_normal_noise(1.0, scale) > 1e-5) is refuted
    claim = 'epsilon=1.0, delta=1e-5, neighbors="linf", size=1'
    outcome, facts = alone(written(tmp_path, f"return queries[0] + rng.normal(scale={scale})", claim))

    if refuted:
        assert isinstance(outcome, Violation), outcome
        found = outcome.counterexample
        assert isinstance(found.evidence, ExactEvidence)
        p1, p2 = found.evidence.p1.low, found.evidence.p2.high
        assert p1 - math.exp(1.0) * p2 > 1e-5
        assert found.epsilon_lower > 1.0
        # No event can show more than the pair loses.
        assert kept_by_normal_noise(found.epsilon_lower, scale) >= 1e-5 - 1e-12
    else:
        assert facts.losses
        largest = max(facts.losses, key=lambda one: one.loss.low)
        assert largest.loss.high <= 1.0
        assert kept_by_normal_noise(largest.loss.low, scale) == pytest.approx(1e-5, rel=1e-4)


HIDDEN = """threshold = 3.0 * flag
    if queries[0] + rng.laplace(scale=2 / epsilon) > threshold:
        return True
    return False if flag < 2 else queries[1] + rng.laplace(scale=0.25 / epsilon) > 1"""


def chosen(tmp_path, body, args, name):
    path = tmp_path / "chosen.py"
    claim = f'epsilon="epsilon", neighbors="linf", size=2, args={args}'
    path.write_text(f"from dplint import dp\n\n\n@dp({claim})\ndef f(rng, queries, epsilon, {name}):\n    {body}\n")
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    return target


@pytest.mark.process
def test_a_violation_that_only_another_choice_of_arguments_shows_is_computed(tmp_path):
    """With flag = 2, which is not tried first, the second answer has noise of an eighth of what it needs."""
    target = chosen(tmp_path, HIDDEN, "{'flag': [0, 1, 2]}", "flag")
    outcome, _ = alone(target, exact_seconds=2.0)
    assert isinstance(outcome, Violation), outcome
    witness = outcome.counterexample.witness
    assert {one.name: one.value for one in witness.arguments}["flag"] == 2
    assert outcome.counterexample.epsilon_lower > 0.7


@pytest.mark.process
def test_arguments_are_climbed_on_a_grid_and_between():
    """T = 1 loses 0.632 on the patterns of svt (the published largest one there), other thresholds as much or more."""
    target = targets("statdp/sparse_vector.py")["svt"]
    _, facts = alone(target, exact_seconds=3.0)
    tried = [{one.name: one.value for one in loss.arguments}["T"] for loss in facts.losses]
    assert 0.5 in tried or 1.5 in tried, "between"
    assert {0, 2} & set(tried), "on the grid"
    assert all(loss.loss.high <= 0.7 + 1e-9 for loss in facts.losses), "svt keeps its claim"


def by_source(target, **changes):
    asked = SourceJob(mechanism=target.mechanism, program=target.program, settings=replace(SETTINGS, **changes))
    found = carry_out(asked, lambda *_: None)
    assert isinstance(found, BySource), found
    return found


@pytest.mark.parametrize("name", ["isvt1", "noisy_max_v1b"])
def test_the_source_alone_shows_what_would_refute_a_claim_and_starts_nothing(name, monkeypatch):
    monkeypatch.setattr(session, "Runner", None)
    found = by_source(targets(WRONG[name])[name])
    assert found.against is not None
    assert found.against.code == "DP901"
    assert found.against.lower > found.against.epsilon == 0.7
    if found.against.evidence.infinite is None:
        loss = math.log(found.against.evidence.p1.middle / found.against.evidence.p2.middle)
        assert found.against.lower == pytest.approx(loss, abs=1e-12)


def test_the_source_alone_says_nothing_against_a_claim_that_is_kept():
    found = by_source(targets("statdp/histogram.py")["histogram"])
    assert found.against is None
    (largest,) = found.losses
    assert largest.high <= 0.7 + 1e-9


def test_an_input_that_refutes_another_program_is_computed_first(monkeypatch):
    """What it refutes as well costs no search for arguments, and of what it does not refute all else is computed."""
    wrong, right = targets("statdp/sparse_vector.py")["isvt3"], targets("statdp/sparse_vector.py")["svt"]
    witness = by_source(wrong).against.witness
    job = SourceJob(mechanism=wrong.mechanism, program=wrong.program, settings=SETTINGS, worst=witness)
    kept = replace(job, mechanism=right.mechanism, program=right.program, before=wrong.program)
    (largest, *_) = carry_out(kept, lambda *_: None).losses
    assert largest.pairs > 1
    assert set(largest.pair.arguments) == set(witness.arguments), "no others are chosen"

    monkeypatch.setattr("dplint.audit.exact.source_alone.Refuting", None)
    found = carry_out(job, lambda *_: None)
    assert (found.against.witness.d1, found.against.witness.d2) == (witness.d1, witness.d2)
    assert found.against.lower > found.against.epsilon
    assert found.losses[0].pairs == 1


def test_nothing_can_be_started_for_the_source_alone(tmp_path):
    target = written(tmp_path, "return queries[0] + rng.laplace(scale=1 / epsilon)")
    asked = SourceJob(mechanism=target.mechanism, program=target.program, settings=SETTINGS)
    with (
        session.AuditSession(asked, [], lambda *_: None) as made,
        pytest.raises(session.NothingToRun, match="only the source"),
    ):
        made.load()


class Impatient:
    """Somebody who asks for an end after some looks at the progress."""

    def __init__(self, patience):
        self.patience, self.looks = patience, 0

    def __call__(self, *_):
        pass

    @property
    def cancelled(self):
        self.looks += 1
        return self.looks > self.patience


@pytest.mark.parametrize("patience", [1, 3, 5, 40])
def test_an_audit_that_is_cancelled_while_it_computes_ends_as_cancelled(patience):
    target = targets("statdp/sparse_vector.py")["svt"]
    progress = Impatient(patience)
    outcome = audit(job(target, exact_seconds=20.0), progress, (*exact_procedures(), Handmade(NOTHING))).outcome
    assert isinstance(outcome, Failed), outcome
    assert outcome.kind is FailureKind.CANCELLED
    assert progress.looks == patience + 1, "nothing goes on after that"


def test_where_nothing_can_be_computed_what_a_branch_asks_for_is_suggested(tmp_path):
    """A product of two noisy numbers is refused; the lead of 8 is what the bets should try."""
    body = (
        "return (queries[0] > queries[1] + 8) + (queries[1] + rng.laplace(scale=1 / epsilon)) * rng.laplace(scale=1.0)"
    )
    outcome, facts = alone(written(tmp_path, body))
    assert outcome == NOTHING
    assert not facts.losses
    first, *_ = facts.suggestions
    ways = {side[0] > side[1] + 8 for side in (first.pair.d1, first.pair.d2)}
    assert ways == {True, False}


GATES = """if queries[0] + queries[1] > 20:
        return 0.0
    return (1.0 if queries[0] > 3 else 0.0) + rng.laplace(scale=1 / epsilon)"""


@pytest.mark.process
def test_it_says_which_branches_of_data_were_taken(tmp_path):
    target = written(tmp_path, GATES, 'epsilon="epsilon", neighbors="linf", size=2, domain=(0.0, 10.0)')

    def told(session, *_):
        return NoViolation(tested=(), choices=(), confidence=0.999, effort=session.effort())

    found = audit(job(target), lambda *_: None, (*exact_procedures(), Handmade(told))).outcome
    assert [(one.taken, one.impossible) for one in found.effort.branches] == [
        (Taken.ONLY_FALSE, (True,)),
        (Taken.BOTH, ()),
    ]
    quick = audit(job(target, exact_seconds=0.4), lambda *_: None, (*exact_procedures(), Handmade(told))).outcome
    assert quick.effort.branches == ()


def test_at_night_it_climbs_from_the_start_until_the_time_is_over(tmp_path, monkeypatch):
    settings = Settings(profile="nightly")
    target = written(tmp_path, "return [x + rng.laplace(scale=1 / epsilon) for x in queries][0]")
    assert audit_settings(settings, target.mechanism).exact_seconds >= refuting._SECONDS_FOR_SEARCH
    assert audit_settings(Settings(), target.mechanism).exact_seconds < refuting._SECONDS_FOR_SEARCH
    _, before = alone(target)
    monkeypatch.setattr(refuting, "_SECONDS_FOR_SEARCH", 0.9)
    _, facts = alone(target)
    assert len(facts.losses) > len(before.losses)
    assert max(one.loss.low for one in facts.losses) <= 0.7 + 1e-9


@pytest.mark.process
def test_what_it_does_not_refute_it_can_climb_to(tmp_path):
    """The loss of the square is only counted in runs; the climb hands its input on."""
    target = written(tmp_path, "return (queries[0] + rng.laplace(scale=1 / epsilon)) ** 2 > 4")
    losses, climbed = [], []

    def searching(_session, _job, facts):
        losses.extend(facts.losses)
        climbed.extend(facts.search(claim_settings(target.mechanism, (0.7,))[0], 2.0))
        return NOTHING

    audit(job(target), lambda *_: None, (*exact_procedures(), Handmade(searching)))
    assert losses == []
    (one,) = climbed
    assert one.pair.d1[0] != one.pair.d2[0]


@pytest.mark.parametrize("bound", [0.69999996, 2 / 3, 1.0000006, 1234567.8, 3.1e-7 * (1 - 1e-9), 0.7])
def test_a_loss_that_is_left_to_the_bets_is_said_rounded_down(bound):
    notes: list[str] = []
    session = SimpleNamespace(coverage=SimpleNamespace(note=notes.append))
    pair = SimpleNamespace(pair=Pair([0.0], [1.0], "one", 1), loss=Bounds(bound, math.inf), arguments=())
    _Deciding(session, None, None)._leave_to_bets(pair)  # type: ignore[arg-type]

    (said,) = re.findall("at least ([^ ]*) was", notes[0])
    assert bound * (1 - 1e-5) <= float(said) <= bound
