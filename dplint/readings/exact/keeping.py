"""What is kept from one pair of a program to the next: functions, their integrals and products, and whole laws.

An audit computes many pairs of one mechanism. They share their noise, and often one of their inputs. What is kept holds
whatever is asked next: a function is never changed, and those of another precision are other objects.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

import numpy as np

from dplint.program.nodes import Program
from dplint.readings.exact.affine import key_of
from dplint.readings.exact.draws import forget_densities
from dplint.readings.exact.piecewise import memo
from dplint.readings.exact.terms import forget_rates, known_rates
from dplint.readings.exact.weights import forget_directions

T = TypeVar("T")
_MOST_RATES = 20_000
_MOST_LAWS = 16
_PLAIN = (bool, int, float, str, type(None))


class Kept:
    """For one program at a time."""

    def __init__(self) -> None:
        self._program: Program | None = None
        self._laws: dict[Hashable, Any] = {}

    def turn_to(self, program: Program) -> None:
        """Let go of what belongs to other programs, and of all once it is much."""
        if program is not self._program or known_rates() > _MOST_RATES:
            self.forget()
            self._program = program

    def forget(self) -> None:
        """Let go of all; laws that were made before must not be used any more."""
        self._program = None
        self._laws.clear()
        memo.clear()
        forget_densities()
        forget_rates()
        forget_directions()

    def law(self, key: Hashable, given: Mapping[str, Any], make: Callable[[], T]) -> T:
        """What was made of an input; it is told apart by the key and the values of all parameters."""
        if not all(map(_is_plain, given.values())):
            return make()
        full = (key, key_of(dict(given)))
        found: T | None = self._laws.pop(full, None)
        if found is None:
            found = make()
        self._laws[full] = found
        if len(self._laws) > _MOST_LAWS:
            del self._laws[next(iter(self._laws))]
        return found


kept = Kept()


def _is_plain(value: Any) -> bool:
    """Whether its key tells it apart from all that a program would treat otherwise."""
    if isinstance(value, list | tuple):
        return type(value) in (list, tuple) and all(map(_is_plain, value))
    if isinstance(value, dict):
        return type(value) is dict and all(type(key) in _PLAIN and _is_plain(item) for key, item in value.items())
    if isinstance(value, np.ndarray):
        return type(value) is np.ndarray and value.dtype.kind in "biuf"
    return type(value) in _PLAIN
