"""Events of two models, held against closed forms and against Python on outputs that are drawn here."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from dplint.audit.models.comparing import Sides, distance, draw_losses, shift_loss, solved
from dplint.audit.models.learning import Model
from dplint.audit.models.simulating import betrayals
from dplint.runner.batch import Sequence

SEED = np.random.SeedSequence(3)
RUNS = 20_000


def model(centre, jacobian, law="laplace"):
    """A list of numbers."""
    centre, jacobian = np.array(centre, float), np.array(jacobian, float)
    return Model(Sequence("list", (len(centre),), len(centre)), centre, jacobian, (law,) * jacobian.shape[1], {})


def found(one, two, epsilon=1.0, delta=0.0):
    return betrayals(Sides.of(one, two), epsilon, delta, SEED)


def drawn(side, rng):
    """Outputs, by NumPy's own functions."""
    z = np.array([getattr(rng, law)(size=RUNS) for law in side.laws]).reshape(len(side.laws), RUNS)
    return (side.centre[:, None] + side.jacobian @ z).T.tolist()


def shares(one, two, betrayal):
    """How often the printed event holds in Python, on the side that it is for and on the other."""
    rng = np.random.default_rng(11)
    holds = eval(f"lambda output: {betrayal.event.expression()}")
    seen = [np.mean([bool(holds(output)) for output in drawn(side, rng)]) for side in (one, two)]
    return seen if betrayal.forwards else seen[::-1]


BROKEN = {
    "one number": (model([0], [[1]]), model([1.3], [[1]])),
    "two numbers": (model([0, 5], [[2, 0], [0, 1]]), model([1.5, 4], [[2, 0], [0, 1]])),
    "six numbers": (model([0] * 6, 3 * np.eye(6)), model([1] * 6, 3 * np.eye(6))),
    "another scale": (model([0], [[1]]), model([0], [[8]])),
    "draws that are shared": (model([0, 0], [[1, 0], [1, 1]]), model([1, 2], [[1, 0], [1, 1]])),
    "normal": (model([0, 0], [[1, 0], [0, 1]], "normal"), model([1, 1], [[1, 0], [0, 1]], "normal")),
    "gumbel": (model([0], [[1]], "gumbel"), model([2], [[1]], "gumbel")),
    "exponential": (model([0], [[1]], "exponential"), model([0.5], [[1]], "exponential")),
}


@pytest.mark.parametrize("pair", BROKEN.values(), ids=BROKEN)
def test_an_event_means_in_python_what_it_promises(pair):
    (best, *_) = found(*pair)
    share1, share2 = shares(*pair, best)
    error = math.sqrt((share1 * (1 - share1) + math.e**2 * share2 * (1 - share2)) / RUNS)

    assert share1 - math.e * share2 > 3 * error


def test_of_laplace_noise_the_loss_is_what_it_is_moved_by():
    """The sum of |shift| / scale: 1.5 / 2 + 1 / 1, also where the numbers are sums and differences of two others."""
    one, two = BROKEN["two numbers"]
    mixed = np.array([[1.0, 1.0], [1.0, -1.0]])
    turned = [model(mixed @ side.centre, mixed @ side.jacobian) for side in (one, two)]

    assert shift_loss(Sides.of(one, two)) == pytest.approx(1.75)
    assert shift_loss(Sides.of(*turned)) == pytest.approx(1.75)
    assert distance(one, two) == pytest.approx(1.75)
    assert found(one, two, epsilon=1.75) == []
    assert found(*turned, epsilon=1.75) == []
    assert found(*turned, epsilon=1.0)


def test_the_loss_of_each_draw_is_told_at_its_place():
    """Noise of scales 2 and 4 from one line, and of scale 5 from another, is moved by 1, 1 and 2."""
    sides = [model(centre, np.diag([2.0, 4.0, 5.0])) for centre in ([0, 0, 0], [1, -1, 2])]
    places = (("m.py", 3), ("m.py", 3), ("m.py", 8))
    one, two = (replace(side, scales=(2.0, 4.0, 5.0), places=places) for side in sides)

    losses = draw_losses(Sides.of(one, two))

    told = [(found.line, found.scale, found.moved, found.draws) for found in losses]
    assert told == [(3, 2.0, pytest.approx(1), 1), (8, 5.0, pytest.approx(2), 1), (3, 4.0, pytest.approx(1), 1)]
    assert sum(found.loss for found in losses) == pytest.approx(1 / 2 + 1 / 4 + 2 / 5)
    assert draw_losses(Sides.of(*sides)) == ()


def test_nothing_is_suggested_against_a_claim_that_the_models_obey():
    """Normal noise by the formula of Balle and Wang (2018), logistic noise, which loses less than it is moved by."""
    delta = norm.cdf(0.5 - 1) - math.e * norm.cdf(-0.5 - 1)
    one, two = model([0], [[1]], "normal"), model([1], [[1]], "normal")
    assert found(one, two, delta=1.02 * delta) == []
    assert found(one, two, delta=0.8 * delta)

    assert found(model([0], [[1]], "logistic"), model([1.0], [[1]], "logistic"), epsilon=1.0) == []
    assert found(model([1.0], [[1]]), model([1.0], [[1]])) == []


def test_of_many_numbers_those_count_that_tell_most():
    """One of 300 numbers is moved by two scales; a hundred by 0.0125 scales each, 1.25 in all."""
    noise = 4 * np.eye(300)
    quiet, one, hundred = np.zeros(300), np.zeros(300), np.zeros(300)
    one[250], hundred[::3] = 8.0, 0.05

    (best, *_) = found(model(one, noise), model(quiet, noise))

    assert str(best.event.expression()).startswith("output[250] ")
    assert best.forwards
    assert shift_loss(Sides.of(model(hundred, noise), model(quiet, noise))) == pytest.approx(1.25)


def test_shifts_are_the_least_squares_of_all_numbers_at_once():
    """Held against NumPy, with numbers that have a draw of their own, that share draws, and that have none."""
    rng = np.random.default_rng(4)
    for _ in range(30):
        rows, draws = rng.integers(1, 9, 2)
        matrix = rng.normal(size=(rows, draws)) * (rng.random((rows, draws)) < 0.25)
        moved = rng.normal(size=rows)
        assert solved(matrix, moved) == pytest.approx(np.linalg.lstsq(matrix, moved, rcond=None)[0], abs=1e-9)


def test_noise_that_is_gone_from_a_combination_is_found():
    """Three numbers of which the third one is the sum of the others, but for 1 on one side."""
    jacobian = [[1, 0], [0, 1], [1, 1]]
    one, two = model([0, 0, 0], jacobian), model([0, 0, 1], jacobian)

    (only,) = found(one, two)

    assert only.gain == math.inf
    assert distance(one, two) == math.inf
    assert shares(one, two, only) == [1.0, 0.0]


@pytest.mark.parametrize("value", [5.0, 0.0])
def test_a_number_without_noise_is_found(value):
    one, two = model([value, 0], [[0], [1]]), model([value + 1, 0], [[0], [1]])
    half = model([value, 0], [[0], [1]]), model([value, 0], [[1], [1]])

    assert [shares(one, two, event) for event in found(one, two)] == [[1.0, 0.0]]
    assert shares(*half, found(*half)[0]) == [1.0, 0.0]
    assert distance(one, two) == distance(*half) == math.inf


def test_numbers_that_are_told_twice_are_no_combination():
    one, two = model([0, 0], [[1], [1]]), model([0.5, 0.5], [[1], [1]])

    assert distance(one, two) == pytest.approx(0.5)
    assert found(one, two) == []
