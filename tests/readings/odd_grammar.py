# ruff: noqa: E501 - a template is a line
"""Odd Python, as templates: what stands at the level of a module, in another module, and in the mechanism.

`@` is a number of its own, so that the names of templates do not meet. `<k>` is a small whole number, `<big>` one near
the ends of machine numbers, `<name:factor>` a name in one of the spellings that NFKC makes equal, and `<number>`,
`<condition>` and `<list>` are filled with expressions. A body adds to the list `out`; `x` and `y` are numbers, `xs` is a
list, and `data` is what the mechanism gets.
"""

from __future__ import annotations

from dataclasses import dataclass

LISTS, ARRAYS, PANDAS, POLARS, SCALARS = "list", "np.ndarray", "pd.DataFrame", "pl.DataFrame", "float"
FORMS = (LISTS, ARRAYS, PANDAS, POLARS, SCALARS)


@dataclass(frozen=True)
class Odd:
    """A body, and what it needs around it: before the mechanism, behind it, and in the module `second`."""

    body: str
    before: str = ""
    after: str = ""
    second: str = ""
    forms: tuple[str, ...] = FORMS


NAMES = [
    Odd("<name:f@> = <k>\n<name:f@> = <number>\nout.append(f@)"),
    Odd("<name:f@> = <k>\nif <condition>:\n    <name:f@> = <k>\nout.append(<name:f@> + 1)"),
    Odd("def by@(<name:p>, q=<k>):\n    return p - q\nout.append(by@(q=<number>, <name:p>=<k>))"),
    Odd("out.append(<name:K>@)", before="K@ = <k>"),
    Odd("out.append(K@)", before="K@ = <k>", after="K@ = <k>"),
    Odd("out.append(K@)", before="K@ = <k>\nfor K@ in (<k>, <k>):\n    pass"),
    Odd("out.append(K@)", before="K@ = <k>\nglobals()['K@'] = <k>"),
    Odd("out.append(K@)", before="K@ = <k>\nif K@ > 2:\n    K@ = <k>\nelse:\n    pass"),
    Odd("out.append(K@)", before="K@ = <k>\nK@ += <k>"),
    Odd("out.append(K@)", before="import second\nK@ = <k>\nsecond.set@(__name__, <k>)", second="import sys\ndef set@(m, v):\n    setattr(sys.modules[m], 'K@', v)"),
    Odd("out.append(K@)", before="from second import K@", second="K@ = <k>\nK@ = <k>"),
    Odd("out.append(K@ + second.K@)", before="import second\nfrom second import K@", second="K@ = <k>"),
    Odd("out.append(second.K@)", before="import second\nsecond.K@ = <k>", second="K@ = <k>"),
    Odd("out.append(f@(x))", before="from second import f@", second="def f@(n):\n    return n * G@\nG@ = <k>"),
    Odd("out.append(f@(x))", before="def f@(n):\n    return n + <k>", after="def f@(n):\n    return n - <k>"),
    Odd("out.append(__k@)", before="__k@ = <k>\n_Holder__k@ = <k>"),
    Odd("out.append(C@().get())", before="__k@ = <k>\n_C@__k@ = <k>\nclass C@:\n    def get(self):\n        return __k@"),
    Odd("out.append(C@().get())", before="class B@:\n    __k = <k>\nclass C@(B@):\n    __k = <k>\n    def get(self):\n        return self.__k"),
    Odd("k@ = <k>\nout.append(sum([k@ for k@ in (<k>, <k>)]) + k@)"),
    Odd("k@ = <k>\nfor k@ in range(2):\n    pass\nout.append(k@)"),
    Odd("k@ = <k>\nany((k@ := j) > 1 for j in (<k>, <k>))\nout.append(k@)"),
    Odd("k@ = <k>\ndef set@():\n    nonlocal k@\n    k@ = <number>\nset@()\nout.append(k@)"),
    Odd("k@ = <k>\ndef set@():\n    k@ = <number>\n    return k@\nset@()\nout.append(k@)"),
    Odd("def set@():\n    global G@\n    G@ = <k>\nset@()\nout.append(G@)", before="G@ = <k>"),
    Odd("abs@ = abs\nabs = lambda v: v + <k>\nout.append(abs(<k>))"),
    Odd("out.append(len([x]) + max(x, <k>))", before="def max(a, b):\n    return a - b"),
]  # fmt: skip
PATCHES = [
    Odd("out.append(math.floor(<number>))", before="math.floor = lambda v: v * 2"),
    Odd("out.append(math.sqrt(abs(<number>)))", before="m@ = math\nm@.sqrt = lambda v: v"),
    Odd("out.append(float(np.minimum(x, <k>)))", before="np.minimum = lambda a, b: a"),
    Odd("out.append(float(np.sign(<number>)))", before="setattr(np, 'sign', lambda v: v)"),
    Odd("out.append(float(np.abs(-20)))", before="import second", second="import numpy as np\nnp.abs = lambda v: v"),
    Odd("out.append(abs(<number>))", before="import builtins\nbuiltins.abs = lambda v: v"),
    Odd("out.append(sorted([<k>, <k>, x]))", before="import second", second="import builtins\nbuiltins.sorted = list"),
    Odd("out.append(statistics.mean([<k>, <k>]))", before="import statistics\nstatistics.mean = max"),
    Odd("out.append(f@(x))", before="def f@(n, by=<k>):\n    return n * by\nf@.__defaults__ = (<k>,)"),
    Odd("out.append(f@(x))", before="def f@(n):\n    return n\nf@.__code__ = (lambda n: n + <k>).__code__"),
    Odd("out.append(C@().n())", before="class C@:\n    def n(self):\n        return <k>\nC@.n = lambda self: <k>"),
    Odd("out.append(C@.k)", before="class C@:\n    k = <k>\nsetattr(C@, 'k', <k>)"),
    Odd("out.append(second.f@(x))", before="import second", second="def f@(n):\n    return n\nf@ = lambda n: n + <k>"),
    Odd("out.append(random.Random().gauss(0, 1))", before="class Q@(random.Random):\n    pass\nrandom.Random.gauss = lambda self, m, s: m"),
    Odd("out.append(float(data['age'].clip(0, <k>).sum()))", before="pd.Series.clip = lambda self, low, high: self", forms=(PANDAS,)),
    Odd("out.append(int(data['age'].between(<k>, <k>).sum()))", before="import second", second="import pandas as pd\npd.Series.between = lambda self, a, b: self * 3", forms=(PANDAS,)),
    Odd("out.append(float(data['age'].clip(0, <k>).sum()))", before="pl.Series.clip = lambda self, low, high: self", forms=(POLARS,)),
    Odd("out.append(len(data))", before="pd.DataFrame.__len__ = lambda self: 7", forms=(PANDAS,)),
]  # fmt: skip
FLOWS = [
    Odd("def f@(n):\n    try:\n        return n\n    finally:\n        return <k>\nout.append(f@(x))"),
    Odd("out.append(f@(<number>))", before="def f@(n):\n    try:\n        return n\n    finally:\n        n = <k>"),
    Odd("out.append(f@(<number>))", before="def f@(n):\n    try:\n        return 1 / n\n    except ZeroDivisionError:\n        return <k>\n    finally:\n        n += 1"),
    Odd("k@ = 0\nfor j@ in range(3):\n    if j@ == <k>:\n        break\n    k@ += j@\nelse:\n    k@ += <k>\nout.append(k@)"),
    Odd("k@ = 0\nwhile k@ < <k>:\n    k@ += 1\n    if k@ == <k>:\n        break\n    continue\nelse:\n    k@ = -k@\nout.append(k@)"),
    Odd("try:\n    k@ = <k>\n    k@ = k@ // (<k> - <k>)\nexcept ArithmeticError:\n    k@ = k@ + 1\nelse:\n    k@ = -1\nout.append(k@)"),
    Odd("try:\n    k@ = {}['a']\nexcept IndexError:\n    k@ = <k>\nexcept LookupError:\n    k@ = <k>\nout.append(k@)"),
    Odd("k@ = <k>\nwith contextlib.suppress(ValueError):\n    int('x')\n    k@ = <k>\nout.append(k@)"),
    Odd("match [<k>, x]:\n    case [1, k@]:\n        out.append(k@)\n    case [k@, *_] if k@ > 1:\n        out.append(-k@)\n    case _:\n        out.append(0)"),
    Odd("match <k>:\n    case True:\n        out.append('t')\n    case 1 | 2:\n        out.append('n')\n    case k@:\n        out.append(k@)"),
    Odd("out.append(<k> < <k> < <k>)\nout.append(<k> > <k> != <k>)\nout.append(<k> == <k> in [<k>])"),
    Odd("out.append(<k> and <number> or <k>)\nout.append(not <k> == <k>)\nout.append(-<k> ** 2)\nout.append(2 ** <k> ** 2 % 97)"),
    Odd("if <condition> and (k@ := rng.laplace()) > 0:\n    out.append(k@)"),
    Odd("a@, *b@, c@ = [<k>, x, <k>, <number>]\nout.append((a@, b@, c@))"),
    Odd("i@ = 0\nl@ = [<k>, <k>, <k>]\ni@, l@[i@] = 1, <number>\nout.append(l@)"),
    Odd("l@ = [0, 1]\nm@ = [<k>, <k>]\nm@[l@.pop()] = l@.pop() + <k>\nout.append(m@)"),
    Odd("f@ = [lambda n: n + j for j in (<k>, <k>)]\nout.append(f@[0](x))"),
    Odd("k@ = <k>\nf@ = lambda n, j=k@: n + k@ - j\nk@ = <k>\nout.append(f@(x))"),
    Odd("out.append(f@(1) + len(f@(2)) if False else sum(f@(1)) + len(f@(2)))", before="def f@(n, seen=[]):\n    seen.append(n)\n    return list(seen)"),
    Odd("g@ = (j + <k> for j in [x, y])\nout.append(sum(g@) + sum(g@))"),
    Odd("i@ = iter([<k>, <k>, <k>, <k>])\nout.append([a - b for a, b in zip(i@, i@)])"),
    Odd("i@ = iter([<k>, <k>, <k>, <k>])\nlist(zip('ab', i@))\nout.append(next(i@, None))"),
    Odd("out.append(f@(x))", before="@functools.lru_cache\ndef f@(n):\n    return n + <k>"),
    Odd("out.append(functools.reduce(lambda a, b: a - b, [<number>, <k>, <k>], <k>))"),
    Odd("out.append(functools.partial(pow, <k>)(2))"),
    Odd("out.append(f@(x))", before="def twice@(f):\n    return lambda n: 2 * f(n)\n@twice@\ndef f@(n):\n    return n + <k>"),
    Odd("k@ = C@(<number>)\nk@.n = <number>\nout.append(k@.n)", before="class C@:\n    def __init__(self, n):\n        self.n = n\n    @property\n    def n(self):\n        return self._n + 1\n    @n.setter\n    def n(self, v):\n        self._n = 2 * v"),
    Odd("out.append(D@(<number>).n)", before="@dataclasses.dataclass\nclass D@:\n    n: float\n    def __post_init__(self):\n        self.n = self.n + <k>"),
    Odd("out.append(D@(<k>, <k>) < D@(<k>, <k>))", before="@dataclasses.dataclass(order=True)\nclass D@:\n    a: int\n    b: int"),
    Odd("out.append(1 if E@() else <k>)", before="class E@:\n    def __len__(self):\n        return 0"),
    Odd("out.append(N@(<k>) + <k>)", before="class N@(int):\n    def __add__(self, other):\n        return int(self) - other"),
    Odd("out.append(B@().k + A@.k)", before="class A@:\n    k = <k>\nclass B@(A@):\n    pass\nA@.k = <k>"),
    Odd("out.append(C@().m())", before="class A@:\n    def m(self):\n        return <k>\nclass B@:\n    def m(self):\n        return <k>\nclass C@(A@, B@):\n    pass"),
]  # fmt: skip
VALUES = [
    Odd("a@ = b@ = [<k>]\na@ += [<number>]\nout.append(list(b@))"),
    Odd("a@ = [<k>]\nb@ = a@\na@ = a@ + [<number>]\nout.append(list(b@))"),
    Odd("a@ = [[<k>]] * 2\na@[0] = [<number>]\nout.append(a@[1][0])"),
    Odd("a@ = [[<k>]] * 2\na@[0][0] = <number>\nout.append(a@[1][0])"),
    Odd("a@ = np.array([<k>, <k>, <k>])\nb@ = a@[::2]\nb@[0] = <k>\nout.append(a@.tolist())"),
    Odd("a@ = np.array([<k>, <k>])\nb@ = a@\nb@ = b@ + 1\nout.append(a@.tolist())"),
    Odd("a@ = np.array([<k>, <k>])\nb@ = a@\nb@ += 1\nout.append(a@.tolist())"),
    Odd("d@ = {1: <k>, True: <k>, 1.0: <k>}\nout.append((len(d@), d@[1]))"),
    Odd("out.append(len({0, False, <k>, 1.0, True}))"),
    Odd("d@ = {'a': <k>} | {'a': <k>, 'b': <k>}\nd@['a'] = <number>\nout.append(list(d@.values()))"),
    Odd("out.append([<k>, <k>, <k>, <number>][<k>:-<k>:-1])\nout.append(xs[:-<k>])\nout.append(xs[<k>:])\nout.append(xs[::-2])"),
    Odd("a@ = [<k>, <k>]\na@.insert(-1, <number>)\nout.append(a@)"),
    Odd("a@ = [<k>, <k>, <k>]\na@[1:2] = [<number>, <k>]\nout.append(a@)"),
    Odd("out.append(sum(xs, <k>))\nout.append(list(enumerate(xs, <k>)))\nout.append(max(xs, key=lambda v: -v, default=<k>))"),
    Odd("out.append(min([<number>, float('nan'), <k>]))\nout.append(max(float('nan'), <number>))"),
    Odd("out.append(sorted([(0, <k>), (0, <k>), (-1, 1)], key=lambda p: p[0], reverse=True))"),
    Odd("out.append((<big> // <k1>, <big> % <k1>, -<big> // <k1>, divmod(-<k>, <k1>)))"),
    Odd("out.append((<k> << 3, -<k> >> 1, ~<k>, <k> & 6 == 4, <k> ^ 5 | 2))"),
    Odd("out.append((round(<k> + 0.5), round(-<k> - 0.5), round(<k>7.5, -1), int(-<k>.5), -<k>.5 // 1))"),
    Odd("out.append((float(<big>) + 1 == float(<big>), float(<big>), <big> / 3))"),
    Odd("out.append(int(np.array([<big>]).sum() * 2))"),
    Odd("out.append((np.array([<big>]) * <k1>).tolist())\nout.append((np.array([<k>, 200], dtype=np.uint8) + np.uint8(100)).tolist())"),
    Odd("out.append(float(np.clip(<number>, <k>, <k>)))\nout.append(min(max(<number>, <k>), <k>))"),
    Odd("out.append(np.where(np.array([<k>, <k>]) > 1, <k>, <k>).tolist())\nout.append(int(np.argmax([<k>, <k>, <k>])))"),
    Odd("out.append(math.exp(<k> * 300))"),
    Odd("out.append(1 / (<k>e-200 * 1e-200 + 0.0))"),
    Odd("out.append('ß'.upper() + 'İ'.lower())\nout.append('a  b'.split(' '))\nout.append('10' < '9')"),
    Odd("out.append(1 is True)\nout.append(float('nan') in [float('nan')])\nout.append([<k>] == [True])"),
    Odd("a@ = ([<k>], 0)\ntry:\n    a@[0].append(<k>)\nexcept TypeError:\n    pass\nout.append(a@[0])"),
    Odd("out.append(np.take([<k>, <k>, <k>], <k>, mode='clip').item())"),
    Odd("c@ = np.zeros(3)\nc@[[0, 0, 1]] += 1\nout.append(c@.tolist())"),
    Odd("out.append(np.cumsum(xs).tolist())\nout.append(np.diff([<k>, <number>, <k>]).tolist())"),
    Odd("out.append(-0.0 if x else 0.0)\nout.append(math.copysign(1, -0.0 * abs(<k>)))"),
]  # fmt: skip
OF_DATA = [
    Odd("out.append(len(data))\nout.append(sum(1 for v in data if v > <k>))", forms=(LISTS, ARRAYS)),
    Odd("out.append(sum(v * v for v in data))\nout.append([v // <k1> for v in data])", forms=(LISTS,)),
    Odd("out.append(max(data, default=<k>))\nout.append(sorted(data)[-2:])", forms=(LISTS,)),
    Odd("s@ = 0\nfor v in data:\n    if v > <k>:\n        continue\n    s@ += min(v, <k>)\nelse:\n    s@ += 1\nout.append(s@)", forms=(LISTS,)),
    Odd("i@ = iter(data)\nnext(i@, None)\nout.append(list(i@)[:2])", forms=(LISTS,)),
    Odd("out.append([v + rng.laplace() for v in data if v < <k>])", forms=(LISTS, ARRAYS)),
    Odd("c@ = collections.Counter(v > <k> for v in data)\nout.append(c@[True])", forms=(LISTS,)),
    Odd("out.append((data * data).tolist())\nout.append(data.sum().item())", forms=(ARRAYS,)),
    Odd("out.append(data.clip(<k>, <k>).tolist())\nout.append(np.clip(data, <k>, None).sum().item())", forms=(ARRAYS,)),
    Odd("out.append(data.astype(np.int32).tolist())\nout.append((data // <k1>).tolist())", forms=(ARRAYS,)),
    Odd("d@ = data.copy()\nd@[d@ > <k>] = <k>\nout.append(d@.tolist())", forms=(ARRAYS,)),
    Odd("out.append(np.sort(data)[::-1].tolist())\nout.append((data[1:] - data[:-1]).tolist())", forms=(ARRAYS,)),
    Odd("out.append((data + rng.laplace(size=len(data))).tolist())", forms=(ARRAYS,)),
    Odd("out.append(float(data['age'].clip(<k>, <k>).sum()))", forms=(PANDAS, POLARS)),
    Odd("out.append(float(data['age'].clip(<k1>9, <k>).sum()))", forms=(PANDAS, POLARS)),
    Odd("out.append(int((data['age'] > <k>).sum()))\nout.append(len(data))", forms=(PANDAS, POLARS)),
    Odd("out.append(int((data['age'] * data['age'] < 0).sum()))", forms=(PANDAS, POLARS)),
    Odd("out.append(float((data['age'] * <big>).sum()))", forms=(PANDAS, POLARS)),
    Odd("out.append(int(data['age'].between(<k>, <k1>9).sum()))\nout.append(int(data['age'].between(<k>, 9, inclusive='left').sum()))", forms=(PANDAS,)),
    Odd("out.append(int(data['age'].is_between(<k>, <k1>9).sum()))", forms=(POLARS,)),
    Odd("s@ = data[data['age'] > <k>]\nout.append((len(s@), float(s@['age'].sum()), int((s@['sex'] == 'm').sum())))", forms=(PANDAS,)),
    Odd("s@ = data.filter(pl.col('age') > <k>)\nout.append((s@.height, float(s@['age'].sum())))", forms=(POLARS,)),
    Odd("out.append(float(data.select(pl.col('age').clip(<k>, <k>).sum()).item()))", forms=(POLARS,)),
    Odd("out.append(float(np.clip(data['age'], <k>, <k>).sum()))\nout.append(float(np.minimum(data['age'], <k>).sum()))", forms=(PANDAS,)),
    Odd("out.append(float((data['age'] // <k1> + data['age'] % <k1>).sum()))", forms=(PANDAS, POLARS)),
    Odd("c@ = data.groupby('sex').size().reindex(['m', 'f'], fill_value=0)\nout.append([int(v) for v in c@])", forms=(PANDAS,)),
    Odd("out.append(int(data['sex'].isin(['m', 'x']).sum()))\nout.append(int(data['sex'].nunique()))", forms=(PANDAS,)),
    Odd("out.append(int(data['age'].count()))\nout.append(float(data['age'].fillna(<k>).sum()))", forms=(PANDAS,)),
    Odd("out.append(int((~(data['age'] > <k>)).sum()))\nout.append(float(data['age'].where(data['age'] < 5, <k>).sum()))", forms=(PANDAS,)),
    Odd("out.append(float(data['age'].astype(int).sum()))\nout.append(data.shape[0])", forms=(PANDAS,)),
    Odd("data['age'].clip(0, 1)\nout.append(float(data['age'].sum()))", forms=(PANDAS, POLARS)),
    Odd("t@ = data.assign(w=data['age'] * 2)\nout.append(float(t@['w'].sum()))", forms=(PANDAS,)),
    Odd("t@ = data.with_columns(w=pl.col('age') * 2)\nout.append(float(t@['w'].sum()))", forms=(POLARS,)),
    Odd("out.append(float(sum(min(a, <k>) for a in data['age'])))", forms=(PANDAS, POLARS)),
    Odd("out.append(float(data['age'].sum() + rng.laplace(scale=<k1>)))", forms=(PANDAS, POLARS)),
    Odd("out.append((data // <k1>, data % <k1>, int(data), round(data), data * <big>))", forms=(SCALARS,)),
    Odd("out.append(min(max(data, <k>), <k>))\nout.append(max(0, data))", forms=(SCALARS,)),
    Odd("out.append(math.exp(min(data, 800)))\nout.append(1 / data)", forms=(SCALARS,)),
    Odd("out.append(data + rng.laplace(scale=abs(data) + 1))", forms=(SCALARS,)),
]  # fmt: skip
ALL = [*NAMES, *PATCHES, *FLOWS, *VALUES, *OF_DATA]
_MARKS = ("_Holder__k@", "_C@__k@", "builtins.sorted", "__defaults__", "__code__", "<name:f@>", "second.set@", "np.abs = lambda",
          "pd.Series.clip =", "pl.Series.clip =", "pd.DataFrame.__len__")  # fmt: skip
