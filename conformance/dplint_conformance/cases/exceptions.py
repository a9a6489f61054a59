"""Exceptions that some runs raise: they are outputs, and what follows them is not run."""

import math

import numpy as np


def unassigned_variable(rng, queries):
    if rng.random() < 0.5:
        x = 1
    return x


def unassigned_after_a_loop(rng, queries):
    for i in range(int(rng.integers(0, 3))):
        x = i
    return x


def unassigned_in_a_loop(rng, queries):
    out = []
    for q in queries:
        if rng.random() < 0.5:
            last = q
        out.append(last)
    return out


def unassigned_in_a_comprehension(rng, queries):
    if rng.random() < 0.5:
        x = 2
    return [x * q for q in queries]


def unassigned_but_not_needed(rng, queries):
    u = rng.random()
    if u < 0.5:
        x = u
    return x if u < 0.5 else None


def unassigned_augmented(rng, queries):
    if rng.random() < 0.5:
        total = 0
    for q in queries:
        total += q
    return total


def unassigned_before_draws(rng, queries):
    out = []
    if rng.random() < 0.5:
        i = 0
    out.insert(i, sum([rng.random() for _ in queries]))
    return out


def unassigned_before_a_search(rng, queries):
    out = []
    if rng.random() < 0.5:
        i = 0
    out.insert(i, next((q for q in queries if q > rng.random()), 0))
    return out


def unassigned_receiver_before_draws(rng, queries):
    if rng.random() < 0.5:
        out = []
    out.append(sum([rng.random() for _ in queries]))
    return out


def unassigned_term_before_a_helper(rng, queries):
    for q in queries[: int(rng.integers(0, 2))]:
        shift = q
    return shift + _noisy(rng, queries)


def _noisy(rng, queries):
    return queries[0] + rng.laplace()


def unassigned_in_some_turn(rng, queries):
    for q in queries:
        if q + rng.laplace() > 2.5:
            first = q
            break
    return first


def addition_to_none(rng, queries):
    x = None
    for q in queries:
        if rng.random() < 0.3:
            x = q
    return x + 1


def comparison_with_none(rng, queries):
    x = None if rng.random() < 0.5 else 1
    return x > 0


def comparison_with_text(rng, queries):
    x = "1" if rng.random() < 0.5 else 1
    return x < 2


def addition_of_text_and_number(rng, queries):
    x = "1" if rng.random() < 0.5 else 1
    return x + 1


def addition_of_list_and_number(rng, queries):
    x = [1] if rng.random() < 0.5 else 1
    return x + [2]


def length_of_a_number(rng, queries):
    x = queries if rng.random() < 0.5 else 3
    return len(x)


def length_of_none(rng, queries):
    kept = None if rng.random() < 0.3 else queries
    return len(kept)


def sum_of_texts(rng, names):
    items = names if rng.random() < 0.5 else [1, 2]
    return sum(items)


def sort_of_mixed_kinds(rng, names):
    items = [2, "a"] if rng.random() < 0.5 else [2, 1]
    return sorted(items)


def maximum_of_nothing(rng, queries):
    kept = [q for q in queries if rng.random() < 0.2]
    return max(kept)


def minimum_of_nothing(rng, queries):
    return min([q + rng.random() for q in queries if rng.random() < 0.2])


def maximum_with_none(rng, queries):
    x = None if rng.random() < 0.3 else 2
    return max(x, 1)


def argmax_of_nothing(rng, queries):
    kept = [q for q in queries if rng.random() < 0.2]
    return int(np.argmax(kept))


def index_of_a_missing_value(rng, queries):
    return queries.index(int(rng.integers(0, 5)))


def removal_of_a_missing_value(rng, queries):
    out = [1, 2]
    out.remove(int(rng.integers(0, 4)))
    return out


def unpacking_of_another_length(rng, queries):
    a, b = [q for q in queries[:3] if rng.random() < 0.6]
    return a, b


def unpacking_of_a_number(rng, queries):
    a, b = (1, 2) if rng.random() < 0.5 else 3
    return a, b


def iteration_over_a_number(rng, queries):
    total = 0
    for x in queries if rng.random() < 0.5 else 5:
        total += x
    return total


def iteration_over_none(rng, queries):
    items = None if rng.random() < 0.5 else [1]
    return [x for x in items]


def range_of_a_float(rng, queries):
    n = 2 if rng.random() < 0.5 else 2.0
    return [i for i in range(n)]


def range_with_step_zero(rng, queries):
    return list(range(0, 3, int(rng.integers(0, 2))))


def append_to_none(rng, queries):
    out = [] if rng.random() < 0.5 else None
    out.append(1)
    return out


def repetition_by_a_float(rng, queries):
    n = 2 if rng.random() < 0.5 else 2.0
    return [1] * n


def shift_by_a_negative(rng, queries):
    return 1 << int(rng.integers(-1, 3))


def negative_scale(rng, queries):
    return rng.laplace(scale=rng.normal())


def probability_out_of_range(rng, queries):
    return rng.binomial(4, rng.normal(0.5))


def geometric_with_probability_zero(rng, queries):
    return rng.geometric(float(rng.integers(0, 2)) / 2)


def integers_from_an_empty_range(rng, queries):
    return rng.integers(0, rng.integers(0, 2))


def choice_from_nothing(rng, queries):
    return rng.choice([q for q in queries if rng.random() < 0.2])


def choice_with_wrong_weights(rng, queries):
    p = 0.5 if rng.random() < 0.5 else 0.4
    return rng.choice(2, p=[p, 0.5])


def shapes_that_do_not_match(rng, queries):
    return np.array([1, 2]) + np.array(queries[: int(rng.integers(1, 4))])


def truth_of_an_array(rng, queries):
    a = rng.random(int(rng.integers(1, 3)))
    if a > 0.5:
        return "yes"
    return "no"


def power_of_a_negative(rng, queries):
    return math.pow(rng.normal(), 0.5)


def conversion_of_an_array(rng, queries):
    a = np.array(queries[: int(rng.integers(1, 3))])
    return a.item() * 2


def weights_of_zero(rng, queries):
    kept = [q for q in queries if q > 0.5 and rng.random() < 0.5]
    return sum(kept) / len(kept)


def first_error_counts(rng, queries):
    x = int(rng.integers(0, 2))
    return 1 / x + queries[5 * int(rng.integers(0, 2))] + _undefined(x)


def _undefined(x):
    if x:
        y = 1
    return y


def error_after_output(rng, queries):
    for i in range(5):
        if rng.random() < 0.4:
            return i
    raise LookupError(i)


def error_stops_draws(rng, queries):
    out = []
    for _ in range(4):
        out.append(10 // int(rng.integers(0, 5)) + rng.random())
    return out


def exception_in_the_last_turn_of_some(rng, names):
    return [_known(rng, name) for name in names[: int(rng.integers(1, 4))]]


def _known(rng, key):
    places = {"a": 0, "b": 1}
    place = places[key]
    if place == 0:
        return 1.5 + rng.normal()
    return 1.5 * rng.random()
