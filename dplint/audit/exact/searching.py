"""Which pairs of a claim are computed, and in which order: small ones first, and those whose pattern has lost most."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dplint.audit.choices import Choice
from dplint.audit.exact.pairs import ComputedPair, NotComputed, TooLong, compute_pair, worst_first
from dplint.audit.session import AuditSession
from dplint.claims import Pair
from dplint.program.nodes import Program
from dplint.readings.exact import Limits, Raised

LIMITS = Limits(paths=300, steps=6_000)
"""For one pair: a fraction of a second. What is larger is left to the other procedures."""


def computed_pairs(
    session: AuditSession, program: Program, pairs: Sequence[Pair], choice: Choice, delta: float, end: float
) -> Iterator[ComputedPair]:
    """The pairs with their losses, each once, in the order that loses more. delta, end: as for `compute_pair`.

    Of a size that something is refused at, no more is computed. Raises NotComputed where that is the very first pair.
    """
    lost: dict[str, float] = {}
    first = True
    for size in _by_size(pairs):
        for pair in sorted(size, key=lambda one: (-lost.get(one.pattern, 0.0), -_changes(one))):
            try:
                found = worst_first(compute_pair(session, program, pair, choice, LIMITS, delta=delta, end=end))
            except NotComputed:
                if first:
                    raise
                break
            except TooLong:
                return
            if all(isinstance(one.output, Raised) for one in found.losses.forwards):
                return  # perhaps it wants an array where it got a list, which runs will show
            first = False
            lost[pair.pattern] = found.loss.low
            yield found


def _by_size(pairs: Sequence[Pair]) -> list[list[Pair]]:
    """Each pair in one order, those of the smallest size first."""
    found: dict[int, dict[frozenset[str], Pair]] = {}
    for pair in pairs:
        found.setdefault(pair.size, {}).setdefault(sides_of(pair), pair)
    return [list(found[size].values()) for size in sorted(found)]


def sides_of(pair: Pair) -> frozenset[str]:
    """The data of both sides as text: the same for the pair the other way round."""
    return frozenset((repr(pair.d1), repr(pair.d2)))


def _changes(pair: Pair) -> int:
    """In how many entries the two differ."""
    if isinstance(pair.d1, list | tuple) and isinstance(pair.d2, list | tuple):
        return sum(a != b for a, b in zip(pair.d1, pair.d2, strict=False)) + abs(len(pair.d1) - len(pair.d2))
    return 1
