"""The law of one output, or of outputs that agree in what is asked for, without the paths that cannot come to it.

A list that is only appended to and then returned shows, at any time, how the output begins: a path on which it begins
otherwise than the goal ends there. Above threshold on n answers has 2**n paths, and one for a goal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from dplint.program.frames import Binding, LiveVariables
from dplint.program.nodes import (
    Assign,
    AugAssign,
    Call,
    Expression,
    For,
    ItemTarget,
    ListDisplay,
    Name,
    Node,
    Program,
    Return,
    Statement,
    TupleTarget,
    Update,
    While,
)
from dplint.program.walk import walk
from dplint.readings.exact.affine import Affine
from dplint.readings.exact.interpretation import Ending, ExactInterpretation, Raised
from dplint.readings.exact.merging import Merging
from dplint.readings.exact.paths import Mask, Value

_WRAPPED = ("list", "tuple", "numpy.array", "numpy.asarray")
_GROWING = ("append", "extend")


class _Anything:
    def __repr__(self) -> str:
        return "ANY"


ANY = _Anything()
"""Stands for whatever is there."""


@dataclass(frozen=True, slots=True, eq=False)
class Goal:
    """Outputs that are like this one: `ANY` in it holds of everything, a list of as many items."""

    output: Any

    def reached(self, output: Any) -> bool:
        """Whether an output, with noise in it perhaps, is such."""
        return _alike(self.output, output)

    def begun(self, items: Sequence[Any]) -> bool:
        """Whether a list that grows may still become such an output."""
        if not isinstance(self.output, list | tuple):
            return True
        return len(items) <= len(self.output) and all(
            _alike(wanted, item) for wanted, item in zip(self.output, items, strict=False)
        )

    @property
    def key(self) -> str:
        """Equal for equal goals."""
        return repr(self.output)


def growing_output(program: Program) -> str | None:
    """The variable of the mechanism itself that all of its outputs are, and that nothing but appending changes."""
    names = {_returned(node.value) for node in walk(program.body) if isinstance(node, Return)}
    name = names.pop() if len(names) == 1 else None
    if name is None or name in program.parameters or name in program.shared:
        return None
    made = [node for node in program.body if isinstance(node, Assign) and _is_made(node, name)]
    changes = sum(_changes(node, name) for node in walk(program.body))
    appended = sum(
        isinstance(node, Update) and node.name.id == name and node.method in _GROWING for node in walk(program.body)
    )
    return name if len(made) == 1 and changes == 1 + appended else None


def _returned(value: Expression | None) -> str | None:
    if isinstance(value, Call) and value.function in _WRAPPED and len(value.arguments) == 1:
        (value,) = value.arguments
    return value.id if isinstance(value, Name) else None


def _is_made(node: Assign, name: str) -> bool:
    return isinstance(node.value, ListDisplay) and any(isinstance(one, Name) and one.id == name for one in node.targets)


def _changes(node: Node, name: str) -> int:
    """How often a node writes into the variable."""
    match node:
        case Assign(targets=targets):
            return sum(_is_target(one, name) for one in targets)
        case AugAssign(target=target) | For(target=target):
            return int(_is_target(target, name))
        case Update(name=written):
            return int(written.id == name)
    return 0


def _is_target(target: Any, name: str) -> bool:
    match target:
        case Name(id=written):
            return written == name
        case ItemTarget(name=written):
            return written.id == name
        case TupleTarget(elements=elements):
            return any(_is_target(one, name) for one in elements)
    return False


class GoalDirected:
    """Hooks that end the paths on which the growing output does not begin like the goal; then others are merged."""

    def __init__(self, merging: Merging, interpretation: ExactInterpretation, goal: Goal, name: str) -> None:
        self._merging, self._interpretation = merging, interpretation
        self._goal, self._name = goal, name

    def entering_loop(
        self, node: For | While, iterable: Value | None, active: Mask, live: LiveVariables[Value, Mask]
    ) -> None:
        """Nothing to do."""

    def after_statement(self, statement: Statement, active: Mask, live: LiveVariables[Value, Mask]) -> None:
        """End what cannot come to the goal."""
        binding = live.bindings().get((0, self._name))
        if binding is not None:
            self._end_others(active, binding)
        self._merging.after_statement(statement, active, live)

    def _end_others(self, active: Mask, binding: Binding[Value, Mask]) -> None:
        interpretation = self._interpretation
        known: dict[int, bool] = {}
        gone = []
        for leaf in interpretation.leaves(active):
            items = interpretation.get(binding.value, leaf)
            if isinstance(items, list):
                if id(items) not in known:
                    known[id(items)] = self._goal.begun(items)
                if not known[id(items)]:
                    gone.append(leaf)
        if gone:
            interpretation.end(gone)


def reaching(endings: Sequence[Ending], goal: Goal) -> list[Ending]:
    """The ways to end in such an output."""
    return [one for one in endings if goal.reached(one.output)]


def _alike(wanted: Any, found: Any) -> bool:
    if wanted is ANY:
        return True
    if isinstance(found, np.ndarray):
        found = found.tolist()
    if isinstance(wanted, list | tuple):
        return (
            isinstance(found, list | tuple)
            and len(found) == len(wanted)
            and all(_alike(one, other) for one, other in zip(wanted, found, strict=True))
        )
    if isinstance(wanted, dict):
        return (
            isinstance(found, dict)
            and wanted.keys() == found.keys()
            and all(_alike(wanted[k], found[k]) for k in wanted)
        )
    if isinstance(found, Affine | list | tuple | dict) or isinstance(wanted, Raised) != isinstance(found, Raised):
        return False
    return bool(wanted == found)
