"""Traced runs of libraries that make noise of bits of their own: recorded is what a mechanism adds, over its scale.

The stand-ins have the shape of the libraries; where these are installed they are traced themselves.
"""

import sys

import numpy as np
import pytest

from dplint.audit.models.leaves import transformed
from dplint.runner.client import GivenNoise, Runner
from tests.runner.test_runner_tracing import traced

pytestmark = pytest.mark.process

OPENDP = """
import sys, types, random

class Measurement:
    def __init__(self, measure, scale, whole=False):
        self.output_measure, self.scale, self.whole = measure, scale, whole

    def map(self, moved):
        return moved / self.scale if self.output_measure == "MaxDivergence" else moved ** 2 / (2 * self.scale ** 2)

    def __call__(self, value):
        if isinstance(value, list):
            return [each + self.scale * random.gauss(0, 1) for each in value]
        return round(value + random.random()) if self.whole else value + self.scale * random.gauss(0, 1)

    invoke = __call__

library = types.ModuleType("opendp.mod")
library.Measurement = Measurement
sys.modules["opendp.mod"] = library

def m(rng, data):
    return {}
"""
ADDED = {
    "opendp": (OPENDP, "Measurement('MaxDivergence', 4.0)(10.0)", "laplace", 10.0, 4.0),
    "invoked": (OPENDP, "Measurement('MaxDivergence', 4.0).invoke(10.0)", "laplace", 10.0, 4.0),
    "concentrated": (OPENDP, "Measurement('ZeroConcentratedDivergence', 4.0)(1.0)", "normal", 1.0, 4.0),
}


@pytest.mark.parametrize("case", ADDED.values(), ids=ADDED)
def test_what_a_mechanism_adds_is_a_draw(shared_runner, write, case):
    head, call, law, value, scale = case
    (trace,) = traced(shared_runner, write(head.format(call)))

    outputs = list(trace.batch.outputs())
    assert len(set(outputs)) == 5
    for output, run in zip(outputs, trace.draws, strict=True):
        assert run.laws == (law,)
        assert run.values == pytest.approx([(output - value) / scale])


def test_vectors_have_a_draw_for_each_number(shared_runner, write):
    (trace,) = traced(shared_runner, write(OPENDP.format("Measurement('MaxDivergence', 4.0)([1.0, 2.0])")))

    for output, run in zip(trace.batch.outputs(), trace.draws, strict=True):
        assert run.laws == ("laplace", "laplace")
        assert run.values == pytest.approx([(output[0] - 1) / 4, (output[1] - 2) / 4])


@pytest.mark.parametrize("call", ["Measurement('MaxDivergence', 4.0, whole=True)(3)", "Measurement('Other', 4.0)(3.0)"])
def test_what_is_no_sum_of_a_number_and_noise(shared_runner, write, call):
    (trace,) = traced(shared_runner, write(OPENDP.format(call)))

    assert trace.draws == (None,) * 5


def test_opendp_itself(own_runner, write):
    pytest.importorskip("opendp")
    source = """
import opendp.prelude as dp

dp.enable_features("contrib")
NUMBER = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
LAPLACE, GAUSSIAN = dp.m.make_laplace(*NUMBER, scale=4.0), dp.m.make_gaussian(*NUMBER, scale=5.0)
COUNT = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=4.0)

def m(rng, data):
    return {}
"""
    (trace,) = traced(own_runner, write(source.format("[LAPLACE(10.0), GAUSSIAN(-3.0)]")))
    for (one, two), run in zip(trace.batch.outputs(), trace.draws, strict=True):
        assert run.laws == ("laplace", "normal")
        assert run.values == pytest.approx([(one - 10) / 4, (two + 3) / 5])

    (trace,) = traced(own_runner, write(source.format("COUNT(5)")))
    assert trace.draws == (None,) * 5


SYSTEM = """
import random, secrets

class Noise:
    def __init__(self):
        self.generator = random.SystemRandom()

HELD = Noise()

def m(rng, data):
    return {}
"""


@pytest.mark.parametrize(
    ("call", "law"),
    [
        ("HELD.generator.gauss(0.0, 2.0)", "normal"),
        ("HELD.generator.random()", "random"),
        ("secrets.SystemRandom().normalvariate(0.0, 2.0)", "normal"),
        ("secrets.randbelow(1000000)", None),
    ],
)
def test_generators_of_the_system_are_recorded_wherever_they_are_held(shared_runner, write, call, law):
    (trace,) = traced(shared_runner, write(SYSTEM.format(call)))

    outputs = list(trace.batch.outputs())
    assert len(set(outputs)) == 5
    for output, run in zip(outputs, trace.draws, strict=True):
        assert law is None or run.laws == (law,)
        scale = 2.0 if law == "normal" else 1.0
        assert run.values == pytest.approx((output / scale,))


