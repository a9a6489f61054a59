"""Functions of NumPy and methods of arrays."""

import numpy as np


def _noise(rng, size=5):
    return np.round(rng.normal(0, 3, size=size), 1)


def elementwise_arithmetic(rng, n):
    a, b = _noise(rng), _noise(rng)
    return np.add(a, b), np.subtract(a, b), np.multiply(a, b), np.divide(a, b), np.negative(a), np.floor_divide(a, b)


def elementwise_remainders(rng, n):
    a, b = rng.integers(-9, 10, size=5), rng.integers(1, 5, size=5)
    return (
        np.mod(a, b),
        np.remainder(a, -b),
        np.power(b, 2),
        np.float_power(b, 0.5),
        np.floor_divide(a, b),
        np.mod(a, 2.5),
    )


def elementwise_comparison(rng, n):
    a, b = rng.integers(0, 3, size=5), rng.integers(0, 3, size=5)
    return (
        np.equal(a, b),
        np.not_equal(a, b),
        np.less(a, b),
        np.less_equal(a, b),
        np.greater(a, b),
        np.greater_equal(a, 1),
    )


def elementwise_logic(rng, n):
    a, b = rng.random(4) < 0.5, rng.random(4) < 0.5
    return np.logical_and(a, b), np.logical_or(a, b), np.logical_not(a), np.logical_xor(a, b), a & b, a | ~b, a ^ b


def elementwise_rounding(rng, n):
    a = rng.normal(0, 5, size=6)
    return np.floor(a), np.ceil(a), np.trunc(a), np.rint(a), np.round(a), np.round(a, 1), np.around(a, -1), np.fabs(a)


def elementwise_exponentials(rng, n):
    a = rng.normal(size=6)
    return (
        np.exp(a),
        np.expm1(a),
        np.exp2(a),
        np.log(np.abs(a)),
        np.log1p(np.abs(a)),
        np.log2(a * a),
        np.log10(np.absolute(a)),
    )


def elementwise_roots_and_signs(rng, n):
    a = rng.normal(size=6)
    return (
        np.sqrt(np.abs(a)),
        np.cbrt(a),
        np.square(a),
        np.sign(a),
        np.copysign(2, a),
        np.heaviside(a, 0.5),
        np.hypot(a, 1),
    )


def elementwise_trigonometry(rng, n):
    a = rng.normal(size=4)
    return np.sin(a), np.cos(a), np.tan(a), np.tanh(a), np.logaddexp(a, 0)


def elementwise_extremes(rng, n):
    a, b = _noise(rng), _noise(rng)
    return (
        np.maximum(a, b),
        np.minimum(a, 0),
        np.fmax(a, b),
        np.fmin(a, 1),
        np.clip(a, -1, 1),
        np.clip(a, None, 2),
        np.clip(a, b, 9),
    )


def elementwise_tests(rng, n):
    a = np.log(_noise(rng))
    return (
        np.isnan(a),
        np.isinf(a),
        np.isfinite(a),
        np.isneginf(a),
        np.isposinf(-a),
        np.nan_to_num(a),
        np.isclose(a, 1, atol=1),
    )


def functions_of_scalars(rng, n):
    x = rng.normal()
    return (
        np.abs(x),
        np.exp(x),
        np.floor(x),
        np.round(x, 1),
        np.sign(x),
        np.maximum(x, 0),
        np.clip(x, -1, 1),
        np.sqrt(x),
    )


def functions_of_python_numbers(rng, n):
    k = int(rng.integers(-3, 4))
    return (
        np.abs(k),
        np.sign(k),
        np.maximum(k, 0),
        np.minimum(k, 1.0),
        np.clip(k, 0, 2),
        np.round(k),
        np.floor(k),
        np.exp(k),
    )


def functions_of_lists(rng, queries):
    noisy = [q + rng.laplace() for q in queries]
    return (
        np.max(noisy),
        np.min(noisy),
        np.mean(noisy),
        np.argmax(noisy),
        np.cumsum(noisy),
        np.abs(noisy),
        np.clip(noisy, 0, 2),
    )


def functions_of_lists_of_noisy_length(rng, queries):
    kept = [q + rng.random() for q in queries if rng.random() < 0.6]
    return np.sum(kept), np.array(kept), np.sort(kept), np.cumsum(kept), np.mean(kept + [0])


def functions_of_nothing(rng, queries):
    kept = [q for q in queries if rng.random() < 0.3]
    return np.sum(kept), np.mean(kept), np.prod(kept), np.sort(kept), np.any(kept), np.all(kept)


