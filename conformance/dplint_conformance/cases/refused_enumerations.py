"""Members of enumerations: compared, made of their values, asked for their names and values.

No interpretation follows these.
"""

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


class _Style(str, Enum):
    PLAIN = "plain"
    ROUND = "round"

    @property
    def is_plain(self):
        return self is _Style.PLAIN

    def apply(self, x, digits=1):
        if self.is_plain:
            return x
        return round(x, digits)

    @classmethod
    def default(cls):
        return cls.ROUND


@enum.unique
class _Step(int, Enum):
    SMALL = 1
    LARGE = 10


SHARES = {_Level.LOW: 0.25, _Level.HIGH: 0.75}
NOISE = {_Kind.LAPLACE: lambda rng: rng.laplace(), _Kind.NORMAL: lambda rng: rng.normal()}


def member_that_is_matched(rng, queries):
    kind, coin = _Kind(["laplace", "normal", 0][int(rng.integers(0, 3))]), rng.random()
    match kind:
        case _Kind.LAPLACE:
            return rng.laplace()
        case _Kind.NORMAL | _Kind.NONE if coin < 0.5:
            return kind.name
        case _:
            return kind.value


def types_that_are_matched(rng, queries):
    x = [1, 1.5, "a", None][int(rng.integers(0, 4))]
    match x:
        case int() | float():
            return x * 2
        case str():
            return x + "b"
        case None:
            return rng.random()


def member_of_texts_is_compared(rng, names, k=2):
    style = _Style(["plain", "round"][int(rng.integers(0, 2))])
    return style == "plain", style in ("round", "other"), "plain" != style, style is None, k is not None


def member_of_numbers_is_compared(rng, queries):
    level = _Level.HIGH if rng.random() < 0.5 else _Level.LOW
    step = _Step.LARGE
    return level < 2, step > queries[0], 1 <= level < 2, [q for q in queries if q >= level]


def member_that_is_a_key(rng, queries):
    level = _Level.HIGH if rng.random() < 0.5 else _Level.LOW
    style = _Style.PLAIN if rng.random() < 0.5 else _Style.ROUND
    other = {_Style.PLAIN: rng.random(), _Style.ROUND: rng.normal()}[style]
    return SHARES[level], SHARES.get(level, 0.0), other


def member_that_is_no_key(rng, queries):
    kind = _Kind(["laplace", "normal", 0][int(rng.integers(0, 3))])
    table = {"x": 1}
    return {_Kind.LAPLACE: 1, _Kind.NORMAL: 2}[kind] + table["x"]


def member_that_is_a_key_of_functions(rng, queries):
    kind = _Kind(["laplace", "normal"][int(rng.integers(0, 2))])
    sample = NOISE[_Kind.NORMAL]
    return NOISE[kind](rng), sample(rng)


def _noise_of(rng, x, kind=_Kind.NORMAL, *, style=_Style.PLAIN):
    noise = rng.normal() if kind is _Kind.NORMAL else rng.laplace()
    return x + noise if style == "plain" else round(x + noise)


def member_that_is_a_default(rng, queries):
    return _noise_of(rng, queries[0]), _noise_of(rng, 1, _Kind.LAPLACE), _noise_of(rng, 1, style=_Style.ROUND)


def member_that_has_methods(rng, queries):
    style = _Style.PLAIN if rng.random() < 0.5 else _Style.ROUND
    return style.apply(queries[0] + rng.random()), style.is_plain, style.apply(rng.random(), digits=2)


def members_one_after_another(rng, queries):
    out = {}
    for style in _Style:
        out[style.value] = rng.random() if style is _Style.PLAIN else rng.normal()
    return out, [kind.name for kind in _Kind if kind is not _Kind.NONE], len(_Kind)


def members_beside_others(rng, queries):
    out = []
    for q, level in zip(queries, _Level):
        out.append((level.name, q + rng.laplace(scale=1 / SHARES[level])))
    for i, style in enumerate(_Style):
        out.append((i, style.value))
    return out, {name: one.value for name, one in zip("ab", _Level)}


def member_as_a_text(rng, queries):
    kind = _Kind(["laplace", "normal", 0][int(rng.integers(0, 3))])
    return f"{kind} of {_Mode.FAR}", str(kind), f"{kind.name:>9}"
