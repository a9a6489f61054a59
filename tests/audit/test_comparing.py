"""A reading is compared with the function before anything is said from it, and what is compared on."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from dplint.audit.procedures import carry_out
from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.inputs.compared import pairs_to_compare
from dplint.inputs.pairs import are_neighbours
from dplint.jobs import ExactJob, WorstJob
from dplint.outcomes import Proved, Untestable, Violation
from dplint.readings.exact import operations
from tests.audit.conftest import outcome_of, settings_with

HEAD = "from dplint import dp\n\n\n"


def target_of(folder: Path, text: str, head: str = HEAD) -> Target:
    path = folder / "module.py"
    path.write_text(head + text)
    (target,) = [one for one in load_file(path, Settings()) if isinstance(one, Target)]
    return target


COUNT = """
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def count(rng, rows, epsilon):
    bonus = 0
    if len(rows) == 37:
        bonus = {bonus}
    return len(rows) + bonus + rng.laplace(scale=1 / epsilon)
"""


def test_pairs_are_neighbours_of_the_claim_and_the_same_for_a_seed(tmp_path):
    target = target_of(tmp_path, COUNT.format(bonus=0))

    pairs = pairs_to_compare(target.mechanism, target.program, 40, seed=1)

    assert len(pairs) == 40
    assert all(are_neighbours(target.mechanism, one.d1, one.d2) for one in pairs)
    assert pairs == pairs_to_compare(target.mechanism, target.program, 40, seed=1)
    sizes = {len(one.d1) for one in pairs} | {len(one.d2) for one in pairs}
    assert {0, 1, 36, 37} <= sizes
    assert max(sizes) > 40
    assert any(len({*one.d1}) == len(one.d1) > 3 for one in pairs), "some records all differ"


@pytest.mark.process
def test_a_proof_of_a_right_one_stands_and_every_branch_was_taken(tmp_path):
    outcome = outcome_of(target_of(tmp_path, COUNT.format(bonus=0)), proof_seconds=10.0)
    assert isinstance(outcome, Proved)
    assert outcome.scope.never_run == ()


NEVER = """
@dp(epsilon="epsilon", neighbors="linf", size=3, domain=(0.0, 1.0))
def never(rng, answers, epsilon):
    total = answers[0]
    if sum(answers) > 3.5:
        total = 0.0
    return total + rng.laplace(scale=1 / epsilon)
"""


MESSAGE = """
@dp(epsilon=1.0, neighbors="linf", size=2)
def message(rng, answers):
    if {test}:
        return 0
    raise RuntimeError(f"cannot release {{answers[0] + rng.laplace(scale=1):.4f}}")
"""


@pytest.mark.process
def test_where_the_rule_of_a_proof_does_not_go_its_program_is_compared(tmp_path):
    """A coin is read as what is iterated over: the checker refuses that for heads, and proves the other side."""
    (tmp_path / "other").mkdir()
    target = target_of(tmp_path, MESSAGE.format(test="rng.random() < 0.5"))
    other = target_of(tmp_path / "other", MESSAGE.format(test="len([x for x in (rng.random() < 0.5)]) > 0"))
    assert isinstance(outcome_of(target, proof_seconds=10.0, max_runs=20_000), Proved)

    outcome = outcome_of(target, program=other.program, proof_seconds=10.0, max_runs=20_000)

    assert not isinstance(outcome, Proved)
    assert any("the proof reads the function otherwise than it runs" in note for note in outcome.effort.notes)


@pytest.mark.process
def test_a_branch_that_no_run_takes_is_named(tmp_path):
    target = target_of(tmp_path, NEVER)
    outcome = outcome_of(target, proof_seconds=10.0)
    assert isinstance(outcome, Proved)
    (line,) = outcome.scope.never_run
    assert (tmp_path / "module.py").read_text().splitlines()[line - 1].strip() == "total = 0.0"


SUM = """
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 5), size=3)
def summed(rng, rows: list[int], epsilon):
    return sum({what}) + rng.laplace(scale=1 / epsilon)
"""


@pytest.mark.process
def test_a_proof_of_another_function_is_not_told(tmp_path):
    """The reading is that of a right function; the one that runs adds numbers up to 5."""
    (tmp_path / "right").mkdir()
    right = target_of(tmp_path / "right", SUM.format(what="min(row, 1) for row in rows"))
    wrong = target_of(tmp_path, SUM.format(what="rows"))
    assert isinstance(outcome_of(right, proof_seconds=10.0, max_runs=20_000), Proved)

    outcome = outcome_of(wrong, program=right.program, proof_seconds=10.0, max_runs=20_000)

    assert isinstance(outcome, Violation)
    assert outcome.against is None
    assert any("the proof reads the function otherwise than it runs" in note for note in outcome.effort.notes)


LOSING = """
@dp(epsilon="epsilon", neighbors="linf", size=1, domain=(-3.0, 3.0))
def losing(rng, answers, epsilon):
    return abs(answers[0] + rng.laplace(scale=1 / epsilon))
