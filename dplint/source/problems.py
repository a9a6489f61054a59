"""What is wrong with a claim, and the parts of one that it is said of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from dplint.claims import Literal, Span


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a claim: its code DP0xx, its place, and what to write instead."""

    code: str
    span: Span
    message: str


@dataclass(frozen=True, slots=True)
class Item:
    """The value of one argument of a claim, and where it stands. entries: the values of a dict, by key."""

    value: Literal
    span: Span
    entries: Mapping[str, Item] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Problems:
    """Collects problems while a claim is read, so that one check reports all of them."""

    found: list[Problem] = field(default_factory=list)

    def add(self, code: str, span: Span, message: str) -> None:
        """Note a problem."""
        self.found.append(Problem(code, span, message))
