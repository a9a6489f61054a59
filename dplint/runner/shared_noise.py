"""Noise that blocks of lanes share which are not compared as independent ones: drawn once, and scaled for each.

Half of the time of lanes goes into random numbers. Where runs of several data values are only looked at, to find out
what is worth a bet, one set of standard draws z serves all: a draw is location + scale * z. Within a block nothing is
shared, so the runs of each data value have their law and are independent of one another. Between data values they are
not (common random numbers), so that no bet may be paid on them.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.distributions import Distribution, Outcomes, of

Floats = NDArray[np.float64]


class SharedNoise:
    """The standard draws of one block, by distribution and by how many of its draws came before.

    seed: the same noise again for the same programs in the same order. Memory grows to that of all draws of a block.
    """

    def __init__(self, seed: np.random.SeedSequence) -> None:
        self._seed = seed
        self._generators: dict[tuple[str, int], np.random.Generator] = {}
        self._drawn: dict[tuple[str, int], Floats] = {}

    def draw(self, name: str, number: int, parameters: Mapping[str, Any], shape: tuple[int, ...]) -> Floats | None:
        """The draw of this number with these parameters; None where it is not location + scale * z with one z for all
        parameters, or where the parameters may be refused.
        """
        distribution = of(name)
        standard = _standard(distribution)
        if standard is None:
            return None
        location, scale = distribution.location(parameters), distribution.scale(parameters)
        if not (np.all(np.greater(scale, 0.0)) and np.all(np.isfinite(scale)) and np.all(np.isfinite(location))):
            return None
        drawn: Floats = self._first(distribution, number, standard, int(np.prod(shape))).reshape(shape) * scale
        if isinstance(location, np.ndarray) or location != 0.0:
            drawn += location
        return drawn

    def _first(self, distribution: Distribution, number: int, standard: Mapping[str, Any], count: int) -> Floats:
        """The first numbers of an endless sequence, as many as are asked for."""
        key = distribution.name, number
        known = self._drawn.get(key)
        if known is None or len(known) < count:
            if key not in self._generators:
                spawn_key = (*self._seed.spawn_key, *distribution.name.encode(), number)
                child = np.random.SeedSequence(self._seed.entropy, spawn_key=spawn_key)
                self._generators[key] = np.random.Generator(np.random.SFC64(child))
            missing = count - (0 if known is None else len(known))
            more = distribution.sample(self._generators[key], standard, (missing,))
            known = self._drawn[key] = more if known is None else np.concatenate([known, more])
        return known[:count]


@functools.cache
def _standard(distribution: Distribution) -> Mapping[str, Any] | None:
    """The parameters of z; None if there is none, or its law has parameters itself."""
    if distribution.outcomes is not Outcomes.REAL or distribution.shape_parameters:
        return None
    given = {one.name: one.default for one in distribution.parameters}
    return given if distribution.location(given) == 0.0 and distribution.scale(given) == 1.0 else None
