"""What the user's module replaces of modules that the runner calls as well. Runs in the user's interpreter."""

from __future__ import annotations

import sys
from typing import Any, Dict, List

from .failures import CRASH, INTERNAL, Failure, user_traceback

_CALLED = ("builtins", "json", "math", "os", "random", "struct", "sys", "time", "numpy", "numpy.random")
_MOST_NAMED = 3


class Watched:
    """Functions and classes as they were before the import, and which of them are others after it."""

    def __init__(self) -> None:
        self._replaced: List[str] = []
        self._before: Dict[str, Dict[str, Any]] = {
            module: {name: value for name, value in vars(sys.modules[module]).items() if callable(value)}
            for module in _CALLED
            if module in sys.modules
        }

    def look(self) -> None:
        """Right after the import: later the runner replaces some itself, for as long as it makes runs."""
        self._replaced = [
            f"{module}.{name}"
            for module, before in self._before.items()
            for name, value in before.items()
            if vars(sys.modules.get(module, sys)).get(name, value) is not value
        ]

    def blamed(self, failure: Failure, error: BaseException) -> Failure:
        """The failure; one of the runner itself is that of the module where this has replaced what the runner calls."""
        if not self._replaced or failure.document["kind"] != INTERNAL:
            return failure
        more = f" and {len(self._replaced) - _MOST_NAMED} more" if len(self._replaced) > _MOST_NAMED else ""
        names = f"the module replaces {', '.join(self._replaced[:_MOST_NAMED])}{more}, which dplint calls as well"
        return Failure(CRASH, f"{failure.document['reason']}; {names}", user_traceback(error))
