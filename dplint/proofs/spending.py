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
_STEPS, _MOST_GIVEN_UP = 8, 2
_DIGITS, _TINIEST = 90, 1e-30
"""How many numbers of two digits a decade has, and what no delta is made smaller than."""


def least_spend(
    program: Program,
    mechanism: Mechanism,
    found: Search,
    lower: float,
    seconds: float,
    pause: Callable[[], None] = lambda: None,
    pairs: OwnPairs | None = None,
    *,
    patience: float = math.inf,
) -> Proved:
    """The proof with the smallest share of the claim that is proved within these seconds of this process.

    found: with a proof of the whole claim. lower: no smaller share can be proved; 0 if that is not known. patience:
    seconds after which one share is given up; after two that were, so is the search.
    """
    proof = found.proof
    assert proof is not None
    end = time.process_time() + seconds
    known, least = Fraction(1), readable(lower) if lower > 0 else Fraction(0)
    share, given_up = least or _FIRST, 0
    for _ in range(_STEPS if least < _LITTLE else 0):
        begun = time.process_time()
        left = end - begun
        if left <= 0 or given_up == _MOST_GIVEN_UP:
            break
        if proves(program, mechanism, found, share, min(left / 2, patience), pause, pairs):
            known = share
        elif not least and known == 1:
            break
        else:
            least = max(least, share)
            given_up += time.process_time() - begun >= patience
        if least >= known * _NEAR:
            break
        share = simplest(least, known)
    if known == 1:
        return proof
    return replace(proof, share=float(known), epsilon_upper=multiple(mechanism.claim.epsilon, known))


def least_delta(
    program: Program,
    mechanism: Mechanism,
    found: Search,
    seconds: float,
    pause: Callable[[], None] = lambda: None,
    pairs: OwnPairs | None = None,
) -> float | None:
    """The smallest delta of two digits that is proved beside all of the claimed epsilon within these seconds.

    found: with a proof of the whole claim. None where the claim has no number for delta, or no less is proved.
    """
    claimed = mechanism.claim.delta
    if isinstance(claimed, str) or claimed <= _TINIEST:
        return None
    end, least = time.process_time() + seconds, _place(_TINIEST)
    known: int | None = None
    wanted, step = _place(claimed * float(_FIRST)), _DIGITS
    while (left := end - time.process_time()) > 0 and wanted > least and (known is None or wanted < known):
        if proves(program, mechanism, found, Fraction(1), left / 2, pause, pairs, delta=_number(wanted)):
            known, step = wanted, 2 * step
            wanted = max(wanted - step, (least + wanted) // 2)
        elif known is None:
            return None
        else:
            least = wanted
            wanted = (least + known + 1) // 2
    return None if known is None else _number(known)


def _place(number: float) -> int:
    """That of the largest number of two digits below one, counted from 1."""
    digits, _, exponent = f"{number:.12e}".partition("e")
    return _DIGITS * int(exponent) + math.floor(10 * float(digits)) - 10


def _number(place: int) -> float:
    decade, digits = divmod(place, _DIGITS)
    return float(f"{digits + 10}e{decade - 1}")


def proves(
    program: Program,
    mechanism: Mechanism,
    found: Search,
    share: Fraction,
    seconds: float,
    pause: Callable[[], None] = lambda: None,
    pairs: OwnPairs | None = None,
    *,
    delta: float | str | None = None,
) -> bool:
    """Whether so small a share of the claimed epsilon is proved, for all that the known proof of the whole speaks of.

    delta: in place of the claimed one; None for that one.
    """
    if mechanism.claim.promise is not None:
        return False  # a share of its epsilon would be another claim than a share of what is promised
    delta = mechanism.claim.delta if delta is None else delta
    claim = replace(mechanism.claim, epsilon=multiple(mechanism.claim.epsilon, share), delta=delta)
    less = search(program, replace(mechanism, claim=claim), seconds, pause, pairs, full=found.settled)
    if less.proof is None or found.proof is None or less.programs != found.programs:
        return False
    # A number that is claimed is a part of the scope; of a parameter both have all values.
    scope = replace(less.proof.scope, epsilon=found.proof.scope.epsilon, delta=found.proof.scope.delta)
    return covers(scope, found.proof.scope)
