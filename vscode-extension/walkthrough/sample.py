"""A survey publishes which flavour people like best.

Each function makes a promise in the line above it.
One of them does not keep it: which one, and why?
"""

from dplint import dp


@dp(epsilon=1.0, neighbors="linf")
def favourite(rng, likes):
    """Which flavour is liked best, by noisy counts."""
    noisy = [count + rng.laplace(scale=2 / 1.0) for count in likes]
    return noisy.index(max(noisy))


@dp(epsilon=1.0, neighbors="linf")
def most_likes(rng, likes):
    """How many like the flavour that is liked best."""
    noisy = [count + rng.laplace(scale=2 / 1.0) for count in likes]
    return max(noisy)
