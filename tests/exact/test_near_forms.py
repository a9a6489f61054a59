"""Outputs that differ by the rounding of floats alone are one in real numbers: their laws are not compared.

`count / 3 + k / 3` is a third of `count + k`, whose discrete Laplace noise loses epsilon; in floats the thirds of 1 and
2 miss each other on the lattice of thirds. What is further apart than rounding goes is impossible, as it should be.
"""

import math

import pytest

from dplint.check.loading import load_file
from dplint.config import Settings
from dplint.program.refusals import UnsupportedConstruct
from tests.exact.exact_tools import largest, losses

SOURCE = """
import numpy as np
from dplint import dp


@dp(epsilon="epsilon", neighbors="linf")
def released(rng, count: int, epsilon: float):
    k = rng.geometric(1 - np.exp(-epsilon)) - rng.geometric(1 - np.exp(-epsilon))
    return OUTPUT
"""


def losses_of(folder, output, d1, d2):
    (folder / "module.py").write_text(SOURCE.replace("OUTPUT", output))
    (target,) = load_file(folder / "module.py", Settings())
    return losses(target.program, d1, d2, epsilon=0.5)


@pytest.mark.parametrize(
    "output",
    [
        "count / 3 + k / 3",
        "(count + 1) * 0.1 + k * 0.1",
        "[count, 0.5, count / 3 + k / 3][1:]",
        "(0, count / 10 + k / 10)",
        "(count + k, 0.1 + 0.2 if count == 1 else 0.3)",
    ],
)
def test_laws_that_rounding_moves_are_not_compared(tmp_path, output):
    with pytest.raises(UnsupportedConstruct, match="rounding of floats alone"):
        losses_of(tmp_path, output, 1, 2)


@pytest.mark.parametrize("output", ["count / 4 + k / 4", "(count + k) / 3", "0.1 * (count + k)", "(count + k, 0.1)"])
def test_exact_floats_and_single_roundings_are(tmp_path, output):
    """Each number is made of `count + k` alone, so that equal sums give equal floats."""
    for side in (losses_of(tmp_path, output, 1, 2).forwards, losses_of(tmp_path, output, 1, 2).backwards):
        low, high = largest(side)
        assert low == pytest.approx(0.5, abs=1e-9)
        assert high == pytest.approx(0.5, abs=1e-9)


@pytest.mark.parametrize("output", ["count * 1e-6 + k", "(count + k, 0.3 if count == 1 else 0.300001)"])
def test_what_is_further_apart_is_told_apart(tmp_path, output):
    assert largest(losses_of(tmp_path, output, 1, 2).forwards)[0] == math.inf
