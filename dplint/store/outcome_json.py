"""Outcomes as documents of JSON, and back: exactly, or not at all."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from dplint.outcomes import Failed, NoViolation, Outcome, Proved, Untestable, Violation
from dplint.store.codec import Document, codec

_KINDS: Mapping[str, type[Any]] = MappingProxyType(
    {
        "violation": Violation,
        "proved": Proved,
        "no-violation": NoViolation,
        "untestable": Untestable,
        "failed": Failed,
    }
)
_KIND = "outcome"


def outcome_document(outcome: Outcome) -> Document:
    """The outcome as JSON.

    Raises:
        ValueError: it holds something that is not plain, or NaN.
    """
    kind = next(name for name, made in _KINDS.items() if type(outcome) is made)
    return {_KIND: kind, **codec(type(outcome)).write(outcome)}


def read_outcome(document: object) -> Outcome | None:
    """The outcome that was written as this document; None for any document that was not made that way."""
    if not isinstance(document, dict):
        return None
    made = _KINDS.get(kind) if isinstance(kind := document.get(_KIND), str) else None
    if made is None:
        return None
    try:
        found: Outcome = codec(made).read({key: value for key, value in document.items() if key != _KIND})
    except (ValueError, RecursionError):
        return None
    return found
