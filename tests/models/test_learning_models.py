"""Models learnt from traces made by hand, whose coefficients are known."""

import numpy as np
import pytest

from dplint.audit.models.learning import RUNS, Model, Refused, learn
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
        lambda z: [round(z[0], 2)],
        lambda z: [max(z[0], 0.0)],
        lambda z: [z[0] * z[1]],
        lambda z: [np.exp(z[0])],
        lambda z: [float(np.argmax(z))],
        lambda z: [z[0] + 1e-3 * np.sin(z[1])],
    ],
    ids=["rounded", "clipped", "product", "exponential", "argmax", "hardly bent"],
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
    assert learn(Trace(trace.batch, (*trace.draws[:-1], None))).reason == "a draw has no location and scale"


def test_texts_that_stay_the_same_are_kept_and_others_refused():
    values = np.array([[0.0, n] for n in range(RUNS)])
    kinds = np.array([[LeafKind.STRING, LeafKind.FLOAT]] * RUNS, np.uint8)
    draws = tuple(TracedDraws(("normal",), (float(n),)) for n in range(RUNS))
    shape, rows = Sequence("list", (2,), 2), np.arange(RUNS, dtype=np.int32)

    model = learn(Trace(Batch(RUNS, (Group(shape, rows, kinds, values),), ("a", "b")), draws))
    assert model.others == {0: (LeafKind.STRING, "a")}

    values[3, 0] = 1
    refused = learn(Trace(Batch(RUNS, (Group(shape, rows, kinds, values),), ("a", "b")), draws))
    assert isinstance(refused, Refused)
