"""Boosted stumps and logistic regression, against what defines them; and numbers that are sorted once."""

import numpy as np
import pytest

from dplint.events.columns import Ordered
from dplint.events.learning import Observed, boosted, fitted


def of_law(weights, runs, seed, *, constant=0.3):
    """Columns of conditions of different frequency, and sides by a logistic law of these weights."""
    rng = np.random.default_rng(seed)
    columns = [rng.random(runs) < share for share in np.linspace(0.1, 0.9, len(weights))]
    scores = constant + np.array(columns, np.float64).T @ weights
    return columns, (rng.random(runs) < 1 / (1 + np.exp(-scores))).astype(np.int32)


@pytest.mark.parametrize("weights", [[0.5, -0.3, 0.0], [4.0, -6.0, 2.0, 1.0], [0.01] * 12])
def test_the_fit_is_where_the_derivative_of_the_loss_is_zero(weights):
    columns, truth = of_law(np.array(weights), 20_000, 1)
    found, _ = fitted(Observed.of(columns, truth))
    matrix = np.array(columns, np.float64).T
    matrix -= matrix.mean(axis=0)

    # The constant is whatever makes as many expected as were seen.
    low, high = -50.0, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        expected = 1 / (1 + np.exp(-(matrix @ found + middle)))
        low, high = (middle, high) if expected.sum() < truth.sum() else (low, middle)

    assert matrix.T @ (expected - truth) + found == pytest.approx(
        np.zeros(len(weights)), abs=0.02 * np.sqrt(len(truth))
    )


def test_weights_are_those_of_the_law_within_their_errors():
    weights = np.array([0.8, -0.5, 0.0, 0.0])
    away = []
    for seed in range(40):
        found, errors = fitted(Observed.of(*of_law(weights, 5_000, seed)))
        away.append((found - weights) * errors / np.abs(found))

    spread = np.std(away, axis=0)

    assert ((spread > 0.7) & (spread < 1.4)).all()
    assert np.abs(np.mean(away, axis=0)).max() < 0.6


@pytest.mark.parametrize("number", [1, 3, 14, 41])
def test_conditions_and_numbers_are_fitted_alike(number):
    """What comes in few ways is counted by them, up to some number of columns."""
    columns, truth = of_law(np.linspace(-1, 1, number), 3_000, 3)
    counted, errors = fitted(Observed.of(columns, truth))
    plain, others = fitted(Observed.of([column.astype(np.float64) for column in columns], truth))

    assert Observed.of(columns, truth).counts.sum() == 3_000
    assert counted == pytest.approx(plain, abs=1e-6)
    assert errors == pytest.approx(others, rel=1e-4)


def test_columns_can_be_left_out():
    columns, truth = of_law(np.array([1.0, 0.0, -1.0]), 3_000, 4)
    few = fitted(Observed.of(columns, truth).only(np.array([0, 2])))

    assert few[0] == pytest.approx(fitted(Observed.of([columns[0], columns[2]], truth))[0], abs=1e-6)


def test_what_never_varies_or_tells_all_is_no_error():
    columns, truth = of_law(np.array([1.0, 1.0]), 2_000, 5)
    found, errors = fitted(Observed.of([np.ones(2_000, np.bool_), truth == 1, columns[0]], truth))

    assert np.isfinite(found).all()
    assert np.isfinite(errors).all()
    assert found[0] == pytest.approx(0.0, abs=1e-9)
    assert found[1] > 3


@pytest.mark.parametrize("features", [1, 2, 5])
def test_stumps_are_where_the_law_jumps(features):
    """One of several features says something, from one cell on."""
    rng = np.random.default_rng(features)
    cells = [rng.integers(0, 9, 30_000).astype(np.uint8) for _ in range(features)]
    scores = np.where(cells[-1] >= 6, 0.7, -0.4)
    truth = (rng.random(30_000) < 1 / (1 + np.exp(-scores))).astype(np.int32)

    (size, feature, cell), *others = boosted(cells, truth)

    assert (feature, cell) == (features - 1, 6)
    assert size == pytest.approx(1.1, abs=0.15)
    assert all(abs(other[0]) < 0.2 for other in others)
    (opposite, *place), *_ = boosted(cells, 1 - truth)
    assert (opposite, *place) == (pytest.approx(-size, abs=1e-9), feature, cell)


def test_outputs_may_be_counted():
    """In few ways and with weights the same as one by one."""
    rng = np.random.default_rng(7)
    cells, truth = rng.integers(0, 5, 20_000), (rng.random(20_000) < 0.5).astype(np.int32)
    truth |= cells == 3
    counts = np.bincount(truth * 5 + cells, minlength=10)

    each = boosted([cells.astype(np.uint8)], truth)
    counted = boosted([np.tile(np.arange(5, dtype=np.uint8), 2)], np.repeat([0, 1], 5), counts.astype(np.float64))

    assert [jump[1:] for jump in counted] == [jump[1:] for jump in each]
    assert [jump[0] for jump in counted] == pytest.approx([jump[0] for jump in each])


def test_few_outputs_make_no_stump():
    """Of forty above a cell nobody knows enough."""
    cells = np.repeat(np.array([0, 1], np.uint8), [1_000, 40])

    assert boosted([cells], cells.astype(np.int32)) == []
    assert boosted([cells[:10]], cells[:10].astype(np.int32)) == []


@pytest.mark.parametrize("runs", [1, 2, 3, 10, 1_001])
@pytest.mark.parametrize("digits", [0, 1, 12])
def test_quantiles_and_values_are_those_of_numpy(runs, digits):
    numbers = np.random.default_rng(runs).normal(scale=3, size=runs).round(digits)
    shares = [0.0, 0.0005, 0.1, 1 / 3, 0.5, 0.8, 0.995, 1.0]
    ordered = Ordered.of(numbers)
    values, counts = np.unique(numbers, return_counts=True)

    assert ordered.quantiles(shares) == np.quantile(numbers, shares).tolist()
    assert ordered.distinct.tolist() == values.tolist()
    assert ordered.counts.tolist() == counts.tolist()


def test_infinities_are_set_apart():
    numbers = np.array([np.inf, 2.0, -np.inf, 1.0, np.inf])

    assert Ordered.of(numbers).finite.numbers.tolist() == [1.0, 2.0]
    assert len(Ordered.of(numbers[[0, 2]]).finite) == 0
    assert len(Ordered.of(np.zeros(0)).finite.distinct) == 0
