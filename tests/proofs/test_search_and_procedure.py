"""What the search says of a mechanism, and what an audit makes of it."""

import sys
import time
from dataclasses import replace

import pytest

from dplint.audit.procedure import Facts, Needs
from dplint.audit.procedures import audit_procedures, settled
from dplint.audit.proving.procedure import Proving
from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.jobs import AuditJob, AuditSettings
from dplint.outcomes import Effort, NoViolation, Range, Sizes
from dplint.program.refusals import Unsupported
from dplint.program.walk import runnable
from dplint.proofs import searching
from dplint.proofs.searching import search
from dplint.report.proof_words import certificate_lines, proved_words
from tests.proofs.proof_tools import FIXTURES, of_text, targets


class Session:
    """What a procedure that runs nothing asks of a session."""

    seconds = 0.0

    def __init__(self):
        self.notes = []
        self.coverage = self

    def announce(self, phase):
        assert phase == "looking for a proof"

    def note(self, text):
        self.notes.append(text)


def decided(job):
    """What the procedure hands on, after what it proves was compared with the function; and its notes."""
    with AuditSession(job, claim_settings(job.mechanism, (0.7,)), lambda *_: None) as session:
        return Proving().decide(session, job, Facts()), session.coverage.notes


def job_of(file, name, seconds=20.0):
    program, mechanism = targets(FIXTURES / file)[name]
    settings = AuditSettings(method="anytime", proof_seconds=seconds, seed=1, interpreter=sys.executable)
    return AuditJob(mechanism=mechanism, program=program, settings=settings)


def test_a_proof_for_every_length_in_words():
    program, mechanism = targets(FIXTURES / "statdp" / "sparse_vector.py")["svt"]

    found = search(program, mechanism, 20.0)

    assert found.proof is not None
    assert found.proof.scope.full
    assert (
        proved_words(found.proof, mechanism.claim.epsilon)
        == "proved for every length, any epsilon > 0, any T, any whole N >= 1, in exact arithmetic"
    )
    assert "what `count` counts pays for the shifts" in found.proof.certificate.words


def test_time_that_others_have_the_processor_for_does_not_count():
    program, mechanism = targets(FIXTURES / "arguments" / "relations.py")["paged"]
    waited = 0.0

    def pause():
        nonlocal waited
        waited += 0.4
        time.sleep(0.4)

    found = search(program, mechanism, 1.5, pause)

    assert waited > 1.5
    assert found.proof is not None
    assert found.proof.scope.sizes == Sizes(1, 5)


def lines_of(file, name):
    program, mechanism = targets(FIXTURES / file)[name]
    found = search(program, mechanism, 20.0)
    assert found.proof is not None
    return certificate_lines(found.proof.certificate)[1:-1]


def test_the_certificate_at_the_lines_of_the_draws():
    """The proof of Lyu, Su and Li (VLDB 2017): the threshold by 1, an answer above it by 2 at most, of scale 4 * N."""
    assert lines_of("statdp/sparse_vector.py", "svt") == [
        "the noise of line 12 moves by 1 (at most 1/2 of epsilon)",
        "the noise of line 16 in every turn moves by 2 if `noisy >= threshold`, 0 if not `noisy >= threshold` "
        "(at most 1 / (2 * N) of epsilon)",
    ]


def test_the_lines_of_draws_behind_a_guard(tmp_path):
    """What the guard refuses is never drawn, so the shifts are those of the function without it."""
    text = (FIXTURES / "statdp" / "sparse_vector.py").read_text()
    before = "    threshold = T + rng.laplace(scale=2 / epsilon)\n"
    guard = "    if N < 1:\n        raise ValueError('N')\n"
    program, mechanism = of_text(tmp_path, text.replace(before, guard + before, 1), "svt")
    found = search(program, mechanism, 20.0)

    lines = certificate_lines(found.proof.certificate)[1:-1]
    assert lines[0] == "the noise of line 14 moves by 1 (at most 1/2 of epsilon)"
    assert lines[1].endswith("(at most 1 / (2 * N) of epsilon)")


def test_the_certificate_by_what_the_data_moves():
    """The numeric sparse vector: fresh noise makes up for what the answer has moved (Dwork and Roth, 2014, 3.6)."""
    lines = lines_of("checkdp/sparse_values.py", "num_svt")

    assert lines[0] == "the noise of line 12 moves by 1 (at most 1/3 of epsilon)"
    assert "if `query + rng.laplace(scale=6 * N / epsilon, loc=0.0) >= threshold`" in lines[1]
    assert lines[2] == "the noise of line 17 in every turn moves by -(D2[i] - D1[i]) (at most 1 / (3 * N) of epsilon)"


def test_shifts_without_a_short_expression_are_left_to_the_sentence():
    """By how much a sum has moved is no expression of the present number."""
    program, mechanism = targets(FIXTURES / "checkdp" / "sums.py")["partial_sum"]
    certificate = search(program, mechanism, 20.0).proof.certificate

    assert certificate.shifts == ()
    assert "after the loop noise moves by -d" in certificate.words


def test_a_bounded_proof_bears_its_bound():
    program, mechanism = targets(FIXTURES / "arguments" / "relations.py")["paged"]

    found = search(program, mechanism, 20.0)

    assert found.proof is not None
    assert not found.proof.scope.full
    assert found.proof.scope.sizes == Sizes(1, 5)


