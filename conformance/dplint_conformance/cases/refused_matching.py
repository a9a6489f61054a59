"""`match` over values, types, sequences, objects, alternatives and names, with guards.

No interpretation follows these.
"""

import numpy as np


def match_on_constants(rng, queries):
    match int(rng.integers(5)):
        case 0:
            return "none"
        case 1 | 2:
            value = rng.normal()
        case 3 if queries[0] > 0:
            return "guarded"
        case other:
            return other, queries[0]
    return value


def match_on_texts_and_none(rng, queries):
    kind = "a" if rng.random() < 0.5 else None
    match kind:
        case None:
            return 0
        case "b":
            return 1
        case "a":
            return rng.normal()


def match_without_a_case(rng, queries):
    found = 0
    match rng.integers(4):
        case 1:
            found = 1
        case 2:
            found = rng.normal()
    return found


def match_name_with_a_guard(rng, queries):
    match rng.normal():
        case x if x > 0:
            return "positive", x
        case _:
            return "other", x


def sequences_by_length(rng, queries):
    noisy = [q + rng.normal() for q in queries if q + rng.normal() > 1]
    match noisy:
        case []:
            return "nothing"
        case [one]:
            return one
        case [first, *rest]:
            return first, rest


def sequences_inside_of_sequences(rng, queries):
    rounded = [(int(rng.integers(2)), int(rng.integers(3))) for _ in queries]
    match rounded:
        case [(1, first), *_, (_, last)]:
            return first, last
        case [_, (0 | 1 as second, _), *rest] if second < len(rest):
            return second, rest
        case [*before, (1, 2)]:
            return len(before), second
        case ((0, 0), _, *_) | [(_, 0), *_]:
            return "zeros"
    return second


def guard_that_says_no_leaves_names(rng, queries):
    first, last = "none", "none"
    match [rng.random() < 0.5, queries[0] + rng.normal()]:
        case [True, first] if first > 1:
            return "taken", first
        case [_, float(last)] if last < 0:
            return "negative", first
        case [False, _] as both:
            return both, first, last
    return first, last


def no_sequences(rng, queries):
    found = []
    for one in ("ab", np.arange(2), (1, rng.random()), [1, 2], {1: 2, 2: 1}, None, rng.random()):
        match one:
            case [1, *rest]:
                found.append(rest)
            case str() | int():
                found.append("scalar")
            case _:
                found.append("other")
    return found


class _Pair:
    def __init__(self, low, high):
        self.low = low
        self.high = high

    @property
    def width(self):
        return self.high - self.low


def attributes_of_objects(rng, queries):
    pair = _Pair(queries[0], queries[0] + rng.normal())
    match pair:
        case _Pair(low=0):
            return "at zero", pair.high
        case _Pair(width=width) if width > 0:
            return width
        case _Pair(high=high):
            return high


class _Add:
    def __init__(self, by):
        self.by = by


class _Scale:
    def __init__(self, factor, shift=0):
        self.factor, self.shift = factor, shift


def _applied(op, x):
    match op:
        case _Add(by=by):
            return x + by
        case _Scale(factor=0) | _Scale(factor=1):
            return "none"
        case _Scale(factor=factor, shift=shift) if factor > 1:
            return x * factor + shift
        case _:
            return "other"


def objects_of_one_class_or_another(rng, queries):
    add, twice = _Add(rng.random()), _Scale(2, shift=rng.integers(3))
    match twice:
        case _Add(by=0) | _Add(by=1):
            found = "add"
        case _Add(by=by):
            found = by
        case _Scale(shift=0):
            found = "scale"
        case _:
            found = "other"
    return _applied(add, queries[0]), _applied(twice, 2), _applied(_Scale(rng.integers(2)), 3), found
