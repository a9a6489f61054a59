"""Masks that are weights: every comparison comes out either way with probability one half.

Values are those of a single run, so they mean little; control flow, and how much weight takes which way, is what the
evaluator makes of it.
"""

from __future__ import annotations

from typing import Any

from dplint.claims import Span
from dplint.readings.concrete import ConcreteInterpretation


class SoftMasks(ConcreteInterpretation):
    """A mask is the probability of being there. `ended` adds up what has returned, raised, or run out of fuel."""

    def __init__(self, fuel: int = 50) -> None:
        super().__init__(lambda node, parameters, size, site: 0.0, fuel)
        self.ended = 0.0

    def everywhere(self) -> float:
        return 1.0

    def nowhere(self) -> float:
        return 0.0

    def both(self, left: float, right: float) -> float:
        return left * right

    def either(self, left: float, right: float) -> float:
        """Of sets that overlap by chance."""
        return left + right - left * right

    def join(self, left: float, right: float) -> float:
        assert left + right <= 1 + 1e-9, "sets that do not overlap have no more than all of the weight"
        return left + right

    def negate(self, mask: float) -> float:
        return 1.0 - mask

    def always(self, mask: float) -> bool:
        return mask == 1.0

    def never(self, mask: float) -> bool:
        return mask == 0.0

    def alive(self, active: float) -> float:
        return active

    def truth(self, value: Any, active: float, span: Span) -> float:
        return 0.5

    def from_mask(self, mask: float) -> bool:
        return mask > 0.5

    def select(self, mask: float, new: Any, old: Any, span: Span) -> Any:
        return new if mask > 0.5 else old

    def returned(self, value: Any, active: float, span: Span) -> None:
        self.ended += active

    def raised(self, exception: str, arguments: Any, active: float, span: Span) -> None:
        # Where a variable was assigned goes together with where a run is, which weights do not know.
        if exception != "UnboundLocalError":
            self.ended += active

    def exhausted(self, active: float, span: Span) -> None:
        self.ended += active
