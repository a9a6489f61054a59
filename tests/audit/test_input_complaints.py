"""Where the function takes no input at all, the failure says how the data was given."""

import pytest

from dplint.check.loading import load_file
from dplint.config import Settings
from dplint.outcomes import Failed, FailureKind
from tests.audit.conftest import outcome_of

TAKES_A_LIST = """
from dplint import dp

@dp(epsilon="epsilon", neighbors="any", domain=(0.0, 1.0))
def coin(rng, bits, epsilon):
    return bits[0] + rng.laplace(scale=1 / epsilon)
"""
TAKES_A_NUMBER = """
from dplint import dp

@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
def rounded(rng, n: int, epsilon):
    return n + round(rng.laplace(scale=10 / epsilon))
"""


@pytest.mark.process
@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TAKES_A_LIST, ["with neighbors='any' the data is one value of the domain, in no list"]),
        (
            TAKES_A_NUMBER,
            ["annotated int, but neighbors='replace-one' is about a list of records", 'write neighbors="any"'],
        ),
    ],
    ids=["one value where a list is expected", "records where one number is expected"],
)
def test_data_of_another_form_than_the_function_takes(tmp_path, text, said):
    (tmp_path / "m.py").write_text(text)
    (target,) = load_file(tmp_path / "m.py", Settings())

    outcome = outcome_of(target)

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.INPUT
    assert all(one in outcome.reason for one in said)
