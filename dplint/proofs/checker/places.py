"""Checks the place of the largest or smallest of any number of noisy numbers that a list or an array holds.

As in `pointwise`, fix a place j and let its draw alone move, by a constant: a translation of all noise. For any other
place i, where the number at j is before that at i on D1, it has to be so on D2, and no less strictly: then the run on
D2 with its noise so moved gives j wherever that on D1 does, and P1(j) <= e^cost * P2(j). What follows from the place
has to be the same in both runs. The constant is some times what the number at j moves by where its item moves by all
that it may; that it suffices is shown, whatever it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import z3

from dplint.claims import Mechanism, Span
from dplint.outcomes import Scope
from dplint.program.nodes import Program
from dplint.proofs.checker.bags import Bag, Moving
from dplint.proofs.checker.bounded import paths_of
from dplint.proofs.checker.coupling import Coupling, same_outputs
from dplint.proofs.checker.functions import Asked
from dplint.proofs.checker.gathering import GatheringWalk
from dplint.proofs.checker.inputs import Inputs, every_input
from dplint.proofs.checker.laws import is_whole
from dplint.proofs.checker.paths import Path
from dplint.proofs.checker.values import Leaves, Mask, NotProved, Value, abs_of, is_number, refuse, term, zero_of
from dplint.relations import DataKind, relation_of

_PLACE = z3.Int("n: place")


@dataclass(frozen=True, eq=False, slots=True)
class Extreme:
    """The largest or the smallest of some noisy numbers, of which only the place is asked for."""

    bag: Bag
    largest: bool


class PlaceWalk(GatheringWalk):
    """One run. found: the numbers of which it has asked for the place of an extreme one."""

    found: Extreme | None = None

    def called(self, asked: Asked) -> Value:
        """As ever; and extremes of noisy numbers, `noisy.index(max(noisy))` among them."""
        first, *more = asked.arguments or (None,)
        match asked.name, more:
            case "max" | "min" | "amax" | "amin" | "argmax" | "argmin", [] if not asked.keywords:
                extreme = self._extreme(first, asked.name, asked.active)
                if extreme is not None:
                    return self._place(extreme, asked.span) if asked.name.startswith("arg") else extreme
            case "index", [Extreme() as wanted] if asked.method and not asked.keywords and wanted.bag is first:
                return self._place(wanted, asked.span)
        return super().called(asked)

    def _extreme(self, value: Value, name: str, active: Mask) -> Extreme | None:
        noisy = isinstance(value, Bag) and value.whole and is_number(value.item) and self.leaves.noisy(value.item)
        return Extreme(value, "max" in name) if noisy and self.outside and active is True else None

    def _place(self, extreme: Extreme, span: Span) -> Value:
        if self.found is not None:
            raise refuse("the places of two extremes", span)
        self.found = extreme
        return _PLACE


def check_places(program: Program, mechanism: Mechanism, scope: Scope, times: Fraction) -> None:
    """Raises NotProved unless the claim holds for vectors of every length. times: the constant, as said above."""
    if (
        relation_of(mechanism.claim).data is not DataKind.VECTOR
        or scope.sizes is None
        or scope.sizes.largest is not None
    ):
        raise NotProved("the place of an extreme is known for vectors of any length")
    for inputs in every_input(mechanism, scope):
        leaves = Leaves()
        for path in paths_of(program, inputs, partial(PlaceWalk, leaves=leaves, program=program)):
            _check_path(inputs, path, times, leaves)


def _check_path(inputs: Inputs, path: Path[PlaceWalk], times: Fraction, leaves: Leaves) -> None:
    first, second = path.first, path.second
    one, two, draws = first.found, second.found, first.draws
    if path.decisions or one is None or two is None or one.largest is not two.largest:
        raise NotProved("a run that does not only ask for the place of an extreme of noisy numbers")
    moving = one.bag.source.moving
    if moving is None or [len(draws), len(second.draws)] != [1, 1] or draws[0].source is None:
        raise NotProved("numbers with more than one draw each, or with none")
    known = Coupling(first, second, [*inputs.world, *path.regime, *path.facts], leaves)
    known.same_noise(second.draws)
    move = _move(path, moving, times if one.largest else -times)
    if leaves.of(move) - {"a"} or (is_whole(draws[0].distribution) and not move.is_int()):
        raise NotProved("a move that depends on the data, or of a whole number by none")
    known.affords([(abs_of(move), known.width(draws[0], move, inputs.epsilon))])
    known.expect(same_outputs(first.outputs, second.outputs), "the run on D2 gives something else")
    for fact in _stays_ahead(path, one, two, moving, move):
        known.expect(fact, "another number comes before")


def _move(path: Path[PlaceWalk], moving: Moving, times: Fraction) -> z3.ArithRef:
    """By how much the draw moves at the place that is looked at."""
    bases = (path.first.draws[0].base, path.second.draws[0].base)
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
    drawn = path.first.draws[0].number
    (other,) = [found.number for found in path.second.draws]
    elsewhere = z3.Const(f"{drawn.decl().name()}'", drawn.sort())
    here = term(one.bag.item), z3.substitute(term(two.bag.item), (other, drawn + move))
    there = [
        z3.substitute(term(bag.item), *moving.others, (noise, elsewhere))
        for bag, noise in ((one.bag, drawn), (two.bag, other))
    ]
    sides = [(a, b) if one.largest else (b, a) for a, b in zip(here, there, strict=True)]
    (a, b), (c, d) = sides
    return [z3.Implies(a >= b, c >= d), z3.Implies(a > b, c > d)]
