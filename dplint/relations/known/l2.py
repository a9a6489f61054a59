"""`l2`: the Euclidean length of the move is the sensitivity at most."""

import math
from collections.abc import Sequence

from dplint.relations.relation import Neighbourhood
from dplint.relations.vectors import vector_relation


def _length(moves: Sequence[float]) -> float:
    return math.sqrt(sum(move * move for move in moves))


RELATION = vector_relation(
    "l2",
    _length,
    "the squares of the differences between their numbers add up to at most {square}",
    definition=Neighbourhood.LENGTH_OF_MOVE,
)
