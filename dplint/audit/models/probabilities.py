"""The probability of an event by a model, computed: where each number of the output has one draw of its own, or where
a sum of numbers with normal noise is compared with a threshold.

A number that hangs on one draw is a monotone function of it, however it is rounded and clipped, so that a condition on
it is a range of the draw, found by bisection with the very function. What draws are independent adds up by convolution.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from dplint.audit.models.leaves import leaves_of
from dplint.distributions import Distribution
from dplint.events.conditions import Between, Condition, Event, Feature, ScoreAbove, Slope, Vote
from dplint.runner.batch import Skeleton
from dplint.runner.generators import read_law

Floats = npt.NDArray[np.float64]

_SLACK = 1e-9
"""What the law of floats, functions of SciPy and sums may be off, at most."""
_FAR = 1e12
"""Scales beyond which no draw lies."""
_AT_ONCE, _ROUNDS = 256, 40
"""Places of one step of a bisection, and steps."""
_NARROW = 1e-13
"""Width of a bracket, as a share of where it is."""
_MOST_POINTS = 10_000
"""Sum of the weights of all votes."""


class Affine(Protocol):
    """What is asked of a model: see `learning.Model`."""

    @property
    def skeleton(self) -> Skeleton:
        """The form of all outputs."""

    @property
    def laws(self) -> tuple[str, ...]:
        """Of the draws."""

    @property
    def centre(self) -> Floats:
        """Of each leaf."""

    @property
    def jacobian(self) -> Floats:
        """What a draw moves a leaf by."""

    @property
    def is_affine(self) -> bool:
        """Whether that is all."""

    def outputs(self, leaves: Sequence[int], z: Floats) -> Floats:
        """Those leaves, of draws of shape (draws, runs)."""

    def draws_in(self, leaves: Sequence[int]) -> list[int]:
        """The draws that those leaves hang on."""


Interval: TypeAlias = tuple[float, float]
"""What certainly holds a probability, as far as models have the law of the draws."""


def probability(model: Affine, event: Event) -> Interval | None:
    """The probability of the event by the model, which transforms no draws; None where that takes a simulation."""
    match event.conditions:
        case (ScoreAbove(terms, threshold),) if all(isinstance(term, Slope) for term in terms):
            return _of_sum(model, [term for term in terms if isinstance(term, Slope)], threshold)
        case (ScoreAbove(terms, threshold),):
            return _of_votes(model, [term for term in terms if isinstance(term, Vote)], len(terms), threshold)
        case conditions:
            ranges = [Vote(1, one) for one in conditions if isinstance(one, Between)]
            return _of_votes(model, ranges, len(conditions), len(conditions))


def _of_sum(model: Affine, terms: Sequence[Slope], threshold: float) -> Interval | None:
    """That a sum of numbers is at least a threshold: a normal number."""
    leaves = [_leaf(model, term.feature) for term in terms]
    if not model.is_affine or any(leaf is None or math.isnan(model.centre[leaf]) for leaf in leaves):
        return None
    rows = [leaf for leaf in leaves if leaf is not None]
    weights = np.array([term.weight for term in terms])
    noise = weights @ model.jacobian[rows]
    if {model.laws[draw] for draw in np.flatnonzero(noise).tolist()} != {"normal"}:
        return None
    spread = float(np.linalg.norm(noise))
    size = np.abs(weights) @ np.abs(model.centre[rows]) + abs(threshold) + np.abs(noise).sum()
    place = (threshold - float(weights @ model.centre[rows])) / spread
    width = 1e-12 * float(size) / spread
    tails = [float(ndtr(-place - off)) for off in (width, 0.0, -width)]
    return _around(tails[1], tails[2] - tails[0])


def _of_votes(model: Affine, votes: Sequence[Vote], terms: int, threshold: float) -> Interval | None:
    """That votes of at least a threshold come together."""
    if len(votes) < terms or sum(abs(vote.weight) for vote in votes) > _MOST_POINTS:
        return None
    by_draw: dict[int | None, list[tuple[int, _Condition]]] = {}
    for vote in votes:
        condition = _Condition.of(model, vote.condition)
        if condition is None or vote.weight <= 0:
            return None
        by_draw.setdefault(condition.draw, []).append((vote.weight, condition))
    total, doubt = np.ones(1), 0.0
    for draw, mine in by_draw.items():
        if draw is None:
            points = sum(weight for weight, one in mine if one.holds(np.zeros(1))[0])
            total = np.convolve(total, np.eye(1, points + 1, points)[0])
            continue
        law, parameters = read_law(model.laws[draw])
        if law.law is None:
            return None
        cuts = _Cuts.of(law, (place for _, one in mine for place in one.places(whole=law.is_discrete)))
        shape = {name: parameters[name] for name in law.shape_parameters}
        shares, off = cuts.shares(np.clip(law.law.cdf(cuts.brackets, **shape), 0.0, 1.0))
        votes_at = sum(weight * one.holds(cuts.inside) for weight, one in mine)
        total = np.convolve(total, np.bincount(np.asarray(votes_at, np.int64), shares))
        doubt += off
    if not math.isfinite(doubt) or not np.isfinite(total).all():
        return None
    least = max(0, math.ceil(threshold - 1e-9))
    return _around(float(total[least:].sum()), doubt)


def _around(value: float, width: float) -> Interval:
    return max(0.0, value - width - _SLACK), min(1.0, value + width + _SLACK)


def _leaf(model: Affine, feature: Feature) -> int | None:
    """The number that a feature is, by the name that models give it."""
    return leaves_of(model.skeleton).get(feature)


@dataclass(frozen=True)
class _Condition:
    """That a leaf, which hangs on one draw or none, lies in a range."""

    model: Affine
    leaf: int
    draw: int | None
    low: float
    high: float

    @staticmethod
    def of(model: Affine, condition: Condition) -> _Condition | None:
        """None for others."""
        leaf = _leaf(model, condition.feature) if isinstance(condition, Between) else None
        if leaf is None or not isinstance(condition, Between) or math.isnan(model.centre[leaf]):
            return None
        draws = model.draws_in([leaf])
        if len(draws) > 1:
            return None
        return _Condition(model, leaf, draws[0] if draws else None, condition.low, condition.high)

    def values(self, places: Floats) -> Floats:
        """The leaf where the draw is there."""
        z = np.zeros((len(self.model.laws), len(places)))
        if self.draw is not None:
            z[self.draw] = places
        found: Floats = self.model.outputs([self.leaf], z)[0]
        return found

    def holds(self, places: Floats) -> npt.NDArray[np.bool_]:
        """Whether the condition does."""
        values = self.values(places)
        found: npt.NDArray[np.bool_] = (values >= self.low) & (values < self.high)
        return found

    def places(self, *, whole: bool) -> Iterable[tuple[float, float]]:
        """Brackets of the draw in which the condition changes."""
        rising = bool(np.subtract(*self.values(np.array([_FAR, -_FAR]))) > 0)
        for end in (self.low, self.high):
            if math.isfinite(end):
                bracket = self._bracket(end, rising=rising, whole=whole)
                if bracket is not None:
                    yield bracket

    def _bracket(self, end: float, *, rising: bool, whole: bool) -> tuple[float, float] | None:
        """Where the leaf comes to be at least `end`; None if it is so everywhere or nowhere."""
        low, high = -_FAR, _FAR
        above = self.values(np.array([low, high])) >= end
        if above[0] == above[1]:
            return None
        for _ in range(_ROUNDS):
            if high - low <= _NARROW * max(1.0, abs(low), abs(high)) or (whole and high - low <= 1):
                break
            places = np.linspace(low, high, _AT_ONCE + 1)
            places = np.unique(np.round(places)) if whole else places
            is_above = self.values(places) >= end
            first = int(np.argmax(is_above == rising))
            low, high = float(places[first - 1]), float(places[first])
        middle = (low + high) / 2
        return (middle, middle) if whole else (low, high)


@dataclass(frozen=True)
class _Cuts:
    """Brackets on a line, ascending. inside: a place between each two of them, and before and after all."""

    brackets: Floats
    inside: Floats

    @staticmethod
    def of(law: Distribution, brackets: Iterable[tuple[float, float]]) -> _Cuts:
        """Each once."""
        found = np.array(sorted(set(brackets))).reshape(-1, 2)
        ends = np.concatenate([[found[0, 0] - 2.0 if len(found) else 0.0], found.mean(axis=1)])
        beyond = np.append(found.mean(axis=1), found[-1, 1] + 2.0 if len(found) else 0.0)
        middles = (ends + beyond) / 2
        return _Cuts(found, np.round(middles) if law.is_discrete else middles)

    def shares(self, cdf: Floats) -> tuple[Floats, float]:
        """The probability between the brackets, and of all brackets. cdf: at their ends."""
        below = np.asarray(cdf, np.float64).reshape(-1, 2)
        middle = np.concatenate([[0.0], below.mean(axis=1), [1.0]])
        return np.diff(middle), float((below[:, 1] - below[:, 0]).sum())
