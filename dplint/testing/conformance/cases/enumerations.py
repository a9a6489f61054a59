"""Members of enumerations: compared, made of their values, asked for their names and values."""

import enum
from enum import Enum


class _Kind(Enum):
    """Noise."""

    LAPLACE = "laplace"
    NORMAL = "normal"
    NONE = 0


class _Mode(enum.Enum):
    FIRST = enum.auto()
    SECOND = enum.auto()
    FAR = 7
    LAST = enum.auto()


class _Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


def _noise(rng, kind):
    if kind is _Kind.LAPLACE:
        return rng.laplace()
    elif kind == _Kind.NORMAL:
        return rng.normal()
    raise NotImplementedError(kind.name)


def member_by_its_value(rng, queries):
    name = ["laplace", "normal", 0, "other", False][int(rng.integers(0, 5))]
    kind = _Kind(name)
    if kind in (_Kind.LAPLACE, _Kind.NORMAL):
        return kind.name, rng.normal()
    return kind.value, kind is not _Kind.NONE


def member_that_a_function_is_given(rng, queries):
    return [
        _noise(rng, _Kind.LAPLACE),
        _noise(rng, _Kind.NORMAL),
        _noise(rng, _Kind(["normal", 0][int(rng.integers(0, 2))])),
    ]


def member_by_a_branch(rng, queries):
    level = _Level.HIGH if rng.random() < 0.5 else _Level.LOW
    return level.value * queries[0], level == _Level.HIGH, level.name, level != _Level.LOW


def member_that_is_known(rng, queries):
    kind = _Kind.NORMAL
    return _noise(rng, kind) if kind is _Kind.NORMAL else None


def member_under_the_name_of_a_parameter(rng, names, answer="normal"):
    answer = _Kind(answer)
    return [name if answer is _Kind.NORMAL else answer.value for name in names], rng.normal()


class _Mechanism:
    def __init__(self, kind, rng):
        self.kind = kind
        self.rng = rng

    def draw(self):
        return self.rng.laplace() if self.kind is _Kind.LAPLACE else self.rng.random()


def member_that_an_object_holds(rng, queries):
    one = _Mechanism(_Kind.LAPLACE, rng)
    other = _Mechanism(_Kind("normal"), rng)
    return one.draw(), other.draw(), other.kind.value


def members_that_number_themselves(rng, queries):
    mode = _Mode(int(rng.integers(1, 4)))
    return mode.value, mode.name, mode is _Mode.SECOND, _Mode.LAST.value, _Mode.FIRST.value + rng.random()
