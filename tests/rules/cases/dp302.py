"""Further examples of DP302: fixed or data-derived seed."""

import random

import numpy as np

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    np.random.seed(0)
    return sum(values) + np.random.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon, seed=None):
    rng = np.random.default_rng(seed)
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad: cross-media-measurement 4183: the seed comes from the data
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    rng = np.random.default_rng(int(sum(values)))
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    rng = random.Random(7)
    return sum(values) + rng.gauss(0, 1 / epsilon)


# bad
def generator():
    return np.random.Generator(np.random.PCG64(1234))


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return sum(values) + generator().laplace(scale=1 / epsilon)


# bad
RNG = np.random.default_rng(0)


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    return sum(values) + RNG.laplace(scale=1 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="l1")
def hashed(values, epsilon):
    random.seed(hash(tuple(values)))
    return sum(values) + random.gauss(0, 1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon, rng=None):
    rng = rng or np.random.default_rng()
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good
import secrets


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    rng = np.random.default_rng(secrets.randbits(128))
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good: a seeded generator that makes no noise
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    order = np.random.default_rng(0)
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    rng = random.SystemRandom(3)
    return sum(values) + rng.gauss(0, 1 / epsilon)


# bad: a key of a fixed seed, split before it is used
import jax
import jax.numpy as jnp


@dp(epsilon="epsilon", neighbors="l1")
def keyed(values, epsilon):
    key, _ = jax.random.split(jax.random.PRNGKey(0))
    return jnp.asarray(values) + jax.random.laplace(key, (len(values),)) / epsilon


# good: the caller makes the key
import jax
import jax.numpy as jnp


@dp(epsilon="epsilon", neighbors="l1")
def keyed(values, key, epsilon):
    return jnp.asarray(values) + jax.random.laplace(jax.random.fold_in(key, 1), (len(values),)) / epsilon
