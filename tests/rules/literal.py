"""Examples with a number for epsilon: what holds for "epsilon" holds for 0.7, with 0.7 in claim and scales."""

from __future__ import annotations

import re

VALUE = "0.7"
_PARAMETER = re.compile(r"(def \w+\([^)]*?), epsilon(?=[,)])")


def literal(text: str) -> str | None:
    """The example with a number for epsilon, None where its claim or its parameters are others, or it has helpers."""
    whole = _PARAMETER.sub(r"\1", text.replace('epsilon="epsilon"', f"epsilon={VALUE}"))
    if whole.count("def ") != 1 or re.search(r"\bepsilon *[:)]|[\"']epsilon|epsilon_", whole):
        return None
    body = re.sub(r"\bepsilon\b(?! *=[^=])", VALUE, whole)
    return body if body != whole else None
