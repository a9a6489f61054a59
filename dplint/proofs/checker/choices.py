"""Checks epsilon of mechanisms whose only noise is one choice among items by weights. It needs no certificate.

The probability of item j is e^x_j over the sum of all e^x_i. On D2 it is e^y_j over the sum of e^y_i, and the quotient
of the two sums is no larger than the largest e^(y_i - x_i). So P1(j) <= P2(j) * e^(x_j - y_j + max_i (y_i - x_i)):
where no x_i moves by more than c that is 2c at most, and c where all move one way (McSherry and Talwar, FOCS 2007,
theorem 6). What follows from the item that was chosen has to be the same in both runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import z3

from dplint.claims import Mechanism
from dplint.outcomes import Scope
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Draw, Program
from dplint.proofs.checker.bounded import Path, expect, same_outputs
from dplint.proofs.checker.inputs import Inputs, cases, neighbours, shapes
from dplint.proofs.checker.paths import Decider, Followed, Paths, excludes, solver_for
from dplint.proofs.checker.values import Items, Leaves, Mask, NotProved, Value, is_number, is_term, refuse, term
from dplint.proofs.checker.walking import Walk
from dplint.sites import DrawSite

_CHOSEN = z3.Int("n: chosen")


class ChoiceWalk(Walk):
    """One run. logarithms: of the weights of the items, once it has chosen."""

    shifted = frozenset[str]()

    def __init__(self, run: int, decider: Decider, leaves: Leaves) -> None:
        super().__init__(run, decider, leaves)
        self.logarithms: list[z3.ArithRef] = []

    def draw(
        self,
        node: Draw,
        parameters: Mapping[str, Value],
        size: Value | None,
        active: Mask,
        site: DrawSite,  # noqa: ARG002 - there is one draw
    ) -> Value:
        """The chosen item, which is a decision."""
        if node.distribution != "choice" or active is not True or size is not None or self.logarithms:
            raise refuse("more than one choice by weights, or one that not every run makes", node.span)
        items, shares = parameters["a"], parameters.get("p")
        listed: Sequence[Value] | None = range(items) if type(items) is int else None
        if isinstance(items, Items) and items.plain:
            listed = items.items
        if listed is None or not isinstance(shares, Items) or not shares.plain or len(shares.items) != len(listed):
            raise refuse("a choice among what is not known", node.span)
        self.numpy = True
        self.logarithms = _logarithms(shares.items, self.leaves)
        return listed[self.choose([place == _CHOSEN for place in range(len(listed))])]


def _logarithms(shares: Sequence[Value], leaves: Leaves) -> list[z3.ArithRef]:
    """Of the weights, for shares that are e^x_i over the sum of all of these. Raises NotProved for any others."""
    if not shares or not all(isinstance(one, z3.ArithRef) and z3.is_div(one) for one in shares):
        raise NotProved("probabilities that are no weights over their sum")
    weights, sums = zip(*(one.children() for one in shares), strict=True)
    if not all(one.decl().name().partition("/")[0] == "exp" and one.num_args() == 1 for one in weights):
        raise NotProved("weights that are no exponentials")
    if any(not excludes(solver_for([]), one != z3.Sum(list(weights))) for one in sums):
        raise NotProved("weights that are divided by another number than their sum")
    found = [one.arg(0) for one in weights]
    if any(map(leaves.noisy, found)):
        raise NotProved("weights that depend on noise")
    return found


def check_choices(
    program: Program, mechanism: Mechanism, scope: Scope, pause: Callable[[], None] = lambda: None
) -> None:
    """Raises NotProved unless the claim holds within the scope."""
    looked = False
    for given in cases(mechanism, scope):
        for shape in shapes(mechanism, scope):
            pause()
            _check_shape(program, neighbours(mechanism, shape, given))
            looked = True
    if not looked:
        raise NotProved("the scope has no shapes")


def _check_shape(program: Program, inputs: Inputs) -> None:
    leaves = Leaves()

    def walk(explorer: Paths) -> Path:
        first = ChoiceWalk(1, explorer, leaves)
        evaluate(program, first, inputs.first)
        follower = Followed(tuple(explorer.decisions), list(explorer.regime), inputs.world)
        second = ChoiceWalk(2, follower, leaves)
        evaluate(program, second, inputs.second)
        if not follower.finished() or len(first.logarithms) != len(second.logarithms):
            raise NotProved("the runs do not choose among equally many items")
        path = Path(tuple(explorer.decisions), list(explorer.regime), first, second, follower.facts)
        _check_path(inputs, path, first.logarithms, second.logarithms, leaves)
        return path

    for _ in Paths(inputs.world).explore(walk):
        pass


def _check_path(
    inputs: Inputs, path: Path, ones: Sequence[z3.ArithRef], others: Sequence[z3.ArithRef], leaves: Leaves
) -> None:
    """Where an item is chosen: what follows is the same, and it is not much likelier on D1."""
    solver = solver_for([*inputs.world, *path.regime, *path.facts])
    same = same_outputs(path.first.outputs, path.second.outputs)
    expect(solver, same, "the run on D2 gives something else", path, inputs)
    if not ones:
        return
    if not is_number(inputs.epsilon) or (is_term(inputs.epsilon) and leaves.of(inputs.epsilon) - {"a"}):
        raise NotProved("a claimed epsilon that depends on the data")
    (chosen,) = path.decisions
    moves = [z3.simplify(two - one, som=True) for one, two in zip(ones, others, strict=True)]
    for other in moves:
        lost = z3.simplify(other - moves[chosen], som=True)
        expect(solver, lost <= term(inputs.epsilon), "an item is more than e^epsilon times likelier", path, inputs)
