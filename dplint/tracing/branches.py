"""Branches that are walked on both sides: each under its mask, what both leave behind joined by lane.

Each write to what existed before the branch is done at once, so that the side reads what it has written, and is logged
with what stood there. Between the sides the writes are undone, so that the second side finds the heap as the first did.
What cannot be undone or joined aborts: the path begins anew, and is split at this branch from then on.

Sound: a side is a function of frame and heap whose effect on what existed is its log, as every write to an existing
object is logged or aborts. What it has made itself is reached afterwards only through a name or a place of the log, and
two different objects are never joined. Aliases need no analysis, as the log goes by identity and place.
"""

from __future__ import annotations

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple

import numpy as np

from .lanes import PerLane, tracer
from .paths import (
    ARRAY,
    BOOL,
    EXACT,
    FLOAT,
    INT,
    NONE,
    NUMPY,
    NUMPY_FLOAT,
    PYTHON,
    SCALARS,
    UNKNOWN,
    CannotJoin,
    objects,
)
from .recording import operation

RETURNED = "_dplint_r"
"""How names begin of what a loop returns: nobody asks for it in lanes that have not come to that."""
_NOT_THERE = object()
"""What a name without a value is, and a place of a dict or an object that does not exist."""
_KINDS = {np.dtype(np.bool_): BOOL, np.dtype(np.int64): INT, np.dtype(np.float64): FLOAT}
_KIND_OF_TYPE = {bool: BOOL, int: INT, float: FLOAT, type(None): NONE, np.float64: NUMPY_FLOAT}
_FEW_GO_ON = 8
"""Lanes that are in another turn of a loop go on by themselves where all are more than so many times as many."""
_Log = Dict[Tuple[str, int, Any], List[Any]]


class Branch:
    """An `if` that is walked on both sides. test: whether lanes take the first.

    names, before: those that either side assigns, with their values before; `begin` puts them here.
    """

    def __init__(self, site: Any, test: Any) -> None:
        self.site, self.test = site, test
        self.names: Sequence[str] = ()
        self.before: Tuple[Any, ...] = ()
        self._after_first: Tuple[Any, ...] = ()
        self.logs: Tuple[_Log, _Log] = ({}, {})
        self.outer = tracer.mask
        self.side = 0
        tracer.branches.append(self)

    def enter(self, side: int) -> None:
        """Walk a side."""
        rows = tracer.rows(self.test)
        mask = ~rows if side else rows
        tracer.mask = mask if self.outer is None else mask & self.outer
        self.side = side

    def ended(self, variables: Mapping[str, Any]) -> Tuple[Any, ...]:
        """A side has ended with these variables; what the names hold from then on."""
        return self.join(variables) if self.side else self.flip(variables)

    def flip(self, variables: Mapping[str, Any]) -> Tuple[Any, ...]:
        """The first side has ended with these variables; what the names hold for the second one."""
        self._after_first = tuple(variables.get(name, _NOT_THERE) for name in self.names)
        turn()
        self.undo(0, rows=False)
        return self.before

    def join(self, variables: Mapping[str, Any]) -> Tuple[Any, ...]:
        """The second side has ended, too; what the names hold for all lanes. Raises Restart."""
        after_second = tuple(variables.get(name, _NOT_THERE) for name in self.names)
        self.undo(1, rows=False)
        leave()
        try:
            self.write_joined(rows=False)
            return tuple(
                self._joined(name, value, other)
                for name, value, other in zip(self.names, self._after_first, after_second)
            )
        except CannotJoin:
            tracer.branches.append(self)
            raise tracer.abort() from None

    def _joined(self, name: str, value: Any, other: Any) -> Any:
        if name.startswith(RETURNED) and (value is _NOT_THERE or other is _NOT_THERE):
            return other if value is _NOT_THERE else value
        return select(self.test, value, other, self.site)

    def write_joined(self, *, rows: bool) -> None:
        """Write what both sides have left, into arrays by lane, or everywhere else. Raises CannotJoin."""
        first, second = self.logs
        for where in {**first, **second}:
            kind, owner, key, old, _ = first.get(where) or second[where]
            if (kind == "rows") is not rows:
                continue
            one, other = (log[where][4] if where in log else [] if kind == "append" else old for log in self.logs)
            if kind == "append":
                if len(one) != len(other):
                    raise CannotJoin
                for item, instead in zip(one, other):
                    append(owner, select(self.test, item, instead, self.site))
            else:
                write(kind, owner, key, select(self.test, one, other, self.site))

    def log(self, kind: str, owner: Any, key: Any, old: Any) -> bool:
        """A write is about to be done to what existed before; whether it is the first of this side there."""
        entry = [kind, owner, key, old, []]
        return self.logs[self.side].setdefault((kind, id(owner), key), entry) is entry

    def undo(self, side: int, *, rows: bool) -> None:
        """Take back what a side has written, into arrays by lane, or everywhere else."""
        for entry in reversed(list(self.logs[side].values())):
            kind, owner, key, old, _ = entry
            if (kind == "rows") is not rows:
                continue
            if kind == "append":
                entry[4] = owner[old:]
                del owner[old:]
            else:
                entry[4] = _read(kind, owner, key)
                _put(kind, owner, key, old)


