"""Traced runs: what is drawn, by whomever, is recorded as (value - location) / scale."""

import math

import numpy as np
import pytest

from dplint.runner.client import DataValue, GivenNoise, SampleRequest
from dplint.runner.generators import read_law

pytestmark = pytest.mark.process

SOURCES = {
    "generator": ("rng.laplace(3.0, 2.0)", "laplace", 3.0, 2.0),
    "array": ("rng.laplace([1.0, 2.0], [4.0, 5.0])", "laplace", np.array([1.0, 2.0]), np.array([4.0, 5.0])),
    "size": ("rng.normal(1.0, 3.0, size=(2, 2))", "normal", 1.0, 3.0),
    "standard": ("7.0 + rng.standard_normal()", "normal", 7.0, 1.0),
    "made inside": ("np.random.default_rng().gumbel(1.0, 2.0)", "gumbel", 1.0, 2.0),
    "legacy": ("np.random.laplace(loc=5.0, scale=0.5)", "laplace", 5.0, 0.5),
    "an alias": ("drawn(5.0, 0.5)", "laplace", 5.0, 0.5),
    "a legacy object": ("np.random.RandomState().logistic(5.0, 0.5)", "logistic", 5.0, 0.5),
    "of the module": ("KEPT.normal(2.0, 4.0)", "normal", 2.0, 4.0),
    "random": ("random.gauss(2.0, 4.0)", "normal", 2.0, 4.0),
    "exponential": ("random.expovariate(4.0)", "exponential", 0.0, 0.25),
    "system": ("random.SystemRandom().gauss(2.0, 4.0)", "normal", 2.0, 4.0),
    "scipy": ("st.laplace.rvs(loc=1.0, scale=3.0, size=2)", "laplace", 1.0, 3.0),
    "frozen": ("float(st.norm(loc=1.0, scale=3.0).rvs(random_state=rng))", "normal", 1.0, 3.0),
}
HEAD = """
import random
import numpy as np
import scipy.stats as st
from numpy.random import laplace as drawn
KEPT = np.random.default_rng(3)

def m(rng, data):
    return {}
"""


def traced(runner, mechanism, runs=5, values=(1.0,), seed=1, given=None):
    runner.load(mechanism)
    request = SampleRequest(
        datas=tuple(DataValue([value]) for value in values), arguments={}, runs=runs, block=50, seed=(seed, ())
    )
    return runner.trace(request, given)


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_draw_is_the_output_without_location_and_scale(shared_runner, write, source):
    call, law, location, scale = source
    (trace,) = traced(shared_runner, write(HEAD.format(call)))
    seen = set()
    for output, run in zip(trace.batch.outputs(), trace.draws, strict=True):
        values = ((np.array(output) - location) / scale).ravel()
        assert run.laws == (law,) * len(values)
        assert run.values == pytest.approx(values, rel=1e-12, abs=1e-12)
        seen.add(run.values)
    assert len(seen) == 5


OTHER_LAWS = {
    "rng.geometric(0.5)": 'geometric {"p": 0.5}',
    "rng.gamma(2.0, 3.0)": 'gamma {"shape": 2.0}',
    "rng.binomial(10, 0.25)": 'binomial {"n": 10, "p": 0.25}',
    "random.randint(1, 6)": 'integers {"endpoint": true, "high": 6, "low": 1}',
    "rng.uniform(2.0, 5.0)": "uniform",
    "rng.random()": "random",
}


@pytest.mark.parametrize("call", OTHER_LAWS)
def test_a_draw_of_another_law_is_kept_with_its_parameters(shared_runner, write, call):
    (trace,) = traced(shared_runner, write(HEAD.format(call)), runs=40)
    shift, scale = {"rng.gamma(2.0, 3.0)": (0, 3), "rng.uniform(2.0, 5.0)": (2, 3)}.get(call, (0, 1))

    for output, run in zip(trace.batch.outputs(), trace.draws, strict=True):
        assert run.laws == (OTHER_LAWS[call],)
        assert run.values[0] == pytest.approx((output - shift) / scale)
        assert run.scales == (scale,)
    distribution, parameters = read_law(OTHER_LAWS[call])
    drawn = distribution.sample(np.random.default_rng(1), parameters, (20_000,))
    assert np.mean([run.values for run in trace.draws]) == pytest.approx(drawn.mean(), abs=drawn.std())


OPAQUE = ["rng.permutation(5)", "rng.dirichlet([1.0, 2.0])", "rng.multinomial(3, [0.5, 0.5])"]


@pytest.mark.parametrize("call", OPAQUE)
def test_a_draw_of_a_vector_is_opaque_and_the_other_draws_are_kept(shared_runner, write, call):
    (trace,) = traced(shared_runner, write(HEAD.format(f"[rng.laplace(), {call}][0]")))

    assert all(run.opaque for run in trace.draws)
    assert [run.values for run in trace.draws] == [(output,) for output in trace.batch.outputs()]


