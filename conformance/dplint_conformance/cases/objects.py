"""Objects that a mechanism makes of classes of the module: what they hold, when it changes, and in which order."""

import abc
from dataclasses import dataclass, field

import numpy as np


class _Mechanism(abc.ABC):
    def __init__(self, epsilon, sensitivity=1.0):
        if epsilon <= 0:
            raise ValueError("epsilon must be positive")
        self.epsilon = epsilon
        self.sensitivity = sensitivity

    @property
    def scale(self):
        return self.sensitivity / self.epsilon

    @abc.abstractmethod
    def add(self, x, rng): ...

    def __call__(self, x, rng):
        return self.add(x, rng)


class _Laplace(_Mechanism):
    kind = "laplace"

    def add(self, x, rng):
        return x + rng.laplace(scale=self.scale)


class _Clipped(_Laplace):
    def __init__(self, epsilon, low, high):
        super().__init__(epsilon)
        self.low, self.high = low, high

    def add(self, x, rng):
        return min(max(super().add(x, rng), self.low), self.high)

    @classmethod
    def unit(cls, epsilon):
        return cls(epsilon, 0.0, 1.0)

    @staticmethod
    def half(x):
        return x / 2


def object_of_a_class(rng, queries, epsilon):
    noise = _Laplace(epsilon)
    return [noise.add(q, rng) for q in queries], noise.scale, noise.kind


def object_that_is_called(rng, queries, epsilon):
    noise = _Laplace(sensitivity=2.0, epsilon=epsilon)
    return noise(noise(queries[0], rng), rng)


def object_of_a_derived_class(rng, queries, epsilon):
    noise = _Clipped(epsilon, low=0.5, high=2)
    return [noise(q, rng) for q in queries], _Clipped.half(noise.high), noise.half(3)


def object_by_a_class_method(rng, queries, epsilon):
    return _Clipped.unit(epsilon)(queries[0], rng)


def object_that_may_not_be_made(rng, queries):
    return _Laplace(rng.normal()).add(queries[0], rng)


class _Account:
    def __init__(self, total):
        self.total = total
        self.spent = 0.0
        self.log = []

    def spend(self, amount, label="query"):
        if self.spent + amount > self.total:
            raise ValueError(f"spent {self.spent:.2f}")
        self.spent += amount
        self.log.append((label, amount))
        return amount

    def left(self):
        return self.total - self.spent

    def reset(self):
        self.spent, self.log = 0.0, []
        return self


def object_that_changes(rng, queries):
    account = _Account(2.0)
    found = [rng.normal() * account.spend(0.25) for _ in queries]
    return found, account.spent, account.left(), account.log


def object_that_is_used_up(rng, queries):
    account = _Account(1.0)
    for q in queries:
        account.spend(rng.exponential() / 4)
        if account.left() < 0.2:
            return q, len(account.log)
    return None


def changes_between_operands(rng, queries):
    account = _Account(9)
    return account.spent + account.spend(rng.random()) * account.spent - account.spent, account.spend(2) + account.spent


def changes_between_arguments(rng, queries):
    account = _Account(9)
    return max(account.spent, account.spend(rng.random()), account.spent, account.spend(0.5)), [account.spent] * 2


def changes_in_conditions(rng, queries):
    account = _Account(9)
    found = [q for q in queries if account.spend(rng.random()) < 0.5 if account.left() > 7]
    some = any(account.spend(rng.random()) > 0.8 for _ in queries)
    every = all(account.spend(rng.random()) > 0.2 for _ in queries)
    return found, some, every, account.spent


def list_that_an_object_holds(rng, queries):
    account = _Account(9)
    return (account.log, account.spend(rng.random()), len(account.log))


def object_that_gives_itself(rng, queries):
    account = _Account(9)
    account.spend(1)
    account.reset().spend(rng.random())
    return account.spent, len(account.log)


def object_in_a_loop(rng, queries):
    found = []
    for q in queries:
        account = _Account(1.0)
        account.spend(rng.random() / 2)
        found.append(account.spent)
        if q > 1:
            account.spend(rng.random() / 2)
            found.append(account.spent)
    return found


def object_under_two_names(rng, queries):
    account = _Account(9)
    other = account
    other.spend(rng.random())
    account.spend(1)
    return other.spent, account.spent


def two_objects_of_a_class(rng, queries):
    first = _Account(1)
    second = 0
    third = _Account(2)
    first.spend(rng.random())
    third.spend(rng.random())
    first.total += second + 3
    return first.spent, third.spent, first.total, third.total


class _Holder:
    def __init__(self, account, rng):
        self.account = account
        self.rng = rng
        self.noise = _Laplace(1.0)

    def draw(self):
        return self.noise(self.account.spend(self.rng.random()), self.rng)


