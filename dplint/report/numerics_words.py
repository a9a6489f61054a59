"""In which numbers a claim is broken: in real ones, or in those that the machine has."""

from __future__ import annotations

from dplint.claims import Numerics
from dplint.outcomes import Violation

IN_MACHINE_NUMBERS = "violation in machine numbers"


def world(violation: Violation) -> str:
    """To be appended: ". Violation in machine numbers; none found in real numbers"; empty for one in real numbers."""
    known = violation.in_real_numbers
    return f". {IN_MACHINE_NUMBERS.capitalize()}; {known}" if violation.numerics is Numerics.MACHINE else ""
