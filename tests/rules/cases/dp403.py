"""Further examples of DP403: threshold noise missing or too small."""

import math


from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="linf")
def sparse(rng, queries, epsilon, T):
    threshold = T
    found = []
    for query in queries:
        if query + rng.laplace(scale=4 / epsilon) >= threshold:
            found.append(True)
            break
        found.append(False)
    return found


# good
@dp(epsilon="epsilon", neighbors="linf")
def sparse(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    found = []
    for query in queries:
        if query + rng.laplace(scale=4 / epsilon) >= threshold:
            found.append(True)
            break
        found.append(False)
    return found


# bad
@dp(epsilon="epsilon", neighbors="linf")
def sparse(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=1 / epsilon)
    found = []
    for query in queries:
        if query + rng.laplace(scale=2 / epsilon) >= threshold:
            found.append(True)
            break
        found.append(False)
    return found


# bad
@dp(epsilon="epsilon", neighbors="linf")
def sparse(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=8 / epsilon)
    found = []
    for query in queries:
        if query + rng.laplace(scale=2 / epsilon) >= threshold:
            found.append(True)
            break
        found.append(False)
    return found


# bad: DP-Finder's AT4
@dp(epsilon="epsilon", neighbors="linf", args={"c": 1})
def sparse(rng, queries, epsilon, T, c):
    threshold = T + rng.laplace(scale=4 / epsilon)
    bits, hits = [0] * len(queries), 0
    for i, query in enumerate(queries):
        if query + rng.laplace(scale=4 * c / (3 * epsilon)) >= threshold:
            bits[i] = 1
            hits += 1
            if hits == c:
                break
    return bits


# bad
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def sparse(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    found, count = [], 0
    for query in queries:
        if query + rng.laplace(scale=2 * N / epsilon) >= threshold:
            found.append(True)
            count += 1
            if count >= N:
                break
        else:
            found.append(False)
    return found


# good
@dp(epsilon="epsilon", neighbors="linf")
def sparse(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=3 / epsilon)
    found = []
    for query in queries:
        if query + rng.laplace(scale=3 / epsilon) >= threshold:
            found.append(True)
            break
        found.append(False)
    return found


# good
@dp(epsilon="epsilon", neighbors="linf")
def sparse(rng, queries, epsilon, T):
    threshold = T
    found = []
    for query in queries:
        if query + rng.laplace(scale=len(queries) / epsilon) >= threshold:
            found.append(True)
            break
        found.append(False)
    return found


# good
@dp(epsilon="epsilon", neighbors="l1")
def sparse(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=1 / epsilon)
    found = []
    for query in queries:
        if query + rng.laplace(scale=1 / epsilon) >= threshold:
            found.append(True)
            break
        found.append(False)
    return found


# good
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def sparse(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 * N / epsilon)
    found, count = [], 0
    for query in queries:
        if query + rng.laplace(scale=4 * N / epsilon) >= threshold:
            found.append(True)
            count += 1
            if count >= N:
                break
            threshold = T + rng.laplace(scale=2 * N / epsilon)
        else:
            found.append(False)
    return found


# good
@dp(epsilon="epsilon", neighbors="linf")
def winner(rng, queries, epsilon):
    best, winner = -math.inf, 0
    for i, query in enumerate(queries):
        noisy = query + rng.laplace(scale=2 / epsilon)
        if noisy > best:
            best, winner = noisy, i
    return winner
