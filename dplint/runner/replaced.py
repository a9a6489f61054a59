"""What the user's module replaces of modules that the runner calls as well. Runs in the user's interpreter."""

from __future__ import annotations

import sys
from typing import Any, Dict, List

_CALLED = ("builtins", "json", "math", "os", "random", "struct", "sys", "time", "numpy", "numpy.random")
_MOST_NAMED = 3


class Watched:
    """Functions and classes as they were before an import."""

    def __init__(self) -> None:
        self._before: Dict[str, Dict[str, Any]] = {
            module: {name: value for name, value in vars(sys.modules[module]).items() if callable(value)}
            for module in _CALLED
            if module in sys.modules
        }

    def replaced(self) -> List[str]:
        """The names of those that are others now."""
        return [
            f"{module}.{name}"
            for module, before in self._before.items()
            for name, value in before.items()
            if vars(sys.modules.get(module, sys)).get(name, value) is not value
        ]


def words(names: List[str]) -> str:
    """What they are to whoever looks for a cause; empty for none."""
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    return f"; the module replaces {', '.join(names[:_MOST_NAMED])}{more}, which dplint calls as well" if names else ""
