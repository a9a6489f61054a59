"""A function rewritten and run on lanes, and the function itself on the draws of each lane: what differs is wrong."""

from __future__ import annotations

import collections
import copy
import math
import types
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplint.tracing import calls
from dplint.tracing.lanes import PerLane, tracer
from dplint.tracing.paths import ARRAY, NUMPY, PYTHON, NotTraced
from dplint.tracing.rewriting import RUNTIME, rewritten

MODULE = "traced_by_a_test"
BY_HAND = (TypeError, AttributeError)
"""What functions that do not know of lanes raise: such lanes are left out."""


class LaneRng:
    """Fresh draws in all lanes."""

    def __init__(self, seed: int) -> None:
        self._source = np.random.default_rng(seed)

    def _draw(self, name: str, form: int, make: Any) -> Any:
        return tracer.draw(lambda _: (make(), form), name)

    def laplace(self):
        return self._draw("laplace", PYTHON, lambda: self._source.laplace(size=tracer.count))

    def random(self):
        return self._draw("random", PYTHON, lambda: self._source.random(tracer.count))

    def scalar(self):
        """A float of NumPy."""
        return self._draw("scalar", NUMPY, lambda: self._source.laplace(size=tracer.count))

    def integers(self):
        """A whole number of NumPy."""
        return self._draw("integers", NUMPY, lambda: self._source.integers(-1, 4, tracer.count))

    def whole(self):
        return self._draw("whole", PYTHON, lambda: self._source.integers(-1, 4, tracer.count))

    def coin(self):
        return self._draw("coin", PYTHON, lambda: self._source.random(tracer.count) < 0.5)

    def array(self):
        return self._draw("array", ARRAY, lambda: self._source.laplace(size=(tracer.count, 3)))

    def whole_array(self):
        return self._draw("whole_array", ARRAY, lambda: self._source.integers(-2, 4, (tracer.count, 3)))

    def pick(self, items):
        """An item of a list of any values."""
        if not items:
            raise IndexError("no items")
        place = self._draw("pick", PYTHON, lambda: self._source.integers(0, len(items), tracer.count))
        return calls.get_item(items, place)


class OtherDraws(BaseException):
    """The function draws something else than its lane has drawn."""


class PlainRng:
    """The draws of one lane, in their order."""

    def __init__(self, draws: list[tuple[str, Any]]) -> None:
        self._draws = iter(draws)

    def _next(self, asked: str) -> Any:
        name, value = next(self._draws, ("none is left", None))
        if name != asked:
            raise OtherDraws(f"the function draws {asked} where its lane drew {name}")
        return copy.copy(value)

    def left(self) -> int:
        return len(list(self._draws))

    def pick(self, items):
        if not items:
            raise IndexError("no items")
        return items[self._next("pick")]

    def __getattr__(self, name):
        return lambda: self._next(name)


LEFT_OUT = "lanes were left out"


@dataclass
class Lane:
    """How a lane has ended, and its draws."""

    outcome: Any
    draws: list[tuple[str, Any]]


def compiled(text: str, *, lanes: bool) -> dict[str, Any]:
    """The names of a module, rewritten or as it is."""
    module = types.ModuleType(MODULE)
    scope = vars(module)
    if lanes:
        tracer.forget()
        tracer.modules.append(module)
        scope[RUNTIME] = calls
        calls.REWRITTEN.add(MODULE)
        exec(compile(rewritten(text, MODULE), "traced.py", "exec", dont_inherit=True), scope)
    else:
        exec(compile(text, "plain.py", "exec", dont_inherit=True), scope)
    return scope


def on_lanes(function: Any, arguments: tuple[Any, ...], lanes: int, seed: int = 0) -> dict[int, Lane]:
    """The lanes of a rewritten function that are not left out. Raises NotTraced."""
    done: dict[int, Lane] = {}
    rng = LaneRng(seed)

    def path() -> None:
        try:
            end, value = "returned", function(rng, *copy.deepcopy(arguments))
        except Exception as error:
            if isinstance(error, BY_HAND):
                raise tracer.singly() from None
            end, value = "raised", raised(error)
        tracer.go_on()
        for place, lane in enumerate(tracer.lanes.tolist()):
            draws = [
                (draw.asked, tracer.in_lane(draw.value, place))
                for draw in tracer.draws
                if draw.mask is None or tracer.rows(draw.mask)[place]
            ]
            assert lane not in done, "a lane is in two paths"
            done[lane] = Lane((end, canonical(value, place)), draws)

    tracer.run(path, lanes, lambda paths: paths < 40 * lanes)
    assert len(done) == lanes - tracer.left_out, "lanes are missing"
    return done


