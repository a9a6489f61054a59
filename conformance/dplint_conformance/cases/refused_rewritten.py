"""Statements and expressions that programs say in several steps, and containers that programs hold as dicts.

No interpretation follows these.
"""

import bisect
import itertools
import operator
import statistics
import warnings
from collections import Counter, defaultdict

import numpy as np


def counter_in_order(rng, queries):
    counts = Counter(int(rng.integers(3)) for _ in range(6))
    return counts.most_common(), counts.most_common(2), list(counts), dict(counts)


def warned_of_what_is_missing(rng, values):
    if values[0] < 0:
        warnings.warn(f"{values[0]} is below 0", stacklevel=2)
        warnings.warn("and that is all", UserWarning)
    return values[0] + rng.laplace()
