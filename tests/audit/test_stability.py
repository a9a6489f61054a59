"""Claims of stability: what pairs refute, and what they do not; distances against values worked out by hand."""

import json
import math

import pytest

from dplint.audit.distances import NotMeasured, RaisedOutput, Rows, distance
from dplint.audit.procedures import audit, audit_procedures
from dplint.audit.stability.procedure import Furthest
from dplint.check.loading import Target, load_file
from dplint.claims import Metric
from dplint.config import Settings
from dplint.inputs.pairs import are_neighbours
from dplint.jobs import AuditJob
from dplint.outcomes import NotRefuted, NoViolation, Unstable, Untestable, Violation
from tests.audit.conftest import FIXTURES, outcome_of, read_fixtures, settings_with
from tests.patience import patience

ROWS = {row["function"]: row for row in json.loads((FIXTURES / "stability" / "truth.json").read_text())["functions"]}
SECONDS = 2.0


@pytest.mark.process
@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if not row["stable"]])
def test_what_is_unstable_is_refuted_by_one_pair(name):
    target = read_fixtures("stability")[name]
    found = outcome_of(target, max_runs=None, budget=30.0)
    assert isinstance(found, Unstable)
    assert found.effort.seconds < patience(SECONDS)
    assert found.pair.distance > found.d_out
    assert target.mechanism.claim.user or are_neighbours(target.mechanism, found.pair.d1, found.pair.d2)


@pytest.mark.process
@pytest.mark.parametrize("name", [name for name, row in ROWS.items() if row["stable"]])
def test_what_is_stable_is_not_refuted(name):
    found = outcome_of(read_fixtures("stability")[name], max_runs=3_000)
    assert isinstance(found, NotRefuted)
    assert found.effort.pairs > 100
    assert found.effort.alpha == 0.0  # nothing was left to chance


SOURCE = """
import os
import random

from dplint import stable

BOTH = []


@stable(d_out=1, domain=(0, 5))
def noisy(rows):
    return len(rows) + random.gauss(0, 1)


@stable(d_out=1, domain=(0, 5))
def hidden(rows):
    return len(rows) + int.from_bytes(os.urandom(2), "big")


@stable(d_out=1, d_in=2, domain=(0, 5))
def two_records(rows):
    return len(rows)


@stable(d_out=2, d_in=2, domain=(0, 5))
def two_records_right(rows):
    return len(rows)


@stable(d_out=10, d_in=2, neighbors="replace-one", domain=(0, 5), size=4)
def two_replaced(rows):
    return sum(rows)


@stable(d_out=9, d_in=2, neighbors="replace-one", domain=(0, 5), size=4)
def two_replaced_wrong(rows):
    return sum(rows)


@stable(d_out=3, d_in=3, neighbors="l1", metric="l1")
def three_in_l1(answers):
    return answers


@stable(d_out=2, d_in=3, neighbors="l1", metric="l1")
def three_in_l1_wrong(answers):
    return answers


@stable(d_out=5, domain=(0, 5))
def raises_on_no_data(rows):
    return max(rows)


@stable(d_out=5, domain=(0, 5))
def a_list(rows):
    return rows


@stable(d_out=1, domain=(0, 9))
def behind_a_number(rows):
    return 40 * sum(row == 7 for row in rows) if len(rows) == 3 else 0


@stable(d_out="high - low", domain=(0, 100), args={"low": 5, "high": [10, 20]})
def clipped(rows, low, high):
    return sum(min(max(row, low), high) for row in rows)


@stable(d_out="high", domain=(0, 100), args={"low": 5, "high": [10, 20]})
def clipped_right(rows, low, high):
    return sum(min(max(row, low), high) for row in rows)


def pairs():
    yield {"a": 1}, {"a": 4}


@stable(d_out=2, neighbors=pairs)
def own_pairs(data):
    return data["a"]


@stable(d_out=5, domain=(0, 5))
def never_run(rows):
    if len(rows) > 900:
        return 17
    return len(rows)
"""


@pytest.fixture(scope="module")
def claimed(tmp_path_factory):
    path = tmp_path_factory.mktemp("claimed") / "transformations.py"
    path.write_text(SOURCE)
    return {one.mechanism.qualname: one for one in load_file(path, Settings()) if isinstance(one, Target)}


def outcome(claimed, name):
    return outcome_of(claimed[name], max_runs=3_000)


@pytest.mark.process
@pytest.mark.parametrize("name", ["noisy", "hidden"])
def test_noise_is_no_matter_of_stability(claimed, name):
    found = outcome(claimed, name)
    assert isinstance(found, Untestable)
    assert "without" in found.reason


@pytest.mark.process
@pytest.mark.parametrize(
    ("name", "apart"),
    [
        ("two_records", 2),
        ("two_replaced_wrong", 10),
        ("three_in_l1_wrong", 3),
        ("raises_on_no_data", math.inf),
        ("behind_a_number", 40),
        ("own_pairs", 3),
    ],
)
def test_refuted(claimed, name, apart):
    found = outcome(claimed, name)
    assert isinstance(found, Unstable)
    assert found.pair.distance == pytest.approx(apart) or found.d_out < found.pair.distance < apart


@pytest.mark.process
@pytest.mark.parametrize("name", ["two_records_right", "two_replaced", "three_in_l1", "clipped_right"])
def test_not_refuted(claimed, name):
    found = outcome(claimed, name)
    assert isinstance(found, NotRefuted)
    # The bound of each of these is attained, and the search comes to it.
    assert found.furthest.distance == pytest.approx(found.d_out)


