"""The difference of two draws of one law as one draw: its law, right mechanisms proved, and other sums left alone."""

import numpy as np
import pytest
from scipy import stats

from dplint.program.nodes import Draw
from dplint.program.walk import walk
from dplint.proofs.checker.differences import with_differences
from tests.proofs.proof_tools import of_text, searched

CLAIM = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))\ndef release(rng, values, epsilon):'
P = "\n    p = 1 - math.exp(-epsilon)"
RIGHT = {
    "exponential": "\n    return sum(values) + rng.exponential(1 / epsilon) - rng.exponential(1 / epsilon)",
    "the other first": "\n    return sum(values) - rng.exponential(1 / epsilon) + rng.exponential(1 / epsilon)",
    "in parentheses": "\n    return sum(values) - (rng.exponential(1 / epsilon) - rng.exponential(1 / epsilon))",
    "noise first": "\n    return rng.exponential(1 / epsilon) - rng.exponential(1 / epsilon) + sum(values)",
    "expovariate": "\n    return sum(values) + random.expovariate(epsilon) - random.expovariate(epsilon)",
    "geometric": P + "\n    return sum(values) + rng.geometric(p) - rng.geometric(p)",
    "made whole": P + "\n    return sum(values) + int(rng.geometric(p)) - int(rng.geometric(p))",
    "two of two": """
    total = sum(values) + rng.exponential(2 / epsilon) - rng.exponential(2 / epsilon)
    return total, len(values) + rng.exponential(2 / epsilon) - rng.exponential(2 / epsilon)""",
    "a fair sign": "\n    return sum(values) + (1 / epsilon) * rng.exponential(1) * rng.choice([-1, 1])",
    "a sign first": "\n    return sum(values) - rng.choice((1, -1)) * rng.exponential(1 / epsilon)",
    "a sign of Python": "\n    return sum(values) + random.expovariate(epsilon) * random.choice([-1, 1])",
    "in a helper": """
    return sum(values) + noise(rng, 1 / epsilon)


def noise(rng, scale):
    return rng.exponential(scale) - rng.exponential(scale)""",
}
WRONG = {
    "less noise": RIGHT["exponential"].replace("1 / ", "0.9 / "),
    "added": RIGHT["exponential"].replace("- rng", "+ rng"),
    "two scales": RIGHT["exponential"].replace("- rng.exponential(1", "- rng.exponential(0.5"),
    "one that is kept": """
    first = rng.exponential(1 / epsilon)
    return sum(values) + first - rng.exponential(1 / epsilon), first""",
    "one draw twice": """
    first = rng.exponential(1 / epsilon)
    return sum(values) + first - first""",
    "half of one": "\n    return sum(values) + rng.exponential(1 / epsilon) - 0.5 * rng.exponential(1 / epsilon)",
    "less geometric noise": RIGHT["geometric"].replace("-epsilon", "-1.1 * epsilon"),
    "a sum of three": RIGHT["made whole"].replace("sum(values)", "3 * sum(values)"),
    "rounded": "\n    return sum(values) + int(rng.exponential(1 / epsilon)) - int(rng.exponential(1 / epsilon)) * 0",
    "a sign and less noise": "\n    return sum(values) + 0.9 * rng.exponential(1 / epsilon) * rng.choice([-1, 1])",
    "no sign": "\n    return sum(values) + rng.exponential(1 / epsilon) * rng.choice([1, 1])",
    "an unfair sign": "\n    return sum(values) + rng.exponential(1 / epsilon) * rng.choice([-1, 1], p=[0.9, 0.1])",
    "three signs": "\n    return sum(values) + rng.exponential(1 / epsilon) * rng.choice([-1, 1, 1])",
    "half a sign": "\n    return sum(values) + rng.exponential(1 / epsilon) * rng.choice([-0.5, 0.5])",
    "a sign of the sum, too": """
    sign = rng.choice([-1, 1])
    return sign * sum(values) + sign * rng.exponential(1 / epsilon), sign""",
    "a sign that is told": """
    sign = rng.choice([-1, 1])
    return sum(values) + sign * rng.exponential(1 / epsilon), sign""",
    "factors of the data": "\n    return sum(values) + rng.choice([-1, 1]) * rng.exponential(1) * len(values)",
    "of different shapes": RIGHT["exponential"].removesuffix(")") + ", size=2)",
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, body):
    found = searched(tmp_path, f"import random\n\n\n{CLAIM}{body}\n")

    assert found.settled, found.reason
    assert found.proof.scope.sizes.largest is None


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_wrong_ones_are_not(tmp_path, body):
    assert searched(tmp_path, f"{CLAIM}{body}\n").proof is None


@pytest.mark.parametrize(
    "name", ["added", "two scales", "one that is kept", "one draw twice", "half of one", "rounded"]
)
def test_other_sums_are_left_as_they_are(tmp_path, name):
    program, _ = of_text(tmp_path, f"import math\nfrom dplint import dp\n\n\n{CLAIM}{WRONG[name]}\n", "release")

    assert with_differences(program) is program


def test_one_draw_is_left_for_each_two(tmp_path):
    program, _ = of_text(tmp_path, f"import math\nfrom dplint import dp\n\n\n{CLAIM}{RIGHT['two of two']}\n", "release")

    draws = [one for one in walk(with_differences(program)) if isinstance(one, Draw)]
    assert [one.distribution for one in draws] == ["laplace", "laplace"]


def test_the_laws_are_those_of_the_theorem():
    """By simulation: a false alarm in less than one of 10^6 runs (Dvoretzky, Kiefer, Wolfowitz; Massart's constant)."""
    generator, runs, p = np.random.default_rng(7), 400_000, 0.4
    allowed = np.sqrt(np.log(2 / 1e-7) / (2 * runs))
    exponential = generator.exponential(2.5, runs) - generator.exponential(2.5, runs)
    geometric = generator.geometric(p, runs) - generator.geometric(p, runs)
    places = np.linspace(-20, 20, 81)

    for drawn, law in ((exponential, stats.laplace(scale=2.5)), (geometric, stats.dlaplace(-np.log(1 - p)))):
        counted = (drawn[:, None] <= places).mean(axis=0)
        assert np.abs(counted - law.cdf(places)).max() < allowed
