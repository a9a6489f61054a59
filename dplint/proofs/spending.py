"""The smallest multiple of a claim that is proved: the same search, for claims of less.

Where losses were computed, the largest of them says what the smallest multiple can be at best, and that is tried first.
Nothing is said of a multiple but by a proof that the checker has accepted, and that leaves nothing of the first one's
scope out.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dplint.claims import Mechanism
from dplint.outcomes import Proved
from dplint.program.nodes import Program
from dplint.proofs.alignment import OwnPairs
from dplint.proofs.searching import Search, covers, search

_LITTLE = Fraction(9, 10)
"""With so much spent for certain, or no proof of so much where nothing is known from below, there is little to gain."""
_NEAR = Fraction(49, 50)
"""So near to what cannot be proved, a share is not made smaller any more."""
_STEPS = 8
_DENOMINATOR = 60


def least_spend(
    program: Program,
    mechanism: Mechanism,
    found: Search,
    lower: float,
    seconds: float,
    pause: Callable[[], None] = lambda: None,
    pairs: OwnPairs | None = None,
) -> Proved:
    """The proof with the smallest share of the claim that is proved within these seconds of this process.

    found: with a proof of the whole claim. lower: no smaller share can be proved; 0 if that is not known.
    """
    proof = found.proof
    assert proof is not None
    end = time.process_time() + seconds
    known, least = Fraction(1), readable(lower) if lower > 0 else Fraction(0)
    share = least or _LITTLE
    for _ in range(_STEPS if least < _LITTLE else 0):
        left = end - time.process_time()
        if left <= 0:
            break
        if proves(program, mechanism, found, share, left / 2, pause, pairs):
            known = share
        elif not least and known == 1:
            break
        else:
            least = max(least, share)
        if least >= known * _NEAR:
            break
        share = simplest(least, known)
    if known == 1:
        return proof
    return replace(proof, share=float(known), epsilon_upper=multiple(mechanism.claim.epsilon, known))


def proves(
    program: Program,
    mechanism: Mechanism,
    found: Search,
    share: Fraction,
    seconds: float,
    pause: Callable[[], None] = lambda: None,
    pairs: OwnPairs | None = None,
) -> bool:
    """Whether so small a share of the claim is proved, for all that the known proof of the whole speaks of."""
    claim = replace(mechanism.claim, epsilon=multiple(mechanism.claim.epsilon, share))
    less = search(program, replace(mechanism, claim=claim), seconds, pause, pairs)
    if less.proof is None or found.proof is None or less.programs != found.programs:
        return False
    # A number that is claimed is a part of the scope; of a parameter both have all values.
    scope = replace(less.proof.scope, epsilon=found.proof.scope.epsilon)
    return covers(scope, found.proof.scope)


def multiple(epsilon: float | str, share: Fraction) -> float | str:
    """So many times the claimed epsilon: "epsilon / 4", "2 * epsilon / 3", or a number."""
    if not isinstance(epsilon, str):
        return float(epsilon) * float(share)
    factor = epsilon if epsilon.isidentifier() else f"({epsilon})"
    if share.denominator > _DENOMINATOR:
        return f"{float(share)!r} * {factor}"
    times = factor if share.numerator == 1 else f"{share.numerator} * {factor}"
    return times if share.denominator == 1 else f"{times} / {share.denominator}"


def readable(number: float) -> Fraction:
    """A number that people would write, not less: a simple fraction, else three digits."""
    simple = Fraction(number).limit_denominator(_DENOMINATOR)
    if simple > 0 and abs(float(simple) - number) <= 1e-6 * number:
        return simple
    digits = 4 - math.floor(math.log10(number))
    return Fraction(math.ceil(number * 10**digits - 1e-4), 10**digits)


def simplest(low: Fraction, high: Fraction) -> Fraction:
    """The fraction between two that has the smallest denominator (by continued fractions); low < high."""
    whole = low.numerator // low.denominator
    if whole + 1 < high:
        return Fraction(whole + 1)
    if low == whole:
        return whole + Fraction(1, math.floor(1 / (high - whole)) + 1)
    return whole + 1 / simplest(1 / (high - whole), 1 / (low - whole))
