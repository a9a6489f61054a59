"""Earlier runs of one pair, which better events are proposed from: half of them to search, half to compare.

What is found on runs looks better on them than it is. So every event is scored on runs that took no part in finding
it; and even then it is only proposed, to be tested on runs that come later.

Choosing features, thresholds and products from a few runs: the candidate events of Algorithm 3.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithm 3, for all five kinds of output. One
procedure serves them all: a feature with few values is categorical, others are cut at quantiles of the pooled sample.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations, product

import numpy as np
import numpy.typing as npt

from dplint.events.array_values import TableValues
from dplint.events.columns import Column, Mask
from dplint.events.conditions import Event, Feature, joined_column, of_each
from dplint.events.families import families
from dplint.events.families.element import Element
from dplint.events.family import Family
from dplint.events.grids import Grid, NumberAxis, ValueAxis
from dplint.events.layout import layout_of
from dplint.events.sampled import SampledOutputs
from dplint.events.table_values import Rows, Table, pieces_of, rows_of, stack, tables_of, text_numbers
from dplint.events.thresholds import Described
from dplint.runner.batch import Batch, Skeleton
from dplint.runner.texts import TextNumbers

PILOT_RUNS = 500
"""Runs of each data value in which features and thresholds are looked for."""
_CROSSED_VALUES = 5
_CROSSED_NUMBERS = 4
_COARSE = 4
"""Thresholds of a number that is crossed with another one."""


def discover_grids(pilot: Sequence[Batch], noise_free: Sequence[Batch], texts: TextNumbers) -> tuple[Grid, ...]:
    """The grids to count; `pilot`, `noise_free` as for `sample_of`. How numbers are stored is not asked."""
    return grids_of(sample_of(pilot, noise_free, texts))


def sample_of(
    pilot: Sequence[Batch],
    noise_free: Sequence[Batch],
    texts: TextNumbers,
    *,
    machine: bool = False,
    scales: tuple[float, ...] = (),
) -> SampledOutputs:
    """The runs in which features are looked for.

    `pilot`: outputs of every data value, of which the first 500 are looked at; `noise_free`: one of each, may be empty.
    machine: whether it is asked how numbers are stored, too. scales: of noise by the book, for these questions.
    """
    few = tables_of(pilot, texts, PILOT_RUNS)
    return SampledOutputs(few, tables_of(noise_free, texts, 1), texts, machine, scales)


def grids_of(sample: SampledOutputs) -> tuple[Grid, ...]:
    """The grids to count, of the features that these runs show."""
    found = [feature.describe(sample) for feature in features_of(sample)]
    described = [item for item in found if item is not None]
    joint = (feature.describe(sample) for family in families() for feature in family.joint(described, sample))
    return (*_single(described), *_crossed(described), *_single([item for item in joint if item is not None]))


def features_of(sample: SampledOutputs) -> Iterator[Family]:
    """The features that such outputs have, whether they vary or not."""
    for part in sample.parts():
        for family in families():
            if sample.machine or not family.OF_MACHINES:
                yield from (_known(feature, feature.spelled) for feature in family.found(part))


@lru_cache(maxsize=1 << 11)
def _known(feature: Family, spelled: str) -> Family:  # noqa: ARG001 - True and 1 are equal and spelled differently
    """The first feature that was equal to this one: what it has worked out need not be worked out again."""
    return feature


def _single(described: Sequence[Described]) -> Iterator[Grid]:
    for item in described:
        for axis in item.axes:
            yield Grid((axis,))


def _crossed(described: Sequence[Described]) -> Iterator[Grid]:
    """Products of two conditions: a categorical with a numeric one, and two categorical ones."""
    values = [item.values for item in described if item.values is not None and item.categorical]
    numbers = [item.numbers for item in described if item.numbers is not None and not item.categorical]
    values = sorted(values, key=_eagerness)[:_CROSSED_VALUES]
    numbers = sorted(numbers, key=_eagerness)[:_CROSSED_NUMBERS]
    pairs: list[tuple[ValueAxis, ValueAxis | NumberAxis]] = [*product(values, numbers), *combinations(values, 2)]
    for first, second in pairs:
        if first.feature.place.steps != second.feature.place.steps or type(first.feature) is not type(second.feature):
            yield Grid((first, second))
    yield from _two_numbers(described)


def _two_numbers(described: Sequence[Described]) -> Iterator[Grid]:
    """Products of conditions on two numbers of the output, with fewer thresholds than for each alone."""
    elements = [item.numbers for item in described if item.numbers is not None and isinstance(item.feature, Element)]
    inner = [axis for axis in elements if axis.feature.place.steps[-1:] != (-1,)]
    for first, second in combinations([_coarse(axis) for axis in inner[:_CROSSED_NUMBERS]], 2):
        yield Grid((first, second))


def _coarse(axis: NumberAxis) -> NumberAxis:
    """The axis with at most so many thresholds, evenly among its own, without those at the ends."""
    cuts = axis.thresholds
    if len(cuts) <= _COARSE:
        return axis
    kept = (cuts[round((i + 1) * (len(cuts) - 1) / (_COARSE + 1))] for i in range(_COARSE))
    return NumberAxis(axis.feature, tuple(dict.fromkeys(kept)))


def _eagerness(axis: ValueAxis | NumberAxis) -> tuple[int, int, str]:
    """Which axes to cross first: those of the first rank, then of places with few steps."""
    feature = axis.feature
    return feature.rank, len(feature.place.steps), feature.expression


_MOST = 100
"""Features that are looked at; the first ones count."""


def candidates(tables: Sequence[Table], texts: TextNumbers) -> list[Described]:
    """Features of the outputs in these tables that vary, with their axes; at most `_MOST`."""
    sample = SampledOutputs(tables, (), texts)
    plain = [feature for feature in features_of(sample) if feature.REFINED]
    derived = (feature for family in families() for feature in family.derived(plain, sample))
    described: list[Described] = []
    seen: set[tuple[bytes, bytes]] = set()
    for feature in (*plain, *derived):
        if len(described) == _MOST:
            break
        column = sample.pooled(feature)
        same = (column.classes.tobytes(), column.values.tobytes())
        if same in seen:
            continue  # the last of five is the fifth
        seen.add(same)
        found = feature.describe(sample)
        if found is not None:
            described.append(found)
    return described


Counts = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Criterion = Callable[[Counts, Counts, int], Floats]
"""How good events are: (hits on the first data value, on the second, runs of each) -> scores, all of one shape.

