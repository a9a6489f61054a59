"""NumPy and `scipy.special`, imported when something is first computed.

To know the names, parameters and centres of distributions takes neither library: front ends stay light, and the runner
works in environments without SciPy.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from scipy import special
else:

    class _Lazy:
        """A module that is imported when one of its attributes is first asked for."""

        def __init__(self, name: str) -> None:
            self._name = name

        def __getattr__(self, attribute: str) -> Any:
            value = getattr(importlib.import_module(self._name), attribute)
            setattr(self, attribute, value)  # found without this method from now on
            return value

    np = _Lazy("numpy")
    special = _Lazy("scipy.special")

__all__ = ["np", "special"]
