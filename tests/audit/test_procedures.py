"""Procedures are asked in turn, each with what it needs and with what is known; and what becomes of their answers."""

import math
import os
from dataclasses import replace
from itertools import groupby
from unittest import mock

import pytest

from dplint.audit.betting import rounds
from dplint.audit.procedure import Facts, Needs
from dplint.audit.procedures import audit, audit_procedures, carry_out, settled
from dplint.audit.progress import Cancelled, NothingToRun, OutOfTime
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes, WrongTranslation
from dplint.claims import Metric, Stability
from dplint.jobs import ANYTIME, AuditJob
from dplint.outcomes import (
    Bounds,
    Effort,
    Failed,
    FailureKind,
    NotRefuted,
    NoViolation,
    OutputPair,
    PairLoss,
    Proved,
    Underpowered,
    Unstable,
    Untestable,
    Violation,
)
from dplint.program.refusals import Unsupported
from dplint.runner.client import DataValue, RunnerError
from dplint_statdp import procedures as statdp_procedures
from tests.audit.conftest import settings_with
from tests.audit.procedure_tools import Handmade, raising, suggestion
from tests.report.report_samples import PROVED

pytestmark = pytest.mark.process

SOURCE = """
def m_right(rng, queries):
    return queries[0] + rng.laplace(scale=1.0)

def m_wrong(rng, queries):
    return queries[0] + rng.laplace(scale=0.2)
"""
ANSWER = Failed(kind=FailureKind.INPUT, reason="an answer of its own")
BETTING = audit_procedures()


@pytest.fixture
def found(targets):
    return targets(SOURCE)


def job_of(target, *, program=None, state=None, **given):
    return AuditJob(
        mechanism=target.mechanism,
        program=program or target.program,
        settings=settings_with(**{"max_runs": 50_000, **given}),
        state=state,
    )


def asked(job, *procedures, progress=lambda *_: None):
    return audit(job, progress, procedures)


def unsupported(target):
    return Unsupported("a test", target.mechanism.span)


@pytest.fixture
def no_process():
    """Fails if a runner is started."""
    with mock.patch("dplint.audit.session.Runner", side_effect=AssertionError("a runner was started")):
        yield


@pytest.mark.parametrize("needs", [Needs.NOTHING, Needs.PROGRAM])
def test_a_procedure_that_decides_at_once_ends_the_audit_and_no_process_is_started(found, no_process, needs):
    later = Handmade(needs=Needs.RUNS)

    audited = asked(job_of(found["m_right"]), Handmade(ANSWER, needs), later)

    assert audited.outcome == ANSWER
    assert audited.state is None
    assert later.asked == []


def test_a_procedure_that_has_nothing_to_say_leaves_it_to_the_next(found):
    first, second, later = Handmade(), Handmade(ANSWER), Handmade()

    assert asked(job_of(found["m_right"]), first, second, later).outcome == ANSWER
    assert (first.asked, second.asked, later.asked) == ([Facts()], [Facts()], [])


def test_where_nobody_has_anything_to_say_the_mechanism_is_untestable(found):
    silent = asked(job_of(found["m_right"]), Handmade(), Handmade(Facts())).outcome
    program = unsupported(found["m_right"])
    unread = asked(job_of(found["m_right"], program=program), Handmade(ANSWER, Needs.PROGRAM)).outcome

    assert isinstance(silent, Untestable)
    assert isinstance(unread, Untestable)
    assert f"a test at line {program.span.line} is not understood" in unread.reason


def test_facts_reach_all_later_procedures_in_their_order(found):
    one, two = suggestion([1.0], [0.0]), suggestion([2.0], [1.0])
    partial, full = replace(PROVED, epsilon_upper=0.5), replace(PROVED, epsilon_upper=0.7)
    last = Handmade(ANSWER)
    asked(
        job_of(found["m_right"]),
        Handmade(Facts((one,), proof=partial)),
        Handmade(),
        Handmade(Facts((two,), (LOSS,))),
        Handmade(Facts(proof=full)),
        last,
    )

    assert last.asked == [Facts((one, two), (LOSS,), full)]


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (RunnerError(FailureKind.CRASH, "it died", "of this"), FailureKind.CRASH, "it died"),
        (NothingToRun("there is no pair"), FailureKind.INPUT, "there is no pair"),
        (Cancelled(), FailureKind.CANCELLED, "ended before"),
    ],
)
def test_what_keeps_a_procedure_from_an_answer_is_a_failure_and_ends_the_audit(found, error, kind, words):
    def answer(session, job, facts):
        session.coverage.runs = 7
        session.coverage.note("on the way")
        raise error

    later = Handmade()
    outcome = asked(job_of(found["m_right"]), Handmade(answer), later).outcome

    assert isinstance(outcome, Failed)
    assert outcome.kind is kind
    assert words in outcome.reason
    assert outcome.detail == ("of this" if kind is FailureKind.CRASH else "")
    assert (outcome.effort.method, outcome.effort.runs, outcome.effort.notes) == ("handmade", 7, ("on the way",))
    assert later.asked == []