def test_no_time_is_no_proof():
    program, mechanism = targets(FIXTURES / "statdp" / "noisy_max.py")["noisy_max_v1a"]

    found = search(program, mechanism, 0.0)

    assert found.proof is None
    assert "0 s" in found.reason


def test_a_search_can_be_interrupted():
    program, mechanism = targets(FIXTURES / "statdp" / "noisy_max.py")["noisy_max_v1a"]

    def stop():
        raise InterruptedError

    with pytest.raises(InterruptedError):
        search(program, mechanism, 20.0, stop)


def test_a_claim_with_a_delta_is_not_proved():
    program, mechanism = targets(FIXTURES / "statdp" / "histogram.py")["histogram"]
    approximate = replace(mechanism, claim=replace(mechanism.claim, delta=1e-5))

    assert search(program, approximate, 5.0).proof is None


@pytest.mark.process
def test_the_procedure_hands_a_proof_on_which_runs_may_still_refute():
    facts, _ = decided(job_of("statdp/histogram.py", "histogram"))

    assert facts is not None
    assert facts.proof is not None
    assert facts.proof.effort.method == "proof"
    assert facts.proof.effort.runs == 0


def test_a_search_that_goes_wrong_is_no_failure_of_the_audit(monkeypatch):
    def fails(*_):
        raise IndexError("list index out of range")

    monkeypatch.setattr(searching, "search", fails)
    session = Session()

    assert Proving().decide(session, job_of("statdp/histogram.py", "histogram"), Facts()) is None
    assert any("IndexError: list index out of range" in note for note in session.notes)


def test_a_failed_proof_is_what_the_bets_try_first():
    """Two answers on which no shift does: the running noisy maximum's value, for three answers."""
    session = Session()

    facts = Proving().decide(session, job_of("statdp/noisy_max.py", "noisy_max_v1b"), Facts())

    assert facts is not None
    assert facts.proof is None
    (suggestion,) = facts.suggestions
    one, two = suggestion.pair.d1, suggestion.pair.d2
    assert len(one) == len(two) == 3
    assert max(abs(a - b) for a, b in zip(one, two, strict=True)) <= 1
    assert one != two
    assert any("for 3 values" in note for note in session.notes)


@pytest.mark.process
def test_a_later_pass_looks_again_as_it_may_have_more_time():
    job = replace(job_of("statdp/histogram.py", "histogram"), state={})

    facts, _ = decided(job)
    assert facts is not None
    assert facts.proof is not None


def test_proofs_come_before_the_bets_where_they_are_asked_for():
    plain = [Needs.RUNS, Needs.RUNS, Needs.LANES, Needs.RUNS]
    assert [one.needs for one in audit_procedures(proofs=True)] == [Needs.LOWERED, *plain]
    assert [one.needs for one in audit_procedures()] == plain


def test_a_proof_that_does_not_cover_the_input_contradicts_nothing():
    program, mechanism = targets(FIXTURES / "arguments" / "relations.py")["paged"]
    proof = search(program, mechanism, 20.0).proof

    assert proof is not None
    assert proof.scope.covers([0.0] * 5, {"epsilon": 0.5})
    assert not proof.scope.covers([0.0] * 6, {"epsilon": 0.5})
    assert not proof.scope.covers([0.0] * 5, {"epsilon": 0.0})
    assert not proof.scope.covers([0.0] * 5, {"epsilon": "half"})


def test_where_runs_find_nothing_the_proof_is_what_is_known():
    program, mechanism = targets(FIXTURES / "statdp" / "histogram.py")["histogram"]
    proof = search(program, mechanism, 20.0).proof
    nothing = NoViolation(tested=(), choices=(), confidence=0.999, effort=Effort(runs=100))

    outcome = settled(nothing, Facts(proof=proof))

    assert outcome.scope.epsilon == Range(low=0.0, above=True)
    assert outcome.effort.runs == 100


def test_a_claim_that_names_sizes_is_proved_up_to_these():
    """Noise 2 for each of two answers: of three, all of which move, the loss would be 3/2, and the claim is silent."""
    program, mechanism = targets(FIXTURES / "outputs" / "sequences.py")["indices_both"]

    found = search(program, mechanism, 20.0)

    assert found.proof is not None
    assert found.proof.scope.sizes == Sizes(1, 2)


def test_a_list_that_is_unpacked_into_too_many_names_is_an_exception():
    """For two answers as above; for one, and for three, the function ends with ValueError whatever they are."""
    program, mechanism = targets(FIXTURES / "outputs" / "sequences.py")["tuple_keys_both"]
    leaks = targets(FIXTURES / "outputs" / "sequences.py")["tuple_keys_both_leaks"]

    assert search(program, mechanism, 20.0).proof.scope.sizes == Sizes(1, 2)
    assert search(*leaks, 20.0).proof is None
    assert "for 2 values: no shift will do" in search(*leaks, 20.0).reason


@pytest.mark.process
@pytest.mark.parametrize(("name", "is_right"), [("decimal_one", True), ("decimal_one_leaks", False)])
def test_a_proof_is_looked_for_where_something_is_not_understood(name, is_right):
    job = job_of("outputs/scalars.py", name)
    stopped = runnable(job.program)
    assert isinstance(stopped, Unsupported)

    facts, notes = decided(replace(job, program=stopped, lowered=job.program))

    assert (facts is not None and facts.proof is not None) is is_right
    assert not notes
