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


def test_a_function_that_is_named_washes_the_data() -> None:
    text = TEXT.format(head="def blur(value):\n    return value", call="blur")

    assert [one.code for one in findings_in(text)] == ["DP201"]
    assert findings_in(text, known_noise=["m.blur"]) == []


@pytest.mark.parametrize(("head", "call"), [("import lib", "lib.blur"), ("from lib import blur", "blur")])
def test_nothing_is_said_of_what_cannot_be_read(head: str, call: str) -> None:
    text = TEXT.format(head=head, call=call)

    assert findings_in(text) == []
    assert findings_in(text, known_noise=["lib.blur"]) == []


@pytest.mark.parametrize("call", ["stats.laplace.cdf", "stats.norm.cdf", "stats.laplace.sf"])
def test_a_function_of_a_law_adds_no_noise(call: str) -> None:
    assert [one.code for one in findings_in(TEXT.format(head="from scipy import stats", call=call))] == ["DP201"]
