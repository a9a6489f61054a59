"""What random mechanisms are made of: templates of source text; `grammar_modules` has what stands around them.

`<kind>` in a template is a hole for an expression of that kind, or for a `<block>`. Every kind has simple templates,
which end the nesting and to which examples shrink, and others. Numbers and lists stay small: nothing is multiplied by
itself, and no list is extended by more than a few items of another. In `mechanisms`, `out` and `a` are changed in
place, so nothing else ever holds them; `xs`, `b` and the others are only assigned. `z` and `i` may be unassigned, `m`
may be None, and `near`, `deep` and `noisy` are local functions; `cell` is an object that changes and draws, and
`t` a table. What no interpretation follows is left out, or all of them would be refused. In `aliases`, any name may
hold what any other holds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Templates: TypeAlias = tuple[Sequence[str], Sequence[str]]

DRAWS = [
    "rng.random()",
    "rng.integers(4)",
    "int(rng.integers(-2, 4))",
    "rng.laplace()",
    "rng.exponential()",
    "rng.geometric(0.6)",
    "rng.binomial(3, 0.5)",
    "rng.poisson(1.5)",
    "rng.gumbel()",
    "rng.choice([0, 1, 5])",
    "rng.choice(3, p=[0.5, 0.25, 0.25])",
    "rng.laplace(size=2)[0]",
    "random.random()",
    "random.randint(0, 3)",
    "random.gauss(0, 1)",
    "np.random.laplace()",
    "np.random.randint(0, 3)",
]
NOISY_DRAWS = [
    "rng.normal(<number>)",
    "rng.laplace(<number>, 2)",
    "rng.laplace(scale=abs(<number>) + 0.1)",
    "rng.exponential(<number>)",
    "rng.integers(0, int(abs(<number>)) % 5 + 1)",
    "rng.uniform(<number>, <number>)",
    "rng.binomial(int(rng.integers(4)), 0.5)",
    "random.choice([<number>, <number>])",
    "rng.choice(<list>)",
    "_helper(rng, <number>)",
]
EXPRESSIONS: Mapping[str, Templates] = {
    "number": (
        ["x", "y", "0", "1", "-2", "0.5", "epsilon", "z", "i", "flag", "len(out)", "len(xs)", "True", *DRAWS],
        [
            *(
                "(<number> + <number>)",
                "(<number> - <number>)",
                "(<number> * <factor>)",
                "(-<number>)",
                "abs(<number>)",
            ),
            *("(<number> % <divisor>)", "(<number> // <divisor>)", "(<number> / (abs(<number>) + 1))"),
            *("(<number> / <number>)", "(<number> if <condition> else <number>)", "int(<number>)", "float(<number>)"),
            *("round(<number>)", "round(<number>, 1)", "max(<number>, <number>)", "min(<number>, <number>)"),
            *("(<number> and <number>)", "(<number> or <number>)", "(x if m is None else <number>)", "(m + <number>)"),
            *("sum(<list>)", "max(<list>)", "min(<list>, default=0)", "<list>[<index>]", "len(<list>)", "out[<index>]"),
            *("sum(<number> + k for k in range(3) if <condition>)", "<list>.count(<number>)", "<list>.index(<number>)"),
            *("math.floor(<number>)", "math.exp(-abs(<number>))", "math.log(<number>)", "math.sqrt(<number>)"),
            *("<array>.sum()", "np.argmax(<array>)", "int(np.argmax(<array>))", "<array>[<index>]", "np.max(<array>)"),
            *("float(<array>.mean())", "np.sum(<array> > <number>)", "np.exp(-abs(<number>))", "np.round(<number>)"),
            *(
                "near(<number>)",
                "noisy(<number>)",
                "len(set(<list>))",
                "sum(map(abs, <list>))",
                "len({<number>, i})",
            ),
            *(
                "cell.add(<number>)",
                "cell.draw()",
                "cell.x",
                "cell.scan(<list>)",
                "t[<index>][<index>]",
                "pick(<list>)",
                "wide(<number>)",
                "cost.weight",
                "groups[<index>][<index>]",
                "len(groups)",
                "next((k for k in <list> if k > <number>), 0)",
                "CODES[s]",
                "deep(flag + 1)",
                "len(seen.get(<number>, ()))",
                "mark.place",
                "state['n']",
                "len(state['seen'])",
                "model.centre",
                "np.array_split(<array>, 2)[0].sum()",
                "np.linalg.eigvalsh(np.eye(2) + <number>)[<index>]",
                "grid[:, 1].sum()",
            ),
            *("len(<array>)", "np.sum(<list>)", "np.searchsorted(np.sort(<array>), <number>)", "a[<index>]"),
            *NOISY_DRAWS,
        ],
    ),
    "factor": (["2", "-1", "0.5", "(2**40)", "True"], []),
    "divisor": (["3", "-4", "2.5", "7", "-0.5"], ["<number>"]),
    "index": (
        ["0", "1", "-1", "i", "int(rng.integers(3))", "rng.integers(-3, 3)", "len(out) - 1", "flag"],
        ["<number>"],
    ),
    "condition": (
        ["rng.random() < 0.5", "x < y", "x > 1", "flag", "m is None", "m", "s == 'a'", "xs", "i == 1"],
        [
            *("<number> < <number>", "<number> <= <number>", "<number> == <number>", "<number> != <number>"),
            *(
                "<number> > 0.5",
                "-1 < <number> <= 2",
                "(<condition>) and (<condition>)",
                "(<condition>) or (<condition>)",
            ),
            *("<number> in {0, 1, 2}", "<number> not in set(<list>)"),
            "pool",
            *(),
            "mark.above(<number>)",
            *("cell.level", "cell.add(<number>) > 1", "cell.seen"),
            *("not (<condition>)", "<number> in <list>", "m is not None and <number> > 0", "<text> != <text>"),
            *("any(<number> > k for k in <list>)", "all(k < <number> for k in <list>)", "<list>", "<list> == <list>"),
            *("<number>", "np.all(<array> > <number>)", "(<array> > <number>).any()", "isinstance(<value>, float)"),
        ],
    ),
    "text": (
        [
            "s",
            "'a'",
            "'b'",
        ],
        ["('a' if <condition> else 'b')", "str(<number>)", "f'{<number>}'", "s.upper()"],
    ),
    "value": (
        ["x", "y", "None", "s", "flag", "m"],
        ["<number>", "<text>", "[<number>, <value>]", "(<value>, <number>)"],
    ),
    "list": (
        ["xs", "queries", "[x, y]", "[]", "[1, 0.5, True]"],
        [
            *("[<number>, <number>]", "[<number> for k in <list>]", "[k for k in <list> if <condition>]"),
            *(
                "[k + <number> for k in <list> if k > <number>]",
                "sorted(<list>)",
                "<list>[<index>:]",
                "<list>[:<index>]",
            ),
            *(
                "<list>[::-1]",
                "(<list> + <list>)[:6]",
                "list(reversed(<list>))",
                "<array>.tolist()",
                "([<number>] * 2)",
            ),
            *(
                "list(map(float, <list>))",
                "list(filter(lambda k: k < <number>, <list>))",
                "list({k: i for k in <list>})",
            ),
            *("list(range(int(rng.integers(0, 4))))", "list(out)[:3]", "[i for i, k in enumerate(<list>) if k]"),
            *(
                "[j * k for j, k in zip(<list>, <list>)]",
                "sorted(<list>, reverse=True)",
                "(<list> if <condition> else [])",
                "[j - k for j, k in itertools.pairwise(<list>)]",
                "[j + k for j, k in itertools.combinations(<list>, 2)][:6]",
                "list(itertools.islice(<list>, 2))",
                "sorted(<list>, key=lambda k: (k > <number>, -k))",
                "list(map(near, <list>))",
                "list(itertools.accumulate(k + <number> for k in <list>))",
            ),
        ],
    ),
    "array": (
        ["b", "rng.laplace(size=3)", "np.array([x, y])", "np.array(queries)", "rng.integers(0, 3, size=3)"],
        [
            *("np.array([<number>, <number>])", "np.cumsum(<array>)", "np.sort(<array>)", "np.abs(<array>)"),
            *("np.clip(<array>, -1, 1)", "np.where(<array> > <number>, <number>, 0)", "b[b > <number>]", "b[:<index>]"),
            *("(<array> + <number>)", "(<array> * 2)", "np.maximum(<array>, <number>)", "rng.permutation(3)"),
            *("rng.laplace(b, 1)", "(<array> - <array>)", "np.concatenate([<array>, [<number>]])[:5]", "(a + 1)"),
            *("rng.random(int(rng.integers(1, 4)))", "np.argsort(<array>)", "(<array> > <number>)", "np.array(<list>)"),
        ],
    ),
    "iterable": (
        ["range(3)", "queries", "[x, y]"],
        ["range(int(abs(<number>)) % 4)", "<list>", "reversed(<list>)", "<array>", "range(3, int(<number>) % 3, -1)"],
    ),
}
STATEMENTS: Templates = (
    [
        *("x = <number>", "y = <number>", "z = <number>", "flag = <number> < <number>", "s = <text>", "m = <value>"),
        *("out.append(<value>)", "xs = <list>", "b = <array>", "x += <number>", "y -= <number>", "x *= <factor>"),
        *("out.extend(<list>)", "out += <list>", "out.insert(<index>, <number>)", "out.reverse()", "m = None"),
        *("out[<index>] = <number>", "out[<index>] += <number>", "a[<index>] = <number>", "a += <number>"),
        *("x = sum(map(lambda k: k + <number>, xs))",),
        *(),
        *("state['n'] += <number>", "state['seen'].append(<number>)", "model.fit(<number>)"),
        *("cell.add(<number>)", "cell.x = <number>", "cell.seen.append(<number>)", "cell.x += <number>"),
        *("t[<index>][<index>] = <number>", "t[<index>][<index>] += <number>"),
        *(
            "xs[<index>:] = <list>",
            "x, *xs = sorted(filter(near, <list>))",
            "x, y = mark",
        ),
        *(
            "tally[<number>] += 1",
            "x = tally[<number>] + x",
            "x = <number> + out.pop()",
            "x = (z := <number>) + z * <number>",
        ),
        *("x, y = (k + <number> for k in xs)",),
        *("d[s, flag] = <number>", "a[:<index>] += <number>", "a[1:] = <number>"),
        *("pool.add(<number>)",),
        *("b[b > <number>] = <number>", "a[a < 0] = 0"),
        *("x, *xs = <list>", "*xs, y = <list>", "x = next((k for k in <list> if <condition>), epsilon)"),
        *("x, y = y, x", "x, out[0] = <number>, <number>", "x, y = <list>", "x = y = <number>", "out = [<number>]"),
        *("a = rng.laplace(size=3)", "assert <condition>", "y = x if <condition> else <value>", "_helper(rng, y)"),
        *("if <condition>:\n    <exit>", "if <condition>:\n    <exit>", "x %= 5", "out.remove(<number>)"),
    ],
    [
        "if <condition>:\n    <block>",
        "if <condition>:\n    <block>\nelse:\n    <block>",
        "if <condition>:\n    <block>\nelif <condition>:\n    <block>\nelse:\n    <block>",
        "for i in <iterable>:\n    <loop>",
        "for i in <iterable>:\n    <loop>\nelse:\n    <block>",
        "for i, q in enumerate(<list>):\n    <loop>",
        "for q, i in zip(<list>, range(3)):\n    <loop>",
        "while rng.random() < 0.4:\n    <loop>",
        "if (y := <number>) > 0.5:\n    <block>\nelse:\n    <block>",
        "with np.errstate(all='ignore'):\n    <block>",
        "w<depth> = 0\nwhile w<depth> < 3 and (<condition>):\n    w<depth> += 1\n    <loop>",
        "w<depth> = 3\nwhile w<depth>:\n    w<depth> -= 1\n    <loop>\nelse:\n    <block>",
    ],
)
ALIASES = [
    *("ys = out", "ys = xs", "out = ys", "xs = rows", "ys = rows[<index>]", "rows[<index>] = out", "rows.append(out)"),
    *(
        "ys = out if <condition> else xs",
        "ys = xs or out",
        "ys = max(rows)",
        "ys = _same(out)",
        "ys = _wrapped(out)[0]",
    ),
    *(
        "rows = [out, ys]",
        "rows = [list(out), ys[:]]",
        "rows = _wrapped(ys)",
        "rows = rows + [xs]",
        "rows = rows[::-1]",
    ),
    *("xs = [k for k in rows]", "ys, xs = rows[:2]", "ys = xs = [1]", "ys, xs = rows = [[1], [2]]", "out = list(rows)"),
    *("ys = random.choice(rows)", "ys = {'a': out}.get('a', xs)", "ys = sum(rows, [])", "ys = sum([], out)"),
    *("ys.append(<number>)", "xs.append(<number>)", "ys += [<number>]", "ys[<index>] = <number>", "xs.reverse()"),
    *(
        "rows[0] += [<number>]",
        "ys.extend(xs[:3])",
        "ys = ys + [<number>]",
        "ys = sorted(out)",
        "ys.sort()",
    ),
    *("for ys in rows:\n    ys.append(<number>)", "for k in ys[:4]:\n    out.append(k)", "for k in xs:\n    ys[0] = k"),
    "for j, k in enumerate(ys):\n    ys[j] = <number>",
    *("out = xs.copy()", "ys = list(out)"),
    *(
        "b = a",
        "b = a[1:]",
        "a = b",
        "b = np.asarray(a)",
        "b = a.reshape(-1)",
        "b = np.array([a, a])",
        "a = b[0]",
        "b = b + a",
    ),
    *(
        "a[<index>] = <number>",
        "b += <number>",
        "b[<index>] = <number>",
        "rows = [a, b]",
        "a = np.array(rows[0])",
        "b.sort()",
    ),
    *(
        "for k in b:\n    k += 1",
        "b = np.where(b > 0, b, a)",
        "a = np.clip(a, 0, 1)",
        "b = a.copy()",
        "a = np.array(out)",
    ),
]
"""Statements that let several names hold one list or array, and that change it."""
EXITS = ["return out", "return x, s", "return <value>", "raise ValueError(x)", "raise KeyError"]
START = """
out = [0]
xs = [2, epsilon, 0.5]
x = 1
y = rng.integers(0, 3)
s = "a"
m = None
flag = rng.random() < 0.5
a = rng.laplace(size=3)
b = np.array(queries)
t = [[0, 1], [0.5, 2]]
cell = _Cell(1, rng)
cost = _Cost(epsilon)
groups = defaultdict(list)
tally, heap = defaultdict(int), []
mark = _Mark(0, y)
seen = {}
state = {"n": 0, "seen": []}
model = _Model(rng).fit(y)
for k in range(2):
    groups[k].append(k + y)
d = {}
def pick(ks):
    for k in ks:
        if k > y + rng.random():
            return k
    return x
wide = _scaled(rng, 2)
def near(k):
    return k + y if k > 0 else epsilon
def deep(k):
    return y if k <= 0 else deep(k - 1) * 2 + rng.random()
pool = {0, y}
grid = np.array([[1.0, 2.0], [y, epsilon]])
noisy = lambda k, by=2: k * by + rng.random()
if rng.random() < 0.9:
    z = i = 2
"""
