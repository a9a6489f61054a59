"""Laplace noise by the inverse of its distribution function: the law, right mechanisms proved, other programs alone."""

import numpy as np
import pytest
from scipy import stats

from dplint.proofs.checker.inverse import with_laplace
from tests.proofs.proof_tools import of_text, searched

CLAIM = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0))\ndef release(rng, values, epsilon):'
U = "\n    u = rng.random() - 0.5"
RIGHT = {
    "np.sign": f"{U}\n    return sum(values) - (1 / epsilon) * np.sign(u) * np.log(1 - 2 * np.abs(u))",
    "uniform": """
    u = rng.uniform(-0.5, 0.5)
    return sum(values) - 1 / epsilon * math.copysign(1, u) * math.log(1 - 2 * abs(u))""",
    "the scale in copysign": f"{U}\n    return sum(values) - math.copysign(1 / epsilon, u) * math.log(1 - abs(u) * 2)",
    "divided": f"{U}\n    return sum(values) + np.sign(u) * np.log1p(-2 * abs(u)) / epsilon",
    "in a helper": """
    return sum(values) + noise(rng, 2 / epsilon), len(values) + noise(rng, 2 / epsilon)


def noise(rng, scale):
    u = rng.random() - 0.5
    return -scale * np.sign(u) * np.log(1 - 2 * np.abs(u))""",
    "two of them": """
    u = rng.random() - 0.5
    v = rng.random() - 0.5
    first = sum(values) + 2 / epsilon * np.sign(u) * np.log(1 - 2 * abs(u))
    return first, len(values) + 2 / epsilon * np.sign(v) * np.log(1 - 2 * abs(v))""",
    "in a loop": """
    sums = []
    for low in (0.0, 0.5):
        u = rng.random() - 0.5
        noise = 2 / epsilon * np.sign(u) * np.log(1 - 2 * abs(u))
        sums.append(sum(max(value, low) - low for value in values) + noise)
    return sums""",
}
WRONG = {
    "less noise": RIGHT["np.sign"].replace("1 / ", "0.9 / "),
    "half of the logarithm": RIGHT["np.sign"].replace("2 * ", ""),
    "no sign": RIGHT["np.sign"].replace("np.sign(u) * ", ""),
    "not centred": RIGHT["np.sign"].replace(" - 0.5", ""),
    "of another size": RIGHT["uniform"].replace("-0.5, 0.5", "-0.25, 0.25"),
    "the sign is told": RIGHT["np.sign"] + ", u > 0",
    "the sign of data": RIGHT["np.sign"].replace("np.sign(u)", "np.sign(values[0])"),
    "copysign of what it is not": RIGHT["the scale in copysign"].replace("1 / epsilon, u", "u, 1 / epsilon"),
    "one number for all": """
    u = rng.random() - 0.5
    sums = []
    for low in (0.0, 0.5):
        noise = 2 / epsilon * np.sign(u) * np.log(1 - 2 * abs(u))
        sums.append(sum(max(value, low) - low for value in values) + noise)
    return sums""",
    "one number for all of a comprehension": f"""{U}
    return [sum(values) * k + 2 / epsilon * np.sign(u) * np.log(1 - 2 * abs(u)) for k in (1, 2)]""",
    "two of one number": f"""{U}
    first = sum(values) + 2 / epsilon * np.sign(u) * np.log(1 - 2 * abs(u))
    return first, len(values) + 2 / epsilon * np.sign(u) * np.log(1 - 2 * abs(u))""",
    "changed in between": RIGHT["np.sign"].replace("\n    return", "\n    u += sum(values)\n    return"),
    "drawn where data says so": """
    u = rng.random() - 0.5
    if len(values) > 2:
        u = 0.25
    return sum(values) - (1 / epsilon) * np.sign(u) * np.log(1 - 2 * np.abs(u))""",
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_right_ones_are_proved_for_every_length(tmp_path, body):
    found = searched(tmp_path, f"{CLAIM}{body}\n")

    assert found.full, found.reason
    assert found.proof.scope.sizes.largest is None


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_wrong_ones_are_not(tmp_path, body):
    assert searched(tmp_path, f"{CLAIM}{body}\n").proof is None


@pytest.mark.parametrize("name", [name for name in WRONG if name != "less noise"])
def test_other_programs_are_left_as_they_are(tmp_path, name):
    head = "import math\n\nimport numpy as np\n\nfrom dplint import dp\n\n\n"
    program, _ = of_text(tmp_path, f"{head}{CLAIM}{WRONG[name]}\n", "release")

    assert with_laplace(program) is program


def test_the_law_is_that_of_the_theorem():
    """By simulation: a false alarm in less than one of 10^6 runs (Dvoretzky, Kiefer, Wolfowitz; Massart's constant)."""
    u = np.random.default_rng(7).random(400_000) - 0.5
    drawn = 2.5 * np.sign(u) * np.log(1 - 2 * np.abs(u))
    places = np.linspace(-20, 20, 81)

    far = np.abs((drawn[:, None] <= places).mean(axis=0) - stats.laplace(scale=2.5).cdf(places)).max()
    assert far < np.sqrt(np.log(2 / 1e-7) / (2 * len(u)))
