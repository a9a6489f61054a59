"""Functions that a function makes for itself and that call themselves, with what they see of what is around them."""

import numpy as np


def sums_of_a_tree(rng, queries):
    scale = 1 + len(queries)

    def visit(part):
        noisy = sum(part) + rng.laplace(scale=scale)
        if len(part) <= 1:
            return [noisy]
        half = len(part) // 2
        return [noisy, *visit(part[:half]), *visit(part[half:])]

    return visit(queries)


def bisection_that_calls_itself(rng, queries, depth=4):
    def search(low, high, left=depth_of_all):
        middle = (low + high) / 2
        if left == 0:
            return middle
        below = sum(q < middle for q in queries) + rng.laplace()
        return search(low, middle, left - 1) if below > 2 else search(middle, high, left - 1)

    return search(0.0, 4.0, depth), search(1.0, 2.0)


depth_of_all = 2


def recursion_that_sees_what_changes_later(rng, queries):
    step = rng.random()

    def down(k):
        return 0.0 if k <= 0 else step + down(k - 1)

    first = down(2)
    step = rng.normal()
    return first, down(3)


def recursion_of_a_lambda(rng, queries):
    power = lambda k: 1.0 if k == 0 else 2 * power(k - 1)  # noqa: E731
    return power(3) + rng.normal(), [power(k) for k in range(3)]


def recursion_by_way_of_another(rng, queries):
    base = rng.normal()

    def total(items):
        return base if not items else items[0] + total(items[1:])

    def mean(items):
        return total(items) / max(len(items), 1)

    return mean(queries), total(queries[:2]), mean([])


def recursion_in_two_functions(rng, queries):
    def visit(k):
        return [k] if k < 1 else visit(k - 1) + [k + rng.random()]

    return _other(rng, 2), visit(1)


def _other(rng, n):
    def visit(k):
        return rng.normal() if k < 1 else visit(k - 1) * 2

    return visit(n)


def recursion_as_deep_as_noise_says(rng, queries):
    def again(count):
        return count if count >= 6 or rng.random() < 0.5 else again(count + 1)

    return [again(0) for _ in queries]


def recursion_over_arrays(rng, queries):
    def halves(x):
        if x.size <= 1:
            return x.sum() + rng.laplace()
        middle = x.size // 2
        return max(halves(x[:middle]), halves(x[middle:]))

    return halves(np.array(queries))


def recursion_within_recursion(rng, queries):
    base = rng.normal()

    def inner(k):
        return base if k <= 0 else inner(k - 1) + rng.random()

    def outer(k):
        return inner(k) if k <= 0 else outer(k - 1) * inner(k)

    return outer(2), inner(1), [outer(k) for k in range(2)]


def function_that_calls_a_later_one(rng, queries):
    def noisy(x):
        return scaled(x) + rng.random()

    low = min(queries)

    def scaled(x):
        return (x - low) * 2

    return [noisy(q) for q in queries]
