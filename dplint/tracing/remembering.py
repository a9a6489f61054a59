"""Functions that remember their results for later calls, as `functools.lru_cache` makes them."""

from __future__ import annotations

import functools
import types
from typing import Any

import numpy as np

from .each import differs
from .kept_state import Results
from .kinds import ARRAY, NotTraced
from .lanes import PerLane, tracer
from .places import is_scalar


def decorator(function: Any) -> Any:
    """A decorator. Those that remember results for later calls are replaced: lanes would get those of others."""
    if function in (functools.lru_cache, getattr(functools, "cache", None)):
        return _remembering
    if isinstance(function, types.FunctionType) and function.__qualname__.startswith("lru_cache.<locals>"):
        return _remembering
    return function


def _remembering(function: Any) -> Any:
    """The function with the results of calls whose arguments are the same in all lanes; others are made anew."""
    results = Results()

    @functools.wraps(function)
    def remembering(*args: Any, **named: Any) -> Any:
        by_lane = _hashed((args, tuple(named.values())))
        key = None if by_lane else (args, tuple(map(type, args)), tuple(sorted(named.items())))
        path, result = results.get(key, (0, None)) if key is not None else (0, None)
        if path in (-1, tracer.paths):
            return result
        drawn = tracer.drawn
        result = function(*args, **named)
        if tracer.drawn != drawn:
            raise NotTraced(f"{function.__qualname__} keeps what was drawn in one run for later runs")
        if by_lane and not (isinstance(result, tuple) or is_scalar(result)):
            raise tracer.singly()
        if key is not None and not tracer.branches:
            lasting = not differs(result)
            results[key] = (-1 if lasting else tracer.paths, result)
            if lasting and tracer.state is not None:
                tracer.state.keep(function.__qualname__, result)
        return result

    remembering.cache_clear = results.clear  # type: ignore[attr-defined]
    return remembering


def _hashed(value: Any) -> bool:
    """Whether a key differs by lane. Raises TypeError where Python would, as it cannot be hashed."""
    if isinstance(value, PerLane):
        if value.form == ARRAY:
            hash(np.empty(0))  # raises what Python raises
        return True
    if isinstance(value, tuple):
        told = [_hashed(item) for item in value]  # all of them, as one that cannot be hashed raises
        return any(told)
    hash(value if not differs(value) else type(value)())
    return False
