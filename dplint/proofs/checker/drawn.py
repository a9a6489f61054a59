"""What the walk of a program notes of a run: its draws and its outputs."""

from __future__ import annotations

from dataclasses import dataclass

import z3

from dplint.claims import Span
from dplint.proofs.checker.bags import Source
from dplint.proofs.checker.values import Mask, Value, Values


@dataclass(slots=True)
class Drawn:
    """One draw of a run.

    key: the same in both runs for the same draw. scale: one over what a shift by 1 costs. base: the first number with
    more than noise in it that it was added to, less noise. source: of data of any length, of which each item has such a
    draw; None for a single one. given: what a function of a library is given, for what it releases, by parameters.
    """

    key: str
    span: Span
    distribution: str
    scale: Value
    number: z3.ArithRef
    base: z3.ArithRef | None = None
    source: Source | None = None
    given: Values | None = None


@dataclass(frozen=True, slots=True)
class Output:
    """What a run gives where the mask holds: kind is "value", or the name of an exception."""

    mask: Mask
    kind: str
    value: Value
