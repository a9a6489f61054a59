"""What only works on private values is cut off, and nothing else is."""

import pandas as pd
import pytest

from dplint.proofs.checker.postprocessing import may_be_of_two_types, without_postprocessing
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


TABLE = """
import json
import numpy as np
import pandas as pd
from dplint import dp

TOWNS = ["a", "b"]

@dp(epsilon=1.0, neighbors="add-remove", data="df", domain={"town": ["a", "b"]})
def release(df: pd.DataFrame, rng: np.random.Generator):
    noise, out = rng.laplace(), {"a": 0, "b": 0}
    count = (df["town"] == "a").sum()
"""
ONE_TYPE = {
    "rounded": "for town in TOWNS:\n    out[town] = max(0, round((df['town'] == town).sum() + rng.laplace()))",
    "by an int": "out['a'] = min(max(0, int(count + rng.laplace())), 9)",
    "as it is": "for town in ('a', 'b'):\n    out[town] = (df['town'] == town).sum() + rng.laplace()",
}
TWO_TYPES = {
    "the larger of two": "out['a'] = max(0, count) * 0",
    "the larger of two, rounded to digits": "out['a'] = max(0, round(count, 0)) * 0",
    "a loop over data": "for town in df['town']:\n    out['b'] = count * 0",
    "a key of the data": "for town in df['town']:\n    out[town] = count * 0",
    "a variable that is given others": "for t in (0, 1):\n    t = len(df)\n    out[t] = count * 0",
    "a loop over what is computed": "for t in (len(df), 1):\n    out[t] = count * 0",
    "the larger of an int and a float": "out['a'] = max(0.0, round(count)) * 0",
    "a loop that is left": "for town in TOWNS:\n    if count > 1:\n        break\n    out[town] = count * 0",
    "a loop over nothing": "for town in []:\n    out[town] = count * 0",
    "a condition": "if len(df) > 1:\n    out['a'] = count * 0",
    "the other way of a check": "if len(df) > 1:\n    raise ValueError\nelse:\n    out['a'] = count * 0",
    "a parameter": "def put(town):\n    out[town] = count * 0\nfor town in TOWNS:\n    put(df['town'].max())",
}


@pytest.mark.parametrize("body", ONE_TYPE.values(), ids=ONE_TYPE)
def test_numbers_whose_type_is_always_the_same_may_be_written(tmp_path, body):
    lines = "\n".join(f"    {line}" for line in [*body.split("\n"), "return json.dumps(out)"])
    program, mechanism = of_text(tmp_path, f"{TABLE}{lines}\n", "release")
    proof = search(program, mechanism, 20.0).proof

    assert not may_be_of_two_types(program, mechanism, program.body[:-1])
    assert proof is not None
    assert proof.scope.full


@pytest.mark.parametrize("body", TWO_TYPES.values(), ids=TWO_TYPES)
def test_the_type_of_a_number_may_show_the_data(tmp_path, body):
    """A number that is 0 in any case is one of Python's or of NumPy's by the data, and its text tells which."""
    lines = "\n".join(f"    {line}" for line in [*body.split("\n"), "return repr(out)"])

    program, mechanism = of_text(tmp_path, f"{TABLE}{lines}\n", "release")

    assert may_be_of_two_types(program, mechanism, program.body[:-1])
    assert search(program, mechanism, 20.0).proof is None


HELPERS = """
import numpy as np
from dplint import dp

def scale_of(epsilon):
    if epsilon <= 0:
        raise ValueError("epsilon must be positive")
    return 1 / epsilon

def noisy(rng, values, epsilon):
    values = np.asarray(values, dtype=float)
    return values + rng.laplace(scale=scale_of(epsilon) * {share}, size=values.shape)

@dp(epsilon="epsilon", neighbors="l1")
def release(rng, values, epsilon):
    return {end}
"""
ENDS = ["np.cumsum(noisy(rng, values, epsilon))", "np.sort(noisy(rng, values, epsilon))[::-1].tolist()"]


@pytest.mark.parametrize("end", ENDS)
def test_an_end_after_helpers_that_check_their_arguments(tmp_path, end):
    whole, less = (of_text(tmp_path, HELPERS.format(end=end, share=share), "release") for share in ("1", "0.99"))
    found = search(*whole, 20.0)

    assert found.proof is not None
    assert found.proof.scope.full
    assert search(*less, 20.0).proof is None


def test_that_type_is_seen():
    texts = {repr(max(0, (pd.Series(rows) == "a").sum()) * 0) for rows in (["b"], ["a"])}

    assert len(texts) == 2


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
