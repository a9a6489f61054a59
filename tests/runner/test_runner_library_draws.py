"""Traced runs of libraries that make noise of bits of their own: recorded is what a mechanism adds, over its scale.

The stand-ins have the shape of the libraries; where these are installed they are traced themselves.
"""

import math

import pytest

from tests.runner.test_runner_tracing import traced

pytestmark = pytest.mark.process

DIFFPRIVLIB = """
import math, secrets, sys, types

class Laplace:
    def __init__(self, epsilon, sensitivity, delta=0.0):
        self.epsilon, self.sensitivity, self.delta = epsilon, sensitivity, delta
        self._rng = secrets.SystemRandom()

    def randomise(self, value):
        scale = self.sensitivity / (self.epsilon - math.log(1 - self.delta))
        return value + scale * (self._rng.expovariate(1) - self._rng.expovariate(1))

class LaplaceTruncated(Laplace):
    def randomise(self, value):
        return max(0.0, super().randomise(value))

class Gaussian(Laplace):
    def randomise(self, value):
        return value + self._scale * self._rng.gauss(0, 1)

library = types.ModuleType("diffprivlib.mechanisms")
library.Laplace, library.Gaussian = Laplace, Gaussian
sys.modules["diffprivlib.mechanisms"] = library

def laplace(value, delta=0.0):
    return Laplace(0.5, 3.0, delta).randomise(value)

def gaussian(value):
    made = Gaussian(0.5, 3.0)
    made._scale = 7.0
    return made.randomise(value)

def m(rng, data):
    return {}
"""
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
    "laplace": (DIFFPRIVLIB, "laplace(10.0)", "laplace", 10.0, 6.0),
    "laplace with delta": (DIFFPRIVLIB, "laplace(10.0, 0.1)", "laplace", 10.0, 3 / (0.5 + math.log(10 / 9))),
    "gaussian": (DIFFPRIVLIB, "gaussian(-2.0)", "normal", -2.0, 7.0),
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


@pytest.mark.parametrize(
    ("head", "call", "laws"),
    [
        # The noise is known, and that the output is not affine in it is for the model to see.
        (DIFFPRIVLIB, "LaplaceTruncated(0.5, 3.0).randomise(1.0)", ("laplace",)),
        (OPENDP, "Measurement('MaxDivergence', 4.0, whole=True)(3)", None),
        (OPENDP, "Measurement('Other', 4.0)(3.0)", None),
    ],
)
def test_what_is_no_sum_of_a_number_and_noise(shared_runner, write, head, call, laws):
    (trace,) = traced(shared_runner, write(head.format(call)))

    assert [None if run is None else run.laws for run in trace.draws] == [laws] * 5


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
