"""Standard deviations: of them is known that they are no less than 0; and data shorter than what a claim names."""

import statistics

import pytest

from tests.proofs.proof_tools import searched

HEAD = "import statistics\n\n\n"
CLAIM = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0), size={})\n'
CLAIM += "def release(rng, values, epsilon):\n    "
SPREAD = "return min(statistics.stdev(values), 1.0) + rng.laplace(scale=1 / epsilon)"
RIGHT = {
    "of two or more": CLAIM.format("(2, 4)") + SPREAD,
    "of one or more": CLAIM.format("(1, 3)") + SPREAD.replace("stdev", "pstdev"),
    "of a part": CLAIM.format("(2, 4)") + SPREAD.replace("1.0)", "0.5)").replace("1 /", "0.5 /"),
}
WRONG = {
    "of one": CLAIM.format("(1, 3)") + SPREAD,
    "of any": CLAIM.format("None") + SPREAD,
    "of none": CLAIM.format("(0, 3)") + SPREAD.replace("stdev", "pstdev"),
    "less noise": CLAIM.format("(2, 4)") + SPREAD.replace("1 /", "0.9 /"),
    "no bound": CLAIM.format("(2, 4)") + "return statistics.stdev(values) + rng.laplace(scale=0.1 / epsilon)",
    "less than none": CLAIM.format("(2, 4)") + SPREAD.replace("min(", "min(-0.5 + ").replace("1 /", "1.4 /"),
    "beside it": CLAIM.format("(2, 4)") + SPREAD + ", statistics.stdev(values)",
    "in the noise": CLAIM.format("(2, 4)") + "return rng.laplace(scale=statistics.stdev(values) / epsilon)",
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_lies_between_bounds_moves_by_their_distance(tmp_path, name):
    found = searched(tmp_path, HEAD + RIGHT[name].replace(", size=None", ""))

    assert found.proof is not None, found.reason


@pytest.mark.parametrize("name", WRONG)
def test_nothing_else_is_known_of_it(tmp_path, name):
    assert searched(tmp_path, HEAD + WRONG[name].replace(", size=None", "")).proof is None


def test_it_is_so_in_python():
    with pytest.raises(statistics.StatisticsError):
        statistics.stdev([0.5])
    assert statistics.pstdev([0.5]) == 0.0
    assert type(statistics.stdev([0, 1])) is type(statistics.pstdev([0, 1])) is float
