"""Generators that a mechanism makes of an argument: fresh noise where that is None, or the seed of a run."""

import numpy as np
import pytest
from scipy import stats

from dplint.program.nodes import Opaque
from dplint.proofs.checker.seeds import as_without_seed
from tests.proofs.proof_tools import of_text, searched

HEAD = "import random\n\nimport sklearn.utils\nfrom sklearn.utils import check_random_state\n\n\n"
CLAIM = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))\ndef release({}):\n    '
OPTIONAL, SEED = CLAIM.format("values, epsilon, seed=None"), CLAIM.format("seed, values, epsilon")
STATE = CLAIM.format("values, epsilon, random_state=None")
ONE = "return sum(values) + rng.laplace(scale=1 / epsilon)"
GRANTED = "each run has a seed of its own, which nobody knows"
RIGHT = {
    "None by default": (OPTIONAL + "rng = np.random.default_rng(seed)\n    " + ONE, ()),
    "of two": (
        OPTIONAL + "rng = np.random.default_rng(seed)\n    other = np.random.RandomState(seed)\n    "
        "return sum(values) + rng.laplace(scale=2 / epsilon), len(values) + other.laplace(scale=2 / epsilon)",
        (),
    ),
    "scikit": (STATE + "rng = check_random_state(random_state)\n    " + ONE, ()),
    "scikit by its module": (STATE + "rng = sklearn.utils.check_random_state(random_state)\n    " + ONE, ()),
    "the seed of a run": (SEED + "rng = np.random.default_rng(seed)\n    " + ONE, (GRANTED,)),
    "of Python": (
        SEED + "rng = random.Random(seed)\n    return sum(values) + rng.expovariate(epsilon) * rng.choice([-1, 1])",
        (GRANTED,),
    ),
}
WRONG = {
    "half the noise": OPTIONAL + "rng = np.random.default_rng(seed)\n    " + ONE.replace("1 / e", "0.5 / e"),
    "half the noise of a seed": SEED + "rng = np.random.default_rng(seed)\n    " + ONE.replace("1 / e", "0.5 / e"),
    "another default": CLAIM.format("values, epsilon, seed=7") + "rng = np.random.default_rng(seed)\n    " + ONE,
    "made anew": OPTIONAL + "seed = 3\n    rng = np.random.default_rng(seed)\n    " + ONE,
    "or another": OPTIONAL + "seed = seed or 3\n    rng = np.random.default_rng(seed)\n    " + ONE,
    "a sum with it": OPTIONAL + "rng = np.random.default_rng((seed or 0) + 1)\n    " + ONE,
    "claimed to be 3": OPTIONAL.replace("domain=", 'args={"seed": 3}, domain=')
    + "rng = np.random.default_rng(seed)\n    "
    + ONE,
    "two of one seed": SEED + "rng = np.random.default_rng(seed)\n    other = np.random.default_rng(seed)\n    "
    "return sum(values) + rng.laplace(scale=2 / epsilon), len(values) + other.laplace(scale=2 / epsilon)",
    "one seed, the noise told": SEED
    + "rng = np.random.default_rng(seed)\n    other = np.random.default_rng(seed)\n    "
    "return sum(values) + rng.laplace(scale=1 / epsilon), other.laplace(scale=1 / epsilon)",
    "the seed told": SEED
    + "rng = np.random.default_rng(seed)\n    return sum(values) + rng.laplace(scale=1 / epsilon), seed",
    "once more in each turn": SEED + "found = []\n    for k in range(2):\n        rng = np.random.default_rng(seed)\n"
    "        found.append(sum(values) * k + rng.laplace(scale=1 / epsilon))\n    return found",
    "in a helper": SEED + "return noise(seed, 1 / epsilon) + sum(values), noise(seed, 1 / epsilon)\n\n\n"
    "def noise(seed, scale):\n    rng = np.random.default_rng(seed)\n    return rng.laplace(scale=scale)",
    "a seed in the source": OPTIONAL + "rng = check_random_state(3)\n    " + ONE,
    "a name for it": SEED + "s = seed\n    rng = np.random.default_rng(s)\n    other = np.random.default_rng(s)\n    "
    "return sum(values) + rng.laplace(scale=1 / epsilon), other.laplace(scale=1 / epsilon)",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_drawn_afresh_is_proved(tmp_path, name):
    body, granted = RIGHT[name]
    found = searched(tmp_path, HEAD + body)

    assert found.proof is not None, found.reason
    assert found.proof.scope.assumptions == granted


@pytest.mark.parametrize("name", WRONG)
def test_what_is_not_is_not_proved(tmp_path, name):
    assert searched(tmp_path, HEAD + WRONG[name]).proof is None


def test_a_fair_sign_makes_laplace_noise_of_exponential_noise():
    rng = np.random.default_rng(2)
    drawn = rng.exponential(3.0, size=20_000) * rng.choice([-1, 1], size=20_000)

    assert stats.kstest(drawn, stats.laplace(scale=3.0).cdf).pvalue > 1e-3


def test_what_refuses_a_seed_is_taken_out_and_nothing_else(tmp_path):
    """Behind what refuses that more is observed than is returned, and in front of all else."""
    head = "import numpy as np\n\nfrom dplint import dp\n\n\n"
    body = SEED + "rng = np.random.default_rng(seed)\n    " + ONE
    observed = body.replace("domain=(0, 1)", 'domain=(0, 1), observe=["stdout"]')

    for text, place in ((body, 0), (observed, 1)):
        program, _ = of_text(tmp_path, head + text, "release")
        assert as_without_seed(program).body == (*program.body[:place], *program.body[place + 1 :])
        assert isinstance(program.body[place], Opaque)
        assert program.body[place].refusal.construct == "a generator with a seed"