def truths_of_one_number(rng, n):
    x = rng.integers(0, 3) * 0.5
    return np.any([x]), np.all(np.array([x])), np.array([x]).any()


def conversions(rng, n):
    x = rng.normal(0, 4)
    return (
        np.float64(x),
        np.int64(x),
        np.float64(int(x)),
        np.int64(3) + 1,
        np.int64(x > 0),
        np.float64("1.5"),
        np.int64(x) / 2,
    )


def reductions(rng, n):
    a = _noise(rng)
    return np.sum(a), np.prod(a), np.mean(a), np.std(a), np.var(a), np.max(a), np.min(a), np.median(a), np.ptp(a)


def reductions_by_other_names(rng, n):
    a = _noise(rng)
    return (
        np.amax(a),
        np.amin(a),
        np.nanmax(a),
        np.nanmin(a),
        np.nansum(a),
        np.nanmean(a),
        np.average(a),
        np.count_nonzero(a > 0),
    )


def reductions_with_missing_values(rng, n):
    a = np.sqrt(_noise(rng))
    return (
        np.nansum(a),
        np.max(a),
        np.nanmax(np.append(a, 1.0)),
        np.mean(a),
        np.nanmean(np.append(a, 2)),
        np.sum(np.isnan(a)),
    )


def reductions_of_tables(rng, rows):
    a = np.array(rows) + np.round(rng.normal(size=(3, 2)), 2)
    return (
        a.sum(),
        np.sum(a, axis=0),
        np.mean(a, axis=1),
        np.max(a, axis=0),
        np.argmax(a, axis=1),
        np.any(a > 4, axis=0),
        np.std(a, axis=0),
    )


def reductions_of_integers(rng, n):
    a = rng.integers(0, 9, size=4)
    return a.sum(), a.mean(), a.max(), np.prod(a), np.median(a), np.cumsum(a), np.std(a), a.min()


def reductions_of_bools(rng, n):
    a = rng.random(5) < 0.5
    return np.sum(a), np.mean(a), np.any(a), np.all(a), np.max(a), np.argmax(a), np.count_nonzero(a), np.cumsum(a)


def reductions_with_options(rng, n):
    a = _noise(rng)
    return np.std(a, ddof=1), np.var(a, ddof=1), np.average(a, weights=[1, 2, 3, 4, 5]), np.round(a.mean(), 1)


def quantiles(rng, n):
    a = rng.normal(size=7)
    return (
        np.quantile(a, 0.3),
        np.percentile(a, 75),
        np.quantile(a, [0, 0.5, 1]),
        np.median(a),
        np.percentile(a, rng.integers(100)),
    )


def positions(rng, n):
    a = rng.integers(0, 4, size=6)
    return (
        np.argmax(a),
        np.argmin(a),
        np.argsort(a, kind="stable"),
        np.flatnonzero(a),
        np.nonzero(a),
        np.argwhere(a > 1),
        np.searchsorted([0, 1, 2], a),
    )


def positions_in_sorted_arrays(rng, n):
    edges = np.sort(rng.normal(size=4))
    x = rng.normal()
    return (
        np.searchsorted(edges, x),
        np.searchsorted(edges, [x, 0], side="right"),
        np.digitize(x, edges),
        np.digitize([x, 5], [0, 1]),
    )


def sorting(rng, n):
    a = rng.normal(size=5)
    return (
        np.sort(a),
        np.sort(a)[::-1],
        np.argsort(a),
        np.argsort(-a)[:2],
        a[np.argsort(a)],
        np.partition(a, 2)[2],
        np.sort([3, 1, 2]),
    )


def counting(rng, records):
    a = rng.integers(0, 4, size=8)
    return (
        np.bincount(a),
        np.bincount(a, minlength=6),
        np.unique(a),
        np.histogram(a, bins=4, range=(0, 4)),
        np.bincount(a, weights=a * 0.5),
    )


def counting_with_edges(rng, n):
    a = rng.normal(size=10)
    counts, edges = np.histogram(a, bins=[-2, 0, 1, 3])
    return counts, edges, counts + rng.laplace(size=3)


def sets_of_numbers(rng, n):
    a, b = rng.integers(0, 5, size=4), rng.integers(0, 5, size=4)
    return np.isin(a, b), np.union1d(a, b), np.intersect1d(a, b), np.setdiff1d(a, b), np.unique(np.concatenate([a, b]))


