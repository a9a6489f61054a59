"""Inputs that make conditions go ways which few data go are among those that are compared, and come first."""

from __future__ import annotations

import pytest

from dplint.audit.session import AuditSession
from dplint.audit.settings import claim_settings
from dplint.audit.telling import most_telling_first
from dplint.claims import Pair
from dplint.inputs.compared import pairs_to_compare
from dplint.inputs.pairs import are_neighbours
from dplint.jobs import AuditJob
from dplint.outcomes import Proved
from tests.audit.conftest import outcome_of, settings_with
from tests.audit.test_comparing import target_of

AGES = """
@dp(epsilon=1.0, neighbors="replace-one", size=4, domain={{"age": (0, 120), "city": ["north", "south"]}})
def ages(rng, rows):
    first = sum(1 for row in rows if row["age"] == 30)
    second = sum(1 for row in rows if row["age"] == {age} and row["city"] == "north")
    return (2.0 if first == 1 and second == 1 else 0.0) + rng.laplace(scale=2.0)
"""


@pytest.mark.parametrize("seed", range(6))
def test_values_of_the_source_come_together(tmp_path, seed):
    target = target_of(tmp_path, AGES.format(age=31))

    pairs = pairs_to_compare(target.mechanism, target.program, 60, seed)

    assert all(are_neighbours(target.mechanism, one.d1, one.d2) for one in pairs)
    sides = [side for one in pairs for side in (one.d1, one.d2)]
    assert any(
        [row["age"] for row in side].count(30) == 1
        and [(row["age"], row["city"]) for row in side].count((31, "north")) == 1
        for side in sides
    )


@pytest.mark.process
def test_a_proof_with_a_condition_that_few_data_meet_is_not_told_of_another(tmp_path):
    """The one that runs is right, too: nothing but the comparison tells them apart."""
    (tmp_path / "read").mkdir()
    read = target_of(tmp_path / "read", AGES.format(age=31))
    runs = target_of(tmp_path, AGES.format(age=32))
    assert isinstance(outcome_of(read, proof_seconds=10.0, max_runs=20_000), Proved)

    outcome = outcome_of(runs, program=read.program, proof_seconds=10.0, max_runs=20_000)

    assert not isinstance(outcome, Proved)
    assert any("the proof reads the function otherwise than it runs" in note for note in outcome.effort.notes)


WINDOW = """
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 1.0), size=3)
def window(rng, shares, epsilon):
    total = 0.0
    for share in shares:
        total += 1.0 if 0.7 < share < {high} else 0.0
    return total + rng.laplace(scale=1 / epsilon)
"""


@pytest.mark.process
def test_a_narrow_window_of_the_reading_shows(tmp_path):
    (tmp_path / "read").mkdir()
    read = target_of(tmp_path / "read", WINDOW.format(high=0.71))
    runs = target_of(tmp_path, WINDOW.format(high=0.7))

    outcome = outcome_of(runs, program=read.program, exact_seconds=1.0, max_runs=20_000)

    assert any("the exact reading reads the function otherwise" in note for note in outcome.effort.notes)


SEVEN = """
@dp(epsilon="epsilon", neighbors="linf", size=1, domain=(0.0, 9.0))
def seven(rng, answers, epsilon):
    return (1.0 if answers[0] == 7.0 else 0.0) + rng.laplace(scale=1 / epsilon)
"""


def session_of(target):
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings_with())
    return AuditSession(job, claim_settings(target.mechanism, (0.7,)), lambda *_: None)


def test_what_goes_another_way_comes_first(tmp_path):
    target = target_of(tmp_path, SEVEN)
    pairs = [Pair([low], [low + 0.5], "", 1) for low in (0.0, 0.25, 0.5, 1.0, 1.25, 1.5, 2.0, 2.25, 2.5)]
    rare = [Pair([7.0], [7.5], "", 1), Pair([8.0], [8.5], "", 1)]
    inputs = [(pair, {"epsilon": 0.7}) for pair in (*pairs, *rare)]

    ordered = list(most_telling_first(session_of(target), target.program, iter(inputs), len(inputs), 60.0))

    assert rare[0] in [pair for pair, _ in ordered[:2]]
    assert sorted(repr(one) for one in ordered) == sorted(repr(one) for one in inputs)


MANY_TURNS = """
@dp(epsilon="epsilon", neighbors="linf", size=1, args={"turns": (1, 10**12)})
def many_turns(rng, answers, turns, epsilon):
    total = 0
    for turn in range(turns):
        total += 1 if turn < 5 else 0
    return answers[0] * 0 + 10**400 * (total > 10**400) + rng.laplace(scale=1 / epsilon)
"""


def test_a_look_does_not_follow_loops_for_ever(tmp_path):
    target = target_of(tmp_path, MANY_TURNS)
    inputs = [(Pair([0.0], [1.0], "", 1), {"epsilon": 0.7, "turns": turns}) for turns in (3, 10**12, 10)]

    ordered = list(most_telling_first(session_of(target), target.program, iter(inputs), len(inputs), 60.0))

    assert sorted(repr(one) for one in ordered) == sorted(repr(one) for one in inputs)
