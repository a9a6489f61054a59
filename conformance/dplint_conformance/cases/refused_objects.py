"""Objects that are shared, changed or asked in ways that no variable of their own can follow."""

import collections
from collections import defaultdict
from dataclasses import dataclass, field, replace
from enum import Enum


class _Cell:
    def __init__(self, x):
        self.x = x

    def add(self, y):
        self.x += y
        return self.x


class _Late:
    def __init__(self, x):
        if x > 1:
            self.x = x

    def get(self):
        return self.x


def object_by_a_choice(rng, queries):
    cell = _Cell(1) if rng.random() < 0.5 else _Cell(2)
    return cell.add(1)


def object_of_the_turn_before(rng, queries):
    found = []
    for q in queries:
        cell = _Cell(q)
        if q > 1:
            last = cell
        found.append(last.add(rng.normal()) if q == 1.0 and found else 0)
    return found


def attribute_without_a_value(rng, queries):
    return _Late(queries[int(rng.random() * 3)]).get()


def attribute_that_nobody_has(rng, queries):
    cell = _Cell(rng.normal())
    return cell.y if rng.random() < 0.5 else cell.x


def list_that_the_caller_holds(rng, queries):
    cell = _Cell(queries)
    cell.x.append(rng.normal())
    return queries


class _Counting:
    count = 0

    def up(self):
        _Counting.count += 1
        return _Counting.count


def constant_that_changes(rng, queries):
    return _Counting().up() + rng.normal()


class _Hooked:
    def __init__(self, x):
        self.x = x

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value + 1)


def hooks_of_attributes(rng, queries):
    return _Hooked(rng.normal()).x


class _Patched:
    def get(self):
        return 1


_Patched.get = lambda self: 2


def method_that_is_patched(rng, queries):
    return _Patched().get() + rng.normal()


class _Again:
    def __init__(self, n):
        self.n = n

    def sum(self, n):
        return n + self.sum(n - 1) if n else self.n


def method_that_calls_itself(rng, queries):
    return _Again(rng.normal()).sum(3)


def _items(rng, values):
    for value in values:
        yield value + rng.normal()


def _two(rng):
    yield rng.normal()
    yield rng.random()


def generator_kept_and_used_later(rng, queries):
    items = _items(rng, queries)
    x = rng.random()
    return x, list(items)


def generator_with_two_places(rng, queries):
    return [x for x in _two(rng)]


def next_of_one_that_ends(rng, queries):
    items = _items(rng, queries)
    return next(items), rng.random()


class _Kind(Enum):
    ONE = "one"
    TWO = "two"


def member_that_is_returned(rng, queries):
    return rng.normal(), [_Kind.ONE].count(_Kind.ONE)


def member_compared_with_a_text(rng, queries):
    kind = _Kind("one")
    return kind == "one", rng.normal()


class _Private:
    def __init__(self, x):
        self.__x = x

    def get(self):
        return self.__x


class _MorePrivate(_Private):
    def __init__(self, x):
        super().__init__(x)
        self.__x = 2


def private_attributes_of_two_classes(rng, queries):
    return _MorePrivate(rng.normal()).get()


@dataclass
class _Uneven:
    first: float
    second: float = field(default=0.0, init=False)
    third: float = 1.0


def field_that_the_constructor_does_not_take(rng, queries):
    return _Uneven(rng.normal(), 2.0).third + rng.normal()


class _Bag:
    def __init__(self, items):
        self.items = items
        self.count = 0

    def put(self, item):
        self.items.append(item)
        self.count += 1
        return self


def object_under_a_second_name_before_another(rng, queries):
    bag = _Bag([])
    other = bag
    bag = _Bag([1])
    other.put(rng.random())
    return bag.count, other.items


def object_that_gives_itself_its_name(rng, queries):
    bag = _Bag([])
    bag = bag.put(rng.random())
    bag.put(1)
    return bag.items


