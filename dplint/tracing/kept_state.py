"""What modules keep between runs: a function that changes it cannot be followed, as paths would see it for other runs.

Looked at is what is reached from the names of the rewritten modules: containers, objects and classes of the project,
default arguments, closures, attributes of functions, iterators, generators of random numbers.

Functions that remember their results for later calls, as `functools.lru_cache` makes them.
"""

from __future__ import annotations

import collections
import functools
import logging
import random
import types
import warnings
import zlib
from typing import Any, Dict, Iterable, Iterator, List, Sequence, Tuple

import numpy as np

from .each import differs
from .lanes import PerLane, tracer
from .paths import ARRAY, NotTraced
from .writes import is_scalar

_CONTAINERS = (list, tuple, set, frozenset, collections.deque)
_FUNCTIONS = (types.FunctionType, types.MethodType)
_GENERATORS = (random.Random, np.random.Generator, np.random.RandomState)
_SIMPLE = (bool, int, float, complex, str, bytes, type(None), types.ModuleType, types.BuiltinFunctionType)
_PACKAGE = __name__.rpartition("tracing.")[0]
"""How this package is called where it runs, with a point at its end."""
_FRESH = ("__builtins__", "__warningregistry__", "__annotations__")
_OF_CLASSES = ("__dict__", "__weakref__", "__slotnames__")
"""What is no state of a class; `copy` notes the last one when it copies the first object of it."""
_Seen = Dict[int, Any]
State = List[Tuple[str, Any]]
"""By what it is called in words, what a value is like."""


class Results(Dict[Any, Tuple[int, Any]]):
    """Results that a function remembers, by its arguments; those that last are told to `KeptState.keep`."""


class KeptState:
    """The state of some modules. begin: notes what it is before the first run."""

    def __init__(self, modules: Sequence[Any]) -> None:
        self._modules = list(modules)
        self._own = {module.__name__ for module in self._modules}
        self._results: List[Tuple[str, Any, List[Any]]] = []
        self._before = self._state()

    def keep(self, name: str, result: Any) -> None:
        """A result that a function of that name gives to later runs as well."""
        self._results.append((name, result, list(self._told(result, {}))))

    def changed(self) -> str:
        """The name of a module that is not what it was any more, and what in it; "" if there is none."""
        for name, result, before in self._results:
            if list(self._told(result, {})) != before:
                return f"what {name} keeps"
        now = self._state()
        if now == self._before:
            return ""
        for one, other in zip(self._before, now):
            if one != other:
                return one[0]
        return (now if len(now) > len(self._before) else self._before)[-1][0]

    def _state(self) -> State:
        state: State = []
        for module in self._modules:
            seen: _Seen = {}
            for name, value in vars(module).items():
                if name not in _FRESH:
                    where = f"{module.__name__}.{name}"
                    state.append((where, id(value)))
                    state.extend((where, told) for told in self._told(value, seen))
        return state

    def _told(self, value: Any, seen: _Seen) -> Iterator[Any]:
        """What can be told of a value and of all that is reached from it."""
        waiting = [value]
        while waiting:
            value = waiting.pop()
            if isinstance(value, PerLane):
                yield "by lane", id(value)
            if isinstance(value, _SIMPLE) or id(value) in seen:
                continue
            seen[id(value)] = value
            inside = list(self._inside(value))
            yield _content(value)
            yield [_identity(item) for item in inside]
            waiting += inside

    def _inside(self, value: Any) -> Iterable[Any]:
        if isinstance(value, Results) or _is_ours(value):
            return []
        if isinstance(value, dict):
            return [part for item in value.items() for part in item] + list(getattr(value, "__dict__", {}).values())
        if isinstance(value, (set, frozenset)):
            return sorted(value, key=id)
        if isinstance(value, _CONTAINERS):
            return list(value)
        if isinstance(value, (*_FUNCTIONS, type, property, staticmethod, classmethod)):
            return self._of_code(value)
        if isinstance(value, (*_GENERATORS, logging.Logger)):
            return []
        kept = getattr(value, "__dict__", None)
        slots = [name for kind in type(value).__mro__ for name in _slots(kind)]
        found = [getattr(value, name) for name in slots if hasattr(value, name)]
        return found + (list(kept.values()) if type(kept) is dict else [])

    def _of_code(self, value: Any) -> Iterable[Any]:
        """What functions and classes keep."""
        if isinstance(value, types.MethodType):
            return [value.__func__, value.__self__]
        if isinstance(value, types.FunctionType):
            if value.__module__ not in self._own:
                return []
            cells = [cell.cell_contents for cell in value.__closure__ or () if _is_full(cell)]
            keywords = list((value.__kwdefaults__ or {}).values())
            return [*(value.__defaults__ or ()), *keywords, *cells, *vars(value).values()]
        if isinstance(value, type):
            own = value.__module__ in self._own
            return [item for name, item in vars(value).items() if name not in _OF_CLASSES] if own else []
        return [item for item in (getattr(value, "fget", None), getattr(value, "__func__", None)) if item]


def _is_ours(value: Any) -> bool:
    """Whether it is what this package has put in place of generators."""
    owner = getattr(value, "__self__", value) if isinstance(value, types.MethodType) else value
    kind: Any = owner if isinstance(owner, type) else type(owner)
    return isinstance(kind.__module__, str) and kind.__module__.startswith(_PACKAGE)


def _slots(kind: type) -> Sequence[str]:
    slots = vars(kind).get("__slots__", ()) if kind.__module__ not in ("builtins", "numpy") else ()
    return [slots] if isinstance(slots, str) else [name for name in slots if not name.startswith("__")]


def _is_full(cell: Any) -> bool:
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


def _identity(value: Any) -> Any:
    """A value by itself where it is simple, else the object that it is."""
    if isinstance(value, (bool, int, str, type(None))):
        return type(value), value
    return (float, value.hex()) if type(value) is float else id(value)


def _content(value: Any) -> Any:
    """What a value of a library is like, which has nothing inside that is looked at."""
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str, zlib.crc32(np.ascontiguousarray(value).tobytes())
    if isinstance(value, (bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, _GENERATORS[0]):
        return _state_of(value.getstate) if type(value) is _GENERATORS[0] else None
    if type(value) is _GENERATORS[1]:
        return _state_of(lambda: value.bit_generator.state)
    if type(value) is _GENERATORS[2]:
        return _state_of(value.get_state)
    if isinstance(value, types.GeneratorType):
        return None if value.gi_frame is None else value.gi_frame.f_lasti
    if hasattr(type(value), "__next__"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _state_of(value.__reduce__)
    return None


def _state_of(told: Any) -> Any:
    try:
        return repr(told())
    except Exception:
        return None


tracer.state_of = KeptState


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
