"""What a function spends, as a tree: calls one after another, branches, loops; plain data.

The best composition of parts of which only epsilon and delta are known, and what sampling records gains.

A function that keeps (epsilon, delta) is no worse than one that reveals everything with probability delta, and else
tells one bit by randomised response with epsilon; so the composition of these is the best bound that follows from the
claims alone, also where each call is chosen in view of earlier answers, as long as all epsilons and deltas are fixed
before (Kairouz, Oh, Viswanath: The composition theorem for differential privacy, ICML 2015, theorem 3.3).

Of records that a coin of each lets in with probability q, a claim of epsilon about adding or removing one becomes
ln(1 + q (e^epsilon - 1)), and delta becomes q delta (Li, Qardaji, Su: On sampling, anonymization, and differential
privacy, ASIACCS 2012, theorem 1; Balle, Barthe, Gaboardi: Privacy amplification by subsampling, NeurIPS 2018).

Which parts of the data have records in common.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from dplint.amounts import Amount
from dplint.claims import Mechanism, Span
from dplint.contracts.composing import Dominated


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
    object that has allowed as much before. most: it is what the claim of the call implies in the currency of the whole,
    and the call may be known to spend less. remark: how it comes to that, in words.
    """

    name: str
    file: str
    span: Span
    epsilon: Amount
    delta: Amount
    part: Part
    factor: int = 1
    accountant: str | None = None
    most: bool = False
    kept: Dominated | None = None
    remark: str = ""


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


def spends(node: Node) -> Iterator[Spend]:
    """All calls that spend."""
    match node:
        case Spend():
            yield node
        case Series(items=inner) | Choice(branches=inner):
            for one in inner:
                yield from spends(one)
        case Repeat(body=body):
            yield from spends(body)


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
    so, empty if at all. composed: the delta that its parts keep together at the epsilon of the claim, where that was
    worked out; None elsewhere.
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
    composed: float | None = None

    @property
    def currency(self) -> str:
        """What `epsilon` and all that is spent count, where the claim is by another definition: "rho"; else empty."""
        promise = self.mechanism.claim.promise
        if promise is None:
            return ""
        if promise.kind == "renyi":
            return f"renyi at order {promise.amounts[0]:g}" if len(promise.amounts) == 2 else promise.kind
        return "mu**2" if promise.kind == "mu" else promise.kind


_MOST_LOSSES = 20_000
_MOST_CALLS = 2_000
_LARGEST = 50
"""Larger epsilons are no budget, and their exponentials are left alone."""
_ROUNDING = 1e-9
"""Relative; the sums below are of positive numbers, and err by far less."""


def composed_delta(parts: Sequence[tuple[Fraction, Fraction, int]], epsilon: Fraction) -> float | None:
    """An upper bound of the delta that all parts keep together at an epsilon; None if there are too many of them.

    parts: epsilon, delta, and how often each is called.
    """
    if any(one < 0 or not 0 <= delta <= 1 or one > _LARGEST for one, delta, _ in parts):
        return None
    if sum(times for _, _, times in parts) > _MOST_CALLS:
        return None
    losses: dict[Fraction, float] = {Fraction(0): 1.0}
    kept = 1.0
    for one, delta, times in parts:
        kept *= (1 - float(delta)) ** times
        up = 1 / (1 + math.exp(-one))
        for _ in range(times):
            after: dict[Fraction, float] = {}
            for loss, chance in losses.items():
                after[loss + one] = after.get(loss + one, 0.0) + chance * up
                after[loss - one] = after.get(loss - one, 0.0) + chance * (1 - up)
            losses = after
            if len(losses) > _MOST_LOSSES:
                return None
    above = sum(chance * -math.expm1(float(epsilon - loss)) for loss, chance in losses.items() if loss > epsilon)
    # Where all deltas are tiny, 1 - kept would lose its digits.
    revealed = min(-math.expm1(sum(times * math.log1p(-float(d)) for _, d, times in parts if d < 1)), 1.0)
    revealed = 1.0 if any(d == 1 for _, d, _ in parts) else revealed
    return (revealed + kept * above) * (1 + _ROUNDING)


def sampled_epsilon(epsilon: Fraction, rate: Fraction) -> Fraction | None:
    """An upper bound of the epsilon of a function on sampled records; None where it is of no use."""
    if not 0 <= rate <= 1 or not 0 <= epsilon <= _LARGEST:
        return None
    return min(epsilon, Fraction(math.log1p(float(rate) * math.expm1(float(epsilon))) * (1 + _ROUNDING)))


_MOST = 12
OPPOSITE = {"<": (">=", ">"), "<=": (">",), ">": ("<=", "<"), ">=": ("<",), "==": ("!=",), "!=": ("==",)}


def may_share(one: Part, other: Part) -> bool:
    """Whether a record may be in both, as far as the conditions tell."""
    return not any(_exclude(a, b) for a in one.conditions for b in other.conditions)


def within(one: Part, other: Part) -> bool:
    """Whether all records of the first are in the second for certain."""
    return other.exact and other.conditions <= one.conditions


def _exclude(one: Condition, other: Condition) -> bool:
    """Whether no record meets both: equal to two different constants, or on the two sides of the same comparison."""
    if one.left != other.left:
        return False
    if one.operator in ("==", "is") and other.operator == one.operator:
        return one.constant and other.constant and one.right != other.right and _comparable(one, other)
    return one.right == other.right and other.operator in OPPOSITE.get(one.operator, ())


def _comparable(one: Condition, other: Condition) -> bool:
    """Whether different texts of constants are different values: not so for 1 and 1.0, or 1 and True."""
    kinds = {
        "text" if text[0] in "'\"" else "number" if text[0] in "0123456789-" else text
        for text in (one.right, other.right)
    }
    if kinds == {"number"}:
        return float(one.right) != float(other.right)
    return kinds <= {"text", "number"} or kinds == {"True", "False"}


def disjoint_groups(leaves: Sequence[Spend]) -> list[list[Spend]]:
    """All largest sets of calls that one record may be in each of; one set of all where there are too many calls."""
    if len(leaves) > _MOST:
        return [list(leaves)]
    groups: list[list[Spend]] = []
    for mask in sorted(range(1 << len(leaves)), key=lambda mask: -mask.bit_count()):
        chosen = [one for place, one in enumerate(leaves) if mask >> place & 1]
        pairs = ((a, b) for place, a in enumerate(chosen) for b in chosen[place + 1 :])
        if all(may_share(a.part, b.part) for a, b in pairs):
            inside = {id(one) for one in chosen}
            if not any(inside <= {id(other) for other in group} for group in groups):
                groups.append(chosen)
    return groups or [[]]
