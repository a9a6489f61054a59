"""What a path did to values by lane, as a list of operations: the residual program of a function on one input.

Python ran the function; what is left are the operations on values by lane. An *operation* is a function of this
package that alone may look into such values. What it gives back decides how Python goes on, so it is noted: values by
lane by their numbers, everything else as it is. Where the same operations give the same answers again, Python would
take the same way again; where an answer is another one, another path begins.

Sound: outside of operations nothing looks into a value by lane (`Recording.looked`), so the way of a path is a
function of the answers that were noted.
"""

from __future__ import annotations

import base64
import functools
from typing import Any, Callable, Dict, List, Optional, Tuple, TypeVar, cast

import numpy as np

_T = TypeVar("_T")
_F = TypeVar("_F", bound=Callable[..., Any])
Json = Any
"""Numbers, texts, lists, None: what can be sent as JSON."""
Step = Tuple[str, Json, Json]
"""An operation by its name, its arguments, and what it gave back."""

_MOST_BITS = 4096
"""Of whole numbers that are told: JSON takes few that are larger."""
OPERATIONS: Dict[str, Callable[..., Any]] = {}
"""All operations by their names."""
_NAMED: Dict[str, Any] = {"None": None, "Ellipsis": Ellipsis, "NotImplemented": NotImplemented}
"""What a residual program may name: functions without effects, classes, and objects of which there is one."""
_NAMES: Dict[int, str] = {id(value): name for name, value in _NAMED.items()}


class NotRecorded(Exception):
    """What a path did cannot be said as operations, for the reason in words."""


def nameable(value: _T, name: str = "") -> _T:
    """The value, which recordings may name from now on: a function without effects, a class, or what there is once.

    Whoever works for the user's code can forge a recording, so nothing else is ever called by name.
    """
    name = name or f"{value.__module__}.{value.__qualname__}"  # type: ignore[attr-defined]
    _NAMED[name] = value
    _NAMES[id(value)] = name
    return value


class Values:
    """The values by lane of a path, by number in the order in which operations gave them."""

    def __init__(self) -> None:
        self.values: List[Any] = []
        self._numbers: Dict[int, int] = {}

    def number(self, value: Any) -> Optional[int]:
        """The number of a value; None if no operation gave it."""
        return self._numbers.get(id(value))

    def add(self, value: Any) -> int:
        """Give a value the next number."""
        number = self._numbers[id(value)] = len(self.values)
        self.values.append(value)
        return number

    def put(self, number: int, value: Any) -> None:
        """Have a value where there is a place for it, or where another one was."""
        self._numbers.pop(id(self.values[number]), None)
        self._numbers[id(value)] = number
        self.values[number] = value


