"""Two laws made comparable, so that every output is in one form, the same in both.

- Outputs of discrete noise that are equal although they come about in different forms: `max(0, q + k)` with a geometric
  k is 0 on one path, and k plus something on another, which may be 0, too. Nobody who sees the output tells these
  apart, so that their probabilities are added up.
- Forms that differ by no more than the rounding of floats: noise is a real number here, or a whole one, and sums of it
  are exact; constants are the floats that Python has. `0.1 + 0.2` and `0.3` are then two outputs, of which one may be
  impossible on D2, although in exact arithmetic both are one. Where that may be so, the comparison is refused: it would
  refute what holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, TypeAlias

from flint import fmpq

from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.lattices import point_mass
from dplint.readings.exact.laws import FormLaw, Term, law_key
from dplint.readings.exact.outputs import Combination, Slot, form_with, numbers_in
from dplint.readings.exact.terms import ONE, ZERO, rational
from dplint.readings.exact.weights import direction

Law: TypeAlias = Mapping[Hashable, FormLaw]
_Row: TypeAlias = list[fmpq]
_NEAR = fmpq(1, 2**40)
"""Broken numbers are one, as far as rounding goes, if they differ by no more than this share of their size, or of 1."""
_NEAR_PHASE = fmpq(1, 2**30)
"""The same of what whole numbers are moved by, in steps of theirs: outputs are some hundred or thousand steps away."""
_WORDS = "outputs that differ by the rounding of floats alone"


def aligned(one: Law, other: Law) -> tuple[Law, Law]:
    """The laws. Raises NotFollowed where outputs may be equal, or differ by the rounding of floats alone."""
    require_no_rounding(one, other)
    one, other = without_coincidences(one, other)
    _require_same_coordinates(one, other)
    return one, other


def require_no_rounding(one: Law, other: Law) -> None:
    """Raises NotFollowed if forms of these laws may be one but for the rounding of floats."""
    if set(one) == set(other) and len(one) == 1:
        return
    alike: dict[Hashable, tuple[list[_Row], list[_Row]]] = defaultdict(lambda: ([], []))
    for key in {**one, **other}:
        law = one[key] if key in one else other[key]
        kind, numbers, phases = _described(law)
        alike[kind][0].append(numbers)
        alike[kind][1].append(phases)
    for numbers_of_forms, phases_of_forms in alike.values():
        if any(map(_some_near, zip(*numbers_of_forms, strict=True))):
            raise NotFollowed(_WORDS)
        if any(map(_some_phases_near, zip(*phases_of_forms, strict=True))):
            raise NotFollowed(_WORDS)


def _described(law: FormLaw) -> tuple[Hashable, _Row, _Row]:
    """What of a form is no number, its numbers, and its phases."""
    pattern, items = numbers_in(law.form.template)
    slots = tuple(item.number if isinstance(item, Slot) else None for item in items)
    numbers = [rational(item) for item in items if not isinstance(item, Slot)]
    for combination in law.form.numbers:
        numbers += [*combination.coefficients, combination.constant]
    numbers += [entry for row in law.inverse for entry in row]
    phases = [phase for phase in law.grid if phase is not None]
    on_grid = tuple(phase is not None for phase in law.grid)
    return (pattern, slots, len(law.form.numbers), on_grid), numbers, phases


def _some_near(values: Sequence[Any]) -> bool:
    """Whether some of them are different, but only by rounding. Whole numbers are what they are."""
    return any(
        0 < high - low <= _NEAR * max(ONE, abs(low), abs(high)) and not (low.q == 1 and high.q == 1)
        for low, high in pairwise(sorted(values))
    )


def _some_phases_near(values: Sequence[fmpq]) -> bool:
    """The same of phases, of which 0 is next to 1."""
    ordered = sorted(values)
    return any(0 < high - low <= _NEAR_PHASE for low, high in pairwise([*ordered, ordered[0] + 1]))


@dataclass(frozen=True, slots=True, eq=False)
class _Member:
    """A form of one of the laws. items: its numbers and slots, in order."""

    side: int
    key: Hashable
    law: FormLaw
    items: tuple[Any, ...]

    @property
    def discrete(self) -> bool:
        return any(phase is not None for phase in self.law.grid)


def without_coincidences(one: Law, other: Law) -> tuple[Law, Law]:
    """The laws, with forms that may have outputs in common made one form. Raises NotFollowed where that is not done."""
    if not any(phase is not None for law in (one, other) for form in law.values() for phase in form.grid):
        return one, other
    groups: dict[Hashable, list[_Member]] = defaultdict(list)
    for side, law in enumerate((one, other)):
        for key, form in law.items():
            pattern, items = numbers_in(form.form.template)
            groups[pattern].append(_Member(side, key, form, tuple(items)))
    found: tuple[dict[Hashable, FormLaw], dict[Hashable, FormLaw]] = ({}, {})
    for members in groups.values():
        alone = len({member.key for member in members}) == 1 or not any(member.discrete for member in members)
        for side, key, form in ((m.side, m.key, m.law) for m in members) if alone else _joined(members):
            if key in found[side]:
                found[side][key].terms.extend(form.terms)
            else:
                found[side][key] = replace(form, terms=list(form.terms))
    return found


def _joined(members: Sequence[_Member]) -> Iterator[tuple[int, Hashable, FormLaw]]:
    """The forms of one pattern with a slot wherever one of them has a whole number."""
    widths: dict[int, fmpq] = {}
    for member in members:
        if member.discrete:
            _require_plain(member)
            for place, item in enumerate(member.items):
                if isinstance(item, Slot):
                    width = member.law.inverse[item.number][item.number]
                    if widths.setdefault(place, width) != width:
                        raise NotFollowed("outputs of whole numbers and of their multiples on another path")
    for member in members:
        if member.law.size and not member.discrete:
            yield member.side, member.key, member.law
        else:
            yield member.side, *_with_slots(member, widths)


def _require_plain(member: _Member) -> None:
    """All numbers of the form are whole ones, independent of each other."""
    size = member.law.size
    identity = all(
        one.constant == 0 and all(a == (ONE if i == j else ZERO) for j, a in enumerate(one.coefficients))
        for i, one in enumerate(member.law.form.numbers)
    )
    diagonal = all(a == 0 for i, row in enumerate(member.law.inverse) for j, a in enumerate(row) if i != j)
    if len(member.law.form.numbers) != size or not identity or not diagonal or None in member.law.grid:
        raise NotFollowed("outputs of discrete noise that may be equal on several paths")


def _with_slots(member: _Member, widths: Mapping[int, fmpq]) -> tuple[Hashable, FormLaw]:
    """The same form with slots at these places; a constant there is a whole number that is certain."""
    places = sorted(widths)
    form = form_with(member.law.form.template, places, _identity(len(places)))
    inverse = tuple(
        tuple(widths[place] if i == j else ZERO for j in range(len(places))) for i, place in enumerate(places)
    )
    moved = {item.number: places.index(place) for place, item in enumerate(member.items) if isinstance(item, Slot)}
    terms = []
    for term in member.law.terms:
        functions = [
            term.functions[item.number] if isinstance(item, Slot) else point_mass(rational(item) / widths[place])
            for place, item in enumerate(member.items)
            if place in widths
        ]
        limits = {direction((moved[i], a) for i, a in one): bounds for one, bounds in term.limits.items()}
        terms.append(Term(term.number, tuple(functions), limits))
    law = FormLaw(form, inverse, terms)
    return law_key(law.form, inverse, terms[0].functions), law


def _identity(size: int) -> tuple[Combination, ...]:
    return tuple(Combination(tuple(ONE if i == j else ZERO for j in range(size)), ZERO) for i in range(size))


def _require_same_coordinates(one: Law, other: Law) -> None:
    """Outputs of one form are described by the same coordinates on all paths of both laws, else nothing compares them:
    a density in other coordinates is no other output.
    """
    inverses: dict[Hashable, set[Hashable]] = defaultdict(set)
    for law in (one, other):
        for key, form in law.items():
            if form.size and isinstance(key, tuple):
                inverses[form.form.key].add(key[1])
    if any(len(keys) > 1 for keys in inverses.values()):
        raise NotFollowed("outputs that are made of several draws, in another way on another path")
