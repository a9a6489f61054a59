"""What the proposer's values are made of beside forms, and what its library asks of a run."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from dplint.claims import Span
from dplint.proofs.proposer.forms import Comparison, Form


class Array(list[Any]):
    """A one-dimensional array."""


class Frame(dict[str, Any]):
    """A data frame: the columns by their names, and the number of rows."""

    rows = 0


class Run(Protocol):
    """One run on a sample; `walking.SampleWalk` is one."""

    def at(self, form: Form) -> Fraction:
        """The value of a form without noise."""

    def truth(self, value: Any, active: bool, span: Span) -> bool:
        """Python's truth."""

    def decided(self, value: Comparison) -> bool:
        """How a comparison comes out."""

    def whole(self, form: Form) -> bool:
        """Whether all noise in it is of whole numbers."""

    def choose(self, options: int) -> int:
        """The next decision."""

    def watched(self, value: Any) -> Form:
        """A number of which nothing is known but that equal operands make it equal."""

    def note_condition(self, form: Form) -> None:
        """The form is at least 0 on this path."""

    def end(self, exception: str) -> Any:
        """Ends the run by an exception."""

    def call(
        self, function: str, arguments: Sequence[Any], keywords: Mapping[str, Any], active: bool, span: Span
    ) -> Any:
        """A function."""

    def compare(self, operator: str, left: Any, right: Any, active: bool, span: Span) -> Any:
        """A comparison."""


def lifted(value: Any) -> Any:
    """A literal: numbers become forms."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        return value if not math.isfinite(value) else Form.number(Fraction(repr(value)))
    if isinstance(value, int | Fraction):
        return Form.number(Fraction(value))
    if isinstance(value, list | tuple):
        return type(value)(map(lifted, value))
    if isinstance(value, dict):
        return {key: lifted(one) for key, one in value.items()}
    return value


def number(value: Any) -> Form:
    """A form; truth values count as 0 and 1."""
    if isinstance(value, Form):
        return value
    if isinstance(value, int | Fraction):
        return Form.number(Fraction(value))
    raise TypeError(f"{value!r} is no number that the proposer knows")


def plainly(value: Any) -> Any:
    """An index or a key as Python has it."""
    if isinstance(value, Form):
        if value.constant is None or value.constant.denominator != 1:
            raise TypeError("an index that is not known")
        return int(value.constant)
    return value


def as_key(value: Any) -> Any:
    """A key of a dict as Python has it: a number, or a tuple of some."""
    if isinstance(value, Form) and value.constant is not None:
        return int(value.constant) if value.constant.denominator == 1 else value.constant
    return tuple(map(as_key, value)) if isinstance(value, tuple | list) else plainly(value)
