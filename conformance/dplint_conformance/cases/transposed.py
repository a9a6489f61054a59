"""Sums over arrays whose rows do not lie one after the other in memory: NumPy adds in the order of the memory."""

import numpy as np


def sums_of_a_transposed_array(rng, n):
    x = rng.normal(size=(3, 4))
    return x.T.sum(), np.sum(x.T), x.T.mean(), x.T.sum(axis=0), x.T.sum(axis=1), x.transpose().sum()


def sums_along_axes_of_a_long_transposed_array(rng, n):
    x = rng.normal(size=(9, 10))
    return x.T.sum(axis=0), x.T.sum(axis=1), np.mean(x.T, axis=1), x.T.sum()


def arithmetic_with_a_transposed_array(rng, n):
    x = rng.normal(size=(3, 3))
    return (x.T + x).sum(), (x.T * 2).sum(), np.exp(x.T).sum(), np.where(x.T > 0, x.T, 0.0).sum(), np.abs(x.T).sum()


def norm_of_a_transposed_array(rng, n):
    x = rng.normal(size=(4, 5))
    return np.linalg.norm(x.T), x.T.std(), x.T.var(), np.average(x.T), x.T.cumsum(), x.T.ravel().sum()


def sums_of_columns_cut_out(rng, n):
    x = rng.normal(size=(9, 9))
    return x[:, 1:].sum(), x[:, ::2].sum(axis=1), x[:, 3].sum(), x[::2].sum(), x[:, :3].mean(axis=0), x[::-1].sum()


def sums_of_a_transposed_copy(rng, n):
    x = rng.normal(size=(3, 4))
    return x.T.copy().sum(), np.array(x.T).sum(), np.array(x.T.tolist()).sum(), np.asarray(x.T).sum()
