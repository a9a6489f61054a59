"""Records that chance has chosen, by a coin for each or so many of them, before a mechanism that is proved for them."""

import itertools
import math
import random
from dataclasses import replace
from fractions import Fraction

import pytest

from dplint.claims import Claim
from dplint.proofs.checker.subsampling import Sampled, claim_follows, without_sampling
from dplint.proofs.searching import search
from dplint.relations import Neighbourhood
from tests.proofs.proof_tools import of_text

HEAD = "import math\nimport random\n\nimport numpy as np\n\nfrom dplint import dp\n\n\n"
CLAIM = Claim(epsilon=1.0, relation="add-remove")


def amplified(epsilon, rate):
    """Of randomised response on whether a record is there: the largest quotient of two probabilities, by counting."""
    yes = math.exp(epsilon) / (1 + math.exp(epsilon))
    return math.log((rate * yes + (1 - rate) * (1 - yes)) / (1 - yes))


def let_in(rate):
    return Sampled(None, Neighbourhood.ONE_MORE, Fraction(str(rate)), str(rate))


def proved(tmp_path, body, claim='epsilon=0.1, neighbors="add-remove", domain=(0, 1)', parameters="rows"):
    text = f"{HEAD}@dp({claim})\ndef release(rng, {parameters}):\n{body}"
    return search(*of_text(tmp_path, text, "release"), 20.0).proof


@pytest.mark.parametrize("epsilon", [0.01, 0.5, 1.0, 5.0])
@pytest.mark.parametrize("rate", [0.001, 0.1, 0.5, 1.0])
def test_the_claim_of_a_sample_is_that_of_exact_probabilities(epsilon, rate):
    """Randomised response attains it, so anything less would be wrong."""
    inner = replace(CLAIM, epsilon=epsilon)
    least = amplified(epsilon, rate)

    assert claim_follows(replace(CLAIM, epsilon=least * (1 + 1e-9)), inner, let_in(rate))
    assert not claim_follows(replace(CLAIM, epsilon=least * (1 - 1e-9)), inner, let_in(rate))


def test_delta_shrinks_by_the_rate_and_no_more():
    inner = replace(CLAIM, delta=1e-5)

    assert claim_follows(replace(CLAIM, delta=1e-6), inner, let_in(0.1))
    assert not claim_follows(replace(CLAIM, delta=0.9e-6), inner, let_in(0.1))


@pytest.mark.parametrize("relation", ["replace-one", "linf", "any"])
def test_other_relations_gain_nothing_by_coins(relation):
    claim = replace(CLAIM, relation=relation)

    assert not claim_follows(claim, claim, let_in(0.1))


@pytest.mark.parametrize("relation", ["add-remove", "linf", "any"])
def test_other_relations_gain_nothing_by_samples_of_one_size(relation):
    """The other half of the table of Balle, Barthe and Gaboardi is about other pairs, or has other numbers."""
    claim = replace(CLAIM, relation=relation)

    assert not claim_follows(claim, claim, replace(let_in(0.1), relation=Neighbourhood.ONE_REPLACED))


def chance_of_yes(mechanism, data, size):
    """Over all ordered samples of so many records, each as likely as any other."""
    samples = list(itertools.permutations(data, size))
    return sum(mechanism[one] for one in samples) / len(samples)


@pytest.mark.parametrize(("length", "size"), [(2, 1), (3, 2), (4, 2), (4, 3), (3, 3)])
def test_samples_in_order_keep_what_the_theorem_says_of_sets(length, size):
    """Of random mechanisms with two answers that keep log(2) about one record of a sample in its place."""
    chance = random.Random(3)
    bound = 1 + Fraction(size, length) * (2 - 1)
    samples = list(itertools.product([0, 1], repeat=size))
    near = [(a, b) for a in samples for b in samples if sum(x != y for x, y in zip(a, b, strict=True)) == 1]
    kept, largest = 0, 0.0
    while kept < 100:
        mechanism = {one: Fraction(chance.randint(2, 10), 12) for one in samples}
        if any(mechanism[a] > 2 * mechanism[b] or 1 - mechanism[a] > 2 * (1 - mechanism[b]) for a, b in near):
            continue
        kept += 1
        for data in itertools.product([0, 1], repeat=length):
            other = (1 - data[0], *data[1:])
            one, two = chance_of_yes(mechanism, data, size), chance_of_yes(mechanism, other, size)
            largest = max(largest, one / two, (1 - one) / (1 - two))

    assert largest <= bound
    assert largest > 1.05


