"""Further examples of DP206: selection noise reused."""

from dplint import dp


# bad: Roth's lecture notes
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def sparse(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out, count = [], 0
    for query in queries:
        noisy = query + rng.laplace(scale=2 * N / epsilon)
        if noisy > threshold:
            out.append(noisy)
            count += 1
            if count >= N:
                break
        else:
            out.append(False)
    return out


# good: fresh noise
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def numeric(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=3 / epsilon)
    out, count = [], 0
    for query in queries:
        if query + rng.laplace(scale=6 * N / epsilon) >= threshold:
            out.append(query + rng.laplace(scale=3 * N / epsilon))
            count += 1
            if count >= N:
                break
        else:
            out.append(0.0)
    return out


# bad
@dp(epsilon="epsilon", neighbors="linf", args={"c": 1})
def stored(rng, queries, epsilon, T, c):
    threshold = T + rng.laplace(scale=2 / epsilon)
    values, hits = [-10.0] * len(queries), 0
    for i, query in enumerate(queries):
        noisy = query + rng.laplace(scale=2 * c / epsilon)
        if noisy >= threshold:
            values[i] = noisy
            hits += 1
            if hits == c:
                break
    return values


# bad
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def far_above(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out, count = [], 0
    for query in queries:
        noisy = query + rng.laplace(scale=4 * N / epsilon)
        if noisy - threshold >= 0:
            out.append(round(noisy, 2))
            count += 1
        else:
            out.append(None)
        if count >= N:
            break
    return out


# bad
def noisy_answer(rng, query, scale):
    return query + rng.laplace(scale=scale)


@dp(epsilon="epsilon", neighbors="linf")
def by_helper(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out = []
    for query in queries:
        answer = noisy_answer(rng, query, 4 / epsilon)
        if answer < threshold:
            out.append(None)
            continue
        out.append(answer)
        break
    return out


# bad
@dp(epsilon="epsilon", neighbors="linf")
def pairs(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out = []
    for i, query in enumerate(queries):
        answer = query + rng.laplace(scale=4 / epsilon)
        if answer >= threshold:
            out.append((i, answer))
            break
        out.append((i, 0.0))
    return out


# good: the gap is free
@dp(epsilon="epsilon", neighbors="linf", args={"N": (1, 5)})
def gaps(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    out, count = [], 0
    for query in queries:
        noisy = query + rng.laplace(scale=4 * N / epsilon)
        if noisy >= threshold:
            out.append(noisy - threshold)
            count += 1
            if count >= N:
                break
        else:
            out.append(0.0)
    return out


# good: enough noise for all of them: what follows is post-processing
@dp(epsilon="epsilon", neighbors="linf")
def large_ones(rng, queries, epsilon, T):
    noisy = [query + rng.laplace(scale=len(queries) / epsilon) for query in queries]
    return [n for n in noisy if n > T]


# good
@dp(epsilon="epsilon", neighbors="l1")
def large_counts(rng, counts, epsilon, T):
    out = []
    for count in counts:
        noisy = count + rng.laplace(scale=1 / epsilon)
        if noisy > T:
            out.append(noisy)
        if len(out) > 10:
            break
    return out


# good
@dp(epsilon="epsilon", neighbors="linf")
def index_only(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    for i, query in enumerate(queries):
        noisy = query + rng.laplace(scale=4 / epsilon)
        if noisy >= threshold:
            return i
    return -1
