"""Wrong mechanisms with constructs that the lowering writes as others: sets, groups, iterators, chains, columns.

Each is read, and has too little noise for its claim at every length; nothing may be proved of it. What is right about
each is its noise: `SCALE` is put in as it should be, and there a proof may or may not be found.
"""

import pytest

from tests.proofs.proof_tools import searched

HEAD = """from collections import ChainMap, deque
from decimal import Decimal
from fractions import Fraction
from itertools import groupby


class Shift:
    def __init__(self, by):
        self.by = by


class Scaled:
    def __init__(self, times):
        self.times = times


"""
WRONG = {
    "the first item of an iterator": ("linf", "it = iter(values)\nx = next(it, 0.0) * 2"),
    "the items of an iterator": (
        "l1",
        "it = iter(values)\nx = 0.0\nwhile True:\n    try:\n        x += 2 * next(it)\n    except StopIteration:\n"
        "        break",
    ),
    "a loop that takes two items in a turn": (
        "l1",
        "it = iter(values)\nx = 0\nfor v in it:\n    x += 2 * v + next(it, 0)",
    ),
    "the sum of groups": ("l1", "x = 2 * sum(sum(g) for _, g in groupby(values))"),
    "the keys of groups": ("linf", "x = 3 * sum(k for k, _ in groupby(values, key=lambda v: v > 0))"),
    "how many values a set has": ("replace-one", "x = 2 * len(set(values) | {0})"),
    "what two sets have in common": ("replace-one", "x = 3 * len(set(values) & {0, 1})"),
    "whether a set is a part of another": ("linf", "x = 0\nif set(values) <= {0, 1}:\n    return 0"),
    "whether there is anything in a set": (
        "linf",
        "pool, x = {1}, 0\npool -= {v for v in values}\nif pool:\n    return 0",
    ),
    "a scale in a chain": (
        "linf",
        "conf = ChainMap({'s': 0.5}, {'s': 2.0})\nreturn values[0] + rng.laplace(scale=conf['s'] / epsilon)",
    ),
    "a scale that is a fraction": (
        "linf",
        "return values[0] + rng.laplace(scale=float(Fraction(1, 2) + Fraction(1, 3)) / epsilon)",
    ),
    "a scale that is a decimal": ("linf", "return values[0] + rng.laplace(scale=float(Decimal('0.5')) / epsilon)"),
    "a column that is added to": (
        "linf",
        "t = np.zeros((2, 2))\nt[:, 1] += values[0]\nt[:, 1] += values[0]\nx = t[0, 1]",
    ),
    "an array that is multiplied": ("linf", "t = np.zeros((2, 2))\nt[0, 0] = values[0]\nt *= 3\nx = t[0, 0]"),
    "an array that is changed at False": (
        "linf",
        "a = np.array([values[0]])\na[False] = values[0] + rng.laplace(scale=1 / epsilon)\nreturn a[0]",
    ),
    "an array that is changed at True": (
        "linf",
        "a = np.array([values[0] + rng.laplace(scale=1 / epsilon), 0.0])\na[True] = values[0]\nreturn a[0]",
    ),
    "a set that is returned": (
        "l1",
        "return {k for k, v in enumerate(values) if v + rng.laplace(scale=0.5 / epsilon) > 1}",
    ),
    "functions in a ring": (
        "linf",
        "def odd(n):\n    return values[0] if n <= 0 else even(n - 1)\n"
        "def even(n):\n    return values[0] * 2 if n <= 0 else odd(n - 1)\nx = odd(3)",
    ),
    "a closure that adds up": (
        "linf",
        "state = {'x': 0.0}\ndef add(v):\n    state['x'] += v\nadd(values[0])\nadd(values[0])\nx = state['x']",
    ),
    "the last items of a queue": ("linf", "queue = deque([values[0], values[0]])\nx = queue.pop() + queue.pop()"),
    "the class of an object": (
        "linf",
        "x, one = 0, Shift(values[0])\nmatch one:\n    case Scaled(times=y):\n        x = 0\n"
        "    case Shift(by=y):\n        x = 2 * y",
    ),
}


def text_of(relation: str, body: str) -> str:
    domain = ", domain=[0, 1, 2, 3]" if relation == "replace-one" else ""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    end = "" if body.rpartition("\n")[2].startswith("return") else "    return x + rng.laplace(scale=1 / epsilon)\n"
    head = f'@dp(epsilon="epsilon", neighbors="{relation}"{domain})\ndef release(rng, values, epsilon):\n'
    return f"{HEAD}{head}{lines}{end}"


@pytest.mark.parametrize(("relation", "body"), WRONG.values(), ids=WRONG)
def test_none_is_proved(tmp_path, relation, body):
    assert searched(tmp_path, text_of(relation, body)).proof is None


RIGHT = ("a closure that adds up",)


@pytest.mark.parametrize("name", RIGHT)
def test_what_has_noise_enough_is_proved(tmp_path, name):
    """So that it is not for another reason that nothing is proved above."""
    text = text_of(*WRONG[name]).replace("scale=1 /", "scale=2 /")

    assert searched(tmp_path, text).proof is not None
