"""Writes into arrays by lane: as Python makes them in each lane, and through views that branches have joined."""

import pytest

from dplint.tracing.paths import NotTraced
from tests.tracing.running import LEFT_OUT, differences

WRITES = {
    "into what a view of one side shows": """
        b = a[1:]
        if rng.coin():
            b = a[:2]
        a[a > x] = x
        return a, b
    """,
    "into what a view of both sides shows": """
        if rng.coin():
            b = a[:2]
        else:
            b = a[1:]
        b[0] = 7.0
        return a, b
    """,
    "too large a number at places by lane": """
        b = np.arange(3)
        b[b > x] = 1e308
        return b
    """,
    "a number that is rounded at places by lane": """
        b = np.arange(3)
        b[b > x] = 7.5
        return b
    """,
    "a sum of another shape": """
        flag = rng.coin()
        try:
            a += x + a[flag]
        except ValueError as error:
            return str(error)
        return a
    """,
    "as many numbers as there are lanes at one place": """
        a[0] = x
        try:
            a[1] = np.arange(24.0)
        except ValueError as error:
            return str(error), a
        return a
    """,
    "as many numbers as there are lanes at a place by lane": """
        try:
            a[rng.whole() % 2] = np.arange(24.0)
        except ValueError as error:
            return str(error), a
        return a
    """,
    "what cannot be added": """
        try:
            a += None
        except TypeError as error:
            return type(error).__name__, str(error)
        return a
    """,
    "a whole zero, which has no sign": """
        a[0] = -(rng.whole() ** rng.whole())
        return a
    """,
    "outside of an array in some lanes": """
        try:
            a[rng.whole()] = x
        except IndexError as error:
            return str(error), a
        return a
    """,
}


def function(body):
    return f"import numpy as np\ndef f(rng):\n        x, a = rng.laplace(), rng.array()\n{body}\n"


@pytest.mark.parametrize("name", WRITES)
def test_lanes_write_as_the_function_does(name):
    assert differences(function(WRITES[name]), lanes=24) == []


def test_of_what_a_function_has_given_back_it_is_not_known_what_it_shares():
    with pytest.raises(NotTraced, match=LEFT_OUT):
        differences(function("        b = np.require(a[:2])\n        a[0] = x\n        return a, b"))
