"""Replayed draws, method by method: right values in the types that the real generator gives.

Every call is made here by a real generator, in the very expression that the runner then replays, and its canonical
reading is written out by hand; so neither the runner's readers nor its types are their own measure.
"""

from __future__ import annotations

import math
import random
import textwrap

import libcst as cst
import numpy as np
import pytest

from dplint.distributions import GENERATOR, LEGACY, PYTHON, program_draws
from dplint.program import nodes as ir
from dplint.runner.client import DataValue, DrawEvent, ReplayRequest
from dplint.source.lowering import lower
from dplint.source.read import read_source

RUNS = 12
MAKERS = {
    "np.random.Generator": np.random.default_rng,
    "np.random.RandomState": np.random.RandomState,
    "random.Random": random.Random,
}
FAMILIES = {"np.random.Generator": GENERATOR, "np.random.RandomState": LEGACY, "random.Random": PYTHON}
NORMAL = {"loc": 0.0, "scale": 1.0}


def integers(low, high, endpoint=False):
    return "integers", {"low": low, "high": high, "endpoint": endpoint}


def choice(a, replace=True, p=None):
    return "choice", {"a": a, "replace": replace, "p": p}


# A call after `rng.`; its distribution, its parameters, and its size if it has one.
NUMPY_CALLS = {
    "laplace()": ("laplace", {"loc": 0.0, "scale": 1.0}),
    "laplace(0, 2)": ("laplace", {"loc": 0, "scale": 2}),
    "laplace(1.5, scale=0.1 + 0.2)": ("laplace", {"loc": 1.5, "scale": 0.1 + 0.2}),
    "laplace(scale=2.0, size=3)": ("laplace", {"loc": 0.0, "scale": 2.0}, (3,)),
    "laplace(0.0, 2.0, (2, 3))": ("laplace", {"loc": 0.0, "scale": 2.0}, (2, 3)),
    "laplace(size=())": ("laplace", {"loc": 0.0, "scale": 1.0}, ()),
    "laplace(size=0)": ("laplace", {"loc": 0.0, "scale": 1.0}, (0,)),
    "laplace([1.0, 2.0, 3.0], 2)": ("laplace", {"loc": [1.0, 2.0, 3.0], "scale": 2}),
    "laplace(np.array([1.0, 2.0]), np.float64(0.5))": ("laplace", {"loc": [1.0, 2.0], "scale": 0.5}),
    "laplace(np.float32(0.1))": ("laplace", {"loc": float(np.float32(0.1)), "scale": 1.0}),
    "normal(1, 2)": ("normal", {"loc": 1, "scale": 2}),
    "gumbel(scale=3)": ("gumbel", {"loc": 0.0, "scale": 3}),
    "logistic(1.0, 2.0)": ("logistic", {"loc": 1.0, "scale": 2.0}),
    "exponential(2.5)": ("exponential", {"scale": 2.5}),
    "exponential(size=[2, 1])": ("exponential", {"scale": 1.0}, (2, 1)),
    "uniform(-1, 1)": ("uniform", {"low": -1, "high": 1}),
    "geometric(0.3)": ("geometric", {"p": 0.3}),
    "geometric(p=0.3, size=4)": ("geometric", {"p": 0.3}, (4,)),
    "binomial(10, 0.5)": ("binomial", {"n": 10, "p": 0.5}),
    "poisson(3)": ("poisson", {"lam": 3}),
    "beta(1, 2.5)": ("beta", {"a": 1, "b": 2.5}),
    "chisquare(3)": ("chisquare", {"df": 3}),
    "gamma(2.0)": ("gamma", {"shape": 2.0, "scale": 1.0}),
    "gamma(2.0, 3, 2)": ("gamma", {"shape": 2.0, "scale": 3}, (2,)),
    "lognormal(0.5)": ("lognormal", {"mean": 0.5, "sigma": 1.0}),
    "multinomial(10, [0.25, 0.25, 0.5])": ("multinomial", {"n": 10, "pvals": [0.25, 0.25, 0.5]}),
    "multinomial(10, [0.5, 0.5], size=3)": ("multinomial", {"n": 10, "pvals": [0.5, 0.5]}, (3,)),
    "negative_binomial(3, 0.5)": ("negative_binomial", {"n": 3, "p": 0.5}),
    "standard_cauchy()": ("cauchy", NORMAL),
    "standard_gamma(2.0, 3)": ("gamma", {"shape": 2.0, "scale": 1.0}, (3,)),
    "standard_t(4, size=2)": ("student_t", {"df": 4, **NORMAL}, (2,)),
    "rayleigh(2.5)": ("rayleigh", {"scale": 2.5}),
    "weibull(1.5, 2)": ("weibull", {"a": 1.5, "scale": 1.0}, (2,)),
    "pareto(3)": ("pareto", {"a": 3, "loc": 0.0}),
    "power(2.0)": ("power", {"a": 2.0}),
    "triangular(-1, 0, 2.5)": ("triangular", {"left": -1, "mode": 0, "right": 2.5}),
    "vonmises(0.5, kappa=2)": ("vonmises", {"mu": 0.5, "kappa": 2}),
    "wald(1.0, 2)": ("wald", {"mean": 1.0, "scale": 2}),
    "f(2, 5, (2,))": ("f", {"dfnum": 2, "dfden": 5}, (2,)),
    "noncentral_chisquare(3, 2)": ("noncentral_chisquare", {"df": 3, "nonc": 2}),
    "noncentral_f(3, 20, 1.5)": ("noncentral_f", {"dfnum": 3, "dfden": 20, "nonc": 1.5}),
    "zipf(2.5)": ("zipf", {"a": 2.5}),
    "logseries(0.4, size=3)": ("logseries", {"p": 0.4}, (3,)),
    "hypergeometric(4, 5, 3)": ("hypergeometric", {"ngood": 4, "nbad": 5, "nsample": 3}),
    "standard_normal()": ("normal", NORMAL),
    "standard_normal(5)": ("normal", NORMAL, (5,)),
    "standard_exponential()": ("exponential", {"scale": 1.0}),
    "standard_exponential((2, 2))": ("exponential", {"scale": 1.0}, (2, 2)),
    "random()": ("random", {}),
    "random(3)": ("random", {}, (3,)),
    "permutation(5)": ("permutation", {"x": 5}),
    "permutation([0.5, 1.5, 2.5])": ("permutation", {"x": [0.5, 1.5, 2.5]}),
    "permutation(np.array([3, 1]))": ("permutation", {"x": [3, 1]}),
    "choice(5)": choice(5),
    "choice(np.array(5))": choice(5),
    "choice([0, 1])": choice([0, 1]),
    "choice((0.5, 2))": choice((0.5, 2)),
    "choice([True, False], p=[0.75, 0.25])": choice([True, False], p=[0.75, 0.25]),
    "choice(['a', 'bcd'])": choice(["a", "bcd"]),
    "choice([None, 1, 'x'])": choice([None, 1, "x"]),
    "choice(np.arange(3.0))": choice([0.0, 1.0, 2.0]),
    "choice(4, 2, False)": (*choice(4, replace=False), (2,)),
    "choice(4, size=(2, 2))": (*choice(4), (2, 2)),
    "choice(['a', 'bcd'], 5, p=np.array([0.5, 0.5]))": (*choice(["a", "bcd"], p=[0.5, 0.5]), (5,)),
}
CALLS = {
    "np.random.Generator": {
        **NUMPY_CALLS,
        "choice([[1, 2], [3, 4]])": choice([[1, 2], [3, 4]]),
        "choice([[1, 2], [3, 4]], size=3)": (*choice([[1, 2], [3, 4]]), (3,)),
        "integers(10)": integers(0, 10),
        "integers(5, 10)": integers(5, 10),
        "integers(0, 10, endpoint=True)": integers(0, 10, endpoint=True),
        "integers(10, endpoint=True)": integers(0, 10, endpoint=True),
        "integers(-3, 3, 4)": (*integers(-3, 3), (4,)),
        "integers(2, size=(1, 2))": (*integers(0, 2), (1, 2)),
        "integers(np.int64(7))": integers(0, 7),
    },
    "np.random.RandomState": {
        **NUMPY_CALLS,
        "randint(10)": integers(0, 10),
        "randint(2, 5, size=3)": (*integers(2, 5), (3,)),
        "random_integers(2, 9)": integers(2, 9, endpoint=True),
        "random_integers(9)": integers(1, 9, endpoint=True),
        "random_sample()": ("random", {}),
        "random_sample(2)": ("random", {}, (2,)),
        "rand()": ("random", {}),
        "rand(2, 3)": ("random", {}, (2, 3)),
        "randn()": ("normal", NORMAL),
        "randn(4)": ("normal", NORMAL, (4,)),
    },
    "random.Random": {
        "random()": ("random", {}),
        "uniform(-1, 2.5)": ("uniform", {"low": -1, "high": 2.5}),
        "uniform(np.float64(-1), 2.5)": ("uniform", {"low": -1.0, "high": 2.5}),
        "expovariate(3)": ("exponential", {"scale": 1.0 / 3}),
        "expovariate(lambd=0.3)": ("exponential", {"scale": 1.0 / 0.3}),
        "gauss(0, 2)": ("normal", {"loc": 0, "scale": 2}),
        "gauss(mu=1.0, sigma=2.0)": ("normal", {"loc": 1.0, "scale": 2.0}),
        "betavariate(1, 2.5)": ("beta", {"a": 1, "b": 2.5}),
        "gammavariate(2.0, 3)": ("gamma", {"shape": 2.0, "scale": 3}),
        "lognormvariate(0.5, 2)": ("lognormal", {"mean": 0.5, "sigma": 2}),
        "weibullvariate(2.0, beta=1.5)": ("weibull", {"scale": 2.0, "a": 1.5}),
        "paretovariate(3)": ("pareto", {"a": 3, "loc": 1.0}),
        "normalvariate(1.0, 2.0)": ("normal", {"loc": 1.0, "scale": 2.0}),
        "randint(1, 6)": integers(1, 6, endpoint=True),
        "randrange(6)": integers(0, 6),
        "randrange(2, 6)": integers(2, 6),
        "choice([1, 2.5, 'x', None, True])": choice([1, 2.5, "x", None, True]),
        "choice('abc')": choice("abc"),
        "choice((1, 2))": choice((1, 2)),
        "choice(range(4))": choice([0, 1, 2, 3]),
        "choice([np.float64(1), 2])": choice([1.0, 2]),
        "choice([[1], [2, 3]])": choice([[1], [2, 3]]),
        "sample([1, 2.5, None], 2)": (*choice([1, 2.5, None], replace=False), (2,)),
        "sample(range(4), k=3)": (*choice([0, 1, 2, 3], replace=False), (3,)),
        "sample([[1], [2, 3]], 1)": (*choice([[1], [2, 3]], replace=False), (1,)),
        "sample([1, 2], 0)": (*choice([1, 2], replace=False), (0,)),
        "choices('abc')": choice("abc"),
        "choices(range(3), weights=[1, 2, 5.0])": ("choice", {"a": [0, 1, 2], "replace": True, "p": [1, 2, 5.0]}),
    },
}
CASES = [pytest.param(kind, call, id=f"{kind}.{call}") for kind, calls in CALLS.items() for call in calls]
SOURCE = """
import random
import numpy as np

def m(rng: {kind}, x):
    d = rng.{call}
    numpy = isinstance(d, (np.ndarray, np.generic))
    return type(d).__name__, d.dtype.str if numpy else "", np.shape(d), d.tolist() if numpy else d
"""
# RandomState.random_integers says at every call that it is deprecated.
pytestmark = pytest.mark.filterwarnings("ignore:This function is deprecated")