def choosing(rng, n):
    a = rng.normal(size=5)
    return (
        np.where(a > 0, a, 0),
        np.where(a > 0)[0],
        np.where(a > 0, 1, -1),
        np.where(a[0] > 0, "up", "down"),
        np.where(a < 0, a, "x")[0],
    )


def joining(rng, n):
    a, b = _noise(rng, 2), _noise(rng, 3)
    return (
        np.concatenate([a, b]),
        np.append(a, b),
        np.append(a, 1.5),
        np.hstack([a, b]),
        np.concatenate((a, [0])),
        np.vstack([a, a]),
        np.stack([a, -a]),
    )


def joining_kinds(rng, n):
    a = rng.integers(0, 3, size=2)
    return np.concatenate([a, [0.5]]), np.append(a, True), np.append([], a), np.hstack([a, 1]), np.array([a, a])


def repeating(rng, n):
    a = _noise(rng, 2)
    k = int(rng.integers(0, 3))
    return (
        np.repeat(a, 2),
        np.tile(a, k),
        np.repeat(0, k),
        np.repeat(a, k),
        np.roll(a, k),
        np.flip(a),
        np.tile([1, 2], 2),
    )


def differences_and_sums(rng, n):
    a = _noise(rng)
    return np.diff(a), np.cumsum(a), np.cumprod(a), np.diff(a, n=2), np.sum(np.diff(a)), np.cumsum([1, 2, 3]) + a[0]


def shapes(rng, n):
    a = _noise(rng, 6)
    return (
        a.shape,
        a.size,
        a.ndim,
        np.reshape(a, (2, 3)),
        a.reshape(3, 2),
        a.reshape((2, 3)).flatten(),
        np.ravel(a),
        a.ravel(),
    )


def shapes_of_noisy_length(rng, n):
    a = np.zeros(int(rng.integers(0, 4)))
    return a.shape, a.size, a.shape[0] + 1, len(a), a.reshape(-1, 1).shape


def products(rng, n):
    a, b = _noise(rng, 3), _noise(rng, 3)
    return (
        np.dot(a, b),
        a @ b,
        np.inner(a, b),
        np.outer(a, b),
        a.dot(b),
        np.linalg.norm(a),
        np.linalg.norm(a, 1),
        np.linalg.norm(a, ord=np.inf),
    )


def comparisons_of_whole_arrays(rng, n):
    a, b = rng.integers(0, 2, size=2), rng.integers(0, 2, size=2)
    return (
        np.array_equal(a, b),
        np.allclose(a, b),
        np.all(a == b),
        (a == b).any(),
        np.array_equal(a, [0, 1]),
        np.isclose(a, b),
    )


def interpolation(rng, n):
    x = rng.uniform(-1, 3)
    return np.interp(x, [0, 1, 2], [0, 10, 5]), np.interp([x, 0.5], [0, 1], [1, 2])


def clipped_on_one_side(rng, n):
    x = rng.normal(0, 2, 4)
    y = np.float64(rng.normal())
    return (
        np.clip(x, 0, None), np.clip(x, None, 1), np.clip(x, a_min=-1, a_max=None), x.clip(0), x.clip(max=0.5),
        x.clip(min=-0.0, max=1), np.clip(y, 0, None), np.clip(rng.integers(-3, 4, 3), 0, None), np.clip(x, -x, None),
    )  # fmt: skip


def clipped_between_zeros(rng, n):
    x = np.array([-0.0, 0.0, 1.0]) * (1 if rng.random() < 0.5 else -1)
    return np.clip(x, 0, None), np.clip(x, -0.0, None), np.clip(x, None, 0.0), np.clip(x, None, -0.0)


def quantiles_at_several_places(rng, n):
    x = rng.normal(size=5)
    return np.percentile(x, [25, 50, 75]), np.quantile(x, (0.1, 0.9)), np.quantile(x, np.linspace(0, 1, 4)).tolist()


def accumulated(rng, n):
    x, k = rng.normal(size=4), rng.integers(0, 3, 4)
    return np.maximum.accumulate(x), np.minimum.accumulate(x), np.add.accumulate(x), np.maximum.accumulate(k), (
        np.add.accumulate(k > 1), np.maximum.accumulate(k > 1), np.minimum.accumulate([x[0], 0.5, x[1]]),
    )  # fmt: skip


def tables_as_lists(rng, n):
    x, k = rng.normal(size=(2, 3)), rng.integers(0, 3, (2, 2))
    return x.tolist(), (k > 1).tolist(), k.tolist()[1], sum(map(sum, x.tolist())), (x[:, :1] * 2).tolist()
