"""NumPy's functions that shape, take out and put together, and small linear algebra."""

import numpy as np


def dimensions(rng, values):
    x = rng.laplace(size=int(rng.integers(1, 4)))
    return np.ndim(x), np.ndim(values[0]), np.shape([x, x]), np.shape(values[0]), np.size([x, x]), np.size(x[0])


def at_least_some_dimensions(rng, values):
    x = np.array(values) + rng.laplace(size=len(values))
    return np.atleast_1d(x[0]), np.atleast_2d(x), np.atleast_1d([1, 2]) + x[0], np.atleast_2d(rng.random()).shape


def turned(rng, rows):
    x = np.array(rows) + rng.laplace(size=(3, 2))
    return x.T, x.T @ x, x.transpose(), np.transpose(x)[0], x.T.shape, np.array([1, rng.random()]).T


def more_axes(rng, values):
    x = np.array(values[:3]) + rng.laplace(size=3)
    differences = x[:, np.newaxis] - x[np.newaxis, :]
    return differences, np.expand_dims(x, 0).shape, np.squeeze(np.array([x])), np.array([[x]]).squeeze()


def a_view_is_not_changed_alone(rng, values):
    x = np.array(values) + rng.laplace(size=len(values))
    y = np.array(np.atleast_1d(x))
    y[0] = rng.random()
    return x, y


def columns_put_together(rng, values):
    x = np.array(values) + rng.laplace(size=len(values))
    return np.column_stack([x, 2 * x]), np.column_stack((x, x > 0)), np.pad(x, 1), np.pad(x, (0, 2))


def taken_out(rng, values):
    x = np.array(values) + rng.laplace(size=len(values))
    return np.take(x, [0, 2]), x.take([1, -1]), np.compress(x > 0, x), np.extract(x < 0, x), np.delete(x, 1)


def taken_too_far(rng, values):
    return np.array(values).take(rng.integers(3, 7))


def put_in(rng, values):
    x = np.array(values)
    return np.insert(x, 0, rng.random()), np.insert(x, rng.integers(3), 5), np.delete(x, rng.integers(5))


def orders_by_two(rng, values):
    x = np.round(np.array(values) + rng.laplace(size=len(values)))
    return np.lexsort((x, np.abs(x))), np.ediff1d(x)


def numbers_of_rows_and_columns(rng, rows):
    x = np.array(rows * 4) + rng.laplace(size=(12, 2))
    return (
        *(x.sum(), x.mean(), np.sum(x, axis=0), np.sum(x, axis=-1), x.mean(axis=0), np.mean(x, 1)),
        *(x.max(axis=1), np.min(x, axis=0), (x > 2).any(axis=0), np.all(x > 1, axis=1), (x > 2).sum(axis=0)),
        *(np.sum(rows, axis=1) + x[0, 0], np.mean([x[0], x[1]], axis=0)),
    )


def numbers_along_an_axis_that_may_be_wrong(rng, rows):
    x = np.array(rows) + rng.laplace(size=(3, 2))
    return x.sum(axis=int(rng.integers(3)))


def numbers_of_rows_with_odd_ones(rng, rows):
    x = np.array(rows) * rng.choice([1.0, -0.0, float("nan"), float("inf")], size=(3, 2))
    return x.sum(axis=0), x.max(axis=1), np.mean(x, axis=1), x.argmax(), np.argmin(x[0]), np.argmax(x[:, 1])


def other_shapes(rng, values):
    x = np.array(values[:4]) + rng.laplace(size=4)
    table = x.reshape(-1, 2)
    return table, x.reshape((4, 1)) * x, np.reshape(table, 4), table.ravel(), table.T.flatten(), np.ravel([x, x])


def other_shapes_that_may_be_wrong(rng, values):
    x = np.array(values) + rng.laplace(size=5)
    return x.reshape(int(rng.integers(4)), -1)


def outer_products(rng, values):
    x = np.asarray(values, dtype=float) + rng.laplace(size=len(values))
    table = np.outer(x, [1.0, 0.5])
    factors = np.minimum(1.0, 2.0 / np.maximum(np.sqrt((table**2).sum(axis=1)), 1e-12))
    return (table * factors.reshape(-1, 1)).sum(axis=0), np.outer([1, 2], x > 0), np.outer(x, x), np.outer(2, x)


def triangles(rng, rows):
    x = np.array(rows[:2]) + rng.laplace(size=(2, 2))
    return np.triu(x), np.tril(x), np.trace(x), np.einsum("ij,ij->i", x, x), np.einsum("ij->j", x), np.kron(x[0], x[1])


def solved(rng, rows):
    x = np.array(rows[:2]) + rng.random((2, 2))
    return np.linalg.det(x), np.linalg.inv(x), np.linalg.solve(x, [1.0, 2.0])


def solved_where_that_may_fail(rng, rows):
    x = np.array([[1.0, 0.0], [0.0, float(rng.integers(2))]])
    return np.linalg.inv(x)


def covariances(rng, values):
    x = np.array(values) + rng.laplace(size=len(values))
    return np.cov(x), np.corrcoef(x, x[::-1]), np.convolve(x, [0.5, 0.5]), x.cumprod(), np.bool_(x[0] > 0)


def parts_assigned(rng, values):
    x = np.array(values) + rng.laplace(size=len(values))
    x[1:] = 0
    x[:2] += rng.laplace()
    x[::2] -= 1
    x[-1:] = [rng.random()]
    return x


def parts_assigned_of_another_length(rng, values):
    x = np.array(values)
    x[: int(rng.integers(4))] = [1.0, 2.0]
    return x


def parts_of_whole_numbers(rng, counts):
    x = np.array(counts)
    x[:2] = rng.laplace() * 3
    return x


def parts_of_whole_numbers_and_broken_ones(rng, counts):
    x = np.array(counts)
    x[:2] += 1
    if rng.random() < 0.5:
        x[1:] += 0.5
    return x


def parts_of_lists(rng, values):
    xs = [v + rng.random() for v in values]
    n = int(rng.integers(0, 4))
    xs[n:] = [1, 2]
    xs[:1] = []
    xs[1:1] = (v for v in values if v > rng.random())
    xs[-1:] += (7,)
    return xs, len(xs)


def parts_of_lists_of_a_step(rng, values):
    xs = list(values)
    xs[::2] = [rng.random()] * int(rng.integers(2, 4))
    return xs


def entries_of_pairs(rng, values):
    tree = {}
    for level in range(2):
        for place, value in enumerate(values[:2]):
            tree[level, place] = value + rng.laplace()
    tree[0, 1] += rng.random()
    return tree, tree[(1, 0)], (1, 5) in tree
