"""Functions without a claim, on request: those with a parameter named as an epsilon, one step less severe."""

from __future__ import annotations

from dplint.outcomes import Severity
from tests.rules.snippets import PREAMBLE, findings_of

NO_CLAIM = """
def total(values, epsilon, rng):
    return sum(values) + rng.laplace(scale=epsilon)
"""
TOLERANCE = """
def solve(values, eps=1e-6):
    return [value for value in values if value > eps]
"""


def test_without_the_request_nothing_is_said() -> None:
    assert findings_of(PREAMBLE + NO_CLAIM) == []


def test_an_inverted_scale_is_a_warning_without_a_fix() -> None:
    (finding,) = findings_of(PREAMBLE + NO_CLAIM, all_functions=True)

    assert (finding.code, finding.severity, finding.function) == ("DP101", Severity.WARNING, "total")
    assert finding.fix is None


def test_a_function_that_draws_nothing_is_left_alone() -> None:
    assert findings_of(PREAMBLE + TOLERANCE, all_functions=True) == []


def test_a_claim_goes_before_a_guess() -> None:
    claimed = NO_CLAIM.replace("def total", '@dp(epsilon="epsilon", neighbors="l1")\ndef total')

    (finding,) = findings_of(PREAMBLE + claimed, all_functions=True)

    assert finding.severity is Severity.ERROR


OF_A_CLASS = """
class Model:
    def __init__(self, epsilon, tolerance=1e-9):
        self.epsilon = epsilon

    def fit(self, X, rng):
        self.mean_ = sum(X) + rng.laplace(scale=self.epsilon)
        return self

    def describe(self, text, rng):
        return text * rng.laplace(scale=self.epsilon)
"""


def test_methods_that_take_data_spend_the_epsilon_of_their_object() -> None:
    findings = findings_of(PREAMBLE + OF_A_CLASS, all_functions=True)

    assert {(one.code, one.function) for one in findings} == {("DP101", "Model.fit")}


def test_the_number_of_samples_is_no_data() -> None:
    text = "def draw(n_samples, epsilon, rng):\n    return [rng.laplace(scale=1 / epsilon)] * n_samples, n_samples\n"

    assert findings_of(PREAMBLE + text, all_functions=True) == []


def test_a_check_of_arguments_is_no_noise() -> None:
    text = """
from diffprivlib.mechanisms import Laplace
class Other(Laplace):
    def __init__(self, epsilon):
        self.epsilon = epsilon
    def bias(self, value):
        Laplace._check_all(self, value)
        return value / self.epsilon
"""

    assert findings_of(PREAMBLE + text, all_functions=True) == []


def test_a_check_of_arguments_that_raises_is_no_finding_without_a_claim() -> None:
    text = """
def total(values, epsilon, rng):
    if max(values) > 10:
        raise ValueError("too large")
    return sum(values) + rng.laplace(scale=10 / epsilon)
"""

    assert findings_of(PREAMBLE + text, all_functions=True) == []
    claimed = text.replace("def total", '@dp(epsilon="epsilon", neighbors="l1")\ndef total')
    assert {one.code for one in findings_of(PREAMBLE + claimed)} == {"DP205"}


STEP = """
class Model:
    def {name}(self, data, epsilon):
        if self.ready:
            return data.sum()
        return data.sum() + np.random.laplace(scale=1 / epsilon)
"""


def test_a_step_by_its_underscore_may_return_exact_data_to_its_caller() -> None:
    assert [one.code for one in findings_of(PREAMBLE + STEP.format(name="total"), all_functions=True)] == ["DP201"]
    assert findings_of(PREAMBLE + STEP.format(name="_total"), all_functions=True) == []


AMOUNT = """
class Blur:
    def __init__(self, sensitivity, epsilon):
        self.sensitivity, self.epsilon, self.scale = sensitivity, epsilon, sensitivity / epsilon

    def randomise(self, value):
        if {test}:
            return value
        return value + np.random.laplace(scale=self.sensitivity / self.epsilon)
"""


def test_where_no_noise_is_asked_for_none_is_missed() -> None:
    for test in ("self.sensitivity / self.epsilon == 0", "self.sensitivity == 0", "self.scale == 0"):
        assert findings_of(PREAMBLE + AMOUNT.format(test=test), all_functions=True) == []
    for test in ("self.sensitivity / self.epsilon < 0.1", "self.count == 0", "value == 0"):
        found = {one.code for one in findings_of(PREAMBLE + AMOUNT.format(test=test), all_functions=True)}
        assert "DP201" in found or "DP205" in found
