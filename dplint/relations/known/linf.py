"""`linf`: every answer may move by the sensitivity, all at once. What one record may change in many statistics."""

from dplint.relations.relation import Neighbourhood
from dplint.relations.vectors import vector_relation

RELATION = vector_relation(
    "linf",
    max,
    "no number of one differs by more than {sensitivity} from its counterpart in the other",
    all_move=True,
    definition=Neighbourhood.LARGEST_MOVE,
)
