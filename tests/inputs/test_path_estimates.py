"""Paths on samples of their own noise: unbiased, with gradients that agree with differences, and errors that hold."""

import math

import numpy as np
import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.inputs.path_estimates import estimate_path, loss_of_estimates, recorded_run
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings.exact import losses_of_pair
from dplint.readings.ghk import Real, Uniforms
from tests.exact.exact_tools import ROOT, program, written

KNOWN = {"epsilon": 0.7, "T": 0.5, "t": 0.5, "c": 1, "N": 1, "n": 3, "k": 2, "threshold": 0.5}
POINT = [0.3371, -0.7213, 1.1091, -2.0177]
"""On no edge: where a mechanism jumps or bends there is no gradient."""
STEP = 1e-5


def given(mechanism, point):
    """The data lifted, one coordinate each, and one more for the thresholds."""
    rows = np.eye(len(POINT) + 1)
    data = [Real(float(x), rows[i][None, :]) for i, x in enumerate(point[:-1])]
    known = {name: value for name, value in KNOWN.items() if name in mechanism.parameters}
    return {**known, mechanism.data: data}, [Real(float(point[-1]), rows[-1][None, :])] * 8


def estimate(mechanism, point, decisions, samples=400, seed=0):
    arguments, thresholds = given(mechanism, point)
    return estimate_path(mechanism, arguments, decisions, thresholds, Uniforms(samples, seed), len(point))


def largest_difference(mechanism, seed):
    """Between the gradient and central differences, as a share; None where there is no gradient to speak of."""
    point = np.array([*POINT, 1.3])
    decisions = recorded_run(mechanism, given(mechanism, point)[0], seed).decisions
    found = estimate(mechanism, point, decisions)
    steps = STEP * np.eye(len(point))
    ends = [[estimate(mechanism, point + sign * step, decisions) for sign in (1, -1)] for step in steps]
    alike = all(one.decisions == found.decisions for pair in ends for one in pair)
    if found.jumps or not alike or not np.any(found.gradient):
        return None
    slopes = np.array([(one.probability - other.probability) / (2 * STEP) for one, other in ends])
    return float(np.abs(slopes - found.gradient).max() / np.abs(found.gradient).max())


FINDER = [
    *[("dpfinder/sparse_vector.py", name) for name in ("above_threshold", "alg1", "alg2", "alg3", "alg4", "alg5")],
    ("dpfinder/selection.py", "exp_mech"),
    ("dpfinder/selection.py", "report_noisy_max"),
    ("dpfinder/sums.py", "private_sum"),
]


@pytest.mark.parametrize(("file", "name"), FINDER)
def test_gradients_agree_with_differences(file, name):
    shares = [largest_difference(program(file, name), seed) for seed in range(3)]
    assert any(share is not None for share in shares)
    assert all(share is None or share < 1e-6 for share in shares)


@pytest.mark.nightly
def test_gradients_agree_with_differences_on_all_fixtures_that_lower():
    """Those of which a run on four real numbers has a gradient; jumps are said, and left out."""
    compared = 0
    for path in sorted((ROOT / "fixtures").rglob("*.py")):
        for target in load_file(path, Settings()):
            if not isinstance(target, Target) or not isinstance(target.program, Program) or not target.program.data:
                continue
            if not set(target.program.parameters) <= {*KNOWN, target.program.data}:
                continue
            for seed in range(3):
                try:
                    share = largest_difference(target.program, seed)
                except UnsupportedConstruct:
                    break
                except (ArithmeticError, LookupError, TypeError, ValueError):
                    break  # the fixture wants other data than four numbers
                assert share is None or share < 1e-5, (path.name, target.mechanism.qualname, seed, share)
                compared += share is not None
    assert compared > 150


NONLINEAR = """
import math

def f(rng, data):
    spread = math.sqrt(data[0] ** 2 + 1) * math.exp(data[1] / 4)
    noisy = data[2] + rng.laplace(scale=spread)
    return noisy * data[3] > data[0] / data[1] + rng.uniform(-1, spread)
"""


def test_gradients_through_scales_products_and_functions(tmp_path):
    share = largest_difference(written(NONLINEAR, tmp_path), 1)
    assert share is not None
    assert share < 1e-6


@pytest.mark.parametrize(("file", "name"), [FINDER[0], FINDER[1], FINDER[7]])
def test_all_paths_have_the_probabilities_of_the_exact_law(file, name):
    """The estimate is unbiased: within five standard errors of the exact probability of the output of a path."""
    mechanism = program(file, name)
    plain = {**given(mechanism, [*POINT, 0.0])[0], mechanism.data: POINT}
    sums: dict[str, list] = {}
    todo = [()]
    while todo:
        # Each path once: what it decided beyond the list is turned round, one decision after the other.
        start = todo.pop()
        found = estimate(mechanism, [*POINT, 0.0], start, samples=2_000)
        todo += [(*found.decisions[:i], not found.decisions[i]) for i in range(len(start), len(found.decisions))]
        sums.setdefault(found.goal.key, []).append(found)
    assert len(sums) > 3
    whole = 0.0
    for output, paths in sums.items():
        (row,) = losses_of_pair(mechanism, plain, plain, goal=paths[0].goal).forwards
        whole += row.p1.middle
        total = sum(path.probability for path in paths)
        error = sum(path.weights.std() for path in paths) / math.sqrt(2_000)
        assert abs(total - row.p1.middle) <= 5 * error + 1e-12, output
    assert whole == pytest.approx(1.0, abs=1e-12)


def test_errors_of_losses_hold_as_often_as_they_say():
    """The loss of one output by 200 samples, forty times: 95 % are within, and by chance never less than 75 %."""
    mechanism = program("dpfinder/sparse_vector.py", "above_threshold")
    d1, d2 = [0.3, -0.7, 1.1, -2.0], [-0.7, 0.3, 0.1, -1.0]
    decisions = (True, False, True, False)
    sides = [{"epsilon": 0.7, "T": 0.5, "queries": data} for data in (d1, d2)]
    row = next(one for one in losses_of_pair(mechanism, *sides).forwards if one.output == [1, 0, 1, 0])
    inside = 0
    for seed in range(40):
        uniforms = Uniforms(200, seed)
        one, other = (estimate_path(mechanism, side, decisions, (), uniforms, 1) for side in sides)
        loss = loss_of_estimates(one, other)
        assert loss.error < 0.2
        inside += abs(loss.loss - row.loss.low) <= loss.error
    assert inside >= 30


def test_shared_draws_make_losses_surer_than_draws_of_their_own():
    mechanism = program("dpfinder/sparse_vector.py", "above_threshold")
    sides = [{"epsilon": 0.1, "T": 0.5, "queries": data} for data in ([0.3, -0.7, 1.1], [-0.7, 0.3, 0.1])]
    decisions = (True, False, True)
    shared, own = Uniforms(300, 1), Uniforms(300, 2)
    one, other = (estimate_path(mechanism, side, decisions, (), shared, 1) for side in sides)
    alone = estimate_path(mechanism, sides[1], decisions, (), own, 1)
    assert loss_of_estimates(one, other).error < loss_of_estimates(one, alone).error / 3


def test_what_needs_one_float_is_refused(tmp_path):
    mechanism = written("def f(rng, data):\n    return [1, 2, 3][int(rng.laplace())] + data[0]\n", tmp_path)
    with pytest.raises(UnsupportedConstruct, match="noise"):
        estimate(mechanism, [*POINT, 0.0], ())
