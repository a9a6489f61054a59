"""Certificates as the checker takes them: which draw of which path moves by how much. Plain frozen data.

A *path* is what one run does, told by its decisions: how each condition came out that noise has a part in (1 or 0), and
which item was the first extreme one where a program asks for the `argmax` of noisy numbers, in the order of the run.

The *offset* of a draw is by how much the number differs between the runs that the draw is added to first: the run on
D2 less the run on D1. Noise in that number counts as 0, so an offset is known once data and arguments are.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from dplint.claims import Literal, Span

Decisions: TypeAlias = tuple[int, ...]
OwnPairs: TypeAlias = "tuple[tuple[Literal, Literal], ...]"
"""What a claim's own neighbour function yields."""
Case: TypeAlias = tuple[tuple[str, "bool | int | float | str | None"], ...]


@dataclass(frozen=True, slots=True)
class Move:
    """By how much a draw is shifted: constant + the sum of coefficient * offset of the path's draw of that number.

    rises: the same with the offset where it is positive, and else 0.
    """

    constant: Fraction = Fraction(0)
    offsets: tuple[tuple[int, Fraction], ...] = ()
    rises: tuple[tuple[int, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class Moves:
    """The moves of a path, one for each draw, in the order in which it makes them."""

    path: Decisions
    moves: tuple[Move, ...]


ANY = -1
"""The size of data of any length."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One way in which two neighbours are told apart without their numbers.

    size: the length of D1, ANY for all that are longer than those of other shapes. edit: for sequences of records how
    D1 becomes D2, "add 2", "remove 0", "replace 1", of any length "add any"; for vectors that move in one direction
    "up" or "down"; of a claim's own pairs "pair 3", or "turned 3"; else "".
    """

    size: int
    edit: str = ""


@dataclass(frozen=True, slots=True)
class BoundedCertificate:
    """Moves for every path of every shape within the scope, and every case of it.

    A case is a choice of the arguments for which the scope lists values, in the order of the scope.
    """

    groups: tuple[tuple[Shape, Case, tuple[Moves, ...]], ...]


@dataclass(frozen=True, slots=True)
class Bound:
    """An inequality that holds of whole-number state whenever a turn begins: constant + sum of terms >= 0.

    terms: (name, coefficient), of variables of the loop and of arguments.
    """

    constant: Fraction
    terms: tuple[tuple[str, Fraction], ...]


@dataclass(frozen=True, slots=True)
class Potential:
    """What a run has cost at most whenever a turn begins, in shares of the claimed epsilon.

    constant + the sum of coefficient * variable / (scale * epsilon), with the scale of the draw at the span, + used *
    what the data has moved so far, in shares of the sensitivity, - the sum of coefficient * |difference of a free
    variable| / sensitivity.
    """

    constant: Fraction = Fraction(0)
    counters: tuple[tuple[str, Span, Fraction], ...] = ()
    used: Fraction = Fraction(0)
    free: tuple[tuple[str, Fraction], ...] = ()


@dataclass(frozen=True, slots=True)
class LoopCertificate:
    """One inductive step over the only loop whose turns draw noise: for data of every length.

    loop: the span of the `for`. before: the moves of the draws in front of the loop, constants. differences: for each
    variable that the loop changes by how much the runs differ in it whenever a turn begins, run on D2 less run on D1;
    None if by any number. turns: the moves of one turn, by its decisions; after a `break` with what follows the loop.
    after: those of what follows the loop when it has run to its end. downward: where a relation tells directions apart,
    this is the certificate for larger numbers, and that the one for smaller.
    """

    loop: Span
    before: tuple[Move, ...]
    differences: tuple[tuple[str, Fraction | None], ...]
    bounds: tuple[Bound, ...]
    potential: Potential
    turns: tuple[Moves, ...]
    after: tuple[Moves, ...]
    downward: LoopCertificate | None = None


@dataclass(frozen=True, slots=True)
class GaussianCertificate:
    """Numbers for a claim with a delta.

    shares: what the square of a shift by 1 costs at most, as a share of all; by the text of the term that it is. mu: by
    how many of its sigmas noise may move, for an epsilon and a delta that are numbers.
    """

    shares: tuple[tuple[str, Fraction], ...] = ()
    mu: Fraction | None = None
