"""A picture of outputs as computed: the probabilities of its bars on both sides, and densities to draw as lines."""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from flint import arb, ctx, fmpq

from dplint.audit.exact.pairs import NotComputed, TooLong, compute_pair
from dplint.audit.inputs import Choice
from dplint.audit.session import AuditSession
from dplint.claims import Pair
from dplint.events.charts import labelled
from dplint.events.printed import Measure, PrintedEvent
from dplint.jobs import PictureJob
from dplint.outcomes import Bar, ComputedShares, Distributions
from dplint.program.nodes import Program
from dplint.readings.exact import Limits, Raised
from dplint.readings.exact.events import Law, numbers_of
from dplint.readings.exact.functions import Function, phase_of
from dplint.readings.exact.laws import FormLaw
from dplint.readings.exact.outputs import Slot
from dplint.readings.exact.piecewise import Piecewise
from dplint.readings.exact.rounding import probability_bounds

_SECONDS = 2.0
_PLACES = 4
"""Densities are computed at so many places of each bin, and on either side of each cut."""
_BESIDE = fmpq(1, 10**6)
"""Of the width of a bin: so near to a cut."""
_PART = re.compile(r"(len\()?output(\[(-?\d+|'\w*')\])*\)?")
_WHOLE = re.compile(r"-?\d{1,15}(\.0)?")
_REST = re.compile(r"\d+ others")


def computed_shares(session: AuditSession, job: PictureJob, drawn: Distributions) -> ComputedShares | None:
    """The same picture from the program, without a run; None where that is not known."""
    witness = job.witness
    if not isinstance(job.program, Program) or job.mechanism.claim.pairs is not None:
        return None
    pair, choice = Pair(witness.d1, witness.d2, "a picture", 1), Choice(witness.arguments, ())
    end = time.process_time() + _SECONDS
    try:
        computed = compute_pair(session, job.program, pair, choice, Limits(), end=end)
    except (NotComputed, TooLong):
        return None
    measure = next(one for one in PrintedEvent(witness.event).measures if one.expression == drawn.measure)
    with ctx.workprec(computed.losses.precision):
        one, two = (_side(law, measure) for law in computed.losses.laws)
        if one is None or two is None:
            return None
        numbers = drawn.kind == "numbers"
        if not numbers and any(phase_of(law) != 0 for side in (one, two) for _, law in side.functions):
            return None  # labels are rounded, and one may stand for several noisy numbers, or for none
        return ComputedShares(
            bars=tuple(_of_bins((one, two), drawn) if numbers else _of_labels((one, two), drawn.bars)),
            others=tuple(_of_labels((one, two), drawn.others)),
            line=tuple(_line((one, two), drawn.bars)) if numbers else (),
            certified_by=computed.certified_by,
        )


@dataclass(slots=True)
class _Side:
    """The law of the measure on one side: single values by their labels, and numbers that have a law of their own.

    numbers: of labels that stand for one.
    """

    constants: dict[str, arb] = field(default_factory=dict)
    numbers: dict[str, float] = field(default_factory=dict)
    functions: list[tuple[arb, Function]] = field(default_factory=list)

    def within(self, low: float | None, high: float | None, apart: frozenset[str]) -> arb:
        """The probability of numbers from low to below high; of single ones, of those that do not stand apart."""
        first, last = (None if end is None else fmpq(*end.as_integer_ratio()) for end in (low, high))
        total = sum((weight * one.restricted(first, last).total() for weight, one in self.functions), arb(0))
        for label, number in self.numbers.items():
            if label not in apart and (low is None or number >= low) and (high is None or number < high):
                total += self.constants[label]
        return total

    def labelled(self, label: str) -> arb:
        """The probability of what has this label: a value, or a whole number of a law."""
        total = self.constants.get(label, arb(0))
        if _WHOLE.fullmatch(label):
            place = fmpq(int(float(label)))
            whole = [(weight, one) for weight, one in self.functions if phase_of(one) == 0]
            total += sum((weight * one.at(place) for weight, one in whole), arb(0))
        return total

    def density(self, place: fmpq) -> float:
        """Of noisy numbers."""
        return float(sum((weight * one.at(place) for weight, one in self.functions), arb(0)).mid())


