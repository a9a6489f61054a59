"""Models learnt from traces made by hand, whose coefficients are known."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from dplint.audit.models.learning import RUNS, Model, Refused, learn
from dplint.audit.models.leaves import simplest
from dplint.audit.models.procedure import estimated
from dplint.runner.batch import Batch, Group, LeafKind, Sequence
from dplint.runner.client import Trace, TracedDraws

CENTRE = np.array([3.0, -1e6, 7.0, 0.25])
JACOBIAN = np.array([[2.0, 0, 0], [0, 0, -150.0], [0, 0, 0], [1.0, 4.0, 0]])
"""The third number has no noise, the fourth one two draws."""


def traced(function, width=3, runs=RUNS, laws=None, kinds=LeafKind.FLOAT, seed=1):
    """A trace of a function from draws to a list of numbers."""
    z = np.random.default_rng(seed).laplace(size=(runs, width))
    values = np.array([function(row) for row in z], float)
    group = Group(
        Sequence("list", (values.shape[1],), values.shape[1]),
        np.arange(runs, dtype=np.int32),
        np.full(values.shape, kinds, np.uint8),
        values,
    )
    laws = laws or (("laplace",) * width,) * runs
    return Trace(
        Batch(runs, (group,), ()), tuple(TracedDraws(law, tuple(row)) for law, row in zip(laws, z, strict=True))
    )


def affine(z):
    return CENTRE + JACOBIAN @ z


def test_an_affine_function_is_learnt():
    model = learn(traced(affine))

    assert isinstance(model, Model)
    assert model.jacobian == pytest.approx(JACOBIAN, abs=1e-9)
    assert model.centre == pytest.approx(CENTRE, rel=1e-12)
    assert model.laws == ("laplace",) * 3


def test_the_order_of_the_runs_in_the_batch_is_heeded():
    trace = traced(affine)
    (group,) = trace.batch.groups
    turned = Group(group.skeleton, group.rows[::-1], group.kinds[::-1], group.values[::-1])

    model = learn(Trace(Batch(RUNS, (turned,), ()), trace.draws))

    assert model.jacobian == pytest.approx(JACOBIAN, abs=1e-9)


def test_many_draws_in_one_number_want_more_runs_and_are_learnt_with_them():
    weights = np.arange(1.0, 31.0)
    few = learn(traced(lambda z: [weights @ z], width=30))
    assert isinstance(few, Refused)
    assert few.runs > 30

    model = learn(traced(lambda z: [weights @ z], width=30, runs=few.runs))

    assert model.jacobian == pytest.approx(weights[None, :], rel=1e-6)


def test_numbers_with_a_draw_of_their_own_need_ten_runs_however_many_there_are():
    model = learn(traced(lambda z: 5 + 3 * z, width=200))

    assert model.jacobian == pytest.approx(3 * np.eye(200), abs=1e-9)


@pytest.mark.parametrize(
    "function",
    [
        lambda z: [z[0] * z[1]],
        lambda z: [np.exp(z[0])],
        lambda z: [float(np.argmax(z))],
        lambda z: [z[0] + 1e-3 * np.sin(z[1])],
    ],
    ids=["product", "exponential", "argmax", "hardly bent"],
)
def test_what_is_not_affine_is_refused(function):
    for runs in (RUNS, 40):
        assert isinstance(learn(traced(function, runs=runs)), Refused)


def test_noise_that_nobody_saw_is_refused():
    hidden = np.random.default_rng(2)
    model = learn(traced(lambda z: [z[0] + hidden.laplace()], runs=40))

    assert isinstance(model, Refused)
    assert isinstance(learn(traced(lambda z: [hidden.laplace()], width=0)), Refused)


def test_draws_that_vary_are_refused():
    laws = (("laplace",) * 3,) * (RUNS - 1) + (("laplace", "laplace", "normal"),)
    assert learn(traced(affine, laws=laws)).reason == "the number or the kind of the draws varies"

    trace = traced(affine)
    assert (
        learn(Trace(trace.batch, (*trace.draws[:-1], None))).reason == "a draw is of no known law, or could come again"
    )


def test_texts_that_stay_the_same_are_kept_and_others_unknown():
    values = np.array([[0.0, n] for n in range(RUNS)])
    kinds = np.array([[LeafKind.STRING, LeafKind.FLOAT]] * RUNS, np.uint8)
    draws = tuple(TracedDraws(("normal",), (float(n),)) for n in range(RUNS))
    shape, rows = Sequence("list", (2,), 2), np.arange(RUNS, dtype=np.int32)

    model = learn(Trace(Batch(RUNS, (Group(shape, rows, kinds, values),), ("a", "b")), draws))
    assert model.others == {0: (LeafKind.STRING, "a")}

    values[3, 0] = 1
    partial = learn(Trace(Batch(RUNS, (Group(shape, rows, kinds, values),), ("a", "b")), draws))
    assert (partial.others, partial.unknown) == ({}, {0})
    assert partial.jacobian[1] == pytest.approx([1.0])


MADE = {
    "rounded": (lambda y: round(y, 1), {0: 1}, {}),
    "rounded to tens": (lambda y: round(y, -1), {0: -1}, {}),
    "rounded down": (lambda y: float(np.floor(y)), {0: 0}, {}),
    "clipped": (lambda y: max(y, 2.0), {}, {0: (2.0, np.inf)}),
    "clipped on both sides": (lambda y: min(max(y, 0.0), 7.0), {}, {0: (0.0, 7.0)}),
    "rounded and clipped": (lambda y: max(round(y), 0), {0: 0}, {0: (0.0, np.inf)}),
}


def test_digits_that_are_small_beside_the_noise_are_learnt_from_few_runs():
    """Else the slope would be a little off 1000, and the other side's would be off by something else."""
    model = learn(scaled(traced(lambda z: [round(500.0 + 1000.0 * z[0], 2)], width=1), 1000.0))

    assert isinstance(model, Model)
    assert (model.jacobian[0, 0], model.decimals) == (1000.0, {0: 2})
    assert model.centre[0] == pytest.approx(500.0, abs=0.01)