def test_of_a_run_with_a_sample_of_random_nothing_is_recorded(shared_runner, write):
    (trace,) = traced(shared_runner, write(HEAD.format("[rng.laplace(), random.sample([1, 2, 3], 2)]")))

    assert trace.draws == (None,) * 5


COME_AGAIN = [
    "np.random.default_rng(7)",
    "np.random.RandomState(7)",
    "np.random.Generator(np.random.PCG64(7))",
    "random.Random(7)",
    "np.random.seed(7)",
    "random.seed(7)",
    "random.setstate(random.getstate())",
    "np.random.get_state()",
    "rng.bit_generator.state",
    "copy.deepcopy(rng)",
    "st.norm.rvs(random_state=7)",
]


@pytest.mark.parametrize("call", COME_AGAIN)
def test_of_a_run_whose_noise_could_come_again_nothing_is_recorded(shared_runner, write, call):
    """Two generators of one seed give one number, which is not the noise of two."""
    (trace,) = traced(shared_runner, write("import copy\n" + HEAD.format(f"[rng.laplace(), str({call})][0]")))

    assert trace.draws == (None,) * 5


@pytest.mark.parametrize(
    ("body", "known"),
    [
        ("np.random.default_rng(seed).laplace()", True),
        ("np.random.RandomState(seed).laplace()", True),
        ("random.Random(seed).gauss(0, 1)", True),
        ("[np.random.default_rng(seed).laplace(), np.random.default_rng(seed).laplace()]", False),
        ("np.random.default_rng(seed % 5).laplace()", False),
    ],
)
def test_a_seed_that_is_handed_in_is_taken_once(shared_runner, write, body, known):
    source = f"import random\nimport numpy as np\ndef m(rng: int, data):\n    seed = rng\n    return {body}\n"
    (trace,) = traced(shared_runner, write(source))

    assert [run is not None for run in trace.draws] == [known] * 5
    assert len({str(output) for output in trace.batch.outputs()}) == 5


def test_a_draw_far_from_zero_is_not_known_well_enough(shared_runner, write):
    (far,) = traced(shared_runner, write(HEAD.format("rng.laplace(1e9, 1.0)")))
    (near,) = traced(shared_runner, write(HEAD.format("rng.laplace(1e5, 1.0)")))

    assert far.draws == (None,) * 5
    assert None not in near.draws


def test_noise_of_scale_zero_has_a_number_like_any_other(shared_runner, write):
    (trace,) = traced(shared_runner, write(HEAD.format("rng.laplace(3.0, 0.0)")), runs=200)
    values = np.array([run.values for run in trace.draws])

    assert trace.batch.outputs() == [3.0] * 200
    assert np.abs(values).mean() == pytest.approx(1.0, abs=0.3)


def test_draws_that_are_made_of_others_are_recorded_once(shared_runner, write):
    (trace,) = traced(shared_runner, write(HEAD.format("[random.gauss(0, 1), random.expovariate(1)]")))

    for output, run in zip(trace.batch.outputs(), trace.draws, strict=True):
        assert run.laws == ("normal", "exponential")
        assert run.values == pytest.approx(output)


def test_each_data_value_has_its_own_runs_and_a_seed_gives_the_same(shared_runner, write):
    mechanism = write(HEAD.format("data[0] + rng.laplace()"))
    first, second = traced(shared_runner, mechanism, values=(10.0, 20.0))
    again, _ = traced(shared_runner, mechanism, values=(10.0, 20.0))
    other, _ = traced(shared_runner, mechanism, values=(10.0, 20.0), seed=2)

    assert first.draws == again.draws
    assert not {run.values for run in first.draws} & {run.values for run in (*second.draws, *other.draws)}
    for trace, value in ((first, 10.0), (second, 20.0)):
        for output, run in zip(trace.batch.outputs(), trace.draws, strict=True):
            assert output - value == pytest.approx(run.values[0])


def test_the_draws_have_the_law_that_they_are_recorded_with(shared_runner, write):
    """The mean of |z| is 1 for Laplace noise and sqrt(2 / pi) for normal noise, with a standard error of 0.02."""
    source = HEAD.format("[rng.laplace(5, 3, size=50).tolist(), np.random.normal(5, 3, size=50).tolist()]")
    (trace,) = traced(shared_runner, write(source), runs=50)
    values = np.abs([run.values for run in trace.draws])

    assert values[:, :50].mean() == pytest.approx(1.0, abs=0.1)
    assert values[:, 50:].mean() == pytest.approx(math.sqrt(2 / math.pi), abs=0.07)


def test_afterwards_everything_is_as_it_was(shared_runner, write):
    source = HEAD.format("[type(rng).__name__, type(KEPT).__name__, np.random.laplace.__self__.__class__.__name__]")
    traced(shared_runner, write(source))
    request = SampleRequest(datas=(DataValue([1.0]),), arguments={}, runs=1, block=50, seed=(1, ()))
    (batch,) = shared_runner.sample(request)

    assert batch.outputs() == [["Generator", "Generator", "RandomState"]]


