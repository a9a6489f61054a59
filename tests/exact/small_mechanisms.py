"""One small mechanism for each thing that the exact reading does with noise: what a fault in it changes is returned."""

# ruff: noqa: B007, B905, RET503, SIM108
import random

import numpy as np


def signs(rng, queries):
    noise = rng.laplace()
    return -noise, +noise, abs(noise), 2 - noise, noise - 2, noise / 4, noise * 3 + 1, bool(noise)


def cancels(rng, queries):
    one, other = rng.laplace(), rng.laplace(0, 2)
    both = one + other
    return both - other, (one + 5) - one, both + both


def sums(rng, queries):
    noise = rng.laplace(size=len(queries))
    answers = [q + x for q, x in zip(queries, noise)]
    return sum(answers, 10), np.mean(noise), np.cumsum(noise), np.diff(noise), np.dot(noise, queries), noise.mean()


def arrays(rng, queries):
    noise = rng.laplace(size=3)
    more = np.concatenate([np.array(queries), noise])
    return more, np.append(noise, 1.0), np.append(noise, [2.0, 3.0]), noise[1], noise[::-1], np.add(noise, 1)


def cut(rng, queries):
    noise = rng.laplace(0, 4)
    answers = np.array(queries) + rng.laplace(size=3)
    return np.clip(noise, -0.5, 1), min(max(noise, 0), 2), np.maximum(answers, 1), np.minimum(answers, 1)


def cut_and_set(rng, queries):
    above = np.maximum(np.array(queries) + rng.laplace(size=3), 5)
    above[1] = 0.5
    return above


def in_order(rng, queries):
    answers = [q + rng.laplace() for q in queries]
    return sorted(answers, reverse=True), sorted(answers), np.argsort(answers), list(reversed(answers))


def largest(rng, queries):
    answers = [q + rng.laplace() for q in queries]
    return max(answers), min(answers), int(np.argmax(answers)), int(np.argmin(answers))


def largest_of_whole_numbers(rng, queries):
    counts = [q + int(rng.geometric(0.7)) for q in (1, 2, 1)]
    return int(np.argmax(counts)), max(counts), counts[0] >= counts[1], counts[0] > counts[1], counts[0] == counts[2]


def whole_numbers(rng, queries):
    count = rng.geometric(0.4)
    return count == 2, count != 1, count > 1, count >= 2, count < 2, count <= 1, int(count) - 3


def few_values(rng, queries):
    return (
        int(rng.integers(0, 3)),
        int(rng.integers(1, 3, endpoint=True)),
        int(rng.binomial(2, 0.5)),
        int(rng.choice([3, 5, 8])),
        random.randint(1, 2),
        int(rng.integers(0, 9000)),
    )


def arrays_of_draws(rng, queries):
    return rng.laplace(size=3), rng.geometric(0.5, size=3), rng.integers(0, 2, size=2), rng.laplace(size=(2, 2))


def places(rng, queries):
    scale = 2
    return rng.uniform(1, 3), rng.laplace(4, scale), rng.exponential(3) + 1, rng.uniform(-4, -2)


def items(rng, queries):
    answers = [q + rng.laplace() for q in queries]
    answers[1] = 7
    answers[2] += 1
    first, second, *_ = answers[0], answers[1], 0
    noise = rng.laplace(size=3)
    noise[2] = 5.0
    before = list(answers)
    answers.append(rng.laplace())
    answers.insert(0, second)
    return answers, before, first, second, noise, answers[-1], answers[1:3]


def pairs(rng, queries):
    answers = {"a": rng.laplace(), "b": 1 + rng.laplace(), 3: queries[0]}
    found = []
    for key, value in answers.items():
        found.append((key, value))
    return found, list(enumerate(answers.values())), list(zip(answers, answers.values()))


def comprehensions(rng, queries):
    above = [(i, q) for i, q in enumerate(queries) if q + rng.laplace() > 1]
    return above, [a * 10 + b for a in range(2) for b in range(a + 2) if rng.laplace() > 0]


def counted(rng, queries):
    count = 0
    last = None
    for q in queries:
        if q + rng.laplace() > 1:
            count += 1
            last = q
        elif rng.laplace() > 0:
            count -= 2
    return count, last


def noise_that_goes_on(rng, queries):
    total = rng.laplace()
    for q in queries:
        if total > q:
            total = total + 1
        else:
            total = 2 * total - 1
    return total > 0, total


def noise_of_two_sides(rng, queries):
    if rng.random() < 0.5:
        total = 2 + rng.uniform(0, 1)
    else:
        total = 6 - rng.uniform(0, 1)
    double = 2 * total + 1
    if total > 2.5:
        return "large"
    return total, double


def beside_noise_moved(rng, queries):
    total = rng.laplace()
    other = 3 * total
    if rng.random() < 0.5:
        total = rng.laplace() + 1
        other = 3 * total + 1
    return total, other


def beside_noise_scaled(rng, queries):
    total = rng.laplace()
    other = 3 * total
    if rng.random() < 0.5:
        total = rng.laplace() + 1
        other = 2 * total
    return total, other


def compared_twice(rng, queries):
    one, other = rng.laplace(), rng.laplace()
    if one > other - 1:
        if one > other + 1:
            return "far above"
        return "near"
    return "below"


def bits(rng, queries):
    released = []
    for q in queries:
        if rng.random() < 0.75:
            released.append(q)
        else:
            released.append(1 - q)
    return released


def tally(rng, queries):
    counts = [0, 0, 0]
    for q in (0, 1, 1):
        if rng.random() < 0.75:
            counts[q] += 1
    return counts


def read_later(rng, queries):
    released = [0]
    for q in queries:
        if rng.random() < 0.5:
            released.append(released[-1] + 1)
    return released


def above(rng, queries):
    threshold = 1 + rng.laplace()
    answers = []
    for q in queries:
        if q + rng.laplace(0, 2) >= threshold:
            answers.append(q + rng.laplace())
            break
        answers.append(None)
    return answers


def apart(rng, queries):
    first = 0
    if queries[0] + rng.laplace() > 1:
        first = 1
    second = 0
    if queries[1] + rng.laplace() > 1:
        second = 2
    return first, first + 10, second, queries[2] + rng.laplace()


def keys(rng, queries):
    found = {}
    if rng.random() < 0.5:
        found[True] = 1
    else:
        found[1.0] = 1
    for key in found:
        return str(key)


def walked(rng, queries):
    chosen = [q for q in queries if q + rng.laplace() > 1]
    total = 0
    for value in [*chosen, rng.laplace()]:
        total = 2 * total + value
    return total
