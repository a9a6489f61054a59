"""Whole audits: on lanes where that is sound, by calling the function where it is not, and never silently."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from dplint.audit.procedures import carry_out
from dplint.audit.residual_runs import ResidualRuns
from dplint.audit.run_blocks import NotOnLanes
from dplint.audit.session import AuditSession
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.jobs import AuditJob, AuditSettings
from dplint.outcomes import NoViolation, Violation
from dplint.program.refusals import Unsupported
from dplint.runner.client import DataValue

pytestmark = pytest.mark.process

FOLDER = Path(__file__).parents[2] / "fixtures" / "statdp"
SETTINGS = AuditSettings(
    method="statdp", seed=5, epsilons=(0.7,), select_runs=4_000, test_runs=20_000, interpreter=sys.executable,
    # On a busy machine requests are made smaller where the deadline comes near, and the runs are other ones.
    deadline=1000.0,
)  # fmt: skip
TRUTH = {m["function"]: m for m in json.loads((FOLDER / "truth.json").read_text())["mechanisms"]}
STATDP = {
    item.mechanism.qualname: item
    for path in sorted(FOLDER.glob("*.py"))
    for item in load_file(path, Settings())
    if isinstance(item, Target)
}
# The others are as slow by plain calls as all of these together, or need more runs to be caught.
QUICK = ["histogram", "histogram_eps", "isvt1", "noisy_max_v1a", "noisy_max_v1b", "noisy_max_v2b"]

CALLED = "every run calls the function, because"


def job_of(target, program=None, **settings):
    return AuditJob(
        mechanism=target.mechanism,
        program=target.program if program is None else program,
        settings=replace(SETTINGS, **settings),
    )


def audited(target, program=None, **settings):
    return carry_out(job_of(target, program, **settings), lambda *_: None).outcome


def without_lanes(monkeypatch):
    """From now on all runs are plain, although there is a program."""
    monkeypatch.setattr(AuditSession, "use_lanes", lambda self: None)


def without_time(outcome):
    return replace(outcome, effort=replace(outcome.effort, seconds=0.0))


MEANS = """
def m_right(rng, queries):
    return [q + rng.laplace(scale=len(queries)) for q in queries]

def m_wrong(rng, queries):
    return [q + rng.laplace(scale=0.5) for q in queries]

def m_unknown(rng, queries):
    total = queries[0]
    try:
        total += rng.laplace(scale=0.2)
    finally:
        return total
"""


@pytest.fixture
def sampled_on_lanes(monkeypatch):
    """How many runs lanes have made in this test, call by call."""
    made = []
    together = ResidualRuns.together

    def counted(self, data, arguments, runs, *given):
        made.append(runs * len(data))
        return together(self, data, arguments, runs, *given)

    monkeypatch.setattr(ResidualRuns, "together", counted)
    return made


def test_a_program_is_run_on_lanes_and_nothing_needs_to_be_said(targets, sampled_on_lanes):
    found = targets(MEANS)

    right, wrong = audited(found["m_right"]), audited(found["m_wrong"])

    assert isinstance(right, NoViolation)
    assert isinstance(wrong, Violation)
    assert right.effort.notes == wrong.effort.notes == ()
    # All but the two first runs of each data value, by which the audit sees that the function works.
    assert sum(sampled_on_lanes) > 0.95 * (right.effort.runs + wrong.effort.runs)


def test_what_is_not_understood_of_the_source_is_run_many_times_at_once_too(targets, sampled_on_lanes):
    found = targets(MEANS)["m_unknown"]
    assert isinstance(found.program, Unsupported)

    outcome = audited(found)

    assert isinstance(outcome, Violation)
    assert outcome.effort.notes == ()
    assert sum(sampled_on_lanes) > 0.95 * outcome.effort.runs


OPAQUE_IN_A_BRANCH = """
class TooMany(Exception):
    pass

def m_guarded(rng, queries):
    if len(queries) > 1000:
        raise TooMany("at most 1000")
    return queries[0] + rng.laplace(scale=0.2)

def m_sometimes(rng, queries):
    total = queries[0] + rng.laplace(scale=0.2)
    if total > 3:
        total = sum({total})
    return total
"""


@pytest.mark.parametrize("name", ["m_guarded", "m_sometimes"])
def test_a_construct_that_few_runs_come_to_does_not_keep_a_mechanism_from_lanes(targets, sampled_on_lanes, name):
    outcome = audited(targets(OPAQUE_IN_A_BRANCH)[name])

    assert isinstance(outcome, Violation)
    assert outcome.effort.notes == ()
    assert sum(sampled_on_lanes) > 0.95 * outcome.effort.runs


SLY = """
def m_right(rng, queries):
    scale = 0.5 if "_dplint" in globals() else len(queries)
    return [q + rng.laplace(scale=scale) for q in queries]

