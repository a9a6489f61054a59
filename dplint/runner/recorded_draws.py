"""The recorded draws, handed out one by one to whatever the function asks for. Runs in the user's interpreter.

A draw is first made by a real generator: so errors are those that the user would see, and the result is an example of
the type to give. Then the call is compared with the record. Both take microseconds, so an event remembers, byte for
byte, the first call that it was right for; the same call in another run is served at once.
"""

from __future__ import annotations

import contextlib
import operator
from marshal import dumps
from typing import Any, Dict, Iterable, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from ..distributions import DrawSignature, OtherArgumentError
from .alike import same
from .draw_events import DrawCall, RecordedDraw, Steps, shown


class Misfit(Exception):
    """The recorded value is none that the function could have got."""


class Fit:
    """Makes recorded values into what one call would have given.

    example: a real result of the call. choices: what it chooses from or arranges, if that is what it does. python:
    whether the call is one of `random`, which chooses from the sequence itself and not from an array made of it.
    several: whether it asks for some number of draws.
    """

    def __init__(self, example: Any, choices: Any = None, python: bool = False, several: bool = False) -> None:
        self._example = example
        self._choices = choices
        self._items: Any = choices if python or choices is None else np.asarray(choices)
        self._python = python
        self._listed = python and several

    def one(self, value: Any) -> Any:
        """The value as a result of the call. Raises Misfit."""
        if self._items is None:
            return _fitted(self._example, value)
        if self._listed:
            listed = value.tolist() if isinstance(value, np.ndarray) else value
            if not isinstance(listed, list) or len(listed) != len(self._example):
                raise Misfit
            return [_picked(self._items, item) for item in listed]
        if self._python:
            return _picked(self._items, value)
        if self._items.ndim == 0:
            made = _fitted(self._example, value)
            self._must_be_below(operator.index(self._choices), made)
            return made
        if self._items.ndim == 1 and not isinstance(self._example, np.ndarray):
            return _picked(self._items, value)
        made = _fitted(self._example, value)
        quick = self._items.ndim == 1 and self._items.dtype != object and np.isin(made, self._items).all()
        for item in () if quick else made.reshape(-1, *self._items.shape[1:]):
            _picked(self._items, item)
        return made

    def all(self, values: Sequence[Any]) -> List[Any]:
        """All values, fresh objects where they can be changed. Raises Misfit."""
        kind = type(self._example)
        if kind is np.ndarray:
            return [self.one(value) for value in values]
        if self._items is None and isinstance(self._example, np.generic):
            return list(_fitted(np.empty(len(values), self._example.dtype), values))
        if self._items is None and all(type(value) is kind for value in values):
            return list(values)
        known: Dict[bytes, Any] = {}
        made = []
        for value in values:
            key = dumps(value, 2)
            if key not in known:
                known[key] = self.one(value)
            made.append(list(known[key]) if self._listed else known[key])
        return made

    @staticmethod
    def _must_be_below(bound: int, made: Any) -> None:
        if np.size(made) and not (np.min(made) >= 0 and np.max(made) < bound):
            raise Misfit


def _fitted(example: Any, value: Any) -> Any:
    if isinstance(example, np.ndarray):
        return _array(example, value)
    kind = type(example)
    if kind is tuple and isinstance(value, list) and len(value) == len(example):
        return tuple(map(_fitted, example, value))
    if type(value) is kind:
        return value
    try:
        made = example.dtype.type(value) if isinstance(example, np.generic) else kind(value)
    except (TypeError, ValueError, OverflowError):
        raise Misfit from None
    if not same(made, value):
        raise Misfit
    return made


def _array(example: Any, value: Any) -> Any:
    try:
        raw = np.asarray(value, dtype=object if example.dtype == object else None)
        made = np.array(raw, dtype=example.dtype)
    except (TypeError, ValueError, OverflowError):
        raise Misfit from None
    if made.shape != example.shape or (raw.dtype != made.dtype and not same(made, value)):
        raise Misfit
    return made


def _picked(items: Iterable[Any], value: Any) -> Any:
    """The first item that is the same as the value, of its type if possible."""
    found = [item for item in items if same(item, value)]
    if not found:
        raise Misfit
    return next((item for item in found if type(item) is type(value)), found[0])


MOST_COMPLAINTS = 5
_FORMAT = 2  # of marshal: later ones mark shared objects, so that equal values have different bytes
_BUILT_IN = (bool, int, float, str, type(None))


class ReplayEnded(BaseException):
    """A run that cannot go on; no Exception, so that user code does not take it for one of its own."""


class DrawMethod:
    """One method of one kind of generator.

    real: the method of a real generator. signature: None for what is no draw of a program. python: whether it is one of
    `random`.
    """

    def __init__(self, label: str, real: Any, signature: Optional[DrawSignature], python: bool) -> None:
        self.label = label
        self.python = python
        self.real = real
        self.signature = signature