@operation
def enter(site: Any, test: PerLane) -> Any:
    """Begin an `if`: True or False where it is split, None where both sides are walked."""
    if site in tracer.split_at:
        return tracer.decide(test)
    Branch(site, test).enter(0)
    return None


@operation
def turn() -> None:
    """From the first side of the branch in hand to the second."""
    branch = tracer.branches[-1]
    branch.undo(0, rows=True)
    branch.enter(1)


@operation
def leave() -> None:
    """Both sides of the branch in hand have been walked. Raises Restart."""
    branch = tracer.branches[-1]
    branch.undo(1, rows=True)
    tracer.branches.pop()
    tracer.mask = branch.outer
    try:
        branch.write_joined(rows=True)
    except CannotJoin:
        tracer.branches.append(branch)
        raise tracer.abort() from None


def _read(kind: str, owner: Any, key: Any) -> Any:
    if kind == "item":
        return owner[key]
    if kind == "rows":
        return PerLane(tracer.rows(owner), ARRAY)
    return owner.__dict__[key]


def _put(kind: str, owner: Any, key: Any, value: Any) -> None:
    if kind == "item":
        owner[key] = value
    elif kind == "rows":
        if not isinstance(value, PerLane) or tracer.rows(value).dtype != tracer.rows(owner).dtype:
            raise CannotJoin
        owner.rows, owner.space, owner.own = tracer.rows(value), tracer.space, False
    else:
        object.__setattr__(owner, key, value)


def append(owner: List[Any], value: Any) -> None:
    """Append to a list."""
    if tracer.branches:
        tracer.branches[-1].log("append", owner, None, len(owner))
    owner.append(value)


def write(kind: str, owner: Any, key: Any, value: Any) -> None:
    """Write an item ("item") or an attribute ("attribute") of something that may have existed before the branches."""
    if tracer.branches:
        try:
            old = _read(kind, owner, key)
        except Exception:
            raise tracer.abort() from None
        tracer.branches[-1].log(kind, owner, key, old)
    if kind == "attribute":
        setattr(owner, key, value)
    else:
        _put(kind, owner, key, value)


def begin(site: Any, test: Any, names: Sequence[str], before: Mapping[str, Any]) -> Any:
    """True or False for an `if` that goes one way, else the branch to walk on both sides."""
    if not isinstance(test, PerLane) or site in tracer.split_at:
        return tracer.decide(test)
    known = tracer.condition(test)
    if isinstance(known, PerLane):
        known = enter(site, known)
    if known is not None:
        return known
    branch = tracer.branches[-1]
    branch.names, branch.before = names, tuple(before.get(name, _NOT_THERE) for name in names)
    return branch


def pick(test: Any, value: Any, other: Any) -> Any:
    """`value if test else other` of two values that are known; lanes are split where they cannot be joined."""
    known = tracer.condition(test) if isinstance(test, PerLane) else bool(test)
    if not isinstance(known, PerLane):
        return value if known else other
    try:
        return select(known, value, other)
    except CannotJoin:
        return value if tracer.decide(known) else other


def select(test: PerLane, value: Any, other: Any, site: Any = UNKNOWN) -> Any:
    """By lane the value where it is true, else the other; site: of the branch that joins. Raises CannotJoin."""
    if value is other:
        return value
    if value is _NOT_THERE or other is _NOT_THERE:
        raise CannotJoin
    if isinstance(value, tuple) and type(value) is type(other) and len(value) == len(other):
        items = [select(test, item, another, site) for item, another in zip(value, other)]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if not isinstance(value, (PerLane, *SCALARS)) or not isinstance(other, (PerLane, *SCALARS)):
        raise CannotJoin
    return selected(test, value, other, site)


