"""Further examples of DP402: unbounded release."""

import math


from dplint import dp


# bad: Chen et al. 2015
@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out = []
    for query in queries:
        noisy = query + rng.laplace(scale=2 / epsilon)
        if noisy >= threshold:
            out.append(1)
        else:
            out.append(0)
    return out


# good
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def above(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out, count = [], 0
    for query in queries:
        if query + rng.laplace(scale=4 * N / epsilon) >= threshold:
            out.append(True)
            count += 1
            if count >= N:
                break
        else:
            out.append(False)
    return out


# bad
@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    return [query + rng.laplace(scale=2 / epsilon) >= threshold for query in queries]


# bad
@dp(epsilon="epsilon", neighbors="linf")
def stream(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    for query in queries:
        yield query + rng.laplace(scale=4 / epsilon) >= threshold


# bad: a counter that nothing looks at
@dp(epsilon="epsilon", neighbors="linf")
def counted(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    bits, count = [0] * len(queries), 0
    for i, query in enumerate(queries):
        if query + rng.laplace(scale=4 / epsilon) >= threshold:
            bits[i] = 1
            count += 1
    return bits


# bad
def is_above(rng, query, threshold, epsilon):
    return query + rng.laplace(scale=4 / epsilon) > threshold


@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out = []
    for query in queries:
        out.append(is_above(rng, query, threshold, epsilon))
    return out


# good: every test is paid for
@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    return [query + rng.laplace(scale=len(queries) / epsilon) >= T for query in queries]


# good: one answer moves
@dp(epsilon="epsilon", neighbors="l1")
def above(rng, counts, epsilon, T):
    return [count + rng.laplace(scale=1 / epsilon) >= T for count in counts]


# good
@dp(epsilon="epsilon", neighbors="linf")
def winner(rng, queries, epsilon):
    best, winner = -math.inf, 0
    for i, query in enumerate(queries):
        noisy = query + rng.laplace(scale=2 / epsilon)
        if noisy > best:
            best, winner = noisy, i
    return winner


# good
@dp(epsilon="epsilon", neighbors="linf", size=4)
def above(rng, queries, epsilon, T):
    return [query + rng.laplace(scale=4 / epsilon) >= T for query in queries]


# good
@dp(epsilon="len(queries) * epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    return [query + rng.laplace(scale=1 / epsilon) >= T for query in queries]
