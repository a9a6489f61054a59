"""Generators with a seed during a replay: real ones, as their numbers are the same in every run; and a seed that the
function is handed. Runs in the user's interpreter.
"""

from __future__ import annotations

import random
from typing import Any, Callable, Optional, Set

import numpy as np


class HandedSeeds:
    """The seed itself is a draw, and a generator that is made of it draws as one without a seed.

    Sound for one generator of each family: a second one with the same seed would give the same numbers again.
    draw: gives a seed. same: whether two values are equal in all runs. refuse: called for a second generator.
    """

    def __init__(self, draw: Callable[[], Any], same: Callable[[Any, Any], bool], refuse: Callable[[str], Any]) -> None:
        self._draw, self._same, self._refuse = draw, same, refuse
        self._seed: Any = None
        self._families: Set[str] = set()

    def begin_run(self) -> None:
        """No seed has been handed yet."""
        self._seed = None
        self._families.clear()

    def hand(self) -> Any:
        """The seed of the run."""
        self._seed = self._draw()
        return self._seed

    def makes(self, family: str, *given: Any, **named: Any) -> bool:
        """Whether a generator of a family with these arguments is one with the seed that was handed."""
        values = (*given, *named.values())
        if self._seed is None or len(values) != 1 or not self._same(values[0], self._seed):
            return False
        if family in self._families:
            self._refuse("a second generator with the same seed")
        self._families.add(family)
        return True


Make = Callable[..., Any]
REAL = (np.random.Generator, np.random.RandomState, random.Random)
"""The classes of real generators."""
_SEEDS = (int, float, str, bytes, np.integer, np.ndarray, np.random.SeedSequence, np.random.BitGenerator)


_RANDOM_STATE, _TWISTER, _BITS = np.random.RandomState, np.random.MT19937, np.random.BitGenerator


def is_seed(value: Any) -> bool:
    """Whether a generator that is made of the value is the same each time: a seed, or real bits that are made of one.

    The bits that a module keeps go on from run to run, but of these there is only a stand-in.
    """
    if isinstance(value, (list, tuple)):
        return all(map(is_seed, value))
    return isinstance(value, _SEEDS)


def with_seed(*given: Any, **named: Any) -> bool:
    """Whether what is made with these arguments is made of a seed."""
    values = (*given, *named.values())
    return bool(values) and all(map(is_seed, values))


def is_real(value: Any) -> bool:
    """Whether it is a real generator, and no stand-in."""
    return type(value) in REAL


def random_state(*given: Any, **named: Any) -> Any:
    """`RandomState(seed)`, which would ask the operating system before it looks at its seed."""
    values = (*given, *named.values())
    if len(values) != 1 or isinstance(values[0], _BITS):
        return _RANDOM_STATE(*given, **named)
    bits: Any = _TWISTER(0)
    bits._legacy_seeding(*values)
    return _RANDOM_STATE(bits)


class SeededLibrary:
    """The generator that a library has of its own: a real one, from where a run gives it a seed.

    make: makes one of a seed. refuse: called for a seed that is none.
    """

    def __init__(self, make: Make, refuse: Make) -> None:
        self._make = make
        self._refuse = refuse
        self.generator: Optional[Any] = None

    def seed(self, *given: Any, **named: Any) -> None:
        """From here on it has this seed."""
        if not with_seed(*given, **named):
            self._refuse()
        self.generator = self._make(*given, **named)

    def function(self, method: str, otherwise: Make) -> Make:
        """The function of that library for a method. otherwise: what draws where there is no seed."""

        def call(*args: Any, **named: Any) -> Any:
            draw = otherwise if self.generator is None else getattr(self.generator, method)
            return draw(*args, **named)

        return call
