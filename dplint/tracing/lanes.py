"""Values by lane, and the lanes that are walked at present: paths, spaces, decisions, draws.

A *path* is a set of lanes that has made the same decisions so far. A *space* is what is left of it after a split: each
value by lane knows the space that it was made in, and is brought into the present one when it is looked at.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Set, Tuple

import numpy as np

from .kinds import ARRAY, NONE, NUMPY, PYTHON, Draw, NotTraced, Restart, objects, restored, told_by
from .recording import Recording, current, nameable, operation

_APART = "its runs part more often than they go together"
_CHECKED = 32
"""After each of so many paths, and then after each so manieth, it is looked whether modules keep something."""


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
        return self if self.form != ARRAY else copied(self)

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


Made = Tuple[Any, int, Any, Any, Any]
"""A draw that lanes have made: rows, form, kinds, mask, and what was asked for."""
_Queued = Tuple[Any, List[Made], Any]


class Tracer:
    """The lanes of the path in hand. There is one in a process, `tracer`.

    count: lanes in the present space. mask: which of them the branches around the present place are for, None for all.
    branches: those that are being walked on both sides. split_at: sites of branches that could not be joined, and are
    split from then on. arrays_by_lane: whether new arrays are by lane at once, as one has been given noise.
    one_by_one_calls: how often a function was called lane by lane. keeps_lanes: whether few lanes are treated as many, and those that would have to go on one by one are left out.
    """

    def __init__(self) -> None:
        self.modules: List[Any] = []
        self.state_of: Callable[[Any], Any]  # which `kept_state` puts here
        self.state: Any = None
        self.split_at: Set[Any] = set()
        self.arrays_by_lane = self.keeps_lanes = False
        self.left_out = self.one_by_one_calls = 0
        self.pending: List[_Queued] = []
        self.first = 0
        self.spaces: List[Any] = []
        self.paths = 0
        self.start: Any = None
        self._begin(np.arange(0), [])

    def forget(self) -> None:
        """Another function follows."""
        self.split_at, self.arrays_by_lane, self.modules = set(), False, []

    # paths

    def run(self, call: Callable[[], Any], count: int, allowed: Callable[[int], bool], made: Sequence[Made] = ()) -> None:
        """Call a function without arguments for so many lanes, once for each path. A lane is in one path.

        call: makes what it hands over anew each time; what comes out must be taken apart there, in the space of its
        path. allowed: asked after each path with the number of paths, those to come among them. made: draws that all
        lanes have made. Raises NotTraced.
        """
        self.pending, self.paths, self.left_out = [(np.arange(count), list(made), None)], 0, 0
        self.state = self.state_of(self.modules)
        while self.pending:
            self._begin(*self.pending.pop())
            self.paths += 1
            try:
                with np.errstate(all="ignore"):
                    call()
                self.go_on()
                if self.branches:
                    raise NotTraced("a branch was left in a way that is not understood")
            except Restart:
                self._check()
                if not allowed(self.paths + len(self.pending)):
                    raise NotTraced(_APART) from None
                continue
            self._check()
            self._check_draws()
            if not allowed(self.paths + len(self.pending)):
                raise NotTraced(_APART)
        self._begin(np.arange(0), [])

    def _check(self) -> None:
        """Whether what modules keep is as it was: after each of the first paths, then after some, and the last."""
        if self.paths > _CHECKED and self.paths % _CHECKED and self.pending:
            return
        changed = self.state.changed()
        if changed:
            raise NotTraced(f"it changes {changed}, which later runs go on from")

    def _begin(self, lanes: Any, made: List[Made], start: Any = None) -> None:
        """A path begins. start: where, for whoever walks it; None for the beginning."""
        self.start = start
        self.lanes, self.count, self.began = lanes, len(lanes), len(lanes)
        self.first += len(self.spaces)
        self.spaces = [None]
        self.mask: Any = None
        self.branches: List[Any] = []
        self.draws: List[Draw] = []
        self.in_one_lane = self._given_up = False
        self._next = 0
        for rows, form, kinds, mask, asked in made:
            where = None if mask is None or mask.all() else PerLane(mask)
            self.draws.append(Draw(PerLane(rows, form, kinds), where, asked))
        if start is not None:
            self._next = len(self.draws)

    @property
    def drawn(self) -> int:
        """How many draws the path has made."""
        return self._next

    def go_on(self) -> None:
        """Raises Restart in a path that was given up before, whose code still runs in a `finally`."""
        if self._given_up:
            raise Restart

    def again(self) -> Restart:
        """All lanes of the path begin again."""
        self.go_on()
        self.mask, self.branches, self.in_one_lane = None, [], False
        self._queue(slice(None))
        self._given_up = True
        return Restart()

    def _queue(self, index: Any) -> None:
        """Have these lanes begin again, with the draws that they have made."""
        self.go_on()
        made: List[Made] = []
        for draw in self.draws:
            mask = None if draw.mask is None else self.rows(draw.mask)[index]
            if mask is None or mask.any():
                rows = self.raw(draw.value)[index]
                kinds = draw.value.kinds
                made.append((rows, draw.value.form, None if kinds is None else kinds[index], mask, None))
        self.pending.append((self.lanes[index], made, None))

    def fork(self, index: Any, start: Any) -> None:
        """Have these lanes go on from `start` by themselves, and the others from here. Not in a branch."""
        self._queue(index)
        lanes, made, _ = self.pending.pop()
        asked = [draw.asked for draw in self.draws if draw.mask is None or self.rows(draw.mask)[index].any()]
        made = [(*draw[:4], one) for draw, one in zip(made, asked)]
        self.pending.append((lanes, made, start))
        others = np.ones(self.count, bool)
        others[index] = False
        self._narrow(np.flatnonzero(others))

    @property
    def space(self) -> int:
        """The number of the present space; no two paths have the same."""
        return self.first + len(self.spaces) - 1

    def _narrow(self, index: Any) -> None:
        self.spaces.append(index)
        self.lanes = self.lanes[index]
        self.count = len(self.lanes)

    def _check_draws(self) -> None:
        """Whether lanes that have begun again have made the draws that they had made before."""
        for draw in self.draws[self._next :]:
            if draw.mask is None or self.rows(draw.mask).any():
                raise NotTraced("a run that was begun again made fewer draws than before")

    def abort(self) -> Restart:
        """The branch in hand is never walked on both sides again: the path begins anew, and will be split there."""
        self.go_on()
        self.split_at.add(self.branches[-1].site)
        return self.again()

    def singly(self) -> BaseException:
        """Lanes one by one from here on, which is plain Python."""
        self.go_on()
        if self.began == 1 and not self.keeps_lanes:
            return NotTraced("a value by lane came to where there is one lane")
        if self.branches:
            return self.abort()
        if self.keeps_lanes:
            self.left_out += self.count
            self._given_up = True
            return Restart()
        self.in_one_lane = False
        for number in range(self.count):
            self._queue(slice(number, number + 1))
        self._given_up = True
        return Restart()

    @contextlib.contextmanager
    def one_by_one(self) -> Iterator[None]:
        """Inside, functions are called for each lane alone: what meets a value by lane in spite of that starts anew."""
        before, self.in_one_lane = self.in_one_lane, True
        try:
            yield
        finally:
            self.in_one_lane = before

    def impure(self) -> None:
        """What cannot be taken back is about to be done: not while a branch is walked on both sides."""
        if self.branches:
            raise self.abort()

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
                value.rows = np.broadcast_to(value.rows[0], value.rows[index].shape) if same else value.rows[index]
                value.own = not same
                if value.kinds is not None:
                    value.kinds = value.kinds[index]
            value.space = top
        return value.rows

    def is_same(self, rows: Any) -> bool:
        """Whether rows are known to be the same in all lanes: one in memory."""
        return self.count > 1 and rows.strides[0] == 0

    def rows(self, value: PerLane) -> Any:
        """The rows in the present space; of mixed numbers objects."""
        rows = self.raw(value)
        if value.kinds is None:
            return rows
        return objects(map(restored, rows.tolist(), value.kinds.tolist()))

    def items(self, value: PerLane) -> List[Any]:
        """What a value that is no array is in each lane, as objects that Python has."""
        rows = self.rows(value)
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
            return np.array(item)
        return item if value.form == NUMPY or rows.dtype == object else item.item()

    # draws

    def draw(self, make: Callable[[Any], Tuple[Any, int]], asked: Any) -> Any:
        """A draw in the lanes of the mask. make: of the mask, rows for all lanes, and the form of each.

        Lanes that have begun again get what they drew before. Where there is one lane it is an ordinary value.
        """
        self.go_on()
        mask = self.mask
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
        if self.began == 1 and not self.keeps_lanes:
            return self.in_lane(draw.value, 0)
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
    def same(self, value: PerLane) -> Any:
        """The value as an object of Python where all lanes of the mask agree; else lanes go on one by one."""
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
Recording.per_lane = PerLane


@operation
def copied(value: PerLane) -> PerLane:
    """An array by lane that nobody else holds."""
    return PerLane(tracer.rows(value).copy(), ARRAY)


@operation
def condition(test: Any) -> Any:
    """What `bool` says of a value: True or False where the lanes of the mask agree, else bools by lane."""
    truth = tracer.truth(test)
    known = tracer.known(truth)
    return PerLane(truth) if known is None else known

__all__ = ["NotTraced", "PerLane", "Tracer", "condition", "copied", "tracer"]
