"""One draw for two of which a run makes at most one; and draws that only look like such."""

from textwrap import indent

import pytest

from dplint.proofs.checker.exclusive import with_one_draw
from tests.proofs.proof_tools import of_text, searched

HEAD = """
def noise(rng, scale):
    return rng.laplace(scale=scale)


"""
CLAIM = '@dp(epsilon="epsilon", neighbors="linf"{more})\ndef release(rng, values, epsilon{arguments}):\n'
HIT = "values[0] > 3"
PLAIN = "rng.laplace(scale=1)"

RIGHT = {
    "two returns": f"if {HIT}:\n    return values[0] + rng.laplace(scale=1 / epsilon)\n"
    "return values[0] + rng.laplace(scale=1 / epsilon)",
    "if and else": f"if {HIT}:\n    a = values[0] + rng.laplace(scale=1 / epsilon)\n"
    "else:\n    a = values[0] + rng.laplace(scale=1 / epsilon)\nreturn a",
    "an expression": f"return values[0] + rng.laplace(scale=1 / epsilon) if {HIT} "
    "else values[0] + rng.laplace(scale=1 / epsilon)",
    "two pairs of them": f"if {HIT}:\n    return values[0] + rng.laplace(scale=2 / epsilon), rng.laplace()\n"
    "return values[0] + rng.laplace(scale=2 / epsilon), rng.laplace()",
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT)
def test_right_ones(tmp_path, body):
    assert release(tmp_path, body).proof is not None
    assert release(tmp_path, body.replace("scale=1 /", "scale=0.9 /").replace("scale=2 /", "scale=0.9 /")).proof is None


WRONG = {
    "another scale": f"if {HIT}:\n    return values[0] + rng.laplace(scale=1 / epsilon)\n"
    "return values[0] + rng.laplace(scale=2 / epsilon)",
    "another law": f"if {HIT}:\n    return values[0] + rng.laplace(scale=1 / epsilon)\n"
    "return values[0] + rng.logistic(scale=1 / epsilon)",
    "another number": f"if {HIT}:\n    return values[0] + 1 + rng.laplace(scale=1 / epsilon)\n"
    "return values[0] + rng.laplace(scale=1 / epsilon)",
    "a run that makes both": f"a = 0\nif {HIT}:\n    a = rng.laplace(scale=1 / epsilon)\n"
    "return values[0] + a - rng.laplace(scale=1 / epsilon)",
    "a run that makes both, one to be seen": f"a = 0\nif {HIT}:\n    a = rng.laplace(scale=1 / epsilon)\n"
    "return values[0] + rng.laplace(scale=1 / epsilon), a",
    "one in a loop": f"if {HIT}:\n    return [rng.laplace(scale=1 / epsilon) for _ in range(2)]\n"
    "return [rng.laplace(scale=1 / epsilon), rng.laplace(scale=1 / epsilon) + 1]",
    "one for each of two": f"if {HIT}:\n    return [v + rng.laplace(scale=1 / epsilon) for v in values]\n"
    "return [v + rng.laplace(scale=1 / epsilon) for v in values]",
    "a side without one": f"if {HIT}:\n    return values[0]\nreturn values[0] + rng.laplace(scale=1 / epsilon)",
    "a scale that is assigned": f"b = 1 / epsilon\nif {HIT}:\n    b /= 2\n    return values[0] + rng.laplace(scale=b)\n"
    "return values[0] + rng.laplace(scale=b)",
    "an argument that is assigned": f"if {HIT}:\n    k = 1\n    return values[0] + rng.laplace(scale=k / epsilon)\n"
    "return values[0] + rng.laplace(scale=k / epsilon)",
    "the data as the scale": f"if {HIT}:\n    return 1 + rng.laplace(scale=values[0])\n"
    "return 1 + rng.laplace(scale=values[0])",
    "a place that data moves": f"if {HIT}:\n    return rng.laplace(3 * values[0], scale=1 / epsilon)\n"
    "return rng.laplace(3 * values[0], scale=1 / epsilon)",
    "an exception before": f"if {HIT}:\n    return 1 / (values[0] - 4) + rng.laplace(scale=1 / epsilon)\n"
    "return values[0] + rng.laplace(scale=1 / epsilon)",
    "which of both": f"if {HIT}:\n    return 'high', values[0] + rng.laplace(scale=1 / epsilon)\n"
    "return 'low', values[0] + rng.laplace(scale=1 / epsilon)",
    "an int or a float": f"if {HIT}:\n    return round(values[0] + rng.laplace(scale=1 / epsilon))\n"
    "return values[0] + rng.laplace(scale=1 / epsilon)",
}


@pytest.mark.parametrize("body", WRONG.values(), ids=WRONG)
def test_wrong_ones(tmp_path, body):
    assert release(tmp_path, body, ", k: int").proof is None


UNMOVED = {
    "what may raise": f"if {HIT}:\n    return values[5] + rng.laplace(scale=1 / k)\n"
    "return values[0] + rng.laplace(scale=1 / k)",
    "one in a function": f"if {HIT}:\n    return noise(rng, 1)\nreturn rng.laplace(scale=1)",
    "several at once": f"if {HIT}:\n    return rng.laplace(size=2)\nreturn rng.laplace(size=2)",
    "one after a branch that goes on": f"a = 0\nif {HIT}:\n    a = {PLAIN}\nreturn {PLAIN}, a",
    "one in a while": f"while {HIT}:\n    if {HIT}:\n        return {PLAIN}\n    return {PLAIN}",
    "one in a try": f"if {HIT}:\n    try:\n        return {PLAIN}\n    except ValueError:\n        return 0\n"
    "return rng.laplace(scale=1)",
}


@pytest.mark.parametrize("body", UNMOVED.values(), ids=UNMOVED)
def test_what_is_not_moved(tmp_path, body):
    text = "from dplint import dp\n" + text_of(body, ", k: int")
    assert with_one_draw(of_text(tmp_path, text, "release")[0], "epsilon") is None


def release(folder, body, arguments=""):
    """What is found for a function with this body."""
    return searched(folder, text_of(body, arguments))


def text_of(body, arguments):
    """A module with a function of this body."""
    return HEAD + CLAIM.format(more=", size=2", arguments=arguments) + indent(body, "    ") + "\n"