SUM = "    return sum(sample) + rng.laplace(scale={scale})\n"
COINS = "    sample = [row for row in rows if rng.random() < 0.01]\n"
RIGHT = {
    "as much noise as a sample needs": COINS + SUM.format(scale=1 / 2.44),
    "as much as all records need": COINS + SUM.format(scale=10),
    "under the name of the data": COINS.replace("sample", "rows") + SUM.format(scale=0.5).replace("sample", "rows"),
    "an array": "    sample = rows[rng.random(len(rows)) < 0.01]\n" + SUM.format(scale=0.5),
}  # fmt: skip
WRONG = {
    "too little noise": COINS + SUM.format(scale=1 / 2.45),
    "the data itself is released": COINS + "    return len(rows) + sum(sample) + rng.laplace(scale=10)\n",
    "noise depends on the data": COINS + "    return sum(sample) + rng.laplace(scale=10 / (1 + len(rows)))\n",
    "one coin for all": (
        "    coin = rng.random()\n    sample = [row for row in rows if coin < 0.01]\n" + SUM.format(scale=0.5)
    ),
    "a rate that the data decides": COINS.replace("0.01", "len(rows) / 100") + SUM.format(scale=0.5),
    "coins the other way round": COINS.replace("<", ">") + SUM.format(scale=0.5),
    "more than the record": COINS.replace("[row for", "[5 * row for") + SUM.format(scale=0.5),
    "a test of the record, too": COINS.replace("0.01]", "0.01 or row > 0]") + SUM.format(scale=0.5),
    "drawn twice": COINS + COINS.replace("sample", "more") + SUM.format(scale=0.5).replace("(sample", "(sample + more"),
    "no noise": COINS + "    return len(sample)\n",
}  # fmt: skip


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_proved(tmp_path, body):
    parameters = "rows: np.ndarray" if "rows[" in body else "rows"

    found = proved(tmp_path, body, parameters=parameters)

    assert found is not None
    assert found.epsilon_upper == 0.1
    assert (found.scope.epsilon.low, found.scope.epsilon.high) == (0.1, 0.1)
    assert found.scope.full


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_not_proved(tmp_path, body):
    assert proved(tmp_path, body) is None


@pytest.mark.parametrize(
    ("epsilon", "delta", "noise", "right"),
    [
        ("log(1 + q * (exp(epsilon) - 1))", "0", "laplace(scale=1 / epsilon)", True),
        ("math.log(1 + q * (math.exp(epsilon) - 1))", "0", "laplace(scale=1 / epsilon)", True),
        ("epsilon", "0", "laplace(scale=1 / epsilon)", True),
        ("log(1 + q * (exp(epsilon) - 1))", "0", "laplace(scale=0.9 / epsilon)", False),
        ("log(1 + q * (exp(epsilon / 2) - 1))", "0", "laplace(scale=1 / epsilon)", False),
        ("q * epsilon", "0", "laplace(scale=1 / epsilon)", False),
        ("log(1 + q * (exp(2) - 1))", "q * 1e-5", "normal(scale=2.1)", True),
        ("log(1 + q * (exp(2) - 1))", "q * q * 1e-5", "normal(scale=2.1)", False),
        ("log(1 + q * (exp(2) - 1))", "q * 1e-5", "normal(scale=1.9)", False),
    ],
)
def test_a_rate_that_is_an_argument(tmp_path, epsilon, delta, noise, right):
    """Of one count, normal noise needs some 2 sigmas for epsilon = 2 and delta = 1e-5 (1.99..., by its curve)."""
    given = f', delta="{delta}"' if delta != "0" else ""
    body = f"    sample = [row for row in rows if rng.random() < q]\n    return len(sample) + rng.{noise}\n"
    claim = f'epsilon="{epsilon}"{given}, neighbors="add-remove", domain=(0, 1)'

    found = proved(tmp_path, body, claim, "rows, epsilon, q")

    assert (found is not None) is right
    if right:
        (rate,) = [one.values for one in found.scope.arguments if one.name == "q"]
        assert (rate.low, rate.high) == (0.0, 1.0)


def test_data_that_is_used_before_its_sample(tmp_path):
    text = f"{HEAD}@dp(epsilon=1, neighbors='add-remove', domain=(0, 1))\ndef release(rng, rows):\n"
    body = "    size = len(rows)\n    rows = [row for row in rows if rng.random() < 0.5]\n    return size\n"
    program, _ = of_text(tmp_path, text + body, "release")

    assert without_sampling(program, CLAIM) is None


REPLACED = 'epsilon="log(1 + {} / len(rows) * (exp(epsilon) - 1))", neighbors="replace-one", domain=(0, 1)'
SAMPLES = {
    "choice": ("rng.choice(rows, size=10, replace=False)", "10", "rows, epsilon"),
    "choice by positions": ("rng.choice(rows, 10, False)", "10", "rows, epsilon"),
    "of the module": ("np.random.choice(rows, 10, replace=False)", "10", "rows, epsilon"),
    "sample": ("random.sample(rows, 10)", "10", "rows, epsilon"),
    "permutation": ("rng.permutation(rows)[:10]", "10", "rows, epsilon"),
    "so many as is asked for": ("random.sample(rows, k=m)", "m", "rows, epsilon, m"),
    "so many of a permutation": ("rng.permutation(rows)[:m]", "m", "rows, epsilon, m"),
}


