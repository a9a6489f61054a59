"""Runs whose draws are recorded, as numbers that no parameter changes. Runs in the user's interpreter.

A traced run draws as any other, from generators that keep what they gave. A draw from a family of location and scale is
kept as (value - location) / scale. Any other is only known to have been made, unless it is made of such.
"""

from __future__ import annotations

import math
import random
import sys
from typing import Any, Callable, Dict, List, Mapping, Optional

import numpy as np

from ..distributions import GENERATOR, LEGACY, PYTHON, Distribution, DrawSignature, draw_signatures, of
from .generator_patches import GeneratorPatches, Swap
from .library_draws import library_swaps

MOST_DRAWS = 400
"""Numbers of one run that are kept; of a run with more none are."""


class DrawTape:
    """The draws of some runs. laws: names of distributions, one for each number; values: the standardized numbers.

    inside: whether a recorded draw is being made, which may be made of others.
    """

    def __init__(self) -> None:
        self.inside = False
        self.begin()

    def begin(self) -> None:
        """The first run of a data value is about to be made."""
        self._runs: List[Optional[List[Any]]] = []
        self._begin_run()

    def _begin_run(self) -> None:
        self.inside = False
        self.laws: List[str] = []
        self.values: List[float] = []
        self._known = True

    def end_run(self) -> None:
        """A run has given its output."""
        known = self._known and len(self.values) <= MOST_DRAWS and all(map(math.isfinite, self.values))
        self._runs.append([self.laws, self.values] if known else None)
        self._begin_run()

    def described(self) -> List[Optional[List[Any]]]:
        """For each run its laws and values; None where some draw is not known."""
        return self._runs

    def record(self, distribution: Distribution, parameters: Mapping[str, Any], value: Any) -> None:
        """One draw, or an array of them. A scale of 0 gives zeros."""
        if len(self.values) > MOST_DRAWS:
            return
        given = {name: np.asarray(one, float) for name, one in parameters.items()}
        drawn = np.asarray(value, float)
        location, scale = np.asarray(distribution.location(given)), np.asarray(distribution.scale(given))
        moved = drawn - location
        standardized = np.divide(moved, scale, out=np.zeros(moved.shape), where=scale != 0)
        self.values += standardized.ravel().tolist()
        self.laws += [distribution.name] * drawn.size

    def forget(self) -> None:
        """Something was drawn that has no standardized number."""
        self._known = False


def is_standard(distribution: Distribution) -> bool:
    """Whether location and scale are all that a draw depends on."""
    return distribution.is_location_scale and all(one.default is not ... for one in distribution.parameters)


def _method(base: Any, signature: DrawSignature, tape: DrawTape) -> Callable[..., Any]:
    """The method of the real generator, which records what it gives."""
    distribution, draw = of(signature.distribution), getattr(base, signature.method)
    standard = is_standard(distribution)

    def method(self: Any, *args: Any, **named: Any) -> Any:
        if tape.inside:
            return draw(self, *args, **named)
        if not standard:
            before = len(tape.values)
            value = draw(self, *args, **named)
            if len(tape.values) == before:
                tape.forget()
            return value
        tape.inside = True
        try:
            value = draw(self, *args, **named)
        finally:
            tape.inside = False
        try:
            parameters, _ = signature.read(args, named, any_others=True)
            tape.record(distribution, parameters, value)
        except Exception:
            tape.forget()
        return value

    return method


def _traced(base: Any, family: str, tape: DrawTape) -> Any:
    draws = draw_signatures(family)
    methods: Dict[str, Any] = {
        name: _method(base, signature, tape) for name, signature in draws.items() if hasattr(base, name)
    }
    return type(f"Traced{base.__name__}", (base,), methods)


class TracedPatches(GeneratorPatches):
    """Generators that draw from a seed and record what they give, and the replacement of all others by them."""

    def __init__(self, seed: np.random.SeedSequence, tape: DrawTape) -> None:
        self._tape = tape
        first, second, third = seed.spawn(3)
        super().__init__(
            _traced(np.random.Generator, GENERATOR, tape)(np.random.SFC64(first)),
            _traced(np.random.RandomState, LEGACY, tape)(np.random.MT19937(second)),
            _traced(random.Random, PYTHON, tape)(int(third.generate_state(1)[0])),
        )

    def library_swaps(self) -> List[Swap]:
        """Those of every stand-in, `scipy.stats`, which is given a recording generator, and libraries of mechanisms."""
        swaps = [*super().library_swaps(), *library_swaps(self._tape)]
        scipy = sys.modules.get("scipy.stats._distn_infrastructure")
        if scipy is not None:
            owners = [owner for owner in (scipy.rv_generic, scipy.rv_discrete) if "rvs" in vars(owner)]
            swaps += [(owner, "rvs", self._rvs(vars(owner)["rvs"])) for owner in owners]
        return swaps

    def _rvs(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        ours = (type(self.generator), type(self.random_state))

        def rvs(law: Any, *args: Any, random_state: Any = None, **named: Any) -> Any:
            given = random_state if isinstance(random_state, ours) else self.random_state
            return draw(law, *args, random_state=given, **named)

        return rvs
