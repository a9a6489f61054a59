"""What a function spends, as a tree: calls one after another, branches, loops; plain data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dplint.amounts import Amount
from dplint.claims import Mechanism, Span


@dataclass(frozen=True, slots=True)
class Condition:
    """What records of a part have in common: a comparison with names for its values. constant: `right` is one."""

    left: str
    operator: str
    right: str
    constant: bool = False


@dataclass(frozen=True, slots=True)
class Part:
    """Some of the records: those for which all conditions hold. exact: no chance has left out others."""

    conditions: frozenset[Condition] = frozenset()
    exact: bool = True


@dataclass(frozen=True, slots=True)
class Spend:
    """One call that spends.

    name: what is called. factor: how many steps of the called claim's relation lie between neighbours. accountant: the
    object that has allowed as much before.
    """

    name: str
    file: str
    span: Span
    epsilon: Amount
    delta: Amount
    part: Part
    factor: int = 1
    accountant: str | None = None


@dataclass(frozen=True, slots=True)
class Series:
    """One after another, each in view of what the earlier ones gave."""

    items: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several."""

    file: str
    span: Span
    condition: str
    branches: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A loop. times: None if that is not known. disjoint: each turn has records of its own. whole: no turn is cut short
    and none is left out.
    """

    file: str
    span: Span
    times: Amount | None
    disjoint: bool
    whole: bool
    body: Node


Node: TypeAlias = Spend | Series | Choice | Repeat


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something that is not understood, with its place."""

    file: str
    span: Span
    reason: str


@dataclass(frozen=True, slots=True)
class Limit:
    """An accountant and what it allows in all. exact: its total is the sum of what was asked for."""

    name: str
    epsilon: Amount | None
    delta: Amount | None
    exact: bool = True


class Standing(StrEnum):
    """What the claims of the parts say of the claim of the whole."""

    WITHIN = "within"
    OVERSPENT = "overspent"
    UNDECIDED = "undecided"
    LEAF = "leaf"


@dataclass(frozen=True, slots=True)
class Budget:
    """What one mechanism spends.

    totals: what it spends at most, one pair of epsilon and delta for each way through it that may be the dearest; None
    where that is not known. over: the call at which more is spent than the claim allows. at: arguments at which this is
    so, empty if at all.
    """

    mechanism: Mechanism
    epsilon: Amount | None
    delta: Amount | None
    tree: Node
    standing: Standing
    totals: tuple[tuple[Amount, Amount], ...] | None = None
    limits: tuple[Limit, ...] = ()
    unclear: tuple[Unclear, ...] = ()
    over: Spend | None = None
    spent: Amount | None = None
    at: tuple[tuple[str, str], ...] = ()
