"""What stands around random mechanisms: imports, values of the module, classes, helper functions."""

from __future__ import annotations

IMPORTS = """import heapq
import itertools
import math
import random
from collections import defaultdict
from typing import NamedTuple

import numpy as np


"""
CLASSES = """
CODES = {name: code for code, name in enumerate(("a", "b", "A"))}


class _Cell:
    def __init__(self, x, rng):
        self.x, self.seen = x, []
        self.rng = rng

    def add(self, y):
        if y < 0:
            return self.x
        self.x += y
        self.seen.append(y)
        return self.x

    def draw(self):
        self.x = self.rng.random() + self.x / 2
        return self.x

    @property
    def level(self):
        return self.x > 1

    def scan(self, ys):
        for y in ys:
            if y > self.x:
                return y
            self.x -= 1
        return len(self.seen)


class _Cost:
    def __init__(self, weight, more=0):
        self.weight = weight
        self.more = more

    def __add__(self, other):
        return _Cost(self.weight + other.weight, self.more + 1)

    def split(self, weight):
        return self.more, _Cost(self.weight - weight, self.more)

    def __mul__(self, times):
        if times > 1:
            return _Cost(self.weight)
        return _Cost(self.more, self.weight)


class _Mark(NamedTuple):
    place: float
    score: float = 0.5

    def above(self, x):
        return self.score > x

    @property
    def total(self):
        return self.place + self.score


def _scaled(rng, scale):
    half = scale / 2
    def scaled(k):
        return k * half + rng.random()
    return scaled


class _Model:
    def __init__(self, rng):
        self.rng = rng

    def fit(self, x):
        self.centre = x + self.rng.random()
        return self


"""
HELPERS = """
def _same(x):
    return x


def _wrapped(x):
    return [x, [0]]


"""
