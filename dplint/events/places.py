"""Places: parts of the output, by the steps that lead to them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from dplint.program.building import attribute, item, name
from dplint.program.nodes import Call, Constant, Expression, Name, Subscript

OUTPUT = "output"
"""What events call the output."""
Steps = tuple[int | str, ...]
"""Each an index, a dict key, or ".name" for an attribute; the output itself has no steps."""


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the output."""

    steps: Steps = ()

    @property
    def tree(self) -> Expression:
        """The place as an expression over `output`."""
        return _tree(self.steps)


@lru_cache(maxsize=4096)
def _tree(steps: Steps) -> Expression:
    if not steps:
        return name(OUTPUT)
    *before, last = steps
    parent = _tree(tuple(before))
    if isinstance(last, str) and last.startswith("."):
        return attribute(parent, last[1:])
    return item(parent, last)


def steps_of(tree: Expression) -> Steps | None:
    """The steps that lead to a place; None for an expression that is no place."""
    match tree:
        case Name(id) if id == OUTPUT:
            return ()
        case Subscript(value, Constant(int() | str() as index)) if (steps := steps_of(value)) is not None:
            return (*steps, index)
        case Call(function, (value,), ()) if function.startswith("attribute."):
            steps = steps_of(value)
            return None if steps is None else (*steps, function.removeprefix("attribute"))
    return None
