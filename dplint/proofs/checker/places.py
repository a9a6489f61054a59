"""Checks the place of the largest or smallest of any number of noisy numbers: of a list, an array, or a running one.

Theorem (Dwork and Roth, 2014, claim 3.9, index by index): fix a place j and let its draw alone move, by a constant: a
translation of all noise, whatever was drawn. If the run on D2 with its noise so moved gives j wherever that on D1 does,
then P1(j) <= e^cost * P2(j). For this it suffices that where the number at j is before that at another place on D1, it
is so on D2, and no less strictly. What follows from the place has to be the same in both runs. The constant is some
times what the number at j moves by where its item moves by all that it may; that it suffices is shown, whatever it is.

A loop that keeps the best number so far and its place is a running extreme: its first turn, or what comes in front of
a loop over all others, makes them the first number and 0; any later turn takes its own number and its index where that
is before the best one, and else keeps both; and the number is made of the item and one draw, alike in all turns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import permutations, product

import z3

from dplint.claims import Mechanism, Span
from dplint.outcomes import Scope
from dplint.program.nodes import Draw, For, Program, While
from dplint.program.walk import walk
from dplint.proofs.checker.bags import Bag, Moving
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.coupling import Coupling, same_outputs
from dplint.proofs.checker.endless import TURN, Endless, numbered
from dplint.proofs.checker.gathering import GatheringWalk, paths_of
from dplint.proofs.checker.inputs import Inputs, every_input
from dplint.proofs.checker.laws import is_whole
from dplint.proofs.checker.paths import Path
from dplint.proofs.checker.turns import Turn
from dplint.proofs.checker.values import (
    Live,
    Mask,
    NotProved,
    Value,
    Values,
    abs_of,
    boolean,
    equal,
    is_number,
    refuse,
    refuse_if,
    sort,
    term,
    variables_in,
    zero_of,
)
from dplint.relations import DataKind, relation_of

_PLACE = z3.Int("n: place")


@dataclass(frozen=True, eq=False, slots=True)
class Extreme:
    """The largest or the smallest of some noisy numbers, of which only the place is asked for.

    last: of equal ones the last. draws: for how many places draws were looked at, the first one and any other or any.
    """

    bag: Bag
    largest: bool
    last: bool = False
    draws: int = 1


class PlaceWalk(GatheringWalk):
    """One run. found: the numbers of which it has asked for the place of an extreme one."""

    found: Extreme | None = None
    _running: Endless | None = None
    _next_turn = False

    def called(self, asked: Asked) -> Value:
        """As ever; and extremes of noisy numbers, `noisy.index(max(noisy))` among them, and the numbers of items."""
        first, *more = asked.arguments or (None,)
        match asked.name, more:
            case "max" | "min" | "amax" | "amin" | "argmax" | "argmin", [] if not asked.keywords:
                extreme = self._extreme(first, asked.name, asked.active)
                if extreme is not None:
                    return self._place(extreme, asked.span) if asked.name.startswith("arg") else extreme
            case "index", [Extreme() as wanted] if asked.method and not asked.keywords and wanted.bag is first:
                return self._place(wanted, asked.span)
        data = first if isinstance(first, Bag) and first.whole else None
        return numbered(asked, data) or super().called(asked)

    def _extreme(self, value: Value, name: str, active: Mask) -> Extreme | None:
        noisy = isinstance(value, Bag) and value.whole and is_number(value.item) and self.leaves.noisy(value.item)
        return Extreme(value, "max" in name) if noisy and self.outside and active is True else None

    def _place(self, extreme: Extreme, span: Span) -> Value:
        if self.found is not None:
            raise refuse("the places of two extremes", span)
        self.found = extreme
        return _PLACE

    # a running extreme

    def entering_loop(self, node: For | While, iterable: Value, active: Mask, live: Live) -> None:
        """As ever; a loop in whose turns noise is drawn, and which changes two variables, keeps an extreme."""
        kept = iterable if isinstance(iterable, Endless) else Endless(iterable)
        super().entering_loop(node, self._measured if kept.item is None else kept.item, active, live)
        keeps = self._next is not None and len(self._next.state or ()) == 2
        if keeps and any(isinstance(one, Draw) for one in walk(node)):
            self._running = kept
        elif isinstance(iterable, Endless):
            raise refuse("a loop over the numbers of the items", node.span)

    def iterate(self, value: Value, active: Mask, span: Span) -> Iterator[tuple[Value, Mask]]:
        """Of a loop that keeps an extreme the first turn, and any later one."""
        turn, kept, self._running = self._next, self._running, None
        if kept is None or turn is None or turn.entered is None or turn.frame is None:
            yield from super().iterate(value, active, span)
            return
        if self._turn is not None:
            raise refuse("a loop over data of any length in another one", span)
        self._next, self._turn, variables = None, turn, turn.frame.variables
        started = turn.entered
        if kept.kind != "later":
            for name, one in started.items():
                variables[name].value = one
            yield kept.turn(0, self._first(turn.bag)), True
            self._next_turn = True
            started = {name: variables[name].value for name in started}
        refuse_if(len(self.draws) != 1, "a first number that is not made with one draw", span)
        best, place, state = self._kept(started, span)
        for name, one in state.items():
            variables[name].value = one
        self.decider.assume(TURN >= 1, state[place] >= 0, state[place] < TURN)
        yield kept.turn(TURN, turn.bag.item), True
        after = {name: variables[name].value for name in started}
        extreme = self._proved(turn, started, state, after, best, place)
        variables[best].value, variables[place].value = extreme, self._place(extreme, span)
        turn.entered = None
        self._over = True
        yield value, False

    def decided(self, condition: Mask, active: Mask) -> Mask:
        """As ever; in a turn what is certain is known."""
        found = super().decided(condition, active)
        if self._turn is None or isinstance(found, bool):
            return found
        return self.decider.certain(found) or (found if not self.decider.certain(z3.Not(found)) else False)

    def checkpoint(self, active: Mask) -> Mask:
        """As ever; all runs take the next turn."""
        if self._next_turn:
            self._next_turn = False
            if active is not True and not self.decider.certain(boolean(active)):
                raise refuse("a loop over data of any length that a record may end")
            return True
        return super().checkpoint(active)

    def subscript(self, value: Value, index: Value, active: Mask, span: Span) -> Value:
        """The item of the present turn, and the first one."""
        if isinstance(value, Bag) and value.whole and value.source.moving is not None:
            if z3.is_expr(index) and z3.eq(index, TURN):
                return value.item
            if type(index) is int and index == 0:
                return self._first(value)
        return super().subscript(value, index, active, span)

    def _first(self, bag: Bag) -> Value:
        """The first item, of which nothing is known but how it is made of the first number of the data."""
        if bag.source.moving is None or not is_number(bag.item):
            raise refuse("an extreme of records")
        return z3.substitute(term(bag.item), *_firsts(bag.source.moving))

    def _kept(self, started: Values, span: Span) -> tuple[str, str, Values]:
        """Which variable is the number and which its place, after the first turn; and what they are in a later one."""
        for best, place in permutations(started):
            number = started[best]
            if is_number(number) and self.leaves.noisy(number) and equal(started[place], 0) is True:
                kind = z3.Int if sort(number) == "int" else z3.Real
                return best, place, {best: kind(f"v:{best}"), place: z3.Int(f"v:{place}")}
        raise refuse("a loop whose first turn keeps no number and its place", span)

    def _proved(self, turn: Turn, started: Values, state: Values, after: Values, best: str, place: str) -> Extreme:
        """Raises NotProved unless the loop keeps an extreme of numbers that are made alike in all turns."""
        moving = turn.bag.source.moving
        if moving is None or len(self.draws) != 2 or not is_number(after[best]):
            raise NotProved("a turn that does not draw one number")
        (front, drawn), number = self.draws, self._without_state(after[best])
        if number is None or variables_in(number, ("n", "m")) != [drawn.number]:
            raise NotProved("a number of a turn that is not made with its draw alone")
        alike = z3.substitute(number, *_firsts(moving), (drawn.number, front.number))
        if sort(started[best]) != sort(after[best]) or not self.decider.certain(term(started[best]) == alike):
            raise NotProved("the first number is not made as the others")
        for largest, last in product((True, False), (False, True)):
            one, other = (number, state[best]) if largest else (state[best], number)
            chosen = one >= other if last else one > other
            kept = [
                after[best] == z3.If(chosen, number, state[best]),
                after[place] == z3.If(chosen, TURN, state[place]),
            ]
            if sort(after[place]) == "int" and self.decider.certain(z3.And(kept)):
                return Extreme(replace(turn.bag, item=number), largest, last, draws=2)
        raise NotProved("a turn that does not keep the extreme of what was before")

    def _without_state(self, value: z3.ArithRef) -> z3.ArithRef | None:
        """What a conditional term may come to that does not hang on earlier turns."""
        if z3.is_app_of(value, z3.Z3_OP_ITE):
            found = self._without_state(value.arg(1))
            return self._without_state(value.arg(2)) if found is None else found
        return None if "v" in self.leaves.of(value) else value


def _firsts(moving: Moving) -> list[tuple[z3.ArithRef, z3.ArithRef]]:
    """The variables of an item with those of the first one, of which nothing is known."""
    return [(one, z3.Const(f"{one.decl().name()}:first", one.sort())) for one in (moving.one, moving.two)]


def check_places(program: Program, mechanism: Mechanism, scope: Scope, times: Fraction) -> None:
    """Raises NotProved unless the claim holds for vectors of every length. times: the constant, as said above."""
    vector = relation_of(mechanism.claim).data is DataKind.VECTOR
    if not vector or scope.sizes is None or scope.sizes.largest is not None:
        raise NotProved("the place of an extreme is known for vectors of any length")
    for inputs in every_input(mechanism, scope):
        for path in paths_of(program, inputs, PlaceWalk):
            _check_path(inputs, path, times)


def _check_path(inputs: Inputs, path: Path[PlaceWalk], times: Fraction) -> None:
    first, second = path.first, path.second
    one, two, draws = first.found, second.found, first.draws
    if path.decisions or one is None or two is None or (one.largest, one.last) != (two.largest, two.last):
        raise NotProved("a run that does not only ask for the place of an extreme of noisy numbers")
    moving = one.bag.source.moving
    if moving is None or [drawn.key for drawn in draws] != [drawn.key for drawn in second.draws]:
        raise NotProved("a draw that one run alone makes")
    if len(draws) != one.draws or draws[-1].source is None:
        raise NotProved("numbers with more than one draw each, or with none")
    known = Coupling(path, [*inputs.world, *path.facts])
    known.same_noise(second.draws)
    move = _move(path, moving, times if one.largest else -times)
    for drawn in draws:
        if not known.leaves.public(move) or (is_whole(drawn.distribution) and not move.is_int()):
            raise NotProved("a move that depends on the data, or of a whole number by none")
        known.affords([(abs_of(move), known.width(drawn, move, inputs.epsilon))])
    known.expect(same_outputs(first.outputs, second.outputs), "the run on D2 gives something else")
    for fact in _stays_ahead(path, one, two, moving, move):
        known.expect(fact, "another number comes before")


def _move(path: Path[PlaceWalk], moving: Moving, times: Fraction) -> z3.ArithRef:
    """By how much the draw moves at the place that is looked at."""
    bases = (path.first.draws[-1].base, path.second.draws[-1].base)
    if bases[0] is None or bases[1] is None:
        raise NotProved("noise that is added to nothing")
    most = z3.simplify(z3.ToInt(moving.most)) if moving.two.is_int() else moving.most
    step = z3.substitute(bases[1], (moving.two, most)) - z3.substitute(bases[0], (moving.one, zero_of(moving.one)))
    factor = int(times) if times.denominator == 1 else times
    return z3.simplify(term(factor) * step, som=True)


def _stays_ahead(
    path: Path[PlaceWalk], one: Extreme, two: Extreme, moving: Moving, move: z3.ArithRef
) -> list[z3.BoolRef]:
    """What is before another number on D1 is so on D2 with its noise moved, strictly or not."""
    drawn, other = path.first.draws[-1].number, path.second.draws[-1].number
    elsewhere = z3.Const(f"{drawn.decl().name()}'", drawn.sort())
    here = term(one.bag.item), z3.substitute(term(two.bag.item), (other, drawn + move))
    there = [
        z3.substitute(term(bag.item), *moving.others, (noise, elsewhere))
        for bag, noise in ((one.bag, drawn), (two.bag, other))
    ]
    sides = [(a, b) if one.largest else (b, a) for a, b in zip(here, there, strict=True)]
    (a, b), (c, d) = sides
    return [z3.Implies(a >= b, c >= d), z3.Implies(a > b, c > d)]
