"""Checks epsilon of mechanisms whose only noise is one choice among items by weights. It needs no certificate.

The probability of item j is e^x_j over the sum of all e^x_i. On D2 it is e^y_j over the sum of e^y_i, and the quotient
of the two sums is no larger than the largest e^(y_i - x_i). So P1(j) <= P2(j) * e^(x_j - y_j + max_i (y_i - x_i)):
where no x_i moves by more than c that is 2c at most, and c where all move one way (McSherry and Talwar, FOCS 2007,
theorem 6). What follows from the item that was chosen has to be the same in both runs. Of a vector of any length this
is shown for any two of its items. To look for a uniform number between 0 and the sum of all weights among their
cumulative sums is such a choice, too: by a search, or by comparing it with one sum after another. Of a run that stops
at the j-th sum, the number lies between two sums, which is as likely as the weight between them.
"""
# ruff: noqa: ARG002 - a protocol is implemented, and not all of it is needed

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import z3

from dplint.claims import Mechanism, Span
from dplint.distributions import PYTHON, SCIPY
from dplint.outcomes import Scope
from dplint.program.nodes import Draw, Program
from dplint.proofs.checker import limits
from dplint.proofs.checker.bags import LENGTH, Bag
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.coupling import same_outputs
from dplint.proofs.checker.gathering import GatheringWalk, paths_of
from dplint.proofs.checker.inputs import Inputs, every_input
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.paths import Decider, Path
from dplint.proofs.checker.values import (
    NOWHERE,
    Items,
    Leaves,
    Mask,
    NotProved,
    Value,
    Values,
    applies,
    fail_if,
    is_number,
    is_term,
    number_in,
    refuse,
    refuse_if,
    term,
)
from dplint.sites import DrawSite

SEARCHES = frozenset(["searchsorted", "bisect", "bisect_left", "bisect_right"])
_CHOSEN = z3.Int("n: chosen")
_BELOW = {"<": True, "<=": True, ">": False, ">=": False}


@dataclass(frozen=True, slots=True)
class Places:
    """The places in data of any length."""


@dataclass(frozen=True, eq=False, slots=True)
class Uniform:
    """A uniform number between 0 and another one, less a third."""

    high: Value
    less: Value = 0

    @property
    def plain(self) -> bool:
        """Whether nothing was taken away."""
        return not is_term(self.less) and bool(self.less == 0)


@dataclass(frozen=True, eq=False, slots=True)
class Cumulative:
    """For each item the sum of the weights up to it."""

    weights: Items | Bag


