"""Runs without noise: every draw is its centre, wherever it is drawn, and afterwards everything is as before."""

from __future__ import annotations

import contextlib
import random

import numpy as np
import pytest

from dplint.runner.batch import Raised
from dplint.runner.client import DataValue, SampleRequest
from dplint.runner.noise_free import (
    FEWER_DRAWS,
    MOST_DRAWS,
    NoiseFreeGenerator,
    NoiseFreePatches,
    NoiseFreeRandom,
    NoiseFreeRandomState,
    NoNoiseFreeOutput,
)

QUIET = SampleRequest((DataValue([3.0, 1.0]),), noise_free=True)
LOUD = SampleRequest((DataValue([3.0, 1.0]),))
ZERO = {
    "passed in": ("", "m(rng, queries)", "rng.laplace()"),
    "passed in, RandomState": ("", "m(rng, queries)", "rng.randn() + rng.laplace(scale=2)"),
    "passed in, Random": ("", "m(rng, queries)", "rng.gauss(0, 1) + rng.expovariate(1)"),
    "numpy.random": ("import numpy as np", "m(queries)", "np.random.laplace(scale=3) + np.random.standard_normal()"),
    "imported name": (
        "from numpy.random import laplace, default_rng",
        "m(queries)",
        "laplace() + default_rng().normal()",
    ),
    "random": ("import random", "m(queries)", "random.gauss(0, 1) + random.Random(5).uniform(-1, 1)"),
    "imported from random": ("from random import gauss, Random", "m(queries)", "gauss(0, 1) + Random().gauss(0, 3)"),
    "generators inside": (
        "import numpy as np",
        "m(queries)",
        "np.random.default_rng(4).normal() + np.random.RandomState(4).normal()"
        " + np.random.Generator(np.random.PCG64(1)).normal()",
    ),
    "of the module": ("import numpy as np\nG = np.random.default_rng()", "m(queries)", "G.normal()"),
    "of the class": (
        "import numpy as np\nclass Noise:\n    G = np.random.RandomState(3)",
        "m(queries)",
        "Noise.G.normal()",
    ),
    "alias of the module": ("import numpy.random as prng", "m(queries)", "prng.laplace() + prng.uniform(-1, 1)"),
    "scipy": ("from scipy import stats", "m(queries)", "stats.laplace.rvs(0, 2) + stats.norm(scale=3).rvs()"),
    "secrets": ("import secrets", "m(queries)", "secrets.randbelow(9) - 4.0"),
}


@pytest.mark.parametrize("source", ZERO)
def test_every_source_is_silent_and_sounds_again_afterwards(shared_runner, write, source):
    imports, signature, expression = ZERO[source]
    shared_runner.load(write(f"{imports}\ndef {signature}:\n    return float({expression})"))

    assert shared_runner.sample(QUIET)[0].outputs() == [0.0]
    assert shared_runner.sample(LOUD)[0].outputs() != [0.0]
    assert shared_runner.sample(QUIET)[0].outputs() == [0.0]


def test_the_noise_free_output_of_a_mechanism(shared_runner, write):
    shared_runner.load(write("def m(rng, queries): return [q + n for q, n in zip(queries, rng.laplace(size=2))]"))

    assert shared_runner.sample(QUIET)[0].outputs() == [[3.0, 1.0]]


def test_a_rejection_loop_ends_with_an_exception(shared_runner, write):
    shared_runner.load(write("def m(rng, queries):\n    while rng.random() > 0.2: pass\n    return 1"))

    assert shared_runner.sample(QUIET)[0].groups[0].skeleton == Raised("NoNoiseFreeOutput")


CENTRES = [
    ("laplace", (2, 1), 2),
    ("normal", (2, 1), 2),
    ("gumbel", (2, 1), 2),
    ("logistic", (2, 1), 2),
    ("exponential", (2,), 0),
    ("standard_exponential", (), 0),
    ("gamma", (2, 1), 0),
    ("rayleigh", (), 0),
    ("uniform", (2, 4), 3),
    ("random_sample", (), 0.5),
    ("geometric", (0.3,), 1),
    ("binomial", (10, 0.5), 5),
    ("poisson", (3.2,), 3),
    ("triangular", (0, 1, 5), 1),
    ("standard_cauchy", (), 0),
    ("beta", (1, 3), 0.25),
]


@pytest.mark.parametrize(("name", "args", "centre"), CENTRES)
def test_centres_have_the_shapes_that_numpy_gives(name, args, centre):
    """Against NumPy itself: scalar without size, arrays with size by keyword or position, and broadcast parameters."""
    noise_free, noisy_one = NoiseFreePatches().random_state, np.random.RandomState(1)
    cases = [(args, {}), (args, {"size": 3}), (args, {"size": (2, 3)}), (args, {"size": ()})]
    if args:
        cases.append((([args[0]] * 4, *args[1:]), {}))
    for given, named in cases:
        given_centre, noisy = getattr(noise_free, name)(*given, **named), getattr(noisy_one, name)(*given, **named)
        assert np.shape(given_centre) == np.shape(noisy)
        assert isinstance(given_centre, np.ndarray) == isinstance(noisy, np.ndarray)
        assert np.all(np.asarray(given_centre) == centre)


