"""Wrong mechanisms in odd styles, of which nothing may be proved beyond a bound up to which they are right.

What an argument may be, what a turn of a loop carries to the next one, and what a module does to its own names.
"""

from textwrap import indent

import pytest

from dplint.outcomes import OtherText
from dplint.program.refusals import UnsupportedConstruct
from dplint.proofs.alignment import Moves
from dplint.proofs.checker.bounded import BoundedCheck
from dplint.proofs.checker.values import NotProved
from dplint.proofs.scopes import scopes
from tests.proofs.proof_tools import of_text, searched

NOISY = "    return [value + rng.laplace(scale=1 / epsilon) for value in values]\n"
RAW = "        return list(values)\n"

ARGUMENTS = {
    "a text under another name": ("mode: str", "    name = mode\n    if name == 'raw':\n" + RAW),
    "a text that nobody annotates, under another name": ("mode", "    name = mode\n    if name == 'raw':\n" + RAW),
    "a text in a helper": ("mode: str", "    if is_raw(mode):\n" + RAW),
    "a text in a tuple of the module": ("mode: str", "    if mode in NAMES:\n" + RAW),
    "a text in a match": ("mode: str", "    match mode:\n        case 'raw':\n            return list(values)\n"),
    "the length of a text": ("mode: str", "    if len(mode) == 17:\n" + RAW),
    "the empty text": ("mode: str", "    if not mode:\n" + RAW),
    "a text that begins so": ("mode: str", "    if mode[0] == 'r':\n" + RAW),
    "a text that is put together": ("mode: str", "    if mode + 'x' == 'rawx':\n" + RAW),
    "the order of texts": ("mode: str", "    if mode > 'b':\n" + RAW),
    "the letters of a text": ("mode: str", "    for letter in mode:\n        epsilon = epsilon + 1\n"),
    "two texts": ("mode: str, other: str", "    if mode != other:\n" + RAW),
    "a key": ("mode: str", "    epsilon = epsilon * {'raw': 10}.get(mode, 1)\n"),
    "a text or a number": (
        "mode",
        "    if mode == 3:\n        return list(values)\n    if mode == 'none':\n        return 0\n",
    ),
    "None": ("mode", "    if mode is None:\n" + RAW),
    "None by equality": ("mode", "    if mode == None:\n" + RAW),
    "True": ("mode", "    if mode is True:\n" + RAW),
    "zero": ("mode: int", "    if mode == 0:\n" + RAW),
    "a large number": ("mode", "    if mode > 10**30:\n" + RAW),
    "no whole number": ("mode", "    if mode != int(mode):\n" + RAW),
}

CARRIED = {
    "a running sum": ("total = 0.0", "total += value\nout.append(total + noise())"),
    "a running sum that noise is drawn around": ("total = 0.0", "total += value\nout.append(around(total))"),
    "a running sum in a list": ("pair = [0.0, 0.0]", "pair[1] += value\nout.append(pair[1] + noise())"),
    "a running sum in a dict": ("kept = {'t': 0.0}", "kept['t'] += value\nout.append(kept['t'] + noise())"),
    "a number of the turn": ("count = 0", "count += 1\nout.append(count * value + noise())"),
    "the number before": ("last = 0.0", "out.append(value - last + noise())\nlast = value"),
    "the first number": ("first = True", "out.append((1 if first else 5) * value + noise())\nfirst = False"),
    "a guard": ("total = 0.0", "total += value\nif total > 3:\n    out.append(1.0)"),
}
ENDS = {"numbers": ("l1", 1, "out"), "the place of the largest": ("linf", 2, "out.index(max(out))")}

PLAIN = "rng.laplace(scale=1 / epsilon)"
NOISE = "def noise(rng, epsilon):\n    return rng.laplace(scale=1 / epsilon)\n"
MODULES = {
    "a list that the module changes": ("SCALES = [1.0]\nSCALES[0] = 0.1\n", PLAIN.replace("1 /", "SCALES[0] /")),
    "a list that a function changes": (
        "SCALES = [1.0]\n\n\ndef setup():\n    SCALES.insert(0, 0.1)\n",
        PLAIN.replace("1 /", "SCALES[0] /"),
    ),
    "globals": ("SCALE = 1.0\nglobals()['SCALE'] = 0.1\n", PLAIN.replace("1 /", "SCALE /")),
    "NumPy is seeded": ("np.random.seed(3)\n", PLAIN.replace("rng", "np.random")),
    "NumPy is seeded, and SciPy draws": ("np.random.seed(3)\n", "stats.laplace.rvs(scale=1 / epsilon)"),
    "Python is seeded": ("random.seed(3)\n", "random.expovariate(epsilon) - random.expovariate(epsilon)"),
    "a function of that name twice": (
        f"{NOISE}\n\ndef noise(rng, epsilon):\n    return 0.0\n",
        "noise(rng, epsilon)",
    ),
    "a decorator": (f"def off(f):\n    return lambda *_: 0.0\n\n\n@off\n{NOISE}", "noise(rng, epsilon)"),
    "a default that lives on": (
        NOISE.replace("epsilon):", "epsilon, seen=[]):\n    seen.append(1)").replace(
            "epsilon)\n", "epsilon / len(seen))\n"
        ),
        "noise(rng, epsilon)",
    ),
    "a builtin under another meaning": ("def abs(x):\n    return 0.0\n", f"abs(3) * {PLAIN}"),
}
COMPARED = {
    "a list": ('["a", "b"]', 'return 1 if [value] == ["a"] else 0'),
    "a list, the other way": ('["a", "b"]', 'return 1 if ["a"] != [value] else 0'),
    "a tuple of a float and an int": ("(0.0, 2.0)", "return 1 if (value, 1) == (1, 1) else 0"),
    "a tuple among others": ('["a", "b"]', 'return 1 if (value, 1) in [("a", 1), ("c", 2)] else 0'),
    "a dict": ('["a", "b"]', 'return 1 if {"x": value} == {"x": "a"} else 0'),
    "a dict in another order": ("(0, 1)", 'return 1 if {"x": value, "y": 0} == {"y": 0, "x": 1} else 0'),
    "a truth value and a number": ("[False, True]", "return 1 if [value] == [1] else 0"),
    "one list and a list that is equal": ("(0, 1)", "a = [1]\n    return value if a is [1] else 0"),
    "a text by identity": ("(0, 1)", "a = 'xy'\n    return value if a is 'x' + 'y' else 0"),
    "the truth of a text": ('["", "a"]', "return 1 if value else 0"),
    "the truth of None": ('[None, "a"]', "return 0 if not value else 1"),
    "the truth of one of two": ('["", "a"]', 'return 1 if (value or "b") == "b" else 0'),
    "whether all are true": ('["", "a"]', 'return all([value, "a"])'),
    "a part of a text": ('["ab", "c"]', 'return 1 if "a" in value else 0'),
    "a key": ('["a", "b"]', 'return 1 if "a" in {value: 1} else 0'),
}


