"""Mechanisms on small data, and what they lose, found out by running them with draws that give no noise.

The loss of a pair is the sum of all moves, each over the scale of its noise.
"""

import math
from collections import Counter
from itertools import product

import numpy as np
import pandas as pd
import polars as pl

HEAD = "import math\n\nimport numpy as np\nimport pandas as pd\nimport polars as pl\n\nfrom dplint import dp\n\n\n"
ADD = '@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 3))\n'
REPLACE = '@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 3))\n'
KINDS = '@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])\n'
FRAME = '@dp(epsilon="epsilon", neighbors="add-remove", domain={"kind": ["a", "b"], "age": (0, 3)})\n'
LINF = '@dp(epsilon="epsilon", neighbors="linf")\n'
GAPS = '@dp(epsilon="epsilon", neighbors="add-remove", domain={"kind": ["a", "b"], "age": [(0.0, 3.0), math.nan]})\n'
L1 = '@dp(epsilon="epsilon", neighbors="l1")\n'
ONE = "    return [{} + rng.laplace(scale={} / epsilon)]\n"


def release(claim, body, value=None, scale=1, annotation=""):
    """A function with this body, which ends with a value and noise of this scale."""
    end = ONE.format(value, scale) if value is not None else ""
    return f"{claim}def release(rng, data{annotation}, epsilon):\n{body}{end}"


class NoNoise:
    """Draws that are their centre, and what they were asked for."""

    def __init__(self):
        self.scales = []

    def laplace(self, loc=0.0, scale=1.0, size=None):
        count = size or (len(loc) if hasattr(loc, "__len__") else None)
        self.scales += [scale] * math.prod(count if isinstance(count, tuple) else (count or 1,))
        return loc if count is None else loc + np.zeros(count)


def outcome(function, data):
    rng = NoNoise()
    try:
        found = function(rng, data, 1.0)
        if isinstance(found, pl.DataFrame):
            found = [one for column in found.get_columns() for one in column if not isinstance(one, str)]
        return found.tolist() if isinstance(found, np.ndarray) else found, rng.scales
    except (ZeroDivisionError, ValueError, IndexError) as error:
        return type(error).__name__, rng.scales


def neighbours(text):
    """Pairs of small data, as the function gets it."""
    if '"l1"' in text or '"linf"' in text:
        step = 2 if "sensitivity=2" in text else 1
        for one in product((-1, 0.5, 1, 4), repeat=3):
            for place in range(3):
                two = [v + step * ((k == place) if '"l1"' in text else 1) for k, v in enumerate(one)]
                yield list(one), two
        return
    values = ["a", "b", "c"] if '"c"]' in text else [0, 1, 2, 3]
    if ".DataFrame," in text:
        values = [{"kind": "a", "age": 0}, {"kind": "b", "age": 3}]
    if "math.nan]" in text:
        values = [{"kind": "a", "age": math.nan}, {"kind": "b", "age": 3.0}]
    for size in range(4):
        for one in product(values, repeat=size):
            for place in range(size):
                if '"add-remove"' in text:
                    yield list(one), [*one[:place], *one[place + 1 :]]
                else:
                    yield from ((list(one), [*one[:place], v, *one[place + 1 :]]) for v in values)


def loss(text):
    """The largest over small neighbours: infinite where noise cannot make the outputs alike."""
    spaces = {
        "dp": lambda **_: lambda function: function,
        "np": np,
        "pd": pd,
        "pl": pl,
        "math": math,
        "Counter": Counter,
    }
    exec(text, spaces)
    form = np.array if "np.ndarray" in text else pd.DataFrame if "pd.DataFrame" in text else list
    if form is pd.DataFrame:
        form = lambda rows: pd.DataFrame(rows, columns=["kind", "age"])  # noqa: E731
    if "pl.DataFrame," in text:
        form = lambda rows: pl.DataFrame(rows, schema={"kind": str, "age": int})  # noqa: E731
    most = 0.0
    for pair in neighbours(text):
        (one, first), (two, second) = (outcome(spaces["release"], form(side)) for side in pair)
        numbers = isinstance(one, list) and isinstance(two, list) and len(one) == len(two) == len(first)
        if first != second or not (numbers or one == two):
            return math.inf
        if numbers:
            most = max(most, sum(abs(a - b) / scale for a, b, scale in zip(one, two, first, strict=True)))
    return most
