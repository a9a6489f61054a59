"""A rough model where draws are hidden: every number of the output has noise of its own, of a place and width seen.

It is good for a choice of pairs and thresholds, which runs of the function are bet on, and for nothing else.
"""

from __future__ import annotations

import numpy as np

from dplint.audit.models.learning import NUMBERS, Model, Refused
from dplint.runner.client import Trace

RUNS = 60
"""Runs of a data value from which places and widths are estimated."""
_DISTINCT = 5
"""So many values a number has to take, for noise to be in it and no choice."""


def estimated(trace: Trace) -> Model | Refused:
    """Laplace noise around the median of each number that varies, with the mean distance from there as its scale."""
    if len(trace.batch.groups) != 1:
        return Refused("the form of the output varies")
    (group,) = trace.batch.groups
    numbers = np.isin(group.kinds, NUMBERS).all(axis=0) & np.isfinite(group.values).all(axis=0)
    varies = numbers & (group.values != group.values[0]).any(axis=0)
    noisy = [leaf for leaf in np.flatnonzero(varies).tolist() if len(np.unique(group.values[:, leaf])) >= _DISTINCT]
    if not noisy:
        return Refused("no number in the output looks like noise")
    centre = np.where(numbers, np.median(group.values, axis=0), np.nan)
    jacobian = np.zeros((len(centre), len(noisy)))
    for draw, leaf in enumerate(noisy):
        jacobian[leaf, draw] = np.abs(group.values[:, leaf] - centre[leaf]).mean()
    known = (numbers & ~varies).nonzero()[0].tolist()
    return Model(
        skeleton=group.skeleton,
        centre=centre,
        jacobian=jacobian,
        laws=("laplace",) * len(noisy),
        others={},
        unknown=frozenset(range(len(centre))) - frozenset([*noisy, *known]),
        estimated=True,
    )