def plain(value):
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else value


def made_here(source, rng, runs=RUNS):
    """The outputs of the function, called in this process with a real generator."""
    space = {}
    exec(textwrap.dedent(source), space)
    return [space["m"](rng, 0) for _ in range(runs)]


def drawn_here(call, rng, runs=RUNS):
    return [plain(eval(f"rng.{call}", {"rng": rng, "np": np})) for _ in range(runs)]


@pytest.mark.parametrize(("kind", "call"), CASES)
def test_a_replayed_draw_is_the_real_one(shared_runner, write, kind, call):
    source = SOURCE.format(kind=kind, call=call)
    distribution, parameters, size = (*CALLS[kind][call], None)[:3]
    values = drawn_here(call, MAKERS[kind](7))
    if call.startswith("choices"):
        values = [item for (item,) in values]
    event = DrawEvent(distribution, tuple(parameters.items()), size, None, values)
    shared_runner.load(write(source))
    replayed = shared_runner.replay(ReplayRequest(DataValue(0, "scalar"), {}, RUNS, [event]))

    assert replayed.complaints == ()
    assert replayed.wrong_runs == 0
    assert typed(replayed.batch.outputs()) == typed(made_here(source, MAKERS[kind](7)))


def typed(value):
    """Values with their types; sequences are alike, since tuples inside arrays come back as lists."""
    return list(map(typed, value)) if isinstance(value, list | tuple) else (type(value).__name__, value)


