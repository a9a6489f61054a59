"""Outputs by their form: what they are but for noise, and which combinations of draws stand where.

Outputs of one form are told apart by numbers alone, and have a density; a form without noise is a single output. Equal
numbers are one output, as for Python's `==`: 1, 1.0 and True are not told apart.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from flint import fmpq

from dplint.readings.exact.affine import Affine, Coefficients
from dplint.readings.exact.interpretation import Raised
from dplint.readings.exact.piecewise import exact_key
from dplint.readings.exact.terms import ONE, ZERO

_LARGE = 10**15
"""Whole numbers below it are written as such, as in events; larger ones as the floats that they are."""
_PLAIN = frozenset([bool, int, str, type(None)])
_NUMBERS = (bool, int, float)
_SEQUENCES = (list, tuple)
"""The types of what stands for itself, wherever it is."""


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of a noisy number in an output, by its number."""

    number: int


@dataclass(frozen=True, slots=True)
class Combination:
    """A number of an output: a sum of the free ones, and a constant."""

    coefficients: tuple[fmpq, ...]
    constant: fmpq

    def at(self, free: Sequence[fmpq]) -> fmpq:
        """Its value."""
        return sum((a * x for a, x in zip(self.coefficients, free, strict=True)), self.constant)


@dataclass(frozen=True, slots=True, eq=False)
class Form:
    """Outputs of one form.

    template: with slots for noise. numbers: what stands in each slot, by the free numbers.
    """

    key: Hashable
    template: Any
    numbers: tuple[Combination, ...]

    def output(self, free: Sequence[fmpq], *, discrete: bool = False) -> Any:
        """The output with these free numbers, as floats.

        discrete: none of them has a density, so that a whole number is written as one.
        """
        numbers = [one.at(free) for one in self.numbers]
        written = [int(x.p) if discrete and x.q == 1 and abs(x) < _LARGE else int(x.p) / int(x.q) for x in numbers]
        return _filled(self.template, written)


def form_of(output: Any) -> tuple[Form, list[Affine]]:
    """The form of an output, and the noisy values that are its free numbers: none is a combination of the others."""
    noise: list[Affine] = []
    template = _template(output, noise)
    free, numbers = _independent(noise)
    return _form(template, numbers), free


def _form(template: Any, numbers: tuple[Combination, ...]) -> Form:
    key = (_key(template), tuple((tuple(map(exact_key, one.coefficients)), exact_key(one.constant)) for one in numbers))
    return Form(key, template, numbers)


def numbers_in(template: Any) -> tuple[Hashable, list[Any]]:
    """What of a form is no number, and its finite numbers and slots in order."""
    items: list[Any] = []

    def noted(item: Any) -> Any:
        items.append(item)
        return _Number()

    return _key(_with_numbers(template, noted)), items


def form_with(template: Any, places: Sequence[int], numbers: tuple[Combination, ...]) -> Form:
    """The form with slots at these places of `numbers_in`, which hold all its slots."""
    count = itertools.count()

    def replaced(item: Any) -> Any:
        place = next(count)
        return Slot(places.index(place)) if place in places else item

    return _form(_with_numbers(template, replaced), numbers)


def _with_numbers(value: Any, function: Callable[[Any], Any]) -> Any:
    """With the function of each number and slot in its place."""
    if isinstance(value, Slot) or (isinstance(value, _NUMBERS) and math.isfinite(value)):
        return function(value)
    if isinstance(value, _SEQUENCES):
        return type(value)([_with_numbers(item, function) for item in value])
    if isinstance(value, dict):
        return {key: _with_numbers(item, function) for key, item in value.items()}
    if isinstance(value, ArrayOf):
        return ArrayOf(value.shape, tuple(_with_numbers(item, function) for item in value.items))
    return value


def _template(value: Any, noise: list[Affine]) -> Any:
    if isinstance(value, Affine):
        noise.append(value)
        return Slot(len(noise) - 1)
    if isinstance(value, _SEQUENCES):
        items = [item if type(item) in _PLAIN else _template(item, noise) for item in value]
        return items if isinstance(value, list) else tuple(items)
    if isinstance(value, dict):
        return {key: _template(item, noise) for key, item in value.items()}
    if isinstance(value, np.ndarray):
        return ArrayOf(value.shape, tuple(_template(item, noise) for item in value.ravel().tolist()))
    return value.item() if isinstance(value, np.generic) else value


@dataclass(frozen=True, slots=True)
class _Number:
    """Stands for any number."""


@dataclass(frozen=True, slots=True)
class ArrayOf:
    """A template of an array: what stands in it, in the order of its memory."""

    shape: tuple[int, ...]
    items: tuple[Any, ...]


def _key(value: Any) -> Hashable:
    if isinstance(value, _SEQUENCES):
        return (type(value).__name__, *[item if type(item) in _PLAIN else _key(item) for item in value])
    if isinstance(value, dict):
        return ("dict", frozenset((key, _key(item)) for key, item in value.items()))
    if isinstance(value, ArrayOf):
        return ("array", value.shape, *map(_key, value.items))
    if isinstance(value, float) and math.isnan(value):
        return ("float", "nan")
    if isinstance(value, str | bytes | bool | int | float | complex | type(None) | Slot | Raised | _Number):
        return value
    return (type(value).__name__, repr(value))


def _filled(template: Any, numbers: Sequence[float]) -> Any:
    """With numbers in the place of slots."""
    if isinstance(template, Slot):
        return numbers[template.number]
    if isinstance(template, _SEQUENCES):
        return type(template)([item if type(item) in _PLAIN else _filled(item, numbers) for item in template])
    if isinstance(template, dict):
        return {key: _filled(item, numbers) for key, item in template.items()}
    if isinstance(template, ArrayOf):
        return np.array([_filled(item, numbers) for item in template.items]).reshape(template.shape).tolist()
    return template


def _independent(noise: Sequence[Affine]) -> tuple[list[Affine], tuple[Combination, ...]]:
    """The first noisy values that are no combinations of those before, and all as combinations of them.

    By Gauss's elimination: each row of the basis has a pivot, and is a known combination of the free values.
    """
    free: list[Affine] = []
    basis: list[tuple[Coefficients, int, dict[int, fmpq]]] = []
    found: list[tuple[dict[int, fmpq], fmpq]] = []
    for value in noise:
        rest = dict(value.coefficients)
        used: dict[int, fmpq] = {}
        for row, pivot, source in basis:
            factor = rest.get(pivot, ZERO)
            if factor != 0:
                _subtract(rest, row, factor)
                _subtract(used, source, -factor)
        rest = {draw: a for draw, a in rest.items() if a != 0}
        if not rest:
            constant = value.constant - sum((a * free[i].constant for i, a in used.items()), ZERO)
            found.append((used, constant))
            continue
        pivot, first = min(rest.items())
        source = {i: -a / first for i, a in used.items()}
        source[len(free)] = ONE / first
        basis.append(({draw: a / first for draw, a in rest.items()}, pivot, source))
        found.append(({len(free): ONE}, ZERO))
        free.append(value)
    size = len(free)
    return free, tuple(Combination(tuple(used.get(i, ZERO) for i in range(size)), c) for used, c in found)


def _subtract(into: dict[int, fmpq], other: dict[int, fmpq], factor: fmpq) -> None:
    for key, a in other.items():
        into[key] = into.get(key, ZERO) - factor * a
