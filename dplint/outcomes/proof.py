"""Proofs: the inputs that one covers, and the certificate that it can be checked by."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dplint.claims import Categories, Fixed, Literal, Span
from dplint.sites import DrawSite


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Numbers from low to high, both included unless infinite. above: low itself is left out, as in epsilon > 0.

    integer: whole numbers only.
    """

    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    integer: bool = False


class OtherText(str):
    """In a list of texts: stands for every text that is not in the list. Of such a one nothing else is known."""

    __slots__ = ()


ArgumentValues: TypeAlias = Fixed | Categories | Range


@dataclass(frozen=True, slots=True)
class ArgumentScope:
    """The values of one parameter for which a proof holds."""

    name: str
    values: ArgumentValues


@dataclass(frozen=True, slots=True)
class Sizes:
    """The lengths of the data, that of D1, for which a proof holds. largest: None for every length from smallest on."""

    smallest: int
    largest: int | None


class Direction(StrEnum):
    """Which orders of two neighbours a proof covers. A claim asks for both."""

    BOTH = "both"
    LARGER_FIRST = "larger first"
    SMALLER_FIRST = "smaller first"


class Arithmetic(StrEnum):
    """What the numbers of a proof are. Real numbers are never rounded, as floats are."""

    REAL = "real numbers"


WORD_SIZED = "no whole number of the data, or of an array, is too large for 64 bits"
"""What a scope takes for granted of whole numbers of which no domain says how large they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """What a proof covers; nothing is said of anything else.

    relation: the name. neighbors, sensitivity: of the claim. direction: LARGER_FIRST: from longer data, or the larger
    numbers, to its neighbour. sizes: None for data that has no length. arguments: of all parameters but the data and
    the generator. epsilon: the values of the claimed epsilon; delta: the claimed one. assumptions: what is taken for
    granted and not proved, one sentence each, as the claims of functions that are called; empty for a proof that stands
    by itself. pairs: of a claim with a neighbour function of its own, the pairs that it speaks of, in both orders.
    never_run: lines of the mechanism's file at which a branch begins that no run took with which the reading of the
    proof was compared: there it rests on the reading alone. promised: what is claimed by another definition, in words,
    where epsilon and delta are what it was shown by; empty for a claim of these.
    """

    relation: str
    neighbors: str
    sensitivity: float
    sizes: Sizes | None
    arguments: tuple[ArgumentScope, ...]
    epsilon: Range
    delta: float | str = 0.0
    direction: Direction = Direction.BOTH
    arithmetic: Arithmetic = Arithmetic.REAL
    assumptions: tuple[str, ...] = ()
    pairs: tuple[tuple[Literal, Literal], ...] | None = None
    never_run: tuple[int, ...] = ()
    promised: str = ""

    @property
    def full(self) -> bool:
        """Whether no length or number of the data, no epsilon, delta or order of neighbours is left out.

        Never of a neighbour function, which may yield other pairs tomorrow.
        """
        return self.settled and not self.word_sized

    @property
    def settled(self) -> bool:
        """Whether an audit has nothing left to try: the proof is full but for whole numbers of more than 64 bits."""
        every_epsilon = self.epsilon.low == self.epsilon.high or math.isinf(self.epsilon.high)
        every_length = self.sizes is None or self.sizes.largest is None
        every_delta = not isinstance(self.delta, str)
        every_pair = self.direction is Direction.BOTH and self.pairs is None
        return every_length and every_epsilon and every_delta and every_pair

    @property
    def word_sized(self) -> bool:
        """Whether nothing is said of whole numbers of more than 64 bits, in the data or made of it."""
        return WORD_SIZED in self.assumptions

    def covers(self, data: Literal, arguments: Mapping[str, Literal]) -> bool:
        """Whether something is said of this data with these arguments; True for a direction that would have to fit."""
        if self.pairs is not None and not any(data in pair for pair in self.pairs):
            return False
        if self.sizes is not None and isinstance(data, list | tuple):
            largest = len(data) if self.sizes.largest is None else self.sizes.largest
            if not self.sizes.smallest <= len(data) <= largest:
                return False
        return all(_holds(one.values, arguments[one.name]) for one in self.arguments if one.name in arguments)


def _holds(values: ArgumentValues, value: Literal) -> bool:
    """Whether an argument has one of these values."""
    match values:
        case Fixed(value=fixed):
            return value == fixed
        case Categories(values=listed):
            return value in listed or (isinstance(value, str) and any(isinstance(one, OtherText) for one in listed))
        case Range() if isinstance(value, int | float):
            if values.integer and not float(value).is_integer():
                return False
            return (values.low < value if values.above else values.low <= value) and value <= values.high
    return False


@dataclass(frozen=True, slots=True)
class Linear:
    """A number that depends on the inputs: constant + coefficient * variable + ...

    Numbers are exact, as text that `fractions.Fraction` reads: "1", "-1/2". terms: pairs of a variable and its
    coefficient; a variable is a Python expression over D1, D2, arguments and `i`, the turn of the innermost loop.
    """

    constant: str = "0"
    terms: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Decision:
    """How a condition of the program came out in a run. condition: its source text, at span."""

    span: Span
    condition: str
    holds: bool


@dataclass(frozen=True, slots=True)
class ShiftCase:
    """By how much a draw is shifted where all these decisions are taken; with none of them, always."""

    by: Linear
    when: tuple[Decision, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Shift:
    """How the noise of a run on D1 is changed at one draw so that the run on D2 gives the same output.

    every_turn: the shift is that of every turn of the innermost loop around the draw, whose turn `site` leaves out.
    distribution: its name. scale: of the noise, an expression over the arguments. cases: exactly one of them applies to
    each run. cost: of one such draw at most, in shares of the claimed epsilon, an expression over the arguments.
    """

    site: DrawSite
    distribution: str
    scale: str
    cases: tuple[ShiftCase, ...]
    cost: str
    every_turn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Certificate:
    """Why a claim holds within a scope, in words and as data that a checker can verify anew.

    method: for instance "randomness alignment" (Wang, Ding, Kifer, Zhang: CheckDP, CCS 2020). words: the argument in a
    sentence. shifts: one for each draw of the program; empty for methods that shift nothing. cost: of all draws of a
    run together at most, in shares of the claimed epsilon, an expression over the arguments. checked_by: what has
    verified it, one phrase each.
    """

    method: str
    words: str
    shifts: tuple[Shift, ...]
    cost: str
    checked_by: tuple[str, ...]
