"""What the top level of the module computes, and nobody changes."""

import math

import numpy as np

NAMES = ("a", "b", "c")
CODES = {name: code for code, name in enumerate(NAMES)}
SCALES = [math.sqrt(i + 1) for i in range(5)]


def codes_of_names(rng, names):
    return [CODES[name] + rng.integers(2) for name in names], len(CODES), "d" in CODES


def copy_of_the_modules_list_is_changed(rng, queries):
    own = list(SCALES)
    own[0] = rng.random()
    own.append(1)
    return own, SCALES[0], sum(SCALES)
