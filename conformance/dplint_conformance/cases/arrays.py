"""Arrays of one and two dimensions: indices, masks, arithmetic, changes in place."""

import numpy as np


def array_of_noise(rng, queries):
    a = rng.laplace(size=4)
    return a, a[0], a[-1], a[1:3], a[::-1], len(a), a > 0, a + 1, -a, a * a


def array_masks(rng, queries):
    a = np.array(queries) + rng.laplace(size=5)
    return a[a > 1], (a > 1).sum(), a[(a > 0) & (a < 2)], a[~(a > 1)], np.sum(a[(a > 2) | (a < 0)])


def array_masks_are_empty(rng, queries):
    a = rng.random(3)
    kept = a[a > 0.6]
    return kept, len(kept), kept.sum(), list(kept), bool(kept.any())


def array_set_by_index(rng, queries):
    a = np.zeros(4)
    for i in range(4):
        if rng.random() < 0.5:
            a[i] = rng.laplace()
        a[rng.integers(4)] += 1
    return a


def array_set_by_mask(rng, queries):
    a = np.array(queries) + rng.laplace(size=5)
    a[a < 1] = 0
    return a


def array_of_integers_set(rng, queries):
    a = np.zeros(3, dtype=int)
    a[int(rng.integers(3))] = 2.9 * rng.random() + 1
    a[0] += 1
    return a, a / 2, a // 2, a.sum()


def array_with_indices(rng, queries):
    a = np.array(queries)
    order = rng.permutation(5)
    return a[order], a[order[:2]], a[[0, int(rng.integers(5))]], np.array([1, 2, 3])[rng.integers(0, 3, size=4)]


def array_arithmetic(rng, counts):
    a, b = np.array(counts), rng.integers(1, 5, size=4)
    return a + b, a - b, a * b, a / b, a // b, a % b, a**2, a == b, a <= b, -b, abs(a - b), 2**b


def array_with_scalars(rng, counts):
    a = np.array(counts)
    x = rng.laplace()
    return a + x, x - a, a * 2, 1 / (a + 1), a > x, a / 2.0, a // 2, a % 2 == 1


def array_of_bools(rng, counts):
    a = rng.random(4) < 0.5
    return a, ~a, a & True, a.sum(), a.mean(), a + a, a * 1, a.astype(int), a == (np.array(counts) > 1)


def array_two_dimensional(rng, rows):
    a = np.array(rows) + rng.laplace(size=(3, 2))
    return a, a[0], a[1, 1], a[:, 0], a[-1:, :], a.sum(), a.sum(axis=0), a.sum(axis=1), len(a)


def array_two_dimensional_arithmetic(rng, rows):
    a = np.array(rows)
    noise = rng.normal(size=2)
    return a + noise, a * a, a > 3, a[a > 3], np.max(a + noise, axis=1), np.argmax(a * noise)


def array_two_dimensional_loops(rng, rows):
    out = []
    for row in np.array(rows) + rng.laplace(size=(3, 2)):
        out.append(row.max())
        for x in row:
            if x < 1:
                break
            out.append(x)
    return out


def array_product(rng, rows):
    weights = rng.normal(size=2)
    return np.array(rows) @ weights, np.dot(rows, weights), np.dot(weights, weights), weights @ weights


def array_to_list_and_back(rng, queries):
    a = np.array([q + rng.laplace() for q in queries])
    b = a.tolist()
    return b, list(a), sum(b), np.array(b[:2]), float(a[0]), a[1].item()


def array_of_lists_and_scalars(rng, queries):
    x = rng.random()
    return np.array([x, 1, True]), np.array([1, 2]) + [x, x], np.array([[x], [1]]), np.array([True, x > 0.5])


def array_grown_by_append(rng, queries):
    a = np.array([])
    for q in queries:
        if rng.random() < 0.5:
            a = np.append(a, q)
    return a, len(a), a.sum()


def arrays_or_lists(rng, queries):
    x = [1.0, 2.0] if rng.random() < 0.5 else np.array([1.0, 2.0])
    return x, x + x, x[1], len(x)


def arrays_of_varying_length(rng, queries):
    a = np.zeros(int(rng.integers(1, 4)))
    b = np.arange(int(rng.integers(1, 4)))
    return a, b, len(a), b.sum(), np.concatenate([a, b])


def array_in_condition(rng, queries):
    a = rng.laplace(size=3)
    if (a > 0).all():
        return "all"
    if np.any(a > 1):
        return "some", a[0] > 0 and a[1] > 0
    return "none"


def array_of_strings(rng, names):
    a = np.array(names)
    return a[int(rng.integers(3))], a[rng.permutation(3)], a == "b"


def matrix_of_noisy_rows(rng, queries):
    a = np.zeros((2, 3))
    b = a + rng.random()
    return b, b[1], b.sum(axis=0), b[int(rng.integers(2)), int(rng.integers(3))], b[:, 1:]
