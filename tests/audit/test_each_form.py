"""Each form of the data that the annotation names, or that callers pass, is audited; what is not is named."""

from dataclasses import replace

import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.outcomes import Failed, NoViolation, Proved, Underpowered, Violation
from dplint.source.callers import Callers
from tests.audit.conftest import audited, outcome_of

pytestmark = pytest.mark.process

SOURCE = """
import numpy as np
from dplint import dp

@dp(epsilon=1.0, neighbors="l1")
def right(data: list[float] | np.ndarray):
    return [x + np.random.laplace(0, 1) for x in data]

@dp(epsilon=1.0, neighbors="l1")
def array_leaks(data: list[float] | np.ndarray):
    if isinstance(data, list):
        return [x + np.random.laplace(0, 1) for x in data]
    return list(data + np.random.laplace(0, 1))  # the same noise on all

@dp(epsilon=1.0, neighbors="l1")
def list_leaks(data: list[float] | np.ndarray):
    if isinstance(data, list):
        return [x + np.random.laplace(0, 0.2) for x in data]
    return data + np.random.laplace(0, 1, len(data))

@dp(epsilon=1.0, neighbors="l1")
def tuple_leaks(data: list[float] | tuple[float, ...] | np.ndarray):
    return sum(data) + (np.random.laplace(0, 1) if not isinstance(data, tuple) else 0)

@dp(epsilon=1.0, neighbors="l1")
def path_too(data: np.ndarray | str):
    return [x + np.random.laplace(0, 1) for x in data]

@dp(epsilon=1.0, neighbors="l1")
def only_numbers(data: float | np.ndarray):
    return float(data) + np.random.laplace(0, 1)

@dp(epsilon=1.0, neighbors="l1")
def never(data: list[float] | np.ndarray):
    raise KeyError("never")
"""


@pytest.fixture(scope="module")
def mechanisms(tmp_path_factory):
    path = tmp_path_factory.mktemp("each") / "mechanisms.py"
    path.write_text(SOURCE)
    return {one.mechanism.qualname: one for one in load_file(path, Settings()) if isinstance(one, Target)}


def test_a_right_one_is_tested_in_both_forms(mechanisms):
    """A false alarm has probability at most 0.001 for both together, and the seed is fixed."""
    outcome = outcome_of(mechanisms["right"], max_runs=40_000)

    assert isinstance(outcome, NoViolation | Underpowered | Proved)
    assert outcome.effort.forms == ("a list", "a NumPy array")
    (note,) = [one for one in outcome.effort.notes if "given in other forms, too" in one]
    assert "no violation found" in note or "proved" in note
    assert not [one for one in outcome.effort.notes if "is not tested" in one]


@pytest.mark.parametrize(
    ("name", "form"), [("array_leaks", "a NumPy array"), ("list_leaks", "a list"), ("tuple_leaks", "a tuple")]
)
def test_what_is_wrong_in_one_form_alone_is_found(mechanisms, name, form):
    outcome = outcome_of(mechanisms[name], max_runs=90_000)

    assert isinstance(outcome, Violation)
    assert [one for one in outcome.effort.notes if one.startswith(f"the data is passed as {form}: ")]
    assert outcome.effort.alpha == 0.001  # of all forms together


def test_forms_that_had_no_turn_are_named(mechanisms):
    (note,) = [one for one in outcome_of(mechanisms["list_leaks"], max_runs=90_000).effort.notes if "passed as" in one]
    assert "what it does with a NumPy array" in note
    assert "is not tested" in note


def test_a_member_that_no_data_can_be_made_in_is_named(mechanisms):
    outcome = outcome_of(mechanisms["path_too"], max_runs=20_000)

    assert isinstance(outcome, NoViolation | Underpowered | Proved)
    assert outcome.effort.forms == ("a NumPy array",)
    assert [one for one in outcome.effort.notes if "what it does with str" in one and "is not tested" in one]


def test_a_form_that_the_function_does_not_take_is_no_part_of_the_verdict(mechanisms):
    outcome = outcome_of(mechanisms["only_numbers"], max_runs=20_000)

    assert isinstance(outcome, NoViolation | Underpowered | Proved)
    assert outcome.effort.forms == ("a number",)
    assert [one for one in outcome.effort.notes if "a NumPy array (not tested, because every run raised" in one]


def test_a_function_that_takes_none_fails(mechanisms):
    outcome = outcome_of(mechanisms["never"], max_runs=20_000)

    assert isinstance(outcome, Failed)
    assert "every run raised KeyError" in outcome.reason


def test_a_later_pass_goes_on_in_each_form(mechanisms):
    first = audited(mechanisms["right"], max_runs=40_000, proof_seconds=0.0)
    second = audited(mechanisms["right"], max_runs=40_000, proof_seconds=0.0, state=first.state)

    assert not isinstance(second.outcome, Violation)
    assert second.outcome.effort.earlier_runs >= first.outcome.effort.runs > 20_000
    assert second.outcome.effort.forms == ("a list", "a NumPy array")


def test_what_callers_pass_is_tested_each(tmp_path):
    path = tmp_path / "noise.py"
    path.write_text(
        "import numpy as np\nfrom dplint import dp\n\n"
        "@dp(epsilon=1.0, neighbors='l1')\ndef release(x):\n    return x + np.random.laplace(0, 1)\n"
    )
    by_nobody = _outcome(path)
    (tmp_path / "app.py").write_text("import noise\n\nprint(noise.release(2.5))\n")
    by_numbers = _outcome(path)
    (tmp_path / "lib.py").write_text("import noise\nimport numpy as np\n\nprint(noise.release(np.zeros(3)))\n")
    by_both = _outcome(path)

    assert not isinstance(by_nobody, Violation)
    assert by_numbers.effort.forms == ("a number",)
    assert not isinstance(by_numbers, Violation)
    # One noise for all entries: it is private for a number alone.
    assert isinstance(by_both, Violation)


def _outcome(path):
    target = next(one for one in load_file(path, Settings()) if isinstance(one, Target))
    return outcome_of(replace(target, mechanism=Callers().asked(target.mechanism)), max_runs=60_000)
