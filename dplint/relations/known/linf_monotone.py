"""`linf-monotone`: every answer may move by the sensitivity, all in one direction. What one record may add to counts.

Dwork and Roth, The Algorithmic Foundations of Differential Privacy, 2014, section 3.3; Lyu, Su and Li, VLDB 2017.
"""

from dplint.relations.relation import Neighbourhood
from dplint.relations.vectors import vector_relation

RELATION = vector_relation(
    "linf-monotone",
    max,
    "no number of one is below its counterpart in the other, or none above, and by no more than {sensitivity}",
    one_direction=True,
    all_move=True,
    definition=Neighbourhood.ONE_DIRECTION,
)
