"""Further examples of DP211: sum that overflows."""

import numpy as np

from dplint import dp


# bad: pixels, added up by Python in their own type
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 255), size=100)
def brightness(rng, pixels, epsilon):
    return int(sum(np.asarray(pixels, dtype=np.uint8))) + round(rng.laplace(scale=255 / epsilon))


# good: 32 bits hold a hundred of them
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1_000_000), size=100)
def total(rng, values, epsilon):
    return int(np.array(values).sum(dtype=np.int32)) + round(rng.laplace(scale=1_000_000 / epsilon))


# bad
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 1000.0), size=100)
def mean(rng, values, epsilon):
    halves = np.asarray(values, dtype="float16")
    return round(float(np.sum(halves)) / 100 + rng.laplace(scale=10 / epsilon), 1)


# bad: below zero
@dp(epsilon="epsilon", neighbors="add-remove", domain=(-100, 100), size=500)
def balance(rng, values, epsilon):
    return int(np.sum(values, dtype="i2")) + round(rng.laplace(scale=100 / epsilon))


# bad: clipped, and still too much
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1000), size=300)
def capped(rng, values, epsilon):
    kept = np.clip(np.asarray(values), 0, 500)
    return int(np.cumsum(kept, dtype=np.uint16)[-1]) + round(rng.laplace(scale=500 / epsilon))


# good: NumPy adds small integers up in 64 bits
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 255), size=100)
def brightness(rng, pixels, epsilon):
    return int(np.asarray(pixels, dtype=np.uint8).sum()) + round(rng.laplace(scale=255 / epsilon))


# good: clipped to little
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1000), size=100)
def capped(rng, values, epsilon):
    return int(np.sum(np.clip(values, 0, 10), dtype=np.int16)) + round(rng.laplace(scale=10 / epsilon))


# good: Python's integers
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1_000_000), size=5000)
def total(rng, values, epsilon):
    return sum(values) + round(rng.laplace(scale=1_000_000 / epsilon))


# good: the claim says nothing of the size
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def total(rng, values, epsilon):
    return int(np.array(values).sum(dtype=np.int32)) + round(rng.laplace(scale=100 / epsilon))
