"""NumPy's linear algebra, and tables that are made by it and changed element by element."""

import itertools

import numpy as np


def _noisy_gram(rng, queries):
    x = np.asarray(queries, dtype=float) + rng.normal(size=len(queries))
    return np.outer(x, x) + np.diag(np.ones(len(x)))


def eigenvalues(rng, queries):
    gram = _noisy_gram(rng, queries)
    values, vectors = np.linalg.eigh(gram)
    return values, vectors[:, -1], np.linalg.eigvalsh(gram), np.diag(gram)


def eigenvalues_as_they_are(rng, queries):
    return np.linalg.eigh(_noisy_gram(rng, queries)), np.linalg.qr(_noisy_gram(rng, queries))


def decompositions(rng, queries):
    gram = _noisy_gram(rng, queries)
    u, s, vt = np.linalg.svd(gram)
    q, r = np.linalg.qr(gram[:, :2])
    return u @ vt, s, np.abs(r), q.shape, np.linalg.cholesky(gram), np.linalg.pinv(gram[:2])


def systems(rng, queries):
    gram = _noisy_gram(rng, queries)
    right = np.asarray(queries) + rng.normal()
    several = np.stack([right, right * 2], axis=1)
    return np.linalg.solve(gram, right), np.linalg.solve(gram, several), np.linalg.inv(gram), np.linalg.det(gram)


def systems_of_which_some_are_singular(rng, queries):
    return np.linalg.inv(np.eye(2) * int(rng.integers(2)) + np.diag([0, rng.integers(2)]))


def roots_of_what_may_have_none(rng, queries):
    return np.linalg.cholesky(np.eye(2) * rng.normal())


def matrices_in_some_runs(rng, queries):
    gram = _noisy_gram(rng, queries)
    if rng.random() < 0.5:
        gram = np.linalg.inv(gram)
    return gram[0], np.vdot(gram, gram), np.linalg.eigvalsh(np.array([[1, 2], [2, 3]]))


def split_arrays(rng, queries):
    x = np.asarray(queries) + rng.normal()
    means = [part.mean() for part in np.array_split(x, 2)]
    return means, [len(part) for part in np.array_split(x[x > 1], 3)], np.array_split(queries, 2)[1]


def repeated_and_compressed(rng, queries):
    noise = rng.normal()
    kept = list(itertools.compress(queries, [noise > 0, True, False]))
    return (
        list(itertools.repeat(noise, 2)),
        kept,
        sum(itertools.repeat(1.5, int(rng.integers(3)))),
        np.nanmedian(queries),
    )


def products_with_noise_in_their_elements(rng, queries):
    x = np.asarray(queries, dtype=float)
    gram = x[:2, None] @ x[None, :2]
    for i in range(2):
        for j in range(i, 2):
            gram[i, j] += rng.normal()
            gram[j, i] = gram[i, j]
    return gram


def other_tables_with_noise_in_their_elements(rng, queries):
    square = np.outer(queries, queries)
    plain = np.eye(3)
    drawn = rng.normal(size=(2, 2))
    copied = np.array([queries, queries])
    for i in range(2):
        square[0, i] = i
        plain[i, i + 1] += rng.random()
        drawn[i, i] = 0
        copied[i, 0] = 7
        drawn[0, 1] -= i
    return square, plain, drawn, copied, len(copied)


def limits_of_numbers(rng, queries):
    shares = np.asarray(queries) / (np.sum(queries) + np.finfo(float).eps)
    small = np.finfo(np.float64).tiny * rng.random()
    return shares, small, np.finfo(float).eps, np.iinfo(np.int64).max, -np.finfo(np.float64).max
