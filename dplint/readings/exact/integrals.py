"""Integrals of piecewise functions between lines, and convolutions.

What a hidden draw contributes is the integral of its density over all values that the comparisons allow, as a
function of the other draw that it is compared with; the density of a sum of two draws is a convolution. Both are again
piecewise, and vanish to orders that are worked out exactly (see `piecewise`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import comb
from typing import TypeAlias

from flint import arb, fmpq

from dplint.readings.exact import terms as sums
from dplint.readings.exact.piecewise import (
    NOWHERE,
    Cell,
    Part,
    Piecewise,
    cells_of,
    exact_key,
    memo,
    sum_of_parts,
    union,
)
from dplint.readings.exact.terms import ONE, Rate, Terms

Line: TypeAlias = tuple[fmpq, fmpq]
"""slope, offset: of slope * t + offset."""


def integral_between(function: Piecewise, lowers: Sequence[Line], uppers: Sequence[Line]) -> Piecewise:
    """The function of t that is the integral over max(lowers) < v < min(uppers); there is at least one line."""
    key = ("between", _lines_key(lowers), _lines_key(uppers))
    found: Piecewise = memo.get((function,), key, lambda: _integral(function, lowers, uppers))
    return found


def _lines_key(lines: Sequence[Line]) -> tuple[object, ...]:
    return tuple([(exact_key(slope), exact_key(offset)) for slope, offset in lines])


def _integral(function: Piecewise, lowers: Sequence[Line], uppers: Sequence[Line]) -> Piecewise:
    if function.is_zero:
        return NOWHERE
    lines = [*lowers, *uppers]
    crossings = [(b - d) / (c - a) for i, (a, b) in enumerate(lines) for c, d in lines[:i] if a != c]
    cuts = function.with_cells([*crossings, *((cut - b) / a for a, b in lines if a != 0 for cut in function.cuts)])
    parts: list[Part | None] = []
    for cell in cells_of(cuts):
        middle = function.inside(cell)
        low = max(lowers, key=lambda line: _at(line, middle), default=None)
        high = min(uppers, key=lambda line: _at(line, middle), default=None)
        if low is not None and high is not None and _at(low, middle) >= _at(high, middle):
            parts.append(None)
        else:
            parts.append(_part_between(function, low, high, cell, middle))
    return function.like(cuts, parts)


def _at(line: Line, place: fmpq) -> fmpq:
    return line[0] * place + line[1]


def _part_between(function: Piecewise, low: Line | None, high: Line | None, cell: Cell, middle: fmpq) -> Part | None:
    """The integral on one cell of t, in which each line stays in one cell of the function."""
    first = 0 if low is None else function.index_at(_at(low, middle))
    last = len(function.parts) - 1 if high is None else function.index_below(_at(high, middle))
    met = [index for index in range(first, last + 1) if function.parts[index] is not None]
    if not met:
        return None
    total: Terms = {}
    constant: arb | None = None
    for index in met:
        start, end = function.cell(index)
        terms = function.antiderivative(index)
        if index == last and high is not None:
            sums.add(total, sums.substituted(terms, *high))
        elif end is not None:
            constant = sums.value_at(terms, end) if constant is None else constant + sums.value_at(terms, end)
        if index == first and low is not None:
            sums.add(total, {key: -c for key, c in sums.substituted(terms, *low).items()})
        elif start is not None:
            constant = -sums.value_at(terms, start) if constant is None else constant - sums.value_at(terms, start)
    if constant is not None:
        sums.add(total, {(sums.CONSTANT, 0): constant})
    left, right = (
        0 if place is None else min(_order(function, index, low, high, place) for index in met) for place in cell
    )
    return Part(total, left, right)


def _order(function: Piecewise, index: int, low: Line | None, high: Line | None, place: fmpq) -> int:
    """To which order what one part gives vanishes as t comes to a place: 0 if some of it is left there.

    The part behaves like a power of the distance from where the interval shrinks to, and its integral like the next.
    """
    part, (start, end) = function.parts[index], function.cell(index)
    assert part is not None
    bottom = start if low is None else _at(low, place) if start is None else max(start, _at(low, place))
    top = end if high is None else _at(high, place) if end is None else min(end, _at(high, place))
    if bottom is None or top is None or bottom < top:
        return 0
    return 1 + (part.left if bottom == start else part.right if top == end else 0)


def convolution(one: Piecewise, other: Piecewise) -> Piecewise:
    """The density of the sum of two independent draws."""
    found: Piecewise = memo.get((one, other), "convolution", lambda: _convolution(one, other))
    return found


def _convolution(one: Piecewise, other: Piecewise) -> Piecewise:
    bits = [bit for a, p in one.pieces() for c, q in other.pieces() for bit in _convolved(one, a, p, c, q)]
    cuts = union([end for cell, _ in bits for end in cell if end is not None], ())
    parts = []
    for low, high in cells_of(cuts):
        here = [
            Part(part.terms, part.left if start == low else 0, part.right if end == high else 0)
            for (start, end), part in bits
            if (start is None or (low is not None and start <= low))
            and (end is None or (high is not None and high <= end))
        ]
        parts.append(sum_of_parts(here))
    return one.like(cuts, parts)


def _convolved(function: Piecewise, one: Cell, left: Part, other: Cell, right: Part) -> Iterator[tuple[Cell, Part]]:
    """The integral of left(u) * right(w - u) over u, on each cell of w, for two parts. function: the first one."""
    (a, b), (c, d) = one, other
    inner = _antiderivative_in_u(function, left.terms, right.terms)
    start = None if a is None or c is None else a + c
    end = None if b is None or d is None else b + d
    between = [x + y for x, y in ((a, d), (b, c)) if x is not None and y is not None]
    ends: list[fmpq] = [x for x in (start, end) if x is not None]
    for low, high in cells_of(function.with_cells([*between, *ends])):
        w = function.inside((low, high))
        if (a is not None and c is not None and w - c <= a) or (b is not None and d is not None and b <= w - d):
            continue
        total: Terms = {}
        # u runs up to b or w - c, whichever is less, from a or w - d, whichever is more.
        if c is not None and (b is None or w - c < b):
            sums.add(total, _at_line(inner, c))
        elif b is not None:
            sums.add(total, _at_constant(inner, b))
        if d is not None and (a is None or w - d > a):
            sums.add(total, {key: -x for key, x in _at_line(inner, d).items()})
        elif a is not None:
            sums.add(total, {key: -x for key, x in _at_constant(inner, a).items()})
        orders = left.left + right.left + 1, left.right + right.right + 1
        yield (
            (low, high),
            Part(total, orders[0] if low == start else 0, orders[1] if high == end else 0),
        )


_Nested: TypeAlias = dict[tuple[Rate, int], Terms]
"""A sum in u whose coefficients are sums in w."""


def _antiderivative_in_u(function: Piecewise, left: Terms, right: Terms) -> _Nested:
    """Of left(u) * right(w - u)."""
    integrand: _Nested = {}
    for (rate1, power1), x in left.items():
        for (rate2, power2), y in right.items():
            for j in range(power2 + 1):
                into = integrand.setdefault((rate1 - rate2, power1 + j), {})
                sums.add(into, {(rate2, power2 - j): x * y * (comb(power2, j) * (-1) ** j)})
    result: _Nested = {}
    for key, coefficients in integrand.items():
        for key2, weight in function.primitive({key: arb(1)}).items():
            sums.add(result.setdefault(key2, {}), sums.scaled(coefficients, weight))
    return result


def _at_constant(nested: _Nested, place: fmpq) -> Terms:
    total: Terms = {}
    for key, coefficients in nested.items():
        sums.add(total, sums.scaled(coefficients, sums.value_at({key: arb(1)}, place)))
    return total


def _at_line(nested: _Nested, offset: fmpq) -> Terms:
    """At u = w - offset."""
    total: Terms = {}
    for key, coefficients in nested.items():
        sums.add(total, sums.product(sums.substituted({key: arb(1)}, ONE, -offset), coefficients))
    return total
