"""A library against its own word: what its constructors say of their stability becomes claims, which pairs test.

An adapter is a script that runs in the user's interpreter and prints one JSON document: `library`, its name and
version; `setup`, Python that imports it; and `claims`, a list of what was made. Each has `make`, an expression for a
callable, and arguments of `stable`: `neighbors`, `domain` (Python), `size`, `d_out` and `metric`.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ADAPTERS = Path(__file__).parent / "libraries"
MODULE = "library_claims"
"""The name of the module that the claims are written into."""
_RUN = "import sys; text = open(sys.argv[1]).read(); exec(compile(text, sys.argv[1], 'exec'), {'__name__': '__main__'})"
_HEAD = """{setup}

_MADE = {{}}


def _apply(number, data):
    if number not in _MADE:
        _MADE[number] = eval(_CALLS[number])
    return _MADE[number](data)


_CALLS = {calls}
"""


class AdapterError(Exception):
    """An adapter that prints no claims, for the reason in words."""


def adapters() -> tuple[str, ...]:
    """The libraries that there is an adapter for."""
    return tuple(sorted(path.stem for path in ADAPTERS.glob("*.py")))


def ask(adapter: Path, interpreter: str, seconds: float) -> dict[str, Any]:
    """The document of an adapter.

    Raises:
        AdapterError: it fails, takes longer, or prints something else.
    """
    try:
        done = subprocess.run(
            [interpreter, "-c", _RUN, str(adapter)], capture_output=True, text=True, timeout=seconds, check=False
        )
    except subprocess.TimeoutExpired:
        raise AdapterError(f"it has printed nothing in {seconds:g} s") from None
    if done.returncode:
        raise AdapterError((done.stderr.strip().splitlines() or ["it ended without a word"])[-1])
    try:
        document: dict[str, Any] = json.loads(done.stdout)
        missing = [one for one in ("library", "setup", "claims") if one not in document]
    except (ValueError, TypeError):
        raise AdapterError("it prints no JSON") from None
    if missing:
        raise AdapterError(f"what it prints lacks {', '.join(missing)}")
    return document


def claimed_module(document: dict[str, Any]) -> str:
    """The text of a module with a function for each claim, named by its number: `claim_0`, `claim_1`, ..."""
    claims: Sequence[dict[str, Any]] = document["claims"]
    parts = [_HEAD.format(setup=document["setup"], calls=[one["make"] for one in claims])]
    for number, one in enumerate(claims):
        size = f", size={one['size']}" if one.get("size") else ""
        said = f'd_out={one["d_out"]!r}, metric="{one["metric"]}", neighbors="{one["neighbors"]}"'
        parts.append(f"\n# dplint: stable({said}, domain={one['domain']}{size})")
        parts.append(f"def claim_{number}(data):\n    return _apply({number}, data)\n")
    return "\n".join(parts)