class ChoiceWalk(GatheringWalk):
    """One run. logarithms: of the weights of the items, once it has chosen. chosen: that of the chosen one.

    bag: the shares of any number of items. asked: what a uniform number was compared with, one after another; it was
    below the last one if `stopped`.
    """

    shifted = frozenset[str]()

    def __init__(self, run: int, decider: Decider, leaves: Leaves, program: Program) -> None:
        super().__init__(run, decider, leaves, program)
        self.logarithms: list[z3.ArithRef] = []
        self.chosen: z3.ArithRef = z3.RealVal(0)
        self.bag: Bag | None = None
        self.asked: list[z3.ArithRef] = []
        self.high: Value = 1
        self.stopped = False
        self._drawn = False

    def called(self, asked: Asked) -> Value:
        """As ever; the places in data of any length may be chosen among, and numbers looked for among sums."""
        first, *more = asked.arguments or (None,)
        match asked.name, more:
            case "range" | "arange", [] if first is LENGTH and not asked.method:
                return Places()
            case "cumsum" | "accumulate", [] if not asked.keywords:
                return self._summed_up(first, asked.span)
            case "list", [] if isinstance(first, Cumulative | Places):
                return first
            case name, [number] if (
                name in SEARCHES and asked.keywords.keys() <= {"side"} and isinstance(first, Cumulative)
            ):
                return self._found(first.weights, number, asked.active, asked.span)
        return super().called(asked)

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """The last sum is that of all weights."""
        if isinstance(value, Cumulative) and type(index) is int and index == -1:
            return self.call("sum", (value.weights,), {}, active, span)
        return super().subscript(value, index, active, span)

    def binary(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Sums over their last, and a uniform number times another."""
        if isinstance(left, Cumulative) and operator == "/" and is_number(right):
            weights = replace(left.weights, kind="array")
            return Cumulative(super().binary("/", weights, right, active, span))
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Uniform) and operator == "*" and is_number(other) and one.plain:
                return Uniform(super().binary("*", one.high, other, active, span))
        if isinstance(left, Uniform) and operator == "-" and is_number(right):
            return Uniform(left.high, super().binary("+", left.less, right, active, span))
        return super().binary(operator, left, right, active, span)

    def compare(self, operator: str, left: Value, right: Value, active: Mask, span: Span) -> Value:
        """Whether a uniform number is below another; that it is one of these has probability zero."""
        if isinstance(left, Uniform) and is_number(right) and operator in _BELOW:
            return self._is_below(left, right, active, span) is _BELOW[operator]
        if isinstance(right, Uniform) and is_number(left) and operator in _BELOW:
            return self._is_below(right, left, active, span) is not _BELOW[operator]
        return super().compare(operator, left, right, active, span)

    def _is_below(self, number: Uniform, other: Value, active: Mask, span: Span) -> bool:
        again = self.stopped or (self.asked and not z3.eq(term(self.high), term(number.high)))
        if active is not True or self.logarithms or again or not self.outside:
            raise refuse("a uniform number that is asked for again, or that not every run asks for", span)
        self.high = number.high
        self.asked.append(term(super().binary("+", other, number.less, active, span)))
        answer = z3.Int(f"n: below {len(self.asked)}")
        self.stopped = self.choose([answer == 0, answer == 1]) == 1
        return self.stopped

    def _summed_up(self, weights: Value, span: Span) -> Cumulative:
        if not isinstance(weights, Bag) and not (isinstance(weights, Items) and weights.plain):
            raise refuse("the cumulative sum of this", span)
        return Cumulative(weights)

    def _found(self, weights: Items | Bag, number: Value, active: Mask, span: Span) -> Value:
        """The place of the first sum that a uniform number up to the last sum does not exceed: a choice by weights."""
        known = isinstance(number, Uniform) and number.plain and not self.asked
        if not known or active is not True or self.logarithms or not self.outside:
            raise refuse("a search for what is no number between 0 and the last sum, or a second one", span)
        shares = self._of_sum(weights, number.high, active, span)
        places = LENGTH if isinstance(shares, Bag) else len(shares.items)
        return self._chosen(places, shares, span)

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """The chosen item, which is a decision; of any number of items its place, which is not known."""
        if active is not True or size is not None or self._drawn or not self.outside:
            raise refuse("more than one choice by weights, or one that not every run makes", node.span)
        self._drawn = True
        self.numpy |= node.family == SCIPY
        if node.distribution in ("random", "uniform") and parameters.get("low", 0) == 0:
            return Uniform(parameters.get("high", 1))
        refuse_if(node.distribution != "choice", f"a draw from {node.distribution}", node.span)
        shares = parameters.get("p")
        self.numpy |= node.family != PYTHON
        if node.family == PYTHON and isinstance(shares, Items | Bag):
            shares = self._of_sum(shares, self.call("sum", (shares,), {}, active, node.span), active, node.span)
        return self._chosen(parameters["a"], shares, node.span)

    def _of_sum(self, weights: Items | Bag, number: Value, active: Mask, span: Span) -> Value:
        """The weights over a number."""
        shares = replace(weights, kind="array")
        return shares if not is_term(number) and number == 1 else super().binary("/", shares, number, active, span)

    def _chosen(self, items: Value, shares: Value, span: Span) -> Value:
        if isinstance(shares, Bag) and shares.whole and (items is LENGTH or items == Places()):
            self.bag, self.logarithms = shares, _logarithms([shares.item], shares.source.added, self.leaves)
            self.chosen = self.logarithms[0]
            return _CHOSEN
        listed: Sequence[Value] | None = range(items) if type(items) is int else None
        if isinstance(items, Items) and items.plain:
            listed = items.items
        if listed is None or not isinstance(shares, Items) or not shares.plain or len(shares.items) != len(listed):
            raise refuse("a choice among what is not known", span)
        self.logarithms = _logarithms(shares.items, None, self.leaves)
        place = self.choose([place == _CHOSEN for place in range(len(listed))])
        self.chosen = self.logarithms[place]
        return listed[place]


def _logarithms(
    shares: Sequence[Value], added: Callable[[z3.ArithRef], z3.ArithRef] | None, leaves: Leaves
) -> list[z3.ArithRef]:
    """Of the weights, for shares that are e^x_i over the sum of all of these. Raises NotProved for any others.

    added: the sum over any number of items, of which there is one here.
    """
    if not shares or not all(isinstance(one, z3.ArithRef) and z3.is_div(one) for one in shares):
        raise NotProved("probabilities that are no weights over their sum")
    weights, sums = zip(*(one.children() for one in shares), strict=True)
    fail_if(not all(applies(one, "exp") for one in weights), "weights that are no exponentials")
    whole = z3.Sum(list(weights)) if added is None else added(weights[0])
    if any(not Known([]).certain(one == whole) for one in sums):
        raise NotProved("weights that are divided by another number than their sum")
    found = [one.arg(0) for one in weights]
    fail_if(any(map(leaves.noisy, found)), "weights that depend on noise")
    return found


def _cumulated(walk: ChoiceWalk) -> bool:
    """Takes the last weight that was added before the run stopped for that of the chosen item.

    What was asked has to be sums of weights, each with one more, divided by the sum of all of them or up to it; and
    the sum of those that were added may not be above that. False if no number makes a run go on beyond the last.
    """
    added: list[z3.ArithRef] = []
    for asked in walk.asked:
        now = _summands(asked)
        if len(now) != len(added) + 1 or not all(map(z3.eq, added, now)):
            raise NotProved("a uniform number is compared with what are no sums of one weight more each")
        added = now
    whole = term(walk.high)
    if not is_term(walk.high) and walk.high == 1 and all(map(z3.is_div, added)):
        whole = added[0].arg(1)
        fail_if(not all(z3.eq(one.arg(1), whole) for one in added), "weights that are divided by different numbers")
        added = [one.arg(0) for one in added]
    every = _summands(whole)
    limits.not_tiny(walk, z3.Sum(every), True, "a uniform number up to", NOWHERE)
    if not all(applies(one, "exp") and not walk.leaves.noisy(one) for one in (*added, *every)):
        raise NotProved("weights that are no exponentials, or a uniform number up to what is not their sum")
    positive = Known([one > 0 for one in (*added, *every)])
    if not positive.certain(z3.Sum(added) <= z3.Sum(every)):
        raise NotProved("the weights that a uniform number is compared with may be more than their sum")
    if walk.stopped:
        walk.chosen, walk.logarithms = added[-1].arg(0), [one.arg(0) for one in every]
    elif not positive.certain(z3.Sum(added) == z3.Sum(every)):
        raise NotProved("a uniform number may be above all that it is compared with")
    return walk.stopped


def _summands(value: z3.ArithRef) -> list[z3.ArithRef]:
    """What a sum is made of, without zeros."""
    parts = [one for one in value.children() if number_in(z3.simplify(one)) != 1] if z3.is_mul(value) else []
    if len(parts) == 1:
        return _summands(parts[0])
    if z3.is_add(value):
        return [one for part in value.children() for one in _summands(part)]
    return [] if number_in(z3.simplify(value)) == 0 else [value]


def check_choices(
    program: Program, mechanism: Mechanism, scope: Scope, pause: Callable[[], None] = lambda: None
) -> None:
    """Raises NotProved unless the claim holds within the scope."""
    for inputs in every_input(mechanism, scope):
        pause()
        for path in paths_of(program, inputs, ChoiceWalk):
            _check_path(inputs, path)


def _check_path(inputs: Inputs, path: Path[ChoiceWalk]) -> None:
    """Where an item is chosen: what follows is the same, and it is not much likelier on D1."""
    first, second = path.first, path.second
    fail_if((first.bag is None) is not (second.bag is None), "the runs do not choose among equally many items")
    if first.asked and not _cumulated(first):
        return
    known = Known([*inputs.world, *path.regime, *path.facts], path.decisions)
    known.expect(same_outputs(first.outputs, second.outputs), "the run on D2 gives something else")
    if (second.asked and not _cumulated(second)) or len(first.logarithms) != len(second.logarithms):
        raise NotProved("the runs do not choose among equally many items")
    if not first.logarithms:
        return
    if not is_number(inputs.epsilon) or not first.leaves.public(inputs.epsilon):
        raise NotProved("a claimed epsilon that depends on the data")
    moves = [z3.simplify(b - a, som=True) for a, b in zip(first.logarithms, second.logarithms, strict=True)]
    if first.bag is not None:
        moving = first.bag.source.moving
        if moving is None or path.decisions:
            raise NotProved("a choice among records, or one by which something is decided")
        moves = [z3.substitute(moves[0], *moving.others)]
    for other in moves:
        lost = z3.simplify(other - (second.chosen - first.chosen), som=True)
        known.expect(lost <= term(inputs.epsilon), "an item is more than e^epsilon times likelier")
