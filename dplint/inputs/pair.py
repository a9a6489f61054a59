"""One pair of neighbouring data."""

from dplint.claims import Pair

__all__ = ["Pair"]
