"""What one check has learnt reaches the next one of the same source, and no other."""

from dataclasses import replace

import pytest

from dplint.check import check_paths
from dplint.check.continuing import FROM_CACHE, answer, finish, known
from dplint.check.continuing import resume as resume_with
from dplint.check.loading import Target, audit_settings, load_targets
from dplint.check.mechanism_keys import MechanismKeys
from dplint.config import load_settings
from dplint.jobs import AuditJob
from dplint.outcomes import (
    Bounds,
    CountedEvidence,
    Counterexample,
    Effort,
    Failed,
    FailureKind,
    NoViolation,
    OutputEvent,
    Result,
    StopReason,
    Untestable,
    Violation,
    Witness,
)
from dplint.store import SharedCache
from dplint.workers.messages import Done
from tests import caches
from tests.report.evidence_samples import SVT_PROOF

SOURCE = """
from dplint import dp

SCALE = 1


@dp(epsilon=1.0)
def release(rng, answers):
    return answers[0] + rng.laplace(scale=SCALE)


@dp(epsilon=1.0)
def other(rng, answers):
    return answers[1] + rng.laplace(scale=SCALE)
"""
STATE = {"bets": [1, 2, 3]}
LATER = {"bets": [4, 5, 6]}


def nothing_found(runs=1000, **effort):
    effort = Effort(**{"method": "anytime", "runs": runs, "seconds": 2.0, **effort})
    return NoViolation(tested=(), choices=(), confidence=0.999, effort=effort)


def violation(runs=5000):
    counted = CountedEvidence(
        count1=9, count2=1, runs1=10, runs2=10, interval1=Bounds(0.5, 1.0), interval2=Bounds(0.0, 0.5),
        confidence=0.999, p_value=1e-4, log_e_value=9.0, seed=1,
    )  # fmt: skip
    witness = Witness(d1=[1], d2=[2], arguments=(), observation=OutputEvent("output < 1"))
    found = Counterexample(witness=witness, evidence=counted)
    return Violation(
        counterexample=found, tested=(), epsilon_tested=1.0, delta_tested=0.0, epsilon_lower=1.2, confidence=0.999,
        effort=Effort(method="anytime", runs=runs, seconds=1.5),
    )  # fmt: skip


@pytest.fixture
def project(tmp_path):
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "release.py").write_text(SOURCE)
    return tmp_path


def resume(job):
    """As a check of its own, which has not read any file yet."""
    return resume_with(job, MechanismKeys())


def job(project, function="release", **given):
    settings = load_settings(project, {"method": "anytime", "profile": "editor", **given})
    targets = [target for target in load_targets([project / "release.py"], settings) if isinstance(target, Target)]
    target = next(target for target in targets if target.mechanism.qualname == function)
    return AuditJob(
        mechanism=target.mechanism, program=target.program, settings=audit_settings(settings, target.mechanism)
    )


def passed(project, outcome, state=STATE, **given):
    """One pass that ends with this outcome and leaves this state."""
    return finish(resume(job(project, **given)), Done(outcome, state))


def test_a_pass_goes_on_from_the_state_that_the_one_before_left(project):
    assert resume(job(project)).job.state is None
    passed(project, nothing_found())
    assert resume(job(project)).job == replace(job(project), state=STATE)
    assert resume(job(project, profile="nightly")).job.state == STATE, "a stronger pass goes on too"
    passed(project, nothing_found(), LATER)
    assert resume(job(project)).job.state == LATER


@pytest.mark.parametrize(
    "given", [{"alpha": 0.01}, {"epsilons": [0.5]}, {"seed": 7}, {"solver": "simple"}, {"function": "other"}]
)
def test_what_changes_the_evidence_begins_anew(project, given):
    passed(project, nothing_found())
    assert resume(job(project, **given)).job.state is None
    assert resume(job(project)).job.state == STATE