@pytest.mark.parametrize("share", ["1", "0.99"])
@pytest.mark.parametrize(("sample", "size", "parameters"), SAMPLES.values(), ids=SAMPLES)
def test_samples_of_one_size(tmp_path, sample, size, parameters, share):
    """The loss of a sum is attained by randomised response, of Laplace noise in the limit: so nothing less will do."""
    body = f"    sample = {sample}\n    return sum(sample) + rng.laplace(scale={share} / epsilon)\n"

    found = proved(tmp_path, body, REPLACED.format(size), parameters)

    assert (found is not None) is (share == "1")
    if found is not None:
        assert found.scope.full
        assert (found.scope.sizes.smallest, found.scope.sizes.largest) == (0, None)
        for one in found.scope.arguments:
            if one.name == "m":
                assert (one.values.low, one.values.integer) == (1.0, True)


FIXED = "    sample = rng.choice(rows, size=10, replace=False)\n"
NOISY = "    return sum(sample) + rng.laplace(scale=1 / epsilon)\n"
NO_SAMPLES = {
    "with replacement": FIXED.replace(", replace=False", "") + NOISY,
    "by weights": FIXED.replace("False", "False, p=[1 / len(rows)] * len(rows)") + NOISY,
    "no random order": FIXED.replace("False", "False, shuffle=False") + NOISY,
    "all but ten": "    sample = rng.permutation(rows)[:-10]\n" + NOISY,
    "every second one": "    sample = rng.permutation(rows)[:10:2]\n" + NOISY,
    "ten of others": "    sample = rng.permutation(rows)[10:]\n" + NOISY,
    "all of them too": FIXED + NOISY.replace("sum(sample)", "sum(sample) + sum(rows)"),
    "noise that shrinks with the data": FIXED + NOISY.replace("scale=1", "scale=1 / len(rows)"),
    "more of them": FIXED.replace("10", "11") + NOISY,
    "a size that the data decides": FIXED.replace("10", "int(sum(rows))") + NOISY,
    "a size that is no parameter": "    m = 2 * 10\n" + FIXED.replace("10", "m") + NOISY,
    "refused for what is in the data": "    if sum(rows) < 5:\n        raise ValueError('few')\n" + FIXED + NOISY,
    "the data is told": "    if len(rows) < 5:\n        raise ValueError(rows[0])\n" + FIXED + NOISY,
    "drawn twice": FIXED + FIXED.replace("sample =", "more =") + NOISY.replace("sum(sample)", "sum(sample + more)"),
}


@pytest.mark.parametrize("body", NO_SAMPLES.values(), ids=NO_SAMPLES)
def test_no_samples_of_one_size(tmp_path, body):
    assert proved(tmp_path, body, REPLACED.format(10), "rows, epsilon") is None


GUARD = "    if len(rows) < {}:\n        raise ValueError('too few')\n"
OF_NUMBERS = 'epsilon={}, neighbors="replace-one", domain=(0, 1)'
LEAST = math.log(1 + 0.1 * math.expm1(1))


@pytest.mark.parametrize(
    ("head", "size", "times", "right"),
    [
        (GUARD.format(100), "", 1.001, True),
        (GUARD.format(100), "", 0.999, False),
        (GUARD.format(99), "", 1.001, False),
        (GUARD.format("m"), "", 1.001, False),
        ("", ", size=100", 1.001, True),
        ("", ", size=100", 0.999, False),
        ("", ", size=(99, 200)", 1.001, False),
        ("", "", 1.001, False),
    ],
)
def test_a_claim_in_numbers_needs_a_shortest_length(tmp_path, head, size, times, right):
    """Ten of a hundred with noise for epsilon = 1: a tenth of the gain, by the formula."""
    body = head + FIXED + "    return sum(sample) + rng.laplace(scale=1)\n"
    parameters = "rows, m" if "< m" in head else "rows"

    found = proved(tmp_path, body, OF_NUMBERS.format(LEAST * times) + size, parameters)

    assert (found is not None and found.scope.full) is right
    if right:
        assert found.scope.sizes.smallest == (100 if size else 0)


def test_a_share_that_makes_noise_small_is_no_larger_one(tmp_path):
    """With q = 1/10 the noise is a tenth of what the claim on the sample needs."""
    body = COINS.replace("0.01", "q") + SUM.format(scale="q / epsilon")
    claim = 'epsilon="log(1 + q * (exp(epsilon) - 1))", neighbors="add-remove", domain=(0, 1)'

    assert proved(tmp_path, body, claim, "rows, epsilon, q") is None


@pytest.mark.parametrize(
    ("args", "right"),
    [("(0.1, 0.5)", True), ("0.25", True), ("[0.1, 0.2]", True), ("(0.5, 2.0)", False), ("1.5", False)],
)
def test_a_share_that_the_claim_speaks_of(tmp_path, args, right):
    """What it says of q stands in the proof; a q above 1 lets in all, and the formula is larger than epsilon then."""
    claim = 'epsilon="log(1 + q * (exp(epsilon) - 1))", neighbors="add-remove", domain=(0, 1)'
    body = COINS.replace("0.01", "q") + SUM.format(scale="1 / epsilon")

    found = proved(tmp_path, body, f'{claim}, args={{"q": {args}}}', "rows, epsilon, q")

    assert (found is not None) is right
