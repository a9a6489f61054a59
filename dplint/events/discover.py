"""Choosing features, thresholds and products from a few runs: the candidate events of Algorithm 3.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, Algorithm 3, for all five kinds of output. One
procedure serves them all: a feature with few values is categorical, others are cut at quantiles of the pooled sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, product

from dplint.events.families import families
from dplint.events.families.element import Element
from dplint.events.family import Family
from dplint.events.grids import Grid, NumberAxis, ValueAxis
from dplint.events.sampled import SampledOutputs
from dplint.events.tables import tables_of
from dplint.events.thresholds import Described
from dplint.runner.batch import Batch
from dplint.runner.texts import TextNumbers

PILOT_RUNS = 500
"""Runs of each data value in which features and thresholds are looked for."""
_CROSSED_VALUES = 5
_CROSSED_NUMBERS = 4
_COARSE = 4
"""Thresholds of a number that is crossed with another one."""


def discover_grids(
    pilot: Sequence[Batch],
    noise_free: Sequence[Batch],
    texts: TextNumbers,
    *,
    machine: bool = False,
    scales: tuple[float, ...] = (),
) -> tuple[Grid, ...]:
    """The grids to count.

    `pilot`: outputs of every data value, of which the first 500 are looked at; `noise_free`: one of each, may be empty.
    machine: whether it is asked how numbers are stored, too. scales: of noise by the book, for these questions.
    """
    return grids_of(sample_of(pilot, noise_free, texts, machine=machine, scales=scales))


def sample_of(
    pilot: Sequence[Batch],
    noise_free: Sequence[Batch],
    texts: TextNumbers,
    *,
    machine: bool = False,
    scales: tuple[float, ...] = (),
) -> SampledOutputs:
    """The runs in which `discover_grids` looks for features."""
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