@pytest.mark.parametrize("mixed", [False, True])
def test_beside_an_opaque_draw_only_what_hangs_on_others_is_learnt(mixed):
    """A choice that is in no number, or in the first one."""
    choice = iter(np.random.default_rng(2).integers(0, 2, RUNS))
    trace = traced(lambda z: [3.0 + 2.0 * z[0] + (next(choice) if mixed else 0.0)], width=1)
    draws = tuple(replace(run, opaque=True) for run in trace.draws)
    model = learn(Trace(trace.batch, draws))

    assert isinstance(model, Refused if mixed else Model)
    assert model.hidden if mixed else model.jacobian[0, 0] == pytest.approx(2.0)


def scaled(trace, scale):
    """The trace with the scale of the draws in the function told."""
    draws = [TracedDraws(run.laws, run.values, (scale,) * len(run.values)) for run in trace.draws]
    return Trace(trace.batch, tuple(draws))


@pytest.mark.parametrize("name", MADE)
def test_what_is_made_of_a_number_is_learnt_in_more_runs(name):
    """Of 3 + 20 z (z alone where it is clipped at 7), on draws that the model has not seen."""
    function, decimals, limits = MADE[name]
    scale = 4.0 if limits else 20.0

    def output(z):
        return [function(3.0 + scale * z[0])]

    few = learn(traced(output, width=1))
    assert isinstance(few, Refused)

    model = learn(scaled(traced(output, width=1, runs=few.runs), scale))
    z = np.random.default_rng(7).laplace(size=(1, 2_000))

    assert (model.decimals, model.limits) == (decimals, limits)
    expected = np.array([output(column)[0] for column in z.T])
    assert np.mean(np.abs(model.outputs([0], z)[0] - expected) > 1e-9) < 0.002


