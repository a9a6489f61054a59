"""ChainMaps that change, or whose dicts do. No interpretation follows these."""

from collections import ChainMap


def chain_that_is_changed(rng, queries):
    first = {}
    both = ChainMap(first, {"a": 1})
    both["a"] = rng.random()
    return first, both["a"]


def dict_of_a_chain_that_grows(rng, queries):
    first = {}
    both = ChainMap(first, {"a": 1})
    first["a"] = rng.random()
    return both["a"]


def dict_of_a_chain_that_loses_a_key(rng, queries):
    first = {"a": rng.random()}
    both = ChainMap(first, {"a": 1})
    first.pop("a")
    return both["a"], rng.random()


def dict_of_a_chain_that_another_name_changes(rng, queries):
    first = {"a": 2}
    other = first
    both = ChainMap(first, {"a": 1})
    other["a"] = rng.random()
    return both["a"]


def chain_that_is_asked_for_its_dicts(rng, queries):
    both = ChainMap({"a": rng.random()}, {"a": 1})
    return both.maps[0], both.new_child({"a": 3})["a"]


LIMITS = {"low": 0}


def constant_that_a_chain_changes(rng, queries):
    both = ChainMap(LIMITS, {"high": 1})
    return both["high"] + rng.random()


def _raised(key, value):
    both = ChainMap(LIMITS, {"high": 1})
    both[key] = value
