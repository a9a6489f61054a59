"""Values of users as they are sent to be shown: literals, else texts. Runs in the user's interpreter."""

from __future__ import annotations

import contextlib
from typing import Any

import numpy as np

from .failures import summary
from .literals import encode

MOST_SHOWN = 1000
"""Characters of a text."""


def shown_as(value: Any) -> Any:
    """The value as a literal, and whether that is all of it; else its text."""
    with contextlib.suppress(TypeError):
        return {"literal": encode(value), "plain": True}
    if isinstance(value, np.generic):
        value = value.item()
    try:
        return {"literal": encode(_without_numpy(value))}
    except TypeError:
        return {"repr": text_of(value)}


def _without_numpy(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    if type(value) in (list, tuple):
        return type(value)(_without_numpy(item) for item in value)
    if type(value) is dict:
        return {key: _without_numpy(item) for key, item in value.items()}
    return value


def text_of(value: Any) -> str:
    """Its repr, cut; what that raises, if it does."""
    try:
        text = repr(value)
    except Exception as error:
        return f"<{type(value).__name__} whose repr raises {summary(error)}>"
    return text if len(text) <= MOST_SHOWN else text[: MOST_SHOWN - 1] + "…"
