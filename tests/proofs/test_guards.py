"""Arguments that the program itself refuses: what is proved of all others, and guards that leave too much."""

import math

import pytest

from dplint.outcomes import Range
from tests.proofs.proof_tools import searched

NOISE = """    return [count + rng.laplace(scale={scale} / epsilon) for count in counts]
"""
ANY = Range()
RIGHT = {
    "from 1 on": ("k", "k < 1", "k", ANY),
    "between": ("k: float", "not 0.5 <= k <= 10", "2 * k", ANY),
    "either": ("k", "k < 2 or k > 7", "k / 2", ANY),
    "of epsilon": ("k: float = 1.0", "epsilon > 5", "1", None),
    "whole": ("k: int", "k <= 0", "k", Range(integer=True)),
    "of another": ("k: float", "k < epsilon", "(1 + k / epsilon) / 2", ANY),
}
WRONG = {
    "too low": ("k: float", "not 0.4 <= k <= 10", "2 * k", 0.8),
    "nothing but zero": ("k: float", "k <= 0", "k", 0.1),
    "turned": ("k: float", "k > 1", "k", 0.5),
    "of another argument": ("k: float", "epsilon < 1", "k", 0.5),
    "of epsilon, and nine tenths": ("k: float = 1.0", "epsilon > 5", "0.9", 0.9),
    "whole and zero": ("k: int", "k < 0", "(k + 0.5)", 0.5),
}


def text(parameter, test, scale, body="raise ValueError"):
    head = f'@dp(epsilon="epsilon", neighbors="l1")\ndef release(rng, counts, epsilon, {parameter}):\n'
    return f"{head}    if {test}:\n        {body}\n{NOISE.format(scale=scale)}"


@pytest.mark.parametrize(("parameter", "test", "scale", "values"), RIGHT.values(), ids=RIGHT)
def test_arguments_that_are_not_refused(tmp_path, parameter, test, scale, values):
    found = searched(tmp_path, text(parameter, test, scale))

    assert found.proof is not None, found.reason
    assert found.proof.scope.full
    given = {one.name: one.values for one in found.proof.scope.arguments}
    assert values is None or given["k"] == values


@pytest.mark.parametrize(("parameter", "test", "scale", "width"), WRONG.values(), ids=WRONG)
def test_guards_that_let_too_much_through(tmp_path, parameter, test, scale, width):
    """With this width of the noise in shares of 1 / epsilon, a count that moves by 1 costs 1 / width of the claim."""
    law = [math.exp(-abs(x) / width) for x in (0.0, 1.0)]
    assert math.log(law[0] / law[1]) > 1.001

    assert searched(tmp_path, text(parameter, test, scale)).proof is None


@pytest.mark.parametrize(
    ("test", "body"),
    [
        ("k > sum(counts)", "raise ValueError"),
        ("len(counts) > 0 and counts[0] < k", "raise ValueError"),
        ("k < 1", "return counts"),
        ("k < 1", "raise ValueError(counts[0])"),
    ],
)
def test_guards_that_show_the_data(tmp_path, test, body):
    assert searched(tmp_path, text("k: float", test, "1", body)).proof is None


VECTOR = """@dp(epsilon="epsilon", neighbors="linf")
def release(rng, queries, epsilon, T, N: int):
    if N < 1 or epsilon > 10:
        raise ValueError("N")
    threshold = T + rng.laplace(scale=2 / epsilon)
    output, count = [], 0
    for query in queries:
        if query + rng.laplace(scale=4 * N / epsilon) >= threshold:
            output.append(True)
            count += 1
            if count >= N:
                break
        else:
            output.append(False)
    return output
"""


def test_a_sparse_vector_with_a_guard(tmp_path):
    found = searched(tmp_path, VECTOR)

    assert found.proof is not None, found.reason
    assert found.proof.scope.full


@pytest.mark.nightly
@pytest.mark.parametrize("less", [("4 * N", "3 * N"), ("4 * N", "4 * (N - 0.5)")])
def test_a_sparse_vector_with_a_guard_and_less_noise(tmp_path, less):
    assert searched(tmp_path, VECTOR.replace(*less)).proof is None