@pytest.mark.parametrize("kind", CALLS)
def test_every_method_of_the_vocabulary_is_replayed(kind):
    """Those that give nothing are in `test_runner_replay_sources.py`."""
    giving = {name for name, draw in program_draws(FAMILIES[kind]).items() if not draw.in_place}

    assert giving == {call.partition("(")[0] for call in CALLS[kind]}


# What is no constant in a program's tree.
LOWERED = [case for case in CASES if not any(text in case.values[1] for text in ("np.", "range(4)", "range(3)"))]


@pytest.mark.parametrize(("kind", "call"), LOWERED)
def test_the_lowering_reads_the_call_in_the_same_way(tmp_path, kind, call):
    """The other side of the comparison: what a program says of the same call."""
    path = tmp_path / "module.py"
    path.write_text(
        "import random\nimport numpy as np\nfrom dplint import dp\n\n"
        f"@dp(epsilon=1.0, neighbors='any', domain=[0, 1])\ndef m(rng: {kind}, x):\n    return rng.{call}\n"
    )
    read = read_source(path, file="module.py", table={})
    (found,) = read.mechanisms
    assert read.module is not None
    assert isinstance(found.node, cst.FunctionDef)
    program = lower(found.node, read.module, found.mechanism)
    assert isinstance(program, ir.Program)
    (statement,) = program.body
    assert isinstance(statement, ir.Return)
    draw = statement.value
    if call.startswith("choices"):
        assert isinstance(draw, ir.ListDisplay)
        (draw,) = draw.elements
    assert isinstance(draw, ir.Draw)
    distribution, parameters, size = (*CALLS[kind][call], None)[:3]
    lowered_size = None if draw.size is None else value_of(draw.size)

    assert draw.distribution == distribution
    assert {name: value_of(value) for name, value in draw.parameters} == parameters
    assert (tuple(np.empty(lowered_size).shape) if lowered_size is not None else None) == size


