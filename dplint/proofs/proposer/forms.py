"""Numbers of one run as the proposer sees them: linear in noise, in the answers, and in their moves.

Arguments are numbers of a sample. What is not linear is a variable, too: a proof then
needs equal operands in both runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

Key: TypeAlias = tuple[str, Any]
"""("n", k) is draw k, ("q", i) answer i, ("e", i) its move, ("v", name) the state of a loop, ("D", name) by how much
the runs differ in it, ("u", k) what is not linear; ("", 0) is the constant. In samples ("a", name) is an argument.
"""
CONSTANT: Key = ("", 0)
NOISY = frozenset("nvu")


class NoProposal(Exception):
    """No certificate was found, for the reason given."""


@dataclass(frozen=True)
class Form:
    """The sum of factor * variable."""

    factors: Mapping[Key, Fraction]

    @classmethod
    def number(cls, value: Fraction | int) -> Form:
        """A constant."""
        return cls({CONSTANT: Fraction(value)} if value else {})

    @classmethod
    def variable(cls, kind: str, name: Any) -> Form:
        """One variable."""
        return cls({(kind, name): Fraction(1)})

    def plus(self, other: Form, factor: Fraction | int = 1) -> Form:
        """The sum of this and factor * other."""
        result = dict(self.factors)
        for key, value in other.factors.items():
            result[key] = result.get(key, Fraction(0)) + factor * value
        return Form({key: value for key, value in result.items() if value})

    def times(self, factor: Fraction | int) -> Form:
        """The product with a number."""
        return Form({key: value * factor for key, value in self.factors.items()} if factor else {})

    @property
    def constant(self) -> Fraction | None:
        """The number that it is, None if it has variables in it."""
        return self.factors.get(CONSTANT, Fraction(0)) if all(key == CONSTANT for key in self.factors) else None

    @property
    def noisy(self) -> bool:
        """Whether noise has a part in it."""
        return any(key[0] in NOISY for key in self.factors if key != CONSTANT)

    def part(self, kinds: str) -> dict[Key, Fraction]:
        """The summands with variables of these kinds."""
        return {key: value for key, value in self.factors.items() if key != CONSTANT and key[0] in kinds}

    def without(self, kinds: str) -> Form:
        """The other summands, the constant among them."""
        return Form({key: value for key, value in self.factors.items() if key == CONSTANT or key[0] not in kinds})

    def at(self, sample: Mapping[Key, Fraction]) -> Fraction:
        """The value at a sample; variables that it does not name are 0."""
        return sum(
            (value * (1 if key == CONSTANT else sample.get(key, 0)) for key, value in self.factors.items()), Fraction(0)
        )


def named(sample: Mapping[Key, Fraction]) -> dict[str, Fraction]:
    """The numbers of a sample by the names that the checker has for their variables."""
    return {f"a:{name}" if kind == "a" else f"d:{kind}{name}": number for (kind, name), number in sample.items()}


@dataclass(frozen=True, slots=True)
class Duty:
    """What shifts must do: the sum of factor * shift + rest is at least 0, or equal to 0."""

    factors: tuple[tuple[Any, Fraction], ...]
    rest: Form
    equality: bool
