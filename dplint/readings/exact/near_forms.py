"""Forms of outputs that differ by no more than the rounding of floats: nothing is concluded of such laws.

The noise is a real number here, or a whole one, and sums of it are exact; constants are the floats that Python has.
`0.1 + 0.2` and `0.3` are then two outputs, of which one may be impossible on D2, although in exact arithmetic both are
one. Where that may be so, the comparison is refused: it would refute what holds.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from flint import fmpq

from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.laws import FormLaw
from dplint.readings.exact.outputs import Slot, numbers_in
from dplint.readings.exact.terms import ONE, rational

_Law: TypeAlias = Mapping[Hashable, FormLaw]
_Row: TypeAlias = list[fmpq]
_NEAR = fmpq(1, 2**40)
"""Broken numbers are one, as far as rounding goes, if they differ by no more than this share of their size, or of 1."""
_NEAR_PHASE = fmpq(1, 2**30)
"""The same of what whole numbers are moved by, in steps of theirs: outputs are some hundred or thousand steps away."""
_WORDS = "outputs that differ by the rounding of floats alone"


def require_no_rounding(one: _Law, other: _Law) -> None:
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
