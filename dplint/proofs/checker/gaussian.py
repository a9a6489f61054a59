"""Checks claims with a delta of mechanisms whose only noise is Gaussian. It needs no certificate.

All noise of a run moves by what data and arguments determine, whatever was drawn, so that every noisy value stays what
it is. Then the output is one function of z on D1 and of z moved by s on D2, and as private as z is: the Gaussian
mechanism with sensitivity |s / sigma|. It keeps (epsilon, delta) for epsilon <= 1 where |s / sigma| is at most epsilon
over the root of 2 ln(1.25 / delta) (Dwork and Roth, The Algorithmic Foundations of Differential Privacy, 2014, theorem
A.1, with its limit; for delta <= 1/10 the constant is larger than the 3/2 that its proof needs). Moves that depend on
the output, as those of a sparse vector, are no proof here: so nothing may be decided by noise.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import partial

import z3

from dplint.claims import Mechanism, Span
from dplint.outcomes import Scope
from dplint.program.nodes import Program
from dplint.proofs.alignment import Move
from dplint.proofs.checker.arithmetic import unknown
from dplint.proofs.checker.bounded import Path, abs_of, expect, moved_by, paths_of, same_noise, same_outputs, shifts_of
from dplint.proofs.checker.costs import ONE, Ratio, ratio_of
from dplint.proofs.checker.gathering import GatheringWalk
from dplint.proofs.checker.inputs import Inputs, every_input
from dplint.proofs.checker.paths import Decider, excludes, solver_for
from dplint.proofs.checker.values import Leaves, Mask, NotProved, Value, boolean, exact, is_number, is_term, term
from dplint.proofs.checker.walking import Drawn
from dplint.relations import Neighbourhood

_LARGEST_DELTA = Fraction(1, 10)
_MARGIN = Fraction(1, 10**12)
"""Relative; a logarithm of the standard library errs by some 1e-16."""
_NESTED = 6


class GaussianWalk(GatheringWalk):
    """One run. facts: what is true of the logarithms and roots in it."""

    shifted = frozenset(["normal"])

    def __init__(self, run: int, decider: Decider, leaves: Leaves, program: Program) -> None:
        super().__init__(run, decider, leaves, program)
        self.facts: list[z3.BoolRef] = []

    def call(
        self, function: str, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask, span: Span
    ) -> Value:
        """As ever; and of a root its square is known, of the logarithm of a number where it lies."""
        name = function.rpartition(".")[2]
        if name == "pow" and len(arguments) == 2 and arguments[1] == 2 and is_number(arguments[0]) and not keywords:
            return self.binary("*", arguments[0], arguments[0], active, span)
        result = super().call(function, arguments, keywords, active, span)
        if len(arguments) == 1 and is_number(arguments[0]) and is_term(result):
            facts: list[z3.BoolRef] = []
            if name == "sqrt":  # which was refused unless its argument is certainly positive
                facts = [result > 0, result * result == term(arguments[0])]
            elif name == "log" and not is_term(arguments[0]):
                facts = _enclosed(result, Fraction(arguments[0]))
            for fact in facts:
                self.decider.assume(fact)
            self.facts += facts
        return result


def check_gaussian(program: Program, mechanism: Mechanism, scope: Scope) -> None:
    """Raises NotProved unless the claim holds within the scope."""
    delta = mechanism.claim.delta
    if isinstance(delta, str) or not 0 < exact(delta) <= _LARGEST_DELTA:
        raise NotProved("a delta that is no number, or above 1/10")
    if scope.epsilon.high > 1:
        raise NotProved("a claim of more than epsilon = 1, which this theorem does not speak of")
    for inputs in every_input(mechanism, scope, with_delta=True):
        leaves = Leaves()
        for path in paths_of(program, inputs, partial(GaussianWalk, leaves=leaves, program=program)):
            _check_path(inputs, path, Fraction(exact(delta)), leaves)


def _check_path(inputs: Inputs, path: Path[GaussianWalk], delta: Fraction, leaves: Leaves) -> None:
    if path.decisions:
        raise NotProved("Gaussian noise that something is decided by")
    draws = path.first.draws
    bases = {drawn.key: drawn.base for drawn in path.second.draws}
    based = [drawn.base is not None and bases.get(drawn.key) is not None for drawn in draws]
    moves = [Move(Fraction(0), ((place, Fraction(-1)),) if known else ()) for place, known in enumerate(based)]
    shifts = shifts_of(draws, path.second.draws, moves, leaves)
    limit = unknown("log", [Fraction(5, 4) / delta])
    facts = [*path.facts, *path.first.facts, *path.second.facts, *_enclosed(limit, Fraction(5, 4) / delta)]
    known = solver_for([*inputs.world, *path.regime, *facts])
    if leaves.of(inputs.epsilon) - {"a"} or not excludes(known, term(inputs.epsilon) > 1):
        raise NotProved("a claim of more than epsilon = 1, which this theorem does not speak of")
    widths = [_per_square(drawn, inputs.epsilon, limit, known, leaves) for drawn, _ in shifts]
    lengths = [_length(drawn, shift, leaves) for drawn, shift in shifts]
    _check_size(list(zip(lengths, widths, strict=True)), inputs, path)
    same_noise(draws, path.second.draws, known)
    moved = [moved_by(drawn, shift) for drawn, shift in shifts]
    solver = solver_for([*inputs.world, *path.regime, *moved, *facts])
    same = boolean(same_outputs(path.first.outputs, path.second.outputs))
    expect(solver, same, "the run on D2 gives something else", inputs.shape, ())


def _length(drawn: Drawn, shift: z3.ArithRef, leaves: Leaves) -> z3.ArithRef:
    """The shift; where there is a draw for each item of a vector, the length of all their shifts at most."""
    if drawn.source is None:
        if "g" in leaves.of(shift):
            raise NotProved("a move that is another for each item")
        return shift
    found = drawn.source.moved(shift, Neighbourhood.LENGTH_OF_MOVE)
    if found is None:
        raise NotProved("noise for each of any number of items, whose moves have no bound")
    return found


def _check_size(costs: Sequence[tuple[z3.ArithRef, Fraction]], inputs: Inputs, path: Path[GaussianWalk]) -> None:
    """Raises NotProved unless the squares of the shifts, times their factors, add up to 1 at most.

    A sum of absolute values is no smaller than the root of the sum of squares; where that does, z3 is asked no more.
    """
    solver = solver_for([*inputs.world, *path.regime])
    lengths = z3.Sum([z3.RealVal(0), *(_rational(_root_above(factor)) * abs_of(shift) for shift, factor in costs)])
    if excludes(solver, lengths > 1):
        return
    if not inputs.euclidean:
        raise NotProved("the noise moves by more than its size allows")
    squares = z3.Sum([z3.RealVal(0), *(_rational(factor) * shift * shift for shift, factor in costs)])
    expect(solver, squares <= 1, "the noise moves by more than its size allows", inputs.shape, ())


def _root_above(value: Fraction) -> Fraction:
    """A number that is not below the root; the root itself if it is a fraction."""
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if (top * top, bottom * bottom) == (value.numerator, value.denominator):
        return Fraction(top, bottom)
    found = Fraction(math.sqrt(value)) * (1 + _MARGIN)
    if found * found < value:
        raise NotProved("noise whose size is not known well enough")
    return found


def _per_square(drawn: Drawn, epsilon: Value, limit: z3.ArithRef, known: z3.Solver, leaves: Leaves) -> Fraction:
    """What the square of a shift costs, as a share of all: 2 ln(1.25 / delta) / (sigma * epsilon)^2."""
    if not is_number(drawn.scale) or leaves.of(drawn.scale) - {"a"}:
        raise NotProved("noise whose scale depends on the data")
    for wrong in (term(drawn.scale) <= 0, term(epsilon) <= 0):
        if not excludes(known, wrong):
            raise NotProved("a scale, or the claimed epsilon, that may not be positive")
    scaled = ratio_of(drawn.scale) * ratio_of(epsilon)
    return _at_most(ratio_of(limit).times(2) * _without_roots(scaled * scaled).inverse())


def _without_roots(ratio: Ratio) -> Ratio:
    """The same with the argument in place of each square of a root."""
    for _ in range(_NESTED):
        top, bottom = (_expanded(part, ratio.variables) for part in (ratio.top, ratio.bottom))
        found = top * bottom.inverse()
        if (found.top, found.bottom) == (ratio.top, ratio.bottom):
            break
        ratio = found
    return ratio


def _expanded(polynomial: Mapping[tuple[str, ...], Fraction], variables: Mapping[str, z3.ArithRef]) -> Ratio:
    total = ONE.times(0)
    for names, factor in polynomial.items():
        product = ONE.times(factor)
        for name in sorted(set(names)):
            one, times = variables[name], names.count(name)
            kind = one.decl().name().partition("/")[0]
            if kind == "sqrt":
                product = (
                    product * _power(ratio_of(one.children()[0]), times // 2) * _power(_variable(name, one), times % 2)
                )
            else:
                product = product * _power(_variable(name, one), times)
        total = total + product
    return total


def _at_most(ratio: Ratio) -> Fraction:
    """A number that a quotient of logarithms of numbers does not exceed. Raises NotProved for anything else."""
    top, bottom = (_between(part, ratio.variables) for part in (ratio.top, ratio.bottom))
    if top[0] < 0 or bottom[0] <= 0:
        raise NotProved("noise whose size is not known well enough")
    return top[1] / bottom[0]


def _between(
    polynomial: Mapping[tuple[str, ...], Fraction], variables: Mapping[str, z3.ArithRef]
) -> tuple[Fraction, Fraction]:
    low = high = Fraction(0)
    for names, factor in polynomial.items():
        ends = [factor, factor]
        for name in names:
            one = variables[name]
            if one.decl().name().partition("/")[0] != "log" or not z3.is_rational_value(one.children()[0]):
                raise NotProved(f"noise that is not a number over the claimed epsilon: {name[:60]} remains")
            ends = [end * other for end in ends for other in _ends(one.children()[0].as_fraction())]
        low, high = low + min(ends), high + max(ends)
    return low, high


def _variable(name: str, value: z3.ArithRef) -> Ratio:
    return Ratio({(name,): Fraction(1)}, {(): Fraction(1)}, {name: value})


def _power(ratio: Ratio, times: int) -> Ratio:
    found = ONE
    for _ in range(times):
        found = found * ratio
    return found


def _enclosed(logarithm: z3.ArithRef, value: Fraction) -> list[z3.BoolRef]:
    """Where the logarithm of a number lies; its sign exactly."""
    low, high = _ends(value)
    sign = logarithm > 0 if value > 1 else logarithm < 0 if value < 1 else logarithm == 0
    return [sign, logarithm >= _rational(low), logarithm <= _rational(high)]


def _ends(value: Fraction) -> tuple[Fraction, Fraction]:
    """Between which numbers the logarithm of a number lies."""
    middle = Fraction(math.log(value))
    width = abs(middle) * _MARGIN + _MARGIN
    return middle - width, middle + width


def _rational(value: Fraction) -> z3.ArithRef:
    return z3.Q(value.numerator, value.denominator)
