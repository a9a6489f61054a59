"""What only works on private values is cut off, and nothing else is."""

import pytest

from dplint.proofs.checker.postprocessing import without_postprocessing
from dplint.proofs.proposer.ends import ends
from dplint.proofs.searching import search
from tests.proofs.proof_tools import FIXTURES, of_text, targets

HEAD = """
from dplint import dp

@dp(epsilon="epsilon", neighbors="l1")
def release(rng, values, epsilon, rounds):
"""


def cut(tmp_path, body):
    lines = "\n".join(f"    {line}" for line in body.strip().split("\n"))
    program, mechanism = of_text(tmp_path, f"{HEAD}{lines}\n", "release")
    cuts = (without_postprocessing(program, mechanism, place, inner) for place, inner in ends(program))
    found = next(filter(None, cuts), None)
    return None if found is None else found[0].body[-1].span.line - 5


NOISY = "noisy = sum(values) + rng.laplace(scale=1 / epsilon)\n"
CUT = {
    "a loop": (NOISY + "for _ in range(rounds):\n    noisy = round(noisy, 2)\nreturn noisy", 2),
    "what is returned": (NOISY + "return noisy / 2", 2),
    "noise of its own": (NOISY + "return noisy + rng.laplace(scale=1 / epsilon)", 2),
    "two variables": ("other = len(values)\n" + NOISY + "return noisy / other", 3),
}
WHOLE = {
    "the data": NOISY + "return noisy + values[0]",
    "the data in a turn": NOISY + "for i in range(rounds):\n    noisy = sum(values)\nreturn noisy",
    "a change in place": "a = [0]\nb = [0]\nif values[0] > 0:\n    b = a\na.append(1)\nreturn b",
    "a change of an item": "a = [0]\nb = [0]\nif values[0] > 0:\n    b = a\na[0] = 1\nreturn b",
    "identity": "a = [0]\nb = [0]\nif values[0] > 0:\n    b = a\nreturn a is b",
    "an early end": "if values[0] > 0:\n    return 0\n" + NOISY + "return noisy / 2",
    "not always assigned": "if values[0] > 0:\n    noisy = 1\nreturn noisy / 2",
}


@pytest.mark.parametrize(("body", "line"), CUT.values(), ids=CUT)
def test_what_is_cut_off(tmp_path, body, line):
    assert cut(tmp_path, body) == line


@pytest.mark.parametrize("body", WHOLE.values(), ids=WHOLE)
def test_what_is_not(tmp_path, body):
    assert cut(tmp_path, body) is None


def test_the_fixtures():
    file = FIXTURES / "arguments/cutoffs.py"
    right, wrong = (search(*targets(file)[name], 20.0).proof for name in ("refined_sum", "refined_sum_leaks"))

    assert right is not None
    assert right.scope.full
    assert wrong is None


def test_noise_around_a_number_that_is_0_for_some_data():
    program, mechanism = targets(FIXTURES / "realistic/src/census/means.py")["mean_of_parts"]
    proof = search(program, mechanism, 30.0).proof

    assert proof is not None
    assert proof.scope.full