def test_a_run_that_raises_ends_its_draws(shared_runner, write):
    source = "def m(rng, data):\n    x = rng.laplace()\n    y = 1 / int(x > 0)\n    return x + y\n"
    (trace,) = traced(shared_runner, write(source), runs=40)

    assert {len(run.values) for run in trace.draws} == {1}
    assert len(trace.batch.groups) == 2


def test_the_first_run_of_a_data_value_says_where_the_draws_are_made(shared_runner, write):
    """Of helpers the line of the helper, of an array every number."""
    source = """
    def noisy(rng, value):
        return value + rng.laplace(scale=2.0)

    def m(rng, data):
        first = noisy(rng, data[0])
        return first, rng.normal(size=2)
    """
    mechanism = write(source)
    traces = traced(shared_runner, mechanism, values=(1.0, 2.0), runs=60)

    for trace in traces:
        assert trace.draws[0].places == ((mechanism.path, 3), (mechanism.path, 7), (mechanism.path, 7))
        assert trace.draws[0].scales == (2.0, 1.0, 1.0)
        assert not any(run.places for run in trace.draws[1:])


@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_noise_may_be_given(shared_runner, write, source):
    """The same numbers come out of the same call, whatever has drawn them: of its type, at its location and scale."""
    call, law, location, scale = source
    mechanism = write(HEAD.format(call))
    (before,) = traced(shared_runner, mechanism)
    width = len(before.draws[0].laws)
    z = np.random.default_rng(5).exponential(size=(5, width))
    (trace,) = traced(shared_runner, mechanism, given=GivenNoise((law,) * width, z))

    for output, other, run, row in zip(trace.batch.outputs(), before.batch.outputs(), trace.draws, z, strict=True):
        assert type(output) is type(other)
        assert run.laws == (law,) * width
        assert run.values == tuple(row)
        assert ((np.array(output) - location) / scale).ravel() == pytest.approx(row, rel=1e-12, abs=1e-12)


WHOLE = {
    "geometric": ("rng.geometric(0.25)", 'geometric {"p": 0.25}', int),
    "uniform": ("rng.random()", "random", float),
    "single": ("rng.random(dtype=np.float32)", "random", float),
}


@pytest.mark.parametrize("case", WHOLE.values(), ids=WHOLE)
def test_given_numbers_of_other_laws_are_taken_as_they_are(shared_runner, write, case):
    call, law, kind = case
    z = np.array([[0.0], [1.0], [0.5]]) if law == "random" else np.array([[1.0], [7.0], [2.0]])
    (trace,) = traced(shared_runner, write(HEAD.format(call)), runs=3, given=GivenNoise((law,), z))

    assert list(trace.batch.outputs()) == [kind(one) for one in z[:, 0]]
    assert [run.laws for run in trace.draws] == [(law,)] * 3


def test_an_array_that_is_to_be_filled_gets_the_given_numbers(shared_runner, write):
    source = """
import numpy as np

def fill(rng):
    kept = np.zeros(2)
    rng.standard_normal(out=kept)
    return kept.tolist()

def m(rng, data):
    return fill(rng)
"""
    given = GivenNoise(("normal",) * 2, np.array([[1.0, -2.0], [3.0, 4.0]]))
    (trace,) = traced(shared_runner, write(source), runs=2, given=given)

    assert list(trace.batch.outputs()) == [[1.0, -2.0], [3.0, 4.0]]


OTHERS = {
    "another law": ("rng.normal()", ("laplace",)),
    "more draws": ("rng.laplace(size=3).tolist()", ("laplace", "laplace")),
    "another parameter": ("rng.geometric(0.5)", ('geometric {"p": 0.25}',)),
    "a choice": ("rng.choice([1, 2, 3])", ("laplace",)),
}


@pytest.mark.parametrize("case", OTHERS.values(), ids=OTHERS)
def test_what_draws_of_other_laws_is_not_known(shared_runner, write, case):
    call, laws = case
    (trace,) = traced(shared_runner, write(HEAD.format(call)), given=GivenNoise(laws, np.ones((5, len(laws)))))

    assert trace.draws == (None,) * 5


def test_noise_is_given_for_one_request(shared_runner, write):
    mechanism = write(HEAD.format("rng.laplace()"))
    traced(shared_runner, mechanism, given=GivenNoise(("laplace",), np.ones((5, 1))))
    (trace,) = traced(shared_runner, mechanism)

    assert len(set(trace.batch.outputs())) == 5


def test_a_run_that_draws_less_than_is_given_has_fewer_laws(shared_runner, write):
    """Which the model has not, so that it counts as one that differs."""
    given = GivenNoise(("laplace", "laplace"), np.ones((5, 2)))
    (trace,) = traced(shared_runner, write(HEAD.format("rng.laplace()")), given=given)

    assert [run.laws for run in trace.draws] == [("laplace",)] * 5
