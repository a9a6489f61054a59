"""What operators and functions ask of the run that they are part of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import z3

from dplint.claims import Span
from dplint.proofs.checker.paths import Decider
from dplint.proofs.checker.values import Leaves, Mask, Value


class Context(Protocol):
    """One run; `walking.Walk` is one."""

    decider: Decider
    leaves: Leaves
    numpy: bool

    def truth(self, value: Value, active: Mask, span: Span) -> Mask:
        """Python's truth."""

    def decided(self, condition: Mask, active: Mask) -> Mask:
        """How a condition comes out."""

    def choose(self, options: Sequence[z3.BoolRef]) -> int:
        """Decide among options of which exactly one holds."""

    def alive(self, active: Mask) -> Mask:
        """Without what an exception has ended."""

    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, span: Span) -> None:
        """An exception ends the run where the mask holds."""

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """An operator."""
