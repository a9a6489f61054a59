"""Numbers in the output that share their noise: their differences or sums show more than each of them.

Noise that is drawn once and added to two answers is gone from their difference. Within the runs of one data value such
numbers are correlated, where independent noise leaves them uncorrelated.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from dplint.events.columns import Column, Floats, ValueClass
from dplint.events.features import Feature
from dplint.events.sampled import SampledOutputs

_MOST = 16
"""Numbers of an output that are compared with each other; of more, the first ones."""
_MOST_PAIRS = 6
_CORRELATED = 0.25
"""Correlation of ranks from which on noise counts as shared; that of 500 independent runs is 0.04 on average."""
_LEAST = 30
"""Runs of a data value in which something must be a number."""
_SIDES = 6
"""Data values whose runs are looked at."""


def sharing(features: Sequence[Feature], sample: SampledOutputs) -> list[tuple[Feature, Feature, float]]:
    """The pairs of these features that share their noise, most clearly first, with their correlation from -1 to 1."""
    kept = features[:_MOST]
    if len(kept) < 2:
        return []
    sides = np.concatenate([table.sides for table in sample.tables])
    numbers = np.array([_numbers(sample.pooled(feature)) for feature in kept])
    strongest = np.zeros((len(kept), len(kept)))
    for side in _few(np.unique(sides).tolist()):
        found = _correlations(numbers[:, sides == side])
        strongest = np.where(np.abs(found) > np.abs(strongest), found, strongest)
    pairs = [
        (kept[one], kept[other], float(strongest[one, other]))
        for one, other in combinations(range(len(kept)), 2)
        if abs(strongest[one, other]) >= _CORRELATED
    ]
    return sorted(pairs, key=lambda pair: -abs(pair[2]))[:_MOST_PAIRS]


def _few(sides: list[int]) -> list[int]:
    """Some of the data values, evenly among all."""
    return sides[:: -(-len(sides) // _SIDES)]


def _numbers(column: Column) -> Floats:
    """The numbers of a column, NaN for what is none."""
    return np.where((column.classes == ValueClass.NUMBER) & np.isfinite(column.values), column.values, np.nan)


def _correlations(numbers: Floats) -> Floats:
    """Rank correlations of the rows, over the runs of one data value; 0 where a row has few numbers or never varies."""
    ranks = _ranks(numbers)
    norms = np.sqrt((ranks**2).sum(axis=1))
    norms[norms == 0] = np.inf
    ranks /= norms[:, None]
    return np.asarray(ranks @ ranks.T)


def _ranks(numbers: Floats) -> Floats:
    """Ranks in each row with mean 0, the same for equal numbers; 0 for what is no number, and if there are too few."""
    order = np.argsort(numbers, axis=1)
    ordered = np.take_along_axis(numbers, order, axis=1)
    places = np.arange(numbers.shape[1])
    # Equal numbers have the middle of the places from the first to the last of them.
    new = np.ones(numbers.shape, np.bool_)
    new[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.maximum.accumulate(np.where(new, places, 0), axis=1)
    ends = np.where(np.roll(new, -1, axis=1), places, places[-1:])
    last = np.minimum.accumulate(ends[:, ::-1], axis=1)[:, ::-1]
    ranks = np.empty(numbers.shape)
    np.put_along_axis(ranks, order, (first + last) / 2, axis=1)
    known = ~np.isnan(numbers)
    many = np.count_nonzero(known, axis=1)
    ranks -= ((many - 1) / 2)[:, None]
    return np.where(known & (many >= _LEAST)[:, None], ranks, 0.0)
