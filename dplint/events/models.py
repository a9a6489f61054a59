"""Boosted stumps and logistic regression, as weights that can be written down.

What they learn from comes in cells, and often in few ways, which is most of why they are quick.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from dplint.events.columns import Floats, Mask
from dplint.events.grids import Cells

Truth = npt.NDArray[np.int32]
_STEPS, _RATE = 40, 0.5
"""Stumps, and the share of what each says that is believed."""
_PENALTY = 20.0
_LEAST = 50
"""Outputs on either side of a stump at least, where each output counts for itself."""
_CURVATURE = 0.25
"""The second derivative of the loss of an output is nowhere larger, and not much smaller while scores are small."""
_NEWTON, _HALVINGS, _EXACT = 25, 20, 1e-6
_MOST_CODED = 40
"""Conditions that are numbered together as the bits of an integer."""


@contextmanager
def quietly() -> Iterator[None]:
    """One thread: several audits share the cores, and threads that wait for each other lose more than they win."""
    with threadpool_limits(1):
        yield


def boosted(cells: Sequence[Cells], truth: Truth, weights: Floats | None = None) -> list[tuple[float, int, int]]:
    """Boosted stumps as jumps (size, feature, cell), the largest first: the logit is the sum of the jumps reached.

    cells: for each feature those of all outputs, shape (outputs,), in order. weights: how often each output came, if
    they come in few ways.
    """
    counted = np.ones(len(truth)) if weights is None else weights
    binned = _Binned(cells)
    outputs = binned.from_cell(counted)
    least = _LEAST if weights is None else 1
    allowed = (outputs >= least) & (outputs[:, :1] - outputs >= least)
    penalised = _CURVATURE * outputs + _PENALTY, _CURVATURE * (outputs[:, :1] - outputs) + _PENALTY
    ones = float(counted @ truth)
    score = np.full(len(truth), math.log(max(ones, 1.0) / max(counted.sum() - ones, 1.0)))
    jumps = defaultdict[tuple[int, int], float](float)
    for _ in range(_STEPS if allowed.any() else 0):
        above = binned.from_cell((_share(score) - truth) * counted)
        below = above[:, :1] - above
        gains = np.where(allowed, above**2 / penalised[0] + below**2 / penalised[1], -np.inf)
        feature, cell = divmod(int(gains.argmax()), gains.shape[1])
        up, down = (
            -_RATE * float(sums[feature, cell] / divided[feature, cell])
            for sums, divided in zip((above, below), penalised, strict=True)
        )
        if up == down:
            break
        score += np.where(cells[feature] >= cell, up, down)
        jumps[feature, cell] += up - down
    found = [(size, feature, cell) for (feature, cell), size in jumps.items() if size]
    return sorted(found, key=lambda jump: (-abs(jump[0]), jump[1:]))


class _Binned:
    """The cells of all features. Two features at a time are numbered in one: adding up takes most of the time."""

    def __init__(self, cells: Sequence[Cells]) -> None:
        self._sizes = [int(own.max()) + 1 for own in cells]
        self._most = max(self._sizes)
        self._together = []
        for first in range(0, len(cells), 2):
            two = cells[first : first + 2]
            numbers = two[0].astype(np.intp)
            if len(two) == 2:
                numbers *= self._sizes[first + 1]
                numbers += two[1]
            self._together.append(numbers)

    def from_cell(self, amounts: Floats) -> Floats:
        """For each feature and cell the sum of the amounts of outputs in this cell or a later one."""
        found = np.zeros((len(self._sizes), self._most))
        for place, numbers in enumerate(self._together):
            sizes = self._sizes[2 * place : 2 * place + 2]
            sums = np.bincount(numbers, amounts, math.prod(sizes))
            if len(sizes) == 2:
                sums = sums.reshape(sizes)
                found[2 * place + 1, : sizes[1]] = sums.sum(axis=0)
                sums = sums.sum(axis=1)
            found[2 * place, : sizes[0]] = sums
        return np.asarray(found[:, ::-1].cumsum(axis=1)[:, ::-1])


@dataclass(frozen=True)
class Observed:
    """What a logistic regression is fitted to: the ways in which outputs come, shape (ways, columns), how many outputs
    come so, and how many of them on the side that is sought.
    """

    ways: Floats
    counts: Floats
    ones: Floats

    @classmethod
    def of(cls, columns: Sequence[Floats] | Sequence[Mask], truth: Truth) -> Observed:
        """These columns of all outputs."""
        if len(columns) > _MOST_CODED or any(column.dtype != np.bool_ for column in columns):
            return cls(np.array(columns, np.float64).T, np.ones(len(truth)), truth.astype(np.float64))
        codes = np.zeros(len(truth), np.int64)
        for column in columns:
            codes *= 2
            codes += column.view(np.uint8)
        # With the truth for a last bit, so that sorting the numbers is all there is to do.
        codes, counts = np.unique(2 * codes + truth, return_counts=True)
        ways, place = np.unique(codes >> 1, return_inverse=True)
        bits = (ways[:, None] >> np.arange(len(columns) - 1, -1, -1)) & 1
        every, ones = (np.bincount(place, each, len(ways)) for each in (counts, counts * (codes & 1)))
        return cls(bits.astype(np.float64), every.astype(np.float64), ones.astype(np.float64))

    @cached_property
    def centred(self) -> Floats:
        """The ways without the mean of each column."""
        return np.asarray(self.ways - self.counts @ self.ways / self.counts.sum())

    def only(self, columns: npt.NDArray[np.intp]) -> Observed:
        """With these columns alone."""
        return Observed(self.ways[:, columns], self.counts, self.ones)


def fitted(observed: Observed) -> tuple[Floats, Floats]:
    """The weights of a logistic regression with the penalty |w|^2 / 2, and how many standard errors each is from 0."""
    matrix = np.column_stack([observed.centred, np.ones(len(observed.counts))])
    penalty = np.ones(matrix.shape[1])
    penalty[-1] = 0.0

    def loss(weights: Floats) -> float:
        scores = matrix @ weights
        each = observed.counts * np.logaddexp(0.0, scores) - observed.ones * scores
        return float(each.sum() + penalty @ weights**2 / 2)

    weights = np.zeros(matrix.shape[1])
    least = loss(weights)
    for _ in range(_NEWTON):
        shares = _share(matrix @ weights)
        gradient = matrix.T @ (observed.counts * shares - observed.ones) + penalty * weights
        information = _information(matrix, observed.counts * shares * (1 - shares), penalty)
        step = np.linalg.solve(information, gradient)
        for _ in range(_HALVINGS):
            if (tried := loss(weights - step)) <= least:
                break
            step = step / 2
        else:
            break
        weights, before, least = weights - step, least, tried
        if before - least <= _EXACT * before:
            break
    shares = _share(matrix @ weights)
    information = _information(matrix, observed.counts * shares * (1 - shares), penalty)[:-1, :-1]
    weights = weights[:-1]
    return weights, np.abs(weights) / np.sqrt(np.diag(np.linalg.inv(information)))


def _information(matrix: Floats, variances: Floats, penalty: Floats) -> Floats:
    """The second derivatives of the loss; a little more for the constant, which is in no penalty."""
    return np.asarray(matrix.T @ (matrix * variances[:, None]) + np.diag(np.maximum(penalty, 1e-9)))


def _share(scores: Floats) -> Floats:
    """The probability that a score stands for."""
    return np.asarray(1 / (1 + np.exp(np.minimum(-scores, 700.0))))
