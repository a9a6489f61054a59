"""Exceptions that are caught, in mechanisms that are about something else. No interpretation follows these."""

import abc
import itertools
import logging
import math
from collections import Counter, defaultdict
from functools import partial

import numpy as np


def _noise(rng, size=6):
    """With ties, and zeros of both signs."""
    return np.round(rng.normal(0, 1, size=size)) * 0.5


def partitions_beyond_the_end_of_all(rng, k):
    noisy = _noise(rng, 2) if rng.random() < 0.5 else _noise(rng, 3)
    try:
        return np.partition(noisy, 2).tolist(), noisy.argpartition(kth=2).tolist()
    except ValueError:
        return "too short", noisy


def map_that_fails_after_draws(rng, queries):
    out = []
    try:
        out += [x + rng.random() for x in map(lambda y: 1 / y, queries)]
    except ZeroDivisionError:
        out.append(rng.normal())
    return out


def counter_of_what_cannot_be_counted(rng, records):
    try:
        return Counter([[r] for r in records])[rng.integers(2)]
    except TypeError:
        return rng.random()


def changed_after_exceptions_that_are_caught(rng, queries):
    out = [1]
    for query in queries:
        try:
            if query + rng.normal() > 2:
                raise ValueError("above")
            out.append(out.pop() / rng.integers(0, 3))
        except ZeroDivisionError:
            out.append("zero")
            return out
        except ValueError:
            out.append(query)
    return out


def yields_in_a_try(rng, queries):
    for q in queries:
        try:
            yield 1 / q
        except ZeroDivisionError:
            yield rng.random()
        finally:
            q = 0


def a_key_deleted_that_may_be_missing(rng, names):
    counts = {}
    for name in names:
        if rng.random() < 0.7:
            counts[name] = rng.normal()
    try:
        del counts["b"]
    except KeyError:
        return "no b", counts
    return counts


def entries_that_may_be_missing(rng, values):
    found = {}
    for i, v in enumerate(values):
        if rng.random() < 0.6:
            found[i] = v
    try:
        last = found[0]
    except KeyError:
        last = "none"
    return last, found


class _Model:
    def __init__(self, epsilon, rng):
        self.epsilon = epsilon
        self.rng = rng

    def fit(self, xs):
        self.centre_ = sum(xs) / len(xs) + self.rng.laplace(0, 1 / self.epsilon)
        self.spread_ = max(max(xs) - min(xs) + self.rng.laplace(), 0.5)
        return self

    def score(self, x):
        return (x - self.centre_) / self.spread_

    def refit(self, xs):
        for x in xs:
            self.fit([x, 1 / int(self.rng.integers(0, 2))])


def model_that_is_fitted_in_a_try(rng, queries):
    model = _Model(1.0, rng)
    model.fit(queries)
    try:
        model.refit(queries)
    except ZeroDivisionError:
        return "failed", model.centre_
    return model.centre_


def first_of_nothing_is_caught(rng, queries):
    try:
        return next(q for q in queries if q + rng.random() > 3.7)
    except StopIteration:
        return rng.random()


def recursion_that_fails(rng, queries):
    def walk(items, k):
        return items[k] if rng.random() < 0.3 + k / 6 else walk(items, k + 1)

    try:
        return walk(queries, 0)
    except IndexError:
        return -1.0


WORDS = ["low", "middle", "high"]


def places_before_the_start(rng, n):
    try:
        return WORDS[rng.integers(-5, 0)]
    except IndexError:
        return "none"


def defaults_that_fail_when_the_function_is_made(rng, queries):
    try:
        if rng.random() < 0.9:

            def inverse(x, of=1 / round(rng.random())):
                return x / of

        return 3
    except ZeroDivisionError:
        return -1


def groups_whose_item_fails(rng, values):
    groups = {}
    found = 0
    try:
        for v in values:
            groups.setdefault(v, []).append(1 / int(rng.integers(3)))
    except ZeroDivisionError:
        found = 1
    return groups, found


def part_of_another_shape(rng, records):
    table = np.zeros((2, 3))
    size = int(rng.integers(2, 4))
    table[:, 1] = 1
    try:
        table[0, :] += np.ones(size)
    except ValueError:
        return size
    return table


def arithmetic_of_several_types_that_may_fail(rng, values):
    y = [0, 0.0, False, np.float64(0.5), None, "a"][int(rng.integers(6))]
    try:
        return 1 / y, y
    except ZeroDivisionError:
        return "zero", y * 2


LOG = logging.getLogger(__name__)


def try_that_only_logs(rng, queries):
    try:
        x = queries[int(rng.random() * 6)]
    except (IndexError, TypeError) as error:
        LOG.debug("no such query: %s", error)
        raise
    except Exception:
        raise
    finally:
        LOG.debug("done")
    return x + rng.laplace()
