"""`while` loops that turn as often as noise says: all lanes together, each as Python runs it."""

import pytest

from dplint.tracing.lanes import tracer
from tests.tracing.running import differences

LANES = 64
LOOPS = {
    "a test that draws": """
        n = 0
        while rng.random() < 0.6:
            n += 1
        return n
    """,
    "a break": """
        n = 0
        while True:
            x = rng.random()
            if x > 0.6:
                break
            n += x
        return n, x
    """,
    "a return": """
        n = 0
        while True:
            x = rng.random()
            if x > 0.6:
                return n, x
            n += 1
    """,
    "a return of a tuple after several turns": """
        while True:
            x, y = rng.random(), rng.laplace()
            if x < 0.5:
                continue
            elif y > 0:
                return x, y
    """,
    "continue before what follows": """
        n = tried = 0
        while tried < 5:
            tried += 1
            if rng.coin():
                continue
            n += tried
        return n
    """,
    "a break in one side alone": """
        n = 0
        while n < 6:
            if rng.coin():
                if rng.coin():
                    break
                n += 2
            else:
                n += 1
            n += 0.5
        return n
    """,
    "a continue in one side alone": """
        n = turns = 0
        while turns < 4:
            turns += 1
            if rng.coin():
                n += 1
                if rng.coin():
                    continue
            n += 10
        return n
    """,
    "a loop in a loop": """
        total = 0
        while rng.random() < 0.5:
            while rng.random() < 0.5:
                total += 1
            total += 100
        return total
    """,
    "a name of a turn alone": """
        n = 0
        while rng.random() < 0.5:
            step = rng.random()
            n += step
        return n
    """,
    "arrays": """
        a = rng.array()
        while a[0] > -1:
            a[0] -= 1
            a = a + 0
        return a
    """,
    "in a branch": """
        n = 0
        if rng.coin():
            while rng.random() < 0.5:
                n += 1
        return n
    """,
}
"""Bodies of functions of `rng`."""


def function(body):
    return f"def f(rng):\n{body}"


@pytest.mark.parametrize("body", LOOPS.values(), ids=LOOPS)
def test_all_lanes_go_through_it_together(body):
    assert differences(function(body), lanes=LANES) == []
    assert tracer.paths <= LANES / 4, "by splits nearly every number of turns is a path of its own, drawn anew"


OTHERS = {
    "a name that may have no value": """
        n = 0
        while rng.random() < 0.5:
            n += 1
            last = n
        return last
    """,
    "an else": """
        n = 0
        while n < 4:
            n += rng.random()
            if n > 3.5:
                break
        else:
            return "whole"
        return n
    """,
    "a return beside a break": """
        n = 0
        while True:
            n += rng.random()
            if n > 3:
                break
            if rng.random() > 0.7:
                return "early"
        return n
    """,
    "what cannot be joined": """
        out = []
        while rng.random() < 0.6:
            out.append(rng.random())
        return out
    """,
    "what raises": """
        n = 0
        while rng.random() < 0.6:
            n += 1
            [1, 2][n]
        return n
    """,
    "a value that a lambda sees later": """
        n, seen = 0, []
        while n < 3:
            n += 1
            x = rng.random()
            seen = [lambda: x]
            if x > 0.8:
                break
        return n, seen[0]()
    """,
    "locals": """
        n = 0
        while rng.random() < 0.6:
            step = rng.random()
            n += step
        return sorted(name for name in locals() if name != "rng" and not name.startswith("_dplint"))
    """,
}
"""Loops in which jumps cannot be said by flags, or whose sides cannot be joined: lanes part, and are right."""


@pytest.mark.parametrize("body", OTHERS.values(), ids=OTHERS)
def test_where_it_cannot_be_said_lanes_part(body):
    assert differences(function(body), lanes=LANES) == []
