"""Functions that add noise, named by the user."""

from __future__ import annotations

import pytest

from tests.rules.snippets import findings_in

TEXT = """
{head}

@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return {call}(sum(values)) + 0 / epsilon
"""


@pytest.mark.parametrize(
    ("head", "call", "name"),
    [
        ("import lib", "lib.blur", "lib.blur"),
        ("from lib import blur", "blur", "lib.blur"),
        ("def blur(value):\n    return value", "blur", "m.blur"),
    ],
)
def test_a_function_that_is_named_washes_the_data(head: str, call: str, name: str) -> None:
    text = TEXT.format(head=head, call=call)

    assert [one.code for one in findings_in(text)] == ["DP201"]
    assert findings_in(text, known_noise=[name]) == []


@pytest.mark.parametrize("call", ["stats.laplace.cdf", "stats.norm.cdf", "stats.laplace.sf"])
def test_a_function_of_a_law_adds_no_noise(call: str) -> None:
    assert [one.code for one in findings_in(TEXT.format(head="from scipy import stats", call=call))] == ["DP201"]
