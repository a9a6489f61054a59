"""The form of the data is settled by runs before anybody is accused, and leaks are found in the form that is taken."""

import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.outcomes import Failed, FailureKind, NoViolation, Proved, Underpowered, Violation
from tests.audit.conftest import audited, outcome_of

pytestmark = pytest.mark.process

SOURCE = """
import numpy as np
from dplint import dp

@dp(epsilon=1.0, neighbors="l1")
def number(x):
    return x + np.random.laplace(0, 1)

@dp(epsilon=1.0, neighbors="l1")
def number_leaks(x):
    return x + np.random.laplace(0, 0.2)

@dp(epsilon=4.9, delta=1e-5, neighbors="l2")
def duck(value):
    try:
        size = value.shape
    except AttributeError:
        size = 1
    return value + np.random.normal(0, 1, size)

@dp(epsilon=1.0, neighbors="linf-monotone")
def picks(counts: np.ndarray):
    slots = [i for i, c in enumerate(counts) for _ in range(c)]
    return len(slots) + np.random.laplace(0, len(counts))

@dp(epsilon=1.0, neighbors="linf-monotone")
def picks_leaks(counts: np.ndarray):
    slots = [i for i, c in enumerate(counts) for _ in range(c)]
    return len(slots) + np.random.laplace(0, 0.2 * len(counts))

@dp(epsilon=1.0, neighbors="l1")
def checks(value):
    if value < 1:
        raise ValueError("too low")
    return value + np.random.laplace(0, 1)

@dp(epsilon=1.0, neighbors="l1")
def checks_leaks(value):
    if value < 1:
        raise ValueError("too low")
    return value + np.random.laplace(0, 0.2)

@dp(epsilon=1.0, neighbors="l1", domain=(-1.0, 1.0))
def domain_leaks(value):
    if value < 0:
        raise ValueError("negative")
    return 1.0

@dp(epsilon=1.0, neighbors="linf")
def whole_leaks(xs):
    return [x + np.random.geometric(0.9) for x in xs]

@dp(epsilon=1.0, neighbors="l1")
def nothing(x):
    raise KeyError("never")

@dp(epsilon=1.0, neighbors="add-remove", domain={"a": (0.0, 1.0), "b": (0.0, 1.0)})
def distinct(rows):
    return sum(a for a, b in set(rows)) + np.random.laplace(0, 1)

@dp(epsilon=1.0, neighbors="add-remove", domain={"a": (0.0, 1.0), "b": (0.0, 1.0)})
def distinct_leaks(rows):
    return sum(a for a, b in set(rows)) + np.random.laplace(0, 0.2)

class Model:
    @dp(epsilon=1.0, neighbors="replace-one", size=4, domain={"a": (0.0, 1.0), "b": (0.0, 1.0)}, observe=["self.w"])
    def fit(self, X):
        n, d = np.shape(X)
        self.w = np.asarray(X).sum() + np.random.laplace(0, 2)
        return self

    @dp(epsilon=1.0, neighbors="replace-one", size=4, domain={"a": (0.0, 1.0), "b": (0.0, 1.0)}, observe=["self.w"])
    def fails(self, X):
        self.w = X.nowhere
        return self
"""


@pytest.fixture(scope="module")
def mechanisms(tmp_path_factory):
    path = tmp_path_factory.mktemp("forms") / "mechanisms.py"
    path.write_text(SOURCE)
    return {one.mechanism.qualname: one for one in load_file(path, Settings()) if isinstance(one, Target)}


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("number", "passed as a number: "),
        ("duck", "given as a NumPy array"),
        ("picks", "given as a NumPy array of whole numbers"),
        ("checks", "given as a number"),
        ("distinct", "passed as a list of tuples: "),
        ("Model.fit", "passed as a two-dimensional NumPy array, a record in each row: "),
    ],
)
def test_a_right_one_is_tested_in_the_form_that_it_takes(mechanisms, name, form):
    """A false alarm has probability at most 0.001, and the seed is fixed."""
    outcome = outcome_of(mechanisms[name], max_runs=30_000)

    assert isinstance(outcome, NoViolation | Underpowered | Proved), outcome
    assert outcome.effort.runs > 1000
    assert any(note.startswith(f"the data is {form}") for note in outcome.effort.notes), outcome.effort.notes


@pytest.mark.parametrize(
    "name", ["number_leaks", "picks_leaks", "checks_leaks", "domain_leaks", "whole_leaks", "distinct_leaks"]
)
def test_a_wrong_one_is_found_in_the_form_that_it_takes(mechanisms, name):
    assert isinstance(outcome_of(mechanisms[name], max_runs=60_000), Violation)


def test_a_refused_input_is_told(mechanisms):
    notes = outcome_of(mechanisms["checks"], max_runs=20_000).effort.notes
    (note,) = [one for one in notes if "not an input that the function takes" in one]
    assert "ValueError: too low" in note


def test_what_only_a_guess_shows_is_told(mechanisms):
    (note,) = [one for one in outcome_of(mechanisms["number"], max_runs=20_000).effort.notes if "passed as" in one]
    assert "does not show in this form and is not an input that the function takes" in note


@pytest.mark.parametrize(("name", "said"), [("nothing", "KeyError"), ("Model.fails", "AttributeError")])
def test_a_function_that_takes_no_form_is_a_failure_that_names_them(mechanisms, name, said):
    outcome = outcome_of(mechanisms[name], max_runs=20_000)

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.INPUT
    assert f"every run raised {said}" in outcome.reason
    assert "tried too as" in outcome.reason


def test_a_later_pass_goes_on_in_the_form_that_was_settled_on(mechanisms):
    first = audited(mechanisms["number"], max_runs=30_000)
    second = audited(mechanisms["number"], max_runs=30_000, state=first.state)

    assert first.state is not None
    assert not isinstance(second.outcome, Violation)
    assert second.outcome.effort.earlier_runs > 0
    assert [one for one in second.outcome.effort.notes if "passed as" in one]
