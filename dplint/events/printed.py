"""An event that was printed, read back: whether it holds for an output, and what of the output it is about.

The text may come out of a store that somebody else has written. It becomes an expression of the program language, and
only what that can say is let through: nothing of it can reach beyond the output.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from dplint.events import on_tables
from dplint.events.array_values import TableValues
from dplint.events.columns import Mask
from dplint.events.places import OUTPUT
from dplint.program.building import compiled
from dplint.program.nodes import BoolOp, Compare, Constant, Expression, Name
from dplint.program.parsing import NotAnExpression, parse
from dplint.program.printing import printed
from dplint.program.walk import mentions

UNDEFINED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What it raises to look at a part that an output does not have."""


class NotAnEvent(ValueError):
    """A text that is no event; says why."""


def read_event(text: str) -> Expression:
    """The event that a text is, an expression over `output`. Raises NotAnEvent."""
    try:
        tree = parse(text, frozenset([OUTPUT]))
    except NotAnExpression as error:
        raise NotAnEvent(f"the event cannot be read: {error}: {text[:200]}") from None
    if not mentions(tree, OUTPUT):
        raise NotAnEvent(f"the event does not speak of the output: {text[:200]}")
    return tree


@dataclass(frozen=True, slots=True)
class Measure:
    """What an event looks at, and the numbers that it is compared with, ascending."""

    tree: Expression
    thresholds: tuple[float, ...]
    _function: Callable[[Any], Any] = field(repr=False, compare=False)

    @property
    def expression(self) -> str:
        """The measure as Python."""
        return printed(self.tree)

    def of(self, output: object) -> Any:
        """Its value. Raises one of UNDEFINED where an output has none."""
        return self._function(output)


class PrintedEvent:
    """An event by its printed text. Raises NotAnEvent for what is none."""

    def __init__(self, text: str) -> None:
        self.tree = read_event(text)
        self._function = compiled(self.tree, OUTPUT)
        self.measures = tuple(_measures(self.tree))
        """What it looks at, at least the output itself; the most telling one is for the caller to find."""
        self._plan = on_tables.plan_of(self.tree)
        self.leaves = on_tables.LeavesRead(self.mask)
        """The leaves of outputs of a shape that it looks at."""

    def holds(self, output: object) -> bool:
        """Whether the output is in the event; one that lacks what the event looks at is not."""
        try:
            return bool(self._function(output))
        except UNDEFINED:
            return False

    def mask(self, values: TableValues) -> Mask:
        """Where it holds among the outputs of a table, as `holds`; shape (n,), or (1,) where all outputs agree."""
        return on_tables.mask(self._plan, values)


def _measures(tree: Expression) -> Iterator[Measure]:
    """What the conjuncts compare, each once, with all thresholds that it is compared with; the output as a last one."""
    found: dict[str, tuple[Expression, list[float]]] = {}
    for comparison in tree.operands if isinstance(tree, BoolOp) and tree.operator == "and" else (tree,):
        if not isinstance(comparison, Compare):
            continue
        sides = [comparison.left, *comparison.comparators]
        measured = [side for side in sides if mentions(side, OUTPUT)]
        if len(measured) == 1:
            _, limits = found.setdefault(printed(measured[0]), (measured[0], []))
            limits += [value for side in sides if (value := _number(side)) is not None]
    whole = Name(OUTPUT, tree.span)
    found.setdefault(OUTPUT, (whole, []))
    for side, limits in found.values():
        yield Measure(side, tuple(sorted(set(limits))), compiled(side, OUTPUT))


def _number(node: Expression) -> float | None:
    if not isinstance(node, Constant) or isinstance(node.value, bool) or not isinstance(node.value, int | float):
        return None
    return float(node.value) if abs(node.value) <= sys.float_info.max else None