@pytest.mark.parametrize(
    "error",
    [OutOfTime("the hour is over"), RunnerError(FailureKind.BUDGET, "not enough time: the hour is over")],
    ids=["limit", "busy machine"],
)
def test_where_time_is_short_the_audit_is_underpowered_and_no_failure(found, error):
    def answer(session, job, facts):
        session.coverage.runs = 7
        raise error

    outcome = asked(job_of(found["m_right"]), Handmade(answer)).outcome

    assert isinstance(outcome, Underpowered)
    assert outcome.why == "not enough time: the hour is over"
    assert outcome.effort.runs == 7
    assert outcome.helps


def test_errors_of_dplint_are_raised(found):
    with pytest.raises(ZeroDivisionError):
        asked(job_of(found["m_right"]), Handmade(raising(ZeroDivisionError())))


def test_an_interpreter_that_does_not_start_is_a_failure_of_the_import(found):
    outcome = carry_out(job_of(found["m_right"], interpreter="/no/such/python"), lambda *_: None).outcome

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.IMPORT
    assert "/no/such/python" in outcome.reason


def test_an_untestable_claim_is_answered_before_anybody_is_asked(found, no_process):
    never = Handmade(ANSWER)
    job = job_of(found["m_right"])
    method = replace(job, mechanism=replace(job.mechanism, untestable="it is a method"))
    promises_nothing = replace(job, mechanism=replace(job.mechanism, claim=replace(job.mechanism.claim, epsilon=0.0)))

    assert asked(method, never).outcome == Untestable(reason="it is a method")
    assert "no positive epsilon" in asked(promises_nothing, never).outcome.reason
    assert never.asked == []


def runs_on(places):
    """Makes a few runs and tells whether they were on lanes."""

    def answer(session, job, facts):
        list(session.sample([DataValue([0.0]), DataValue([1.0])], {}, 5, (0,), "running"))
        places.append((session.lanes is not None, session.runs, session.coverage.notes[:]))

    return answer


def test_each_has_runs_as_it_needs_them(found):
    places = []
    asked(
        job_of(found["m_right"]),
        Handmade(runs_on(places), Needs.LANES),
        Handmade(runs_on(places), Needs.RUNS),
        Handmade(runs_on(places), Needs.LANES),
        Handmade(ANSWER),
    )

    assert places == [(True, 10, []), (False, 20, []), (True, 30, [])]


def test_without_a_program_there_are_many_runs_at_once_and_nothing_needs_to_be_said(found):
    target, places, left_out = found["m_right"], [], Handmade(ANSWER, Needs.PROGRAM)
    asked(
        job_of(target, program=unsupported(target)), left_out, Handmade(runs_on(places), Needs.LANES), Handmade(ANSWER)
    )

    assert left_out.asked == []
    assert places == [(True, 10, [])]


def test_of_a_reading_that_is_not_the_function_nothing_is_kept_but_what_to_try(found):
    first, places = Facts((suggestion([1.0], [0.0]),), (LOSS,), PROVED), []
    failing = Handmade(raising(WrongTranslation("of a test")), Needs.PROGRAM)
    skipped, lanes = Handmade(ANSWER, Needs.PROGRAM), Handmade(runs_on(places), Needs.LANES)
    asked(job_of(found["m_right"]), Handmade(first), failing, skipped, lanes, Handmade(ANSWER))

    assert skipped.asked == []
    assert lanes.asked == [Facts(first.suggestions)]
    assert places == [(True, 10, ["nothing is said from the source: of a test"])]


