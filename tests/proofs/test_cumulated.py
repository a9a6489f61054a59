"""Selection by a uniform number that is compared with one cumulative sum of weights after another."""

import math

import pytest

from tests.proofs.proof_tools import searched

# Of scores without a domain, e^score may be too large for a float: then one run raises, and its neighbour need not.
HEAD = """@dp(epsilon="epsilon", neighbors="linf", domain=(-100.0, 100.0))
def release(rng, scores, epsilon):
    weights = [math.exp(epsilon * score / 2) for score in scores]
    total = sum(weights)
"""
LOOP = """    u = rng.random()
    acc = 0.0
    for i, w in enumerate(weights):
        acc += w / total
        if u < acc:
            return i
    return len(weights) - 1
"""
SCALED = """    u = rng.random() * total
    acc = 0
    for i in range(len(weights)):
        acc = acc + weights[i]
        if acc >= u:
            return i
    return None
"""
LOWERED = """    r = rng.uniform(0, total)
    for i, w in enumerate(weights):
        r -= w
        if r <= 0:
            return i
    return len(weights) - 1
"""
BROKEN_OFF = """    u = rng.random()
    acc = 0.0
    chosen = 0
    for i, w in enumerate(weights):
        acc += w / total
        if not u > acc:
            chosen = i
            break
    return chosen
"""
SHARES = LOOP.replace("    u =", "    shares = [w / total for w in weights]\n    u =").replace(
    "enumerate(weights):\n        acc += w / total", "enumerate(shares):\n        acc += w"
)
RECORDS = """@dp(epsilon="epsilon", neighbors="add-remove", domain=["bus", "car", "train"])
def release(rng, answers, epsilon):
    kinds = ["bus", "car", "train"]
    most = max(epsilon * answers.count(kind) for kind in kinds)
    weights = [math.exp(epsilon * answers.count(kind) - most) for kind in kinds]
    total = sum(weights)
    u = rng.random()
    acc = 0.0
    for kind, w in zip(kinds, weights):
        acc += w / total
        if u < acc:
            return kind
    return "train"
"""


@pytest.mark.parametrize(
    "loop", [LOOP, SCALED, LOWERED, BROKEN_OFF, SHARES], ids=["acc", "scaled", "less", "break", "shares"]
)
def test_right_ones_are_proved(tmp_path, loop):
    found = searched(tmp_path, HEAD + loop)

    assert found.proof is not None, found.reason
    assert found.proof.scope.sizes.largest == 5


def test_for_records_of_any_number(tmp_path):
    found = searched(tmp_path, RECORDS)

    assert found.proof is not None, found.reason
    assert found.proof.scope.full


def shares(scores, epsilon, factor=0.5):
    weights = [math.exp(epsilon * factor * score) for score in scores]
    return [one / sum(weights) for one in weights]


def stops(asked):
    """How likely it is that a number between 0 and 1 is first below each of these, then below none."""
    reached, found = 0.0, []
    for one in asked:
        found.append(max(min(one, 1.0) - reached, 0.0))
        reached = max(reached, min(one, 1.0))
    return [*found, 1.0 - reached]


def sums(numbers):
    return [sum(numbers[: k + 1]) for k in range(len(numbers))]


def merged(law):
    """What is below none is given as the last place."""
    return [*law[:-2], law[-2] + law[-1]]


def each(scores, epsilon):
    return merged(stops(shares(scores, epsilon)))


def doubled(scores, epsilon):
    return merged(stops(sums([2 * one for one in shares(scores, epsilon)])))


def half(scores, epsilon):
    return merged(stops([2 * one for one in sums(shares(scores, epsilon))]))


def without_first(scores, epsilon):
    weights = [math.exp(epsilon / 2 * score) for score in scores]
    return merged(stops(sums([one / sum(weights[1:]) for one in weights])))


def skipped(scores, epsilon):
    """Scores below zero have no place."""
    law = shares(scores, epsilon)
    return merged(stops(sums([0.0 if score < 0 else one for score, one in zip(scores, law, strict=True)])))


