"""Further examples of DP410: neighbours of one's own that differ in several records, and noise for parts of them."""

from dplint import dp


# bad: two records are replaced
def moved():
    yield [1, 20, 40], [2, 21, 40]


@dp(epsilon="epsilon", neighbors=moved)
def young_and_old(rng, ages, epsilon):
    young = sum(1 for age in ages if age < 18)
    old = sum(1 for age in ages if age >= 18)
    return young + rng.laplace(scale=1 / epsilon), old + rng.laplace(scale=1 / epsilon)


# bad: by constants, and a tuple of records
def pairs():
    yield ("red", "blue", "red"), ("red",)


@dp(epsilon="epsilon", neighbors=pairs)
def colours(rng, votes, epsilon):
    red = [vote for vote in votes if vote == "red"]
    blue = [vote for vote in votes if vote == "blue"]
    return len(red) + rng.laplace(scale=1 / epsilon), len(blue) + rng.laplace(scale=1 / epsilon)


# bad: the second pair
def both():
    yield [1], []
    yield [1, 70], []


@dp(epsilon=1.0, neighbors=both)
def halves(rng, values):
    low = [value for value in values if value <= 50]
    high = [value for value in values if value > 50]
    return [len(low) + rng.laplace(scale=1.0), len(high) + rng.laplace(scale=1.0)]


# bad: the function by its name
def two_less():
    yield [5, 60], []


@dp(epsilon=1.0, neighbors=":two_less")
def below_and_above(rng, values):
    below = len([value for value in values if value < 50]) + rng.laplace(scale=1.0)
    above = len([value for value in values if value >= 50]) + rng.laplace(scale=1.0)
    return below, above


# bad: pairs in a loop, each written out
def in_a_loop():
    for _ in range(2):
        yield [0, 1, 0], [1]


@dp(epsilon=1.0, neighbors=in_a_loop)
def zeros_and_ones(rng, bits):
    zeros = [bit for bit in bits if bit == 0]
    others = [bit for bit in bits if bit != 0]
    return len(zeros) + rng.laplace(scale=1.0), len(others) + rng.laplace(scale=1.0)


# good: one record is replaced
def one_moved():
    yield [1, 20, 40], [2, 20, 40]


@dp(epsilon="epsilon", neighbors=one_moved)
def young_and_old(rng, ages, epsilon):
    young = sum(1 for age in ages if age < 18)
    old = sum(1 for age in ages if age >= 18)
    return young + rng.laplace(scale=1 / epsilon), old + rng.laplace(scale=1 / epsilon)


# good: the same records in another order
def in_order():
    yield [1, 20, 40], [40, 20, 1]


@dp(epsilon="epsilon", neighbors=in_order)
def young_and_old(rng, ages, epsilon):
    young = sum(1 for age in ages if age < 18)
    old = sum(1 for age in ages if age >= 18)
    return young + rng.laplace(scale=1 / epsilon), old + rng.laplace(scale=1 / epsilon)


# good: all records at once, of which two are one step
def moved():
    yield [1, 20, 40], [2, 21, 40]


@dp(epsilon="epsilon", neighbors=moved)
def everybody(rng, ages, epsilon):
    return len(ages) + rng.laplace(scale=1 / epsilon)


# good: pairs that are computed are not known here
def computed():
    for size in range(3):
        yield [1] * size, [1] * (size + 2)


@dp(epsilon="epsilon", neighbors=computed)
def young_and_old(rng, ages, epsilon):
    young = sum(1 for age in ages if age < 18)
    old = sum(1 for age in ages if age >= 18)
    return young + rng.laplace(scale=1 / epsilon), old + rng.laplace(scale=1 / epsilon)


# good: a relation by its name
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def young_and_old(rng, ages, epsilon):
    young = sum(1 for age in ages if age < 18)
    old = sum(1 for age in ages if age >= 18)
    return young + rng.laplace(scale=1 / epsilon), old + rng.laplace(scale=1 / epsilon)
