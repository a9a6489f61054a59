"""Features: functions of an output, read from columns of many outputs at once.

Ding et al., "Detecting Violations of Differential Privacy", CCS 2018, section 5.3 (Algorithm 3) lists the features for
each kind of output: the values themselves, the length, the count of each value, the Hamming distance to the noise-free
output, and element, mean, minimum and maximum of numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from dplint.events.values import Key, short_literal


@dataclass(frozen=True, slots=True)
class Place:
    """A part of the output: the steps that lead to it, each an index, a dict key, or ".name" for an attribute."""

    steps: tuple[int | str, ...] = ()

    def __str__(self) -> str:
        text = "output"
        for step in self.steps:
            text += step if isinstance(step, str) and step.startswith(".") else f"[{step!r}]"
        return text

    @property
    def parent(self) -> Place:
        """The part that holds this one."""
        return Place(self.steps[:-1])


class Summary(StrEnum):
    """Numbers that sum up a sequence of numbers."""

    MEAN = "mean"
    MIN = "min"
    MAX = "max"
    SUM = "sum"


@dataclass(frozen=True, slots=True)
class _Base:
    """What all features share.

    guards: conditions in Python that hold where the feature is defined, e.g. "len(output) > 3"; number_guard: one that
    holds where it is a number. Both are empty where every output seen so far has the feature.
    """

    place: Place
    guards: tuple[str, ...] = ()
    number_guard: str = ""

    @property
    def expression(self) -> str:
        """The feature as Python."""
        return str(self.place)

    @property
    def complexity(self) -> int:
        """How hard the feature is to take in."""
        return 0

    def guarded(self, condition: str, *, numeric: bool = False) -> str:
        """The condition, preceded by what makes it false, not an error, where the feature is not defined."""
        guards = [*self.guards, self.number_guard] if numeric and self.number_guard else self.guards
        return " and ".join([*guards, condition])


@dataclass(frozen=True, slots=True)
class Element(_Base):
    """One value of the output: a number, a bool, a string or None."""


@dataclass(frozen=True, slots=True)
class Length(_Base):
    """The length of a sequence."""

    @property
    def expression(self) -> str:
        """The feature as Python."""
        return f"len({self.place})"


@dataclass(frozen=True, slots=True)
class Count(_Base):
    """How often a value occurs in a sequence."""

    key: Key | None = None

    @property
    def expression(self) -> str:
        """The feature as Python."""
        assert self.key is not None
        return f"list({self.place}).count({self.key.shown})"

    @property
    def complexity(self) -> int:
        """A little harder than an element."""
        return 1


@dataclass(frozen=True, slots=True)
class Hamming(_Base):
    """In how many places a sequence differs from a fixed one; a difference in length counts as well."""

    reference: tuple[Key, ...] = ()

    @property
    def expression(self) -> str:
        """The feature as Python."""
        listed = f"[{', '.join(key.shown for key in self.reference)}]"
        differing = f"sum(a != b for a, b in zip({self.place}, {listed}))"
        return f"{differing} + abs(len({self.place}) - {len(self.reference)})"

    @property
    def complexity(self) -> int:
        """Among the hardest features."""
        return 3


@dataclass(frozen=True, slots=True)
class Summed(_Base):
    """Mean, minimum, maximum or sum of a sequence of numbers; missing where it is empty or holds other things.

    as_floats: whether the elements are NumPy's, whose own sum may overflow, or be rounded to few digits.
    """

    summary: Summary = Summary.MEAN
    as_floats: bool = False

    @property
    def expression(self) -> str:
        """The feature as Python."""
        added = f"sum(map(float, {self.place}))" if self.as_floats else f"sum({self.place})"
        match self.summary:
            case Summary.MEAN:
                return f"{added} / len({self.place})"
            case Summary.SUM:
                return added
            case Summary.MIN | Summary.MAX:
                return f"{self.summary.value}({self.place})"

    @property
    def complexity(self) -> int:
        """A little harder than an element."""
        return 1


@dataclass(frozen=True, slots=True)
class Reaching(_Base):
    """How many elements of a sequence of numbers reach a threshold; missing where it is empty or holds other things.

    steps: of each element only what it adds to the one before, the first to zero: which undoes running sums.
    as_floats: as for `Summed`.
    """

    threshold: float = 0.0
    steps: bool = False
    as_floats: bool = False

    @property
    def expression(self) -> str:
        """The feature as Python."""
        threshold = short_literal(self.threshold)
        if not self.steps:
            return f"sum(x >= {threshold} for x in {self.place})"
        step = "float(b) - float(a)" if self.as_floats else "b - a"
        return f"sum({step} >= {threshold} for a, b in zip([0, *{self.place}], {self.place}))"

    @property
    def complexity(self) -> int:
        """Harder than a count."""
        return 2 + self.steps


@dataclass(frozen=True, slots=True)
class Difference(_Base):
    """One element minus another one; missing where one of them is no number. Exact for integers up to 2**52.

    as_floats: as for `Summed`.
    """

    other: Place = field(default_factory=Place)
    as_floats: bool = False

    @property
    def expression(self) -> str:
        """The feature as Python."""
        return f"float({self.place}) - float({self.other})" if self.as_floats else f"{self.place} - {self.other}"

    @property
    def complexity(self) -> int:
        """Harder than an element."""
        return 2


@dataclass(frozen=True, slots=True)
class TypeName(_Base):
    """The name of the type of a part of the output; tells exceptions apart as well."""

    @property
    def expression(self) -> str:
        """The feature as Python."""
        return f"type({self.place}).__name__"

    @property
    def complexity(self) -> int:
        """A little harder than an element."""
        return 1


@dataclass(frozen=True, slots=True)
class Message(_Base):
    """The text of an exception that the mechanism raised."""

    @property
    def expression(self) -> str:
        """The feature as Python."""
        return f"str({self.place})"

    @property
    def complexity(self) -> int:
        """A little harder than an element."""
        return 1


@dataclass(frozen=True, slots=True)
class Whole(_Base):
    """A sequence as one value: all its elements in their order."""

    as_list: bool = False

    @property
    def expression(self) -> str:
        """The feature as Python."""
        return f"list({self.place})" if self.as_list else str(self.place)

    @property
    def complexity(self) -> int:
        """Harder than one element."""
        return 2


Feature: TypeAlias = Element | Length | Count | Hamming | Summed | Reaching | Difference | TypeName | Message | Whole
