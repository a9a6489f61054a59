"""The tree of a residual program: its nodes are operations, its branches what these answered, its leaves outputs.

Part of the worker.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import numpy as np

from dplint.runner.batch import Skeleton
from dplint.runner.decode import skeleton_of
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