@operation
def selected(test: PerLane, value: Any, other: Any, site: Any) -> Any:
    """The same of scalars and arrays. Raises CannotJoin."""
    truth = tracer.rows(test)
    one, another = _scalar(value), _scalar(other)
    if one is not None and another is not None:
        if not isinstance(value, PerLane) and not isinstance(other, PerLane) and _identical(value, other):
            return value
        return _selected(truth, one, another)
    arrays = [_array(value), _array(other)]
    if arrays[0] is None or arrays[1] is None:
        raise CannotJoin
    shape = arrays[0].shape[1:]
    if shape != arrays[1].shape[1:] or arrays[0].dtype != arrays[1].dtype:
        raise CannotJoin
    joined = PerLane(np.where(truth.reshape((-1,) + (1,) * len(shape)), arrays[0], arrays[1]), ARRAY)
    if site is not None:
        for array in (joined, value, other):
            array.share(site)
    return joined


def _identical(value: Any, other: Any) -> bool:
    return type(value) is type(other) and bool(value == other) and repr(value) == repr(other)


def _scalar(value: Any) -> Optional[Tuple[Any, int, Any]]:
    """Rows that broadcast, form and kind (a number or an array) of a scalar; None if it is none.

    The kind is None for what cannot be mixed with other types but as objects.
    """
    if isinstance(value, PerLane):
        if value.form == ARRAY:
            return None
        rows = tracer.raw(value)
        if value.kinds is not None:
            return rows, PYTHON, value.kinds
        kind = _KINDS.get(rows.dtype)
        if value.form == NUMPY:
            kind = NUMPY_FLOAT if kind == FLOAT else None
        return rows, value.form, kind
    if not isinstance(value, SCALARS):
        return None
    if isinstance(value, np.generic):
        return np.asarray(value), NUMPY, NUMPY_FLOAT if type(value) is np.float64 else None
    kind = _KIND_OF_TYPE.get(type(value))
    if kind is None or (isinstance(value, int) and not -EXACT < value < EXACT):
        cell = np.empty((), object)
        cell[()] = value
        return cell, PYTHON, None
    return np.asarray(np.nan if value is None else value), PYTHON, kind


def _selected(truth: Any, value: Tuple[Any, int, Any], other: Tuple[Any, int, Any]) -> PerLane:
    (rows, form, kind), (rows2, form2, kind2) = value, other
    plain = not isinstance(kind, np.ndarray) and not isinstance(kind2, np.ndarray)
    if plain and form == form2 and rows.dtype == rows2.dtype and kind == kind2 and kind != NONE:
        return PerLane(np.where(truth, rows, rows2), form)
    if kind is None or kind2 is None or _inexact(rows, kind) or _inexact(rows2, kind2):
        return _as_objects(truth, value, other)
    kinds = np.where(truth, kind, kind2).astype(np.uint8)
    return PerLane(np.where(truth, rows, rows2).astype(np.float64), PYTHON, kinds)


def _inexact(rows: Any, kind: Any) -> bool:
    """Whether whole numbers are too large to be floats."""
    return bool(kind is not None and rows.dtype == np.int64 and rows.size and np.abs(rows).max() >= EXACT)


def _as_objects(truth: Any, value: Tuple[Any, int, Any], other: Tuple[Any, int, Any]) -> PerLane:
    sides = []
    for rows, form, kind in (value, other):
        if isinstance(kind, np.ndarray):
            items: List[Any] = tracer.items(PerLane(rows, PYTHON, kind))
        elif rows.ndim == 0:
            items = [
                None if kind == NONE else rows[()] if form == NUMPY or rows.dtype == object else rows.item()
            ] * len(truth)
        else:
            items = list(rows) if form == NUMPY else rows.tolist()
        sides.append(items)
    return PerLane(objects(one if here else another for here, one, another in zip(truth, *sides)))


def _array(value: Any) -> Any:
    return tracer.rows(value) if isinstance(value, PerLane) and value.form == ARRAY else None


def some_go_on(turns: Any) -> bool:
    """Whether a `while` loop has another turn. Where few lanes go on, they do so by themselves."""
    if not isinstance(turns, PerLane):
        return bool(turns)
    known = left_of(turns)
    return tracer.decide(turns) if known is None else known


@operation
def left_of(turns: PerLane) -> Optional[bool]:
    """Whether some lanes of the mask go on; None where these are few."""
    truth = tracer.truth(turns)
    if tracer.mask is not None:
        truth = truth & tracer.mask
    going = int(np.count_nonzero(truth))
    few = _FEW_GO_ON * going < tracer.count and not tracer.branches
    return None if few and going else going > 0
