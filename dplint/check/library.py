"""A library against its own word: what its constructors say of stability and privacy becomes claims, which are tested.

An adapter is a script that runs in the user's interpreter and prints one JSON document: `library`, its name and
version; `setup`, Python that imports it; and `claims`, a list of what was made. Each has `make`, an expression for a
callable, and arguments of `stable`, `d_out` and `metric`, or of `dp`, `epsilon` and `delta`, or `rho`. Both have
`neighbors`, and may have `domain` (Python), `size`, and `kind`, an annotation of the data. In place of `neighbors` and
`domain` may stand `pairs`, an expression for neighbouring inputs, one pair after the other.
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
_VALUES = ("d_out", "metric", "epsilon", "delta", "rho", "neighbors", "size")
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


def adapter_of(name: str) -> Path | None:
    """The file of an adapter: of a library by its name, or a script by its path; None if there is none."""
    adapter = Path(name) if name.endswith(".py") else ADAPTERS / f"{name}.py"
    return adapter if adapter.is_file() else None


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


def claimed_module(document: dict[str, Any], *, stable: bool) -> str:
    """The text of a module with a function for each claim of stability, or of privacy, named by its number.

    Of all claims that is: `claim_0`, `claim_1`, ...
    """
    claims: Sequence[dict[str, Any]] = document["claims"]
    parts = [_HEAD.format(setup=document["setup"], calls=[one["make"] for one in claims])]
    for number, one in enumerate(claims):
        values = {name: repr(one[name]) for name in _VALUES if one.get(name) is not None}
        values |= {"domain": str(one["domain"])} if one.get("domain") else {}
        kind = f": {one['kind']}" if one.get("kind") else ""
        if stable is not ("d_out" in one):
            continue
        if one.get("pairs"):
            values["neighbors"] = f"pairs_{number}"
            parts.append(f"\ndef pairs_{number}():\n    yield from {one['pairs']}\n")
        claim = "stable" if stable else "dp"
        parts.append(f"\n# dplint: {claim}({', '.join(f'{name}={value}' for name, value in values.items())})")
        parts.append(f"def claim_{number}(data{kind}):\n    return _apply({number}, data)\n")
    return "\n".join(parts)
