"""Values by lane, and the lanes that are walked at present: paths, spaces, decisions, draws.

A *path* is a set of lanes that has made the same decisions so far. A *space* is what is left of it after a split: each
value by lane knows the space that it was made in, and is brought into the present one when it is looked at.

The few distinct values that many lanes share, so that Python is asked once for each of them and not in each lane.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from .paths import ARRAY, NONE, NUMPY, PYTHON, Draw, NotTraced, Paths, objects, restored, told_by
from .recording import Recording, current, nameable, operation

__all__ = ["NotTraced", "PerLane", "Tracer", "tracer"]


class PerLane:
    """A value that differs by lane.

    rows: shape (lanes, *shape of the value in each lane). form: PYTHON, NUMPY or ARRAY. kinds: of numbers of several
    types of Python (and None) their types by lane; `rows` are floats then. base, view: of a view of an array the array
    and what makes the view's rows of its rows. own: whether the rows are no one else's, so that they may be written.
    alias_at: of an array that may share its items with another in some lanes, or in a way that is not known: the site
    of the branch that joined the two, or UNKNOWN; such an array must not be written.
    """

    __slots__ = ("alias_at", "base", "form", "kinds", "own", "rows", "space", "view")
    __array_ufunc__ = None

    def __init__(self, rows: Any, form: int = PYTHON, kinds: Any = None) -> None:
        if tracer.in_one_lane:
            raise tracer.singly()
        if len(rows) != tracer.count:
            raise NotTraced("an array of other lanes was used")  # a mistake of this package, seen at once
        if form != ARRAY and rows.dtype.kind not in "biufO":
            rows, form = objects(rows), PYTHON  # texts and dates of NumPy
        self.rows, self.form, self.kinds = rows, form, kinds
        self.space = tracer.space
        self.base: Optional[PerLane] = None
        self.view: Any = None
        self.own = False
        self.alias_at: Any = None

    def share(self, site: Any) -> None:
        """Another array may share items with this one, and so with those that it is a view of: see `alias_at`."""
        array: Optional[PerLane] = self
        while array is not None:
            array.alias_at, array = site, array.base

    __getitem__: Any
    __iter__: Any
    __len__: Any

    def __bool__(self) -> bool:
        return tracer.decide(self)

    def __hash__(self) -> int:
        return hash(tracer.choose(self))

    def __index__(self) -> int:
        value = tracer.choose(self)
        if isinstance(value, float) or not hasattr(value, "__index__"):
            raise TypeError(f"{type(value).__name__!r} object cannot be interpreted as an integer")
        return int(value)

    def __float__(self) -> float:
        return float(tracer.same(self))

    def __int__(self) -> int:
        return int(tracer.same(self))

    def __complex__(self) -> complex:
        return complex(tracer.same(self))

    def __str__(self) -> str:
        return str(tracer.same(self))

    def __repr__(self) -> str:
        return repr(tracer.same(self))

    def __format__(self, spec: str) -> str:
        return format(tracer.same(self), spec)

    def __bytes__(self) -> bytes:
        return bytes(tracer.same(self))

    def __deepcopy__(self, memo: Any) -> "PerLane":
        return self if self.form != ARRAY else tracer.copied(self)

    def __copy__(self) -> "PerLane":
        return self.__deepcopy__(None)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise tracer.singly()

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise tracer.singly()

    @property
    def __array_interface__(self) -> Any:
        raise tracer.singly()

    @property
    def __array_struct__(self) -> Any:
        raise tracer.singly()


class Tracer(Paths):
    """The lanes of the path in hand, and what values are in them. There is one in a process, `tracer`."""

    # values

    def raw(self, value: PerLane) -> Any:
        """The rows in the present space; of mixed numbers floats, whose `kinds` are brought along."""
        if current[0] is not None:
            current[0].looked()
        if value.base is not None:
            return value.view(self.raw(value.base))
        top = self.space
        if value.space != top:
            if value.space < self.first:
                raise NotTraced("a value was kept from one run to the next")
            for number in range(value.space + 1 - self.first, len(self.spaces)):
                index = self.spaces[number]
                same = len(value.rows) > 1 and value.rows.strides[0] == 0  # which it stays
                value.rows = np.broadcast_to(value.rows[:1], value.rows[index].shape) if same else value.rows[index]
                value.own = not same
                if value.kinds is not None:
                    value.kinds = value.kinds[index]
            value.space = top
        return value.rows

    def rows(self, value: PerLane) -> Any:
        """The rows in the present space; of mixed numbers objects."""
        rows = self.raw(value)
        if value.kinds is None:
            return rows
        return objects(map(restored, rows.tolist(), value.kinds.tolist()))

    def items(self, value: PerLane) -> List[Any]:
        """What a value that is no array is in each lane, as objects that Python has."""
        rows = self.rows(value)
        if value.form == ARRAY and rows.ndim == 1:
            return [rows[number, ...] for number in range(len(rows))]
        if value.form in (ARRAY, NUMPY):
            return list(rows)
        items: List[Any] = rows.tolist()
        return items

    def in_lane(self, value: PerLane, number: int) -> Any:
        """What a value is in one lane of the present space."""
        rows = self.raw(value)
        item = rows[number]
        if value.kinds is not None:
            return restored(item.item(), int(value.kinds[number]))
        if value.form == ARRAY:
            return np.array(rows[number, ...])  # an array of no dimensions keeps its type
        return item if value.form == NUMPY or rows.dtype == object else item.item()

    @contextlib.contextmanager
    def aside(self, count: int) -> Iterator[None]:
        """Inside, there are so many lanes, of which none may begin again: AtSide is raised where one would."""
        before, self.count, self.at_side = self.count, count, True
        try:
            yield
        finally:
            self.count, self.at_side = before, False

    # draws

    def draw(self, make: Callable[[Any], Tuple[Any, int]], asked: Any) -> Any:
        """A draw in the lanes of the mask. make: of the mask, rows for all lanes, and the form of each.

        Lanes that have begun again get what they drew before.
        """
        self.go_on()
        mask = self.mask
        if mask is not None and not mask.any():  # a side of a branch that no lane takes
            return PerLane(*make(mask))
        while self._next < len(self.draws):
            draw = self.draws[self._next]
            there = None if draw.mask is None else self.rows(draw.mask)
            if there is None or there.any():
                break
            del self.draws[self._next]
        if self._next < len(self.draws):
            if (there is None or there.all()) != (mask is None or mask.all()) or (
                there is not None and mask is not None and (there != mask).any()
            ):
                raise NotTraced("runs that were begun again made other draws than before")
        else:
            rows, form = make(mask)
            draw = Draw(PerLane(rows, form), None if mask is None else PerLane(mask), None)
            self.draws.append(draw)
        draw.asked = asked
        self._next += 1
        return PerLane(self.raw(draw.value), draw.value.form, draw.value.kinds)

    # decisions

    def truth(self, value: Any) -> Any:
        """What `bool` says: True or False, or an array of bools by lane."""
        if not isinstance(value, PerLane):
            return bool(value)
        rows = self.raw(value)
        if value.form == ARRAY:
            rows = rows.reshape(self.count, -1)
            if rows.shape[1] != 1:
                return bool(np.zeros(rows.shape[1]))  # raises what Python raises, if it does
            rows = rows[:, 0].copy()
        if rows.dtype == object:
            return np.fromiter(map(bool, rows.tolist()), bool, self.count)
        if value.kinds is not None:
            return (rows != 0) & (value.kinds != NONE)
        return rows if rows.dtype == bool else rows != 0

    def known(self, truth: Any) -> Optional[bool]:
        """True or False where the lanes of the mask agree, else None."""
        if not isinstance(truth, np.ndarray):
            return bool(truth)
        if self.mask is not None:
            truth = truth[self.mask]
        true = int(np.count_nonzero(truth))
        return True if true == len(truth) else False if true == 0 else None

    def decide(self, value: Any) -> bool:
        """A decision: where lanes differ, the smaller part begins again, and the answer is that of the larger."""
        return self._decided(value) if isinstance(value, PerLane) else bool(value)

    @operation
    def _decided(self, value: Any) -> bool:
        truth = self.truth(value)
        known = self.known(truth)
        if known is not None:
            return known
        if self.branches:
            raise self.abort()
        side = 2 * int(np.count_nonzero(truth)) >= self.count
        self._queue(np.flatnonzero(truth != side))
        self._narrow(np.flatnonzero(truth == side))
        return side

    def decided(self, truth: Any) -> bool:
        """The same of an array of bools."""
        return self.decide(PerLane(truth) if isinstance(truth, np.ndarray) else truth)

    def choose(self, value: Any) -> Any:
        """The value as an object of Python, after a split by values."""
        return self._chosen(value) if isinstance(value, PerLane) else value

    @operation
    def _chosen(self, value: Any) -> Any:
        """The value as an object of Python, after a split by values."""
        if value.form == ARRAY:
            raise self.singly()
        items, agree = self._compared(value)
        if agree:
            return items[0]
        if self.branches:
            raise self.abort()
        groups: Dict[Any, List[int]] = {}
        for number, item in enumerate(items):
            groups.setdefault(told_by(item), []).append(number)
        in_order = sorted(groups.values(), key=len)
        for numbers in in_order[:-1]:
            self._queue(np.array(numbers))
        chosen = items[in_order[-1][0]]
        self._narrow(np.array(in_order[-1]))
        return chosen

    @operation
    def copied(self, value: PerLane) -> PerLane:
        """An array by lane that nobody else holds."""
        return PerLane(self.rows(value).copy(), ARRAY)

    @operation
    def condition(self, test: Any) -> Any:
        """What `bool` says of a value: True or False where the lanes of the mask agree, else bools by lane."""
        truth = self.truth(test)
        known = self.known(truth)
        return PerLane(truth) if known is None else known

    @operation
    def same(self, value: PerLane) -> Any:
        """The value as an object of Python where all lanes of the mask agree; else these are left out."""
        if value.form != ARRAY:
            items, agree = self._compared(value)
            if agree:
                return items[0]
        raise self.singly()

    def _compared(self, value: PerLane) -> Tuple[List[Any], bool]:
        """What a scalar is in the lanes of the mask, and whether it is the same in all."""
        rows = self.raw(value)
        if self.mask is not None:
            rows = rows[self.mask]
        if value.kinds is None and rows.dtype.kind in "biu" and (rows == rows[0]).all():
            return [rows[0] if value.form == NUMPY else rows[0].item()], True
        items = self.items(value)
        if self.mask is not None:
            items = [item for item, here in zip(items, self.mask) if here]
        first = told_by(items[0])
        return items, all(told_by(item) == first for item in items)

    def shapes_split(self, values: Sequence[Any]) -> List[int]:
        """Go on with the lanes that have the commonest of these values, one for each lane; their numbers.

        Lanes that the mask leaves out go with the others.
        """
        if self.mask is not None:
            shown = values[int(np.argmax(self.mask))]
            values = [value if here else shown for value, here in zip(values, self.mask.tolist())]
        numbers: Dict[Any, int] = {}
        which = [numbers.setdefault(value, len(numbers)) for value in values]
        if len(numbers) == 1:
            return list(range(self.count))
        if self.branches:
            raise self.abort()
        chosen = self.choose(PerLane(np.array(which)))
        return [number for number, one in enumerate(which) if one == chosen]


tracer = nameable(Tracer(), "tracer")
"""The tracer of the process: values by lane find it here."""
Recording.per_lane = Paths.per_lane = PerLane


MOST = 32
"""Distinct values; where there are more, lanes are treated one by one."""


def distinct(value: PerLane) -> Optional[Tuple[Any, Any]]:
    """The distinct values of a scalar as rows, and for each lane which of them it has; None where they are many.

    Objects are told apart by where they are in memory: what chose one of a few texts holds the very same.
    """
    if value.form == ARRAY or value.kinds is not None:
        return None
    rows = tracer.raw(value)
    if rows.dtype == object:
        found, codes = each_once(rows)
        return None if codes is None else (objects(found), codes)
    if rows.dtype.kind not in "iu":
        return None
    low, high = int(rows.min()), int(rows.max())
    if high - low >= MOST:
        return None
    codes = rows - low
    there = np.flatnonzero(np.bincount(codes))
    numbered = np.zeros(high - low + 1, np.intp)
    numbered[there] = np.arange(len(there))
    return (there + low).astype(rows.dtype), numbered[codes]


def each_once(rows: Any) -> Tuple[List[Any], Any]:
    """The objects of an array, each once, and for each row which of them it holds; all and None where they are many."""
    rows = np.ascontiguousarray(rows)
    addresses: Any = np.ndarray(rows.shape, np.intp, buffer=rows)
    found: List[Any] = []
    codes, left = np.zeros(len(rows), np.intp), np.arange(len(rows))
    while len(left):
        if len(found) == MOST:
            return rows.tolist(), None
        is_it = addresses[left] == addresses[left[0]]
        codes[left[is_it]] = len(found)
        found.append(rows[left[0]])
        left = left[~is_it]
    return found, codes


def in_lanes(result: Any, codes: Any) -> Any:
    """What was worked out for the distinct values, in all lanes."""
    if isinstance(result, PerLane):
        spread = PerLane(result.rows[codes], result.form, None if result.kinds is None else result.kinds[codes])
        spread.alias_at = result.alias_at
        return spread
    if isinstance(result, dict):
        return {key: in_lanes(item, codes) for key, item in result.items()}
    if isinstance(result, (list, tuple)):
        items = [in_lanes(item, codes) for item in result]
        return type(result)(*items) if hasattr(result, "_fields") else type(result)(items)
    return result
