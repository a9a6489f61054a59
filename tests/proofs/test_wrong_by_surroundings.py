"""Wrong mechanisms that look right: what a module does to libraries and constants, and types that the data decides.

Each multiplies by more than it seems, or gives away a type; none keeps its claim, of which nothing may be proved.
"""

import numpy as np
import pytest

from tests.proofs.proof_tools import searched

PLAIN = "rng.laplace(scale=1 / epsilon)"
LIBRARIES = {
    "an attribute": ("np.abs = lambda x: 0.0\n", f"np.abs(5) * {PLAIN}"),
    "an attribute, in a function": ("def setup():\n    np.abs = lambda x: 0.0\n\n\nsetup()\n", f"np.abs(5) * {PLAIN}"),
    "an attribute under another name": ("m = math\nm.fabs = lambda x: 0.0\n", f"math.fabs(5) * {PLAIN}"),
    "setattr": ('setattr(math, "fabs", lambda x: 0.0)\n', f"math.fabs(5) * {PLAIN}"),
    "setattr by a name that is worked out": (
        'setattr(math, "fa" + "bs", lambda x: 0.0)\n',
        f"math.fabs(5) * {PLAIN}",
    ),
    "a dict": ('math.__dict__["fabs"] = lambda x: 0.0\n', f"math.fabs(5) * {PLAIN}"),
    "vars": ('vars(math)["fabs"] = lambda x: 0.0\n', f"math.fabs(5) * {PLAIN}"),
    "patch": (
        'from unittest import mock\n\nmock.patch("math.fabs", lambda x: 0.0).start()\n',
        f"math.fabs(5) * {PLAIN}",
    ),
    "a module that is imported by a call": (
        'import importlib\n\nimportlib.import_module("math").fabs = lambda x: 0.0\n',
        f"math.fabs(5) * {PLAIN}",
    ),
    "a part of a library": ("np.random = None\n", "np.random.laplace(scale=1 / epsilon)"),
    "a draw": ("np.random.laplace = lambda *a, **k: 0.0\n", "np.random.laplace(0, 1 / epsilon)"),
    "a builtin": ("import builtins\n\nbuiltins.abs = lambda x: 0.0\n", f"abs(5) * {PLAIN}"),
    "a builtin by globals": ('globals()["abs"] = lambda x: 0.0\n', f"abs(5) * {PLAIN}"),
    "any name": ('exec("abs = lambda x: 0.0")\n', f"abs(5) * {PLAIN}"),
    "all names of another module": ("from somewhere import *\n", f"abs(5) * {PLAIN}"),
    "pow of math": ("from math import *\n", f"pow(1, 0, 1) * {PLAIN}"),
}
CONSTANTS = {
    "under another name": "OTHER = SCALES\nOTHER[0] = 0.01\n",
    "in a container": "BOX = [SCALES]\nBOX[0][0] = 0.01\n",
    "by a function": "def change(given):\n    given[0] = 0.01\n\n\nchange(SCALES)\n",
    "by a function that hands it on": (
        "def change(given):\n    given[0] = 0.01\n\n\ndef hand(given):\n    change(given)\n\n\nhand(SCALES)\n"
    ),
    "by a function that returns it": "def same(given):\n    return given\n\n\nsame(SCALES)[0] = 0.01\n",
    "by another module": "import somewhere\n\nsomewhere.change(SCALES)\n",
    "by shuffling": "np.random.shuffle(SCALES)\n",
    "in a conditional expression": "(SCALES if math.pi > 3 else [])[0] = 0.01\n",
    "through sys.modules": "import sys\n\nsys.modules[__name__].SCALES = [0.01]\n",
    "inside": "SCALES = [[1.0]]\nSCALES[0][0] = 0.01\n",
}
READ = {
    "by another function": "def total():\n    return sum(SCALES)\n",
    "by one that is given it": "def total(given):\n    return sum(given) + len(given)\n\n\ntotal(SCALES)\n",
    "by a library": "WIDE = np.array(SCALES)\n",
    "in a loop": "for one in SCALES:\n    print(one)\n",
}
COMPARED = {
    "a range and a list": "range(2) == [0, 1]",
    "a range and a list, the other way": "[0, 1] == range(2)",
    "values of a dict": '{"a": 1}.values() == [1]',
    "values of a dict twice": '{"a": 1}.values() == {"a": 1}.values()',
    "items of a dict": '{"a": 1}.items() == [("a", 1)]',
    "keys of a dict": '{"a": 1}.keys() == ["a"]',
    "a range in a list": "range(2) in [[0, 1]]",
}
TYPES = {
    "an extreme": ("l1", "values", "return [0 * max(0, v) for v in values]"),
    "a conditional expression": ("l1", "values", "return [0 * (v if v > 0 else 0) for v in values]"),
    "of a single number": ("l1", "values", "return 0 * min(values[0], 1)"),
    "a sum": ("add-remove", "rows", "return 0 * sum(r for r in rows if r > 0.5)"),
    "a sum of extremes": ("add-remove", "rows", "return 0 * sum(max(0, r) for r in rows)"),
    "what a loop adds up": ("add-remove", "rows", "s = 0\nfor r in rows:\n    s += max(0, r)\nreturn 0 * s"),
    "in a list of noisy numbers": ("l1", "values", f"return [v + {PLAIN} for v in values], 0 * max(0, values[0])"),
}


def vectors(before, body):
    return (
        f'import random\n\n{before}\n\n@dp(epsilon="epsilon", neighbors="l1")\ndef release(rng, values, epsilon):\n'
        f"    return [v + {body} for v in values]\n"
    )


def proof_of(folder, text):
    try:
        return searched(folder, text).proof
    except KeyError:  # not a mechanism that can be read
        return None


