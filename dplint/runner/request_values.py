"""Fresh copies of data and arguments for every run. Runs in the user's interpreter."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, Optional

import numpy as np

_ATOMS = (bool, int, float, str, bytes, complex, type(None))


def copy_expression(name: str, value: Any) -> str:
    """Source text that makes a fresh copy of the value called `name`, as cheaply as its type allows."""
    kind = type(value)
    if kind in _ATOMS or (kind in (tuple, frozenset) and _flat(value)):
        return name
    own = _own_copy(kind, value)
    if own is not None:
        return f"{name}.{own}()"
    if kind is list:
        if _flat(value):
            return f"{name}[:]"
        if all(type(item) is dict and _flat(item.values()) for item in value):
            return f"[{{**record}} for record in {name}]"
        if all(type(item) is list and _flat(item) for item in value):
            return f"[record[:] for record in {name}]"
        if all(type(item) is tuple and _flat(item) for item in value):
            return f"{name}[:]"
    if kind is dict and _flat(value.values()):
        return f"{{**{name}}}"
    try:
        deepcopy(value)
    except Exception:
        # An object that cannot be copied is shared by all runs; the mechanism's own doing.
        return name
    return f"deepcopy({name})"


def _own_copy(kind: type, value: Any) -> Optional[str]:
    """The method by which a value of this type copies itself, None if there is none that suffices."""
    if kind.__module__.partition(".")[0] == "polars":
        return "clone"
    if (kind is set and _flat(value)) or (kind is np.ndarray and value.dtype != object):
        return "copy"
    return "copy" if kind.__name__ in ("DataFrame", "Series") else None


def _flat(values: Any) -> bool:
    return all(type(value) in _ATOMS for value in values)
