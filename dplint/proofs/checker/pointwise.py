"""Checks a running extreme for data of every length: one index at a time, by one inductive step for each.

Fix an index j. Let the draw of turn j be moved by a constant, and no other one: a translation of all noise, whatever
was drawn. If the run on D2 with its noise so moved gives j wherever the run on D1 gives j, then P1(j) <= e^cost *
P2(j); and if that holds for every j, and nothing but an index is ever given, the claim is kept.

Both runs are followed on their own: nothing says that they decide alike. The invariant speaks of `best`, the extreme
number so far, and `place`, its index. Before turn j the best of the run on D2 is ahead by at most the slack; from then
on, if the run on D1 still has place j, so has that on D2, and its best is ahead by at least the slack. For minima
"ahead" is below. What a run does with the first number in front of a loop over all others counts as turn 0.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

import z3

from dplint.claims import Mechanism, Span
from dplint.outcomes import Scope
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Draw, For, Program, While
from dplint.proofs.alignment import PointwiseCertificate
from dplint.proofs.checker.bags import LENGTH
from dplint.proofs.checker.coupling import Coupling
from dplint.proofs.checker.endless import TURN, Endless, EndlessWalk, EndOfStage, Stage
from dplint.proofs.checker.inputs import Given, cases, claimed, directions
from dplint.proofs.checker.laws import is_whole
from dplint.proofs.checker.loops import one_item
from dplint.proofs.checker.paths import Followed
from dplint.proofs.checker.values import (
    Leaves,
    Live,
    Mask,
    NotProved,
    Value,
    Values,
    abs_of,
    is_number,
    refuse,
    sort,
    term,
)
from dplint.proofs.checker.walking import Drawn
from dplint.relations import Neighbourhood, relation_of
from dplint.sites import DrawSite

_INDEX = z3.Int("a: index")


class LoneWalk(EndlessWalk):
    """A run of one stage that follows all ways at once. first: whether the turn is the first one, with known state."""

    def __init__(self, run: int, decider: Followed, stage: Stage, loop: Span, state: Values, *, first: bool) -> None:
        super().__init__(run, decider, Leaves(), stage, loop, {})
        self._known_state = state
        self._first = first

    def decided(self, condition: Mask, active: Mask) -> Mask:  # noqa: ARG002 - no run is left out
        """No decision: a mask, unless it is certain."""
        if isinstance(condition, bool):
            return condition
        condition = z3.simplify(condition)
        if self.decider.certain(condition):
            return True
        return False if self.decider.certain(z3.Not(condition)) else condition

    def entering_loop(self, node: For | While, iterable: Value, active: Mask, live: Live) -> None:
        """As ever; but the state of the first turn is known. Noise in front is that of the first number."""
        if isinstance(iterable, Endless) and bool(self.draws) is not (iterable.kind == "later"):
            raise refuse("noise in front of the loop, or a loop that leaves out the first number", node.span)
        super().entering_loop(node, iterable, active, live)

    def _forgotten(self, name: str, value: Value, span: Span) -> Value:
        if self._first:
            return value
        if name not in self._known_state:
            raise refuse(f"the state of {name}, which is no number", span)
        return self._known_state[name]

    def draw(self, node: Draw, parameters: Values, size: Value, active: Mask, site: DrawSite) -> Value:
        """One number in each turn, in every run."""
        if active is not True or size is not None or len(self.draws) > (self.head.before if self.head else 0):
            raise refuse("more than one draw in a turn, or one that not every run makes", node.span)
        return super().draw(node, parameters, size, active, site)

    @property
    def drawn(self) -> list[Drawn]:
        """The noise of the turn, or that in front of the loop for a run that has only come there."""
        before = 0 if self.head is None or self.stage == "enter" else self.head.before
        return self.draws[before:]


def check_pointwise(program: Program, mechanism: Mechanism, scope: Scope, certificate: PointwiseCertificate) -> None:
    """Raises NotProved unless the certificate shows the claim for data of every length."""
    if relation_of(mechanism.claim).definition not in (Neighbourhood.LARGEST_MOVE, Neighbourhood.ONE_DIRECTION):
        raise NotProved("a running extreme is known for vectors whose largest move is bounded")
    if scope.sizes is None or scope.sizes.largest is not None or scope.sizes.smallest < 0:
        raise NotProved("the scope names a largest size, or none at all")
    for direction in directions(mechanism):
        for given in cases(mechanism, scope):
            _Step(program, mechanism, given, certificate, direction).check()


@dataclass(slots=True)
class _Pair:
    """Both runs of a stage, and what is known of them."""

    first: LoneWalk
    second: LoneWalk
    facts: list[z3.BoolRef]


class _Step:
    """The step for one case and one direction."""

    def __init__(
        self, program: Program, mechanism: Mechanism, given: Given, certificate: PointwiseCertificate, direction: str
    ) -> None:
        self.program = program
        self.certificate = certificate
        _, self.world, data = one_item(mechanism, given, direction)
        _, more, firsts = one_item(mechanism, given, direction, "0")
        self.world += more
        both = [replace(one, first=first.item) for one, first in zip(data, firsts, strict=True)]
        self.arguments = [{**given.values, str(mechanism.data): one} for one in both]
        self.epsilon = claimed(mechanism.claim.epsilon, given.values, str(mechanism.data), None)
        self.slack = Fraction(dict(certificate.slacks)[direction])
        self.sign = 1 if certificate.largest else -1

    def check(self) -> None:
        """Raises NotProved unless each turn keeps the invariant, and what is given at the end is the place."""
        first = self._walked("enter", [{}, {}], first=True)
        if not first.first.drawn:
            first = self._walked("turn", [{}, {}], first=True)
        after = first.first.after
        if not {self.certificate.best, self.certificate.place} <= set(after):
            raise NotProved("the certificate names what is no number of the loop")
        if not is_number(after[self.certificate.place]) or sort(after[self.certificate.place]) != "int":
            raise NotProved("a place that is no whole number")
        self._same_kinds(after, first.second.after)
        self._turn(first, [_INDEX >= 0])
        states = [
            {name: _variable(run, name, value) for name, value in after.items() if is_number(value)} for run in (1, 2)
        ]
        later = self._walked("turn", states, first=False)
        for walk in (later.first, later.second):
            self._same_kinds(after, walk.after)
        self._turn(later, [_INDEX >= 0, self._invariant(states[0], states[1], TURN)])
        self._end(states)

    def _walked(self, stage: Stage, states: list[dict[str, Value]], *, first: bool) -> _Pair:
        """Both runs of a stage, each on its own."""
        walks: list[LoneWalk] = []
        facts: list[z3.BoolRef] = []
        world = [*self.world, LENGTH >= 0, TURN == 0 if first else TURN >= 1]
        for run, state, arguments in zip((1, 2), states, self.arguments, strict=True):
            follower = Followed((), (), world)
            walk = LoneWalk(run, follower, stage, self.certificate.loop, state, first=first)
            with suppress(EndOfStage):
                evaluate(self.program, walk, arguments, hooks=walk)
            if walk.head is None or walk.turned is not (stage == "turn") or walk.conditions:
                raise NotProved("a run that does not come to the loop, or leaves it")
            if stage != "exit" and walk.outputs:
                raise NotProved("a turn that ends the run")
            if stage == "enter":
                walk.after = dict(walk.head.entered)
            walks.append(walk)
            facts += follower.facts
        return _Pair(walks[0], walks[1], [*world, *facts])

    def _same_kinds(self, state: Values, other: Values) -> None:
        """A variable keeps its type in all turns and both runs."""
        for name, value in state.items():
            if not is_number(value) or not is_number(other.get(name)) or sort(value) != sort(other[name]):
                raise NotProved(f"{name} is not of one type of numbers in all turns")

    def _invariant(self, one: Values, two: Values, turn: z3.ArithRef) -> z3.BoolRef:
        """Of both states when a turn begins, for the index."""
        places = [term(state[self.certificate.place]) for state in (one, two)]
        bests = [term(state[self.certificate.best]) for state in (one, two)]
        ahead, slack = self.sign * (bests[1] - bests[0]), term(self.slack)
        held = z3.And(places[1] == _INDEX, ahead >= slack)
        return z3.And(
            places[0] >= 0,
            places[0] < turn,
            z3.If(turn <= _INDEX, ahead <= slack, z3.Implies(places[0] == _INDEX, held)),
        )

    def _turn(self, pair: _Pair, known: list[z3.BoolRef]) -> None:
        """One turn keeps the invariant, and the move of its draw costs the claimed epsilon at most."""
        if [len(pair.first.drawn), len(pair.second.drawn)] != [1, 1]:
            raise NotProved("a turn that draws nothing")
        (one,), (two,) = pair.first.drawn, pair.second.drawn
        shift = term(self.certificate.move)
        coupling = Coupling(pair.first, pair.second, pair.facts, pair.first.leaves)
        if (one.key, one.distribution) != (two.key, two.distribution):
            raise NotProved("draws of two kinds")
        if is_whole(one.distribution) and self.certificate.move.denominator != 1:
            raise NotProved("a whole number that is moved by what is none")
        coupling.same_noise([two])
        coupling.affords([(abs_of(shift), coupling.width(one, shift, self.epsilon))])
        moved = two.number == one.number + z3.If(TURN == _INDEX, shift, 0)
        kept = self._invariant(pair.first.after, pair.second.after, TURN + 1)
        coupling.expect(kept, "a turn does not keep the runs in step", *coupling.taken(), moved, *known)

    def _end(self, states: list[dict[str, Value]]) -> None:
        """At the end the place is given, and nothing else. Neighbours without any numbers are the same data."""
        end = self._walked("exit", states, first=False)
        for walk, state in zip((end.first, end.second), states, strict=True):
            outputs = [one for one in walk.outputs if one.mask is not False]
            if walk.drawn or len(outputs) != 1 or outputs[0].mask is not True or outputs[0].kind != "value":
                raise NotProved("the end of a run is not known")
            value = outputs[0].value
            if not is_number(value) or not z3.eq(z3.simplify(term(value)), state[self.certificate.place]):
                raise NotProved("something else than a place is given")


def _variable(run: int, name: str, value: Value) -> z3.ArithRef:
    if sort(value) == "bool":
        raise NotProved(f"the state of {name}, which is no number")
    return (z3.Int if sort(value) == "int" else z3.Real)(f"v:{run} {name}")