def fresh(scores, epsilon):
    """Another number is drawn in each turn."""
    left, law = 1.0, []
    for one in sums(shares(scores, epsilon)):
        law.append(left * one)
        left *= 1 - one
    return merged([*law, left])


FAR, NEAR = [-0.5, 30.0, -0.5], [0.5, 29.0, -0.5]
WRONG = {
    "nine tenths": (
        HEAD.replace("/ 2", "/ 1.8") + LOOP,
        lambda scores, e: shares(scores, e, 1 / 1.8),
        ([9, -9, 9], [8, -8, 8]),
    ),
    "nine tenths, less": (
        HEAD.replace("/ 2", "/ 1.8") + LOWERED,
        lambda scores, e: shares(scores, e, 1 / 1.8),
        ([9, -9, 9], [8, -8, 8]),
    ),
    "no sums": (HEAD + LOOP.replace("acc += w", "acc = w"), each, ([-8, -6, -8], [-7, -7, -9])),
    "each weight twice": (HEAD + LOOP.replace("w / total", "2 * w / total"), doubled, ([-8, -6], [-7, -7])),
    "half of the number": (HEAD + LOOP.replace("rng.random()", "0.5 * rng.random()"), half, ([-8, -6], [-7, -7])),
    "numbers of two sizes": (
        HEAD + LOOP.replace("        if u < acc", "        u = 0.5 * u\n        if u < acc"),
        lambda scores, e: merged(stops([2 ** (k + 1) * one for k, one in enumerate(sums(shares(scores, e)))])),
        ([-8, -6], [-7, -7]),
    ),
    "a weight that is not in the total": (
        HEAD.replace("sum(weights)", "sum(weights[1:])") + LOOP,
        without_first,
        ([-8, -6], [-7, -7]),
    ),
    "places that the data leaves out": (
        HEAD + LOOP.replace("        acc +=", "        if scores[i] < 0:\n            continue\n        acc +="),
        skipped,
        (NEAR, FAR),
    ),
    "another number in each turn": (
        HEAD + LOOP.replace("    u = rng.random()\n", "").replace("if u <", "if rng.random() <"),
        fresh,
        ([8, -8, -8], [9, -9, -9]),
    ),
    "a number that is moved and then scaled": (
        HEAD + LOOP.replace("rng.random()", "(rng.random() - 0.25) * 0.5"),
        lambda scores, e: merged(stops([0.25 + 2 * one for one in sums(shares(scores, e))])),
        ([-8, -6], [-8, -7]),
    ),
    "the data after the last": (
        HEAD + SCALED.replace("total\n", "(total + 1)\n").replace("None", "scores[0]"),
        None,
        None,
    ),
    "the number, too": (HEAD + LOOP.replace("return i", "return i, u"), None, None),
    "asked once more": (HEAD + LOOP.replace("return i", "return i, u < 0.5 / (1 + weights[0])"), None, None),
    "the score itself": (HEAD + LOOP.replace("return i", "return scores[i]"), None, None),
}
"""Text, the law of the places, and neighbours; None where the output shows what the data is, or a number made of it."""


@pytest.mark.parametrize(("text", "law", "pair"), WRONG.values(), ids=WRONG)
def test_no_wrong_one_is_proved(tmp_path, text, law, pair):
    if law is not None:
        one, two = (law(scores, 1.0) for scores in pair)
        both = [*zip(one, two, strict=True), *zip(two, one, strict=True)]
        assert sum(one) == pytest.approx(1)
        assert max(math.log(p / q) if q else math.inf for p, q in both if p > 1e-12) > 1.001

    found = searched(tmp_path, text)

    assert found.proof is None or found.proof.scope.sizes.largest < len(pair[0] if pair else [0])


def test_the_right_law_keeps_its_claim():
    for one, two in (([9, -9, 9], [8, -8, 8]), ([0, 0], [1, -1]), (NEAR, FAR)):
        pairs = list(zip(shares(one, 1.0), shares(two, 1.0), strict=True))
        assert max(abs(math.log(p / q)) for p, q in pairs) <= 1.0
