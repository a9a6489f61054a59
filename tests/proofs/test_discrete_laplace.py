"""`scipy.stats.dlaplace`: what is proved of it, and wrong uses of it that sums of P(k) = tanh(a/2) e^(-a|k|) refute."""

import math

import pytest

from tests.proofs.proof_tools import searched

HEAD = "from scipy.stats import dlaplace\n\n\n"
COUNTS = """@dp(epsilon="epsilon", neighbors="l1")
def release(rng, values: list[int], epsilon):
    return [value + dlaplace.rvs(epsilon, random_state=rng) for value in values]
"""
ARRAY = """@dp(epsilon="epsilon", neighbors="l1")
def release(values: list[int], epsilon):
    return np.array(values) + dlaplace.rvs(epsilon, size=len(values))
"""
HOW_MANY = """@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def release(rng, values: list[int], epsilon):
    return len([value for value in values if value > 3]) + dlaplace(epsilon).rvs(random_state=rng)
"""
VECTOR = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, queries: list[int], epsilon, T: int, N: int):
    threshold = T + dlaplace.rvs(epsilon / 2, random_state=rng)
    output = []
    count = 0
    for query in queries:
        if query + dlaplace.rvs(epsilon / (4 * N), random_state=rng) >= threshold:
            output.append(True)
            count += 1
            if count >= N:
                break
        else:
            output.append(False)
    return output
"""
LOC = COUNTS.replace("value + dlaplace.rvs(epsilon,", "dlaplace.rvs(epsilon, loc=value,")
FROZEN = COUNTS.replace("value + dlaplace.rvs(epsilon, random_state=rng)", "dlaplace(epsilon, value).rvs(None, rng)")
HELD = COUNTS.replace("    return", "    law = dlaplace(epsilon)\n    return").replace(
    "dlaplace.rvs(epsilon, ", "law.rvs("
)
LEGACY = COUNTS.replace("release(rng,", "release(rng: np.random.RandomState,")


@pytest.mark.parametrize(
    "text",
    [COUNTS, LOC, FROZEN, HELD, LEGACY, ARRAY, HOW_MANY, VECTOR],
    ids=["counts", "loc", "frozen", "held", "legacy", "array", "how many", "sparse vector"],
)
def test_right_ones_are_proved_for_every_length(tmp_path, text):
    found = searched(tmp_path, HEAD + text)

    assert found.proof is not None, found.reason
    assert found.proof.scope.settled


def chance(k, a):
    return math.tanh(a / 2) * math.exp(-a * abs(k)) if k == math.floor(k) else 0.0


def loss(one, two):
    """The largest log ratio of two laws, given by the probability of each whole number."""
    ratios = ((one(k), two(k)) for k in range(-30, 31))
    return max(math.log(p / q) if q else math.inf for p, q in ratios if p)


def cut_off(x, a):
    """The law of int(x + k)."""
    return lambda out: sum(chance(k, a) for k in range(-200, 201) if int(x + k) == out)


WRONG = {
    "a scale for a rate": (
        COUNTS.replace("rvs(epsilon,", "rvs(1 / epsilon,"),
        0.5,
        lambda e: loss(lambda k: chance(k, 1 / e), lambda k: chance(k - 1, 1 / e)),
    ),
    "nine tenths of the noise": (
        COUNTS.replace("rvs(epsilon,", "rvs(epsilon / 0.9,"),
        0.5,
        lambda e: loss(lambda k: chance(k, e / 0.9), lambda k: chance(k - 1, e / 0.9)),
    ),
    "counts that are no whole numbers": (
        COUNTS.replace("list[int]", "list[float]"),
        0.5,
        lambda e: loss(lambda k: chance(k, e), lambda k: chance(k - 0.5, e)),
    ),
    "a loc that is no whole number": (
        LOC.replace("list[int]", "list[float]"),
        0.2,
        lambda e: loss(cut_off(0.5, e), cut_off(0.0, e)),
    ),
    "one draw for all": (
        ARRAY.replace("dlaplace.rvs(epsilon, size=len(values))", "dlaplace.rvs(epsilon)"),
        0.5,
        lambda _e: math.inf,  # (k, k) on [0, 0], and (k + 1, k) on [1, 0]
    ),
    "noise by the data": (
        HOW_MANY.replace("dlaplace(epsilon)", "dlaplace(epsilon * (1 + len(values)))"),
        0.5,
        lambda e: loss(lambda k: chance(k - 1, 2 * e), lambda k: chance(k, e)),
    ),
    "half of the sensitivity": (
        COUNTS.replace('"l1"', '"l1", sensitivity=2'),
        0.5,
        lambda e: loss(lambda k: chance(k, e), lambda k: chance(k - 2, e)),
    ),
    "noise that is thrown away": (COUNTS.replace("value + d", "value + 0 * d"), 0.5, lambda _e: math.inf),
}
"""Text, an epsilon, and the loss that the law has there."""


@pytest.mark.parametrize(("text", "epsilon", "exact"), WRONG.values(), ids=WRONG)
def test_no_wrong_one_is_proved(tmp_path, text, epsilon, exact):
    assert exact(epsilon) > epsilon * 1.001

    assert searched(tmp_path, HEAD + text).proof is None


def test_a_draw_that_scipy_would_make_for_each_number_is_no_single_draw(tmp_path):
    """Without a size SciPy draws as often as its loc is long; the program speaks of one draw, and proves nothing."""
    text = ARRAY.replace("np.array(values) + dlaplace.rvs(epsilon, size=len(values))", "dlaplace.rvs(epsilon, values)")

    assert searched(tmp_path, HEAD + text).proof is None


@pytest.mark.parametrize("state", ["3", "np.random.RandomState(3)", "len(values)"])
def test_a_seed_is_no_generator(tmp_path, state):
    found = searched(tmp_path, HEAD + COUNTS.replace("random_state=rng", f"random_state={state}"))

    assert found.proof is None
    assert "random_state" in found.reason or "seed" in found.reason
