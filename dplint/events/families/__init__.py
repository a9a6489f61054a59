"""Event families. A new file with a `Family` in it is all that a new family takes: it is found here."""

from __future__ import annotations

import pkgutil
from functools import lru_cache
from importlib import import_module
from inspect import isabstract, isclass
from typing import TypeGuard

from dplint.events.family import Family


@lru_cache(maxsize=1)
def families() -> tuple[type[Family], ...]:
    """All families, in their order."""
    modules = [import_module(f"{__name__}.{found.name}") for found in pkgutil.iter_modules(__path__)]
    found = [value for module in modules for value in vars(module).values() if _is_family(value, module.__name__)]
    return tuple(sorted(found, key=lambda family: (family.ORDER, family.__name__)))


def _is_family(value: object, module: str) -> TypeGuard[type[Family]]:
    """Whether this is a family that the module defines, and not one that it imports."""
    return isclass(value) and issubclass(value, Family) and not isabstract(value) and value.__module__ == module