"""


@pytest.mark.process
def test_a_loss_by_a_faulty_reading_is_not_told(tmp_path, monkeypatch):
    """abs read as ten times the noisy number: another law, and other outputs."""
    monkeypatch.setitem(operations.FUNCTIONS, "abs", lambda value, *_: 10 * value)

    outcome = outcome_of(target_of(tmp_path, LOSING), exact_seconds=1.0, max_runs=20_000)

    assert outcome.losses == ()
    assert any("the exact reading reads the function otherwise" in note for note in outcome.effort.notes)


@pytest.mark.process
@pytest.mark.parametrize("job", [ExactJob, partial(WorstJob, seconds=0.5)], ids=["exact", "worst"])
def test_nor_is_it_by_the_commands_that_compute(tmp_path, monkeypatch, job):
    target = target_of(tmp_path, LOSING)
    whole = job(mechanism=target.mechanism, program=target.program, settings=settings_with(), compare=True)
    assert carry_out(whole, lambda *_: None).not_compared == ""
    monkeypatch.setitem(operations.FUNCTIONS, "abs", lambda value, *_: 10 * value)

    ended = carry_out(whole, lambda *_: None)

    assert isinstance(ended, Untestable)
    assert "the exact reading reads the function otherwise" in ended.reason
    assert carry_out(replace(whole, compare=False), lambda *_: None).not_compared == "nothing was run"


SHAPED = """
import numpy as np

@dp(epsilon="epsilon", neighbors="linf", size=2)
def shaped(rng, answers, epsilon):
    noisy = [answer + rng.laplace(scale=2 / epsilon) for answer in answers]
    return {}
"""


@pytest.mark.process
@pytest.mark.parametrize(
    "output",
    [
        "{index for index, value in enumerate(noisy) if value >= 1}",
        "frozenset({'a', 'b'} if noisy[0] > 0 else {'b'})",
        "np.array([answers]) + rng.laplace(scale=2 / epsilon)",
    ],
)
def test_outputs_are_the_same_in_whatever_way_the_runner_writes_them(tmp_path, output):
    target = target_of(tmp_path, SHAPED.format(output))
    job = ExactJob(mechanism=target.mechanism, program=target.program, settings=settings_with(), compare=True)

    assert carry_out(job, lambda *_: None).not_compared == ""


SELDOM = """
@dp(epsilon="epsilon", neighbors="linf", size=1)
def seldom(rng, answers, epsilon):
    far = 0
    for _ in range(4):
        if abs(rng.laplace(scale=1.0)) > 2:
            far += 1
    return {} if far == 4 else 0
"""


@pytest.mark.process
def test_what_only_unlikely_noise_shows_is_compared_too(tmp_path):
    """Each of four draws is beyond 2 with probability exp(-2): one run in 3,000 shows the difference."""
    (tmp_path / "read").mkdir()
    read = target_of(tmp_path / "read", SELDOM.format(1))
    runs = target_of(tmp_path, SELDOM.format(2))
    job = ExactJob(mechanism=runs.mechanism, program=read.program, settings=settings_with(), compare=True)

    ended = carry_out(job, lambda *_: None)

    assert isinstance(ended, Untestable)
    assert "the exact reading reads the function otherwise" in ended.reason
    assert carry_out(replace(job, program=runs.program), lambda *_: None).not_compared == ""


@pytest.mark.process
@pytest.mark.parametrize(
    ("runs", "read", "output"),
    [
        ("frozenset", "set", "{}(['a', 'b'])"),
        ("set", "frozenset", "{}(['a', 'b'])"),
        ("set", "frozenset", "(noisy[0] > 0, {}(['a']))"),  # a set in a tuple is not read
    ],
)
def test_a_set_that_is_frozen_is_another_output(tmp_path, runs, read, output):
    (tmp_path / "read").mkdir()
    other = target_of(tmp_path / "read", SHAPED.format(output.format(read)))
    own = target_of(tmp_path, SHAPED.format(output.format(runs)))
    job = ExactJob(mechanism=own.mechanism, program=other.program, settings=settings_with(), compare=True)

    ended = carry_out(job, lambda *_: None)

    assert isinstance(ended, Untestable)
    assert "frozenset" in ended.reason