@pytest.mark.parametrize("error", [NotOnLanes("of a test"), WrongTranslation("of a test")])
def test_lanes_that_fail_in_the_middle_leave_nothing_and_the_next_begins_on_calls(found, error):
    places = []
    first = Facts((suggestion([1.0], [0.0]),), (LOSS,), PROVED)

    def fails(session, job, facts):
        session.form = "array"
        session.coverage.choice(())
        session.coverage.note("what was learnt on lanes")
        runs_on([])(session, job, facts)
        raise error

    failing, skipped = Handmade(fails, Needs.LANES), Handmade(ANSWER, Needs.LANES)
    last = Handmade(lambda session, job, facts: replace(ANSWER, effort=session.effort()))
    calls = Handmade(runs_on(places), Needs.RUNS)
    outcome = asked(
        job_of(found["m_right"]), Handmade(runs_on([]), Needs.RUNS), Handmade(first), failing, skipped, calls, last
    ).outcome

    told = "every run calls the function, because of a test"
    assert failing.asked == [first]
    assert skipped.asked == []
    assert places == [(False, 20, [told])]
    assert calls.asked == [first]
    assert (outcome.effort.runs, outcome.effort.argument_choices, outcome.effort.notes) == (20, 0, (told,))


class Ending:
    """A progress by which somebody has asked for an end."""

    cancelled = True

    def __call__(self, *_):
        """Nobody listens."""


def test_who_asks_for_an_end_interrupts_those_that_cannot_end_by_themselves(found):
    patient, hurried = Handmade(ANSWER, name=ANYTIME), Handmade(ANSWER)

    assert asked(job_of(found["m_right"]), patient, progress=Ending()).outcome == ANSWER
    outcome = asked(job_of(found["m_right"]), hurried, progress=Ending()).outcome
    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.CANCELLED
    assert hurried.asked == []


def test_progress_names_the_phase_of_the_procedure_in_hand(found):
    heard = []
    asked(
        job_of(found["m_right"]),
        Handmade(phase="looking for a proof", needs=Needs.PROGRAM),
        Handmade(runs_on([]), Needs.RUNS, phase="making runs"),
        Handmade(runs_on([]), Needs.LANES, phase="making many"),
        Handmade(ANSWER),
        progress=lambda phase, *_: heard.append(phase),
    )

    expected = ["looking for a proof", "importing", "making runs", "running", "making many", "thinking"]
    assert list(dict.fromkeys(heard)) == expected
    assert [phase for phase, _ in groupby(heard)].count("importing") == 1


LOSS = PairLoss(d1=[0.0], d2=[1.0], arguments=(), loss=Bounds(0.5, 0.6), claimed=1.0)


def test_a_violation_ends_the_audit_and_a_proof_of_the_claim_is_kept_beside_it(found):
    later = Handmade(ANSWER)
    outcome = asked(job_of(found["m_wrong"]), Handmade(Facts(proof=PROVED, losses=(LOSS,))), *BETTING, later).outcome

    assert isinstance(outcome, Violation)
    assert outcome.against == PROVED
    assert outcome.code == "DP907"
    assert outcome.losses[0].pair == LOSS
    assert later.asked == []


def test_where_runs_find_nothing_a_proof_is_what_is_known(found):
    """Its effort is that of both, so that runs are not made for nothing, and a later pass goes on from them."""
    audited = asked(job_of(found["m_right"]), Handmade(Facts(proof=PROVED, losses=(LOSS,))), *BETTING)

    assert isinstance(audited.outcome, Proved)
    assert (audited.outcome.scope, audited.outcome.certificate) == (PROVED.scope, PROVED.certificate)
    assert audited.outcome.effort.method == "proof"
    # One run of each of the data values that are screened together may pass the limit.
    assert 50_000 <= audited.outcome.effort.runs < 50_050
    assert audited.outcome.losses[0].pair == LOSS
    assert audited.state is not None


def test_a_failure_is_never_hidden_by_a_proof():
    assert settled(ANSWER, Facts(proof=PROVED)) == ANSWER
    assert settled(Untestable(reason="no runs"), Facts(proof=PROVED)) == PROVED


def test_without_facts_an_outcome_is_as_it_is(found):
    proved = replace(PROVED, losses=settled(PROVED, Facts(losses=(LOSS,))).losses)

    assert settled(proved, Facts()) == proved
    assert settled(ANSWER, Facts()) == ANSWER


def test_the_largest_loss_is_that_with_the_largest_lower_end_for_each_value_of_the_claim():
    less, more = replace(LOSS, loss=Bounds(0.3, 0.9)), replace(LOSS, loss=Bounds(0.6, 0.7), d1=[2.0])
    other = replace(LOSS, claimed=2.0)

    first, second = settled(PROVED, Facts(losses=(less, LOSS, other, more))).losses

    assert (first.pair, first.pairs, first.high) == (more, 3, 0.9)
    assert (second.pair, second.pairs, second.high) == (other, 1, 0.6)


