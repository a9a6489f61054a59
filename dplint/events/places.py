"""Places: parts of the output, by the steps that lead to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from dplint.claims import Literal
from dplint.program.building import attribute, call, constant, item, method, name
from dplint.program.nodes import Expression, MethodCall
from dplint.program.parsing import VIEW_METHODS as METHODS

OUTPUT = "output"
"""What events call the output."""


@dataclass(frozen=True, slots=True)
class Through:
    """A step to what a view shows, by the name of the view."""

    view: str


@dataclass(frozen=True, slots=True, eq=False)
class Key:
    """A step to an entry of a dict whose key is neither an integer nor a text, or a text that begins with a dot.

    As in a dict, that to True or 1.0 is the same as that to 1.
    """

    value: Literal

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Key):
            return (self.value,) == (other.value,)
        return isinstance(other, int) and self.value == other

    def __hash__(self) -> int:
        return hash(self.value)


Step: TypeAlias = "int | str | Through | Key"
Steps = tuple[Step, ...]
"""Each an index, a dict key, ".name" for an attribute, or a view; the output itself has no steps."""

_FUNCTIONS = {
    "float": "float",
    "json": "json.loads",
    "length": "len",
    "list": "list",
    "numbers": "numbers-in",
    "sorted": "sorted",
    "str": "str",
    "words": "words-in",
}
"""The functions that views are written as calls of."""
_VIEWS: Mapping[str, Callable[[Expression], Expression]] = {
    "astype": lambda value: call("float", method(value, "astype", constant("int64"))),
    "columns": lambda value: method(value, "to_dict", constant("list")),
    "index": lambda value: call("list", attribute(value, "index")),
    "series": lambda value: MethodCall(value, "to_dict", (), (("as_series", constant(False)),), value.span),
    "values": lambda value: call("list", method(value, "values")),
}
"""How views are written that are neither such calls nor methods without arguments."""


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
    match last:
        case Through(view):
            plain = call(_FUNCTIONS[view], parent) if view in _FUNCTIONS else None
            return plain or (method(parent, view) if view in METHODS else _VIEWS[view](parent))
        case Key(value):
            return item(parent, value)
        case str() if last.startswith("."):
            return attribute(parent, last[1:])
    return item(parent, last)
