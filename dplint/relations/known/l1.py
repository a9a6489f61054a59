"""`l1`: the moves of all answers add up to the sensitivity at most."""

from dplint.relations.relation import Neighbourhood
from dplint.relations.vectors import vector_relation

RELATION = vector_relation(
    "l1",
    sum,
    "the differences between their numbers add up to at most {sensitivity}",
    definition=Neighbourhood.SUM_OF_MOVES,
)