@pytest.mark.process
def test_d_out_is_an_expression_of_arguments(claimed):
    """A record adds `low` at least, so the sum moves by `high`, and not by their difference."""
    found = outcome(claimed, "clipped")
    assert isinstance(found, Unstable)
    arguments = {one.name: one.value for one in found.pair.arguments}
    assert found.d_out == arguments["high"] - arguments["low"]


@pytest.mark.process
def test_a_metric_that_does_not_fit_is_named(claimed):
    found = outcome(claimed, "a_list")
    assert isinstance(found, Untestable)
    assert '"absolute"' in found.reason


@pytest.mark.process
def test_lines_that_no_run_comes_to_are_told(claimed):
    found = outcome(claimed, "never_run")
    assert [one.text for one in found.skipped] == ["return 17"]


TABLE = Rows(("a", "b"), ((1, 2.0), (1, 2.0), (3, None)))


@pytest.mark.parametrize(
    ("metric", "one", "two", "apart"),
    [
        (Metric.ABSOLUTE, 3, 5.5, 2.5),
        (Metric.ABSOLUTE, True, False, 1),
        (Metric.ABSOLUTE, math.nan, math.nan, 0),
        (Metric.ABSOLUTE, math.nan, 1.0, math.inf),
        (Metric.ABSOLUTE, math.inf, math.inf, 0),
        (Metric.ABSOLUTE, None, 1.0, math.inf),
        (Metric.ABSOLUTE, RaisedOutput("ValueError"), 1.0, math.inf),
        (Metric.L1, [1, 2], [3, -1], 5),
        (Metric.L2, [0, 0], [3, 4], 5),
        (Metric.LINF, [[1, 2], [3, 4]], [[1, 2], [3, 9]], 5),
        (Metric.L1, [1], [1, 0], math.inf),
        (Metric.L1, {"a": 1}, {"a": 1, "b": 2}, 2),
        (Metric.L1, {"a": "x"}, {"a": "y"}, math.inf),
        (Metric.SYMMETRIC, [1, 1, 2], [2, 1, 3], 2),
        (Metric.SYMMETRIC, [0.1 + 0.2], [0.3], 0),
        (Metric.SYMMETRIC, [0.1 + 0.2 - 0.3], [0.0], 0),
        (Metric.SYMMETRIC, [10**12], [10**12 + 1], 2),
        (Metric.SYMMETRIC, [math.nan, "a"], ["a", math.nan], 0),
        (Metric.SYMMETRIC, TABLE, Rows(("a", "b"), ((3, None), (1, 2.0))), 1),
        (Metric.SYMMETRIC, {"a": 1}, {"a": 2}, 2),
        (Metric.CHANGES, [1, 2, 3], [1, 3, 2], 2),
        (Metric.CHANGES, [1], [1, 2], math.inf),
        (Metric.INSERT_DELETE, [1, 2, 3], [3, 2, 1], 4),
        (Metric.INSERT_DELETE, [0, 1, 2, 3], [1, 2, 3, 0], 2),
        (Metric.INSERT_DELETE, [], [1, 2.0], 2),
        (Metric.INSERT_DELETE, [1, 2.0, 5], [1, 2.0 + 1e-13], 1),
    ],
)
def test_distances(metric, one, two, apart):
    assert distance(metric, one, two).value == apart
    assert distance(metric, two, one).value == apart


@pytest.mark.parametrize(("metric", "output"), [(Metric.ABSOLUTE, [1]), (Metric.SYMMETRIC, 3)])
def test_outputs_that_a_metric_says_nothing_of(metric, output):
    with pytest.raises(NotMeasured):
        distance(metric, output, output)


def test_rounding_alone_refutes_nothing():
    far = distance(Metric.ABSOLUTE, 0.1 + 0.2, 0.0)
    assert far.value > 0.3
    assert not far.exceeds(0.3)
    assert distance(Metric.ABSOLUTE, 0.31, 0.0).exceeds(0.3)


CARRIED = """
import polars as pl

from dplint import dp


@dp(epsilon=1, neighbors="add-remove", domain={"user": (1, 4), "income": [(0.0, 100.0), None]})
def filled_by_user(df: pl.DataFrame, rng):
    filled = df.select(pl.col("income").cast(pl.Float64).forward_fill().over("user").fill_null(0.0).clip(0.0, 100.0))
    return filled["income"].sum() + rng.laplace(0, 200)
"""


@pytest.mark.nightly
@pytest.mark.process
def test_the_furthest_pair_without_noise_refutes_a_mechanism_that_the_audit_misses_without_it(tmp_path):
    # One income is carried into all rows of its user without one: k such rows move the sum by 100 (k + 1), so that
    # the loss is (k + 1) / 2, where 1 is claimed. No pattern has a user of whom one row alone has an income.
    path = tmp_path / "carried.py"
    path.write_text(CARRIED)
    (target,) = load_file(path, Settings())
    assert isinstance(target, Target)
    job = AuditJob(mechanism=target.mechanism, program=target.program, settings=settings_with(max_runs=40_000))
    procedures = audit_procedures()
    without = [one for one in procedures if not isinstance(one, Furthest)]
    assert len(without) == len(procedures) - 1

    assert isinstance(audit(job, lambda *_: None, without).outcome, NoViolation)
    found = audit(job, lambda *_: None, procedures).outcome
    assert isinstance(found, Violation)
    witness = found.counterexample.witness
    assert are_neighbours(target.mechanism, witness.d1, witness.d2)
    assert found.epsilon_lower > 1
