"""The procedure in audits of functions that only calls can run: it may find sooner, and never accuses what is right."""

from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import pytest

from dplint.audit.models.procedure import Modelling
from dplint.audit.procedures import audit, audit_procedures
from dplint.jobs import AuditJob
from dplint.outcomes import NoViolation, Underpowered, Violation
from dplint.program.refusals import Unsupported
from tests.audit.conftest import outcome_of, read_fixtures, settings_with
from tests.mechanisms import targets

__all__ = ["targets"]

pytestmark = pytest.mark.process


def audited(target, *, models=True, **given):
    """The outcome of an audit by calls, whose runs are few."""
    job = AuditJob(
        mechanism=target.mechanism,
        program=Unsupported("a test", target.mechanism.span),
        settings=settings_with(**{"max_runs": 8_000, "use_solver": False, **given}),
    )
    procedures = [one for one in audit_procedures() if models or not isinstance(one, Modelling)]
    return audit(job, lambda *_: None, procedures).outcome


DECEIVING = """
import numpy as np

def m_only_when_traced(rng, queries):
    far = 5.0 if type(type(rng).laplace).__name__ == "function" else 1.0
    return far * queries[0] + rng.laplace(scale=1.0)

def m_bare_when_traced(rng, queries):
    noise = rng.laplace(scale=1.0)
    return queries[0] if type(type(rng).laplace).__name__ == "function" else queries[0] + noise

def m_other_form_when_traced(rng, queries):
    noisy = queries[0] + rng.laplace(scale=1.0)
    return {queries[0]: noisy} if type(type(rng).laplace).__name__ == "function" else {0: noisy}

def m_raises_when_traced(rng, queries):
    if type(type(rng).laplace).__name__ == "function":
        raise ValueError(queries[0])
    return queries[0] + rng.laplace(scale=1.0)

def m_argmax(rng, queries):
    return int(np.argmax(np.array(queries) + rng.laplace(scale=2.0, size=len(queries))))

def m_adaptive(rng, queries):
    first = queries[0] + rng.laplace(scale=2.0)
    return [first, queries[1] * (first > 0) + rng.laplace(scale=2.0)]

def m_draws_vary(rng, queries):
    noisy = queries[0] + rng.laplace(scale=1.0)
    return noisy + sum(rng.laplace() for _ in range(int(abs(noisy)) % 5))

def m_post_processed(rng, queries):
    noisy = queries[0] + rng.laplace(scale=1.0)
    return {"rounded": round(noisy), "again": 3 * noisy, "square": noisy * noisy}
"""
CLAIM = 'epsilon=1.0, neighbors="linf", size=2'
NAMES = [line.split()[1].split("(")[0] for line in DECEIVING.splitlines() if line.startswith("def")]


@pytest.mark.parametrize("name", NAMES)
def test_a_model_that_is_wrong_accuses_nobody(targets, name):
    """The first four do in traced runs what breaks the claim, and in others what keeps it."""
    outcome = audited(targets(DECEIVING, CLAIM)[name])

    assert isinstance(outcome, NoViolation | Underpowered)
    assert outcome.effort.events > 0


@pytest.mark.nightly
@pytest.mark.parametrize("name", NAMES)
def test_nor_does_it_for_any_seed(targets, name):
    """At a level of 0.05 over all of these, one in twenty may be accused; of 20 audits, 5 with probability 0.003."""
    target = targets(DECEIVING, CLAIM)[name]
    accused = [isinstance(audited(target, seed=seed, alpha=0.05), Violation) for seed in range(20)]

    assert sum(accused) < 5


SMALL = """
def m_small(rng, queries):
    return {"sum": sum(queries) + rng.laplace(scale=2 / EXCESS), "rest": "none"}

def m_seldom_other(rng, queries):
    noise = rng.laplace(scale=2 / EXCESS)
    return {"sum": sum(queries) + noise if abs(noise) < 14 else 0.0, "rest": "none"}

def m_in_a_text(rng, queries):
    return "rows of 2026: %.3f" % (sum(queries) + rng.laplace(scale=2 / EXCESS))

def m_in_json(rng, queries):
    import json
    noisy = [value + rng.laplace(scale=2 / EXCESS) for value in queries]
    return json.dumps({"year": 2026, "noisy": noisy})

def m_two(queries):
    import numpy as np
    rng = np.random.default_rng()
    return np.array(queries) + rng.laplace(scale=np.array([2 / EXCESS, 2 / EXCESS]))
"""
SMALL_NAMES = [line.split()[1].split("(")[0] for line in SMALL.splitlines() if line.startswith("def")]