def object_that_holds_others(rng, queries):
    account = _Account(9)
    holder = _Holder(account, rng)
    x = holder.draw() + holder.account.spent
    account.spend(0.5)
    return x, account.spent, holder.account.left(), holder.noise.scale


def _spend_all(account, rng, queries):
    for q in queries:
        if account.spend(rng.random()) > 0.8:
            return q
    return account.left()


def object_that_a_function_is_given(rng, queries):
    account = _Account(9)
    return _spend_all(account, rng, queries), account.spent, _spend_all(_Account(8), rng, queries)


class _Returning:
    def __init__(self, rng, xs):
        self.rng = rng
        self.xs = xs

    def first(self, bound):
        for i, x in enumerate(self.xs):
            y = x + self.rng.normal()
            if y > bound:
                return i
            for j in range(2):
                if self.rng.random() < 0.2:
                    return i, j
        return None

    def level(self):
        x = self.rng.normal()
        if x < -0.5:
            return "low"
        if x < 0.5:
            if self.rng.random() < 0.5:
                return "middle"
            x += 1
        else:
            x -= 1
        while x < 1:
            x += self.rng.random()
            if x > 0.9:
                return "late"
        else:
            x = 7
        return x

    def nothing(self):
        if self.rng.random() < 0.5:
            return
        self.xs = self.xs[1:]


def methods_that_return_early(rng, queries):
    one = _Returning(rng, queries)
    return one.first(2.5), [one.level() for _ in queries], one.nothing(), one.nothing(), len(one.xs)


@dataclass
class _Ledger:
    total: float
    spent: float = 0.0
    log: list = field(default_factory=list)

    def add(self, x):
        self.spent += x
        self.log.append(x)


def dataclass_that_changes(rng, queries):
    one, two = 1, 2
    first = _Ledger(one)
    second = _Ledger(total=two, spent=rng.random())
    for _ in queries:
        first.add(rng.random())
    second.add(first.spent)
    first.spent = 0
    return first.log, second.log, first.spent, second.spent, first.total


class _Stack:
    def __init__(self, xs):
        self.xs = list(xs)
        self.table = {}

    def push(self, x):
        self.xs.append(x)
        self.table[x] = len(self.xs)
        return self

    def pop(self):
        return self.xs[-1]

    def update(self, x):
        self.xs[0] = x


def names_of_methods_of_lists(rng, queries):
    stack = _Stack(queries)
    stack.push(rng.normal()).push(1.0)
    stack.update(rng.random())
    stack.update(stack.pop())
    return stack.xs, len(stack.table), stack.pop()


class _Vector:
    def __init__(self, xs, rng):
        self.xs = np.asarray(xs, dtype=float)
        self.noisy = self.xs + rng.normal(size=len(xs))

    def best(self):
        return int(np.argmax(self.noisy))

    @property
    def size(self):
        return len(self.xs)


def object_that_holds_arrays(rng, queries):
    vector = _Vector(queries, rng)
    return vector.best(), vector.size, vector.noisy.sum() / vector.size


class _Sparse:
    def __init__(self, rng, threshold, count):
        self.rng, self.threshold, self.count = rng, threshold, count
        self._reset()

    def _reset(self):
        self.noisy = self.threshold + self.rng.laplace()

    def ask(self, x):
        if self.count <= 0:
            return None
        if x + self.rng.laplace() < self.noisy:
            return False
        self.count -= 1
        self._reset()
        return x + self.rng.random()


def generator_among_attributes(rng, queries):
    sparse = _Sparse(rng, 1.0, 2)
    return [sparse.ask(q) for q in queries], sparse.count


class _Tree:
    def __init__(self, rng, depth):
        self.rng, self.t = rng, 0
        self.sums = [0.0] * depth
        self.noisy = [0.0] * depth

    def add(self, x):
        self.t += 1
        i = 0
        while not (self.t >> i) & 1:
            i += 1
        self.sums[i] = sum(self.sums[:i]) + x
        for j in range(i):
            self.sums[j] = self.noisy[j] = 0.0
        self.noisy[i] = self.sums[i] + self.rng.laplace()
        return sum(self.noisy[j] for j in range(len(self.noisy)) if (self.t >> j) & 1)


def sums_in_a_tree(rng, queries):
    tree = _Tree(rng, 3)
    return [tree.add(q) for q in queries], tree.sums


class _Chain:
    def __init__(self, rng):
        self.rng = rng
        self.count = 0

    def step(self):
        self.count += 1
        return self.rng.random() * self.count

    def twice(self):
        return self.step() - self.step()

    def again(self):
        return self.twice()


def calls_of_calls_as_statements(rng, queries):
    chain = _Chain(rng)
    chain.again()
    x = chain.again()
    chain.twice()
    return x, chain.count
