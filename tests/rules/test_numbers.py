"""Claims and scales that are numbers: seldom written with all of their digits."""

from __future__ import annotations

import pytest

from tests.rules.literal import literal
from tests.rules.snippets import findings_in
from tests.rules.test_right_styles import MECHANISMS

RIGHT = """
@dp(epsilon=0.7, neighbors="l1")
def with_few_digits(rng, counts):
    return [count + rng.laplace(scale=1.42) for count in counts]
---
@dp(epsilon=0.3, neighbors="linf")
def choice_with_few_digits(rng, queries):
    noisy = [query + rng.laplace(scale=6.66) for query in queries]
    return noisy.index(max(noisy))
---
from mylib import protect
@dp(epsilon=0.7, neighbors="l1")
def by_a_function_that_cannot_be_read(likes):
    return protect(sum(likes), 0.7)
---
from mylib import protect
@dp(epsilon=1, neighbors="l1")
def by_its_keyword(likes):
    return protect(sum(likes), epsilon=1)
---
from mylib import protect
EPS = 2
@dp(epsilon=2, neighbors="l1")
def by_a_constant(likes):
    return protect(sum(likes), EPS)
---
from diffprivlib import tools
@dp(epsilon=1.0, neighbors="replace-one", domain=(0, 100))
def thirds(values):
    mean = tools.mean(values, epsilon=0.333, bounds=(0, 100))
    spread = tools.std(values, epsilon=0.333, bounds=(0, 100))
    return mean, spread, tools.count_nonzero(values, epsilon=0.334)
---
@dp(epsilon=0.7, neighbors="l1")
def floor_of_a_scale(rng, values):
    return sum(values) + rng.laplace(scale=max(1 / 0.7, 1e-12))
---
@dp(epsilon=0.7, neighbors="l1")
def epsilon_in_the_data(rng, values):
    return [0.7 * value + rng.laplace(scale=1.0) for value in values]
---
@dp(epsilon=0.7, neighbors="linf")
def half_of_epsilon_in_the_scores(rng, scores):
    noisy = [score * 0.35 + rng.laplace(scale=1.0) for score in scores]
    return noisy.index(max(noisy))
---
@dp(epsilon=0.7, neighbors="l1")
def with_a_default_that_is_the_claim(rng, values, epsilon=0.7):
    return sum(values) + rng.laplace(scale=1.43)
"""
NUMBERS = [text for text in map(literal, MECHANISMS) if text is not None]
NUMBERS += [text.strip() + "\n" for text in RIGHT.split("---\n")]


@pytest.mark.parametrize("text", NUMBERS, ids=[text.split("def ")[-1].split("(")[0] for text in NUMBERS])
def test_right_mechanisms_have_no_finding_with_numbers_either(text: str) -> None:
    assert [(one.code, one.message) for one in findings_in(text)] == []


WRONG_NUMBERS = {
    "DP401": """
@dp(epsilon=0.7, neighbors="l1")
def with_the_scale_of_epsilon(rng, counts):
    return [count + rng.laplace(scale=0.7) for count in counts]
""",
    "DP207": """
@dp(epsilon=1.0, neighbors="linf")
def most_likes(rng, likes):
    noisy = [count + rng.laplace(scale=2 / 1.0) for count in likes]
    return max(noisy)
""",
    "DP103": """
@dp(epsilon=0.7, neighbors="linf")
def with_few_digits_and_no_releases(rng, counts):
    return [count + rng.laplace(scale=1.43) for count in counts]
""",
    "DP501": """
@dp(epsilon=0.7, neighbors="linf", size=5)
def halves_with_half_of_the_noise(rng, counts):
    return [count * 0.5 + rng.laplace(scale=0.714) for count in counts]
""",
}


@pytest.mark.parametrize(("code", "text"), WRONG_NUMBERS.items(), ids=list(WRONG_NUMBERS))
def test_wrong_numbers_are_seen(code: str, text: str) -> None:
    assert code in {one.code for one in findings_in(text)}
