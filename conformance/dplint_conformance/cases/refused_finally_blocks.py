"""`finally` behind what returns, breaks, goes on or raises: it is done once, and then that goes on.

No interpretation follows these.
"""

from typing import NamedTuple


def finally_that_is_left(rng, queries):
    n = 0
    for q in queries:
        try:
            if rng.random() < 0.2:
                return n, q
            n += 1 / int(rng.integers(0, 2))
        except ZeroDivisionError:
            if rng.random() < 0.5:
                return "zero", n
        else:
            n += 100
        finally:
            n += 10 * rng.random()
        n += 1000
    return n


def finally_that_a_return_is_evaluated_before(rng, queries):
    n = [1]
    try:
        return n[0] / int(rng.integers(0, 2)) + queries[int(rng.integers(0, 9))]
    except ZeroDivisionError:
        n[0] = 5
    finally:
        n = [rng.random()]
    return n


def finally_that_a_loop_is_left_by(rng, queries):
    n, seen = 0, []
    while n < 9:
        n += 1
        try:
            if rng.random() < 0.3:
                break
            seen.append(1 / int(rng.integers(0, 3)))
        except ZeroDivisionError:
            break
        finally:
            n += _ended(rng, len(seen))
        seen.append(n)
    return n, seen


def finally_that_goes_on(rng, queries):
    seen = []
    for q in queries:
        try:
            if rng.random() < 0.5:
                continue
            seen.append(q)
        finally:
            seen.append(-1)
        seen.append(queries[int(rng.integers(0, 5))])
    return seen


def finally_that_raises(rng, queries):
    n, log = 0, []
    try:
        try:
            if rng.random() < 0.5:
                return log
            n += 1 / int(rng.integers(0, 2))
        finally:
            n += 1
            log.append(1 / int(rng.integers(0, 2)))
    except ZeroDivisionError:
        log.append("caught")
    return n, log


def _ended(rng, n):
    return n + int(rng.integers(0, 2))


class _Answer(NamedTuple):
    above: bool
    asked: int


class _Other(NamedTuple):
    above: bool
    asked: int


def finally_behind_records(rng, queries):
    asked = 0
    for q in queries:
        try:
            if q + rng.laplace() > 2:
                return _Answer(True, asked)
            if rng.random() < 0.2:
                return _Other(False, 1)
        finally:
            asked += 1
    return _Answer(False, asked)


def finally_behind_lists_that_are_returned(rng, queries):
    log, n = [], 0
    for q in queries:
        try:
            if rng.random() < 0.2:
                return log, (n, "early")
            if rng.random() < 0.2:
                return n
            log.append(q)
        finally:
            log.append(-1)
            k = rng.random()
        n += k
    return log, n
