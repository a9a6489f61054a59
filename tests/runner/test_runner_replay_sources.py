"""Where draws come from: every generator in reach answers from the recorded draws, and no other draw goes unnoticed."""

from __future__ import annotations

import itertools
import random

import numpy as np
import pytest
from replay_tools import RUNS, events_of, laplace, recorded, replay
from scipy import stats

from dplint.runner.client import DataValue, DrawEvent, SampleRequest

SOURCES = {
    "numpy.random": ("import numpy as np", "np.random"),
    "an alias": ("import numpy.random as nr", "nr"),
    "a generator made inside": ("import numpy as np", "np.random.default_rng()"),
    "a RandomState made inside": ("import numpy as np", "np.random.RandomState()"),
    "a generator of the module": ("import numpy as np\nR = np.random.default_rng()", "R"),
    "a seeded generator of the module": ("import numpy as np\nR = np.random.RandomState(5)", "R"),
    "a generator of a class": ("import numpy as np\nclass C:\n    R = np.random.default_rng()", "C.R"),
    "a maker, imported": ("from numpy.random import default_rng", "default_rng(None)"),
}


@pytest.mark.parametrize("source", SOURCES)
def test_numpys_draws_are_replayed_wherever_they_are_made(shared_runner, write, source):
    imports, generator = SOURCES[source]
    body = "def m(x): return x + G.laplace(scale=2.0)"
    outputs, logs = recorded(body, 1.0)
    replayed = replay(shared_runner, write(f"{imports}\n{body.replace('G', generator)}"), events_of(logs), 1.0, RUNS)

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == outputs


PYTHON_SOURCES = {
    "random": ("import random", "random."),
    "imported functions": ("from random import random, uniform", ""),
    "made inside": ("import random", "random.Random()."),
    "the system's": ("import random", "random.SystemRandom()."),
    "of the module": ("import random\nR = random.Random()", "R."),
}


@pytest.mark.parametrize("source", PYTHON_SOURCES)
def test_pythons_draws_are_replayed_wherever_they_are_made(shared_runner, write, source):
    imports, prefix = PYTHON_SOURCES[source]
    body = "def m(x): return G.random() + G.uniform(0.0, x)"
    outputs, logs = recorded(body, 4.0)
    replayed = replay(shared_runner, write(f"{imports}\n{body.replace('G.', prefix)}"), events_of(logs), 4.0, RUNS)

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == outputs


def test_several_generators_share_one_order(shared_runner, write):
    mechanism = write("""
        import random
        import numpy as np
        R = np.random.default_rng()
        def m(rng, x):
            return [rng.laplace(), random.gauss(0, 1), np.random.laplace(), R.laplace(), (rng or R).laplace(),
                    np.random.default_rng(rng).laplace()]
    """)
    normal = DrawEvent("normal", (("loc", 0), ("scale", 1)), None, None, [2.0])
    events = [laplace([1.0]), normal, *(laplace([value]) for value in (3.0, 4.0, 5.0, 6.0))]

    assert replay(shared_runner, mechanism, events).batch.outputs() == [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]


def test_the_discrete_laplace_draws_of_scipy_are_replayed(shared_runner, write):
    """With the types that SciPy gives: loc is added, and what is behind the point is cut off."""
    mechanism = write("""
        import numpy as np
        from scipy.stats import dlaplace
        def m(rng, x):
            drawn = [dlaplace.rvs(0.5, random_state=rng), dlaplace(0.5).rvs(), dlaplace.rvs(0.5, loc=np.float64(2.5)),
                     dlaplace(0.5, 3).rvs(random_state=rng), dlaplace.rvs(0.5, size=2).tolist(),
                     dlaplace.rvs(0.5, loc=[1, 2.5], size=2, random_state=rng).tolist()]
            return drawn, [type(one).__name__ for one in drawn]
    """)
    numbers = [DrawEvent("discrete_laplace", (("a", 0.5),), None, None, [k]) for k in (-3, 4, -4, 5)]
    arrays = [DrawEvent("discrete_laplace", (("a", 0.5),), (2,), None, [np.array(row)]) for row in ([6, -7], [8, -9])]
    replayed = replay(shared_runner, mechanism, [*numbers, *arrays])

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [
        ([-3, 4, -1, 8, [6, -7], [9, -6]], ["int", "int", "int", "int", "list", "list"])
    ]


def test_the_continuous_draws_of_scipy_are_replayed(shared_runner, write):
    """Numbers of NumPy's, as SciPy gives them; what is no parameter of the law is multiplied and added."""
    mechanism = write("""
        from scipy import stats
        def m(rng, x):
            drawn = [stats.laplace.rvs(1, 2), stats.norm(scale=3).rvs(random_state=rng), stats.expon.rvs(5, 2),
                     stats.uniform.rvs(-1, 2), stats.gumbel_r.rvs(size=2)]
            return [type(one).__name__ for one in drawn] + [float(one) for one in drawn[:4]] + drawn[4].tolist()
    """)
    asked = [
        ("laplace", {"loc": 1, "scale": 2}, 0.5),
        ("normal", {"loc": 0.0, "scale": 3}, 1.5),
        ("exponential", {"scale": 2}, 2.5),
        ("uniform", {"low": 0.0, "high": 1.0}, 0.25),
    ]
    events = [DrawEvent(name, tuple(given.items()), None, None, [value]) for name, given, value in asked]
    gumbel = DrawEvent("gumbel", (("loc", 0.0), ("scale", 1.0)), (2,), None, [np.array([3.0, 4.0])])

    replayed = replay(shared_runner, mechanism, [*events, gumbel])

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [["float64"] * 4 + ["ndarray", 0.5, 1.5, 7.5, -0.5, 3.0, 4.0]]


