"""Mechanisms as the literature and libraries have them, right and wrong ones."""

import math
import random

import numpy as np

LIMIT = 2.5


def randomized_response(rng, bits, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return [b if rng.random() < keep else 1 - b for b in bits]


def randomized_response_of_a_category(rng, names, epsilon, answer="b"):
    keep = math.exp(epsilon) / (math.exp(epsilon) + len(names) - 1)
    if rng.random() < keep:
        return answer
    others = [name for name in names if name != answer]
    return others[int(rng.integers(len(others)))]


def unary_encoding(rng, n, answer=3):
    bits = [int(i == answer) for i in range(n)]
    return [int(rng.random() < (0.75 if b else 0.25)) for b in bits]


def rappor(rng, answer=2, f=0.5, p=0.25, q=0.75):
    bits = np.zeros(6, dtype=int)
    bits[answer] = 1
    permanent = []
    for b in bits:
        u = rng.random()
        permanent.append(1 if u < f / 2 else 0 if u < f else int(b))
    return [int(rng.random() < (q if b else p)) for b in permanent]


def local_hashing(rng, answer=5, epsilon=1.0):
    a, b = int(rng.integers(1, 31)), int(rng.integers(31))
    cell = (a * answer + b) % 31 % 4
    if rng.random() < math.exp(epsilon) / (math.exp(epsilon) + 3):
        return a, b, cell
    return a, b, (cell + int(rng.integers(1, 4))) % 4


def geometric_by_inverse(rng, k, epsilon):
    alpha = math.exp(-epsilon)
    u = rng.random() - 0.5
    if u == 0:
        return k
    size = math.floor(math.log(1 - 2 * abs(u)) / math.log(alpha))
    return k + size if u > 0 else k - size


def geometric_by_difference(rng, k, epsilon):
    p = 1 - math.exp(-epsilon)
    return k + int(rng.geometric(p)) - int(rng.geometric(p))


def geometric_by_coins(rng, k, epsilon):
    steps = 0
    while rng.random() < math.exp(-epsilon):
        steps += 1
    return k + steps if rng.random() < 0.5 else k - steps


def laplace_by_inverse(rng, answer, epsilon):
    u = rng.uniform(-0.5, 0.5)
    return answer - math.copysign(1 / epsilon, u) * math.log(1 - 2 * abs(u))


def laplace_by_exponentials(rng, answer, epsilon):
    return answer + rng.exponential(1 / epsilon) - rng.exponential(1 / epsilon)


def laplace_by_sign(rng, answer, epsilon):
    sign = 1 if rng.integers(2) else -1
    return answer + sign * rng.exponential(1 / epsilon)


def laplace_until_inside(rng, answer, epsilon, low=0.0, high=3.0):
    while True:
        noisy = answer + rng.laplace(0, 1 / epsilon)
        if low <= noisy <= high:
            return noisy


def laplace_resampled_a_few_times(rng, answer, epsilon):
    for attempt in range(3):
        noisy = answer + rng.laplace(0, 1 / epsilon)
        if 2 <= noisy < 3:
            break
    else:
        return "gave up"
    return noisy, attempt


def laplace_truncated(rng, answer, epsilon):
    return min(3.0, max(0.0, answer + rng.laplace(scale=1 / epsilon)))


def laplace_snapped(rng, answer, epsilon):
    noisy = answer + rng.laplace(0, 1 / epsilon)
    return max(-4.0, min(4.0, round(noisy / 0.5) * 0.5))


def rejection_with_bounds(rng, queries):
    tries = 0
    while True:
        tries += 1
        x = rng.normal()
        if abs(x) > 1.5 and tries < 4:
            continue
        if x > 0:
            break
        if tries == 5:
            raise ValueError(f"no luck after {tries}")
    return x, tries


def bounded_while(rng, queries, epsilon):
    total, i = 0.0, 0
    while i < len(queries) and total < 3:
        total += queries[i] + rng.laplace(0, 1 / epsilon)
        i += 1
    return i, total


def discrete_gaussian_by_rejection(rng, k):
    while True:
        candidate = int(rng.geometric(0.4)) - int(rng.geometric(0.4))
        if rng.random() < math.exp(-((abs(candidate) - 1.0) ** 2) / 2):
            return k + candidate


def bernoulli_of_exp(rng, answer=0.75):
    i = 1
    while rng.random() < answer / i:
        i += 1
    return i % 2 == 1


def binary_tree_sums(rng, bits, epsilon):
    out, partial = [], [0.0, 0.0, 0.0]
    noisy = [0.0, 0.0, 0.0]
    for t, b in enumerate(bits, 1):
        low = 0
        while t >> low & 1 == 0:
            low += 1
        partial[low] = sum(partial[:low]) + b
        for j in range(low):
            partial[j] = 0.0
            noisy[j] = 0.0
        noisy[low] = partial[low] + rng.laplace(0, 3 / epsilon)
        out.append(sum(noisy[j] for j in range(3) if t >> j & 1))
    return out


def partial_sums(rng, queries, epsilon):
    total, out = 0.0, []
    for q in queries:
        total += q + rng.normal(0, 1 / epsilon)
        out += [total]
    out[-1] = out[0]
    return out, sorted(out, reverse=True), sum(out), out.index(out[2])


def prefix_sums_on_arrays(rng, queries, epsilon):
    return np.cumsum(np.asarray(queries) + rng.laplace(0, 1 / epsilon, len(queries)))


def range_query_by_halves(rng, counts, epsilon):
    whole = sum(counts) + rng.laplace(0, 2 / epsilon)
    left = sum(counts[: len(counts) // 2]) + rng.laplace(0, 2 / epsilon)
    right = sum(counts[len(counts) // 2 :]) + rng.laplace(0, 2 / epsilon)
    excess = (whole - left - right) / 3
    return [whole - excess, left + excess, right + excess]


def noisy_median(rng, values, epsilon):
    ordered = sorted(values)
    scores = [-abs(i - len(ordered) / 2) for i in range(len(ordered))]
    noisy = [s + rng.gumbel(scale=2 / epsilon) for s in scores]
    return ordered[noisy.index(max(noisy))]


def noisy_quantile_by_bisection(rng, values, epsilon):
    low, high = -10.0, 10.0
    for _ in range(5):
        middle = (low + high) / 2
        below = sum(v < middle for v in values)
        if below + rng.laplace(0, 5 / epsilon) < len(values) / 2:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def above_threshold_with_helper(rng, queries, epsilon):
    return [_noisy(rng, q, scale=1 / epsilon) for q in queries]


def _noisy(rng, value, scale=1.0):
    if value > LIMIT:
        return value
    for _ in range(3):
        value = value + rng.laplace(scale=scale)
        if value > 1:
            return value
    return None


def gaussian_sum_of_rows(rng, rows, epsilon):
    total = np.sum(np.array(rows), axis=0)
    return total + rng.normal(0, 2 / epsilon, size=2)


def noisy_gradient_step(rng, points, epsilon):
    w = 0.0
    for _ in range(3):
        gradient = 0.0
        for x, y in points:
            g = (w * x - y) * x
            gradient += g / max(1.0, abs(g))
        w -= 0.1 * (gradient + rng.normal(0, 1 / epsilon))
    return w


def propose_test_release(rng, values, epsilon, threshold):
    distance = max(0, len(values) - 3)
    if distance + rng.laplace(0, 1 / epsilon) <= math.log(5) / epsilon:
        return None
    return sorted(values)[len(values) // 2] + rng.laplace(0, 0.5 / epsilon)


def report_or_refuse(rng, records, epsilon, k):
    noisy = len(records) + rng.laplace(0, 2 / epsilon)
    if noisy < 5:
        raise ValueError(f"too few: {k}")
    return round(noisy)


def sample_and_aggregate(rng, values, epsilon):
    order = rng.permutation(len(values))
    first = [values[i] for i in order[:2]]
    second = [values[i] for i in order[2:]]
    return (sum(first) / len(first) + sum(second) / len(second)) / 2 + rng.laplace(0, 1 / epsilon)


def subsampled_count(rng, records, epsilon):
    kept = [r for r in records if rng.random() < 0.5]
    if not kept:
        return None
    return len(kept), kept[0], sum(kept) + rng.laplace(0, 3 / epsilon)


def truncated_geometric(rng, k, n):
    noisy = k + int(rng.geometric(0.5)) - int(rng.geometric(0.5))
    return 0 if noisy < 0 else n if noisy > n else noisy


def sparse_vector_in_the_stdlib(queries, epsilon, threshold):
    noisy = threshold + random.expovariate(epsilon) - random.expovariate(epsilon)
    out = []
    for q in queries:
        if q + random.expovariate(epsilon / 2) - random.expovariate(epsilon / 2) > noisy:
            out.append("above")
            break
        out.append("below")
    return out


def counter_with_dropped_updates(rng, bits, epsilon):
    count, released = 0, []
    for b in bits:
        count += b
        if rng.random() < 0.3:
            continue
        released.append(count + round(rng.laplace(0, 1 / epsilon)))
    return released
