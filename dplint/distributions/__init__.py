"""What is known of the distributions that mechanisms draw from, in one object each; all readers take it from here.

A new file in `known` is a new distribution. This package is also carried to the runner, in the user's interpreter:
Python 3.9 and later, relative imports only, NumPy and SciPy only when something is computed.
"""

from .distribution import INFINITE, Distribution, Formulas, Law, NotDefinedError, Outcomes, Parameters, Piece, ShiftCost
from .registry import UnknownDistributionError, distributions, draw_signatures, of, program_draws
from .signatures import (
    GENERATOR,
    LEGACY,
    PACKAGES,
    PYTHON,
    SCIPY,
    SIZE,
    Argument,
    DrawSignature,
    OtherArgumentError,
    reorder,
)

__all__ = [
    "GENERATOR",
    "INFINITE",
    "LEGACY",
    "PACKAGES",
    "PYTHON",
    "SCIPY",
    "SIZE",
    "Argument",
    "Distribution",
    "DrawSignature",
    "Formulas",
    "Law",
    "NotDefinedError",
    "OtherArgumentError",
    "Outcomes",
    "Parameters",
    "Piece",
    "ShiftCost",
    "UnknownDistributionError",
    "distributions",
    "draw_signatures",
    "of",
    "program_draws",
    "reorder",
]
