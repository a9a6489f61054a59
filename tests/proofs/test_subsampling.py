"""Records that chance has chosen, by a coin for each, before a mechanism that is proved for them."""

import math
from dataclasses import replace
from fractions import Fraction

import pytest

from dplint.claims import Claim
from dplint.proofs.checker.subsampling import Sampled, claim_follows, without_sampling
from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text

HEAD = "import math\nimport random\n\nimport numpy as np\n\nfrom dplint import dp\n\n\n"
CLAIM = Claim(epsilon=1.0, relation="add-remove")


def amplified(epsilon, rate):
    """Of randomised response on whether a record is there: the largest quotient of two probabilities, by counting."""
    yes = math.exp(epsilon) / (1 + math.exp(epsilon))
    return math.log((rate * yes + (1 - rate) * (1 - yes)) / (1 - yes))


def let_in(rate):
    return Sampled(None, Fraction(str(rate)))


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


def test_data_that_is_used_before_its_sample(tmp_path):
    text = f"{HEAD}@dp(epsilon=1, neighbors='add-remove', domain=(0, 1))\ndef release(rng, rows):\n"
    body = "    size = len(rows)\n    rows = [row for row in rows if rng.random() < 0.5]\n    return size\n"
    program, _ = of_text(tmp_path, text + body, "release")

    assert without_sampling(program) is None


def test_a_rate_that_is_an_argument_is_not_read(tmp_path):
    """With q = 1/10 the noise is a tenth of what the claim on the sample needs."""
    body = COINS.replace("0.01", "q") + SUM.format(scale="q / epsilon")
    claim = 'epsilon="log(1 + q * (exp(epsilon) - 1))", neighbors="add-remove", domain=(0, 1)'

    assert proved(tmp_path, body, claim, "rows, epsilon, q") is None


SAMPLES = ("rng.choice(rows, size=10, replace=False)", "random.sample(rows, 10)", "rng.permutation(rows)[:10]")


@pytest.mark.parametrize("sample", SAMPLES)
def test_samples_of_one_size_gain_nothing(tmp_path, sample):
    """They would for records that are replaced, by another theorem."""
    body = f"    sample = {sample}\n    return sum(sample) + rng.laplace(scale=1)\n"

    assert proved(tmp_path, body, 'epsilon=0.5, neighbors="replace-one", domain=(0, 1), size=100') is None
