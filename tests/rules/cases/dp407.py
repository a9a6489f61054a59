"""Further examples of DP407: parts overspend."""

from dplint import dp


# bad: the whole epsilon twice, by a library
from diffprivlib import tools


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def summary(values, epsilon):
    mean = tools.mean(values, epsilon=epsilon, bounds=(0, 100))
    spread = tools.std(values, epsilon=epsilon, bounds=(0, 100))
    return {"mean": mean, "std": spread}


# good: nobody is both
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def count(rng, ages, epsilon):
    return len(ages) + rng.laplace(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def children_and_adults(rng, ages, epsilon):
    children = [age for age in ages if age < 18]
    adults = [age for age in ages if age >= 18]
    return count(rng, children, epsilon), count(rng, adults, epsilon)


# bad: in each turn of a loop
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def count(rng, ages, epsilon):
    return len(ages) + rng.laplace(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def three_times(rng, ages, epsilon):
    answers = []
    for _ in range(3):
        answers.append(count(rng, ages, epsilon / 2))
    return answers


# bad: once more where the first answer is large
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def count(rng, ages, epsilon):
    return len(ages) + rng.laplace(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def looked_at_again(rng, ages, epsilon):
    noisy = count(rng, ages, epsilon)
    if noisy > 100:
        noisy = (noisy + count(rng, ages, epsilon)) / 2
    return noisy


# bad: in a helper without a claim
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def count(rng, ages, epsilon):
    return len(ages) + rng.laplace(scale=1 / epsilon)


def both(rng, ages, epsilon):
    return count(rng, ages, epsilon), count(rng, ages, epsilon)


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def through_a_helper(rng, ages, epsilon):
    return both(rng, ages, epsilon)


# good: an accountant stops what is too much
from diffprivlib import BudgetAccountant, tools


@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def summary(values, epsilon):
    accountant = BudgetAccountant(epsilon=epsilon, delta=0)
    mean = tools.mean(values, epsilon=epsilon, bounds=(0, 100), accountant=accountant)
    spread = tools.std(values, epsilon=epsilon, bounds=(0, 100), accountant=accountant)
    return {"mean": mean, "std": spread}


# good: one or the other
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def count(rng, ages, epsilon):
    return len(ages) + rng.laplace(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def either(rng, ages, epsilon, twice):
    if twice:
        return count(rng, ages, epsilon / 2), count(rng, ages, epsilon / 2)
    return count(rng, ages, epsilon)


# good: a budget of one's own, spent as long as there is some
class Budget:
    def __init__(self, total):
        self.left = total

    def spend(self, epsilon):
        if epsilon <= 0 or epsilon > self.left:
            raise ValueError("the budget is spent")
        self.left -= epsilon


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def count(rng, ages, epsilon):
    return len(ages) + rng.laplace(scale=1 / epsilon)


@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def until_spent(rng, ages, epsilon):
    budget = Budget(epsilon)
    answers = []
    while not answers or answers[-1] > 10:
        budget.spend(epsilon / 4)
        answers.append(count(rng, ages, epsilon / 4))
    return answers
