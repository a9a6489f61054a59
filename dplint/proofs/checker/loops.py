"""Checks a certificate for data of every length: one inductive step over the loop in whose turns noise is drawn.

Theorem, by induction over the turns (Zhang and Kifer, POPL 2017; Albarghouthi and Hsu, POPL 2018): a path of the whole
run is a list of paths of turns, each with its translation. If the way to the loop and every turn keep an invariant, and
what ends a run gives the same where it holds, then the whole gives the same, at the cost of all translations together.

The invariant says of both runs whenever a turn begins: by how much they differ in what the loop changes, which bounds
whole-number state keeps in the run on D1, and what the shifts so far have cost at most, the *potential*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import zip_longest
from typing import TypeAlias

import z3

from dplint.claims import Mechanism
from dplint.outcomes import Scope
from dplint.program.evaluator import evaluate
from dplint.program.liveness import liveness_of
from dplint.program.nodes import Program
from dplint.proofs.alignment import Bound, Decisions, LoopCertificate, Move, Moves
from dplint.proofs.checker.bags import LENGTH
from dplint.proofs.checker.costs import ONE, Cost, ratio_of
from dplint.proofs.checker.coupling import Coupling, Shifted, same_outputs
from dplint.proofs.checker.drawn import Drawn
from dplint.proofs.checker.endless import TURN, Endless, EndlessWalk, EndOfStage, Stage, whole
from dplint.proofs.checker.inputs import VECTORS, Given, cases, claimed, directions, moving_numbers
from dplint.proofs.checker.intervals import Intervals
from dplint.proofs.checker.paths import Decider, Path, paths_of_both
from dplint.proofs.checker.values import (
    Leaves,
    Mask,
    NotProved,
    Value,
    Values,
    abs_of,
    all_of,
    equal,
    fail_if,
    is_number,
    sort,
    term,
)
from dplint.relations import Neighbourhood, relation_of

_USED = z3.Real("d:used")
_NOTHING = z3.RealVal(0)


StagePath: TypeAlias = Path[EndlessWalk]
"""A path of one stage in both runs."""


def check_loop(program: Program, mechanism: Mechanism, scope: Scope, certificate: LoopCertificate) -> None:
    """Raises NotProved unless the certificate shows the claim for data of every length."""
    shown = [certificate] if certificate.downward is None else [certificate, certificate.downward]
    for direction, one in zip_longest(directions(mechanism), shown):
        if direction is None or one is None:
            raise NotProved("a certificate too few or too many for the directions of the relation")
        check_direction(program, mechanism, scope, one, direction)


def check_direction(
    program: Program, mechanism: Mechanism, scope: Scope, certificate: LoopCertificate, direction: str
) -> None:
    """The same for neighbours in one of the directions of the relation."""
    definition = relation_of(mechanism.claim).definition
    if definition not in VECTORS or definition is Neighbourhood.LENGTH_OF_MOVE:
        raise NotProved("a step over a loop is known for vectors whose largest move, or the sum of moves, is bounded")
    if scope.sizes is None or scope.sizes.largest is not None or scope.sizes.smallest < 0:
        raise NotProved("the scope names a largest size, or none at all")
    for given in cases(mechanism, scope):
        _Step(program, mechanism, given, certificate, direction).check()


class _Step:
    """The step for one case of the scope."""

    def __init__(
        self, program: Program, mechanism: Mechanism, given: Given, certificate: LoopCertificate, direction: str
    ) -> None:
        self.program = program
        self.liveness = liveness_of(program)
        self.certificate = certificate
        self.leaves = Leaves()
        self.world, self.small = list(given.world), given.small
        (one,), (self.move,), (two,) = moving_numbers(mechanism, [""], direction, self.world)
        claim = mechanism.claim
        self.sensitivity = Fraction(repr(float(claim.sensitivity)))
        self.arguments = [{**given.values, str(mechanism.data): Endless(item)} for item in (one, two)]
        self.epsilon = claimed(claim.epsilon, given.values, str(mechanism.data), None)
        self.summed = relation_of(claim).definition is Neighbourhood.SUM_OF_MOVES
        self.values = given.values
        self.free: dict[str, z3.ArithRef] = {}
        self.draws: dict[object, Drawn] = {}
        self.sorts: dict[str, str] = {}

    def check(self) -> None:
        """Raises NotProved unless the invariant holds at first, is kept by each turn, and pays for the end."""
        entered = self._paths("enter", {})
        fail_if(all(path.first.reached is None for path in entered), "no run comes to the loop")
        differences = self._differences(entered)
        paths = [*entered, *self._paths("turn", differences), *self._paths("exit", differences)]
        self.draws = {drawn.span: drawn for path in paths for drawn in path.first.draws}
        tables = {"turn": _table(self.certificate.turns), "exit": _table(self.certificate.after)}
        for path in paths:
            stage = path.first.stage
            moves = self.certificate.before if stage == "enter" else tables[stage].get(path.decisions)
            if stage != "enter" and path.first.state is None:
                continue  # a run that does not come to the loop, looked at in the first stage
            if moves is None:
                self._coupling(path).misses("no shifts are known for one way that a turn can go", *path.facts)
            else:
                self._step(path, moves)

    def _paths(self, stage: Stage, differences: Values) -> list[StagePath]:
        """All paths of a stage, with the run on D2 on each of them."""
        intervals = Intervals(self.world, small=self.small)

        def run(number: int, decider: Decider) -> EndlessWalk:
            apart = {} if number == 1 else differences
            made = EndlessWalk(number, decider, self.leaves, stage, self.certificate.loop, apart)
            made.shows, made.intervals = self.program.observed, intervals.of_run()
            with suppress(EndOfStage):
                evaluate(self.program, made, self.arguments[number - 1], hooks=made, liveness=self.liveness)
            return made

        paths = list(paths_of_both([*self.world, *self._bounds(stage)], self.world, run))
        for first, second in ((path.first, path.second) for path in paths):
            one, two = ((run.state is None, run.reached is None, run.outputs == []) for run in (first, second))
            fail_if(one != two, "one run alone comes to the loop, or leaves it")
        return paths

    def _bounds(self, stage: Stage) -> list[z3.BoolRef]:
        facts = [TURN >= 0, LENGTH >= 0]
        if stage != "enter":
            facts += [self._bound(bound, {}) for bound in self.certificate.bounds]
        return facts

    def _bound(self, bound: Bound, state: Values) -> z3.BoolRef:
        """A bound of the state at the head of a turn, or of the given state."""
        total: z3.ArithRef = term(Fraction(bound.constant))
        for name, factor in bound.terms:
            number = state.get(name, self.values.get(name, z3.Int(f"v:{name}")))
            fail_if(not is_number(number), f"a bound of {name}, which is no number")
            total = total + term(Fraction(factor)) * term(number)
        return total >= 0

    def _differences(self, entered: Sequence[StagePath]) -> dict[str, Value]:
        """By how much the runs differ at the head in each variable of numbers."""
        named = dict(self.certificate.differences)
        found: dict[str, Value] = {}
        for path in entered:
            for name, value in (path.first.reached or {}).items():
                if not is_number(value):
                    continue
                fail_if(name not in named, f"the certificate says nothing of {name}")
                constant = named[name]
                if constant is None:
                    fail_if(sort(value) != "float", f"{name} may differ by any number and is no float")
                    self.free[name] = z3.Real(f"d:D:{name}")
                    found[name] = self.free[name]
                else:
                    is_whole = whole(value) and Fraction(constant).denominator == 1
                    found[name] = z3.IntVal(int(constant)) if is_whole else term(Fraction(constant))
        return found

    def _step(self, path: StagePath, moves: Sequence[Move]) -> None:
        """The way to the loop, a turn and the exit keep the invariant up to the next head, or end within the claim."""
        first, second, inside = path.first, path.second, path.first.state is not None
        coupling = self._coupling(path)
        shifts = coupling.shifts(first.draws[: first.before], self.certificate.before if inside else ())
        if any(self.leaves.of(z3.simplify(shift)) for _, shift in shifts):
            raise NotProved("a draw in front of the loop that moves by the data")
        own = coupling.shifts(first.draws[first.before :], moves)
        costs = self._costs(coupling, own)
        if first.state is not None:
            costs += self._potential(first.state, _USED, self.free, 1)
        if first.reached is None or second.reached is None:
            fail_if(not first.outputs or not second.outputs, "a run that does not end where it should")
            ends = [same_outputs(first.outputs, second.outputs)]
        else:
            moved = self._moved_state(first.reached, second.reached) if inside else dict.fromkeys(self.free, _NOTHING)
            used = _USED + abs_of(self.move) if inside and self.summed else _USED if inside else _NOTHING
            ends = [self._bound(bound, first.reached) for bound in self.certificate.bounds]
            ends += self._related(first.reached, second.reached, moved)
            costs += self._potential(first.reached, used, moved, -1)
        alike = all_of([*second.conditions, *ends])
        coupling.follows([*shifts, *own], alike, f"the runs do not stay alike ({first.stage})", *path.facts)
        # What was decided helps only where it is about the state and not about noise.
        decided = [one for one in first.conditions if not self.leaves.of(one) & {"n", "m"}]
        coupling.affords(costs, 1 if first.reached is None else 0, *decided)

    def _moved_state(self, first: Values, second: Values) -> dict[str, z3.ArithRef]:
        """By how much the runs differ after the turn in what may differ by any number."""
        found = {}
        for name in self.free:
            one, two = first[name], second[name]
            fail_if(not is_number(one) or not is_number(two), f"{name} is no number any more")
            found[name] = z3.simplify(term(two) - term(one), som=True)
            fail_if(self.leaves.noisy(found[name]), f"by how much the runs differ in {name} depends on noise")
        return found

    def _related(self, first: Values, second: Values, moved: Mapping[str, z3.ArithRef]) -> list[Mask]:
        """The state of both runs differs as the certificate says."""
        named = dict(self.certificate.differences)
        ends: list[Mask] = []
        for name, one in first.items():
            two = second[name]
            if not is_number(one):
                ends.append(equal(one, two))
            elif not is_number(two) or sort(one) != sort(two):
                raise NotProved(f"{name} is not of one type in both runs")
            elif sort(one) != self.sorts.setdefault(name, sort(one)):
                raise NotProved(f"{name} does not keep its type")
            elif name in self.free:
                ends.append(term(two) - term(one) == moved[name])
            else:
                ends.append(term(two) - term(one) == term(Fraction(named[name] or 0)))
        return ends

    # what it costs

    def _costs(self, coupling: Coupling, shifts: Sequence[Shifted]) -> list[Cost]:
        one, two = ({drawn.key for drawn in walk.draws} for walk in (coupling.first, coupling.second))
        fail_if(one != two, "a draw that one run alone makes")
        coupling.same_noise(coupling.second.draws)
        return coupling.costs(shifts, self.epsilon)

    def _potential(self, state: Values, used: z3.ArithRef, moved: Mapping[str, z3.ArithRef], sign: int) -> list[Cost]:
        """The potential as summands; sign -1 to take it away."""
        potential = self.certificate.potential
        one_move = term(1 / self.sensitivity)
        parts: list[Cost] = [(term(sign * Fraction(potential.constant)), ONE)]
        if potential.used:
            fail_if(not self.summed, "a potential by moves whose sum has no bound")
            parts.append((term(sign * Fraction(potential.used)) * used * one_move, ONE))
        for name, span, factor in potential.counters:
            number, drawn = state.get(name), self.draws.get(span)
            if not is_number(number) or drawn is None or not self.leaves.public(drawn.scale):
                raise NotProved(f"a potential by {name}, of which nothing is known")
            ratio = (ratio_of(drawn.scale) * ratio_of(self.epsilon)).inverse()
            parts.append((term(sign * Fraction(factor)) * term(number), ratio))
        for name, factor in potential.free:
            fail_if(name not in moved, f"a potential by {name}, which does not differ")
            parts.append((term(-sign * Fraction(factor)) * abs_of(moved[name]) * one_move, ONE))
        return parts

    def _coupling(self, path: StagePath) -> Coupling:
        """Both runs, and what is known of data, arguments and state."""
        facts = [*self.world, *self._bounds(path.first.stage)]
        if self.summed:
            facts += [_USED >= 0, _USED + abs_of(self.move) <= term(self.sensitivity)]
        return Coupling(path, facts)


def _table(given: Sequence[Moves]) -> dict[Decisions, tuple[Move, ...]]:
    table = {one.path: one.moves for one in given}
    fail_if(len(table) != len(given), "the certificate names a path twice")
    return table
