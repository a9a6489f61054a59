"""Lowering: names mean what they mean in Python, draws are normalised, and what is not known says what and where."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from program_tools import lowered, module_text

from dplint.program.nodes import Binary, Call, Constant, Draw, Program
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk

UNSUPPORTED = {
    "lambda": ("return list((lambda q: -q)(queries))", "a call of (lambda q: -q)"),
    "try": ("try:\n        queries = 2\n    finally:\n        return 1", "try"),
    "with": ("with open('f') as f:\n        return 1", "with"),
    "yield": ("sent = yield queries", "yield"),
    "walrus": ("return sorted(queries, key=lambda q: (n := q))", "an assignment expression in a lambda"),
    "global": ("global LIMIT\n    return 1", "global"),
    "nested function": ("@abs\n    def inner():\n        return 1\n    return inner()", "a nested function"),
    "local function with a decorator": (
        "@twice\n    def inner(k):\n        return k\n    return inner(1)",
        "a nested function",
    ),
    "local function that changes": (
        "n = 0\n    def inner():\n        nonlocal n\n        n += 1\n    inner()\n    return n",
        "a nested function",
    ),
    "local function in a branch": (
        "if x:\n        def inner():\n            return 1\n    return inner()",
        "a nested function",
    ),
    "local function defined twice": (
        "inner = lambda: 1\n    inner = lambda: 2\n    return inner()",
        "a lambda",
    ),
    "local function kept": ("inner = lambda: 1\n    return [inner]", "a local function used as a value"),
    "lambdas that call one another": (
        "inner = lambda k: outer(k)\n    outer = lambda k: inner(k)\n    return inner(2)",
        "the method <lambda>, which calls itself or makes functions",
    ),
    "counter returned": ("c = collections.Counter(queries)\n    return c", "a Counter used as a value"),
    "counter in an expression": ("return collections.Counter(queries) == {}", "a call of collections.Counter"),
    "defaultdict asked": ("c = collections.defaultdict(int)\n    return c", "a defaultdict of int used as a value"),
    "set in a loop": ("s = set(queries)\n    for q in s:\n        return q", "a set used as a value"),
    "set as a list": ("s = {q for q in queries}\n    return list(s)", "a set used as a value"),
    "set that is something else": ("s = set(queries)\n    s = 1\n    return s", "a call of set"),
    "two imports": (
        "from math import exp as f\n    from math import log as f\n    return f(1)",
        "a name that is imported from two places",
    ),
    "set": ("return [{1, 2}][0]", "a set"),
    "set comprehension": ("return [{q for q in queries}][0]", "a set comprehension"),
    "generator kept": ("g = (q for q in queries)\n    return g", "a generator kept as a value"),
    "lazy draws": ("for q in zip((rng.laplace() for _ in x), x):\n        return q", "a generator kept as a value"),
    "iterator kept": ("pairs = zip(queries, queries)\n    return list(pairs)", "zip(...) kept as a value"),
    "starred argument": ("return math.exp(*queries)", "a starred argument"),
    "lambda of two": ("return sorted(queries, key=lambda q, r=1: -q)", "this lambda"),
    "starred target": ("for a, *b in queries:\n        return a", "a starred target"),
    "attribute": ("return queries.dtype", "the attribute dtype"),
    "attribute assigned": ("queries.x = 1\n    return 1", "an assignment to an attribute"),
    "unknown method": ("return queries.frobnicate()", "the method frobnicate"),
    "unknown function": ("return np.linalg.slogdet(queries)", "a call of numpy.linalg.slogdet"),
    "unknown name": ("return UNHEARD", "the name UNHEARD"),
    "unknown builtin": ("return callable(queries)", "a call of callable"),
    "unknown draw": ("return rng.dirichlet([1, 1])", "the draw dirichlet"),
    "unknown draw argument": ("return rng.laplace(width=1)", "the argument width of a draw"),
    "missing draw argument": ("return rng.geometric()", "a draw without its argument p"),
    "fixed seed": (
        "g = np.random.default_rng(7)\n    g = np.random.default_rng(8)\n    return g.laplace()",
        "a generator with a seed",
    ),
    "seeding": ("np.random.seed()\n    return 1", "a call of numpy.random.seed"),
    "generator as value": ("return [rng]", "a generator used as a value"),
    "identity": ("return queries is epsilon", "a comparison of identity"),
    "element of element": ("queries[0][1] = 2\n    return 1", "an assignment to an element of an element"),
    "columns assigned": ("queries[1:2, 0] = 0\n    return 1", "an assignment to a part of a table"),
    "method of an element": ("queries[0].append(1)\n    return 1", "append on an element"),
    "pop as value": ("x = [[1, 2]]\n    return [x[0].pop() for q in queries]", "the method pop used as a value"),
    "odd raise": ("raise KeyboardInterrupt", "this raise"),
    "changing while looping": ("x = [1]\n    for q in x:\n        x.append(q)", "a change of x while looping over it"),
    "format": ("return f'{epsilon:{x}}'", "a computed format in an f-string"),
    "del": ("del queries\n    return 1", "this del"),
    "match": ("match epsilon:\n        case {1: y}:\n            return y", "the statement Match"),
    "with that raises": ("with np.errstate(all='raise'):\n        return 1", "with"),
    "next": ("return next(reversed(queries))", "a call of next"),
    "map kept": ("m = map(abs, queries)\n    return list(m), list(m)", "map(...) kept as a value"),
    "map that draws": ("return any(map(lambda q: rng.laplace() > 1, queries))", "a call of map"),
}


def made(body: str) -> str:
    return f"import collections\n\nLIMIT = 3\n\n\ndef made(rng, queries, epsilon):\n    x = epsilon\n    {body}\n"


@pytest.mark.parametrize("kind", UNSUPPORTED)
def test_what_is_not_known_says_what_and_where(kind: str, tmp_path: Path) -> None:
    body, construct = UNSUPPORTED[kind]
    found = lowered(made(body), tmp_path)
    lines = module_text(made(body)).splitlines()
    first = next(number for number, line in enumerate(lines, 1) if line.strip() == "x = epsilon") + 1

    assert isinstance(found, Unsupported)
    assert found.construct == construct
    assert first <= found.span.line <= len(lines)
    assert lines[found.span.line - 1][found.span.column - 1 :].strip()


def test_the_place_of_an_unsupported_construct_is_exact(tmp_path: Path) -> None:
    found = lowered(made("return 1 + queries.frobnicate()"), tmp_path)
    line = module_text(made("return 1 + queries.frobnicate()")).splitlines()[found.span.line - 1]

    assert line[found.span.column - 1 : found.span.end_column - 1] == "queries.frobnicate()"


def test_another_decorator_may_change_the_function(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    found = lowered(
        "import functools\n\n\n@functools.cache\ndef f(rng, queries):\n    return rng.laplace()", path.parent
    )

    assert isinstance(found, Unsupported)
    assert found.construct == "the decorator functools.cache"


def draws(body: str, folder: Path) -> list[Draw]:
    found = lowered(made(body), folder)
    assert isinstance(found, Program), found
    return [node for node in walk(found) if isinstance(node, Draw)]


@pytest.mark.parametrize(
    ("call", "distribution", "expected", "generator"),
    [
        ("rng.laplace()", "laplace", {"loc": 0.0, "scale": 1.0}, "argument"),
        ("rng.laplace(1, 2)", "laplace", {"loc": 1, "scale": 2}, "argument"),
        ("rng.exponential(3)", "exponential", {"scale": 3}, "argument"),
        ("rng.standard_normal()", "normal", {"loc": 0.0, "scale": 1.0}, "argument"),
        ("rng.integers(5)", "integers", {"low": 0, "high": 5, "endpoint": False}, "argument"),
        ("rng.integers(1, 5, endpoint=True)", "integers", {"low": 1, "high": 5, "endpoint": True}, "argument"),
        ("np.random.randint(2, 9)", "integers", {"low": 2, "high": 9, "endpoint": False}, "numpy.random"),
        ("random.randint(2, 9)", "integers", {"low": 2, "high": 9, "endpoint": True}, "random"),
        ("random.gauss(1, sigma=2)", "normal", {"loc": 1, "scale": 2}, "random"),
        ("random.random()", "random", {}, "random"),
        ("np.random.default_rng().gumbel(scale=2)", "gumbel", {"loc": 0.0, "scale": 2}, "local"),
        ("np.random.RandomState().rand()", "random", {}, "local"),
    ],
)
def test_draws_bear_canonical_names(
    call: str, distribution: str, expected: dict[str, object], generator: str, tmp_path: Path
) -> None:
    (draw,) = draws(f"return {call}", tmp_path)
    values = {name: value.value for name, value in draw.parameters if isinstance(value, Constant)}

    assert (draw.distribution, values, draw.generator) == (distribution, expected, generator)


def test_a_rate_becomes_a_scale(tmp_path: Path) -> None:
    (draw,) = draws("return random.expovariate(epsilon)", tmp_path)
    ((name, scale),) = draw.parameters

    assert name == "scale"
    assert isinstance(scale, Binary)
    assert scale.operator == "/"


def test_a_size_is_part_of_the_draw(tmp_path: Path) -> None:
    (vector, scalar) = draws("return rng.laplace(size=len(queries)), np.random.rand()", tmp_path)

    assert isinstance(vector.size, Call)
    assert vector.size.function == "len"
    assert scalar.size is None


def test_a_generator_made_where_none_is_given_stays_a_generator(tmp_path: Path) -> None:
    body = "if rng is None:\n        rng = np.random.default_rng()\n    return rng.laplace()"
    (draw,) = draws(body, tmp_path)

    assert draw.generator == "argument"


def test_a_parameter_shadows_a_builtin_and_an_import(tmp_path: Path) -> None:
    found = lowered("def made(rng, queries, np, sum):\n    return sum(queries)", tmp_path)

    assert isinstance(found, Unsupported)
    assert found.construct == "a call of sum"


def test_a_module_function_shadows_a_builtin(tmp_path: Path) -> None:
    found = lowered("def max(x):\n    return 0\n\n\ndef made(rng, queries):\n    return max(queries)", tmp_path)

    assert isinstance(found, Program)
    assert [function.name for function in found.functions] == ["max"]


def test_a_module_constant_is_a_constant(tmp_path: Path) -> None:
    found = lowered(made("return LIMIT"), tmp_path)

    assert any(isinstance(node, Constant) and node.value == 3 for node in walk(found))


def test_programs_survive_pickling(tmp_path: Path) -> None:
    found = lowered(made("return [q + rng.laplace() for q in queries if q > 1]"), tmp_path)

    assert pickle.loads(pickle.dumps(found)) == found