def object_or_none(rng, queries):
    bag = _Bag([])
    if rng.random() < 0.5:
        bag = None
    return bag is None


def object_with_a_list_of_the_function(rng, queries):
    items = [1]
    bag = _Bag(items)
    bag.put(rng.random())
    return items


def range_compared(rng, queries):
    numbers = range(int(rng.integers(3)))
    return numbers == [0, 1], str(numbers)


def groups_asked_for_rows_before_they_are_full(rng, values):
    groups = defaultdict(list)
    for value in values:
        if len(groups[0]) < 2:
            groups[0].append(value + rng.random())
    return dict(groups)


def deque_compared_with_a_list(rng, queries):
    window = collections.deque([1])
    return window == [1] or rng.random()


def part_of_a_deque(rng, queries):
    window = collections.deque(queries)
    try:
        return window[1:]
    except TypeError:
        return rng.random()


def deque_made_twice(rng, queries):
    window = collections.deque(maxlen=2)
    for q in queries:
        window.append(q)
        if rng.random() < 0.5:
            window = collections.deque(maxlen=3)
    return list(window)


def deque_changed_in_its_loop(rng, queries):
    window = collections.deque(queries, 6)
    try:
        for q in window:
            window.append(q + rng.random())
    except RuntimeError:
        return list(window)


def deque_turned(rng, queries):
    window = collections.deque(queries)
    window.rotate(1)
    return window[0] + rng.random()


class _Fitted:
    def __init__(self, rng):
        self.rng = rng

    def fit(self, x):
        if x > self.rng.random():
            self.centre_ = x

    def forget(self):
        self.__init__(self.rng)


def attribute_before_it_has_a_value(rng, queries):
    model = _Fitted(rng)
    return model.centre_ if 0.5 < rng.random() else 0


def attribute_that_has_a_value_at_times(rng, queries):
    model = _Fitted(rng)
    model.fit(0.5)
    return model.centre_


def attribute_of_the_turn_before(rng, queries):
    out = []
    for q in queries:
        model = _Fitted(rng)
        if rng.random() < 0.2:
            out.append(model.centre_)
        model.fit(1 + q)
    return out


def attribute_without_a_value_in_a_helper(rng, queries):
    return _centre(rng)


def _centre(rng):
    model = _Fitted(rng)
    return model.centre_ if rng.random() < 0.5 else 1


@dataclass(frozen=True)
class _Params:
    epsilon: float
    parts: int = 2
    label: str | None = None

    def __post_init__(self):
        if self.epsilon <= 0:
            raise ValueError("epsilon")

    @property
    def scale(self):
        return self.parts / self.epsilon

    def split(self, parts):
        return replace(self, epsilon=self.epsilon / parts)


def dataclass_with_methods(rng, queries, epsilon):
    params = _Params(epsilon)
    half = params.split(2)
    return rng.laplace(scale=half.scale), half.epsilon, params.epsilon, half.label


def dataclass_that_checks(rng, queries):
    params = _Params(rng.normal())
    return params.split(int(rng.integers(-1, 3))).scale


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


def changes_by_branches(rng, queries):
    account = _Account(9)
    x = account.spend(1) if rng.random() < 0.5 else account.left()
    y = rng.random() < 0.5 and account.spend(2) or account.left()
    return x, y, account.spent, account.log


def changes_in_a_test(rng, queries):
    account = _Account(9)
    turns = 0
    while account.spend(rng.random()) < 0.8 and account.spent < 5:
        turns += 1
        if turns == 2:
            continue
    if account.spend(0.25) > rng.random():
        turns = -turns
    elif account.spend(0.5) > rng.random():
        turns += 100
    return turns, account.spent


def changes_of_an_element(rng, queries):
    account = _Account(9)
    xs = [0.0, 0.0]
    xs[int(account.spend(1)) - 1] = account.spend(rng.random())
    xs[1] += account.spend(2)
    xs.append(account.left())
    return xs, account.spent