@pytest.mark.parametrize(("parameters", "body"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_an_argument_that_turns_the_noise_off(tmp_path, parameters, body):
    text = (
        "NAMES = ('raw', 'plain')\n\n\ndef is_raw(mode):\n    return mode == 'raw'\n\n\n"
        f'@dp(epsilon="epsilon", neighbors="l1")\ndef release(rng, values, {parameters}, epsilon):\n{body}{NOISY}'
    )

    assert searched(tmp_path, text).proof is None


@pytest.mark.parametrize(("relation", "scale", "end"), ENDS.values(), ids=ENDS)
@pytest.mark.parametrize(("before", "turn"), CARRIED.values(), ids=CARRIED)
def test_what_a_turn_carries_to_the_next(tmp_path, before, turn, relation, scale, end):
    """With one value there is nothing to carry, so that these are right there."""
    body = f"    {before}\n    for value in values:\n{indent(turn, ' ' * 8)}\n"
    body = body.replace("noise()", f"rng.laplace(scale={scale} / epsilon)")
    body = body.replace("around(total)", f"rng.laplace(total, {scale} / epsilon)")
    text = (
        f'@dp(epsilon="epsilon", neighbors="{relation}")\ndef release(rng, values, epsilon):\n    out = []\n'
        f"{body}    return {end}\n"
    )

    assert searched(tmp_path, text).proof is None


@pytest.mark.parametrize(("domain", "body"), COMPARED.values(), ids=COMPARED)
def test_what_python_takes_for_equal_or_true(tmp_path, domain, body):
    """By the checker alone, which is asked whether the outputs are always the same."""
    text = f'@dp(epsilon="epsilon", neighbors="any", domain={domain})\ndef release(rng, value, epsilon):\n    {body}\n'
    program, mechanism = of_text(tmp_path, f"from dplint import dp\n\n\n{text}", "release")
    (scope, *_) = scopes(program, mechanism, None)
    check = BoundedCheck(program, mechanism, scope)
    ((shape, given),) = check.open

    with pytest.raises((NotProved, UnsupportedConstruct)):
        check.show(shape, given.case, (Moves((), ()),))


def test_a_value_that_a_domain_has_twice(tmp_path):
    text = """@dp(epsilon="epsilon", neighbors="replace-one", domain=["a", "a", "b"], size=2)
def release(rng, rows, epsilon):
    same = sum(1 for row in rows if row == rows[0])
    return same + rng.laplace(scale=SCALE / epsilon)
"""
    assert searched(tmp_path, text.replace("SCALE", "1")).proof is not None
    assert searched(tmp_path, text.replace("SCALE", "0.9")).proof is None


@pytest.mark.parametrize(("before", "noise"), MODULES.values(), ids=MODULES)
def test_what_a_module_does_to_its_names(tmp_path, before, noise):
    text = (
        f"import random\n\nfrom scipy import stats\n\n{before}\n\n"
        '@dp(epsilon="epsilon", neighbors="l1")\ndef release(rng, values, epsilon):\n'
        f"    return [value + {noise} for value in values]\n"
    )

    assert searched_or_unread(tmp_path, text) is None


def searched_or_unread(folder, text):
    """The proof; None where there is none, or the mechanism was not read."""
    try:
        return searched(folder, text).proof
    except KeyError:
        return None


def test_every_text_is_told_as_one(tmp_path):
    text = (
        '@dp(epsilon="epsilon", neighbors="l1")\ndef release(rng, values, mode: str, epsilon):\n'
        "    if mode == 'zero':\n        return 0\n" + NOISY
    )
    proof = searched(tmp_path, text).proof

    assert proof is not None
    (mode,) = [one.values.values for one in proof.scope.arguments if one.name == "mode"]
    assert mode[0] == "zero"
    assert isinstance(mode[1], OtherText)
    assert all(proof.scope.covers([1.0], {"mode": one, "epsilon": 1.0}) for one in ("zero", "raw", ""))
    assert not proof.scope.covers([1.0], {"mode": 3, "epsilon": 1.0})