def test_diffprivlib_itself(own_runner, write):
    pytest.importorskip("diffprivlib")
    source = """
from diffprivlib.mechanisms import Gaussian, Laplace
from diffprivlib.tools import count_nonzero

HELD = Laplace(epsilon=0.5, delta=0.1, sensitivity=3.0)

def m(rng, data):
    return {}
"""
    calls = {
        "HELD.randomise(10.0)": (10.0, 3 / (0.5 - np.log(0.9))),
        "Laplace(epsilon=0.5, sensitivity=3.0).randomise(10.0)": (10.0, 6.0),
    }
    for call, (value, scale) in calls.items():
        (trace,) = traced(own_runner, write(source.format(call)))
        for output, run in zip(trace.batch.outputs(), trace.draws, strict=True):
            assert run.laws == ("random",) * 4
            assert not run.documented
            noise = transformed("laplace of four", run.laws, np.array(run.values)[:, None])
            assert noise[:, 0] == pytest.approx([(output - value) / scale, 0, 0, 0])

    call = "Gaussian(epsilon=0.5, delta=0.01, sensitivity=3.0).randomise(10.0)"
    (trace,) = traced(own_runner, write(source.format(call)))
    scale = 3.0 * np.sqrt(2 * np.log(1.25 / 0.01)) / 0.5
    for output, run in zip(trace.batch.outputs(), trace.draws, strict=True):
        assert run.laws == ("normal", "normal")
        assert sum(run.values) / np.sqrt(2) == pytest.approx((output - 10) / scale)


TORCH = {
    "normal": ("torch.normal(2.0, 3.0, size=(2,)).tolist()", "normal", 2.0, 3.0),
    "two tensors": ("torch.normal(torch.zeros(2), torch.ones(2)).tolist()", "normal", 0.0, 1.0),
    "randn": ("torch.randn(2, dtype=torch.float64).tolist()", "normal", 0.0, 1.0),
    "randn_like": ("torch.randn_like(torch.zeros(2)).tolist()", "normal", 0.0, 1.0),
    "rand": ("torch.rand(2).tolist()", "random", 0.0, 1.0),
    "Laplace": ("torch.distributions.Laplace(1.0, 4.0).sample((2,)).tolist()", "laplace", 1.0, 4.0),
    "rsample": ("torch.distributions.Laplace(torch.zeros(2), 4.0).rsample().tolist()", "laplace", 0.0, 4.0),
    "Gumbel": ("torch.distributions.Gumbel(0.0, 4.0).sample((2,)).tolist()", "gumbel", 0.0, 4.0),
    "Normal": ("torch.distributions.Normal(0.0, 4.0).sample((2,)).tolist()", "normal", 0.0, 4.0),
    "Exponential": ("torch.distributions.Exponential(0.25).sample((2,)).tolist()", "exponential", 0.0, 4.0),
    "filled": ("torch.zeros(2).normal_(0, 4.0).tolist()", "normal", 0.0, 4.0),
    "uniform": ("torch.zeros(2).uniform_(-1, to=3).tolist()", "uniform", -1.0, 4.0),
    "seed": ("torch.manual_seed(3) and torch.randn(2).tolist()", None, 0.0, 1.0),
    "a generator": ("torch.randn(2, generator=torch.Generator().manual_seed(3)).tolist()", None, 0.0, 1.0),
    "bernoulli": ("torch.bernoulli(torch.full((2,), 0.5)).tolist()", None, 0.0, 1.0),
}


@pytest.mark.parametrize("case", TORCH.values(), ids=TORCH)
def test_torch_itself(write, case):
    pytest.importorskip("torch")
    # As much memory as a runner has by default: PyTorch takes a lot of it.
    with Runner(sys.executable, deadline=60, memory_mib=2048) as runner:
        _check_torch(runner, write, case)


def _check_torch(own_runner, write, case):
    call, law, location, scale = case
    mechanism = write(f"""
import torch

def m(rng, data):
    return {call}
""")
    # A first run may import parts of PyTorch, which draw.
    traced(own_runner, mechanism, runs=1)
    (trace,) = traced(own_runner, mechanism)
    if law is None:
        assert trace.draws == (None,) * 5
        return
    outputs = list(trace.batch.outputs())
    assert len(set(map(tuple, outputs))) == 5
    for output, run in zip(outputs, trace.draws, strict=True):
        assert run.laws == (law,) * 2
        assert run.values == pytest.approx((np.array(output) - location) / scale, rel=1e-6, abs=1e-6)

    (again,) = traced(own_runner, mechanism)
    assert list(again.batch.outputs()) == outputs
    (other,) = traced(own_runner, mechanism, seed=2)
    assert list(other.batch.outputs()) != outputs

    z = np.array([[0.25, 0.5]] * 5)
    (given,) = traced(own_runner, mechanism, given=GivenNoise((law,) * 2, z))
    for output, run in zip(given.batch.outputs(), given.draws, strict=True):
        assert output == pytest.approx(location + scale * z[0], rel=1e-6)
        assert run.values == tuple(z[0])


def test_a_package_that_draws_by_a_generator_of_its_own_leaves_no_record(own_runner, tmp_path, write):
    """Else a model would take the noise that it knows for all there is."""
    package = tmp_path / "elsewhere" / "tmlt" / "core" / "random"
    package.mkdir(parents=True)
    (package / "discrete_gaussian.py").write_text("def sample_dgauss(sigma_squared):\n    return 3\n")
    source = f"""
import sys
sys.path.insert(0, {str(tmp_path / "elsewhere")!r})
from tmlt.core.random.discrete_gaussian import sample_dgauss

def m(rng, data):
    return rng.laplace() + {{}}
"""
    (known,) = traced(own_runner, write(source.format("0")))
    (unknown,) = traced(own_runner, write(source.format("sample_dgauss(4.0)")))

    assert None not in known.draws
    assert unknown.draws == (None,) * 5
