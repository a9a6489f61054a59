"""Functions and methods that the checker knows; all others are refused."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import z3

from dplint.claims import Span
from dplint.proofs.checker import arithmetic, containers
from dplint.proofs.checker.context import Context
from dplint.proofs.checker.values import (
    Entries,
    Items,
    Mask,
    Value,
    both,
    either,
    elementwise,
    is_number,
    is_term,
    refuse,
    select,
    sort,
    term,
)

Function = Callable[[Context, Sequence[Value], Mask, Span], Value]
_OPAQUE = frozenset(
    [
        "round",
        "exp",
        "log",
        "log2",
        "log10",
        "log1p",
        "expm1",
        "sqrt",
        "floor",
        "ceil",
        "rint",
        "trunc",
        "sin",
        "cos",
        "tanh",
        "around",
        "sign",
        "cbrt",
        "square",
    ]
)
"""Of noise these are unknown functions."""
_PARTIAL = frozenset(["log", "log2", "log10", "log1p", "sqrt"])
"""Not defined everywhere; of noise they are refused, since they may end a run."""
_WHOLE: Mapping[str, Callable[[Fraction], int]] = {
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
    "round": round,
}
_ALONG_AXES = frozenset(
    ["sum", "mean", "max", "min", "amax", "amin", "argmax", "argmin", "any", "all", "array", "asarray", "zeros", "ones"]
)


def call(
    walk: Context, function: str, arguments: Sequence[Value], keywords: Mapping[str, Value], active: Mask, span: Span
) -> Value:
    """The value of a call."""
    name = function.rpartition(".")[2]
    allowed = (
        {"dtype"} if name in ("array", "asarray", "zeros", "ones") else {"start"} if name == "enumerate" else set()
    )
    if set(keywords) - allowed:
        raise refuse(f"a keyword of {function}", span)
    if name == "enumerate" and "start" in keywords:
        arguments = (*arguments, keywords["start"])
    elif keywords and keywords.get("dtype") not in (None, "float"):
        raise refuse(f"the keyword dtype of {function}", span)
    if function.startswith("numpy.") and len(arguments) > 1 and name in _ALONG_AXES:
        raise refuse(f"an axis of {function}", span)
    known = _FUNCTIONS.get(name)
    if known is not None:
        return known(walk, arguments, active, span)
    if name in _OPAQUE and arguments:

        def opaque(one: Value) -> Value:
            result = _opaque(walk, name, (one, *arguments[1:]), span)
            return _float(walk, (result,), active, span) if function.startswith("numpy.") else result

        return containers.mapped(opaque, arguments[0], span)
    raise refuse(f"a call of {function}", span)


def method(
    walk: Context,
    receiver: Value,
    name: str,
    arguments: Sequence[Value],
    keywords: Mapping[str, Value],
    active: Mask,
    span: Span,
) -> Value:
    """The value of a call of a method that leaves its receiver as it is."""
    if isinstance(receiver, Items) and not keywords:
        if name in ("sum", "mean", "max", "min", "argmax", "argmin", "any", "all") and not arguments:
            return _FUNCTIONS[name](walk, (receiver,), active, span)
        if name in ("copy", "tolist") and not arguments:
            return Items("list" if name == "tolist" else receiver.kind, receiver.items, receiver.guards)
        if name == "count" and len(arguments) == 1 and receiver.plain:
            same = [arithmetic.compare("==", one, arguments[0], span) for one in receiver.items]
            if any(map(walk.leaves.noisy, same)):
                raise refuse("a count of noisy numbers", span)
            return containers.total(walk, Items.of("list", [_as_int(one) for one in same]), 0, active, span)
        if name == "astype" and len(arguments) == 1 and arguments[0] in ("float", "int"):
            convert: Function = _float if arguments[0] == "float" else _int
            return elementwise(lambda one: convert(walk, (one,), active, span), receiver, span=span)
    if isinstance(receiver, Entries) and not arguments and not keywords:
        pairs = [Items.of("tuple", pair) for pair in zip(receiver.keys, receiver.values, strict=True)]
        found = {"items": pairs, "values": receiver.values, "keys": [pair.items[0] for pair in pairs]}
        if name in found:
            return Items.of("list", found[name])
    raise refuse(f"the method {name}", span)


def _opaque(walk: Context, name: str, arguments: Sequence[Value], span: Span) -> Value:
    """A function of which nothing is known but that it is one."""
    if not all(is_number(one) for one in arguments):
        raise refuse(f"{name} of what is no finite number", span)
    if not any(map(is_term, arguments)):
        exact = _exactly(name, arguments)
        if exact is not None:
            return exact
    if name in _PARTIAL and not walk.decider.certain(term(arguments[0]) > 0):
        raise refuse(f"{name} of what may be no positive number", span)
    whole = name in _WHOLE and len(arguments) == 1
    result = arithmetic.unknown(name, arguments, whole=whole)
    if name == "exp" and not walk.leaves.noisy(result):
        walk.decider.assume(result > 0)
    return result


def _exactly(name: str, arguments: Sequence[Value]) -> Value | None:
    """The value at known numbers, where it is a fraction."""
    rounded = _WHOLE.get(name)
    return None if rounded is None or len(arguments) > 1 else rounded(Fraction(arguments[0]))


def _as_int(value: Value) -> Value:
    """A truth value as 0 or 1, any other number as it is."""
    if isinstance(value, bool):
        return int(value)
    return term(value) if isinstance(value, z3.BoolRef) else value


def _sum(walk: Context, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
    values = arguments[0]
    if isinstance(values, Items):
        values = Items(values.kind, tuple(map(_as_int, values.items)), values.guards)
    start = arguments[1] if len(arguments) == 2 else 0
    return containers.total(walk, values, start, active, span)


def _mean(walk: Context, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
    values = arguments[0]
    if len(arguments) != 1 or not isinstance(values, Items) or not values.plain or not values.items:
        raise refuse("the mean of what is no list of known length", span)
    return walk.binary("/", _sum(walk, arguments, active, span), len(values.items), active, span)


def _listed(arguments: Sequence[Value], span: Span) -> Sequence[Value]:
    """The numbers that `max` and its like look at."""
    if len(arguments) > 1:
        return arguments
    if not isinstance(arguments[0], Items) or not arguments[0].plain:
        raise refuse("the extreme of what is no list of known length", span)
    return arguments[0].items


def _extreme(larger: bool) -> Function:
    return lambda walk, arguments, _active, span: containers.extreme(walk, larger, _listed(arguments, span), span)


def _elementwise_extreme(larger: bool) -> Function:
    def function(walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
        if not any(isinstance(one, Items) for one in arguments):
            return containers.extreme(walk, larger, arguments, span)
        return elementwise(lambda *row: containers.extreme(walk, larger, row, span), *arguments, span=span)

    return function


def _clip(walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    if len(arguments) != 3:
        raise refuse("clip without both ends", span)

    def clipped(value: Value, low: Value, high: Value) -> Value:
        return containers.extreme(walk, False, [containers.extreme(walk, True, [value, low], span), high], span)

    return elementwise(clipped, *arguments, span=span) if isinstance(arguments[0], Items) else clipped(*arguments)


def _place(larger: bool) -> Function:
    return lambda walk, arguments, active, span: containers.first_extreme(
        walk, larger, _listed(arguments[:1], span), active, span
    )


def _abs(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    def absolute(value: Value) -> Value:
        if not is_number(value):
            raise refuse("the absolute value of what is no finite number", span)
        if not is_term(value):
            return abs(value)
        number = term(value)
        return z3.If(number >= 0, number, -number)

    return containers.mapped(absolute, arguments[0], span)


def _float(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    value = arguments[0]
    if isinstance(value, str) and value in ("inf", "-inf"):
        return float(value)
    if isinstance(value, float):
        return value
    if not is_number(value):
        raise refuse("float of what is no number", span)
    return arithmetic.real(term(value)) if is_term(value) else Fraction(value)


def _int(walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    value = arguments[0]
    if len(arguments) != 1 or not is_number(value):
        raise refuse("int of what is no finite number", span)
    if not is_term(value):
        return int(value)
    number = term(value)
    if number.is_int():
        return number
    if walk.leaves.noisy(number):
        return arithmetic.unknown("int", (number,), whole=True)
    return z3.If(number >= 0, z3.ToInt(number), -z3.ToInt(-number))


def _bool(walk: Context, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
    return walk.truth(arguments[0], active, span)


def _all_of(wanted: bool) -> Function:
    """`all` (wanted) and `any`."""

    def function(walk: Context, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
        result: Mask = wanted
        for item in _listed(arguments, span):
            truth = walk.truth(item, active, span)
            result = both(result, truth) if wanted else either(result, truth)
        return result

    return function


def _sequence(kind: str) -> Function:
    def function(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
        if not arguments:
            return Items.of(kind, ())
        if not isinstance(arguments[0], Items) or len(arguments) > 1:
            raise refuse("a list made of what is none", span)
        items, guards = arguments[0].items, arguments[0].guards
        if kind == "array":
            if any(not is_number(item) for item in items) or len({sort(item) for item in items}) > 1:
                raise refuse("an array of what is not all of one type of numbers", span)
            if not arguments[0].plain:
                raise refuse("an array whose length depends on the data", span)
        return Items(kind, items, guards)

    return function


def _dict(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    """Of pairs with keys that are known; equal keys are as in a display."""
    pairs = arguments[0] if len(arguments) == 1 else None
    if not isinstance(pairs, Items) or not pairs.plain:
        raise refuse("a dict of what are no pairs", span)
    if not all(
        isinstance(one, Items) and one.plain and len(one.items) == 2 and _is_key(one.items[0]) for one in pairs.items
    ):
        raise refuse("a dict with keys that are not known", span)
    return Entries.of(*zip(*(one.items for one in pairs.items), strict=True)) if pairs.items else Entries((), ())


def _is_key(value: Value) -> bool:
    if isinstance(value, Items):
        return value.kind == "tuple" and value.plain and all(map(_is_key, value.items))
    return value is None or (isinstance(value, int | float | Fraction | str) and not is_term(value))


def _filled(value: Fraction) -> Function:
    def function(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
        if len(arguments) != 1 or not isinstance(arguments[0], int):
            raise refuse("an array whose length is not known", span)
        return Items.of("array", [value] * arguments[0])

    return function


def _range(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    if not all(isinstance(one, int) for one in arguments):
        raise refuse("a range whose ends are not known", span)
    return Items.of("list", range(*arguments))


def _enumerate(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    if len(arguments) > 2 or not all(isinstance(start, int) for start in arguments[1:]):
        raise refuse("enumerate from what is not known", span)
    numbered = enumerate(_listed(arguments[:1], span), *arguments[1:])
    return Items.of("list", [Items.of("tuple", pair) for pair in numbered])


def _zip(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    rows = zip(*(_listed((one,), span) for one in arguments), strict=False)
    return Items.of("list", [Items.of("tuple", row) for row in rows])


def _reversed(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    return Items.of("list", _listed(arguments, span)[::-1])


def _len(_walk: Context, arguments: Sequence[Value], _active: Mask, span: Span) -> Value:
    return containers.length(arguments[0], span)


def _where(walk: Context, arguments: Sequence[Value], active: Mask, span: Span) -> Value:
    if len(arguments) != 3:
        raise refuse("numpy.where without values", span)
    return elementwise(lambda c, a, b: select(walk.truth(c, active, span), a, b, span), *arguments, span=span)


_FUNCTIONS: Mapping[str, Function] = {
    "sum": _sum,
    "fsum": _sum,
    "mean": _mean,
    "max": _extreme(True),
    "min": _extreme(False),
    "amax": _extreme(True),
    "amin": _extreme(False),
    "maximum": _elementwise_extreme(True),
    "minimum": _elementwise_extreme(False),
    "clip": _clip,
    "argmax": _place(True),
    "argmin": _place(False),
    "abs": _abs,
    "absolute": _abs,
    "fabs": _abs,
    "float": _float,
    "float64": _float,
    "int": _int,
    "bool": _bool,
    "any": _all_of(False),
    "all": _all_of(True),
    "dict": _dict,
    "list": _sequence("list"),
    "tuple": _sequence("tuple"),
    "array": _sequence("array"),
    "asarray": _sequence("array"),
    "zeros": _filled(Fraction(0)),
    "ones": _filled(Fraction(1)),
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "reversed": _reversed,
    "len": _len,
    "where": _where,
}
