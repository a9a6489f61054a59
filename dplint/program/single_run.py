"""Masks of an interpretation that follows one run: a bool, whether the run is here."""

from __future__ import annotations


class SingleRun:
    """The part of the protocol `Interpretation` that is about masks, but for `alive`, which says how a run ends."""

    def everywhere(self) -> bool:
        """The run."""
        return True

    def nowhere(self) -> bool:
        """No run."""
        return False

    def both(self, left: bool, right: bool) -> bool:
        """Conjunction."""
        return left and right

    def either(self, left: bool, right: bool) -> bool:
        """Disjunction."""
        return left or right

    def join(self, left: bool, right: bool) -> bool:
        """Disjunction."""
        return left or right

    def negate(self, mask: bool) -> bool:
        """Negation."""
        return not mask

    def always(self, mask: bool) -> bool:
        """Whether the mask holds."""
        return mask

    def never(self, mask: bool) -> bool:
        """Whether it does not."""
        return not mask

    def impossible(self, mask: bool) -> bool:
        """See `never`."""
        return self.never(mask)

    def checkpoint(self, active: bool) -> bool:
        """Nothing to let go of."""
        return active

    def from_mask(self, mask: bool) -> bool:
        """The mask itself."""
        return mask
