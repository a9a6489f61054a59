"""What steps spend together, from below: subsampled normal noise, composed as distributions of the privacy loss.

All that is told is a lower bound of delta for the very pair: of two normal laws, mixed by Poisson sampling, so many
times. Outcomes are put together in cells, which is post-processing, and the loss of each is rounded to a grid, up or
down at random. Sums of losses are convolutions (Koskela, Jälkö, Honkela, Computing Tight Differential Privacy
Guarantees Using FFT, AISTATS 2020). What rounding adds is taken off, as are what is cut off and what floats may lose.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

Floats: TypeAlias = npt.NDArray[np.float64]
ROUGH, FINE = 1 << 17, 1 << 20
"""Points of a grid of losses: for a search, and for what is told."""
_CELLS = 1 << 12
_FAR = 9.0
"""Standard deviations beyond the means up to which outcomes are told apart."""
_LEAST, _LEAST_NORMAL = 1e-13, 1e-300
"""Probabilities below are not trusted: of the likelier law they count as none, of the other one as this."""
_CUT = 28.0
"""Minus the logarithm of the probability of sums that are left out on either side, or rounded up by more."""
_LOST, _LONG = 1e-10, 10_000
"""Of a delta: what is left out of sums, and what their floats may be wrong by, in so many steps and twice as many."""
_NARROW = 2e-3
_MOST_LOSS = 600.0
"""An epsilon above is not told from this one."""
_TILTS = np.geomspace(1e-3, 1e3, 61)
_SAME = 1e-9
_CLOSE, _MOST = 1e-4, 1e4
_TINY, _STEEP = 1e-300, 20.0


@dataclass(frozen=True, slots=True)
class NormalPair:
    """Two normal laws: of dimension `dims`, `apart` standard deviations of the second one apart, the first one `ratio`
    times as wide in each direction. apart: infinite where nothing hides which of them it is.
    """

    apart: float
    ratio: float = 1.0
    dims: int = 1

    @property
    def turned(self) -> NormalPair:
        """The same with the laws in the other order."""
        return NormalPair(self.apart / self.ratio, 1 / self.ratio, self.dims)

    @property
    def least(self) -> float:
        """The least probability of a cell that is known."""
        return _LEAST_NORMAL if self._is_narrow else _LEAST

    @property
    def _is_narrow(self) -> bool:
        """Whether the direction in which the laws are apart is looked at alone, as their widths hardly tell more."""
        return abs(self.ratio - 1) < max(_NARROW, _NARROW * self.apart)

    def cells(self) -> tuple[Floats, Floats]:
        """The probabilities of cells of the likelihood ratio, under the first and the second law."""
        if self._is_narrow:
            edges = np.linspace(-_FAR, self.apart + _FAR, _CELLS)
            scaled = (edges - self.apart) / self.ratio
            return _between(scaled, ndtr, lambda x: ndtr(-x)), _between(edges, ndtr, lambda x: ndtr(-x))
        # The logarithm of the ratio is a * |x - centre|**2 + constant.
        a = (1 - self.ratio**-2) / 2
        centre = abs(self.apart / (2 * a * self.ratio**2))
        first, second = ((self.apart + math.copysign(centre, a)) / self.ratio) ** 2, centre**2
        ends = [_Chi(self.dims, one, scale) for one, scale in ((first, self.ratio**2), (second, 1.0))]
        low, high = (f(end.ppf(at) for end in ends) for f, at in ((min, _LEAST), (max, 1 - _LEAST)))
        edges = np.linspace(math.sqrt(low), math.sqrt(high), _CELLS) ** 2
        one, two = (_between(edges, end.cdf, end.sf) for end in ends)
        return one, two


class _Chi:
    """The squared distance from a point of a normal vector."""

    def __init__(self, dims: int, noncentral: float, scale: float) -> None:
        # It takes longer to load than most audits of steps take, which have laws of one width.
        from scipy.stats import chi2, ncx2  # noqa: PLC0415

        self._law = chi2(dims) if noncentral < _SAME else ncx2(dims, noncentral)
        self._scale = scale

    def cdf(self, x: Floats) -> Floats:
        return np.asarray(self._law.cdf(x / self._scale))

    def sf(self, x: Floats) -> Floats:
        return np.asarray(self._law.sf(x / self._scale))

    def ppf(self, share: float) -> float:
        return float(self._law.ppf(share)) * self._scale


def _between(edges: Floats, below: Callable[[Floats], Floats], above: Callable[[Floats], Floats]) -> Floats:
    """The probability of each cell between two edges, and of all below and above; small ones without cancellation."""
    low, high = below(edges), above(edges)
    inner = np.where(low[1:] < 0.5, np.diff(low), -np.diff(high))
    return np.concatenate(([low[0]], np.maximum(inner, 0.0), [high[-1]]))


@dataclass(frozen=True)
class Spent:
    """The sum of the losses of all steps on one pair, in one order, on a grid: probabilities of losses >= 0.

    certain: the probability that nothing hides it. lost: what a delta may be wrong by, which is taken off.
    """

    losses: Floats
    masses: Floats
    certain: float = 0.0
    lost: float = 0.0

    @cached_property
    def _deltas(self) -> Floats:
        """At each loss as epsilon."""
        tails = np.cumsum(self.masses[::-1])[::-1]
        weighted = np.cumsum((self.masses * np.exp(-self.losses))[::-1])[::-1]
        told = self.losses < _MOST_LOSS
        found: Floats = tails[told] - np.exp(self.losses[told]) * weighted[told] - self.lost
        return found

    def delta(self, epsilon: float) -> float:
        """A lower bound."""
        above = self.losses > epsilon
        gain = self.masses[above] * -np.expm1(epsilon - self.losses[above])
        return max(self.certain, float(gain.sum()) - self.lost)

    def epsilon(self, delta: float) -> float:
        """A lower bound of the epsilon that holds with this delta; 0 where none above is known to be exceeded."""
        if self.certain > delta:
            return math.inf
        exceeding = np.flatnonzero(self._deltas > delta)
        return float(self.losses[exceeding[-1]]) if len(exceeding) else 0.0


@dataclass(frozen=True, slots=True)
class Composition:
    """So many steps, each on a Poisson sample at this rate: a sample is in it with that probability."""

    rate: float
    steps: int

    def spent(self, pair: NormalPair, grid: int = FINE) -> Iterator[Spent]:
        """What is spent in either order. pair: what a step releases with the sample, and without it."""
        if math.isinf(pair.apart):
            seen = -math.expm1(self.steps * math.log1p(-self.rate)) if self.rate < 1 else 1.0
            yield Spent(np.zeros(0), np.zeros(0), seen)
            return
        if pair.ratio == 1.0 and self.rate == 1.0:
            pair, steps = NormalPair(pair.apart * math.sqrt(self.steps)), 1
        else:
            steps = self.steps
        with_it, without = pair.cells()
        mixed = self.rate * with_it + (1 - self.rate) * without
        for likelier, other in ((mixed, without), (without, mixed)):
            known = likelier > pair.least
            losses = np.log(likelier[known] / np.maximum(other[known], pair.least))
            yield _composed(losses, likelier[known], steps, grid)

    def exceeds(self, pair: NormalPair, epsilon: float, delta: float, grid: int = FINE) -> bool:
        """Whether (epsilon, delta) is known not to hold."""
        return any(one.delta(epsilon) > delta for one in self.spent(pair, grid))

    def most_apart(self, epsilon: float, delta: float) -> float:
        """A distance of laws of one width from which on it is known that (epsilon, delta) does not hold; may be inf."""
        return _most_apart(self, epsilon, delta)


@lru_cache(maxsize=256)
def _most_apart(composition: Composition, epsilon: float, delta: float) -> float:
    """By false position between distances and the logarithms of their deltas, which are near to a straight line; by
    halves where a step of it has not halved what is left.
    """

    def beyond(apart: float) -> float:
        most = max(one.delta(epsilon) for one in composition.spent(NormalPair(apart), ROUGH))
        return math.log(max(most, _TINY)) - math.log(max(delta, _TINY))

    low, high = 0.0, 1.0
    at_low, at_high = -math.inf, beyond(high)
    while at_high <= 0:
        low, at_low, high = high, at_high, 2 * high
        if high > _MOST:
            return math.inf
        at_high = beyond(high)
    straight = True
    while (wide := high - low) > _CLOSE * high:
        middle = (low + high) / 2
        if straight and at_low > -_STEEP:
            # A little off, so that the other end comes near as well.
            nearer = _CLOSE * high / 3
            between = low + wide * at_low / (at_low - at_high)
            middle = min(max(between + math.copysign(nearer, middle - between), low + nearer), high - nearer)
        if (at_middle := beyond(middle)) > 0:
            high, at_high = middle, at_middle
        else:
            low, at_low = middle, at_middle
        straight = not straight or high - low < wide / 2
    return high


def _composed(losses: Floats, masses: Floats, steps: int, grid: int) -> Spent:
    """The law of the sum of so many losses, each of these probabilities. grid: its points."""
    if steps == 1:
        order = np.argsort(losses)
        return _positive(losses[order], masses[order], 0.0)
    low, high = _range(losses, masses, steps)
    size = float(max(high - low, 1e-9)) / grid
    cells = np.floor(losses / size).astype(np.int64)
    base, above = int(cells.min()), losses / size - cells
    # Either point next to a loss, so that it stays what it is on average: Hoeffding bounds what comes of that in all.
    places = np.concatenate((cells, cells + 1)) - base
    once = np.bincount(places % grid, np.concatenate((masses * (1 - above), masses * above)), grid)
    total = np.fft.irfft(np.fft.rfft(once) ** steps, grid)
    # The first place of the window, and where the circle has it.
    first = math.floor(low / size)
    turned = np.roll(total, -((first - base * steps) % grid)).astype(np.float64)
    sums = np.asarray((first + np.arange(grid) - math.sqrt(steps * _CUT / 2)) * size, np.float64)
    return _positive(sums, np.maximum(turned, 0.0), _LOST * (1 + steps / _LONG))


def _range(losses: Floats, masses: Floats, steps: int) -> tuple[float, float]:
    """Within which the sum lies but for a small probability: Chernoff's bound."""
    tilted, logs = np.outer(_TILTS, losses), np.log(masses)
    up = (steps * _log_sums(logs + tilted) + _CUT) / _TILTS
    down = (steps * _log_sums(logs - tilted) + _CUT) / _TILTS
    return max(-float(down.min()), steps * float(losses.min())), min(float(up.min()), steps * float(losses.max()))


def _log_sums(logs: Floats) -> Floats:
    """Of each row the logarithm of the sum of what these are logarithms of."""
    most = logs.max(axis=1, keepdims=True)
    sums: Floats = np.log(np.exp(logs - most).sum(axis=1)) + most[:, 0]
    return sums


def _positive(losses: Floats, masses: Floats, lost: float) -> Spent:
    above = losses >= 0
    return Spent(losses[above], masses[above], lost=lost)