ONCE_MISREAD = [one for one in ALL if any(mark in one.before + one.body + one.second for mark in _MARKS)]
"""What was misread before it was mended: private names of classes, names that NFKC makes equal, what is patched."""

NUMBERS = (
    ["x", "y", "<k>", "epsilon", "True", "rng.random()", "rng.laplace()", "len(xs)", "0.5"],
    ["(<number> + <number>)", "(<number> * <k>)", "(-<number>)", "abs(<number>)", "min(<number>, <number>)",
     "(<number> if <condition> else <number>)", "sum(<list>)", "(<number> // <k1>)", "(<number> % <k1>)"],
)  # fmt: skip
EXPRESSIONS = {
    "number": NUMBERS,
    "condition": (["x < y", "x > 1", "xs", "<k> > 1"], ["<number> < <number>", "not (<condition>)", "<number> in <list>"]),
    "list": (["xs", "[x, y]", "[]"], ["[<number>, <number>]", "[v + <number> for v in <list>]", "<list>[::-1]"]),
    "k": (["0", "1", "2", "3", "20"], []),
    "k1": (["1", "2", "3", "7", "-4"], []),
    "big": ([f"{sign}{power} {change}".join("()") for sign in ("", "-") for power in ("2**31", "2**53", "2**62", "2**63")
             for change in ("- 1", "+ 0", "+ 1")], []),
}  # fmt: skip
START = "x = 1\ny = rng.random()\nxs = [2, epsilon, 0.5]\nout = []"
IMPORTS = """import builtins
import collections
import contextlib
import dataclasses
import functools
import itertools
import math
import random

import numpy as np
import pandas as pd
import polars as pl
"""
