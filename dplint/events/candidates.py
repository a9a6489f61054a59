"""What better events may be made of: more features than the grids cross, with the axes that a few runs suggest."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from dplint.events.discover import features_of, is_boolean
from dplint.events.extract import read_pooled, steps_of
from dplint.events.features import Difference, Element, Feature, Hamming, Place, Reaching, Summary, Summed, Whole
from dplint.events.layout import OF_PYTHON, UNORDERED, Steps
from dplint.events.survey import look_at
from dplint.events.tables import Table
from dplint.events.thresholds import Described, cuts_at, describe
from dplint.events.values import Class, Floats, Texts

_MOST = 100
"""Features that are looked at; the first ones count."""
_REACHED = (0.25, 0.5, 0.75)
"""Quantiles of all elements of a sequence, for counting how many reach them."""
_FEW = 24
_USUAL = 0.25


def candidates(tables: Sequence[Table], texts: Texts) -> list[Described]:
    """Features of the outputs in these tables that vary, with their axes; at most `_MOST`."""
    survey = look_at(tables)
    plain = [f for f in features_of(survey, tables, (), texts) if not isinstance(f, Whole | Hamming)]
    described: list[Described] = []
    seen: set[tuple[bytes, bytes]] = set()
    for feature in (*plain, *_reaching(plain, tables), *_differences(plain, tables, texts)):
        if len(described) == _MOST:
            break
        column = read_pooled(feature, tables, texts)
        same = (column.classes.tobytes(), column.values.tobytes())
        if same in seen:
            continue  # the last of five is the fifth
        seen.add(same)
        found = describe(feature, column, (), texts, booleans=is_boolean(feature, tables))
        if found is not None:
            described.append(found)
    return described


def _reaching(features: Sequence[Feature], tables: Sequence[Table]) -> Iterator[Reaching]:
    """Which elements reach a threshold tells more than their sum where noise has long tails."""
    for sequence in numeric_sequences(features):
        for steps in (False, True):
            elements = sequence.elements(tables, steps=steps)
            for cut in cuts_at(elements, _REACHED) if many_values(elements) else ():
                yield sequence.reaching(cut, steps=steps)


@dataclass(frozen=True)
class NumericSequence:
    """A part of the output that is a sequence of numbers, described by the feature that is its sum."""

    total: Summed

    def reaching(self, threshold: float, *, steps: bool) -> Reaching:
        """How many elements, or steps between them, reach a threshold."""
        total = self.total
        return Reaching(total.place, total.guards, total.number_guard, threshold, steps, steps and total.as_floats)

    def values(self, tables: Sequence[Table], *, steps: bool) -> Iterator[tuple[Table, Floats]]:
        """The finite elements or steps of each table in which all elements are so, shape (w, n).

        No steps at all if some outputs are sets, whose elements come in an order of their own.
        """
        found = [(table, part) for table in tables if (part := table.parts.get(self.total.place.steps)) is not None]
        if steps and any(part.type_name in UNORDERED for _, part in found):
            return
        for table, part in found:
            leaves = table.slice(part)
            if part.plain and part.stop > part.start and (leaves.classes == Class.NUMBER).all():
                values = steps_of(leaves.values) if steps else leaves.values
                if np.isfinite(values).all():
                    yield table, values

    def elements(self, tables: Sequence[Table], *, steps: bool) -> Floats:
        """All these values in a row."""
        return np.concatenate([np.zeros(0), *(values.ravel() for _, values in self.values(tables, steps=steps))])


def numeric_sequences(features: Iterable[Feature]) -> list[NumericSequence]:
    """The sequences of numbers among the outputs that these features are of."""
    return [NumericSequence(f) for f in features if isinstance(f, Summed) and f.summary is Summary.SUM]


def _differences(features: Sequence[Feature], tables: Sequence[Table], texts: Texts) -> Iterator[Difference]:
    """Differences of neighbours, which undo running sums, and to the first and the last element, which undo a shift."""
    rows: dict[Steps, list[Element]] = defaultdict(list)
    for feature in features:
        if isinstance(feature, Element) and _indexed(feature.place) and _continuous(feature, tables, texts):
            rows[feature.place.steps[:-1]].append(feature)
    for steps, elements in rows.items():
        ordered = sorted(elements, key=lambda e: _index(e.place))
        inner = [e for e in ordered if _index(e.place) >= 0]
        last = [e for e in ordered if _index(e.place) < 0]
        types = {table.parts[steps].type_name for table in tables if steps in table.parts}
        neighbours = list(zip(inner[1:], inner, strict=False))
        to_first = [(one, inner[0]) for one in [*inner[2:], *last]] if inner else []
        to_last = [(one, end) for end in last for one in inner[1:]]
        for one, other in (*neighbours, *to_first, *to_last):
            # Where an element is, there are the first, the last, and the one before.
            number_guard = " and ".join(guard for guard in (one.number_guard, other.number_guard) if guard)
            yield Difference(one.place, one.guards, number_guard, other.place, not types <= OF_PYTHON)


def _indexed(place: Place) -> bool:
    return bool(place.steps) and isinstance(place.steps[-1], int)


def _index(place: Place) -> int:
    last = place.steps[-1]
    assert isinstance(last, int)
    return last


def _continuous(element: Element, tables: Sequence[Table], texts: Texts) -> bool:
    """Whether the numbers that an element is are many, and none of them usual."""
    column = read_pooled(element, tables, texts)
    return many_values(column.values[column.classes == Class.NUMBER])


def many_values(numbers: Floats) -> bool:
    """Whether numbers are many different ones, of which none is usual: differences of others would tell little."""
    counts = np.unique(numbers, return_counts=True)[1]
    return len(counts) > _FEW and bool(counts.max() <= _USUAL * len(numbers))
