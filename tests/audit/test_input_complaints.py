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


@pytest.mark.process
def test_one_value_where_a_list_is_expected(tmp_path):
    (tmp_path / "m.py").write_text(TAKES_A_LIST)
    (target,) = load_file(tmp_path / "m.py", Settings())

    outcome = outcome_of(target)

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.INPUT
    assert "with neighbors='any' the data is one value of the domain, in no list" in outcome.reason


TAKES_A_NUMBER = """
from dplint import dp

@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
def rounded(rng, n: int, epsilon):
    return n + round(rng.laplace(scale=10 / epsilon))
"""


@pytest.mark.process
def test_a_list_of_records_where_one_number_is_expected(tmp_path):
    (tmp_path / "m.py").write_text(TAKES_A_NUMBER)
    (target,) = load_file(tmp_path / "m.py", Settings())

    outcome = outcome_of(target)

    assert isinstance(outcome, Failed)
    assert outcome.kind is FailureKind.INPUT
    assert "annotated int, but neighbors='replace-one' is about a list of records" in outcome.reason
    assert 'write neighbors="any"' in outcome.reason
