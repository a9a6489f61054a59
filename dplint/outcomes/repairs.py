"""Repairs: edits of a mechanism's source under which its claim was judged before anybody sees them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from dplint.outcomes.findings import Edit, Fix


class Known(StrEnum):
    """How it is known that the claim holds after a repair."""

    PROVED = "proved"
    EXACT = "exact"
    NOT_REFUTED = "not-refuted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Repair:
    """Edits of one file that do not overlap, and what was found out of the mechanism with them.

    diff: the same as a unified diff. known: PROVED: for all that the claim speaks of; EXACT: no loss on any pair that
    was computed is more than is claimed; NOT_REFUTED: `runs` single runs have found nothing. error_before, error_after:
    the standard deviation of the numbers in an output, by runs of both programs on the same data; None if that is not
    known.
    """

    title: str
    edits: tuple[Edit, ...]
    diff: str
    known: Known
    error_before: float | None = None
    error_after: float | None = None
    runs: int = 0

    @property
    def fix(self) -> Fix:
        """The repair as the fix of a finding: safe if it is proved."""
        return Fix(self.title, self.edits, safe=self.known is Known.PROVED)