@pytest.mark.parametrize(
    ("name", "args"),
    [("laplace", (2, 1)), ("exponential", (2,)), ("uniform", (0, 1)), ("standard_normal", ()), ("geometric", (0.5,))],
)
def test_the_size_may_be_given_by_position(name, args):
    noise_free = NoiseFreePatches()

    assert getattr(noise_free.generator, name)(*args, 5).shape == (5,)
    assert getattr(noise_free.random_state, name)(*args, (2, 3)).shape == (2, 3)


def test_draws_that_pick_or_arrange():
    noise_free = NoiseFreePatches()
    for generator in (noise_free.generator, noise_free.random_state):
        items = [3, 1, 2]
        generator.shuffle(items)
        assert items == [3, 1, 2]
        assert generator.choice([5, 6]) == 5
        assert generator.choice(4, size=(2, 2)).tolist() == [[0, 0], [0, 0]]
        assert generator.choice([5, 6, 7], 2, False).tolist() == [5, 6]
        assert generator.permutation(3).tolist() == [0, 1, 2]
        assert generator.permutation([4, 3]).tolist() == [4, 3]
        assert generator.multivariate_normal([1, 2], np.eye(2), 3).tolist() == [[1, 2]] * 3
    assert noise_free.generator.integers(0, 10) == 4
    assert noise_free.generator.integers(0, 10, endpoint=True) == 5
    assert noise_free.generator.integers(2, size=3).tolist() == [0, 0, 0]
    assert noise_free.generator.random(3).tolist() == [0.5] * 3
    assert noise_free.generator.random((2, 1)).shape == (2, 1)
    assert noise_free.random_state.randint(7) == 3
    assert noise_free.random_state.rand(2, 2).tolist() == [[0.5, 0.5]] * 2
    assert noise_free.random.choice("ab") == "a"
    assert noise_free.random.sample([1, 2, 3], 2) == [1, 2]
    assert noise_free.random.randint(1, 3) == 2
    assert noise_free.random.randrange(0, 10, 2) == 4
    assert noise_free.random.choices([8, 9], k=2) == [8, 8]


@pytest.mark.parametrize(
    ("noise_free", "noisy_one"),
    [
        (NoiseFreeGenerator, np.random.Generator),
        (NoiseFreeRandomState, np.random.RandomState),
        (NoiseFreeRandom, random.Random),
    ],
)
def test_no_method_that_draws_is_forgotten(noise_free, noisy_one):
    """Everything public of the generator is either silenced or no draw."""
    no_draw = {"bit_generator", "spawn", "get_state", "set_state", "getstate", "setstate", "seed", "VERSION"}
    public = {name for name in dir(noisy_one) if not name.startswith("_")}

    assert public - set(vars(noise_free)) <= no_draw


def test_out_parameters_are_filled():
    target = np.ones(3)
    NoiseFreePatches().generator.standard_normal(out=target)

    assert target.tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("draw", "everybody", "given"),
    [
        (lambda rng: rng.random(3), None, 0.5),
        (lambda rng: rng.random(3), False, 0.5),
        (lambda rng: rng.random(3), True, 0.0),
        (lambda rng: rng.uniform(2.0, 4.0, 3), True, 2.0),
        (lambda rng: rng.binomial(1, 0.1, 3), True, 1),
        (lambda rng: rng.binomial(1, 0.1, 3), False, 0),
        (lambda rng: rng.normal(5.0, 2.0, 3), True, 5.0),
    ],
)
def test_draws_by_which_records_are_chosen_choose_all_on_demand(draw, everybody, given):
    patches = NoiseFreePatches()
    with patches.applied([], everybody=everybody):
        assert draw(np.random.default_rng(1)).tolist() == [given] * 3
    with patches.applied([]):
        assert np.random.default_rng(1).random() == 0.5


def test_torch_is_silenced_where_that_is_asked_for():
    torch = pytest.importorskip("torch")
    with NoiseFreePatches().applied([], everybody=True):
        assert torch.randn(3).tolist() == [0.0] * 3
        assert torch.normal(2.0, 1.0, (3,)).tolist() == [2.0] * 3
        assert (torch.rand(4) < 0.01).all()
        assert torch.empty(3).normal_(4.0, 1.0).tolist() == [4.0] * 3
    assert torch.randn(3).tolist() != [0.0] * 3


def drawn_until_it_gives_up(patches):
    patches.begin()
    generator, count = patches.of_kind("generator"), 0
    with contextlib.suppress(NoNoiseFreeOutput):
        while count <= MOST_DRAWS:
            generator.normal()
            count += 1
    return count


def test_what_once_came_to_no_end_is_given_up_sooner_until_there_is_another_mechanism():
    """A rejection sampler would take a second for each input otherwise, whatever the time limit."""
    patches = NoiseFreePatches()
    assert [drawn_until_it_gives_up(patches) for _ in range(3)] == [MOST_DRAWS, FEWER_DRAWS, FEWER_DRAWS]
    assert drawn_until_it_gives_up(NoiseFreePatches()) == MOST_DRAWS
