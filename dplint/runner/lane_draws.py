"""Draws for many runs at once: what `Replay` hands out in place of recorded draws. Runs in the user's interpreter."""

from __future__ import annotations

import copy
import functools
import itertools
import math
import sys
from typing import Any, Dict, List, Optional, Tuple

import numpy as np

from ..distributions import SCIPY, OtherArgumentError, Outcomes, of
from ..tracing.array_calls import rank, stacked
from ..tracing.each import by_lane, differs, gathered
from ..tracing.items import get_item
from ..tracing.lanes import PerLane, tracer
from ..tracing.orders import arranged
from ..tracing.paths import ARRAY, NUMPY, PYTHON, NotTraced
from ..tracing.recording import current, operation
from ..tracing.rewriting import RUNTIME
from ..tracing.writes import set_item
from .recorded_draws import DrawMethod, RecordedDraws

_NEARLY_ONE = 1e-9
"""Weights whose sum is further from 1 than this may be refused by NumPy, which allows 1.5e-8."""


Place = Tuple[Tuple[str, int, int, int, int], ...]
"""Of calls, outermost first: file, first line and column, last line and the column after it, from 1; empty if it is not
known.
"""
_INLINED = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
"""Names of code that is no call of its own."""


class AskedDraw:
    """What was asked for in one draw, and what the function got: values that may differ by lane."""

    __slots__ = ("distribution", "parameters", "place", "size", "value")

    def __init__(
        self, distribution: str, parameters: Dict[str, Any], size: Optional[Tuple[int, ...]], place: Place
    ) -> None:
        self.distribution, self.parameters, self.size, self.place = distribution, parameters, size, place
        self.value: Any = None


