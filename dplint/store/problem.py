"""What goes wrong with a cache, in words for people."""

from __future__ import annotations


class StoreProblem(Exception):
    """An entry cannot be used or kept; the message says why, for people."""
