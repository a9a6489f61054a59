"""Dicts whose keys the program knows, asked for a key that the data decides."""

import pytest

from tests.proofs.proof_tools import searched

CLAIM = '@dp(epsilon="epsilon", neighbors="add-remove", domain=["tea", "coffee", "water"])\n'
HEAD = f"{CLAIM}def release(rng, rows, epsilon):\n"
NOISY = "    return {name: count + rng.laplace(scale=SCALE / epsilon) for name, count in counts.items()}\n"
COUNTED = '    counts = {"tea": 0, "coffee": 0, "water": 0}\n    for row in rows:\n'
PRICES = '    prices = {"tea": 1, "coffee": 3}\n'
SUM = "    return sum(prices.get(row, 0) for row in rows) + rng.laplace(scale=SCALE / epsilon)\n"


@pytest.mark.parametrize(
    ("body", "scale", "right"),
    [
        (COUNTED + "        counts[row] = counts.get(row, 0) + 1\n" + NOISY, "1", True),
        (COUNTED + "        counts[row] = counts.get(row, 0) + 1\n" + NOISY, "0.9", False),
        (COUNTED + "        counts[row] = counts.get(row, 0) + 2\n" + NOISY, "1", False),
        (COUNTED + "        counts[row] += 1\n" + NOISY, "1", True),
        (COUNTED + "        counts[row] += 1\n" + NOISY, "0.9", False),
        (PRICES + SUM, "3", True),
        (PRICES + SUM, "2.9", False),
        (PRICES + SUM.replace(", 0)", ", 4)"), "4", True),
        (PRICES + SUM.replace(", 0)", ", 4)"), "3", False),
    ],
)
def test_counts_by_a_key_of_the_data(tmp_path, body, scale, right):
    found = searched(tmp_path, HEAD + body.replace("SCALE", scale))

    assert (found.proof is not None) is right, found.reason
    if right:
        assert found.proof.scope.full


@pytest.mark.parametrize(
    "body",
    [
        "    counts = {}\n    for row in rows:\n        counts[row] = counts.get(row, 0) + 1\n" + NOISY,
        COUNTED.replace(', "water": 0', "") + "        counts[row] = counts.get(row, 0) + 1\n" + NOISY,
        "    seen = {(rows[0], 1): 5}\n    return seen.get((rows[0], 1), 0) + rng.laplace(scale=SCALE / epsilon)\n",
    ],
)
def test_keys_that_the_data_makes_are_no_proof(tmp_path, body):
    """Which keys there are tells who is in the data."""
    assert searched(tmp_path, HEAD + body.replace("SCALE", "1")).proof is None
