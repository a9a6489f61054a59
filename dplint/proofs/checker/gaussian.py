"""Checks claims with a delta, or in mu or rho, of mechanisms whose only noise is Gaussian.

All noise of a run moves by what data and arguments determine, whatever was drawn, so that every noisy value stays what
it is. Then the output is one function of z on D1 and of z moved by s on D2, and as private as z is: the Gaussian
mechanism with sensitivity |s / sigma|, which keeps (epsilon, delta) where that is at most a *limit*. For numbers it is
the mu of the certificate, whose exact delta (Balle and Wang, ICML 2018, theorem 8) is worked out here, with an error
that is known. Else it is epsilon over the root of 2 ln(1.25 / delta), for epsilon <= 1 and delta <= 1/10 (Dwork and
Roth, The Algorithmic Foundations of Differential Privacy, 2014, theorem A.1, with its limit; there the constant is
larger than the 3/2 that its proof needs). Moves that depend on the output, as those of a sparse vector, are no proof
here: so nothing may be decided by noise.

A promise in mu or rho is a limit by itself, of which no conversion is needed. Of discrete Gaussian noise, which moves
by whole numbers, rho is all that is accepted (Canonne, Kamath and Steinke, NeurIPS 2020, theorem 4).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import z3
from flint import arb, ctx, fmpq

from dplint.claims import Mechanism, Promise
from dplint.outcomes import Scope
from dplint.program.nodes import Program
from dplint.proofs.alignment import GaussianCertificate, Move
from dplint.proofs.checker import laws
from dplint.proofs.checker.arithmetic import unknown
from dplint.proofs.checker.context import Asked
from dplint.proofs.checker.costs import ratio_of
from dplint.proofs.checker.coupling import Coupling, same_outputs
from dplint.proofs.checker.drawn import Drawn
from dplint.proofs.checker.gathering import GatheringWalk, paths_of
from dplint.proofs.checker.inputs import Inputs, claimed, every_input
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.paths import Decider, Path
from dplint.proofs.checker.values import Leaves, NotProved, Value, abs_of, fail_if, is_number, is_term, term
from dplint.relations import Neighbourhood

LARGEST_DELTA = Fraction(1, 10)
_MARGIN = Fraction(1, 10**12)
"""Relative; a logarithm of the standard library errs by some 1e-16."""
_BITS = 128


class Unbounded(NotProved):
    """The certificate does not say what the square of a shift costs at most, this term, or it says too little."""

    def __init__(self, cost: z3.ArithRef) -> None:
        super().__init__("noise whose size is not known well enough")
        self.cost = cost


class GaussianWalk(GatheringWalk):
    """One run. facts: what is true of the logarithms and roots in it."""

    shifted = frozenset(["normal", laws.SQUARED])

    def __init__(self, run: int, decider: Decider, leaves: Leaves, program: Program) -> None:
        super().__init__(run, decider, leaves, program)
        self.facts: list[z3.BoolRef] = []

    def called(self, asked: Asked) -> Value:
        """As ever; and of a root its square is known, of a logarithm where it lies."""
        result, arguments = super().called(asked), asked.arguments
        if len(arguments) == 1 and is_number(arguments[0]) and is_term(result):
            facts: list[z3.BoolRef] = []
            if asked.name == "sqrt":  # which was refused unless its argument is certainly positive
                facts = [result > 0, result * result == term(arguments[0])]
            elif asked.name == "log":
                facts = _enclosed(result, arguments[0])
            for fact in facts:
                self.decider.assume(fact)
            self.facts += facts
        return result


def check_gaussian(program: Program, mechanism: Mechanism, scope: Scope, certificate: GaussianCertificate) -> None:
    """Raises NotProved unless the claim holds within the scope."""
    for inputs in every_input(mechanism, scope, with_delta=True, promises=("rho", "mu")):
        delta = claimed(mechanism.claim.delta, inputs.first, str(mechanism.data), None)
        for path in paths_of(program, inputs, GaussianWalk):
            _check_path(inputs, path, delta, certificate, mechanism.claim.promise)


def _check_path(
    inputs: Inputs, path: Path[GaussianWalk], delta: Value, certificate: GaussianCertificate, promise: Promise | None
) -> None:
    fail_if(path.decisions, "Gaussian noise that something is decided by")
    draws = path.first.draws
    discrete = any(drawn.distribution == laws.SQUARED for drawn in draws)
    in_rho = promise is not None and promise.kind == "rho"
    fail_if(discrete and not in_rho, "discrete Gaussian noise and another claim than rho")
    bases = {drawn.key: drawn.base for drawn in path.second.draws}
    based = [drawn.base is not None and bases.get(drawn.key) is not None for drawn in draws]
    moves = [Move(Fraction(0), ((place, Fraction(-1)),) if known else ()) for place, known in enumerate(based)]
    known = Coupling(path, [*inputs.world, *path.facts, *path.first.facts, *path.second.facts])
    shifts = known.shifts(draws, moves)
    limit = _promised(promise, inputs.epsilon, known) if promise else _limit(inputs.epsilon, delta, certificate, known)
    costs = [(_length(*one, known.leaves), _per_square(one[0], limit, certificate, known)) for one in shifts]
    _check_size(costs, Known([*inputs.world, *path.regime]), inputs.euclidean)
    known.same_noise(path.second.draws)
    same = same_outputs(path.first.outputs, path.second.outputs)
    known.follows(shifts, same, "the run on D2 gives something else")


def _promised(promise: Promise, amount: Value, known: Coupling) -> tuple[Value, Value]:
    """The limit of a promise by itself, as a quotient like that of `_limit`: mu, and for rho the root of 2 * rho.

    amount: what is promised. Moved by mu of its sigmas, normal noise keeps mu (Dong, Roth and Su 2022, theorem 1) and
    rho = mu**2 / 2 (Bun and Steinke 2016, proposition 1.6), and no less.
    """
    fail_if(not known.leaves.public(amount), "a claim that depends on the data")
    fail_if(promise.kind not in ("mu", "rho") or len(promise.amounts) != 1, "a promise that normal noise is not about")
    if not known.certain(term(amount) > 0):
        raise NotProved("a promise that may be nothing")
    if promise.kind == "mu":
        return amount, Fraction(1)
    return 2 * term(amount), 2 * term(amount)


def _limit(epsilon: Value, delta: Value, certificate: GaussianCertificate, known: Coupling) -> tuple[Value, Value]:
    """The limit as a quotient: of numbers its divisor is 1, else what is below the line is squared."""
    fail_if(not known.leaves.public(epsilon) or not known.leaves.public(delta), "a claim that depends on the data")
    if not is_term(epsilon) and not is_term(delta) and certificate.mu is not None:
        if certificate.mu <= 0 or not _keeps(certificate.mu, Fraction(epsilon), Fraction(delta)):
            raise NotProved("noise that moves so far has a larger delta than the claim")
        return certificate.mu, Fraction(1)
    most = term(LARGEST_DELTA)
    for wrong in (term(epsilon) <= 0, term(epsilon) > 1, term(delta) <= 0, term(delta) > most):
        if not known.excludes(wrong):
            raise NotProved("a claim of epsilon above 1 or delta above 1/10, which the theorem does not speak of")
    inside = Fraction(5, 4) / delta if not is_term(delta) else term(Fraction(5, 4)) / term(delta)
    logarithm = unknown("log", [inside])
    known.assume(logarithm > 2, *_enclosed(logarithm, inside))  # ln 12.5 = 2.53
    return epsilon, 2 * logarithm


def _keeps(mu: Fraction, epsilon: Fraction, delta: Fraction) -> bool:
    """Whether normal noise that moves by mu of its sigmas keeps the two numbers, and so if it moves by less."""
    with ctx.workprec(_BITS):
        moved, exact, most = (arb(fmpq(one.numerator, one.denominator)) for one in (mu, epsilon, delta))
        below = [(far / arb(2).sqrt()).erfc() / 2 for far in (exact / moved - moved / 2, exact / moved + moved / 2)]
        return bool(below[0] - exact.exp() * below[1] <= most)


def _length(drawn: Drawn, shift: z3.ArithRef, leaves: Leaves) -> z3.ArithRef:
    """The shift; where there is a draw for each item of a vector, the length of all their shifts at most."""
    if drawn.source is None:
        fail_if("g" in leaves.of(shift), "a move that is another for each item")
        return shift
    found = drawn.source.moved(shift, Neighbourhood.LENGTH_OF_MOVE)
    if found is None:
        raise NotProved("noise for each of any number of items, whose moves have no bound")
    return found


def _check_size(costs: Sequence[tuple[z3.ArithRef, Fraction]], known: Known, euclidean: bool) -> None:
    """Raises NotProved unless the squares of the shifts, times their shares, add up to 1 at most.

    A sum of absolute values is no smaller than the root of the sum of squares; where that does, z3 is asked no more.
    """
    lengths = z3.Sum([z3.RealVal(0), *(term(_root_above(share)) * abs_of(shift) for shift, share in costs)])
    if known.excludes(lengths > 1):
        return
    fail_if(not euclidean, "the noise moves by more than its size allows")
    squares = z3.Sum([z3.RealVal(0), *(term(share) * shift * shift for shift, share in costs)])
    known.expect(squares <= 1, "the noise moves by more than its size allows")


def _root_above(value: Fraction) -> Fraction:
    """A number that is not below the root; the root itself if it is a fraction."""
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    if (top * top, bottom * bottom) == (value.numerator, value.denominator):
        return Fraction(top, bottom)
    found = Fraction(math.sqrt(value)) * (1 + _MARGIN)
    fail_if(found * found < value, "noise whose size is not known well enough")
    return found


def _per_square(
    drawn: Drawn, limit: tuple[Value, Value], certificate: GaussianCertificate, known: Coupling
) -> Fraction:
    """What the square of a shift costs at most, as a share of all: a number of the certificate."""
    fail_if(not is_number(drawn.scale) or not known.leaves.public(drawn.scale), "noise whose scale depends on the data")
    fail_if(not known.certain(term(drawn.scale) > 0), "a scale that may not be positive")
    width = ratio_of(drawn.scale)
    variance = width if drawn.distribution == laws.SQUARED else width * width
    square = ratio_of(limit[1]) * (variance * ratio_of(limit[0]) * ratio_of(limit[0])).inverse()
    top, bottom = square.numerator(), square.denominator()
    share = dict(certificate.shares).get((top / bottom).sexpr())
    holds = share is not None and known.certain(bottom > 0) and known.certain(top <= term(share) * bottom)
    if share is None or not holds:
        raise Unbounded(top / bottom)
    return share


def _enclosed(logarithm: z3.ArithRef, value: Value) -> list[z3.BoolRef]:
    """Where the logarithm of a number lies; its sign exactly."""
    if is_term(value):
        return [(logarithm > 0) == (term(value) > 1), (logarithm < 0) == (term(value) < 1)]
    sign = logarithm > 0 if value > 1 else logarithm < 0 if value < 1 else logarithm == 0
    middle = Fraction(math.log(value))
    width = abs(middle) * _MARGIN + _MARGIN
    return [sign, logarithm >= term(middle - width), logarithm <= term(middle + width)]