def plainly(function: Any, arguments: tuple[Any, ...], lane: Lane) -> tuple[Any, int]:
    """What the function itself does on the draws of a lane, and how many of these it has left."""
    rng = PlainRng(lane.draws)
    with np.errstate(all="ignore"):
        try:
            outcome = "returned", canonical(function(rng, *copy.deepcopy(arguments)))
        except OtherDraws as error:
            outcome = "raised", str(error)
        except Exception as error:
            outcome = "raised", canonical(raised(error))
    return outcome, rng.left()


def raised(error: Exception) -> Any:
    """What is told of an exception. Which names are said to have no value goes by version and by scope, and which of
    two shapes comes first by who is asked.
    """
    if "broadcast together" in str(error):
        return (type(error).__name__,)
    return ("NameError",) if isinstance(error, NameError) else (type(error).__name__, error.args)


def differences(
    text: str, arguments: tuple[Any, ...] = (), lanes: int = 24, seed: int = 0, name: str = "f"
) -> list[str]:
    """How lanes differ from what the function of that name gives, in words. Raises NotTraced, also where none of those
    differ that were not left out.
    """
    mine = on_lanes(compiled(text, lanes=True)[name], arguments, lanes, seed)
    function = compiled(text, lanes=False)[name]
    wrong = []
    for number, lane in mine.items():
        theirs, left = plainly(function, arguments, lane)
        if not same(lane.outcome, theirs) or left:
            wrong.append(f"lane {number} ({left} draws left): {first_difference(lane.outcome, theirs)}")
    if tracer.left_out and not wrong:
        raise NotTraced(LEFT_OUT)
    return wrong


def same(mine: Any, theirs: Any) -> bool:
    return first_difference(mine, theirs) is None


def first_difference(mine: Any, theirs: Any) -> str | None:
    """Where two canonical forms differ; floats may by the last bits of an exponential or of a sum."""
    if isinstance(mine, tuple) and isinstance(theirs, tuple) and len(mine) == len(theirs):
        return next((found for pair in zip(mine, theirs, strict=True) if (found := first_difference(*pair))), None)
    if type(mine) is float and type(theirs) is float:
        if mine == theirs:
            return None if math.copysign(1, mine) == math.copysign(1, theirs) else f"{mine!r} for {theirs!r}"
        if (mine != mine and theirs != theirs) or abs(mine - theirs) <= 1e-12 * max(abs(mine), abs(theirs)):
            return None
    elif type(mine) is type(theirs) and mine == theirs:
        return None
    return f"{mine!r} on lanes, {theirs!r} in Python"


def canonical(value: Any, lane: int | None = None) -> Any:  # noqa: C901 - one line for each kind of value
    """What a program can tell of a value (in a lane): types, numbers, contents, and what is the same object."""
    seen: dict[int, int] = {}
    alive: list[Any] = []

    def form(value: Any) -> Any:  # noqa: C901
        if isinstance(value, PerLane):
            assert lane is not None
            return form(tracer.in_lane(value, lane))
        if isinstance(value, np.ndarray):
            return ("array", value.dtype.str, value.shape, tuple(map(form, value.ravel().tolist())))
        if isinstance(value, np.generic):
            return (type(value).__name__, form(value.item()))
        if isinstance(value, (bool, int, float, str, bytes, type(None), range, type, complex)):
            return value
        if callable(value):
            return getattr(value, "__name__", "callable")
        if isinstance(value, tuple):
            return (type(value).__name__, *map(form, value))
        if id(value) in seen:
            return ("seen", seen[id(value)])
        seen[id(value)] = len(seen)
        alive.append(value)
        if isinstance(value, dict):
            return (type(value).__name__, *[(form(key), form(item)) for key, item in value.items()])
        if isinstance(value, (list, collections.deque)):
            return (type(value).__name__, *map(form, value))
        if isinstance(value, (set, frozenset)):
            return (type(value).__name__, *sorted(map(form, value), key=repr))
        if type(value).__module__ in ("fractions", "decimal", "datetime"):
            return (type(value).__name__, repr(value))
        return (type(value).__name__, form(vars(value)) if hasattr(value, "__dict__") else repr(value))

    return form(value)
