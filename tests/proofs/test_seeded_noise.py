"""Noise from a seed that the mechanism itself has is no noise: nobody proves or computes a loss of it.

Each of these keeps its claim if the generator is made without a seed, except those that say otherwise.
"""

from __future__ import annotations

import pytest

from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import losses_of_pair
from tests.proofs.proof_tools import of_text, searched

HEAD = "import functools\nimport random\n\nfrom scipy import stats\n\n\n"
CLAIM = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))\ndef release(values, epsilon):\n    '
LAPLACE = "return sum(values) + gen.laplace(scale=1 / epsilon)"
HELPER = "\n\n\ndef noise(scale, gen=None):\n    {}\n    return gen.laplace(scale=scale)"
OBJECT = (
    "\n\n\nclass Noise:\n    def __init__(self, scale):\n        self.scale = scale\n"
    "        self.gen = np.random.default_rng({})\n"
    "    def add(self, x):\n        return x + self.gen.laplace(scale=self.scale)"
)
SEEDED = {
    "a constant": "gen = np.random.default_rng(42)\n    " + LAPLACE,
    "of NumPy's older kind": "gen = np.random.RandomState(0)\n    " + LAPLACE,
    "of bits": "gen = np.random.Generator(np.random.PCG64(7))\n    " + LAPLACE,
    "of Python": "gen = random.Random(7)\n    return sum(values) + gen.expovariate(epsilon) * gen.choice([-1, 1])",
    "made for one draw": "return sum(values) + np.random.default_rng(3).laplace(scale=1 / epsilon)",
    "the library's": "np.random.seed(0)\n    return sum(values) + np.random.laplace(scale=1 / epsilon)",
    "the library's, later": "x = np.random.laplace(scale=1 / epsilon)\n    np.random.seed(0)\n"
    "    return sum(values) + x",
    "Python's own": "random.seed(1)\n    return sum(values) + random.expovariate(epsilon) * random.choice([-1, 1])",
    "of SciPy": "return sum(values) + stats.laplace.rvs(scale=1 / epsilon, random_state=5)",
    "handed on": "gen = np.random.default_rng(1)\n    return sum(values) + noise(1 / epsilon, gen)"
    + HELPER.format("pass"),
    "where none is handed on": "return sum(values) + noise(1 / epsilon)"
    + HELPER.format("if gen is None:\n        gen = np.random.default_rng(0)"),
    "or one": "return sum(values) + noise(1 / epsilon)" + HELPER.format("gen = gen or np.random.default_rng(0)"),
    "of an object": "return Noise(1 / epsilon).add(sum(values))" + OBJECT.format(3),
    "of data": "gen = np.random.default_rng(len(values))\n    " + LAPLACE,
    "under a name that had another": "gen = np.random.default_rng()\n    gen = np.random.default_rng(0)\n    "
    + LAPLACE,
    "partly": "gen = np.random.default_rng()\n    if values:\n        gen = np.random.default_rng(0)\n    " + LAPLACE,
    "beside noise that is too little": "gen = np.random.default_rng(1)\n    rng = np.random.default_rng()\n    "
    "return sum(values) + gen.laplace(scale=1 / epsilon) + rng.laplace(scale=0.5 / epsilon)",
    "a coin": "gen = random.Random(3)\n    return len(values) > 2 if gen.random() < 0.5 else gen.random() < 0.5",
    "a choice": "gen = np.random.default_rng(1)\n    return gen.choice([sum(values), 0.0])",
    "what it gives hangs on data, and nothing else does": "gen = np.random.default_rng(0)\n"
    "    if sum(values) > 1:\n        gen.random()\n    return gen.random()",
    "and so behind noise": "gen = np.random.default_rng(0)\n    rng = np.random.default_rng()\n"
    "    for v in values:\n        gen.random()\n    return gen.random(), sum(values) + rng.laplace(scale=1 / epsilon)",
}


@pytest.mark.parametrize("name", SEEDED)
def test_it_is_not_proved(tmp_path, name) -> None:
    assert searched(tmp_path, HEAD + CLAIM + SEEDED[name]).proof is None


@pytest.mark.parametrize("name", SEEDED)
def test_no_loss_is_computed(tmp_path, name) -> None:
    head = "import numpy as np\nfrom dplint import dp\n"
    program, _ = of_text(tmp_path, head + HEAD + CLAIM + SEEDED[name], "release")

    with pytest.raises(UnsupportedConstruct):
        losses_of_pair(program, {"values": [1.0, 1.0], "epsilon": 1.0}, {"values": [1.0], "epsilon": 1.0})


@pytest.mark.parametrize("maker", ["np.random.default_rng({})", "np.random.RandomState({})", "random.Random({})"])
def test_without_the_seed_it_is_proved(tmp_path, maker) -> None:
    laplace = (
        "gen.expovariate(epsilon) * gen.choice([-1, 1])" if maker[:2] == "ra" else "gen.laplace(scale=1 / epsilon)"
    )
    text = HEAD + CLAIM + f"gen = {maker}\n    return sum(values) + {laplace}"

    assert searched(tmp_path, text.format("")).proof is not None
    assert searched(tmp_path, text.format("5")).proof is None


def test_a_seed_that_noise_does_not_come_of_is_refused(tmp_path) -> None:
    """It keeps its claim: what a generator with a seed gives is no part of programs."""
    body = "order = np.random.default_rng(3).permutation(2)\n    rng = np.random.default_rng()\n    "
    text = HEAD + CLAIM + body + "return sum(values) + rng.laplace(scale=1 / epsilon), order.tolist()"

    found = searched(tmp_path, text)

    assert found.proof is None
    assert "seed" in found.reason
