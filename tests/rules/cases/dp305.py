"""Further examples of DP305: dead noise."""

from dplint import dp


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    noise = rng.laplace(scale=1 / epsilon)
    return sum(values)


# good
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    _ = rng.laplace()
    return sum(values) + rng.laplace(scale=1 / epsilon)


# bad: Opacus 664: the parameter that governs privacy is ignored
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon, scale=1.0):
    return sum(values) + rng.laplace(scale=scale)


# bad
@dp(epsilon="epsilon", neighbors="l1")
def histogram(rng, counts, epsilon):
    out = []
    for count in counts:
        noisy = count + rng.laplace(scale=1 / epsilon)
        out.append(count)
    return out


# bad
@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return sum(values) + 0.0 * rng.laplace(scale=1 / epsilon)


# bad
def add_noise(rng, value, epsilon):
    value + rng.laplace(scale=1 / epsilon)
    return value


@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return add_noise(rng, sum(values), epsilon)


# good: rejection sampling: the draw decides how long the loop runs
@dp(epsilon="epsilon", neighbors="l1")
def bounded(rng, values, epsilon):
    while True:
        noise = rng.laplace(scale=1 / epsilon)
        if abs(noise) < 100:
            return sum(values) + noise


# good
@dp(epsilon=0.5, neighbors="l1")
def total(rng, values):
    return sum(values) + rng.laplace(scale=2.0)


# good
class Release:
    @dp(epsilon="epsilon", neighbors="l1")
    def run(self, rng, values, epsilon):
        self.noise = rng.laplace(scale=1 / epsilon)
        return sum(values) + self.noise


# good
@dp(epsilon="epsilon", neighbors="l1")
def stream(rng, values, epsilon):
    total = sum(values) + rng.laplace(scale=1 / epsilon)
    yield total
    while rng.normal() > 0:
        yield total


# good
@dp(epsilon="epsilon", neighbors="l1")
def placeholder(rng, values, epsilon):
    raise NotImplementedError


# good: it trains something that cannot be seen here
@dp(epsilon="epsilon", neighbors="l1")
def train(rng, values, epsilon, optimizer, network):
    fake = rng.normal(size=8)
    optimizer.step(network.loss(fake))
    return sum(values) + rng.laplace(scale=1 / epsilon)


# good: the list is an attribute of what is released, under another name
class Box:
    def __init__(self):
        self.items = []


@dp(epsilon="epsilon", neighbors="linf")
def first(rng, queries, epsilon):
    box = Box()
    items = box.items
    items.append(queries[0] + rng.laplace(scale=1 / epsilon))
    return box.items[0]


# good: two names of one list
@dp(epsilon="epsilon", neighbors="linf")
def listed(rng, queries, epsilon):
    out = []
    same = out
    same.append(queries[0] + rng.laplace(scale=1 / epsilon))
    return out