@pytest.mark.parametrize(("before", "noise"), LIBRARIES.values(), ids=LIBRARIES)
def test_a_library_that_the_module_changes(tmp_path, before, noise):
    assert proof_of(tmp_path, vectors(before, noise)) is None


def test_a_star_that_binds_nothing_of_the_kind(tmp_path):
    assert proof_of(tmp_path, vectors("from math import *\n", f"abs(1) * {PLAIN}")) is not None


@pytest.mark.parametrize("change", CONSTANTS.values(), ids=CONSTANTS)
def test_a_constant_that_is_changed_under_another_name(tmp_path, change):
    text = f"SCALES = [1.0]\n{change}" if "SCALES = [[" not in change else change
    scale = "SCALES[0]" if "[[" not in change else "SCALES[0][0]"

    assert proof_of(tmp_path, vectors(text, PLAIN.replace("1 /", f"{scale} /"))) is None


@pytest.mark.parametrize("use", READ.values(), ids=READ)
def test_a_constant_that_is_only_read_is_one(tmp_path, use):
    assert proof_of(tmp_path, vectors(f"SCALES = [1.0]\n{use}", PLAIN.replace("1 /", "SCALES[0] /"))) is not None


@pytest.mark.parametrize("test", COMPARED.values(), ids=COMPARED)
def test_what_is_equal_to_no_list(tmp_path, test):
    assert eval(test) is False, "all of these are false in Python"
    assert proof_of(tmp_path, vectors("", f"(0 if {test} else 9) * v + {PLAIN}")) is None


@pytest.mark.parametrize(("relation", "data", "body"), TYPES.values(), ids=TYPES)
def test_a_type_that_the_data_decides_is_given_away(tmp_path, relation, data, body):
    """0 times an int is 0, and 0 times a float is 0.0 or -0.0: neighbours give what can be told apart."""
    lines = "\n".join(f"    {one}" for one in body.splitlines())
    domain = ", domain=(0.0, 1.0)" if data == "rows" else ""
    text = f'@dp(epsilon="epsilon", neighbors="{relation}"{domain})\ndef release(rng, {data}, epsilon):\n{lines}\n'

    assert proof_of(tmp_path, text) is None
    assert proof_of(tmp_path, text.replace("0 *", f"{PLAIN} + 0 *")) is not None


@pytest.mark.parametrize(
    ("before", "turn", "after"),
    [
        ("s = 0", "if n < 3 or s == int(s):\n        s += r\n    else:\n        s += 9 * r", "s"),
        ("s = 0", "if n < 3 or s == int(s):\n        s = s + r\n    else:\n        s = s + 9 * r", "s"),
        ("s = [0]", "if n < 3 or s[0] == int(s[0]):\n        s[0] += r\n    else:\n        s[0] += 9 * r", "s[0]"),
    ],
    ids=["a number", "an assignment", "in a list"],
)
def test_a_sum_that_begins_as_an_int(tmp_path, before, turn, after):
    """From the fourth record on one counts nine times, if the sum of those before is no whole number."""
    lines = f"{before}\nn = 0\nfor r in rows:\n    {turn}\n    n += 1\nreturn {after} + {PLAIN}"
    body = "\n".join(f"    {one}" for one in lines.splitlines())
    text = (
        f'@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0))\ndef release(rng, rows, epsilon):\n{body}\n'
    )

    def without_noise(rows):
        found = {}
        exec(text.partition("\n")[2].replace(PLAIN, "0"), found)
        return found["release"](None, rows, 1.0)

    moved = without_noise([0.5, 0.0, 0.0, 1.0]) - without_noise([0.5, 0.0, 0.0])
    assert np.isclose(moved, 9)
    proof = proof_of(tmp_path, text)
    assert proof is None or proof.scope.sizes.largest <= 3


@pytest.mark.parametrize(
    ("relation", "body"),
    [
        ("l1", "return [max(0, v) + NOISE for v in values]"),
        ("l1", "return [(v if v > 0 else 0) + NOISE for v in values]"),
        ("add-remove", "return sum(min(max(r, 0), 1) for r in values) + NOISE"),
        ("add-remove", "return sum(r for r in values if r < 0.5) + NOISE"),
        ("add-remove", "s = 0\n    for r in values:\n        s += min(r, 1)\n    return s + NOISE"),
    ],
)
def test_a_type_that_noise_hides(tmp_path, relation, body):
    """Of an int and a float the sum with noise is a float; half of the noise does not do."""
    domain = ", domain=(0.0, 5.0)" if relation == "add-remove" else ""
    claim = f'@dp(epsilon="epsilon", neighbors="{relation}"{domain})\ndef release(rng, values, epsilon):\n    {body}\n'

    assert proof_of(tmp_path, claim.replace("NOISE", PLAIN)).scope.sizes.largest is None
    assert proof_of(tmp_path, claim.replace("NOISE", PLAIN.replace("1 /", "0.45 /"))) is None


@pytest.mark.parametrize("default", ["max(0.01, 0.005)", "SCALE", "[0.01][0]"])
def test_a_default_that_only_running_tells_is_no_number_from_one_on(tmp_path, default):
    """With the default, which is 0.01, one sees the data; nothing says so of whole scales from 1 on."""
    text = (
        'SCALE = 0.01\n\n\n@dp(epsilon="epsilon", neighbors="l1")\n'
        f"def release(rng, values, epsilon, scale={default}):\n"
        "    return [v + rng.laplace(scale=scale / epsilon) for v in values]\n\n\nSCALE = 1.0\n"
    )

    assert proof_of(tmp_path, text) is None
    known = proof_of(tmp_path, text.replace("SCALE = 0.01", "SCALE = 2").replace("\n\n\nSCALE = 1.0", ""))
    assert (known is not None) == (default == "SCALE")
