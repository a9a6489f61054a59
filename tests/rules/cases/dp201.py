"""Further examples of DP201: raw release."""

import math
import random


from dplint import dp


# bad: NVFlare 343: what was neither accepted nor a candidate keeps its value
@dp(epsilon="epsilon", neighbors="l1")
def share(rng, weights, epsilon, accepted):
    out = list(weights)
    for i in accepted:
        out[i] = weights[i] + rng.laplace(scale=1 / epsilon)
    return out


# good: randomised response
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def respond(rng, answer: bool, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return answer if rng.random() < keep else not answer


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon, mode):
    if mode == "raw":
        return sum(values)
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad
@dp(epsilon="2 * epsilon", neighbors="l1")
def running(rng, queries, epsilon, M):
    last = block = 0.0
    out = []
    for i, q in enumerate(queries):
        if (i + 1) % M == 0:
            last = block + q
            block = 0.0
        else:
            last = last + q + rng.laplace(scale=1 / epsilon)
            block = block + q
        out.append(last)
    return out


# bad: numbers behind a noisy test, instead of an answer of few; keys without a delta
@dp(epsilon="epsilon", delta=0.01, neighbors="linf")
def above(rng, queries, epsilon, T):
    for q in queries:
        if q + rng.laplace(scale=1 / epsilon) > T:
            return q
    return None


# bad
@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def words(rng, said, epsilon):
    noisy = {word: said.count(word) + rng.laplace(scale=1 / epsilon) for word in set(said)}
    return {word: count for word, count in noisy.items() if count > 3}


# bad
def mean(values):
    return sum(values) / len(values)


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def report(rng, values, epsilon):
    centre = mean(values)
    spread = sum(abs(v - centre) for v in values) + rng.laplace(scale=1 / epsilon)
    return {"mean": centre, "spread": spread}


# bad
@dp(epsilon="epsilon", neighbors="l1")
def stream(rng, counts, epsilon):
    for c in counts:
        yield c
        yield c + rng.laplace(scale=1 / epsilon)


# bad
@dp(epsilon="epsilon", neighbors="linf")
def numeric(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    for q in queries:
        if q + rng.laplace(scale=4 / epsilon) >= threshold:
            return q
    return None


# good
@dp(epsilon="epsilon", neighbors="l1")
def share(rng, weights, epsilon, accepted):
    out = [0.0] * len(weights)
    for i in accepted:
        out[i] = weights[i] + rng.laplace(scale=1 / epsilon)
    return out


# good
from diffprivlib.mechanisms import Laplace


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    mechanism = Laplace(epsilon=epsilon, sensitivity=1)
    return mechanism.randomise(sum(values))


# good
from mylib.noise import add_noise


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return add_noise(sum(values), epsilon)


# good
import opendp.prelude as odp


@dp(epsilon="epsilon", neighbors="l1")
def total(values, epsilon):
    domain, distance = odp.atom_domain(T=float), odp.absolute_distance(T=float)
    measurement = odp.m.make_laplace(domain, distance, scale=1 / epsilon)
    return measurement(sum(values))


# good
def with_noise(rng, values, epsilon):
    noise = rng.laplace(scale=1 / epsilon, size=len(values))
    return [v + n for v, n in zip(values, noise)]


@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    noisy = with_noise(rng, counts, epsilon)
    largest = max(noisy)
    return [n / largest for n in noisy], len(counts)


# good: inverse transform: one uniform number against the distribution function
@dp(epsilon="epsilon", neighbors="l1", domain=(0, 5))
def geometric(rng, count: int, epsilon):
    a = math.exp(-epsilon)
    u = rng.random()
    for z in range(6):
        below = 1 - a ** (z - count + 1) / (1 + a) if z >= count else a ** (count - z) / (1 + a)
        if z == 5 or below >= u:
            return z
    return 5


# good: a noisy sign among random signs: its place does not show
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3])
def one_bit(rng, kind: int, epsilon):
    bits = 2 * rng.integers(2, size=4) - 1
    bits[kind] = 1 if rng.random() < 1 / (1 + math.exp(-epsilon)) else -1
    return bits


# good: an exponential mechanism, by powers of e
import random


@dp(epsilon="epsilon", neighbors="linf")
def best(scores, epsilon):
    weights = {}
    for name in list(scores.keys()):
        weights[name] = pow(math.e, epsilon * scores[name] / 2)
    return random.choices(list(weights.keys()), list(weights.values()), k=1)[0]


# good: noise on each value of a dict, under the keys that it has
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    noisy = dict(counts)
    for key in list(noisy.keys()):
        noisy[key] = noisy[key] + rng.laplace(scale=1 / epsilon)
    return list(noisy.items())


# good: keys that few records have stay hidden behind the threshold (Korolova et al. 2009)
@dp(epsilon="epsilon", delta=0.01, neighbors="add-remove", domain=["a", "b", "c"])
def words(rng, said, epsilon):
    noisy = {word: said.count(word) + rng.laplace(scale=1 / epsilon) for word in set(said)}
    return {word: count for word, count in noisy.items() if count > 1 + math.log(50) / epsilon}


# good: propose, test, release (Dwork and Lei 2009): an answer of two, if it is far from the other
@dp(epsilon="epsilon", delta=0.01, neighbors="replace-one", domain=[0, 1])
def majority(rng, votes, epsilon):
    ahead = 2 * sum(votes) - len(votes)
    away = max(0, math.ceil(abs(ahead) / 2) - 1)
    if away + rng.laplace(scale=1 / epsilon) > math.log(50) / epsilon:
        return int(ahead > 0)
    return None


# good: the domain of a table is public
@dp(epsilon="epsilon", neighbors="add-remove", domain={"age": (0, 120)})
def describe(rng, table, epsilon):
    return table.domain, len(table) + rng.laplace(scale=1 / epsilon)
