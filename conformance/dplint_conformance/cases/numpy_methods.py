"""Methods of arrays, and what is done with whole arrays."""

import numpy as np


def _noise(rng, size=5):
    return np.round(rng.normal(0, 3, size=size), 1)


def array_makers(rng, n):
    x = rng.random()
    return (
        np.array([x, 1]),
        np.asarray((x, 2)),
        np.zeros(3),
        np.ones(2),
        np.full(2, x),
        np.arange(4),
        np.linspace(0, x, 3),
    )


def array_makers_of_kinds(rng, n):
    k = int(rng.integers(1, 4))
    return (
        np.zeros(k),
        np.zeros(k, dtype=int),
        np.ones(k, dtype=bool),
        np.full(k, 7),
        np.arange(k),
        np.arange(1.0, k, 0.5),
    )


def array_makers_of_tables(rng, n):
    x = rng.random()
    return np.zeros((2, 2)) + x, np.eye(2) * x, np.ones((1, 3)), np.full((2, 1), x), np.array([[x, 1], [2, 3]])


def array_makers_like_others(rng, n):
    a = _noise(rng)
    return np.zeros_like(a), np.ones_like(a), np.full_like(a, 2), np.zeros_like([1, 2]), np.ones_like(a > 0), a


def array_makers_with_steps(rng, n):
    k = int(rng.integers(2, 6))
    return np.arange(0, n, k), np.arange(n, 0, -k), np.linspace(-1, 1, k), np.geomspace(1, 8, k), np.logspace(0, 2, k)


def methods_of_arrays(rng, n):
    a = _noise(rng)
    return a.sum(), a.mean(), a.std(), a.var(), a.max(), a.min(), a.argmax(), a.argmin(), a.prod()


def methods_that_give_arrays(rng, n):
    a = _noise(rng)
    return (
        a.cumsum(),
        a.round(),
        a.clip(-1, 1),
        a.argsort(),
        a.copy(),
        a.tolist(),
        a.repeat(2),
        a.nonzero(),
        a.astype(int),
    )


def methods_of_bool_arrays(rng, n):
    a = rng.random(3) < 0.6
    return a.any(), a.all(), a.sum(), a.mean(), a.tolist(), a.astype(float), a.argmax()


def methods_with_axes(rng, rows):
    a = np.array(rows) + rng.integers(0, 4, size=(3, 2))
    return a.sum(axis=0), a.max(axis=1), a.mean(axis=0), a.argmax(axis=0), a.any(axis=1), a.cumsum(axis=0), a.tolist()


def methods_of_numbers(rng, n):
    x = np.float64(rng.normal())
    return x.item(), x.round(1), np.int64(3).item(), (x > 0).item(), rng.laplace(size=1).item()


def method_searchsorted(rng, n):
    cumulated = np.array([0.2, 0.5, 1.0])
    return (
        cumulated.searchsorted(rng.random()),
        int(np.searchsorted(cumulated, rng.random())),
        cumulated.searchsorted([0.2, 0.5]),
    )


def array_sorted_in_place(rng, n):
    a = rng.normal(size=4)
    a.sort()
    return a


def array_changed_element_by_element(rng, n):
    a = np.arange(4)
    for i in range(4):
        if rng.random() < 0.5:
            a[i] += 10
        else:
            a[i] = a[i - 1]
    return a, a.sum()


def array_augmented(rng, queries):
    a = np.array(queries)
    a += rng.laplace(size=5)
    a *= 2
    a -= 1
    a /= rng.integers(1, 3)
    return a


def array_augmented_in_some_runs(rng, queries):
    a = np.zeros(3)
    for i in range(3):
        if rng.random() < 0.5:
            a += i
    return a


def array_of_integers_augmented_by_floats(rng, n):
    a = np.arange(3)
    if rng.random() < 0.5:
        a += 1
    else:
        a += 0.5
    return a


def array_with_masks_set(rng, n):
    a = rng.normal(size=5)
    a[a < 0] = 0
    b = np.arange(5)
    b[a > 1] = 10
    return a, b


def array_of_noisy_choices(rng, n):
    a = np.where(rng.random(6) < 0.5, rng.integers(0, 2, size=6), 9)
    return a, np.sum(a == 9), a[a != 9]


def array_slices_with_noisy_bounds(rng, n):
    a = np.arange(6.0)
    i = int(rng.integers(-7, 8))
    return a[:i], a[i:], a[i : i + 2], a[::-1][:i], a[: rng.integers(0, 6)].sum()


def array_iterated_with_enumerate(rng, n):
    out = []
    for i, x in enumerate(rng.laplace(size=4)):
        if x > 0:
            out.append(i)
    return out, [i for i, x in enumerate(np.sort(rng.random(3))) if x > 0.5]


def table_of_noise(rng, n):
    a = rng.laplace(size=(2, 3))
    return a, a[0], a[:, 1], a[1][2], a[-1, -1], a[a > 0], a.sum(axis=1), np.sort(a), np.sort(a, axis=0), a.reshape(6)


def table_times_vector(rng, rows):
    a = np.array(rows)
    x = rng.normal(size=2)
    return a @ x, a.dot(x), a * x, np.dot(a, x) + rng.normal(size=3), (a @ x).argmax()


def table_broadcast(rng, rows):
    a = np.array(rows)
    return a + rng.normal(size=2), a - a.mean(axis=0), a * rng.random(), a / a.sum(), a.max(axis=1).reshape(3, 1) + a


def where_with_three_arrays(rng, n):
    a, b = rng.normal(size=3), rng.normal(size=3)
    return np.where(a > b, a, b), np.where(a > b, a, 0).sum(), np.where([True, False, a[0] > 0], 1, 2)


def array_augmented_by_a_numpy_number(rng, n):
    a = rng.laplace(size=3)
    a += np.exp(-1.0)
    a *= np.float64(2)
    return a, a - np.float64(0.5), np.maximum(a, np.log(2.0))