def m_wrong(rng, queries):
    scale = len(queries) if "_dplint" in globals() else 0.5
    return [q + rng.laplace(scale=scale) for q in queries]
"""
"""They see that they were rewritten, and do something else then."""


@pytest.mark.parametrize(("name", "verdict"), [("m_right", NoViolation), ("m_wrong", Violation)])
def test_where_operations_are_not_the_function_the_verdict_is_the_functions(targets, name, verdict):
    outcome = audited(targets(SLY)[name])

    assert isinstance(outcome, verdict)
    (note,) = outcome.effort.notes
    assert note.startswith(f"{CALLED} the check of its operations failed: ")
    assert "scale" in note


def test_a_program_that_lanes_refuse_later_falls_back_with_nothing_kept(targets, monkeypatch):
    """The refusal comes after all inputs were tried on lanes; the audit is that of plain runs from its start."""
    found = targets(MEANS)["m_right"]
    screened, refused = [], []

    def refusing(method):
        def sample(self, data, arguments, runs, *given):
            if runs >= SETTINGS.test_runs // 20:
                refused.append(runs)
                raise NotOnLanes("of a surprise")
            screened.append(runs)
            return method(self, data, arguments, runs, *given)

        return sample

    with monkeypatch.context() as patch:
        patch.setattr(ResidualRuns, "together", refusing(ResidualRuns.together))
        fallen_back = audited(found)
    without_lanes(monkeypatch)
    plain = audited(found)

    assert screened
    assert len(refused) == 1
    assert fallen_back.effort.notes == ("every run calls the function, because of a surprise",)
    assert plain.effort.notes == ()
    assert without_time(fallen_back) == replace(
        without_time(plain), effort=replace(without_time(plain).effort, notes=fallen_back.effort.notes)
    )


def test_a_fallback_tells_again_that_the_data_is_an_array(targets):
    """The note belongs to the audit that ends, not to the one on lanes that was given up."""
    found = targets(
        """
        def m(rng, queries):
            return (queries * 1.0 + rng.laplace(scale=9.0, size=5)).tolist()

        def m_sly(rng, queries):
            return (queries * 1.0 + rng.laplace(scale=8.0 if "_dplint" in globals() else 9.0, size=5)).tolist()
        """,
        'epsilon=1.0, neighbors="linf", size=5',
    )

    on_lanes, fallen_back = audited(found["m"]), audited(found["m_sly"])

    assert len(on_lanes.effort.notes) == 1
    assert "the data is passed as a NumPy array" in on_lanes.effort.notes[0]
    assert len(fallen_back.effort.notes) == 2
    assert on_lanes.effort.notes[0] in fallen_back.effort.notes


def test_the_same_seed_gives_the_same_outcome(targets):
    found = targets(MEANS)

    for name in ("m_right", "m_wrong"):
        assert without_time(audited(found[name])) == without_time(audited(found[name]))
    assert without_time(audited(found["m_wrong"], seed=6)) != without_time(audited(found["m_wrong"]))


@pytest.mark.parametrize("name", QUICK)
def test_lanes_and_plain_runs_come_to_the_same_verdict(monkeypatch, name):
    on_lanes = audited(STATDP[name])
    without_lanes(monkeypatch)
    plain = audited(STATDP[name])

    expected = Violation if 0.7 in TRUTH[name].get("wrong_at", []) else NoViolation
    assert type(on_lanes) is type(plain) is expected
    assert on_lanes.effort.notes == plain.effort.notes == ()


def test_whatever_ended_in_an_exception_is_an_output_on_lanes_too(targets, sampled_on_lanes):
    """The exception tells whether the first answer is positive, and nothing else differs."""
    found = targets(
        """
        def m(rng, queries):
            noise = rng.laplace(scale=5.0)
            if queries[0] > 0.0 and noise > 4.0:
                raise ValueError("too noisy")
            return noise > 0.0
        """
    )["m"]

    outcome = audited(found)

    assert isinstance(outcome, Violation)
    assert "ValueError" in outcome.counterexample.witness.event
    assert sampled_on_lanes


@pytest.mark.parametrize("values", [1, 2, 20])
def test_a_chunk_of_many_data_values_is_no_larger_than_one_of_a_pair(targets, values):
    found = targets(MEANS)["m_right"]
    with AuditSession(job_of(found), (), lambda *_: None) as session:
        session.load()
        session.use_lanes()
        data = [DataValue([float(number), 0.0]) for number in range(values)]
        chunks = session.sample(data, {}, 10**9, (0,), "test")

        first = next(chunks)
        assert session.lanes is not None
        limit = session.lanes.chunk

    assert [batch.runs for batch in first.batches] == [first.runs] * values
    assert first.runs <= limit
    assert limit < first.runs * max(values, 2) <= 2 * limit
