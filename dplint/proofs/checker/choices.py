"""Checks epsilon of mechanisms whose only noise is one choice among items by weights. It needs no certificate.

The probability of item j is e^x_j over the sum of all e^x_i. On D2 it is e^y_j over the sum of e^y_i, and the quotient
of the two sums is no larger than the largest e^(y_i - x_i). So P1(j) <= P2(j) * e^(x_j - y_j + max_i (y_i - x_i)):
where no x_i moves by more than c that is 2c at most, and c where all move one way (McSherry and Talwar, FOCS 2007,
theorem 6). What follows from the item that was chosen has to be the same in both runs. Of a vector of any length this
is shown for any two of its items. So all losses of a pair lie within c of one another: a bounded range (Durfee and
Rogers, NeurIPS 2019), which is the same bound, and more than epsilon = c says.
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
from dplint.proofs.checker.bags import LENGTH, Bag
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.coupling import same_outputs
from dplint.proofs.checker.gathering import GatheringWalk, paths_of
from dplint.proofs.checker.inputs import RANGE, Inputs, every_input
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.paths import Decider, Path
from dplint.proofs.checker.values import (
    Items,
    Leaves,
    Mask,
    NotProved,
    Value,
    Values,
    applies,
    fail_if,
    is_number,
    refuse,
    refuse_if,
    term,
)
from dplint.sites import DrawSite

_CHOSEN = z3.Int("n: chosen")


@dataclass(frozen=True, slots=True)
class Places:
    """The places in data of any length."""


class ChoiceWalk(GatheringWalk):
    """One run. logarithms: of the weights of the items, once it has chosen. chosen: that of the chosen one.

    bag: the shares of any number of items.
    """

    shifted = frozenset[str]()

    def __init__(self, run: int, decider: Decider, leaves: Leaves, program: Program) -> None:
        super().__init__(run, decider, leaves, program)
        self.logarithms: list[z3.ArithRef] = []
        self.chosen: z3.ArithRef = z3.RealVal(0)
        self.bag: Bag | None = None
        self._drawn = False

    def called(self, asked: Asked) -> Value:
        """As ever; the places in data of any length may be chosen among."""
        first, *more = asked.arguments or (None,)
        match asked.name, more:
            case "range" | "arange", [] if first is LENGTH and not asked.method:
                return Places()
            case "list", [] if isinstance(first, Places):
                return first
        return super().called(asked)

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """The chosen item, which is a decision; of any number of items its place, which is not known."""
        if active is not True or size is not None or self._drawn or not self.outside:
            raise refuse("more than one choice by weights, or one that not every run makes", node.span)
        self._drawn = True
        self.numpy |= node.family == SCIPY
        refuse_if(node.distribution != "choice", f"a draw from {node.distribution}", node.span)
        shares = parameters.get("p")
        self.numpy |= node.family != PYTHON
        if node.family == PYTHON and isinstance(shares, Items | Bag):
            total = self.call("sum", (shares,), {}, active, node.span)
            shares = self.binary("/", replace(shares, kind="array"), total, active, node.span)
        return self._chosen(parameters["a"], shares, node.span)

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


def check_choices(
    program: Program, mechanism: Mechanism, scope: Scope, pause: Callable[[], None] = lambda: None
) -> None:
    """Raises NotProved unless the claim holds within the scope."""
    for inputs in every_input(mechanism, scope, promises=(RANGE,)):
        pause()
        for path in paths_of(program, inputs, ChoiceWalk):
            _check_choice(inputs, path)


def _check_choice(inputs: Inputs, path: Path[ChoiceWalk]) -> None:
    """Where an item is chosen: what follows is the same, and it is not much likelier on D1."""
    first, second = path.first, path.second
    fail_if((first.bag is None) is not (second.bag is None), "the runs do not choose among equally many items")
    known = Known([*inputs.world, *path.regime, *path.facts], path.decisions)
    known.expect(same_outputs(first.outputs, second.outputs), "the run on D2 gives something else")
    if len(first.logarithms) != len(second.logarithms):
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