class RecordedDraws:
    """The draws of one replay, run by run."""

    def __init__(self) -> None:
        self.load([])

    def load(self, steps: Steps, tolerance: float = 0.0, others: bool = False) -> None:
        """Begin a replay with its first run.

        tolerance: by which parameters may differ, as in `alike.same`. others: whether the function may make draws
        between those that are recorded, which are then really made. A run is unlike if a recorded one is left over
        though the function made one of that distribution in its place, with other parameters.
        """
        self._all = steps
        self._tolerance = tolerance
        self._others = others
        self._steps: List[Tuple[RecordedDraw, int]] = steps[0] if steps else []
        self._at = 0
        self._wrong = False
        self._unlike = ""
        self.passes = False
        self.run = 0
        self.complaints: List[str] = []
        self.wrong_runs = self.unlike_runs = 0

    def described(self) -> Dict[str, Any]:
        """What is told of a replay that has ended, beside its outputs."""
        return {"complaints": self.complaints, "wrong_runs": self.wrong_runs, "unlike_runs": self.unlike_runs}

    @contextlib.contextmanager
    def passing(self) -> Iterator[None]:
        """Inside, draws are really made: of a library that is called for an example."""
        self.passes = True
        try:
            yield
        finally:
            self.passes = False

    def next_run(self) -> None:
        """The function has come to its end; draws must not be left over."""
        left = len(self._steps) - self._at
        if left > 0:
            event, row = self._steps[self._at]
            more = f"{left} more draws" if left > 1 else "one more draw"
            next_one = f"{event.place}, {event.call(row)}" if event.place else f"{event.call(row)}"
            left_over = f"run {self.run}: the program makes {more} than the function, the next is {next_one}"
            self._complain(self._unlike or left_over)
            self.unlike_runs += bool(self._unlike)
        self.run += 1
        self._steps = self._all[self.run] if self.run < len(self._all) else []
        self._at = 0
        self._wrong = False
        self._unlike = ""

    def draw(self, method: DrawMethod, args: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
        """What the program has drawn at this point, for a call of a method that draws."""
        if self.passes:
            return method.real(*args, **named)
        try:
            event, row = self._steps[self._at]
            if (
                event.method is method
                and event.key == dumps((args, named), _FORMAT)
                and (event.types is None or event.types == _types(args, named))
            ):
                self._at += 1
                return event.ready[row]
        except (IndexError, ValueError):
            pass  # all draws are handed out, or the arguments are none that marshal knows
        return self._compared(method, args, named)

    def refuse(self, what: str) -> None:
        """End the run: the function has drawn in a way that no program has."""
        self._complain(f"{self._place()}: the function called {what}, which is no draw of a program")
        raise ReplayEnded

    def same(self, value: Any, other: Any) -> bool:
        """Whether two values are the same whole number."""
        return type(value) in (int, np.int64) and bool(value == other)

    def has_seed(self, seeds: int) -> bool:
        """Whether the next draw is that of a seed, a whole number below so many. A program may leave it out."""
        if self._at >= len(self._steps):
            return False
        event, row = self._steps[self._at]
        seed = DrawCall("integers", {"low": 0, "high": seeds, "endpoint": False}, None)
        return seed.same_as(event.call(row))

    def complain_of_all(self, what: str) -> None:
        """A complaint that concerns every run."""
        self.wrong_runs = len(self._all)
        self.complaints = [what, *self.complaints][:MOST_COMPLAINTS]

    def _compared(self, method: DrawMethod, args: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
        signature = method.signature
        if signature is None:
            return method.real(*args, **named) if self._others else self.refuse(method.label)
        example = method.real(*args, **named)
        try:
            asked = DrawCall(signature.distribution, *signature.read(args, named))
        except OtherArgumentError as error:
            return self.refuse(f"{method.label} with the argument {error}")
        if self._at >= len(self._steps):
            if self._others:
                return example
            self._complain(f"{self._place()}: the function asked for {asked}, the program makes no further draw")
            raise ReplayEnded
        event, row = self._steps[self._at]
        expected = event.call(row)
        alike = asked.same_as(expected, self._tolerance)
        unlike = "" if alike else f"{self._place()}: the function asked for {asked}, the program for {expected}"
        if unlike and self._others:
            if asked.distribution == expected.distribution:
                self._unlike = self._unlike or unlike
            return example
        if unlike:
            self._complain(unlike)
        fit = Fit(example, asked.items(), method.python, asked.size is not None)
        try:
            value = fit.one(event.values[row])
        except Misfit:
            drawn = shown(event.values[row])
            self._complain(f"{self._place()}: {asked} cannot give {drawn}, which the program has drawn")
            raise ReplayEnded from None
        self._at += 1
        self._unlike = ""
        if alike and not event.key:
            _remember(event, method, args, named, fit)
        return value

    def _place(self) -> str:
        """The draw that the program makes next, if it makes one."""
        place = self._steps[self._at][0].place if self._at < len(self._steps) else ""
        return f"run {self.run}, draw {self._at + 1}" + (f", {place}" if place else "")

    def _complain(self, text: str) -> None:
        if self._wrong:
            return
        self._wrong = True
        self.wrong_runs += 1
        if len(self.complaints) < MOST_COMPLAINTS:
            self.complaints.append(text)


def _remember(event: RecordedDraw, method: DrawMethod, args: Tuple[Any, ...], named: Dict[str, Any], fit: Fit) -> None:
    """Serve the same call at once from now on, if its bytes tell all of it and it is right for all rows."""
    values = [*args, *named.values()]
    if any(differs for differs, _ in event.parameters.values()) or not all(map(_tells_all, values)):
        return
    try:
        event.ready = fit.all(event.values)
    except Misfit:
        return
    event.method = method
    event.key = dumps((args, named), _FORMAT)
    # The bytes of a NumPy scalar do not tell its type.
    event.types = _types(args, named) if any(isinstance(value, np.generic) for value in values) else None


def _tells_all(value: Any) -> bool:
    """Whether it is a scalar or a flat sequence; an item of a deeper one could be shared by runs that change it."""
    kind = type(value)
    if kind is list or kind is tuple:
        return all(type(item) in _BUILT_IN for item in value)
    return kind in _BUILT_IN or isinstance(value, np.number)


def _types(args: Tuple[Any, ...], named: Dict[str, Any]) -> List[type]:
    return [*map(type, args), *map(type, named.values())]
