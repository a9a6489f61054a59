"""The definitions of privacy that a claim may use, found by themselves: each is a module of `known` with `DEFINITION`.

A file is named as its definition is. Needs the standard library alone: the front ends ask definitions too.
"""

from dplint.definitions.definition import DELTA, Amounts, Definition, most_epsilon, scaled_to
from dplint.definitions.registry import (
    MORE_SHARES,
    ORDER,
    Promised,
    UnknownDefinitionError,
    at_order,
    claimed_amounts,
    definition_named,
    definition_names,
    definition_of,
    implied,
    points_of,
    promise_words,
)

__all__ = [
    "DELTA",
    "MORE_SHARES",
    "ORDER",
    "Amounts",
    "Definition",
    "Promised",
    "UnknownDefinitionError",
    "at_order",
    "claimed_amounts",
    "definition_named",
    "definition_names",
    "definition_of",
    "implied",
    "most_epsilon",
    "points_of",
    "promise_words",
    "scaled_to",
]