def value_of(node):
    match node:
        case ir.Constant(value):
            return value
        case ir.ListDisplay(elements):
            return [value_of(item) for item in elements]
        case ir.TupleDisplay(elements):
            return tuple(value_of(item) for item in elements)
        case ir.Binary("/", left, right):
            return value_of(left) / value_of(right)
        case ir.Binary("+", left, right):
            return value_of(left) + value_of(right)
        case _:
            return -value_of(node.operand)


SPECIAL = [math.inf, -math.inf, math.nan, -0.0, 0.0, 5e-324, 1.7976931348623157e308]


@pytest.mark.parametrize("as_array", [False, True])
def test_floats_survive_to_the_last_bit(shared_runner, write, as_array):
    shared_runner.load(write("def m(rng, x):\n    d = rng.laplace(x)\n    return d.hex()"))
    values = np.array(SPECIAL) if as_array else SPECIAL
    event = DrawEvent("laplace", (("loc", -0.0), ("scale", 1.0)), None, None, values)
    replayed = shared_runner.replay(ReplayRequest(DataValue(-0.0, "scalar"), {}, len(SPECIAL), [event]))

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [value.hex() for value in SPECIAL]


def test_arrays_of_floats_survive_and_belong_to_their_run(shared_runner, write):
    """The function changes what it has drawn; no other run, and no later draw of the same run, sees it."""
    shared_runner.load(
        write("""
        def m(rng, x):
            a, b = rng.laplace(size=2), rng.laplace(size=2)
            shown = [float(item).hex() for item in (*a, *b)]
            a[:] = 99
            b.sort()
            return shown
    """)
    )
    pairs = [[first, second] for first in SPECIAL for second in SPECIAL]
    events = [
        DrawEvent("laplace", (("loc", 0.0), ("scale", 1.0)), (2,), None, values)
        for values in (np.array(pairs), [row[::-1] for row in pairs])
    ]
    replayed = shared_runner.replay(ReplayRequest(DataValue(0, "scalar"), {}, len(pairs), events))

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [[item.hex() for item in (*row, *row[::-1])] for row in pairs]


