"""The tree of a residual program: its nodes are operations, its branches what these answered, its leaves outputs.

Part of the worker.

Values of a residual program that are the same in all runs of a data value, worked out once for each of them.

Where one program runs on many data values at once, what hangs on the data alone (a sum of it, how often a text is in
it) takes as long as there are data values, not runs. Part of the worker.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.runner.batch import Skeleton
from dplint.runner.decode import skeleton_of
from dplint.tracing import inputs
from dplint.tracing.lanes import PerLane, tracer
from dplint.tracing.paths import PYTHON, AtSide
from dplint.tracing.recording import OPERATIONS, Values, restored

_IMPURE = frozenset({"lane_draws.drawn", "writes.write_rows", "writes.augmented_rows"})
"""Operations that are other ones in each lane, or change what they are given."""
_COPIED = "lanes.Tracer.copied"
"""Of `lanes` alone it does not tell how lanes go on."""


class Output:
    """The end of a path. leaves: a kind with a value or text, or the number of a value by lane and its count."""

    def __init__(self, told: Any) -> None:
        signature, self.leaves = told
        self.skeleton: Skeleton = skeleton_of(signature)


class Node:
    """One operation after those before it; `output` is set where the path ends.

    is_pure: whether it gives the same wherever it is given the same. is_of_data: whether it is also the same for some
    of the lanes.
    """

    __slots__ = (
        *("answers", "arguments", "function", "is_of_data", "is_pure", "key", "name", "named", "needs", "numbers"),
        *("output", "usual"),
    )

    def __init__(self) -> None:
        self.key = self.name = ""
        self.function: Callable[..., Any] = lambda: None
        self.arguments: list[Argument] = []
        self.named: dict[str, Argument] = {}
        self.answers: dict[str, Node] = {}
        self.output: Output | None = None
        self.usual: tuple[int, Any, bool, tuple[int, ...], Node] | None = None
        """Of the first answer that is a new value by lane: form, type, whether it is mixed, shape, and what follows."""
        self.needs: frozenset[int] | None = None

    def becomes(self, key: str, name: str, arguments: Any, named: Any) -> None:
        """From now on this is that operation."""
        self.key, self.name, self.function = key, name, OPERATIONS[name]
        self.arguments = [argument_of(part) for part in arguments]
        self.named = {keyword: argument_of(part) for keyword, part in named}
        self.answers, self.usual = {}, None
        self.numbers = sorted(set().union(*(one.numbers for one in (*self.arguments, *self.named.values()))))
        self.is_pure = bool(self.numbers) and name not in _IMPURE and not name.startswith("branches.")
        self.is_of_data = self.is_pure and (not name.startswith("lanes.") or name == _COPIED)

    def called(self, values: Values) -> Any:
        """What the operation gives of these values."""
        arguments = [argument.value(values) for argument in self.arguments]
        return self.function(*arguments, **{name: one.value(values) for name, one in self.named.items()})

    def after(self, answer: Any) -> Node | None:
        """The node after this answer, as JSON."""
        return self.answers.get(json.dumps(answer))

    def add(self, answer: Any) -> Node:
        """The same, made if there is none."""
        place = json.dumps(answer)
        if place not in self.answers:
            node = self.answers[place] = Node()
            if answer[0] == "new" and self.usual is None:
                _, _, form, dtype, mixed, shape = answer
                self.usual = (form, np.dtype(dtype), mixed, tuple(shape), node)
        return self.answers[place]


class Argument:
    """An argument of an operation. number: of a value by lane, if it is one; constant: if it is none."""

    __slots__ = ("constant", "number", "numbers", "told")

    def __init__(self, told: Any, numbers: frozenset[int]) -> None:
        self.told, self.numbers = told, numbers
        self.number: int | None = told[1] if told[0] == "v" else None
        self.constant = None if numbers else restored(told, Values())

    def value(self, values: Values) -> Any:
        """What it is in the path in hand."""
        if self.number is not None:
            return values.values[self.number]
        return restored(self.told, values) if self.numbers else self.constant


def argument_of(told: Any) -> Argument:
    """What a recording tells of an argument."""
    numbers: set[int] = set()
    waiting = [told]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            if len(part) == 2 and part[0] == "v" and isinstance(part[1], int):
                numbers.add(part[1])
            else:
                waiting += part
    return Argument(told, frozenset(numbers))


def needed(node: Node) -> frozenset[int]:
    """The numbers of values that a node and those after it ask for."""
    if node.needs is None:
        waiting = [node]
        while waiting:
            last = waiting[-1]
            missing = [after for after in last.answers.values() if after.needs is None]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            numbers: set[int] = set().union(*(after.needs or () for after in last.answers.values()))
            for argument in (*last.arguments, *last.named.values()):
                numbers |= argument.numbers
            if last.output is not None:
                numbers |= {first for first, second in last.output.leaves if isinstance(second, int)}
            last.needs = frozenset(numbers)
    return node.needs or frozenset()


DATUM = "inputs.datum"
NOT_ONCE = object()
"""An operation has to be worked out in all lanes."""
_FEWER = 4
"""So many times as many lanes as data values make it worth while."""


class OfData:
    """What is the same in all lanes of a data value. rows, kinds: by data value; else as of `PerLane`."""

    __slots__ = ("form", "kinds", "rows")
    base = view = alias_at = None

    def __init__(self, rows: Any, form: int = PYTHON, kinds: Any = None) -> None:
        self.rows, self.form, self.kinds = rows, form, kinds

    def by_lane(self) -> PerLane:
        """The same as a value by lane of the present space."""
        of_lanes = inputs.values_of_lanes()
        return PerLane(self.rows[of_lanes], self.form, None if self.kinds is None else self.kinds[of_lanes])


def by_lane(numbers: Sequence[int], values: Values) -> None:
    """Have these values by lane."""
    for number in numbers:
        value = values.values[number]
        if type(value) is OfData:
            values.put(number, value.by_lane())


def is_same(value: PerLane | OfData) -> bool:
    """Whether a value is known to be the same in all lanes: it is one in memory."""
    if (
        not isinstance(value, PerLane)
        or value.base is not None
        or value.kinds is not None
        or value.alias_at is not None
    ):
        return False
    return bool(tracer.raw(value).strides[0] == 0)


class OnData:
    """Works operations out in the data values that the lanes of a path have."""

    def __init__(self) -> None:
        self._space, self._present = -1, np.arange(0)

    def datum(self, node: Node) -> Any:
        """A part of the data; NOT_ONCE where there is one data value."""
        if inputs.values_of_lanes() is None:
            return NOT_ONCE
        place: Any = node.arguments[0].constant
        return OfData(*inputs.table_of(place))

    def worked_out(self, node: Node, values: Values, given: Sequence[PerLane | OfData]) -> Any:
        """What an operation gives. NOT_ONCE where that is to be worked out in all lanes."""
        if not node.is_of_data or tracer.mask is not None or not any(type(value) is OfData for value in given):
            return NOT_ONCE
        if not all(type(value) is OfData or is_same(value) for value in given):
            return NOT_ONCE
        present, every = self._values_present()
        if _FEWER * len(present) > tracer.count:
            return NOT_ONCE
        alone = Values()
        alone.values = [None] * len(values.values)
        try:
            with tracer.aside(len(present)):
                for number, value in zip(node.numbers, given, strict=True):
                    alone.put(number, _in_values(value, present))
                result = node.called(alone)
        except AtSide:
            return NOT_ONCE
        if any(value.alias_at is not None for value in alone.values if value is not None):
            return NOT_ONCE
        return _of_data(result, alone, present, every)

    def _values_present(self) -> tuple[NDArray[np.intp], int]:
        """The numbers of the data values of the lanes in the present space, and how many there are in all."""
        if self._space != tracer.space:
            self._space, self._present = tracer.space, np.unique(inputs.values_of_lanes())
        return self._present, inputs.count()

    def forget(self) -> None:
        """Other lanes follow."""
        self._space = -1


def _in_values(value: PerLane | OfData, present: NDArray[np.intp]) -> PerLane:
    if type(value) is OfData:
        return PerLane(value.rows[present], value.form, None if value.kinds is None else value.kinds[present])
    return PerLane(np.broadcast_to(value.rows[:1], (len(present), *value.rows.shape[1:])), value.form)


def _of_data(result: Any, alone: Values, present: NDArray[np.intp], every: int) -> Any:
    """An answer in which values by data value take the place of those by lane; NOT_ONCE where that is not possible."""
    if type(result) in (list, tuple):
        items = [_of_data(item, alone, present, every) for item in result]
        return NOT_ONCE if any(item is NOT_ONCE for item in items) else type(result)(items)
    if not isinstance(result, PerLane):
        return NOT_ONCE if isinstance(result, dict) else result
    if result.base is not None or result.alias_at is not None or alone.number(result) is not None:
        return NOT_ONCE
    kinds = None if result.kinds is None else _in_all(result.kinds, present, every)
    return OfData(_in_all(result.rows, present, every), result.form, kinds)


def _in_all(rows: Any, present: NDArray[np.intp], every: int) -> Any:
    if len(present) == every:
        return rows
    spread = np.empty((every, *rows.shape[1:]), rows.dtype)
    spread[present] = rows
    return spread
