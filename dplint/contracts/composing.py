"""The delta that several parts keep together at an epsilon: their privacy losses are added up by Fourier transforms.

What keeps a claim is dominated by a pair of laws: for epsilon and delta randomised response, which else reveals all
(Kairouz, Oh and Viswanath, ICML 2015), for mu two normal laws (Dong, Roth and Su, JRSS B 2022). Pairs may be composed,
and mixed where a coin of each record chooses it (Zhu, Dong and Wang, AISTATS 2022, theorems 10 and 11: of a record that
is added or removed). A law of losses is put on a grid so that no delta becomes less: what lies between two points goes
to both, with its mass under both laws (Doroshenko et al., Connect the Dots, PETS 2022).

Masses are weighted by e**(tilt * loss), with the tilt at which the sum lies around epsilon, so that errors of floats
are relative to the delta that is asked for. What is outside of the window is bounded by Chernoff's inequality, and
added as if it were all. Of claims in rho only Renyi divergences are known; with them all parts are counted in rho.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from dplint.definitions.known.rho import curve

if TYPE_CHECKING:
    from numpy.typing import NDArray

_FINE, _STEPS = 100, (1e-6, 1e-4)
"""The grid has so many points for the spread of the narrowest law, within these limits of its step."""
_COARSER, _TRIES = 4, 4
_REACH = 12.0
"""So many sigmas out, a loss of normal noise is taken to be infinite."""
_ROUNDING = 1e-9
_SMALL = 1e-12
_MOST, _MOST_OF_ONE = 1 << 21, 400_000
"""Points of the sum, and of one law."""
_LARGEST = 50.0
_HALVINGS = 60
_THOUSANDTH = 0.001
_TINY, _GUESSES = 1e-300, 12


@dataclass(frozen=True, slots=True)
class Dominated:
    """What one part keeps: epsilon and delta, or mu, or rho, where the others are 0.

    rate: with which a coin of each record chooses it for the part; delta is 0 where that is not 1. times: how often it
    is called.
    """

    epsilon: float = 0.0
    delta: float = 0.0
    mu: float = 0.0
    rho: float = 0.0
    rate: float = 1.0
    times: int = 1

    @property
    def farthest(self) -> float:
        """No loss that is finite here is larger."""
        return self.mu * (_REACH + self.mu / 2) if self.mu else self.epsilon

    @property
    def spread(self) -> float:
        """About the standard deviation of its loss, inf where that is 0."""
        whole = self.rate * math.sqrt(math.expm1(min(self.mu, 5.0) ** 2))
        return (min(self.mu, whole) if self.mu else self.rate * self.epsilon) or math.inf


@dataclass(frozen=True, slots=True, eq=False)
class _Losses:
    """The logarithms of masses at losses on the grid, from the first point on; times: how often the loss is added."""

    first: int
    losses: NDArray[Any]
    logarithms: NDArray[Any]
    infinite: float
    times: int

    def tilted(self, tilt: float) -> tuple[float, Any]:
        """The logarithm of the mean of e**(tilt * loss), and the law that has this weight."""
        import numpy as np  # noqa: PLC0415

        exponents = tilt * self.losses + self.logarithms
        most = float(exponents.max())
        weights = np.exp(exponents - most)
        return most + math.log(weights.sum()), weights / weights.sum()


def composed_delta_of(parts: Sequence[Dominated], epsilon: float) -> float | None:
    """An upper bound of the delta that all parts keep together; None where that takes too much.

    Parts may be called in any order, also in view of what earlier ones gave. Of parts with a rate below 1 it is about a
    record that is added or removed. Not promised: that it is the least bound, which the claims allow; the grid makes it
    larger, in epsilon by some millionths for thousands of parts.
    """
    sizes = [max(one.farthest, one.epsilon, one.rho) for one in parts]
    right = all(min(one.epsilon, one.mu, one.rho, one.delta) >= 0 and 0 < one.rate <= 1 for one in parts)
    right = right and not any(one.rate < 1 and one.delta for one in parts)
    if not parts or not right or max(sizes) > _LARGEST or not 0 <= epsilon <= _LARGEST:
        return None
    revealed = sum(one.times * one.delta for one in parts)
    rho = sum(one.times * max(one.rho, one.mu**2 / 2, one.epsilon**2 / 2) for one in parts)
    in_rho = min(1.0, (revealed + curve(rho, epsilon)) * (1 + _ROUNDING))
    by_losses = None if any(one.rho for one in parts) else _by_losses(tuple(parts), epsilon)
    return in_rho if by_losses is None else min(in_rho, by_losses)


@lru_cache(256)
def composed_epsilon_of(parts: tuple[Dominated, ...], delta: float) -> Fraction | None:
    """An upper bound of the epsilon that all parts keep together at a delta above 0, in thousandths; None as above.

    Not promised: that it is the least one in thousandths for which `composed_delta_of` shows this delta.
    """
    wanted, points = math.sqrt(-math.log(delta)), [(0.0, 0.0)]
    epsilon, step = 1.0, _THOUSANDTH
    for _ in range(_GUESSES):
        # The root of minus the logarithm is nearly a line; at both ends of one it is cut, where it meets the delta.
        known = composed_delta_of(parts, epsilon)
        if known is None:
            return None
        points.append((epsilon, math.sqrt(-math.log(min(max(known, _TINY), 1.0)))))
        (one, low), (other, high) = points[-2:]
        if abs(other - one) < _THOUSANDTH or high == low:
            break
        epsilon = min(max(one + (other - one) * (wanted - low) / (high - low), _THOUSANDTH), _LARGEST)
    thousandths = math.ceil(points[-1][0] / _THOUSANDTH)
    while (known := composed_delta_of(parts, thousandths / 1000)) is not None and known > delta:
        thousandths, step = thousandths + math.ceil(step / _THOUSANDTH), 2 * step
    return None if known is None else Fraction(thousandths, 1000)


@lru_cache(256)
def _by_losses(parts: tuple[Dominated, ...], epsilon: float) -> float | None:
    if any(importlib.util.find_spec(library) is None for library in ("numpy", "scipy")):
        return None  # where only the source is read, neither may be there
    sides = (True, False) if any(one.rate < 1 for one in parts) else (True,)
    step = min(max(min(one.spread for one in parts) / _FINE, _STEPS[0]), _STEPS[1])
    step = max(step, *(one.farthest / _MOST_OF_ONE for one in parts))
    for _ in range(_TRIES):
        found = [_of_sum([_law_of(one, step, added=side) for one in parts], epsilon, step) for side in sides]
        known = [one for one in found if one is not None]
        if len(known) == len(sides):
            return max(known)
        step *= _COARSER
    return None


def _law_of(part: Dominated, step: float, *, added: bool) -> _Losses:
    """added: of the run with the record against the one without it; else the other way."""
    import numpy as np  # noqa: PLC0415

    sign, most = (1 if added else -1), part.farthest
    ends = [sign * (end if part.rate == 1 else math.log1p(part.rate * math.expm1(end))) for end in (-most, most)]
    cells = [math.floor(end / step) for end in ends]
    first, count = min(cells), abs(cells[1] - cells[0]) + 1
    edges = np.arange(first, first + count + 1) * step
    if part.mu:
        without, record = _of_normals(part, sign * edges)
    else:
        up, places = 1 / (1 + math.exp(-part.epsilon)), [cell - first for cell in cells]
        without, record = np.bincount(places, [up, 1 - up], count), np.bincount(places, [1 - up, up], count)
    mixed = (1 - part.rate) * without + part.rate * record
    p, q = (mixed, without) if added else (without, mixed)
    # A cell goes to both of its ends, with what it has under both laws.
    upper = np.clip((p - np.exp(edges[:-1]) * q) / -math.expm1(-step), 0.0, p)
    masses = np.append(p - upper, 0.0) + np.insert(upper, 0, 0.0)
    rest = max(0.0, 1.0 - float(masses.sum())) if part.mu else 0.0  # of both tails
    least, last = np.flatnonzero(masses)[[0, -1]]
    inner = slice(least, last + 1)
    with np.errstate(divide="ignore"):
        logarithms = np.log(masses[inner] * (1 - part.delta))
    infinite = part.delta + (1 - part.delta) * rest
    return _Losses(first + int(least), edges[inner], logarithms, infinite, part.times)


def _of_normals(part: Dominated, edges: Any) -> tuple[Any, Any]:
    """The masses of normal laws between losses that rise or fall, without the record and with it, before mixing."""
    import numpy as np  # noqa: PLC0415
    from scipy.special import ndtr  # noqa: PLC0415

    with np.errstate(divide="ignore"):
        inner = np.log(np.maximum(np.expm1(edges) / part.rate + 1.0, 0.0))
    found = []
    for moved in (0.5, -0.5):
        z = inner / part.mu + moved * part.mu
        low, high = np.minimum(z[:-1], z[1:]), np.maximum(z[:-1], z[1:])
        found.append(np.where(low > 0, ndtr(-low) - ndtr(-high), ndtr(high) - ndtr(low)))
    return found[0], found[1]


def _of_sum(laws: Sequence[_Losses], epsilon: float, step: float) -> float | None:
    """Of all losses together: what is infinite, and the mean of 1 - e**(epsilon - loss) where that is positive."""
    import numpy as np  # noqa: PLC0415

    infinite = -math.expm1(sum(one.times * math.log1p(-min(one.infinite, 1 - 1e-16)) for one in laws))
    if epsilon >= sum(one.times * one.losses[-1] for one in laws):
        return infinite * (1 + _ROUNDING)
    tilt = _tilt(laws, epsilon)
    total, mean, variance = _moments(laws, tilt)
    window = _window(laws, tilt, mean, variance, step)
    if window is None:
        return None
    start, count, outside = window
    spectrum = np.ones(count // 2 + 1, np.complex128)
    for one in laws:
        places = (one.first + np.arange(len(one.losses))) % count
        spectrum *= np.fft.rfft(np.bincount(places, one.tilted(tilt)[1], count)) ** one.times
    numbers = np.arange(start, start + count)
    masses = np.maximum(np.fft.irfft(spectrum, count)[numbers % count], 0.0)
    beyond = numbers * step - epsilon
    kept = beyond > 0
    finite = float((masses[kept] * np.exp(-tilt * beyond[kept]) * -np.expm1(-beyond[kept])).sum())
    times = sum(one.times for one in laws)
    error = outside + times * math.log2(count) * math.sqrt(count) * 2.0**-52
    return (infinite + math.exp(total - tilt * epsilon) * (finite + error)) * (1 + _ROUNDING)


def _moments(laws: Sequence[_Losses], tilt: float) -> tuple[float, float, float]:
    """Of the tilted sum: the logarithm of what it is divided by, its mean and its variance."""
    total, mean, variance = 0.0, 0.0, 0.0
    for one in laws:
        logarithm, law = one.tilted(tilt)
        middle = float((law * one.losses).sum())
        total, mean = total + one.times * logarithm, mean + one.times * middle
        variance += one.times * float((law * (one.losses - middle) ** 2).sum())
    return total, mean, variance


def _logarithm(laws: Sequence[_Losses], tilt: float) -> float:
    return sum(one.times * one.tilted(tilt)[0] for one in laws)


def _tilt(laws: Sequence[_Losses], epsilon: float) -> float:
    """The weight at which the mean of the sum is epsilon, or 0 where it is no less without any."""
    low, high = 0.0, 1.0
    while _moments(laws, high)[1] < epsilon and high < 1e4:
        low, high = high, 2 * high
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if _moments(laws, middle)[1] < epsilon else (low, middle)
        if high - low < 0.02 * high:
            break
    return low


def _window(
    laws: Sequence[_Losses], tilt: float, mean: float, variance: float, step: float
) -> tuple[int, int, float] | None:
    """The first point, the number of points, with which transforms are fast, and how much of the tilted sum is outside.

    None where that takes too many points.
    """
    total, width = _logarithm(laws, tilt), 4 * math.sqrt(variance) + 16 * step
    while True:
        width *= 1.25
        needed = math.ceil(math.log2(2 * width / step))
        count = min(one for one in (1 << needed, 3 << (needed - 2)) if one >= 2 * width / step)
        if count > _MOST:
            return None
        sides = []
        for sign in (1, -1):
            powers = [sign * width / max(variance, step**2) / 2.0**k for k in range(8)]
            sides.append(min(_logarithm(laws, tilt + t) - total - t * (mean + sign * width) for t in powers))
        outside = sum(math.exp(min(0.0, one)) for one in sides)
        if outside < _SMALL:
            return math.floor(mean / step) - count // 2, count, outside