def test_choices_belong_to_their_run(shared_runner, write):
    """`random.choice` gives the item itself: identity holds, and a change is seen in this run only."""
    shared_runner.load(
        write("""
        import random
        def m(x):
            items = [[1], [2]]
            item = random.choice(items)
            item.append(3)
            return items
    """)
    )
    event = DrawEvent("choice", (("a", [[1], [2]]), ("replace", True), ("p", None)), None, None, [[1], [2], [1], [1]])
    replayed = shared_runner.replay(ReplayRequest(DataValue(0, "scalar"), {}, 4, [event]))

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [[[1, 3], [2]], [[1], [2, 3]], [[1, 3], [2]], [[1, 3], [2]]]


@pytest.mark.parametrize("call", ["random.choices([1, 2], k=2)", "random.choices([1, 2], cum_weights=[1, 2])"])
def test_choices_that_no_program_makes(shared_runner, write, call):
    shared_runner.load(write(f"import random\ndef m(x):\n    return {call}"))
    replayed = shared_runner.replay(ReplayRequest(DataValue(0, "scalar"), {}, 1, []))

    assert replayed.wrong_runs == 1


@pytest.mark.parametrize(
    ("call", "event", "reason"),
    [
        ("integers(5)", (*integers(0, 5), [2.5]), "cannot give 2.5"),
        ("geometric(0.5)", ("geometric", {"p": 0.5}, ["a"]), "cannot give 'a'"),
        ("laplace(size=2)", ("laplace", NORMAL, [[1.0, 2.0, 3.0]]), "cannot give [1.0, 2.0, 3.0]"),
        ("choice([1, 2])", (*choice([1, 2]), [3]), "cannot give 3"),
        ("choice(5)", (*choice(5), [5]), "cannot give 5"),
        ("choice([1, 2], size=2)", (*choice([1, 2]), [[1, 4]]), "cannot give [1, 4]"),
        ("permutation([1, 2])", ("permutation", {"x": [1, 2]}, [[1, 3]]), "cannot give [1, 3]"),
    ],
)
def test_what_the_method_could_not_have_given_is_a_complaint(shared_runner, write, call, event, reason):
    shared_runner.load(write(f"def m(rng, x):\n    return rng.{call}"))
    distribution, parameters, values = event
    size = (2,) if "size" in call else None
    recorded = DrawEvent(distribution, tuple(parameters.items()), size, None, values)
    replayed = shared_runner.replay(ReplayRequest(DataValue(0, "scalar"), {}, 1, [recorded]))

    assert replayed.wrong_runs == 1
    assert reason in replayed.complaints[0]
