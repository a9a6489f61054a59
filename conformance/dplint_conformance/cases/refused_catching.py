"""`try` and what it catches: where an exception comes from, what was done before it, and what goes on.

No interpretation follows these.
"""

import contextlib
import logging
import math
import threading

import numpy as np

LOCK = threading.Lock()


class _Spent(ValueError):
    pass


def exceptions_that_are_suppressed(rng, names):
    table = {"a": 1, "b": 2}
    with contextlib.suppress(KeyError, IndexError):
        table["a"] = 5
        table.pop(["a", "x"][int(rng.integers(0, 3))])
        table["c"] = 3
    return table


def under_a_lock(rng, queries):
    with LOCK:
        x = queries[0] + rng.normal()
        if x > 1:
            return "large"
    return x


class _Account:
    def __init__(self, total):
        self.total = total
        self.spent = 0.0

    def spend(self, amount):
        self.spent += amount
        if self.spent > self.total:
            raise _Spent(f"{self.total}")
        return amount

    def try_to(self, amount):
        try:
            return self.spend(amount)
        except _Spent:
            self.spent = self.total
            return None

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        return False


def object_as_a_context(rng, queries):
    with _Account(rng.random()) as account:
        x = account.spend(0.4)
    return x
