"""Events that show a loss of continuous outputs: half-lines and intervals of one number, with exact probabilities.

The loss of an output with a density is that of densities. An event of positive probability shows most of it, and can be
counted in runs.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from flint import arb, ctx

from dplint.outcomes import Bounds, Impossible, exceeds
from dplint.readings.exact.functions import Function
from dplint.readings.exact.interpretation import Raised
from dplint.readings.exact.laws import FormLaw
from dplint.readings.exact.outputs import ArrayOf, Form, Slot
from dplint.readings.exact.piecewise import NOWHERE, Cell, Piecewise, union
from dplint.readings.exact.rounding import above, below, probability_bounds
from dplint.readings.exact.terms import ONE, rational

Law = Mapping[Hashable, FormLaw]
_LEAST, _RARE, _LIKELY = 1e-4, 0.002, 0.02
"""Probabilities on D1: of events that runs can be counted for, of conjunctions, and from which on the loss alone
decides.
"""


@dataclass(frozen=True, slots=True)
class NumberEvent:
    """A set of outputs by one of their numbers. expression: over `output`. loss: of the event."""

    expression: str
    p1: Bounds
    p2: Bounds
    loss: Bounds
    infinite: Impossible | None = None


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """A number of the outputs of a form: the coordinate that it is, the path to it, and the text of that path."""

    coordinate: int
    path: tuple[Any, ...]
    text: str


def number_event(law1: Law, law2: Law, key: Hashable, *, claimed: float, precision: int) -> NumberEvent | None:
    """The event on outputs of one form that shows best that more than `claimed` is lost; None if there is none whose
    probabilities are known: where outputs of another form might be in it, for instance.
    """
    one = law1[key]
    if one.size == 0:
        return None
    with ctx.workprec(precision):
        best = _conjunction(law1, law2, key)
        for number in numbers_of(one):
            densities = [marginal(law.get(key), number.coordinate) for law in (law1, law2)]
            known = [density for density in densities if density is not None]
            if len(known) < 2:
                continue
            for cell in _cells(*known):
                sides = [in_event(law, key, number, cell, p) for law, p in zip((law1, law2), known, strict=True)]
                p1, p2 = sides
                if p1 is None or p2 is None or not p1 > 0 or not (p2 > 0 or p2.is_zero()):
                    continue
                found = _event(text_of(one.form, number, cell), p1, p2)
                if best is None or _rank(found, claimed) > _rank(best, claimed):
                    best = found
    return best


def _conjunction(law1: Law, law2: Law, key: Hashable) -> NumberEvent | None:
    """Several numbers, each in a half-line: where the numbers are independent, and nothing else is an output, the
    probabilities are products, and the losses add up.
    """
    one, other = law1[key], law2.get(key)
    if other is None or max(len(law1), len(law2), len(one.terms), len(other.terms)) > 1 or one.size == 1:
        return None
    parts: list[tuple[str, arb, arb]] = []
    for number in numbers_of(one):
        densities = marginal(one, number.coordinate), marginal(other, number.coordinate)
        if densities[0] is None or densities[1] is None:
            return None
        sides = [
            (_inside_text(number, cell), densities[0].restricted(*cell).total(), densities[1].restricted(*cell).total())
            for cell in _cells(densities[0], densities[1])
        ]
        positive = [part for part in sides if part[1] > 0 and part[2] > 0 and part[1] > part[2]]
        if positive:
            parts.append(max(positive, key=lambda part: (part[1] / part[2]).mid()))
    parts.sort(key=lambda part: -(part[1] / part[2]).mid())
    p1, p2 = arb(1), arb(1)
    chosen = []
    for text, q1, q2 in parts:
        if (p1 * q1).lower() > _RARE:
            p1, p2 = p1 * q1, p2 * q2
            chosen.append(text)
    return _event(" and ".join(chosen), p1, p2) if chosen else None


def _rank(event: NumberEvent, claimed: float) -> tuple[bool, bool, float, float]:
    enough = event.p1.low >= _LEAST and exceeds(event.loss.low, claimed)
    return enough, event.p1.low >= _LIKELY, event.loss.low, event.p1.low


def numbers_of(law: FormLaw) -> list[NumberPlace]:
    """Coordinates that stand alone in the output, and where."""
    if any(a != (1 if i == j else 0) for i, row in enumerate(law.inverse) for j, a in enumerate(row)):
        return []
    found: dict[int, NumberPlace] = {}

    def visit(template: Any, path: tuple[Any, ...], text: str) -> None:
        if isinstance(template, Slot):
            combination = law.form.numbers[template.number]
            alone = [i for i, a in enumerate(combination.coefficients) if a != 0]
            if len(alone) == 1 and combination.coefficients[alone[0]] == ONE and combination.constant == 0:
                found.setdefault(alone[0], NumberPlace(alone[0], path, text))
        elif isinstance(template, ArrayOf) and len(template.shape) == 1:
            visit(list(template.items), path, text)
        elif isinstance(template, list | tuple | dict):
            items = template.items() if isinstance(template, dict) else enumerate(template)
            for index, item in items:
                visit(item, (*path, index), f"{text}[{index!r}]")

    visit(law.form.template, (), "output")
    return list(found.values())


def marginal(law: FormLaw | None, coordinate: int) -> Piecewise | None:
    """The density of one coordinate, the others being anything; None where it has no closed form."""
    if law is None:
        return NOWHERE
    total: Piecewise | None = None
    for term in law.terms:
        function = term.functions[coordinate]
        if term.limits or not isinstance(function, Piecewise) or not term.number > 0:
            return None
        number = term.number
        for index, other in enumerate(term.functions):
            if index != coordinate:
                number = number * other.total()
        weighted = function.times(number)
        total = weighted if total is None else total + weighted
    return total


def _cells(one: Piecewise, other: Piecewise) -> list[Cell]:
    """Half-lines from each cut, and the intervals between neighbouring ones."""
    cuts = union(one.cuts, other.cuts)
    return [*((cut, None) for cut in cuts), *((None, cut) for cut in cuts), *pairwise(cuts)]


def in_event(
    law: Law, key: Hashable, number: NumberPlace, cell: Cell, density: Function, weight: arb | None = None
) -> arb | None:
    """The probability of the event: outputs of this form with the number in the cell, and those of other forms that
    are in it, too. None where that is not known.
    """
    total = density.restricted(*cell).total()
    if weight is not None:
        total = total * weight
    own = law.get(key)
    for other_key, other in law.items():
        if other_key == key:
            continue
        found = _holds(other, number, cell, None if own is None else own.form.template)
        if found is None:
            return None
        total += other.probability() if found else arb(0)
    return total


def _holds(other: FormLaw, number: NumberPlace, cell: Cell, template: Any) -> bool | None:
    """Whether outputs of another form are in the event: all of them, none, or None for some or unknown."""
    found = other.form.template
    if not number.path:
        if isinstance(found, Raised | str | list | tuple | dict | None):
            return False
    elif not isinstance(found, list | tuple) or isinstance(template, dict) or template is None:
        return False if isinstance(found, Raised | str | None) else None
    elif _asks_for_constants(template) and (len(found) != len(template) or _differ(found, template)):
        return False
    for index in number.path:
        if not isinstance(found, list | tuple):
            return None
        if index >= len(found):
            return False
        found = found[index]
    # A constant at that place is in all outputs of the form.
    unknown = any(term.limits for term in other.terms)
    if unknown or not isinstance(found, bool | int | float) or not math.isfinite(found):
        return None
    value, (low, high) = rational(found), cell
    return (low is None or value >= low) and (high is None or value < high)


def _differ(found: Sequence[Any], template: Sequence[Any]) -> bool:
    """Whether some constant that the event asks for is another one, or noise, in all outputs of the other form."""
    return any(
        isinstance(wanted, bool | int | float | str) and (isinstance(have, Slot) or (_plain(have) and have != wanted))
        for have, wanted in zip(found, template, strict=True)
    )


def _plain(value: Any) -> bool:
    return isinstance(value, bool | int | float | str)


def _event(text: str, p1: arb, p2: arb) -> NumberEvent:
    bounds = probability_bounds(p1)
    if p2.is_zero():
        return NumberEvent(text, bounds, Bounds(0.0, 0.0), Bounds(math.inf, math.inf), Impossible(bounds))
    ratio = (p1 / p2).log()
    return NumberEvent(text, bounds, probability_bounds(p2), Bounds(below(ratio), above(ratio)))


def _asks_for_constants(template: Any) -> bool:
    """Whether an event on outputs of this form asks for their length and constants, too, and not for a number alone."""
    return isinstance(template, list | tuple) and any(map(_plain, template))


def text_of(form: Form, number: NumberPlace, cell: Cell) -> str:
    """The event in Python, with the constants that tell the form from others."""
    inside, template = _inside_text(number, cell), form.template
    if not _asks_for_constants(template):
        return inside
    constants = [f"output[{index}] == {item!r}" for index, item in enumerate(template) if _plain(item)]
    return " and ".join([f"len(output) == {len(template)}", *constants, inside])


def _inside_text(number: NumberPlace, cell: Cell) -> str:
    """That the number is in the cell, in Python."""
    low, high = ("" if end is None else repr(int(end.p) / int(end.q)) for end in cell)
    if low and high:
        return f"{low} <= {number.text} < {high}"
    return f"{number.text} >= {low}" if low else f"{number.text} < {high}"
