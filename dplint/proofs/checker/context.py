"""What operators and functions ask of the run that they are part of."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import z3

from dplint.claims import Span
from dplint.proofs.checker.intervals import Intervals
from dplint.proofs.checker.paths import Decider
from dplint.proofs.checker.values import Leaves, Mask, Value, Values


class Context(Protocol):
    """One run; `walking.Walk` is one, and says what these do."""

    # ruff: noqa: D102

    decider: Decider
    leaves: Leaves
    intervals: Intervals
    numpy: bool

    def truth(self, value: Value, active: Mask, span: Span) -> Mask: ...
    def decided(self, condition: Mask, active: Mask) -> Mask: ...
    def choose(self, options: Sequence[z3.BoolRef]) -> int: ...
    def alive(self, active: Mask) -> Mask: ...
    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, span: Span) -> None: ...
    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value: ...
    def by_element(self, function: Callable[..., Value], values: Sequence[Value], span: Span) -> Value: ...


@dataclass(frozen=True, slots=True)
class Asked:
    """A call of a function, or of a method of the first of the arguments."""

    function: str
    arguments: tuple[Value, ...]
    keywords: Values
    active: Mask
    span: Span
    method: bool = False

    @property
    def name(self) -> str:
        """Without its module."""
        return self.function.rpartition(".")[2]

    @property
    def of_numpy(self) -> bool:
        """Whether it is a function of NumPy's."""
        return self.function.startswith("numpy.")
