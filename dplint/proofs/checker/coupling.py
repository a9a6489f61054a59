"""The rule of alignment for one path: noise that moves by a constant, gives the same, and does not move far.

Theorem (Zhang and Kifer, POPL 2017, LightDP; Barthe, Gaboardi, Gregoire, Hsu and Strub, LICS 2016): where the run on D1
takes a path, let the noise of the run on D2 be its noise moved by what data and arguments determine. If the run on D2
then gives the same, different noise stays different, and the densities of the draws differ by a factor of e^epsilon at
most, then what the run on D1 gives on this path has e^epsilon times the probability on D2 at most. The obligations are
methods of `Coupling`; which ends are the same, and why images of paths are disjoint, its users show.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TypeVar

import z3

from dplint.proofs.alignment import Move
from dplint.proofs.checker import laws
from dplint.proofs.checker.costs import Cost, Ratio, ratio_of, total_cost_at_most
from dplint.proofs.checker.drawn import Drawn, Output
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.paths import Path
from dplint.proofs.checker.releases import steps
from dplint.proofs.checker.values import (
    Mask,
    NotProved,
    Value,
    abs_of,
    boolean,
    both,
    equal,
    fail_if,
    is_number,
    negate,
    number_in,
    term,
)
from dplint.proofs.checker.walking import Walk
from dplint.relations import Neighbourhood

Shifted = tuple[Drawn, z3.ArithRef]
OneRun = TypeVar("OneRun", bound=Walk)


class Coupling(Known):
    """The runs on D1 and D2 on a path. facts: of data and arguments."""

    def __init__(self, path: Path[OneRun], facts: Iterable[z3.BoolRef]) -> None:
        super().__init__([*facts, *path.regime], path.decisions)
        self.first: Walk = path.first
        self.second: Walk = path.second
        self.leaves = path.first.leaves

    def shifts(self, draws: Sequence[Drawn], moves: Sequence[Move]) -> list[Shifted]:
        """Some draws of the run on D1 with their shifts: terms over data and arguments alone, whole for whole noise.

        Where arguments alone end a run before it draws, there is nothing to move.
        """
        if draws and len(moves) != len(draws):
            raise NotProved(f"the certificate moves {len(moves)} draws, and a path makes {len(draws)}")
        bases = {drawn.key: drawn.base for drawn in self.second.draws}
        offsets = [_between(drawn.base, bases.get(drawn.key)) for drawn in draws]
        shifts = []
        for drawn, move in zip(draws, moves if draws else (), strict=True):
            shift = _factor(move.constant)
            for number, factor in move.offsets:
                shift = shift + _factor(factor) * _offset(offsets, number)
            for number, factor in move.rises:
                offset = _offset(offsets, number)
                shift = shift + _factor(factor) * z3.If(offset > 0, offset, 0)
            fail_if(self.leaves.noisy(shift), "a move that depends on noise")
            # Sums and products of terms of whole numbers are such a term; any other may be no whole number.
            if laws.is_whole(drawn.distribution) and not shift.is_int():
                raise NotProved("a whole number that may be moved by what is none")
            shifts.append((drawn, shift))
        return shifts

    def follows(self, shifts: Sequence[Shifted], end: Mask, reason: str, *facts: z3.BoolRef) -> None:
        """Wherever the run on D1 takes the path, the end holds with the noise of the run on D2 moved so."""
        moved = [_noise(drawn, "m") == _noise(drawn, "n") + shift for drawn, shift in shifts]
        self.expect(end, reason, *self.taken(), *moved, *facts)

    def taken(self) -> list[z3.BoolRef]:
        """That the run on D1 takes the path; and no draw is below the least value that it may have."""
        least = [fact for drawn in self.first.draws for fact in laws.at_least(drawn.distribution, drawn.number)]
        return [*self.first.conditions, *least]

    def same_noise(self, second: Sequence[Drawn]) -> None:
        """What both runs draw has the same law; one alone may draw what it then does not use."""
        seconds = {drawn.key: drawn for drawn in second}
        for one in self.first.draws:
            other = seconds.get(one.key)
            if other is None:
                continue
            if one.distribution != other.distribution or (one.source is None) is not (other.source is None):
                raise NotProved("one draw from two distributions")
            fail_if(not is_number(other.scale), "a scale that is no number")
            if not z3.eq(term(one.scale), term(other.scale)) and not self.certain(term(one.scale) == term(other.scale)):
                raise NotProved("noise whose scale differs between the runs")

    def width(self, drawn: Drawn, shift: z3.ArithRef, epsilon: Value) -> Ratio:
        """What one unit of a draw costs in shares of epsilon; NotProved where the shift has no finite cost."""
        if not is_number(drawn.scale) or not self.leaves.public(drawn.scale):
            raise NotProved("noise whose scale depends on the data")
        fail_if(not self.leaves.public(epsilon), "a claimed epsilon that depends on the data")
        if not self.certain(term(drawn.scale) > 0) or not self.certain(term(epsilon) > 0):
            raise NotProved("a scale, or the claimed epsilon, that may not be positive")
        if laws.is_upward(drawn.distribution) and not self.certain(shift >= 0):
            raise NotProved(f"{drawn.distribution} noise that may be moved down")
        return (ratio_of(drawn.scale) * ratio_of(epsilon)).inverse()

    def costs(self, shifts: Sequence[Shifted], epsilon: Value) -> list[Cost]:
        """What the shifts cost; of draws for each item of a vector, all their shifts at most.

        What draws of one width for the same item move together is bounded together: the first of them stands for all.
        """
        costs: list[Cost] = []
        together: dict[str, list[int]] = {}
        for number, (drawn, shift) in enumerate(shifts):
            width = self.width(drawn, shift, epsilon)
            if drawn.distribution == laws.RELEASE:
                costs.append((term(self._steps(drawn, shift)), width))
                continue
            if drawn.source is not None:
                together.setdefault(repr(width.value), []).append(number)
            elif "g" in self.leaves.of(shift):
                raise NotProved("a move that is another for each item")
            costs.append((abs_of(shift) if drawn.source is None else term(0), width))
        for numbers in together.values():
            source = shifts[numbers[0]][0].source
            moved = z3.Sum([abs_of(shifts[number][1]) for number in numbers])
            bound = None if source is None else source.moved(moved, Neighbourhood.SUM_OF_MOVES)
            if bound is None:
                raise NotProved("noise for each of any number of items, whose moves have no bound")
            costs[numbers[0]] = (bound, costs[numbers[0]][1])
        return costs

    def _steps(self, drawn: Drawn, shift: z3.ArithRef) -> Value:
        """How many steps lie between what a function of a library is given in both runs; what it gives is the same."""
        others = [one.given for one in self.second.draws if one.key == drawn.key]
        if number_in(z3.simplify(shift)) != 0 or drawn.given is None or len(others) != 1 or others[0] is None:
            raise NotProved("a release that one run alone has, or that is to move")
        return steps(drawn.given, others[0], self.leaves, self.certain)

    def affords(self, costs: Sequence[Cost], budget: int = 1, *given: z3.BoolRef) -> None:
        """The costs add up to the budget at most, in shares of the claimed epsilon."""
        affordable, positive = total_cost_at_most(costs, budget)
        for bottom in positive:
            self.expect(bottom, "a denominator of a scale may not be positive", *given)
        self.expect(affordable, "the moves cost more than the claimed epsilon", *given)

    def misses(self, reason: str, *facts: z3.BoolRef) -> None:
        """No run takes the path, for which the certificate has no moves."""
        self.expect(False, reason, *self.taken(), *facts)


def same_outputs(first: Sequence[Output], second: Sequence[Output]) -> Mask:
    """Whether the two runs give the same, wherever they end."""
    result: Mask = True
    for one in first:
        for other in second:
            here = both(one.mask, other.mask)
            same = one.kind == other.kind and equal(one.value, other.value)
            if here is False or same is True:
                continue
            result = both(result, negate(here) if same is False else z3.Or(z3.Not(boolean(here)), same))
    return result


def _noise(drawn: Drawn, run: str) -> z3.ArithRef:
    return z3.Const(f"{run}:{drawn.key}", drawn.number.sort())


def _between(base: z3.ArithRef | None, other: z3.ArithRef | None) -> z3.ArithRef | None:
    return None if base is None or other is None else other - base


def _offset(offsets: Sequence[z3.ArithRef | None], number: int) -> z3.ArithRef:
    offset = offsets[number] if 0 <= number < len(offsets) else None
    if offset is None:
        raise NotProved("a move by the offset of a draw that has none")
    return offset


def _factor(value: Fraction) -> z3.ArithRef:
    """A term of whole numbers where it is one."""
    exact = Fraction(value)
    return term(int(exact) if exact.denominator == 1 else exact)
