"""Starred arguments, and iterators that end early, all of which is used up at once."""

import builtins
from builtins import max as built_in_max


def builtins_by_their_module(rng, queries):
    found = [rng.normal() for _ in builtins.range(2)]
    return builtins.sum(found), built_in_max(found)
