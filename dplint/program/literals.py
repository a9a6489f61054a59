"""Values as Python literals. For those who do not need the nodes of a program too, which take time to import."""

from __future__ import annotations

import math
from collections.abc import Callable

from dplint.claims import Literal

_LONG = 2000
"""Bits of integers that are written in hexadecimal: Python refuses to make decimals of very long ones."""


def literal_code(value: Literal | bytes, text: Callable[[str], str] = repr) -> str:
    """The value on one line; `text` quotes strings. Raises ValueError for what is no literal."""
    match value:
        case int() if value.bit_length() >= _LONG:
            return hex(value)
        case None | bool() | int() | bytes():
            return repr(value)
        case float():
            return repr(value) if math.isfinite(value) else f"float({text(repr(value))})"
        case str():
            return text(value)
        case list():
            return f"[{', '.join(literal_code(item, text) for item in value)}]"
        case tuple():
            inner = ", ".join(literal_code(item, text) for item in value)
            return f"({inner},)" if len(value) == 1 else f"({inner})"
        case dict():
            entries = (f"{literal_code(key, text)}: {literal_code(item, text)}" for key, item in value.items())
            return f"{{{', '.join(entries)}}}"
    raise ValueError(f"no literal: {type(value).__name__}")