def _side(law: Law, measure: Measure) -> _Side | None:
    """None where the measure of some outputs is not known."""
    found = _Side()
    for form in law.values():
        if any(term.limits for term in form.terms):
            return None
        place = next((one for one in numbers_of(form) if one.text == measure.expression), None)
        if place is not None:
            found.functions += _marginals(form, place.coordinate)
            continue
        value = _constant(form, measure)
        if value is None:
            return None
        label, number = value
        found.constants[label] = found.constants.get(label, arb(0)) + form.probability()
        if math.isfinite(number):
            found.numbers[label] = number
    return found


def _marginals(form: FormLaw, coordinate: int) -> Iterator[tuple[arb, Function]]:
    """Each term as a law of one coordinate, the others being anything."""
    for term in form.terms:
        weight = term.number
        for index, other in enumerate(term.functions):
            if index != coordinate:
                weight = weight * other.total()
        yield weight, term.functions[coordinate]


def _constant(form: FormLaw, measure: Measure) -> tuple[str, float] | None:
    """The label of the measure and its number, NaN if it is none, where all outputs of the form have the same one."""
    template = form.form.template
    if isinstance(template, Raised):
        return f"raises {template.exception}", math.nan
    if form.size == 0:
        return labelled(measure, form.form.output(()))
    # A part of an output that has no noise, or is missing: that is so in all outputs of the form.
    if not _PART.fullmatch(measure.expression) or not _is_followed(template):
        return None
    label, number = labelled(measure, template)
    return None if label.startswith("Slot(") else (label, number)


def _is_followed(template: Any) -> bool:
    """Whether indices find in it what they find in the outputs."""
    if isinstance(template, list | tuple | dict):
        return all(map(_is_followed, template.values() if isinstance(template, dict) else template))
    return template is None or isinstance(template, Slot | bool | int | float | str)


def _of_bins(sides: Sequence[_Side], drawn: Distributions) -> Iterator[tuple[float, float]]:
    """The first and the last bin hold what lies beyond them, too."""
    apart, last = frozenset(bar.label for bar in drawn.others), len(drawn.bars) - 1
    for index, bar in enumerate(drawn.bars):
        low, high = None if index == 0 else bar.low, None if index == last else bar.high
        yield _pair(side.within(low, high, apart) for side in sides)


def _of_labels(sides: Sequence[_Side], bars: Sequence[Bar]) -> Iterator[tuple[float, float]]:
    """Of single values. What a bar of all others holds is not told apart: it is left out, as NaN."""
    for bar in bars:
        if _REST.fullmatch(bar.label):
            yield math.nan, math.nan
        else:
            yield _pair(side.labelled(bar.label) for side in sides)


def _pair(both: Iterable[arb]) -> tuple[float, float]:
    one, two = (probability_bounds(value).middle for value in both)
    return one, two


def _line(sides: Sequence[_Side], bars: Sequence[Bar]) -> Iterator[tuple[float, float, float]]:
    """Places of the picture with the densities there; none where numbers are whole, for they have no density."""
    functions = [one for side in sides for _, one in side.functions]
    ends = [end for bar in bars for end in (bar.low, bar.high) if end is not None]
    if not functions or any(phase_of(one) is not None for one in functions):
        return
    low, high = (fmpq(*end.as_integer_ratio()) for end in (min(ends), max(ends)))
    width = (high - low) / len(bars)
    places = [low + (high - low) * i / (_PLACES * len(bars)) for i in range(_PLACES * len(bars) + 1)]
    cuts = {cut for one in functions if isinstance(one, Piecewise) for cut in one.cuts if low < cut < high}
    inner = [place for place in places if place not in cuts]
    beside = [cut + sign * width * _BESIDE for cut in cuts for sign in (-1, 1)]
    for place in sorted([*inner, *beside]):
        one, two = (side.density(place) for side in sides)
        yield int(place.p) / int(place.q), one, two