class Recording:
    """The steps of the path in hand. inside: whether an operation is at work. lost: why they do not tell the path."""

    per_lane: Any
    """The class of values by lane, which `lanes` puts here."""

    def __init__(self) -> None:
        self.begin()

    def begin(self) -> None:
        """Another path follows."""
        self.steps: List[Step] = []
        self.values = Values()
        self.inside = False
        self.lost = ""

    def looked(self) -> None:
        """Values by lane are looked into."""
        if not self.inside and not self.lost:
            self.lost = "what differs from run to run was looked at in a way that is not recorded"

    def take(self, name: str, function: Callable[..., Any], args: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
        """Do an operation, and note it."""
        try:
            described = [
                [self.described(value) for value in args],
                [[key, self.described(value)] for key, value in named.items()],
            ]
        except NotRecorded as reason:
            return self._unnamed(function, args, named, str(reason))
        self.inside = True
        try:
            result = function(*args, **named)
        except Exception as error:
            self.steps.append((name, described, raised(error)))
            raise
        finally:
            self.inside = False
        try:
            self.steps.append((name, described, self.answer(result)))
        except NotRecorded as reason:
            self.lost = self.lost or str(reason)
        return result

    def _unnamed(self, function: Callable[..., Any], args: Tuple[Any, ...], named: Dict[str, Any], reason: str) -> Any:
        """An operation on what cannot be named: it may only say that it does not know these things."""
        result: Any = None
        self.inside = True
        try:
            result = function(*args, **named)
        finally:
            self.inside = False
            if result is not NotImplemented:
                self.lost = self.lost or reason
        return result

    def described(self, value: Any) -> Json:
        """An argument. Raises NotRecorded."""
        if isinstance(value, self.per_lane):
            number = self.values.number(value)
            if number is None:
                raise NotRecorded("a value that differs from run to run comes from where nothing is recorded")
            return ["v", number]
        return described(value, self.described)

    def answer(self, result: Any) -> Json:
        """What an operation gave back; values by lane that are new get numbers. Raises NotRecorded."""
        if isinstance(result, self.per_lane):
            number = self.values.number(result)
            return ["v", number] if number is not None else ["new", self.values.add(result), *shape_of(result)]
        return described(result, self.answer)


def raised(error: Exception) -> Json:
    """That an operation raised, in which words."""
    return ["raises", type(error).__name__, repr(error.args)]


def shape_of(value: Any) -> List[Json]:
    """What code may ask of a value by lane without looking into its lanes."""
    rows = value.rows if value.base is None else value.view(value.base.rows)
    return [value.form, rows.dtype.str, value.kinds is not None, list(rows.shape[1:])]


def operation(function: _F) -> _F:
    """A decorator: the function is an operation."""
    return operation_named(f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}")(function)


def operation_named(name: str) -> Callable[[_F], _F]:
    """The same for functions that are made in a loop."""

    def put(function: _F) -> _F:
        OPERATIONS[name] = function

        @functools.wraps(function)
        def recorded(*args: Any, **named: Any) -> Any:
            recording = current[0]
            if recording is None or recording.inside:
                return function(*args, **named)
            return recording.take(name, function, args, named)

        return cast(_F, recorded)

    return put


current: List[Optional[Recording]] = [None]
"""The recording that is being made, if any."""


def described(value: Any, inner: Callable[[Any], Json]) -> Json:
    """A value without lanes as JSON. inner: describes what is inside. Raises NotRecorded."""
    kind = type(value)
    if kind is int:
        return _whole(value)
    if kind is bool or kind is str:
        return ["=", value]
    if kind is float:
        return ["float", value.hex()]
    if kind in (list, tuple, set, frozenset):
        return [kind.__name__, [inner(item) for item in (value if kind in (list, tuple) else _in_order(value))]]
    if kind is dict:
        return ["dict", [[inner(key), inner(item)] for key, item in value.items()]]
    if kind in (slice, range):
        return [kind.__name__, [inner(part) for part in (value.start, value.stop, value.step)]]
    if isinstance(value, np.generic) or kind is np.ndarray:
        return _array(value)
    if isinstance(value, np.dtype):
        return ["dtype", value.str]
    name = _NAMES.get(id(value))
    if name is None:
        raise NotRecorded(f"it works with {getattr(value, '__name__', None) or type(value).__name__}")
    return ["named", name]


def _whole(value: int) -> Json:
    if value.bit_length() > _MOST_BITS:
        raise NotRecorded("it works with numbers of a thousand digits")
    return ["=", value]


def _in_order(items: Any) -> List[Any]:
    """The items of a set, in an order that does not hang on hashes."""
    return sorted(items, key=lambda item: (type(item).__name__, repr(item)))


def _array(value: Any) -> Json:
    rows = np.asarray(value)
    if rows.dtype.kind not in "biuf":
        raise NotRecorded(f"it works with an array of {rows.dtype}")
    kind = "array" if type(value) is np.ndarray else "scalar"
    return [kind, rows.dtype.str, list(rows.shape), base64.b64encode(np.ascontiguousarray(rows).tobytes()).decode()]


def restored(told: Json, values: Values) -> Any:
    """What a description stands for. Raises NotRecorded, KeyError for what is none."""
    kind, *rest = told
    if kind == "v":
        return values.values[rest[0]]
    if kind == "dict":
        return {restored(key, values): restored(item, values) for key, item in rest[0]}
    if kind in _INSIDE:
        return _INSIDE[kind](restored(item, values) for item in rest[0])
    if kind in ("array", "scalar"):
        return _restored_array(kind, *rest)
    return _RESTORED[kind](rest[0])


_INSIDE: Dict[str, Callable[[Any], Any]] = {
    "list": list,
    "tuple": tuple,
    "set": set,
    "frozenset": frozenset,
    "slice": lambda parts: slice(*parts),
    "range": lambda parts: range(*parts),
}
_RESTORED: Dict[str, Callable[[Any], Any]] = {
    "=": lambda value: value,
    "float": float.fromhex,
    "dtype": np.dtype,
    "named": _NAMED.__getitem__,
}


def _restored_array(kind: str, dtype: str, shape: List[int], data: str) -> Any:
    if np.dtype(dtype).kind not in "biuf":
        raise NotRecorded(f"not an array of numbers: {dtype}")
    rows = np.frombuffer(base64.b64decode(data), dtype).reshape(shape)
    return rows if kind == "array" else rows[()]
