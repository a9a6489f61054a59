"""For tests: `assert_private` and `find_violation`, and a plugin of pytest.

Nothing else in dplint imports this. The names are loaded when they are asked for, so that a pytest which finds the
plugin starts as fast as before.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dplint.testing.functions import NotCheckedError, PrivacyViolation, Verdict, assert_private, find_violation

__all__ = ["NotCheckedError", "PrivacyViolation", "Verdict", "assert_private", "find_violation"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(f"{__name__}.{'verdict' if name == 'Verdict' else 'functions'}"), name)