Higher is better; an event with a score of 0 or less is not worth proposing. Should be cautious about small counts.
"""
_LOOKED_AT = 2_000
"""Runs of each data value in which features and their guards are looked for."""


def cautiously(criterion: Criterion) -> Criterion:
    """The criterion for choosing among thousands of events: half a standard error fewer hits on D1, and more on D2.

    The best of many is mostly one that was lucky, and rare events are so most easily.
    """

    def score(count1: Counts, count2: Counts, runs: int) -> Floats:
        low = np.maximum(count1 - 0.5 * np.sqrt(count1 + 1.0), 0.0).astype(np.int64)
        high = np.minimum(np.ceil(count2 + 0.5 * np.sqrt(count2 + 1.0)), runs).astype(np.int64)
        return criterion(low, high, runs)

    return score


@dataclass(frozen=True)
class Suggestion:
    """An event with its hits among so many runs of each data value, none of which was used to find it."""

    event: Event
    score: float
    count1: int
    count2: int
    runs: int


@dataclass(frozen=True)
class Sample:
    """Some runs of both data values, which are number 0 and 1 in the tables."""

    tables: tuple[Table, ...]
    texts: TextNumbers

    @cached_property
    def sides(self) -> npt.NDArray[np.int32]:
        """The data value of each output, table by table."""
        return np.concatenate([table.sides for table in self.tables])

    @cached_property
    def values(self) -> tuple[TableValues, ...]:
        """The outputs, table by table, with what has been evaluated on them."""
        return tuple(TableValues(table, self.texts) for table in self.tables)

    def masks(self, events: Sequence[Event]) -> list[Mask]:
        """Where each event holds, shape (outputs,)."""
        return [of_each(event.mask, self.values) for event in events]

    def pooled(self, feature: Feature) -> Column:
        """The values of a feature on all outputs, table by table, written out for each."""
        return joined_column(feature, self.values)

    def about(self, share: float) -> Sample:
        """About a share of the outputs of every shape, at least one."""
        return Sample(tuple(_rows(table, max(1, round(1 / share))) for table in self.tables), self.texts)


@dataclass(frozen=True)
class Half(Sample):
    """Exactly `runs` runs of each data value."""

    runs: int

    def counts(self, masks: Sequence[Mask]) -> tuple[Counts, Counts]:
        """How often masks hold for D1 and for D2; shape (masks,) each."""
        hits = np.array([np.bincount(self.sides[mask], minlength=2) for mask in masks], np.int64)
        return hits[:, 0], hits[:, 1]


class SplitRuns:
    """Runs of one pair, split into two halves by a fixed rule that has nothing to do with what they returned.

    batches1, batches2: outputs on D1 and D2. Of the side with more runs, and of both beyond `most` each, only a share
    is used. ValueError if a side has fewer than two runs.
    """

    def __init__(
        self, batches1: Sequence[Batch], batches2: Sequence[Batch], texts: TextNumbers, most: int = 100_000
    ) -> None:
        self.texts = texts
        count = min(sum(b.runs for b in batches1), sum(b.runs for b in batches2), most) // 2
        if count < 1:
            raise ValueError("better events cannot be looked for in less than two runs of each data value")
        pieces: tuple[dict[Skeleton, list[Rows]], ...] = ({}, {})
        for side, batches in enumerate((batches1, batches2)):
            _deal(batches, side, count, texts, pieces)
        self.search, self.held_out = (Half(_tables(found), texts, count) for found in pieces)

    @cached_property
    def look(self) -> Sample:
        """A few of the outputs that are searched."""
        return self.search.about(min(1.0, _LOOKED_AT / self.search.runs))

    @cached_property
    def described(self) -> tuple[Described, ...]:
        """What better events may be made of: features with their axes."""
        return tuple(candidates(self.look.tables, self.texts))

    def suggestions(self, events: Sequence[Event], criterion: Criterion, *, most: int) -> list[Suggestion]:
        """The best of some events by the runs that are held out, best first; of equal ones only the simplest."""
        ordered = sorted(dict.fromkeys(events), key=lambda event: event.complexity)
        masks = self.held_out.masks(ordered)
        distinct = {mask.tobytes(): number for number, mask in reversed(list(enumerate(masks)))}
        kept = [ordered[number] for number in sorted(distinct.values())]
        if not kept:
            return []
        first, second = self.held_out.counts(self.held_out.masks(kept))
        scores = criterion(first, second, self.held_out.runs)
        found = [
            Suggestion(event, float(score), int(one), int(two), self.held_out.runs)
            for event, score, one, two in zip(kept, scores, first, second, strict=True)
            if score > 0
        ]
        return sorted(found, key=lambda suggestion: -suggestion.score)[:most]


def _deal(
    batches: Sequence[Batch], side: int, count: int, texts: TextNumbers, pieces: tuple[dict[Skeleton, list[Rows]], ...]
) -> None:
    """Give every other run to either half, `count` each, spread evenly over all runs and so over all shapes.

    Runs are exchangeable, but those on lanes are numbered shape by shape: the first would be of one shape only.
    """
    total = sum(batch.runs for batch in batches)
    chosen = (np.arange(2 * count) * total) // (2 * count)
    start = 0
    for batch in batches:
        numbers = text_numbers(batch, texts)
        for group in batch.groups:
            rows = rows_of(group, side, numbers)
            low, high = np.searchsorted(chosen, (start, start + rows.size))
            for half, found in enumerate(pieces):
                # Position 2k of those chosen goes to the first half, 2k + 1 to the second.
                mine = chosen[low + (low + half) % 2 : high : 2] - start
                if len(mine):
                    kept = Rows(side, rows.kinds[:, mine], rows.values[:, mine])
                    found.setdefault(group.skeleton, []).append(kept)
            start += rows.size


def _tables(found: Mapping[Skeleton, list[Rows]]) -> tuple[Table, ...]:
    return tuple(stack(layout_of(skeleton), pieces) for skeleton, pieces in found.items())


def _rows(table: Table, step: int) -> Table:
    rows = slice(None, None, step)
    classes = table.classes if table.classes.shape[1] == 1 else table.classes[:, rows]
    return Table(table.layout, table.kinds[:, rows], classes, table.values[:, rows], pieces_of(table.sides[rows]))