def test_shuffles_are_replayed_in_place(shared_runner, write):
    """An order says which item comes first, second, ...; lists stay lists and arrays arrays."""
    mechanism = write("""
        import random
        import numpy as np
        def m(rng, x):
            items, array, names = [10, 20, 30], np.array([0.5, 1.5, 2.5]), ["a", "b"]
            given = [rng.shuffle(items), np.random.shuffle(array), random.shuffle(names)]
            return items, array.tolist(), type(array).__name__, names, given
    """)
    orders = ([[2, 0, 1], [1, 0, 2]], [[0, 2, 1], [0, 1, 2]], [[1, 0], [0, 1]])
    events = [DrawEvent("permutation", (("x", len(two[0])),), None, None, np.array(two)) for two in orders]

    replayed = replay(shared_runner, mechanism, events, runs=2)

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [
        ([30, 10, 20], [0.5, 2.5, 1.5], "ndarray", ["b", "a"], [None] * 3),
        ([20, 10, 30], [0.5, 1.5, 2.5], "ndarray", ["a", "b"], [None] * 3),
    ]


def test_a_shuffle_of_another_length_is_told(shared_runner, write):
    mechanism = write("def m(rng, x):\n    rng.shuffle([1, 2])\n    return 1")
    event = DrawEvent("permutation", (("x", 3),), None, None, np.array([[2, 0, 1]]))

    assert (
        "asked for permutation(x=2), the program for permutation(x=3)"
        in replay(shared_runner, mechanism, [event]).complaints[0]
    )


BYPASSES = {
    "scipy": ("from scipy import stats", "stats.gamma.rvs(2)", "rvs of scipy.stats"),
    "scipy, frozen": ("from scipy import stats", "stats.gamma(2, scale=2).rvs()", "rvs of scipy.stats"),
    "scipy with the generator": ("from scipy import stats", "stats.gamma.rvs(2, random_state=rng)", "scipy.stats"),
    "scipy with a state": ("from scipy import stats", "stats.dlaplace.rvs(0.5, random_state=object())", "of its own"),
    "scipy, many dimensions": (
        "from scipy import stats",
        "stats.multivariate_normal([0.0, 0.0]).rvs()",
        "Generator|RandomState|does not reach",
    ),
    "secrets": ("import secrets", "secrets.randbelow(9)", "the function asked for"),
    "secrets, a choice": ("import secrets", "secrets.choice([1, 2])", "the function asked for"),
    "urandom": ("from os import urandom", "urandom(2)[0]", "the operating system for random bytes"),
    "a uuid": ("import uuid", "uuid.uuid4().int", "the operating system for random bytes"),
    "an unseeded bit generator": ("import numpy as np", "np.random.PCG64().random_raw()", "PCG64"),
    "a generator from bits": ("import numpy as np", "np.random.Generator(np.random.PCG64()).laplace()", "PCG64"),
    "bits of the module": ("import numpy as np\nB = np.random.PCG64()", "B.random_raw()", "a bit generator's"),
    "bits of the generator": ("", "rng.bit_generator.random_raw()", "Generator.bit_generator"),
    "a child": ("", "rng.spawn(1)[0].laplace()", "Generator.spawn"),
    "a copy": ("import copy", "copy.deepcopy(rng).laplace()", "Generator.__deepcopy__"),
    "a pickle": ("import pickle", "pickle.loads(pickle.dumps(rng)).laplace()", "Generator.__reduce_ex__"),
    "a fresh seed": (
        "import numpy as np",
        "np.random.default_rng(np.random.SeedSequence()).laplace()",
        "the operating",
    ),
    "bits of the module, for a generator": (
        "import numpy as np\nB = np.random.PCG64(3)",
        "np.random.default_rng(B).laplace()",
        "default_rng with a seed",
    ),
    "no seed": ("import numpy as np", "np.random.seed()", "seed with no seed"),
    "None for a seed": ("import random", "random.seed(None)", "seed with no seed"),
    "the seed of a generator": ("import random", "random.Random().seed(3)", "Random.seed"),
    "Python's state": ("import random", "random.getstate()", "Random.getstate"),
    "a shuffle along an axis": ("", "rng.shuffle([[1], [2]], axis=0)", "Generator.shuffle of more than the items"),
    "items in other orders": ("", "rng.permuted([1, 2])", "Generator.permuted"),
    "NumPy's own global generator": ("import numpy as np", "np.random.mtrand._rand.laplace()", "does not reach"),
    "Python's own global generator": ("import random", "random._inst.random()", "does not reach"),
    "a generator in a list": ("import numpy as np\nR = [np.random.default_rng()]", "R[0].laplace()", "does not reach"),
    "a Random in a dict": ("import random\nR = {'r': random.Random()}", "R['r'].random()", "does not reach"),
}


