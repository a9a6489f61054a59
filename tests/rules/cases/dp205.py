"""Further examples of DP205: branch on raw data."""

import math


from dplint import dp


# bad: iSVT1
@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    above = [query >= threshold for query in queries]
    return above if T else [1 if query >= threshold else 0 for query in queries]


# good
@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    found, count = [], 0
    for query in queries:
        if query + rng.laplace(scale=4 * N / epsilon) >= threshold:
            found.append(True)
            count += 1
            if count >= N:
                break
        else:
            found.append(False)
    return found


# bad: k-means: an empty cluster gets no noise and no centre
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def centres(rng, points, epsilon):
    found = []
    for k in range(3):
        members = [p for p in points if p // 3 == k]
        if len(members) == 0:
            continue
        found.append(sum(members) + rng.laplace(scale=9 / epsilon))
    return found


# bad
@dp(epsilon="epsilon", neighbors="l1")
def guarded(rng, values, epsilon):
    if sum(values) > 1000:
        return None
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="linf")
def checked(rng, queries, epsilon):
    assert sum(queries) < 100
    noisy = [q + rng.laplace(scale=2 / epsilon) for q in queries]
    return noisy.index(max(noisy))


# bad
@dp(epsilon="epsilon", neighbors="linf")
def first_above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    for i, query in enumerate(queries):
        if query >= T:
            return i
    return len(queries)


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def mean(rng, values, epsilon):
    if not values:
        return 0.0
    count = max(1.0, len(values) + rng.laplace(scale=2 / epsilon))
    return (sum(values) + rng.laplace(scale=18 / epsilon)) / count


# good: clipping by branches, before the noise
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def total(rng, values, epsilon):
    total = 0.0
    for value in values:
        if value > 5:
            value = 5
        elif value < 1:
            continue
        total += value
    return total + rng.laplace(scale=5 / epsilon)


# good: the size is public here
@dp(epsilon="epsilon", neighbors="linf")
def answers(rng, queries, epsilon):
    if not queries or len(queries) > 1000:
        return []
    return [q + rng.laplace(scale=len(queries) / epsilon) for q in queries]


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    if not isinstance(values, list):
        raise TypeError("values must be a list")
    if epsilon <= 0:
        raise ValueError("epsilon must be positive")
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good: both ways have noise
@dp(epsilon="epsilon", neighbors="l1")
def positive(rng, values, epsilon):
    total = sum(values)
    if total < 0:
        return rng.laplace(scale=1 / epsilon)
    return total + rng.laplace(scale=1 / epsilon)


# good: a coin comes first
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def respond(rng, answer: bool, epsilon):
    if rng.random() >= math.exp(epsilon) / (1 + math.exp(epsilon)):
        return not answer
    if answer:
        return True
    return False


# good: outside of the domain there is no data
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 1.0))
def within(rng, values, epsilon):
    if any(value < 0.0 for value in values) or max(values) > 1.0:
        return None
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad: within the domain there is
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 1.0))
def within_half(rng, values, epsilon):
    if any(value < 0.5 for value in values):
        return None
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad: either may be
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 1.0))
def within_or_few(rng, values, epsilon):
    if any(value < 0.0 for value in values) or sum(values) > 1.0:
        return None
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good: what the claim fixes is known, too
@dp(epsilon="epsilon", neighbors="any", domain=(0, 3), args={"k": 4})
def reply(rng, value, k, epsilon):
    if value < 0 or value >= k:
        raise ValueError("no such value")
    return value if rng.random() < 1 - k / (math.exp(epsilon) + k - 1) else int(rng.integers(k))


# bad: with this k there is such data
@dp(epsilon="epsilon", neighbors="any", domain=(0, 3), args={"k": 3})
def reply_of_less(rng, value, k, epsilon):
    if value < 0 or value >= k:
        raise ValueError("no such value")
    return value if rng.random() < 1 - k / (math.exp(epsilon) + k - 1) else int(rng.integers(k))


# good: a randomised reply on either side
@dp(epsilon="epsilon", neighbors="any", domain=(0, 9))
def unary(rng, value, epsilon, k=10):
    p = math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 1)
    bits = []
    for i in range(k):
        if value == i:
            bits.append(rng.binomial(1, p))
        else:
            bits.append(rng.binomial(1, 1 - p))
    return bits


# bad: on one side there is none
@dp(epsilon="epsilon", neighbors="any", domain=(0, 9))
def unary_of_one_side(rng, value, epsilon, k=10):
    p = math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 1)
    bits = []
    for i in range(k):
        if value == i:
            bits.append(rng.binomial(1, p))
        else:
            bits.append(0)
    return bits


# good: nobody says that neighbours of one's own differ in what is asked for
def one_count():
    yield [["TX", 3], ["CA", 4]], [["TX", 4], ["CA", 4]]


@dp(epsilon="epsilon", neighbors=one_count, args={"state": "TX"})
def counts_of_a_state(rng, rows, epsilon, state):
    chosen = [row for row in rows if row[0] == state]
    return [row[1] + rng.laplace(scale=1 / epsilon) for row in chosen]


# bad: here a record may be of another state
@dp(epsilon="epsilon", neighbors="replace-one", domain={"state": ["TX", "CA"], "count": (0, 1)}, args={"state": "TX"})
def counts_of_a_state_of_any_record(rng, rows, epsilon, state):
    chosen = [row for row in rows if row["state"] == state]
    return [row["count"] + rng.laplace(scale=1 / epsilon) for row in chosen]


# bad: the sum of all of them is no part
def other_answers():
    yield [3.0, 4.0], [4.0, 4.0]


@dp(epsilon="epsilon", neighbors=other_answers)
def noise_if_there_is_much(rng, answers, epsilon):
    if sum(answers) > 7:
        return rng.laplace(scale=1 / epsilon)
    return None
