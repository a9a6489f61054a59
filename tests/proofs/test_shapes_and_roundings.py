"""Noise of the shape of a number, which NumPy gives as an array of no dimensions; and records that are rounded."""

import math
from fractions import Fraction

import pytest
import z3

from dplint.proofs.checker.arithmetic import rounded
from tests.proofs.proof_tools import searched

CLAIM = '@dp(epsilon=1.0, neighbors="replace-one", domain=(0.0, 10.0))\n'
SHAPED = "    total = sum(rows)\n    noise = rng.laplace(scale=10.0, size=np.shape(total))\n"


@pytest.mark.parametrize(
    ("body", "right"),
    [
        (SHAPED + "    return total + noise\n", True),
        (SHAPED + "    return float(noise + total)\n", True),
        (SHAPED.replace("10.0", "9.0") + "    return total + noise\n", False),
        (SHAPED + "    return total + noise - noise\n", False),
        (SHAPED + "    other = noise\n    noise += total\n    return other\n", False),
        (SHAPED + "    noise += total\n    return noise\n", False),
        (SHAPED + "    return total, noise\n", False),
        (SHAPED + "    if noise > 0:\n        return 1\n    return total\n", False),
        (SHAPED.replace("np.shape(total)", "np.shape(rows)") + "    return [total + one for one in noise]\n", False),
        ("    return sum(round(row) for row in rows) + rng.laplace(scale=10.0)\n", True),
        ("    return sum(round(row) for row in rows) + rng.laplace(scale=9.0)\n", False),
        ("    return sum(math.floor(row / 2) for row in rows) + rng.laplace(scale=5.0)\n", True),
        ("    return sum(math.floor(row / 2) for row in rows) + rng.laplace(scale=4.5)\n", False),
        ("    return sum(math.ceil(row + 0.5) for row in rows) + rng.laplace(scale=10.0)\n", True),
        ("    return sum(math.ceil(row + 0.5) for row in rows) + rng.laplace(scale=9.5)\n", False),
        ("    return sum(round(row, 1) for row in rows) + rng.laplace(scale=10.0)\n", False),
        ("    return round(sum(rows) + rng.laplace(scale=9.0))\n", False),
    ],
)
def test_what_is_proved(tmp_path, body, right):
    """Of noise to two places no bound is read."""
    found = searched(tmp_path, f"{CLAIM}def release(rng, rows):\n{body}")

    assert found.settled is right, found.reason


@pytest.mark.parametrize("name", ["round", "floor", "ceil", "trunc"])
def test_numbers_are_rounded_as_python_does(name):
    known = {"round": round, "floor": math.floor, "ceil": math.ceil, "trunc": math.trunc}[name]
    for numerator in range(-41, 42):
        for denominator in (1, 2, 3, 4, 10):
            number = Fraction(numerator, denominator)
            assert z3.simplify(rounded(name, z3.RealVal(str(number)))).as_long() == known(number)
