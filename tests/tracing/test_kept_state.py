"""What a function leaves behind for later runs is seen, and refused; what it only looks at is not."""

import pytest

from dplint.tracing.lanes import NotTraced
from tests.tracing.running import differences

KEEPING = {
    "a list of the module": "L = []\ndef f(rng):\n    L.append(1)\n    return rng.random() + len(L)",
    "noise in a dict": "D = {}\ndef f(rng):\n    D['x'] = rng.random()\n    return D['x']",
    "an inner list": "D = {'a': [[1]]}\ndef f(rng):\n    D['a'][0].append(2)\n    return rng.random()",
    "a default": "def f(rng, a=[]):\n    a.append(1)\n    return rng.random() + len(a)",
    "a default of a keyword": "def f(rng, *, a={}):\n    a[len(a)] = 1\n    return rng.random() + len(a)",
    "an attribute of a class": "class C:\n    n = 0\ndef f(rng):\n    C.n += 1\n    return rng.random() + C.n",
    "an object": "class C:\n    pass\nc = C()\nc.n = 0\ndef f(rng):\n    c.n += rng.random()\n    return c.n",
    "an object with slots": "class C:\n    __slots__ = ('n',)\nc = C()\nc.n = 0\ndef f(rng):\n    c.n += 1\n    return rng.random()",
    "an attribute of a function": "def f(rng):\n    f.n = getattr(f, 'n', 0) + 1\n    return rng.random() + f.n",
    "a counter": "import itertools\nc = itertools.count()\ndef f(rng):\n    return rng.random() + next(c)",
    "an iterator": "it = iter(range(10**6))\ndef f(rng):\n    return rng.random() + next(it)",
    "a generator": "def g():\n    while True:\n        yield 1\nit = g()\ndef f(rng):\n    return rng.random() + next(it)",
    "an array": "import numpy as np\nA = np.zeros(3)\ndef f(rng):\n    A[0] += 1\n    return rng.random() + A[0]",
    "an array with noise": "import numpy as np\nA = np.zeros(3)\ndef f(rng):\n    A[0] = rng.random()\n    return A[0]",
    "a seeded generator": "import numpy as np\ng = np.random.default_rng(3)\ndef f(rng):\n    return rng.random() + g.random()",
    "a seeded random": "import random\ng = random.Random(3)\ndef f(rng):\n    return rng.random() + g.random()",
    "a closure": "def make():\n    seen = []\n    def f(rng):\n        seen.append(1)\n        return rng.random() + len(seen)\n    return f\nf = make()",
    "a global": "n = 0\ndef f(rng):\n    global n\n    n += 1\n    return rng.random() + n",
    "a deque": "import collections\nd = collections.deque(maxlen=3)\ndef f(rng):\n    d.append(rng.random())\n    return len(d)",
    "a bytearray": "b = bytearray(1)\ndef f(rng):\n    b[0] += 1\n    return rng.random() + b[0]",
    "draws that are remembered": "import functools\n@functools.lru_cache\ndef g(rng):\n    return rng.random()\ndef f(rng):\n    return g(rng)",
    "a remembered list": (
        "import functools\n@functools.lru_cache(None)\ndef g():\n    return [1]\n"
        "def f(rng):\n    g().append(1)\n    return rng.random() + len(g())"
    ),
}
LOOKING = {
    "a list": "L = [1, 2]\ndef f(rng):\n    return sum(q + rng.random() for q in L)",
    "a copy": "L = [1, 2]\ndef f(rng):\n    xs = list(L)\n    xs.append(rng.random())\n    return xs",
    "a list that it puts back": "L = [1]\ndef f(rng):\n    L.append(rng.random())\n    return L.pop()",
    "remembered numbers": "import functools\n@functools.lru_cache\ndef g(n):\n    return n + 1\ndef f(rng):\n    return g(2) + rng.random()",
    "numbers of noise that are remembered": (
        "import functools\n@functools.cache\ndef g(n):\n    return n + 1\ndef f(rng):\n    return g(rng.coin()) + g(rng.random())"
    ),
    "a generator of its own": "import numpy as np\ndef f(rng):\n    g = np.random.default_rng(3)\n    x = rng.random()\n    return x + g.normal(x)",
    "its own generator in a branch": (
        "import random\ndef f(rng):\n    g = random.Random(3)\n    x = 0\n    if rng.coin():\n        x = g.gauss(0, 1)\n    return x + g.random()"
    ),
}


@pytest.mark.parametrize("name", KEEPING)
def test_what_is_kept_is_refused(name):
    with pytest.raises(NotTraced):
        differences(KEEPING[name], lanes=40)


@pytest.mark.parametrize("name", LOOKING)
def test_what_is_looked_at_is_followed(name):
    assert not differences(LOOKING[name], lanes=40)
