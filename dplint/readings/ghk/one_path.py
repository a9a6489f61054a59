"""One path of a program on samples of its own noise: the GHK simulator of Geweke, Hajivassiliou and Keane.

Draws stay latent, with two ends each. A comparison that the path decides cuts off the draw of it that was drawn last,
and the weight is multiplied by the share of its mass that is left; draws before it are sampled from their laws between
their ends. The mean of the weights is the probability of the path, without bias; it has no floor and is smooth in the
data, so that its gradient is known (Hajivassiliou, McFadden and Ruud, J. Econometrics 72, 1996, section 3).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from dplint.claims import Span
from dplint.readings.ghk.reals import Array, Real
from dplint.readings.ghk.standard_laws import StandardLaw

_FREE = Real(-np.inf), Real(np.inf)


class Uniforms:
    """Uniform numbers for the draws, by their site: the same for both sides of a pair, so that estimates are alike.

    Each draw has one number in each of `samples` equal intervals, in a random order (Latin hypercube sampling).
    """

    def __init__(self, samples: int, seed: int) -> None:
        self.samples = samples
        self._generator = np.random.default_rng(seed)
        self._known: dict[Hashable, Array] = {}

    def of(self, key: Hashable) -> Array:
        """Those of one draw, shape (samples,)."""
        found = self._known.get(key)
        if found is None:
            places = self._generator.permutation(self.samples) + self._generator.random(self.samples)
            found = self._known[key] = places / self.samples
        return found

    def chosen(self, key: Hashable, choose: Callable[[np.random.Generator], Any]) -> Any:
        """What is drawn for a key in another way, the same each time."""
        if key not in self._known:
            self._known[key] = choose(self._generator)
        return self._known[key]


@dataclass(slots=True, eq=False)
class Latent:
    """One draw in standard form. number: in the order of the draws. ends: between which it lies."""

    number: int
    law: StandardLaw
    key: Hashable
    ends: tuple[Real, Real] = _FREE
    sampled: Real | None = None


@dataclass(slots=True, eq=False)
class OnePath:
    """The path that takes these decisions, as far as they go, and then those of its first sample.

    decisions: of all comparisons of noise, in order; those that are missing are added. span: the place of what is not
    followed. mass: of each sample, with its gradient. jumps: whether it had to compare noise that was sampled, whose
    share has no gradient here.
    """

    uniforms: Uniforms
    decisions: list[bool]
    span: Span
    mass: Real = field(default_factory=lambda: Real(1.0))
    jumps: bool = False
    at: int = 0
    _latents: int = 0

    def latent(self, law: StandardLaw, key: Hashable) -> Latent:
        """A new draw."""
        self._latents += 1
        return Latent(self._latents, law, key)

    def sample(self, latent: Latent) -> Real:
        """The draw in each sample, from its law between its ends; fixed from now on."""
        if latent.sampled is None:
            latent.sampled = latent.law.sample(*latent.ends, self.uniforms.of(latent.key))
        return latent.sampled

    def decide(self, constant: Real, terms: Sequence[tuple[Latent, Real]]) -> bool:
        """Whether constant + the sum of coefficient * draw is positive, by the path; there is some noise in it."""
        if not terms:
            return self._jump(constant)
        *others, (last, slope) = sorted(terms, key=lambda term: term[0].number)
        for latent, coefficient in others:
            constant = constant + coefficient * self.sample(latent)
        place, rising = -constant / slope, slope.value > 0
        taken = self._taken(lambda: self._first(last) > place.value, rising)
        self._cut(last, place, np.equal(rising, taken))
        return taken

    def _taken(self, above: Callable[[], Any], rising: Any = True) -> bool:
        """The decision of the path, or that of the first sample."""
        if self.at >= len(self.decisions):
            self.decisions.append(bool(np.ravel(np.equal(above(), rising))[0]))
        self.at += 1
        return self.decisions[self.at - 1]

    def _first(self, latent: Latent) -> Any:
        return latent.law.sample(*latent.ends, self.uniforms.of(latent.key)).value

    def _jump(self, difference: Real) -> bool:
        """A comparison of noise that has been sampled: some samples go the other way, and weigh nothing."""
        taken = self._taken(lambda: difference.value > 0)
        self.jumps = True
        self.mass = self.mass * Real(np.where((difference.value > 0) == taken, 1.0, 0.0))
        return taken

    def _cut(self, latent: Latent, place: Real, above: Any) -> None:
        """The draw lies above a place, or below it where `above` is false."""
        low, high = latent.ends
        before = latent.law.mass(low, high)
        low = place.where(above & (place.value > low.value), low)
        high = place.where(~above & (place.value < high.value), high)
        after = latent.law.mass(low, high)
        alive = after.value > 0
        latent.ends = low, high.where(alive, low)
        with np.errstate(all="ignore"):
            share = after / before
        self.mass = self.mass * share.where(alive & (before.value > 0), Real(0.0))