class LaneDraws(RecordedDraws):
    """Fresh draws in all lanes, which lanes that begin again get once more."""

    def __init__(self) -> None:
        super().__init__()
        self.source: Any = np.random.Generator(np.random.SFC64(0))
        self.methods: Dict[str, DrawMethod] = {}

    def refuse(self, what: str) -> Any:
        """The function draws in a way that no lanes can."""
        raise NotTraced(f"it calls {what}, which is no draw that is known")

    def same(self, value: Any, other: Any) -> bool:
        """Whether two values are the same whole number in all lanes."""
        if type(value) not in (int, np.int64) and getattr(value, "form", ARRAY) == ARRAY:
            return False
        return tracer.condition(value == other) is True

    def has_seed(self, seeds: int) -> bool:  # noqa: ARG002
        """Lanes draw it."""
        return True

    def complain_of_all(self, what: str) -> None:
        """The function draws from what is not replaced."""
        raise NotTraced(what)

    def draw(self, method: DrawMethod, args: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
        """A draw in all lanes, for a call of a method that draws."""
        _AT_WORK[0] = self
        self.methods[method.label] = method
        return drawn(method.label, args, named, _place() if current[0] is not None else ())

    def make(self, method: DrawMethod, args: Tuple[Any, ...], named: Dict[str, Any], place: Place = ()) -> Any:
        """The draw itself."""
        signature = method.signature
        if signature is None:
            return self.refuse(method.label)
        if not differs(args) and not differs(list(named.values())):
            method.real(*args, **named)  # errors are those that the user would see
        try:
            parameters, size = signature.read(args, named)
        except OtherArgumentError as error:
            return self.refuse(f"{method.label} with the argument {error}")
        shape = _shape(size)
        asked = AskedDraw(signature.distribution, _as_now(parameters), shape, place)
        distribution = of(signature.distribution)
        if distribution.outcomes is Outcomes.ITEMS:
            value = self._items(method, asked, parameters)
        else:
            value = tracer.draw(functools.partial(self._numbers, method, asked, args, named), asked)
        asked.value = _as_now(value)
        return value

    def _numbers(
        self, method: DrawMethod, asked: AskedDraw, args: Tuple[Any, ...], named: Dict[str, Any], mask: Any
    ) -> Tuple[Any, int]:
        found = self._fast(method, asked, mask)
        return self._singly(method, args, named, mask) if found is None else found

    def _fast(self, method: DrawMethod, asked: AskedDraw, mask: Any) -> Optional[Tuple[Any, int]]:
        distribution = of(asked.distribution)
        if distribution.outcomes is Outcomes.VECTOR:
            return None
        ranks = [rank(value) for value in asked.parameters.values()]
        if any(one is None for one in ranks):
            return None
        most = max([0, *[one or 0 for one in ranks]] if asked.size is None else [len(asked.size)])
        given = {name: _rows(value, most, mask) for name, value in asked.parameters.items()}
        if any(value is None for value in given.values()):
            return None
        shape = asked.size
        if shape is None:
            inner = [np.shape(one)[1:] if isinstance(one, _Rows) else np.shape(one) for one in given.values()]
            shape = np.broadcast_shapes((), *inner)
        try:
            plain = {name: np.asarray(one) if isinstance(one, _Rows) else one for name, one in given.items()}
            rows = self.sampled(distribution, plain, (tracer.count, *shape))
        except (ValueError, TypeError, OverflowError):
            return None
        if rows.dtype not in (np.float64, np.int64):
            return None
        if asked.size is not None or shape:
            return rows, ARRAY
        assert method.signature is not None
        scalar = method.signature.family == SCIPY if rows.dtype == np.float64 else method.signature.numpy_scalar
        return rows, NUMPY if scalar else PYTHON

    def sampled(self, distribution: Any, parameters: Dict[str, Any], shape: Tuple[int, ...]) -> Any:
        """Numbers of a law. Raises what `Distribution.sample` raises."""
        return distribution.sample(self.source, parameters, shape)

    def _singly(self, method: DrawMethod, args: Tuple[Any, ...], named: Dict[str, Any], mask: Any) -> Tuple[Any, int]:
        """One call of a real generator for each lane that counts."""
        given = [by_lane(value) for value in args]
        by_name = {name: by_lane(value) for name, value in named.items()}
        lanes = range(tracer.count) if mask is None else np.flatnonzero(mask).tolist()
        drawn: List[Any] = [None] * tracer.count
        for lane in lanes:
            try:
                drawn[lane] = method.real(
                    *[value(lane) for value in given], **{name: value(lane) for name, value in by_name.items()}
                )
            except Exception:
                raise tracer.singly() from None
        first = drawn[lanes[0]]
        value = gathered([first if one is None else one for one in drawn])
        if not isinstance(value, PerLane) or value.kinds is not None:
            raise NotTraced(f"a draw of {method.label} gives no numbers of one shape")
        return tracer.rows(value), value.form

    def _items(self, method: DrawMethod, asked: AskedDraw, parameters: Dict[str, Any]) -> Any:
        """One or several of some items, or all in another order: what is drawn are their places."""
        python = method.python
        if asked.distribution == "permutation":
            return self._order(parameters["x"], asked, python)
        items, weights = parameters["a"], parameters.get("p")
        items = tracer.choose(items) if isinstance(items, PerLane) and items.form != ARRAY else items
        count = items if isinstance(items, (int, np.integer)) else len(items)
        asked.parameters["a"] = _as_now(items)
        if not asked.parameters.get("replace", True) and asked.size is not None:
            return self._order(items, asked, python, weights, int(math.prod(asked.size)))
        make = functools.partial(self._places, int(count), weights, asked.size or (), python)
        places = tracer.draw(make, asked)
        if isinstance(items, (int, np.integer)):
            return places
        if not python:
            items = _as_array(items)
        return _taken(items, places, listed=python and asked.size is not None)

    def _places(self, count: int, weights: Any, size: Tuple[int, ...], python: bool, mask: Any) -> Tuple[Any, int]:
        shape = (tracer.count, *size)
        form = ARRAY if size else PYTHON if python else NUMPY
        if weights is None:
            return self.source.integers(0, count, size=shape), form
        rows = _weights(weights, count)
        active = rows if mask is None or rows.ndim == 1 else rows[mask]
        total = active.sum(-1)
        good = (active >= 0).all() and np.isfinite(total).all() and (total > 0).all()
        if not good or not (python or (np.abs(total - 1) <= _NEARLY_ONE).all()):
            raise tracer.singly()
        cumulative = np.cumsum(rows, -1)
        drawn = (
            self.source.random(shape)
            if rows.ndim == 1
            else self.source.random(shape) * cumulative[..., -1].reshape((-1,) + (1,) * len(size))
        )
        if rows.ndim == 1:
            places = np.searchsorted(cumulative[:-1], drawn * cumulative[-1], side="right")
        else:
            places = np.zeros(shape, np.int64)
            for column in np.moveaxis(cumulative, -1, 0)[:-1]:
                places += column.reshape((-1,) + (1,) * len(size)) <= drawn
        return places.astype(np.int64), form

    def _order(
        self, items: Any, asked: AskedDraw, python: bool, weights: Any = None, several: Optional[int] = None
    ) -> Any:
        if isinstance(items, PerLane) and items.form != ARRAY:
            items = tracer.choose(items)
        count = int(items) if isinstance(items, (int, np.integer)) else len(items)
        if weights is not None or (several is not None and several > count):
            raise tracer.singly()

        def make(_: Any) -> Tuple[Any, int]:
            order = np.argsort(self.source.random((tracer.count, count)), 1)
            return (order if several is None else order[:, :several]), ARRAY

        order = tracer.draw(make, asked)
        if isinstance(items, (int, np.integer)):
            return order
        if not python:
            return _taken(_as_array(items), order, listed=False)
        return _taken(list(items), order, listed=True)


_AT_WORK: List[LaneDraws] = [LaneDraws()]
"""The one that draws at present."""


def draw_with(draws: LaneDraws) -> None:
    """From now on these are the ones that draw."""
    _AT_WORK[0] = draws


@operation
def drawn(label: str, args: Tuple[Any, ...], named: Dict[str, Any], place: Place) -> Any:
    """A draw by a method with this label, asked for at a place of the user's."""
    return _AT_WORK[0].make(_AT_WORK[0].methods[label], args, named, place)


def _place() -> Place:
    """Where rewritten code is at present: the calls that lead to the draw, outermost first, and the draw itself."""
    frame: Any = sys._getframe(1)
    places: List[Tuple[str, int, int, int, int]] = []
    while frame is not None:
        inlined = places and frame.f_code.co_name in _INLINED
        if RUNTIME in frame.f_globals and not inlined:
            places.append(_place_in(frame))
        frame = frame.f_back
    return tuple(reversed(places))


def _place_in(frame: Any) -> Tuple[str, int, int, int, int]:
    """The call that a frame is at, where Python knows the columns, else its line."""
    file, line = frame.f_code.co_filename, frame.f_lineno
    positions = getattr(frame.f_code, "co_positions", None)
    if positions is not None:
        first, last, column, end = next(itertools.islice(positions(), frame.f_lasti // 2, None))
        if None not in (first, last, column, end):
            return file, first, column + 1, last, end + 1
    return file, line, 1, line, 1


def _as_now(value: Any) -> Any:
    """A value as it is now, whatever is done to it later."""
    if isinstance(value, np.ndarray) or (isinstance(value, PerLane) and value.form == ARRAY):
        return copy.deepcopy(value)
    if type(value) in (list, tuple):
        return type(value)(map(_as_now, value))
    return {key: _as_now(item) for key, item in value.items()} if type(value) is dict else value


class _Rows(np.ndarray):
    """A parameter with the lanes as first axis."""


def _rows(value: Any, most: int, mask: Any) -> Any:
    """A parameter for `Distribution.sample`; lanes that do not count get what one that counts has."""
    if isinstance(value, (list, tuple)):
        value = stacked(value, as_floats=True) if differs(value) else np.asarray(value)
    if not isinstance(value, PerLane):
        return value
    rows = tracer.raw(value)
    if rows.dtype == object or (value.kinds is not None and value.kinds.max() > 3):
        return None
    if mask is not None:
        shown = mask.reshape((-1,) + (1,) * (rows.ndim - 1))
        rows = np.where(shown, rows, rows[int(np.argmax(mask))])
    return rows.reshape(rows.shape[:1] + (1,) * (most + 1 - rows.ndim) + rows.shape[1:]).view(_Rows)


def _shape(size: Any) -> Optional[Tuple[int, ...]]:
    if size is None:
        return None
    parts = size if isinstance(size, (tuple, list)) else (size,)
    return tuple(int(tracer.choose(one)) for one in parts)


def _weights(weights: Any, count: int) -> Any:
    if isinstance(weights, (list, tuple)):
        weights = stacked(weights, as_floats=True) if differs(weights) else np.asarray(weights, np.float64)
    if isinstance(weights, PerLane):
        if weights.form != ARRAY:
            raise tracer.singly()
        weights = tracer.rows(weights)
    rows = np.asarray(weights, np.float64)
    if rows.shape[-1:] != (count,) or rows.ndim > 2:
        raise tracer.singly()
    return rows


def _as_array(items: Any) -> Any:
    if isinstance(items, PerLane):
        return items
    if differs(items):
        array = stacked(items)
        if array is None:
            raise tracer.singly()
        return array
    return np.asarray(items)


def _taken(items: Any, places: Any, *, listed: bool) -> Any:
    """The items at these places."""
    if not listed:
        return get_item(items, places)
    if isinstance(places, PerLane):
        rows = tracer.rows(places)
        if rows.shape[1] == len(items) and (np.sort(rows, 1) == np.arange(len(items))).all():
            return arranged(list(items), places)
        return [get_item(items, PerLane(rows[:, place])) for place in range(rows.shape[1])]
    return [items[int(place)] for place in places]


def reorder(items: Any, order: Any) -> None:
    """Put the items of a list or an array in an order by lane, in place."""
    if isinstance(items, (PerLane, np.ndarray)):
        set_item(items, slice(None), get_item(items if isinstance(items, PerLane) else items.copy(), order))
        return
    tracer.impure()
    items[:] = arranged(list(items), order) if isinstance(order, PerLane) else [items[int(place)] for place in order]


def values_in(value: Any, places: List[int]) -> List[Any]:
    """What a value is in some lanes of the present space, as plain values."""
    if isinstance(value, PerLane):
        rows = tracer.raw(value)
        if value.kinds is None and rows.dtype != object:
            plain: List[Any] = rows[places].tolist()
            return plain
        return [_plain(tracer.in_lane(value, place)) for place in places]
    if isinstance(value, (list, tuple)) and differs(value):
        columns = [values_in(item, places) for item in value]
        return [type(value)([column[row] for column in columns]) for row in range(len(places))]
    return [_plain(value)] * len(places)


def _plain(value: Any) -> Any:
    if isinstance(value, range):
        return list(value)
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
