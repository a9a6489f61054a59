"""Proposes certificates for running extremes: which variables are the place and the number, how far noise moves."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction

from dplint.claims import Mechanism
from dplint.program.nodes import Assign, Draw, For, Name, Program
from dplint.program.walk import walk
from dplint.proofs.alignment import PointwiseCertificate
from dplint.relations import Neighbourhood, relation_of

_MOST_VARIABLES = 6


def running_extremes(program: Program, mechanism: Mechanism) -> Iterator[PointwiseCertificate]:
    """All pairs of variables that a loop with a draw assigns; the noise of one index moves by all that others may."""
    most = Fraction(repr(float(mechanism.claim.sensitivity)))
    one_way = relation_of(mechanism.claim).definition is Neighbourhood.ONE_DIRECTION
    for loop in program.body:
        if not isinstance(loop, For) or not any(isinstance(node, Draw) for node in walk(loop)):
            continue
        assigned = {
            part.id
            for node in walk(loop.body)
            if isinstance(node, Assign)
            for target in node.targets
            for part in walk(target)
            if isinstance(part, Name)
        }
        if len(assigned) > _MOST_VARIABLES:
            continue
        for (best, place), largest in itertools.product(itertools.permutations(sorted(assigned), 2), (True, False)):
            ahead = {"up": most if largest else Fraction(0), "down": Fraction(0) if largest else most}
            slacks = tuple(ahead.items()) if one_way else (("", most),)
            move = (most if one_way else 2 * most) * (1 if largest else -1)
            yield PointwiseCertificate(loop.span, place, best, largest, move, slacks)
