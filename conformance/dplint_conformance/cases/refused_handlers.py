"""`try` and what it catches: where an exception comes from, and what goes on. No interpretation follows these."""

import contextlib
import logging
import math
import threading

import numpy as np

LOG = logging.getLogger(__name__)


class _Spent(ValueError):
    pass


def division_that_fails(rng, counts):
    k = int(rng.integers(0, 2))
    try:
        mean = sum(counts) / k
    except ZeroDivisionError:
        mean = -1.0
    return mean, k


def key_that_is_missing(rng, names):
    table = {"a": 1, "c": 2}
    found = []
    for name in names:
        try:
            found.append(table[name] + rng.normal())
        except KeyError:
            LOG.debug("no %s", name)
            continue
    return found


def text_that_is_no_number(rng, queries):
    texts = ["1", "x", "2.5", ""]
    text = texts[int(rng.integers(0, 4))]
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError as error:
            raise TypeError("no number") from error


def index_beyond_the_end(rng, queries):
    try:
        return queries[int(rng.random() * 7)]
    except IndexError:
        return None


def several_handlers(rng, queries):
    found = []
    for q in queries:
        which = int(rng.integers(0, 5))
        try:
            if which == 0:
                raise KeyError("k")
            if which == 1:
                raise _Spent("spent")
            x = [q][which - 2] + 1 / (which - 3)
        except (KeyError, ZeroDivisionError):
            found.append("key or zero")
        except LookupError:
            found.append("lookup")
        except _Spent:
            found.append("spent")
            break
        else:
            found.append(x)
    return found


def nobody_catches(rng, queries):
    out = []
    try:
        out.append(rng.normal())
        if out[0] > 0.5:
            raise ValueError("too large")
        out.append(math.log(out[0]))
    except KeyError:
        out.append(1)
    return out


def changed_before_it_is_raised(rng, queries):
    xs, total = [0.0, 0.0], 0
    for q in queries:
        try:
            xs.append(q)
            total += 1
            xs[int(rng.integers(0, 9))] = 5.0
            total += 10
            xs.pop(int(rng.integers(0, 9)))
        except IndexError:
            total += 100
    return xs, total


def changed_by_what_raises(rng, queries):
    xs, seen = [1.0, 2.0], {"a": 1}
    a, b = 0, 0
    try:
        xs.remove(float(rng.integers(0, 4)))
        xs += [7.0]
        seen["b"] = 2
        a, b = queries[: int(rng.integers(1, 4))]
        seen["a"] += 1
        seen["z"] += 1
    except (ValueError, KeyError):
        xs.append(0.0)
    return xs, seen, a, b


def raised_by_a_function(rng, queries):
    found = []
    for q in queries:
        try:
            found.append(_checked(rng, q))
        except ValueError:
            found.append(None)
    return found


def _checked(rng, q):
    x = q + rng.normal()
    if x > 1:
        raise ValueError("too large")
    for _ in range(2):
        x += rng.random()
        if x > 1:
            raise ValueError("too large now")
    return x


def raised_while_a_list_is_made(rng, queries):
    try:
        found = [1 / (int(q) - int(rng.integers(0, 4))) for q in queries]
    except ZeroDivisionError:
        found = [0.5]
    return found


def raised_in_the_else(rng, queries):
    try:
        try:
            x = rng.normal()
        except ValueError:
            x = 9
        else:
            if x > 0:
                raise ValueError("else")
    except ValueError:
        x = -7
    return x


def raised_in_a_handler(rng, queries):
    try:
        try:
            x = 1 // int(rng.integers(0, 2))
        except ZeroDivisionError:
            x = [4][int(rng.integers(0, 2))]
    except IndexError:
        x = 5
    return x


def raised_again(rng, queries):
    out = []
    try:
        try:
            out.append(queries[int(rng.integers(0, 9))])
            out.append(1 / int(rng.integers(0, 2)))
        except Exception:
            out.append("seen")
            if rng.random() < 0.5:
                raise
            out.append("kept")
    except IndexError:
        out.append("index")
    return out


def raised_again_to_the_end(rng, queries):
    try:
        return 1 / int(rng.integers(0, 2)) + queries[int(rng.integers(0, 9))]
    except ZeroDivisionError:
        if rng.random() < 0.5:
            raise
    except:
        raise
    return "caught"


def any_exception_at_all(rng, queries):
    try:
        x = queries[int(rng.integers(0, 9))] / int(rng.integers(0, 2))
    except Exception:
        x = None
    return x


def try_in_a_while_loop(rng, queries):
    turns, x = 0, 0.0
    while True:
        turns += 1
        try:
            x += 1 / int(rng.integers(0, 3))
            if x > 2:
                break
        except ZeroDivisionError:
            if turns > 4:
                return "given up", x
            continue
        finally:
            pass
        turns += 100
    return turns, x


def finally_after_all(rng, queries):
    log = []
    try:
        try:
            log.append(queries[int(rng.integers(0, 9))])
        finally:
            log.append("end")
        log.append("after")
    except IndexError:
        log.append("caught")
    return log


def finally_with_handlers(rng, queries):
    log, n = [], 0
    try:
        try:
            x = 1 / int(rng.integers(0, 2)) + queries[int(rng.integers(0, 9))]
        except ZeroDivisionError:
            log.append("zero")
            x = [1][int(rng.integers(0, 2))]
        else:
            log.append("else")
        finally:
            n += 1
        log.append(x)
    except IndexError:
        n += 10
    return log, n


def array_of_what_may_be_no_numbers(rng, queries):
    try:
        values = np.asarray(queries, dtype=float)
    except (TypeError, ValueError) as error:
        raise ValueError("numbers wanted") from error
    return values + rng.normal(size=len(values))


def handler_that_only_some_reach(rng, queries):
    x = rng.normal()
    try:
        if x > 0:
            if x > 0.5:
                raise ValueError
            y = 1
        else:
            y = 2
        x = y
    except ValueError:
        x += 10
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


def object_that_is_used_up_and_caught(rng, queries):
    account = _Account(1.5)
    found = []
    for q in queries:
        try:
            found.append(q + account.spend(rng.random()))
        except _Spent:
            found.append(account.spent)
            break
    return found, account.spent


def method_that_catches(rng, queries):
    account = _Account(1.0)
    return [account.try_to(rng.random()) for _ in queries], account.spent


def many_runs_leave_a_loop_in_a_try(rng, queries):
    xs, out = list(range(30)), []
    for x in xs:
        try:
            if rng.random() < 0.3:
                raise KeyError(x)
            if rng.random() < 0.1:
                break
            out.append(x)
        except KeyError:
            out.append(-x)
    return out


def unbound_after_a_try(rng, queries):
    try:
        x = queries[int(rng.integers(0, 9))]
    except IndexError:
        LOG.debug("none")
    return x


def try_whose_end_looks_at_something(rng, queries):
    try:
        x = queries[int(rng.random() * 6)]
    finally:
        LOG.debug("found %s", x)
    return x


def try_that_raises_something_else(rng, queries):
    try:
        return queries[int(rng.random() * 6)]
    except IndexError:
        raise ValueError("no such query") from None


def try_that_goes_on(rng, queries):
    try:
        return queries[int(rng.random() * 6)]
    except IndexError:
        LOG.debug("no such query")
    return 0
