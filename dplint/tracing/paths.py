"""The paths of lanes: which lanes are walked at present, and which begin again.

What scalars are in lanes, and why a path ends.
"""

from __future__ import annotations

import contextlib
from typing import Any, Callable, Iterator, List, Sequence, Set, Tuple

import numpy as np

from .recording import nameable

PYTHON, NUMPY, ARRAY = range(3)
"""What a value is in each lane: a scalar of Python, a scalar of NumPy, an array of NumPy."""
BOOL, INT, FLOAT, NUMPY_FLOAT, NONE = range(5)
"""The types of scalars that one value by lane may mix."""
EXACT = 2**53
SCALARS = (bool, int, float, str, type(None), np.generic)
UNKNOWN = nameable(object(), "unknown")


class Restart(BaseException):
    """The path is given up; the lanes that it stood for are queued."""


class AtSide(BaseException):
    """What is tried beside the path would have lanes begin again."""


class NotTraced(BaseException):
    """The function cannot be followed for many runs at once, for the reason in words."""


class CannotJoin(Exception):
    """Two values have no common representation by lane."""


def told_by(value: Any) -> Any:
    """What is equal for values that no program can tell apart."""
    return (type(value), value.hex()) if isinstance(value, float) else (type(value), value)


def restored(value: float, kind: int) -> Any:
    """A number of mixed ones as what it is by its kind."""
    if kind == FLOAT:
        return value
    if kind == INT:
        return int(value)
    if kind == BOOL:
        return bool(value)
    return None if kind == NONE else np.float64(value)


def objects(values: Any) -> Any:
    """An array of objects of one dimension, whatever the objects are."""
    listed = list(values)
    array = np.empty(len(listed), object)
    for number, value in enumerate(listed):  # at once, items that have a length would be taken for rows
        array[number] = value
    return array


class Draw:
    """One draw of a path: what was drawn in each lane, and in which lanes.

    mask: None for all lanes. asked: the distribution, its parameters and the size, as `tracer.draw` got them.
    """

    __slots__ = ("asked", "mask", "value")

    def __init__(self, value: Any, mask: Any, asked: Any) -> None:
        self.value, self.mask, self.asked = value, mask, asked


_APART = "its runs part more often than they go together"
_CHECKED = 32
"""After each of so many paths, and then after each so manieth, it is looked whether modules keep something."""
Made = Tuple[Any, int, Any, Any, Any]
"""A draw that lanes have made: rows, form, kinds, mask, and what was asked for."""
_Queued = Tuple[Any, List[Made], Any]


class Paths:
    """The lanes of the path in hand.

    count: lanes in the present space. mask: which of them the branches around the present place are for, None for all.
    branches: those that are being walked on both sides. split_at: sites of branches that could not be joined, and are
    split from then on. arrays_by_lane: whether new arrays are by lane at once, as one has been given noise.
    one_by_one_calls: how often a function was called lane by lane. left_out: lanes that would have to go on one by one,
    in plain Python. at_side: whether an operation is tried beside the path, which must not make lanes begin again.
    """

    per_lane: Any
    """The class of values by lane, which `lanes` puts here."""
    rows: Callable[[Any], Any]
    raw: Callable[[Any], Any]

    def __init__(self) -> None:
        self.modules: List[Any] = []
        self.state_of: Callable[[Any], Any]  # which `kept_state` puts here
        self.state: Any = None
        self.split_at: Set[Any] = set()
        self.arrays_by_lane = self.at_side = False
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

    def run(
        self, call: Callable[[], Any], count: int, allowed: Callable[[int], bool], made: Sequence[Made] = ()
    ) -> None:
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
            where = None if mask is None or mask.all() else self.per_lane(mask)
            self.draws.append(Draw(self.per_lane(rows, form, kinds), where, asked))
        if start is not None:
            self._next = len(self.draws)

    @property
    def drawn(self) -> int:
        """How many draws the path has made."""
        return self._next

    def go_on(self) -> None:
        """Raises Restart in a path that was given up before, whose code still runs in a `finally`."""
        if self.at_side:
            raise AtSide
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
        """The lanes could only go on one by one: they are left out."""
        self.go_on()
        if self.branches:
            return self.abort()
        self.left_out += self.count
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
