"""Sparse vectors, noisy maxima, histograms, means and exponential mechanisms, as the literature has them."""

import math
import random

import numpy as np


def svt_with_cutoff(rng, queries, epsilon, threshold, k):
    out = []
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    count = 0
    for q in queries:
        if q + rng.laplace(scale=4 * k / epsilon) >= noisy_threshold:
            out.append(True)
            count += 1
            if count >= k:
                break
        else:
            out.append(False)
    return out


def svt_numeric(rng, queries, epsilon, threshold):
    out = []
    noisy_threshold = threshold + rng.laplace(scale=2 / epsilon)
    for i, q in enumerate(queries):
        value = q + rng.laplace(scale=2 / epsilon)
        out.append(value if value >= noisy_threshold else i)
    else:
        out.append("end")
    return tuple(out)


def svt_refreshes_threshold(rng, queries, epsilon, threshold, k):
    out, count, noisy = [], 0, threshold + rng.laplace(0, 2 / epsilon)
    for q in queries:
        if q + rng.laplace(0, 4 / epsilon) >= noisy:
            out.append(True)
            noisy = threshold + rng.laplace(0, 2 / epsilon)
            count += 1
        else:
            out.append(False)
        if count == k:
            return out
    return out


def svt_first_index(rng, queries, epsilon, threshold):
    noisy = threshold + rng.laplace(scale=2 / epsilon)
    for i, q in enumerate(queries):
        if q + rng.laplace(scale=4 / epsilon) > noisy:
            return i
    return None


def svt_adaptive(rng, queries, epsilon, threshold):
    left, out = epsilon / 2, []
    noisy = threshold + rng.laplace(scale=2 / epsilon)
    for q in queries:
        if left < epsilon / 8:
            break
        first = q + rng.laplace(scale=16 / epsilon)
        if first - noisy > 4:
            out.append(("top", first))
            left -= epsilon / 16
            continue
        second = q + rng.laplace(scale=8 / epsilon)
        if second >= noisy:
            out.append(("middle", second))
            left -= epsilon / 8
        else:
            out.append(("below", None))
    return out


def svt_on_arrays(rng, queries, epsilon, threshold):
    noisy = np.array(queries) + rng.laplace(0, 4 / epsilon, len(queries))
    return noisy >= threshold + rng.laplace(0, 2 / epsilon)


def noisy_max_by_loop(rng, queries, epsilon):
    best, where = -math.inf, None
    for i, q in enumerate(queries):
        noisy = q + rng.exponential(2 / epsilon)
        if noisy > best:
            best, where = noisy, i
    return where, best


def noisy_max_by_argmax(rng, queries, epsilon):
    return int(np.argmax([q + rng.laplace(scale=2 / epsilon) for q in queries]))


def noisy_max_by_index(rng, queries, epsilon):
    noisy = [q + rng.laplace(0, 2 / epsilon) for q in queries]
    return noisy.index(max(noisy))


def noisy_max_on_arrays(rng, queries, epsilon):
    noisy = np.asarray(queries) + rng.laplace(scale=2 / epsilon, size=len(queries))
    return int(np.argmax(noisy)), noisy[noisy > 1].sum(), noisy[1:3]


def noisy_max_with_gap(rng, queries, epsilon):
    noisy = [q + rng.laplace(0, 2 / epsilon) for q in queries]
    order = sorted(noisy, reverse=True)
    return noisy.index(order[0]), order[0] - order[1]


def top_k_by_repeated_argmax(rng, queries, epsilon, k):
    noisy = np.array(queries) + rng.gumbel(scale=2 * k / epsilon, size=len(queries))
    chosen = []
    for _ in range(k):
        best = int(np.argmax(noisy))
        chosen.append(best)
        noisy[best] = -np.inf
    return chosen


def top_k_by_sorting(rng, queries, epsilon, k):
    noisy = [(q + rng.laplace(0, 2 * k / epsilon), i) for i, q in enumerate(queries)]
    return [i for _, i in sorted(noisy, reverse=True)[:k]]


def top_k_by_argsort(rng, queries, epsilon, k):
    noisy = np.array(queries) + rng.laplace(0, 2 * k / epsilon, size=len(queries))
    return np.argsort(-noisy)[:k].tolist()


def histogram_of_records(rng, records, epsilon):
    counts = [0] * 4
    for record in records:
        counts[record] += 1
    return [max(0, round(c + rng.laplace(scale=1 / epsilon))) for c in counts if c >= 0]


def histogram_by_bincount(rng, records, epsilon):
    counts = np.bincount(records, minlength=5) + rng.laplace(0, 1 / epsilon, 5)
    return np.maximum(np.round(counts), 0).tolist()


def histogram_of_noisy_cells(rng, records, epsilon):
    return [records.count(cell) + rng.laplace(0, 1 / epsilon) for cell in range(4)]


def histogram_in_a_dict(rng, queries, epsilon):
    table = {"low": 0, "high": 0}
    for q in queries:
        table["high" if q + rng.laplace() > 1 else "low"] += 1
    return table


def stability_histogram(rng, records, epsilon):
    out = []
    for cell in range(5):
        c = records.count(cell)
        if c == 0:
            continue
        noisy = c + rng.laplace(0, 2 / epsilon)
        if noisy > 2:
            out.append((cell, noisy))
    return out


def clipped_mean(rng, values, epsilon):
    clipped = [min(max(v, -1.0), 2.0) for v in values]
    return sum(clipped) / len(clipped) + rng.laplace(0, 3.0 / (len(clipped) * epsilon))


def clipped_mean_on_arrays(rng, values, epsilon):
    clipped = np.clip(values, -1, 2)
    return float(clipped.mean() + rng.laplace(0, 3 / (len(values) * epsilon)))


def mean_with_noisy_count(rng, values, epsilon):
    total = sum(values) + rng.laplace(0, 7 / epsilon)
    count = len(values) + rng.laplace(0, 2 / epsilon)
    if count < 1:
        return 0.0
    return total / count


def adaptive_clipping(rng, values, epsilon):
    bound = 1.0
    for _ in range(4):
        inside = sum(1 for v in values if abs(v) <= bound)
        if inside + rng.laplace(0, 4 / epsilon) >= 0.8 * len(values):
            break
        bound *= 2
    return sum(max(-bound, min(bound, v)) for v in values) + rng.laplace(0, 2 * bound / epsilon)


def exponential_by_gumbel(rng, queries, epsilon):
    return int(np.argmax(epsilon * np.array(queries) / 2 + rng.gumbel(size=5)))


def exponential_by_choice(rng, queries, epsilon):
    weights = np.exp(epsilon * np.array(queries) / 2)
    return int(rng.choice(len(queries), p=weights / weights.sum()))


def exponential_by_cumulated_sums(rng, queries, epsilon):
    weights = [math.exp(epsilon * q / 2) for q in queries]
    u, total = rng.random() * sum(weights), 0.0
    for i, w in enumerate(weights):
        total += w
        if u < total:
            return i
    return len(weights) - 1


def exponential_by_search(rng, queries, epsilon):
    cumulated = np.cumsum(np.exp(epsilon * np.asarray(queries) / 2))
    return int(np.searchsorted(cumulated, rng.random() * cumulated[-1]))


def permute_and_flip(rng, queries, epsilon):
    best = max(queries)
    for i in rng.permutation(len(queries)):
        if rng.random() <= math.exp(epsilon * (queries[i] - best) / 2):
            return int(i)
    return None