def test_only_a_procedure_that_can_be_continued_leaves_a_state(found):
    job = job_of(found["m_right"])
    first = asked(job, *BETTING)
    second = asked(replace(job, state=first.state), Handmade(), *BETTING)

    assert isinstance(second.outcome, NoViolation)
    assert second.outcome.effort.earlier_runs == first.outcome.effort.runs
    assert (first.state["passes"], second.state["passes"]) == (1, 2)
    published = job_of(found["m_right"], method="statdp")
    assert asked(published, *statdp_procedures(published)).state is None


def test_the_runner_is_gone_when_the_audit_is_over(found):
    pids = []
    asked(job_of(found["m_right"]), Handmade(lambda session, *_: pids.append(session._runner.pid), Needs.RUNS))

    (pid,) = pids
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_bets_that_lanes_have_lost_are_not_won_back_by_calls(found, monkeypatch):
    """Else alpha would be spent twice: once on lanes, up to where they are refused, and once more by calls."""
    made = []
    make, together = rounds.make_claim_test, ResidualRuns.together

    def noted(*given):
        made.append(make(*given))
        return made[-1]

    def wealth():
        return float(made[0].portfolio.log_total()[made[0].portfolio.claimed]) if made else 0.0

    def refused_once_something_is_lost(self, *given):
        if wealth() < -0.01:
            raise NotOnLanes("a test")
        return together(self, *given)

    monkeypatch.setattr(rounds, "make_claim_test", noted)
    monkeypatch.setattr(ResidualRuns, "together", refused_once_something_is_lost)

    outcome = audit(job_of(found["m_right"], max_runs=500_000, seed=1), lambda *_: None, BETTING).outcome

    on_lanes, by_calls = made
    assert isinstance(outcome, NoViolation)
    assert any("a test" in note for note in outcome.effort.notes)
    assert wealth() < -0.01
    assert by_calls.portfolio.level == pytest.approx(on_lanes.portfolio.level * math.exp(wealth()))


@pytest.mark.parametrize("left", [1.0, 0.25])
def test_who_begins_again_has_the_level_that_is_left(found, left):
    refused, seen = NotOnLanes("a test"), []
    refused.level_left = left

    def answer(_session, job, _facts):
        seen.append(job.settings.alpha)
        return ANSWER

    asked(job_of(found["m_right"], alpha=0.01), Handmade(raising(refused), Needs.LANES), Handmade(answer, Needs.RUNS))

    assert seen == [pytest.approx(0.01 * left)]


@pytest.mark.parametrize("needs", [Needs.PROGRAM, Needs.LOWERED, Needs.LANES])
def test_a_procedure_with_too_little_memory_leaves_nothing_and_the_audit_goes_on_by_calls(found, needs):
    def fails(session, *_):
        session.coverage.choice(())
        raise MemoryError("of a test")

    places = []
    answer = Handmade(lambda session, *_: replace(ANSWER, effort=session.effort()))
    asked_in_turn = Handmade(fails, needs), Handmade(runs_on(places), Needs.RUNS), answer
    outcome = asked(job_of(found["m_right"]), *asked_in_turn).outcome

    assert places[0][:2] == (False, 10), "calls, and no lanes"
    assert outcome.effort.argument_choices == 0
    assert any("more memory than there is for it" in note for note in outcome.effort.notes)


def test_an_audit_by_calls_with_too_little_memory_has_failed(found):
    outcome = asked(job_of(found["m_right"]), Handmade(raising(MemoryError("of a test")), Needs.RUNS)).outcome

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.MEMORY


def test_of_stability_a_pair_that_refutes_a_proof_is_told_with_it_and_what_cannot_be_tested_is_not_proved():
    pair = OutputPair(d1=[], d2=[1], arguments=(), output1="0", output2="2", distance=2.0)
    known, proof = Stability(1.0, 1.0, Metric.ABSOLUTE), replace(PROVED, epsilon_upper=0.0)
    refuted = Unstable(pair=pair, stability=known, d_out=1.0, effort=Effort(method="pairs"))
    tried = NotRefuted(furthest=None, stability=known, d_out=1.0, effort=Effort(method="pairs", pairs=7))

    both = settled(refuted, Facts(proof=proof))
    proved = settled(tried, Facts(proof=proof))

    assert isinstance(both, Unstable)
    assert "one of the two is an error of dplint" in both.effort.notes[0]
    assert (proved.scope, proved.tried, proved.effort.pairs) == (PROVED.scope, tried, 7)
    assert settled(Untestable(reason="it draws"), Facts(proof=proof)) == Untestable(reason="it draws")
