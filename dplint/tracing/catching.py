"""Whether code catches exceptions, which recordings tell: an exception that no run has raised may lead elsewhere."""

from __future__ import annotations

import contextlib
from typing import Any

from .recording import operation

_CATCHING = (contextlib.suppress, contextlib.ExitStack)
_LIBRARIES = frozenset({"_io", "_thread", "contextlib", "decimal", "io", "numpy", "tempfile", "threading", "warnings"})
"""Modules whose other context managers catch none."""


@operation
def catches() -> None:
    """The code in hand catches some."""


def entered(manager: Any) -> Any:
    """A context manager, which may catch some."""
    kind = type(manager)
    if isinstance(manager, _CATCHING) or kind.__module__.partition(".")[0] not in _LIBRARIES:
        catches()
    return manager