@pytest.mark.parametrize("change", [("SCALE = 1", "SCALE = 2"), ("epsilon=1.0", "epsilon=2.0"), ("[0]", "[-1]")])
def test_a_change_of_the_source_begins_anew_also_beside_the_function(project, change):
    passed(project, nothing_found())
    (project / "release.py").write_text(SOURCE.replace(*change))
    assert resume(job(project)).job.state is None


def test_a_change_of_what_is_imported_begins_anew(project):
    (project / "helper.py").write_text("SCALE = 1\n")
    (project / "release.py").write_text(f"from helper import SCALE\n{SOURCE}")
    passed(project, nothing_found())
    assert resume(job(project)).job.state == STATE
    (project / "helper.py").write_text("SCALE = 2\n")
    assert resume(job(project)).job.state is None


def test_machines_that_share_a_cache_share_what_the_same_code_of_dplint_has_found_out(project, tmp_path, monkeypatch):
    """One version number stands for many states of a repository that people install from."""
    cache = SharedCache(str(tmp_path / "shared"))
    finish(resume_with(job(project), MechanismKeys(), cache), Done(nothing_found(), STATE))
    assert resume_with(job(project), MechanismKeys(), cache).job.state == STATE
    monkeypatch.setattr("dplint.check.continuing.code_digest", lambda: "other")
    assert resume_with(job(project), MechanismKeys(), cache).job.state is None


def test_an_unsaved_buffer_is_a_source_of_its_own(project):
    passed(project, nothing_found())
    same = replace(job(project), source_text=SOURCE)
    assert resume(same).job.state == STATE
    assert resume(replace(same, source_text=SOURCE + "\nONE = 1\n")).job.state is None


def test_the_seed_that_a_report_names_means_the_same_audit(project):
    passed(project, nothing_found())
    derived = int(job(project).mechanism.digest[:15], 16)
    assert resume(job(project, seed=derived)).job.state == STATE


def test_statdp_and_projects_without_a_name_keep_nothing(project):
    passed(project, nothing_found(), method="statdp")
    assert not (project / ".dplint_cache").exists()
    alone = job(project)
    (project / "pyproject.toml").unlink()
    finish(resume(alone), Done(nothing_found(), STATE))
    assert not any((folder / ".dplint_cache").exists() for folder in (project, *project.parents))


def test_a_violation_gets_the_runs_that_it_took_whatever_the_budget(project):
    passed(project, nothing_found(), profile="nightly")
    passed(project, violation(runs=5000), state=None, profile="nightly")
    again = resume(job(project))
    assert again.job.state == STATE, "from where the pass began that found it"
    assert again.job.settings.max_runs == 5000
    assert again.job.settings.budget == again.job.settings.time_limit > 1
    assert finish(again, Done(violation(), LATER)).effort.notes == ()
    assert resume(job(project)).job.state == LATER


def test_more_runs_than_a_known_violation_took_may_be_asked_for(project):
    passed(project, violation(runs=5000))
    assert resume(job(project, runs=9000)).job.settings.max_runs == 9000
    assert resume(job(project, runs=10)).job.settings.max_runs == 5000


def test_a_violation_that_is_not_found_again_stays_known_and_the_report_says_so(project):
    passed(project, violation(runs=5000))
    for state in (LATER, None):
        (note,) = passed(project, nothing_found(), state).effort.notes
        assert "violation within 5,000 runs" in note
        assert resume(job(project)).job.settings.max_runs == 5000


@pytest.mark.parametrize(
    "outcome", [Failed(kind=FailureKind.CRASH, reason="died"), Untestable(reason="a method"), nothing_found()]
)
def test_what_learnt_nothing_leaves_the_entry_as_it_was(project, outcome):
    passed(project, nothing_found())
    assert passed(project, outcome, state=None) == outcome
    assert resume(job(project)).job.state == STATE


def test_what_a_pass_has_found_out_is_known_with_nothing_run(project):
    assert known(resume(job(project))) is None
    passed(project, nothing_found(notes=("every run calls the function",)))
    assert known(resume(job(project))) == nothing_found(notes=("every run calls the function",))
    passed(project, violation())
    assert known(resume(job(project))) == violation()


