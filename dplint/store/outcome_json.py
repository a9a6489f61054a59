"""Outcomes as documents of JSON, and back: exactly, or not at all."""

from __future__ import annotations

from typing import TypeAlias

from dplint.outcomes import Outcome
from dplint.store.codec import codec

Document: TypeAlias = list[object]


def outcome_document(outcome: Outcome) -> Document:
    """The outcome as JSON: the name of its type, and its fields.

    Raises:
        ValueError: it holds something that is not plain, or NaN.
    """
    document: Document = codec(Outcome).write(outcome)
    return document


def read_outcome(document: object) -> Outcome | None:
    """The outcome that was written as this document; None for any document that was not made that way."""
    try:
        found: Outcome = codec(Outcome).read(document)
    except (ValueError, RecursionError):
        return None
    return found