MADE_OF_UNIFORM = {
    "laplace": lambda u: -np.sign(u[0] - 0.5) * np.log(1 - 2 * abs(u[0] - 0.5)),
    "log": lambda u: np.log(u[0]) - np.log(u[1]),
    "log of the rest": lambda u: -np.log(1 - u[0]),
    "normal": lambda u: norm.ppf(u[0]),
    "logistic": lambda u: np.log(u[0] / (1 - u[0])),
    "gumbel": lambda u: -np.log(-np.log(u[0])),
    "Box-Muller": lambda u: np.sqrt(-2 * np.log(1 - u[0])) * np.cos(2 * np.pi * u[1]),
    "laplace of four": lambda u: np.log(1 - u[0]) * np.cos(np.pi * u[1]) + np.log(1 - u[2]) * np.cos(np.pi * u[3]),
}


@pytest.mark.parametrize("name", MADE_OF_UNIFORM)
def test_noise_that_is_made_of_uniform_numbers_is_seen_through(name):
    rng = np.random.default_rng(3)
    width = 4 if name == "laplace of four" else 2
    u = rng.random((RUNS, width))
    values = np.array([[5 + 3 * MADE_OF_UNIFORM[name](row)] for row in u])
    group = Group(Sequence("list", (1,), 1), np.arange(RUNS, dtype=np.int32), np.full((RUNS, 1), 2, np.uint8), values)
    draws = tuple(TracedDraws(("random",) * width, tuple(row)) for row in u)

    model = learn(Trace(Batch(RUNS, (group,), ()), draws))
    others = rng.random((width, 500))

    assert model.transform == name
    assert model.outputs([0], others)[0] == pytest.approx([5 + 3 * MADE_OF_UNIFORM[name](row) for row in others.T])


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [(2.9, 3.2, 3.0), (-0.3, 0.2, 0.0), (1950, 2040, 2000), (2.41, 2.55, 2.5), (7.0, 7.0, 7.0)],
)
def test_a_centre_is_taken_for_the_plainest_number(low, high, expected):
    assert simplest(low, high) == expected


def test_whole_numbers_of_whole_noise_are_whole():
    """So that the edge of an event lies on the same side for function and model."""
    rng = np.random.default_rng(4)
    z = rng.geometric(0.3, size=(RUNS, 2)).astype(float)
    values = 7 + z[:, :1] - z[:, 1:]
    group = Group(Sequence("list", (1,), 1), np.arange(RUNS, dtype=np.int32), np.full((RUNS, 1), 1, np.uint8), values)
    draws = tuple(TracedDraws(('geometric {"p": 0.3}',) * 2, tuple(row)) for row in z)

    model = learn(Trace(Batch(RUNS, (group,), ()), draws))
    others = rng.geometric(0.3, size=(2, 500)).astype(float)

    assert (model.outputs([0], others)[0] == 7 + others[0] - others[1]).all()


def test_hidden_noise_is_estimated_to_choose_a_pair_by():
    hidden = traced(lambda z: [5.0 + 2 * z[0], 3.0, round(10 * z[1])], runs=2_000)
    trace = Trace(hidden.batch, (None,) * 2_000)

    refused, model = learn(trace), estimated(trace)

    assert isinstance(refused, Refused)
    assert refused.hidden
    assert isinstance(model, Model)
    assert model.only_suggests
    assert model.centre == pytest.approx([5, 3, 0], abs=1)
    assert np.abs(model.jacobian).sum(axis=1) == pytest.approx([2, 0, 10], rel=0.1)


def test_what_takes_few_values_is_no_noise():
    hidden = traced(lambda z: [float(z[0] > 0), 3.0, float(z[1] > 1)], runs=100)

    assert isinstance(estimated(Trace(hidden.batch, (None,) * 100)), Refused)


@pytest.mark.parametrize("values", [[0.0, 7.25], [1.5, 2.0]])
def test_an_output_without_any_draw_is_its_constants(values):
    """An empty table, of which a pipeline returns a constant: there is no noise, and nothing to divide by."""
    found = learn(traced(lambda _: values, width=0))

    assert isinstance(found, Model)
    assert found.centre == pytest.approx(values)
    assert found.jacobian.shape == (2, 0)


def test_numbers_that_vary_without_any_draw_have_no_model():
    unseen = iter(np.random.default_rng(3).integers(0, 9, 2 * RUNS).tolist())

    assert not isinstance(learn(traced(lambda _: [next(unseen), 1.0], width=0)), Model)
