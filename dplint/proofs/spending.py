"""The smallest multiple of a claim that is proved: the same search, for claims of less.

Where losses were computed, the largest of them says what the smallest multiple can be at best, and that is tried first.
Nothing is said of a multiple but by a proof that the checker has accepted, and that leaves nothing of the first one's
scope out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction

from dplint.amounts import multiple, readable, simplest
from dplint.claims import Mechanism
from dplint.outcomes import Proved
from dplint.program.nodes import Program
from dplint.proofs.alignment import OwnPairs
from dplint.proofs.searching import Search, covers, search

_LITTLE = Fraction(95, 100)
"""With so much spent for certain there is little to gain."""
_FIRST = Fraction(10, 11)
"""What is tried where nothing is known from below: without a proof of that, there is little to gain, too."""
_NEAR = Fraction(49, 50)
"""So near to what cannot be proved, a share is not made smaller any more."""
_STEPS = 8


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
    share = least or _FIRST
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
    less = search(program, replace(mechanism, claim=claim), seconds, pause, pairs, full=found.settled)
    if less.proof is None or found.proof is None or less.programs != found.programs:
        return False
    # A number that is claimed is a part of the scope; of a parameter both have all values.
    scope = replace(less.proof.scope, epsilon=found.proof.scope.epsilon)
    return covers(scope, found.proof.scope)