@pytest.mark.parametrize("given", [{"alpha": 0.01}, {"epsilons": [0.5]}, {"seed": 7}, {"function": "other"}])
def test_what_is_known_belongs_to_these_settings(project, given):
    passed(project, nothing_found())
    assert known(resume(job(project, **given))) is None
    assert known(resume(job(project, profile="nightly"))) == nothing_found()


def test_what_is_known_belongs_to_this_source(project):
    passed(project, nothing_found())
    (project / "release.py").write_text(SOURCE.replace("SCALE = 1", "SCALE = 2"))
    assert known(resume(job(project))) is None


def test_a_violation_that_is_not_found_again_is_what_is_known(project):
    passed(project, violation())
    passed(project, nothing_found(), LATER)
    assert known(resume(job(project))) == violation()


@pytest.mark.parametrize(
    "outcome",
    [
        Failed(kind=FailureKind.CRASH, reason="died"),
        Untestable(reason="a method"),
        nothing_found(stop=StopReason.CANCELLED),
    ],
)
def test_what_is_known_is_not_forgotten_for_less(project, outcome):
    passed(project, outcome, LATER)
    assert known(resume(job(project))) is None
    passed(project, nothing_found(runs=77))
    passed(project, outcome, LATER)
    assert known(resume(job(project))) == nothing_found(runs=77)


def test_the_effort_of_all_passes_is_added_up(project):
    assert resume(job(project)).spent == 0.0
    passed(project, nothing_found())
    passed(project, nothing_found(stop=StopReason.CANCELLED, earlier_runs=1000))
    assert resume(job(project)).spent == 4.0
    assert resume(job(project)).entry.runs == 2000
    passed(project, Failed(kind=FailureKind.CRASH, reason="died", effort=Effort(seconds=9.0)))
    passed(project, violation())
    assert resume(job(project)).spent == 5.5


def proved(seconds=0.5):
    return replace(SVT_PROOF, effort=replace(SVT_PROOF.effort, seconds=seconds))


def test_a_proof_is_kept_and_is_the_answer_from_then_on(project):
    assert passed(project, proved(), state=None) == proved()
    resumed = resume(job(project, budget="1h"))
    assert known(resumed) == proved()
    assert answer(resumed, resumed.job.settings).effort.notes == (FROM_CACHE,)
    assert resumed.spent == 0.5


def test_a_proof_and_a_violation_are_both_kept_whichever_came_first(project):
    passed(project, proved())
    both = passed(project, violation())
    assert (both.counterexample, both.against, both.code) == (violation().counterexample, proved(), "DP907")
    assert known(resume(job(project))) == both
    assert resume(job(project)).known_runs == 5000
    assert resume(job(project)).spent == 2.0

    passed(project, violation(), function="other")
    assert passed(project, proved(), function="other") == both
    assert known(resume(job(project, function="other"))) == both
    assert resume(job(project, function="other")).spent == 2.0


def test_runs_that_find_nothing_do_not_take_the_place_of_a_proof(project):
    passed(project, proved())
    found = passed(project, nothing_found())
    assert replace(found, effort=proved().effort) == proved()
    assert found.effort.notes == ("1,000 runs after the proof have found no violation",)
    assert known(resume(job(project))) == found


def test_data_that_json_cannot_hold_leaves_the_rest_of_the_entry(project):
    found = violation()
    witness = replace(found.counterexample.witness, d1={1, 2})
    odd = replace(found, counterexample=replace(found.counterexample, witness=witness))
    assert passed(project, odd).effort.notes == ()
    assert known(resume(job(project))) is None
    assert resume(job(project)).known_runs == 5000


