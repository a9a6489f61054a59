"""Generators with a seed: the user's own, which give the same numbers in every run.

A run keeps those that it has made, by the labels that the lowering gives to the places where they are made. Only a run
by itself, and runs that make the same calls in the same order, can share them.
"""

from __future__ import annotations

import functools
import importlib
import random
from collections.abc import Callable
from typing import Any

import numpy as np

from dplint.claims import Span
from dplint.program.refusals import unsupported

_MAKERS: dict[str, Callable[..., Any]] = {
    "numpy.random.default_rng": np.random.default_rng,
    "numpy.random.Generator": np.random.Generator,
    "numpy.random.RandomState": np.random.RandomState,
    "random.Random": random.Random,
}
_OF_SCIPY = ".rvs"


class SeededGenerators:
    """What one run has made of seeds so far."""

    def __init__(self) -> None:
        self._made: dict[str, Any] = {}

    def function(self, name: str, span: Span) -> Callable[..., Any]:
        """The function that a call of `vocabulary.SEEDED` means. It raises what the user's generator would raise.

        It raises UnsupportedConstruct where there is no seed, or no generator yet.
        """
        return functools.partial(self._make if name == "seeded" else self._draw, span)

    def _make(self, span: Span, label: str, maker: str, bits: str, *seed: Any, **named: Any) -> Any:
        if not (seed or named) or any(one is None for one in (*seed, *named.values())):
            raise unsupported("a seed that is None", span, "make the generator without an argument")
        make = _MAKERS[maker]
        made = make(getattr(np.random, bits)(*seed, **named)) if bits else make(*seed, **named)
        if label:
            self._made[label] = made
        return made

    def _draw(self, span: Span, known: Any, method: str, *arguments: Any, **named: Any) -> Any:
        generator = self._made.get(known) if isinstance(known, str) else known
        if generator is None:
            # What it gives hangs on the runs before, or there is none.
            raise unsupported("a draw before the seed is set", span, "set the seed first")
        if method == "shuffle":
            return _order(generator, *arguments)
        if method.endswith(_OF_SCIPY):
            law = getattr(importlib.import_module("scipy.stats"), method.removesuffix(_OF_SCIPY))
            return law.rvs(*arguments, random_state=generator, **named)
        return getattr(generator, method)(*arguments, **named)


def _order(generator: Any, count: int, is_array: bool) -> list[int]:
    """The places from which a shuffle of so many items takes them."""
    order: Any = np.arange(count) if is_array else list(range(count))
    generator.shuffle(order)
    return [int(place) for place in order]
