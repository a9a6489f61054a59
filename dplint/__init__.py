"""dplint: a linter for differential privacy."""

from dplint.decorator import dp, stable

__version__ = "0.1.0"

__all__ = ["__version__", "dp", "stable"]