@pytest.mark.parametrize(
    "change", [('"expression":"output < 1"', '"expression":1'), ('"verdict":"violation"', '"verdict":"none"')]
)
def test_an_outcome_that_was_tampered_with_is_not_known(project, change):
    passed(project, violation())
    (file,) = (project / ".dplint_cache").glob("*.json")
    assert change[0] in caches.body(file).decode()
    caches.put(file, caches.body(file).decode().replace(*change).encode())
    again = resume(job(project))
    assert again.job.state == STATE
    assert known(again) is None


def test_an_unsaved_buffer_knows_what_the_same_text_in_the_file_does(project):
    passed(project, nothing_found())
    assert known(resume(replace(job(project), source_text=SOURCE))) == nothing_found()
    other = replace(job(project), source_text=SOURCE.replace("SCALE = 1", "SCALE = 3"))
    assert known(resume(other)) is None
    finish(resume(other), Done(violation(), LATER))
    assert known(resume(other)) == violation()
    assert resume(other).job.state == LATER


@pytest.mark.parametrize("path", ["{project}/new.py", "{project}/new/deeper.py", "untitled:Untitled-1", ""])
def test_a_buffer_without_a_file_has_no_store(project, monkeypatch, path):
    monkeypatch.chdir(project)
    found = job(project)
    unsaved = replace(found, mechanism=replace(found.mechanism, path=path.format(project=project)), source_text=SOURCE)
    resumed = resume(unsaved)
    assert (resumed.job, resumed.store, resumed.entry, resumed.notes) == (unsaved, None, None, ())
    assert finish(resumed, Done(nothing_found(), LATER)) == nothing_found()
    assert known(resumed) is None
    assert not (project / ".dplint_cache").exists()


def test_a_broken_file_is_a_note_and_is_replaced(project):
    passed(project, nothing_found())
    (file,) = (project / ".dplint_cache").glob("*.json")
    caches.put(file, b"{")
    (note,) = passed(project, nothing_found()).effort.notes
    assert note == f"{file} is broken, and is ignored"
    assert passed(project, nothing_found()).effort.notes == ()


def test_a_folder_that_cannot_be_written_is_a_note(project):
    (project / ".dplint_cache").write_text("")
    (note,) = passed(project, nothing_found()).effort.notes
    assert "cannot be written" in note


AUDITED = """
from dplint import dp


@dp(epsilon="epsilon", neighbors="add-remove", domain={"kind": ["a", "b"], "age": (0, 9)})
def wrong(rng, people, epsilon):
    if not people:
        raise ValueError("nobody")
    return [len(people), rng.laplace(scale=1 / epsilon)]


@dp(epsilon=1.0, neighbors="any", domain=[False, True])
def right(rng, answer: bool):
    return answer if rng.random() < 0.7 else not answer
"""


@pytest.mark.process
def test_the_outcomes_of_real_audits_are_known_exactly(project):
    """A violation and one that is none, each as the check itself reported it."""
    (project / "release.py").write_text(AUDITED)
    settings = {"jobs": 1, "runs": 30_000}
    reported = {
        one.mechanism.qualname: one.outcome
        for one in check_paths([project], load_settings(project, settings))
        if isinstance(one, Result)
    }
    assert {name: type(outcome) for name, outcome in reported.items()} == {"wrong": Violation, "right": NoViolation}
    for name, outcome in reported.items():
        resumed = resume(job(project, name, profile="ci", runs=30_000))
        assert known(resumed) == outcome
        assert resumed.spent == outcome.effort.seconds > 0


def test_lines_of_what_is_known_are_those_of_now(project):
    passed(project, replace(SVT_PROOF, scope=replace(SVT_PROOF.scope, never_run=(9,))))
    assert known(resume(job(project))).scope.never_run == (9,)

    (project / "release.py").write_text(f"# two lines\n# above\n{SOURCE}")
    assert known(resume(job(project))).scope.never_run == (11,)
    passed(project, nothing_found())
    (project / "release.py").write_text(SOURCE)

    assert known(resume(job(project))).scope.never_run == (9,)
