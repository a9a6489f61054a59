"""What a function leaves behind for later runs is seen, and refused; what it only looks at is not."""

import re

import pytest

from dplint.tracing.paths import NotTraced
from tests.tracing.running import LEFT_OUT, differences

KEEPING = """
# a list of the module
L = []
def f(rng):
    L.append(1)
    return rng.random() + len(L)

# noise in a dict
D = {}
def f(rng):
    D['x'] = rng.random()
    return D['x']

# an inner list
D = {'a': [[1]]}
def f(rng):
    D['a'][0].append(2)
    return rng.random()

# a default
def f(rng, a=[]):
    a.append(1)
    return rng.random() + len(a)

# a default of a keyword
def f(rng, *, a={}):
    a[len(a)] = 1
    return rng.random() + len(a)

# an attribute of a class
class C:
    n = 0
def f(rng):
    C.n += 1
    return rng.random() + C.n

# an object
class C:
    pass
c = C()
c.n = 0
def f(rng):
    c.n += rng.random()
    return c.n

# an object with slots
class C:
    __slots__ = ('n',)
c = C()
c.n = 0
def f(rng):
    c.n += 1
    return rng.random()

# an attribute of a function
def f(rng):
    f.n = getattr(f, 'n', 0) + 1
    return rng.random() + f.n

# a counter
import itertools
c = itertools.count()
def f(rng):
    return rng.random() + next(c)

# an iterator
it = iter(range(10**6))
def f(rng):
    return rng.random() + next(it)

# a generator
def g():
    while True:
        yield 1
it = g()
def f(rng):
    return rng.random() + next(it)

# an array
import numpy as np
A = np.zeros(3)
def f(rng):
    A[0] += 1
    return rng.random() + A[0]

# an array with noise
import numpy as np
A = np.zeros(3)
def f(rng):
    A[0] = rng.random()
    return A[0]

# a seeded generator
import numpy as np
g = np.random.default_rng(3)
def f(rng):
    return rng.random() + g.random()

# a seeded random
import random
g = random.Random(3)
def f(rng):
    return rng.random() + g.random()

# a closure
def make():
    seen = []
    def f(rng):
        seen.append(1)
        return rng.random() + len(seen)
    return f
f = make()

# a global
n = 0
def f(rng):
    global n
    n += 1
    return rng.random() + n

# a deque
import collections
d = collections.deque(maxlen=3)
def f(rng):
    d.append(rng.random())
    return len(d)

# a bytearray
b = bytearray(1)
def f(rng):
    b[0] += 1
    return rng.random() + b[0]

# draws that are remembered
import functools
@functools.lru_cache
def g(rng):
    return rng.random()
def f(rng):
    return g(rng)

# a remembered list
import functools
@functools.lru_cache(None)
def g():
    return [1]
def f(rng):
    g().append(1)
    return rng.random() + len(g())
"""
LOOKING = """
# a list
L = [1, 2]
def f(rng):
    return sum(q + rng.random() for q in L)

# a copy
L = [1, 2]
def f(rng):
    xs = list(L)
    xs.append(rng.random())
    return xs

# a list that it puts back
L = [1]
def f(rng):
    L.append(rng.random())
    return L.pop()

# remembered numbers
import functools
@functools.lru_cache
def g(n):
    return n + 1
def f(rng):
    return g(2) + rng.random()

# numbers of noise that are remembered
import functools
@functools.cache
def g(n):
    return n + 1
def f(rng):
    return g(rng.coin()) + g(rng.random())

# a generator of its own
import numpy as np
def f(rng):
    g = np.random.default_rng(3)
    x = rng.random()
    return x + g.normal(2)

# its own generator in a branch
import random
def f(rng):
    g = random.Random(3)
    x = 0
    if rng.coin():
        x = g.gauss(0, 1)
    return x + g.random()
"""


def programs(text):
    """The programs of a text, by what is said above each."""
    parts = re.split(r"^# (.*)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


@pytest.mark.parametrize(("name", "text"), programs(KEEPING).items())
def test_what_is_kept_is_refused(name, text):
    assert name
    with pytest.raises(NotTraced, match=rf"later|others have left|from one run|{LEFT_OUT}"):
        differences(text, lanes=40)


@pytest.mark.parametrize(("name", "text"), programs(LOOKING).items())
def test_what_is_looked_at_is_followed(name, text):
    assert not differences(text, lanes=40), name
