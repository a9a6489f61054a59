"""Why there is no proof: the construct, as it is written, and its line."""

import re

import pytest

from dplint.program.refusals import unsupported
from dplint.proofs.checker.values import NotProved
from dplint.proofs.proving import why
from tests.proofs.proof_tools import searched, targets

LAST = "return x + rng.laplace(scale=1 / epsilon)"
BODIES = {
    "x = None + 1": "the operator + on what is no finite number at line 10",
    "x = 'a' / values[0]": "the operator / on a text at line 10",
    "x = np.array(values)\n    x = x @ x": "at line 11",
    "x = -None": "the operator - on what is no number at line 10",
    "x = [1, 2]['a']": "this index at line 10",
    "x = values[int(rng.laplace(scale=1 / epsilon))]": "at line 10",
    "x = sum(values[: int(rng.laplace(scale=1 / epsilon))])": "at line 10",
    "x = float('inf') * values[0]": "the operator * on what is no finite number at line 10",
    "x = float(np.quantile(values, 0.5))": "a call of numpy.quantile at line 10",
    "x = sorted(values)[0]": "a call of sorted at line 10",
    "x = len(np.where(np.array(values) > 0)[0])": "np.where of a condition alone at line 10",
    "x = rng.gamma(1, 1 / epsilon)": "a draw from gamma at line 10",
    "x = 0\n    while x < values[0]:\n        x += 1": "number of turns has no bound that is known at line 11",
}


@pytest.mark.parametrize(("body", "words"), BODIES.items(), ids=BODIES)
@pytest.mark.parametrize(
    "claim", ['neighbors="linf"', 'neighbors="add-remove", domain=(0, 1)'], ids=["linf", "records"]
)
def test_a_construct_is_named_with_its_line(tmp_path, claim, body, words):
    text = f'@dp(epsilon="epsilon", {claim})\ndef release(rng, values, epsilon):\n    {body}\n    {LAST}\n'
    found = searched(tmp_path, text)

    assert found.proof is None
    assert found.reason.endswith(words) or f"{words} (" in found.reason
    assert not re.search(r"\w(Error|Exception)\b", found.reason)


def test_what_has_no_place_is_told_without_one(tmp_path):
    file = tmp_path / "module.py"
    file.write_text(
        "from dplint import dp\n\n\n@dp(epsilon=1.0)\ndef release(rng, values):\n    return rng.laplace()\n"
    )
    program, _ = targets(file)["release"]

    assert why(NotProved("some words"), program) == "some words"
    assert why(KeyError("x"), program) == "the search for proofs does not follow this program"
    assert why(unsupported("a thing", program.span), program) == f"a thing at {program.span.words}"


def test_where_no_shift_is_known_the_noise_is_named_with_its_line(tmp_path):
    text = """@dp(epsilon=1.0, neighbors="linf", size=2, domain=(-100.0, 100.0))
def release(rng, values):
    if values[0] > 99:
        return values[1] + 2 + rng.laplace(scale=3.0)
    return values[1] + rng.laplace(scale=3.0)
"""
    reason = searched(tmp_path, text).reason

    assert reason == "for 2 values: no shifts are known for one way that a run can go, with the noise of lines 11, 12"


def test_one_value_is_no_values(tmp_path):
    text = """@dp(epsilon=1.0, neighbors="linf")
def release(rng, values):
    return rng.choice(values, p=np.exp(np.array(values)) / sum(np.exp(values)))
"""
    reason = searched(tmp_path, text).reason

    assert reason.startswith("for 1 value: ")