@pytest.mark.parametrize("name", SMALL_NAMES)
def test_a_small_excess_is_found_beside_a_model(targets, name):
    """Losses of 1.06, claimed 1. Plain bets take some 1 / 0.03^2 runs, a hundred times as many."""
    outcome = audited(targets(SMALL.replace("EXCESS", "1.06"), CLAIM)[name], max_runs=30_000)

    assert isinstance(outcome, Violation)
    assert 1 < outcome.epsilon_lower < 1.06
    coupled = outcome.counterexample.evidence.coupled
    # Where each number has a draw of its own, nothing is simulated.
    assert coupled.model_runs == 0 or coupled.model_runs >= 200_000
    assert coupled.differ1 + coupled.differ2 <= (30 if name == "m_seldom_other" else 0)
    assert outcome.confirmation.agrees


@pytest.mark.parametrize(
    "name", [SMALL_NAMES[1], *(pytest.param(one, marks=pytest.mark.nightly) for one in SMALL_NAMES[::2])]
)
def test_the_same_without_excess_is_not_accused(targets, name):
    outcome = audited(targets(SMALL.replace("EXCESS", "1.0"), CLAIM)[name], max_runs=3_000)

    assert isinstance(outcome, NoViolation | Underpowered)


OWN_NOISE = """
def m(rng, rows):
    noise = [rng.laplace() for _ in rows]
    return len(rows) + rng.laplace() + 0 * sum(noise)
"""


def test_draws_that_differ_in_number_are_a_note(targets):
    claim = 'epsilon=1.0, neighbors="add-remove", domain=(0, 1)'
    outcome = audited(targets(OWN_NOISE, claim)["m"], max_runs=1_500)

    (note,) = [note for note in outcome.effort.notes if note.startswith("suspicious")]
    assert "draws 6 times" in note
    assert isinstance(outcome, NoViolation | Underpowered)


EPSILONS = """
def m(rng, queries, epsilon):
    return queries[0] + rng.laplace(scale=(0.4 if epsilon > 1 else 1.0) / epsilon)
"""


def test_it_suggests_for_the_largest_epsilon(targets):
    outcome = audited(targets(EPSILONS, 'epsilon="epsilon", size=2')["m"], epsilons=(0.5, 1.5))

    assert isinstance(outcome, Violation)
    assert outcome.epsilon_tested == 1.5
    assert outcome.effort.runs < 10_000, "one value of the claim, of runs that are made many at once"


def test_the_same_seed_gives_the_same_audit(targets):
    target = targets(EPSILONS, 'epsilon="epsilon", size=2')["m"]
    one, two = (audited(target, epsilons=(1.5,)) for _ in range(2))

    assert replace(one, effort=replace(one.effort, seconds=0.0)) == replace(
        two, effort=replace(two.effort, seconds=0.0)
    )


LEAKS = {"by_town_leaks": 4_000, "shared_leaks": 4_000, "reused_leaks": 6_000, "bins_leaks": 8_000}
"""Runs within which some leaks of the fixtures are found: 1,000 of each of some twenty data values come first else."""


@pytest.fixture(scope="module")
def pipelines():
    pytest.importorskip("pandas")
    pytest.importorskip("polars")
    return read_fixtures("pipelines")


@pytest.mark.parametrize(("name", "runs"), LEAKS.items(), ids=LEAKS)
def test_a_leak_of_a_pipeline_is_found_in_few_runs(pipelines, name, runs):
    outcome = audited(pipelines[name], max_runs=20_000)

    assert isinstance(outcome, Violation)
    assert outcome.effort.runs < runs


LIBRARIES = {"diffprivlib_tools.py": "diffprivlib", "opendp_measurements.py": "opendp"}
"""What the files of fixtures draw with that has to be installed besides."""


def can_run(target):
    library = LIBRARIES.get(Path(target.mechanism.path).name)
    return library is None or find_spec(library) is not None


@pytest.mark.nightly
def test_all_leaks_of_pipelines_are_found(pipelines):
    missed = [
        name
        for name, target in pipelines.items()
        if name.endswith("_leaks") and can_run(target) and not isinstance(audited(target, max_runs=60_000), Violation)
    ]

    # Delta is 0.0000374 where 0.00001 is claimed, too rare for runs of a model: the exact reading refutes it.
    assert missed == ["two_counts_leaks"]
    whole = outcome_of(pipelines["two_counts_leaks"], exact_seconds=5.0, max_runs=20_000)
    assert isinstance(whole, Violation)


@pytest.mark.parametrize("name", ["mean", "spent", "six_counts"])
def test_a_right_pipeline_is_not_accused(pipelines, name):
    assert isinstance(audited(pipelines[name], max_runs=2_000), NoViolation | Underpowered)


@pytest.mark.nightly
def test_no_right_pipeline_is_accused(pipelines):
    """At a level of 0.001, five seeds each: one alarm in 60 audits has probability 0.06, two 0.002."""
    right = [target for name, target in pipelines.items() if not name.endswith("_leaks")]
    alarms = [
        target.mechanism.qualname
        for target in right
        for seed in range(5)
        if isinstance(audited(target, max_runs=6_000, seed=seed), Violation)
    ]

    assert len(alarms) < 2, alarms
