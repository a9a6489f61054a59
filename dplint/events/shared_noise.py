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
    ranks = np.array([_ranks(row) for row in numbers])
    norms = np.sqrt((ranks**2).sum(axis=1))
    norms[norms == 0] = np.inf
    ranks /= norms[:, None]
    return np.asarray(ranks @ ranks.T)


def _ranks(numbers: Floats) -> Floats:
    """Ranks with mean 0, the same for equal numbers; 0 for what is no number, and if there are too few."""
    found, known = np.zeros(len(numbers)), ~np.isnan(numbers)
    if np.count_nonzero(known) >= _LEAST:
        _, places, counts = np.unique(numbers[known], return_inverse=True, return_counts=True)
        ranks = (np.cumsum(counts) - counts / 2)[places]
        found[known] = ranks - ranks.mean()
    return found
