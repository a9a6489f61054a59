"""Scales that a fix multiplies: by enough, as somebody would write it, and only where nothing else would change."""

from __future__ import annotations

import math
from textwrap import dedent

import pytest

from dplint.rules.fixing import rounded_up
from tests.rules.snippets import PREAMBLE, findings_of, fixed

TOO_LITTLE = """
@dp(epsilon=0.7, neighbors="l1")
def few(rng, counts):
    return [count + rng.laplace(scale=SCALE) for count in counts]
"""
NOT_OFFERED = """
def scale_for(epsilon):
    return 0.5 / epsilon

@dp(epsilon="epsilon", neighbors="l1")
def by_a_helper_that_others_may_call(rng, counts, epsilon):
    return [count + rng.laplace(scale=scale_for(epsilon)) for count in counts]
---
@dp(epsilon="epsilon", neighbors="l1")
def on_one_path(rng, counts, epsilon, small: bool):
    scale = 0.5 / epsilon if small else 0.25 / epsilon
    return [count + rng.laplace(scale=scale) for count in counts]
---
@dp(epsilon="epsilon", neighbors="linf-monotone")
def a_rate_is_no_scale(counts, epsilon):
    noisy = [count + random.expovariate(4 * epsilon) for count in counts]
    return noisy.index(max(noisy))
"""


@pytest.mark.parametrize("number", [1.0000001, 1.001, 1.0714285, 1.5, 2.0, 9.999, 10.0, 123.4, 0.0123])
def test_three_digits_are_enough(number: float) -> None:
    shown = float(rounded_up(number))

    assert number * (1 - 1e-6) <= shown <= number * 1.01
    assert math.isclose(shown, float(f"{shown:.3g}"))


@pytest.mark.parametrize(
    ("scale", "mended"),
    [
        ("1 / 0.75", "1.08 / 0.75"),  # 1.07 would leave an epsilon of 0.7009
        ("1.0 / 1.4", "2 / 1.4"),
        ("0.5", "1.43"),
        ("HALF / 0.7", "2 * HALF / 0.7"),
    ],
)
def test_the_claim_is_kept_after_it(scale: str, mended: str) -> None:
    text = PREAMBLE + "HALF = 0.5\n" + dedent(TOO_LITTLE).replace("SCALE", scale)
    (finding,) = [one for one in findings_of(text) if one.code == "DP401"]

    assert finding.fix is not None
    assert not finding.fix.safe
    after = fixed(text, finding.fix)
    assert f"scale={mended})" in after
    given = {"HALF": 0.5}
    assert eval(mended, given) >= 1 / 0.7  # the Laplace mechanism: sensitivity over epsilon, as claimed
    assert [one for one in findings_of(after) if one.code == "DP401"] == []


@pytest.mark.parametrize("text", NOT_OFFERED.split("---"))
def test_it_is_not_offered_where_more_than_one_scale_would_change(text: str) -> None:
    found = findings_of(PREAMBLE + dedent(text))

    assert [one.fix for one in found if "ultipl" in (one.fix.title if one.fix else "")] == []
