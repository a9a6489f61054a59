"""`one-answer`: one answer moves by the sensitivity at most, and all others stay."""

import math
from collections.abc import Sequence

from dplint.relations.vectors import vector_relation


def _one_move(moves: Sequence[float]) -> float:
    return max(moves) if sum(move > 0 for move in moves) <= 1 else math.inf


RELATION = vector_relation("one-answer", _one_move, "one of their numbers differs, by at most {sensitivity}")
