"""Python's own function, called lane by lane: slow, and always right for functions without effects."""

from __future__ import annotations

import collections
import itertools
from typing import Any, Callable, Dict, List, Mapping, Sequence

import numpy as np

from .lanes import PerLane, distinct, in_lanes, tracer
from .paths import ARRAY, BOOL, EXACT, FLOAT, INT, NONE, NUMPY, NUMPY_FLOAT, PYTHON, SCALARS, UNKNOWN, AtSide, objects
from .recording import operation

IMMUTABLE = frozenset(
    {"decimal", "_decimal", "_pydecimal", "fractions", "datetime", "pathlib", "uuid", "numpy", "numbers"}
)
"""Modules whose objects a function may get and give as it likes: nobody can change them."""
_CONTAINERS = (list, tuple, set, frozenset, collections.deque)
_MANY = 64
"""Lanes from which on it is looked for values that they share."""
_KINDS = {bool: BOOL, int: INT, float: FLOAT, type(None): NONE, np.float64: NUMPY_FLOAT}


def differs(value: Any, depth: int = 4) -> bool:
    """Whether something inside of a value differs by lane."""
    if isinstance(value, PerLane):
        return True
    if depth and isinstance(value, _CONTAINERS):
        return any(differs(item, depth - 1) for item in value)
    if depth and isinstance(value, dict):
        return any(differs(item, depth - 1) for item in itertools.chain(value.keys(), value.values()))
    if isinstance(value, slice):
        return any(isinstance(part, PerLane) for part in (value.start, value.stop, value.step))
    return False


def by_lane(value: Any) -> Callable[[int], Any]:
    """What a value is in a lane, as a function of its number."""
    if isinstance(value, PerLane):
        if value.form == ARRAY:
            rows = tracer.rows(value)
            return lambda lane: np.array(rows[lane])
        return tracer.items(value).__getitem__
    if not differs(value):
        return lambda _: value
    if isinstance(value, slice):
        parts = [by_lane(part) for part in (value.start, value.stop, value.step)]
        return lambda lane: slice(*[part(lane) for part in parts])
    if isinstance(value, dict):
        keys, values = [by_lane(key) for key in value], [by_lane(item) for item in value.values()]
        return lambda lane: dict(zip([key(lane) for key in keys], [item(lane) for item in values]))
    items = [by_lane(item) for item in value]
    if hasattr(value, "_fields"):
        return lambda lane: type(value)(*[item(lane) for item in items])
    return lambda lane: type(value)([item(lane) for item in items])


@operation
def each(function: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The function's results as one value by lane; lanes are split where these have different shapes, or raise."""
    if tracer.count > _MANY and tracer.mask is None and not tracer.at_side and not differs(list(named.values())):
        result = _of_distinct(function, args, named)
        if result is not NotImplemented:
            return result
    tracer.one_by_one_calls += 1
    given = [by_lane(value) for value in args]
    by_name = {name: by_lane(value) for name, value in named.items()}
    mask = tracer.mask
    lanes = range(tracer.count) if mask is None else np.flatnonzero(mask).tolist()
    results: List[Any] = [None] * tracer.count
    shapes: List[Any] = [None] * tracer.count
    passed: Dict[int, List[Any]] = {}
    with tracer.one_by_one():
        for lane in lanes:
            try:
                passed[lane] = [_read_only(value(lane)) for value in given]
                results[lane] = function(*passed[lane], **{name: value(lane) for name, value in by_name.items()})
                shapes[lane] = _shape(results[lane])
            except Exception as error:
                if isinstance(error, ValueError) and "read-only" in str(error):
                    raise tracer.singly() from None
                results[lane] = error
                shapes[lane] = ("raises", type(error), repr(error.args))
    if mask is not None:
        for lane in np.flatnonzero(~mask).tolist():
            results[lane] = results[lanes[0]]
    kept = tracer.shapes_split(shapes)
    if shapes[kept[0]][0] == "raises":
        raise results[kept[0]]
    result = gathered([results[lane] for lane in kept])
    shown = kept[0] if kept[0] in passed else lanes[0]
    _mind_aliases(result, results[shown], list(zip(args, passed[shown])))
    return result


def _of_distinct(function: Callable[..., Any], args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """The same where one argument differs by lane, and has few values; NotImplemented elsewhere."""
    (value, *others) = [arg for arg in args if differs(arg)] or [None]
    known = distinct(value) if isinstance(value, PerLane) and not others else None
    if known is None:
        return NotImplemented
    rows, codes = known
    try:
        with tracer.aside(len(rows)):
            few = PerLane(rows, value.form)
            result = each(function, [few if arg is value else arg for arg in args], named)
    except AtSide:
        return NotImplemented
    return in_lanes(result, codes)


def _read_only(value: Any) -> Any:
    """What a function that writes into its arguments is not to write."""
    if isinstance(value, np.ndarray):
        value = value.view()
        value.flags.writeable = False
    return value


def _mind_aliases(result: Any, in_lane: Any, args: Sequence[Any]) -> None:
    """An array that shares items with an argument must not be written as if it did not."""
    if isinstance(result, (list, tuple)):
        for item, own in zip(result, in_lane):
            _mind_aliases(item, own, args)
    elif isinstance(result, PerLane) and result.form == ARRAY:
        for value, own in args:
            if isinstance(own, np.ndarray) and np.may_share_memory(own, in_lane):
                if not isinstance(value, PerLane):
                    raise tracer.singly()
                result.share(UNKNOWN)
                value.share(UNKNOWN)


def _shape(value: Any) -> Any:
    """What values must agree in to be one value by lane."""
    if isinstance(value, np.ndarray):
        return ("array", value.shape, value.dtype.str)
    if isinstance(value, (list, tuple)):
        return (type(value), tuple(map(_shape, value)))
    if isinstance(value, dict):
        return (dict, tuple(value), tuple(map(_shape, value.values())))
    if isinstance(value, SCALARS):
        return ("scalar",)
    immutable = type(value).__module__.partition(".")[0] in IMMUTABLE or isinstance(value, (bytes, complex))
    return ("object", type(value), None if immutable else id(value))


def gathered(values: List[Any]) -> Any:
    """Values of one shape, one for each lane, as one value."""
    first = values[0]
    if isinstance(first, np.ndarray):
        return PerLane(np.stack(values), ARRAY)
    if isinstance(first, dict):
        return {key: gathered([value[key] for value in values]) for key in first}
    if isinstance(first, (list, tuple)):
        parts = [gathered(list(items)) for items in zip(*values)]
        return type(first)(*parts) if hasattr(first, "_fields") else type(first)(parts)
    if not isinstance(first, SCALARS):
        return first if all(value is first for value in values) else PerLane(objects(values))
    return scalars(values)


def scalars(values: List[Any]) -> Any:
    """Scalars, one for each lane, as one value; where all are the same object, that object."""
    kinds = set(map(type, values))
    if len(kinds) == 1:
        kind = kinds.pop()
        if issubclass(kind, np.generic):
            return PerLane(np.array(values, kind), NUMPY)
        if kind in (bool, float) or (kind is int and _fits(values, 2**62)):
            return PerLane(np.array(values))
        if kind is type(None):
            return None
        return PerLane(objects(values))
    if kinds <= _KINDS.keys() and _fits([value for value in values if type(value) is int], EXACT):
        numbers = np.array([np.nan if value is None else value for value in values], np.float64)
        return PerLane(numbers, PYTHON, np.array([_KINDS[type(value)] for value in values], np.uint8))
    return PerLane(objects(values))


def _fits(values: List[int], limit: int) -> bool:
    return not values or (-limit < min(values) and max(values) < limit)
