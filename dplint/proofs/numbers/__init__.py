"""Runs of the checker's own reading of a program, with numbers put in for its terms: to be compared with a function."""

from dplint.proofs.numbers.reading import CheckedReading, KnownDraw

__all__ = ["CheckedReading", "KnownDraw"]
