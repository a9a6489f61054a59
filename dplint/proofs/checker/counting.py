"""Counts of each value, in bins, and the place of a number among constants: `bincount`, `histogram`, `bisect`,
`digitize`.

A number is in one cell at most, whatever it is, and in which is a condition on it: so the counts that a record moves
are those of its own cells. Edges are exact numbers, as all are; NumPy, too, has each number in one bin, between the two
edges that it rounds to.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

import z3

from dplint.proofs.checker.context import Asked, Context
from dplint.proofs.checker.values import (
    Items,
    Mask,
    Value,
    boolean,
    both,
    is_number,
    is_term,
    real,
    refuse,
    refuse_if,
    sort,
    term,
    unmixed,
)

NO_WHOLE_NUMBERS = Items("array", (), ())
"""An empty array of integers: of any other one the type is not known, which is that of floats by itself."""


def counts(walk: Context, asked: Asked, values: Value, *bins: Value, **_keywords: Value) -> Value:
    """How many of some numbers are of each of some values, or in each of some bins."""
    refuse_if(not isinstance(values, Items), "a count of what is no list of known length", asked.span)
    refuse_if(bins and asked.name == "bincount", "a count with weights", asked.span)
    of_floats = values.kind != "list" and not values.items and values is not NO_WHOLE_NUMBERS
    if asked.name == "bincount" and of_floats:
        raise refuse("a count of an empty array, which NumPy refuses if it is one of floats", asked.span)
    rows = [cells(walk, asked, *row) for row in zip(values.items, values.guards, strict=True)]
    columns = zip(*rows, strict=True)
    sums = [z3.Sum([z3.IntVal(0), *(z3.If(boolean(one), 1, 0) for one in column)]) for column in columns]
    return counted(walk, asked, list(map(z3.simplify, sums)))


def counted(walk: Context, asked: Asked, sums: Sequence[Value]) -> Value:
    """What a function that counts gives, with the edges of the bins if they are intervals; no counts are all 0."""
    edges = _edges(walk, asked) if asked.name == "histogram" else None
    length = asked.keywords["minlength"] if edges is None else len(edges) - 1
    array = Items.of("array", sums or [z3.IntVal(0)] * length)
    return array if edges is None else Items.of("tuple", [array, Items.of("array", edges)])


def cells(walk: Context, asked: Asked, value: Value, guard: Mask) -> list[Mask]:
    """For each cell whether a number, which is there where the guard holds, is counted in it: in one at most."""
    one = unmixed(value)
    if not is_number(one) or sort(one) == "bool" or walk.leaves.noisy(one):
        raise refuse("counts of what are no numbers of data", asked.span)
    number = term(one)
    if asked.name == "histogram":
        edges = [real(term(edge)) for edge in _edges(walk, asked)]
        last = len(edges) - 2
        above = [number < edge for edge in edges[1:-1]] + [number <= edges[-1]]
        return [both(guard, z3.And(number >= edges[k], above[k])) for k in range(last + 1)]
    length = asked.keywords.get("minlength")
    if not isinstance(length, int) or isinstance(length, bool) or length < 1:
        raise refuse("a count without a length that is known", asked.span)
    refuse_if(one is not value or sort(one) != "int", "a count of what are no whole numbers", asked.span)
    if not walk.decider.certain(z3.Implies(boolean(guard), z3.And(number >= 0, number < length))):
        raise refuse("a count of numbers that may not be below its length", asked.span)
    return [both(guard, number == k) for k in range(length)]


def _edges(walk: Context, asked: Asked) -> list[Value]:
    """Of the bins of a histogram, as floats; of bins that are only counted, between two ends that are asked for."""
    refuse_if(len(asked.arguments) > 3, "a histogram with weights, or of densities", asked.span)
    given = {**dict(zip(("bins", "range"), asked.arguments[1:], strict=False)), **asked.keywords}
    bins, ends = given.get("bins", 10), given.get("range")
    listed = [one for one in (bins, ends) if isinstance(one, Items) and one.plain]
    if not listed or not all(is_number(one) and sort(one) != "bool" for one in listed[0].items):
        raise refuse("a histogram whose bins the data decides", asked.span)
    if listed[0] is bins and ends is None:
        floats = any(sort(one) == "float" for one in bins.items)
        edges = [_as_float(one) if floats else one for one in bins.items]
    elif type(bins) is int and bins > 0 and isinstance(ends, Items) and len(ends.items) == 2:
        low, high = map(_as_float, ends.items)
        edges = [low + (high - low) * Fraction(k, bins) for k in range(bins)] + [high]
        if is_term(low) or is_term(high):
            edges = [real(term(low)) + (term(high) - term(low)) * term(Fraction(k, bins)) for k in range(bins + 1)]
    else:
        raise refuse("a histogram whose bins the data decides", asked.span)
    rising = [term(one) < term(other) for one, other in pairwise(edges)]
    if not edges[1:] or not all(map(walk.leaves.public, edges)) or not all(map(walk.decider.certain, rising)):
        raise refuse("a histogram whose edges may not go up", asked.span)
    return edges


def place(walk: Context, asked: Asked, grid: Value, value: Value) -> Value:
    """Where a number stands among constants that go up: how many of them are below it, or equal to it, too."""
    edges, number = getattr(grid, "items", ()), unmixed(value)
    exact = all(isinstance(one, int | Fraction) and not isinstance(one, bool) for one in edges)
    known = exact and isinstance(grid, Items) and grid.plain
    if not known or any(one > other for one, other in pairwise(edges)):
        raise refuse("a place among what are no constants that go up", asked.span)
    refuse_if(not is_number(number) or walk.leaves.noisy(number), "the place of what is no number of data", asked.span)
    found: Value = z3.IntVal(len(edges))
    for k, edge in reversed(list(enumerate(edges))):
        before = term(number) <= term(edge) if asked.name == "bisect_left" else term(number) < term(edge)
        found = z3.If(before, z3.IntVal(k), found)
    return z3.simplify(found)


def _as_float(value: Value) -> Value:
    return real(term(value)) if is_term(value) else Fraction(value)
