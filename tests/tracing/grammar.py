"""Random functions for lanes, as source text: aliases, objects, closures, views, generators, draws under branches.

`<kind>` is a hole for an expression of that kind, as in the grammar of the conformance suite, whose filler this uses.
"""

from __future__ import annotations

import textwrap

from hypothesis import strategies as st

from dplint_conformance.strategy import _Filler

START = """
x, y = rng.laplace(), rng.random()
k, n, flag = rng.integers(), rng.whole(), rng.coin()
w = rng.scalar()
xs, ys, zs, out = list(data), [], [0, 1.5], []
d, o, p = {"p": 0, 1: x}, _Thing(x), _Thing(1)
rows = [xs, [n]]
a = rng.array()
b, c, e = a[1:], np.zeros(3), np.arange(3)
m, s, z = None, "a", 0
total = 0
def g():
    return xs[0] + total
def h(v):
    nonlocal total
    if v > 0:
        total += 1
    xs.append(v)
def r(v, depth=2):
    if depth == 0:
        return v
    if v > 0.5:
        return r(v - 1, depth - 1) + 1
    return rng.random() + r(v + 1, depth - 1)
def items(v):
    for _ in range(3):
        if v > 2:
            return
        yield v
        v += 0.75
        if v > y:
            yield n
"""
RETURNED = "x, y, k, n, flag, w, xs, ys, zs, out, d, o, p, rows, a, b, c, e, m, s, z, total"
BEFORE = """
import collections
import functools
import itertools
import math

import numpy as np


class _Thing:
    kind = "thing"

    def __init__(self, a):
        self.a, self.b, self.items = a, 0, [a, 1]

    def bump(self, v):
        if v > self.a:
            self.a = v
            self.items.append(v)
        else:
            self.items.append(self.b)
        return self

    @property
    def twice(self):
        return self.a * 2 if self.a > 0 else self.b

    def __eq__(self, other):
        return isinstance(other, _Thing) and self.a == other.a

    def __lt__(self, other):
        return self.a < other.a


_Pair = collections.namedtuple("_Pair", "first second")
"""
EXPRESSIONS = {
    "number": (
        [
            *("x", "y", "k", "n", "flag", "w", "0", "1", "2.5", "-0.0", "True", "xs[0]", "zs[-1]", "o.a", "p.b"),
            *("len(ys)", "len(xs)", "d['p']", "z", "total", "a[0]", "b[-1]", "c[1]", "e[2]", "rng.random()"),
            *("rng.integers()", "rng.whole()", "rng.laplace()", "rng.coin()", "rng.scalar()", "2**53", "1e308", "m"),
        ],
        [
            *(
                "(<number> + <number>)",
                "(<number> - <number>)",
                "(<number> * <number>)",
                "(-<number>)",
                "abs(<number>)",
            ),
            *("(<number> % <number>)", "(<number> // <number>)", "(<number> / <number>)", "(<whole> ** rng.whole())"),
            *("(<number> if <condition> else <number>)", "(<number> and <number>)", "(<number> or <number>)"),
            *("int(<number>)", "float(<number>)", "round(<number>)", "round(<number>, 1)", "bool(<number>)"),
            *("max(<number>, <number>)", "min(<number>, <number>, <number>)", "sum(<list>)", "max(<list>)"),
            *("min(<list>, default=0)", "sum(q * 2 for q in <list> if q > <number>)", "<list>[<index>]", "len(<list>)"),
            *("<array>[<index>]", "<array>.sum()", "<array>.max()", "np.argmin(<array>)", "float(<array>.mean())"),
            *(
                "g()",
                "r(<number>)",
                "next(items(<number>), None)",
                "sum(items(<number>))",
                "o.twice",
                "p.bump(<number>).a",
            ),
            *("math.floor(<number>)", "math.exp(-abs(<number>))", "math.sqrt(<number>)", "np.exp(-abs(<number>))"),
            *("np.float64(<number>)", "np.clip(<number>, 0, 1)", "np.abs(<number>)", "np.floor(<number>)"),
            *(
                "functools.reduce(lambda u, v: u + v, <list>)",
                "(lambda u: u + x)(<number>)",
                "d.get(<whole>, <number>)",
            ),
            *("<list>.count(<number>)", "<list>.index(<number>)", "len({<whole>, <whole>})", "divmod(<number>, 2)[1]"),
            *("_Pair(<number>, <number>).first", "(q_ := <number>) + q_", "np.sum(<array> > <number>)"),
            *("[x, y, n][<index>]", "int(<condition>)", "(<whole> & <whole>)", "(<whole> << 1)", "rng.pick(<list>)"),
            *("int(<array>[<index>])", "<array>[<index>].item()", "np.where(<condition>, <number>, 0)", "<value>"),
        ],
    ),
    "whole": (["n", "k", "1", "flag", "len(out)", "e[0]", "int(y)"], ["int(<number>)", "rng.whole()", "len(<list>)"]),
    "index": (["0", "1", "-1", "n", "k", "flag"], ["<whole>", "rng.whole()"]),
    "condition": (
        ["x > 0", "y < x", "flag", "n == 1", "m is None", "s == 'a'", "xs", "x", "k in (0, 2)", "rng.coin()"],
        [
            *("<number> < <number>", "<number> >= <number>", "<number> == <number>", "0 < <number> <= 2"),
            *("not (<condition>)", "<condition> and <condition>", "<condition> or <condition>", "<number>"),
            *("<number> in <list>", "<number> not in (0, 1)", "isinstance(<value>, float)", "<value> is None"),
            *("type(<number>) is int", "isinstance(<number>, (bool, np.float64))", "ys and ys[-1] > 0", "o == p"),
            *("(<array> > <number>).any()", "np.all(<array> > <number>)", "any(q > <number> for q in <list>)"),
            *("all([q < <number> for q in <list>])", "ys is zs", "o is p", "math.isnan(<number>)", "<text> == <text>"),
            *("o < p", "<value> == <value>", "<list> == <list>", "<value> is not m"),
        ],
    ),
    "text": (
        ["s", "'a'", "'b'"],
        ["f'{<shown>}'", "f'{x:.2f} {<shown>!r}'", "str(<number>)", "('a' if <condition> else 'b')", "s.upper()"],
    ),
    "shown": (["x", "n", "k", "w", "m", "flag", "o.a", "z", "xs[0]", "(x if flag else n)", "a", "xs", "(y or k)"], []),
    "value": (
        ["x", "None", "s", "flag", "m", "n", "w"],
        ["<number>", "<text>", "(<value> if <condition> else <value>)", "rng.pick([None, 1, 2.5, True, 'a'])"],
    ),
    "list": (
        ["xs", "ys", "zs", "o.items", "[x, y]", "[1, 0.5, n]", "rows[0]"],
        [
            *("[<number>, <number>]", "[q + <number> for q in <list>]", "[q for q in <list> if q > <number>]"),
            *("sorted(<list>)", "<list>[<index>:]", "<list>[::-1]", "(<list> + <list>)[:5]", "list(items(<number>))"),
            *("<array>.tolist()", "([<number>] * 2)", "list(map(abs, <list>))", "(<list> if <condition> else <list>)"),
            *(
                "list(range(abs(<whole>) % 4))",
                "[q * i for i, q in enumerate(<list>)]",
                "sorted(<list>, key=lambda q: -q)",
            ),
            *(
                "[*<list>, <number>][:4]",
                "list(itertools.accumulate(<list>))",
                "list({q: 1 for q in <list>})",
                "rows[<index>]",
            ),
        ],
    ),
    "array": (
        ["a", "b", "c", "e", "rng.array()", "np.array([x, y, 1])", "rng.whole_array()"],
        [
            *("(<array> + <number>)", "(<array> * 2)", "np.array(<list>)", "np.sort(<array>)", "np.cumsum(<array>)"),
            *("np.abs(<array>)", "np.clip(<array>, -1, 1)", "np.where(<array> > <number>, <number>, <array>)"),
            *("<array>[1:]", "<array>[::-1]", "<array>[<array> > <number>]", "np.maximum(<array>, <number>)"),
            *(
                "np.argsort(<array>)",
                "(<array> > <number>)",
                "<array>.copy()",
                "np.concatenate([<array>, [<number>]])[:4]",
            ),
            *(
                "<array>.reshape(-1)",
                "np.zeros(3)",
                "np.full(3, <number>)",
                "np.round(<array>, 1)",
                "<array>.astype(int)",
            ),
        ],
    ),
    "iterable": (
        ["range(3)", "xs[:3]", "[x, n]", "list(d)[:3]"],
        [
            "range(abs(<whole>) % 3)",
            "<list>[:3]",
            "reversed(<list>[:3])",
            "<array>[:3]",
            "itertools.islice(items(<number>), 3)",
        ],
    ),
}
STATEMENTS = (
    [
        *(
            "x = <number>",
            "y = <number>",
            "n = <whole>",
            "k = <number>",
            "flag = <condition>",
            "m = <value>",
            "s = <text>",
        ),
        *(
            "z = <value>",
            "w = <number>",
            "x += <number>",
            "n -= <number>",
            "k *= 2",
            "z = <number>",
            "x, y = y, <number>",
        ),
        *(
            "xs.append(<number>)",
            "ys.append(<number>)",
            "out.append(<value>)",
            "o.items.append(<number>)",
            "zs += [<number>]",
        ),
        *(
            "xs[0] = <number>",
            "zs[-1] = <number>",
            "xs[<index>] = <number>",
            "xs[1] += <number>",
            "o.items[0] -= <number>",
        ),
        *(
            "o.a = <number>",
            "o.b += <number>",
            "p.a = <value>",
            "o.new = <number>",
            "d['p'] = <number>",
            "d[1] = <number>",
        ),
        *(
            "d['q'] = <number>",
            "d['p'] += <number>",
            "d[<whole>] = <number>",
            "zs = xs",
            "zs = o.items",
            "ys = list(xs)",
        ),
        *(
            "o = p",
            "p = o if <condition> else p",
            "zs = xs if <condition> else ys",
            "o.items = xs",
            "rows[0] = ys",
            "p = o",
        ),
        *("ys = rows[<index>]", "rows.append(ys)", "o.bump(<number>)", "h(<number>)", "m = (<number>, <value>)"),
        *(
            "a[0] = <number>",
            "a[<index>] = <number>",
            "a += <number>",
            "b[0] = <number>",
            "b += <number>",
            "a[1:] = <number>",
        ),
        *(
            "c[<index>] = <number>",
            "c += <number>",
            "b = a[:2]",
            "c = a",
            "a = a + <number>",
            "a[a > <number>] = <number>",
        ),
        *(
            "b = a[::-1]",
            "a = <array>",
            "c = <array>",
            "e[<index>] = <whole>",
            "e = e + 1",
            "b *= 2",
            "a.sort()",
            "c = b.copy()",
        ),
        *("x, *ys = <list>", "ys = <list>", "xs = <list>", "ys.pop()", "ys.sort()", "xs.insert(<index>, <number>)"),
        *(
            "assert <condition>",
            "x = rng.laplace()",
            "n = rng.whole()",
            "if <condition>:\n    <exit>",
            "z = g()",
            "s += <text>",
        ),
        *(
            "del ys[:]",
            "ys.extend(<list>[:2])",
            "z = d.pop(<whole>, None)",
            "out.append((<number>, <text>))",
            "a = np.array(xs)",
        ),
        *(
            "z = _Pair(<number>, <value>)",
            "x = float(<number>)",
            "n = int(<number>)",
            "xs[<index>:] = <list>",
            "z = None",
        ),
    ],
    [
        *("if <condition>:\n    <block>", "if <condition>:\n    <block>\nelse:\n    <block>"),
        *(
            "if <condition>:\n    <block>\nelse:\n    <block>",
            "if x > 0:\n    <block>\nelif <condition>:\n    <block>\nelse:\n    <block>",
        ),
        *("for q in <iterable>:\n    <loop>", "for i, q in enumerate(<list>[:3]):\n    <loop>"),
        "for q in <iterable>:\n    <loop>\nelse:\n    <block>",
        "t<depth> = 0\nwhile t<depth> < 3 and (<condition>):\n    t<depth> += 1\n    <loop>",
        "t<depth> = 0\nwhile True:\n    t<depth> += 1\n    <block>\n    if t<depth> > 3 or (<condition>):\n        break\n    <loop>",  # noqa: E501
        "t<depth> = 0\nwhile True:\n    t<depth> += 1\n    <block>\n    if t<depth> > 3 or (<condition>):\n        return <number>",  # noqa: E501
        "try:\n    <block>\nexcept (ValueError, ZeroDivisionError, IndexError):\n    <block>",
        "try:\n    <block>\nexcept Exception as error:\n"
        "    out.append(type(error).__name__)\nfinally:\n    z = <number>",
        "def late<depth>(v=<number>):\n    return v + x\nx = late<depth>()\ny = late<depth>(<number>)",
        "it<depth> = items(<number>)\nx = next(it<depth>, <number>)\nif <condition>:\n    y = next(it<depth>, 0)",
    ],
)


class _OnLanes(_Filler):
    def _expression(self, kind: str, depth: int) -> str:
        simple, compound = EXPRESSIONS[kind]
        options = compound if compound and depth > 0 and self._draw(st.booleans()) else simple
        return self._fill(self._choice(options), depth - 1)


@st.composite
def programs(draw: st.DrawFn) -> str:
    """A module with a function `f(rng, data)`."""
    body = _OnLanes(draw, STATEMENTS, helper=False).block(3, 6, loop=False)
    lines = [BEFORE, "", "def f(rng, data):", *_indented(START.strip()), *_indented(body), f"    return {RETURNED}", ""]
    return "\n".join(lines)


def _indented(text: str) -> list[str]:
    return textwrap.indent(text, "    ").splitlines()