@pytest.mark.parametrize("bypass", BYPASSES)
def test_no_draw_passes_by(shared_runner, write, bypass):
    imports, expression, words = BYPASSES[bypass]
    replayed = replay(shared_runner, write(f"{imports}\ndef m(rng, x):\n    {expression}\n    return 1"), [])

    assert replayed.wrong_runs == 1
    assert any(word in replayed.complaints[0] for word in words.split("|"))


SEEDED = {
    "a seeded generator": "np.random.default_rng(3).laplace()",
    "a seeded RandomState": "np.random.RandomState(3).laplace()",
    "a seeded Random": "random.Random(3).random()",
    "bits with a seed": "np.random.Generator(np.random.Philox(3)).random()",
    "scipy with a seed": "stats.dlaplace.rvs(0.5, random_state=3)",
    "scipy with a seeded generator": "stats.norm.rvs(2, random_state=np.random.default_rng(3))",
    "NumPy's own": "(np.random.seed(3), np.random.laplace(), stats.norm.rvs())[1:]",
    "Python's own": "(random.seed(3), random.random())[1]",
}


@pytest.mark.parametrize("name", SEEDED)
def test_what_a_seed_gives_is_given_in_every_run_of_a_replay(shared_runner, write, name):
    head = "import random\nimport numpy as np\nfrom scipy import stats\n"
    mechanism = write(f"{head}def m(rng, x):\n    return {SEEDED[name]}, rng.laplace()")
    plain = eval(SEEDED[name], {"np": np, "random": random, "stats": stats})  # our own text, and NumPy's own numbers
    noise = DrawEvent("laplace", (("loc", 0.0), ("scale", 1.0)), None, None, np.array([0.5, 1.5]))

    replayed = replay(shared_runner, mechanism, [noise], runs=2)

    assert replayed.complaints == ()
    assert replayed.batch.outputs() == [(plain, 0.5), (plain, 1.5)]


def test_a_seed_is_forgotten_when_the_next_run_begins(shared_runner, write):
    mechanism = write("import numpy as np\ndef m(x):\n    x = np.random.random()\n    np.random.seed(3)\n    return x")
    drawn = DrawEvent("random", (), None, None, np.array([0.25, 0.5]))

    replayed = replay(shared_runner, mechanism, [drawn], runs=2)

    assert replayed.batch.outputs() == [0.25, 0.5]


def test_everything_draws_again_after_a_replay(shared_runner, write):
    """And what a replay has closed is open again, in the same runner."""
    mechanism = write("""
        import os, random, secrets
        import numpy as np
        R = np.random.default_rng()
        def m(rng, x):
            return [rng.laplace(), np.random.laplace(), random.random(), R.laplace(), os.urandom(8).hex(),
                    secrets.randbelow(2**40), np.random.default_rng(5).random(), random.Random(5).random(),
                    isinstance(R, np.random.Generator)]
    """)
    replay(shared_runner, mechanism, [], runs=3)
    outputs = shared_runner.sample(SampleRequest((DataValue(0.0, "scalar"),), runs=2))[0].outputs()

    for one, other in itertools.pairwise(outputs):
        assert all(a != b for a, b in zip(one[:6], other[:6], strict=True))
        assert one[6:] == other[6:]
    assert outputs[0][8] is True


def test_a_function_of_a_package_that_draws_is_replayed(own_runner, tmp_path, monkeypatch, write):
    """By its full name, however the module got it; what it is given is compared, and its errors are those of a user."""
    package = tmp_path / "elsewhere" / "tmlt" / "core" / "random"
    package.mkdir(parents=True)
    (package / "discrete_gaussian.py").write_text("""
import random

def sample_dgauss(sigma_squared):
    if sigma_squared < 0:
        raise ValueError("sigma_squared must be positive.")
    return random.randrange(10**6, 10**7)
""")
    mechanism = write(f"""
        import sys
        sys.path.insert(0, {str(tmp_path / "elsewhere")!r})
        from tmlt.core.random import discrete_gaussian
        from tmlt.core.random.discrete_gaussian import sample_dgauss as noise
        def m(rng, x):
            try:
                noise(-1.0)
            except ValueError:
                return noise(4), discrete_gaussian.sample_dgauss(sigma_squared=2.5), type(noise(4)).__name__
    """)
    events = [
        DrawEvent("discrete_gaussian", (("sigma_squared", square),), None, None, [k])
        for square, k in ((4, -3), (2.5, 5), (4, 0))
    ]

    assert replay(own_runner, mechanism, events).batch.outputs() == [(-3, 5, "int")]
    assert replay(own_runner, mechanism, events[1:]).complaints != ()
