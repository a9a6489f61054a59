"""Functions and methods on the proposer's numbers."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from dplint.claims import Span
from dplint.program.refusals import unsupported
from dplint.proofs.proposer.forms import Comparison, Form
from dplint.proofs.proposer.numbers import Array, Frame, Run, as_key, lifted, plainly
from dplint.proofs.proposer.tables import of_polars, of_table

_ROUNDED: Mapping[str, Callable[[Fraction], int]] = {
    "int": math.trunc,
    "floor": math.floor,
    "ceil": math.ceil,
    "trunc": math.trunc,
}


_EXTREMES = frozenset({"max", "min", "amax", "amin", "maximum", "minimum"})
_TOTALS = frozenset({"sum", "fsum", "mean", "fmean", "stdev", "pstdev"})
_LISTS = frozenset({"range", "zeros", "ones", "enumerate", "list", "tuple", "zip", "reversed"})


def call(  # noqa: C901, PLR0912 - a list of functions
    walk: Run, function: str, arguments: Sequence[Any], keywords: Mapping[str, Any], span: Span
) -> Any:
    """The value of a call."""
    name = function.rpartition(".")[2]
    if name == "record":
        return arguments[2]
    first = arguments[0] if arguments else []
    found = of_table(walk, name, arguments, keywords, span)
    if found is None and function.startswith("polars."):
        found = of_polars(walk, name, arguments, span)
    if found is not None:
        return found
    if isinstance(first, dict) and not isinstance(first, Frame) and name not in ("isinstance", "len"):
        first = list(map(lifted, first))
    if name in _COUNTED:
        return _COUNTED[name](walk, arguments, keywords, span)
    if name in ("argmax", "argmin"):
        return _place(walk, name == "argmax", first)
    if name in ("max-by", "min-by"):
        return list(first)[plainly(_place(walk, name == "max-by", arguments[1]))]
    if name in ("shape", "size"):
        return _size(name, first)
    if "default" in keywords and not first:
        return keywords["default"]
    if name in _EXTREMES:
        return _extremes(walk, name, arguments, first)
    if name == "clip" and len(arguments) == 3 and not isinstance(first, list):
        return _extreme(walk, False, [_extreme(walk, True, arguments[:2]), arguments[2]])
    if name in _TOTALS:
        return _total(walk, name, first)
    if name in _LISTS:
        return _listed(name, arguments, first)
    if name in ("array", "asarray"):
        dtype = keywords.get("dtype")
        return Array(first if dtype is None else [call(walk, dtype, [one], {}, span) for one in first])
    if name == "dict":
        return {as_key(key): one for key, one in first}
    if name == "isinstance":
        known = [("dict", dict), ("numpy.ndarray", Array), ("tuple", tuple), ("list", list)]
        return next((kind for kind, made in known if isinstance(first, made)), "") in arguments[1:]
    if name == "len":
        return lifted(first.rows if isinstance(first, Frame) else len(first))
    if name in ("float", "float64"):
        return float(first) if isinstance(first, str) else first
    if name in ("any", "all"):
        return (any if name == "any" else all)([walk.truth(one, True, span) for one in first])
    if name == "bool":
        return walk.truth(first, True, span)
    if isinstance(first, list):
        return Array(call(walk, function, [one, *arguments[1:]], keywords, span) for one in first)
    return _of_number(walk, name, arguments, span)


def _size(name: str, first: Any) -> Any:
    if name == "size":
        return lifted(len(first))
    if not isinstance(first, list):
        return ()
    inner = (lifted(len(first[0])),) if first and isinstance(first[0], Array) else ()
    return (lifted(len(first)), *inner)


def _extremes(walk: Run, name: str, arguments: Sequence[Any], first: Any) -> Any:
    lists = [len(one) for one in arguments if isinstance(one, list)]
    if name in ("maximum", "minimum") and lists:
        rows = zip(*(one if isinstance(one, list) else [one] * lists[0] for one in arguments), strict=True)
        return Array(_extreme(walk, name == "maximum", row) for row in rows)
    return _extreme(walk, "max" in name, arguments if len(arguments) > 1 else first)


def _total(walk: Run, name: str, first: Sequence[Any]) -> Any:
    if name in ("stdev", "pstdev"):
        numbers = [float(walk.at(_number(walk, one))) for one in first]
        return Form.number(Fraction(getattr(statistics, name)(numbers)))
    total = Form.number(0)
    for one in first:
        total = total.plus(_number(walk, one))
    return total.times(Fraction(1, len(first))) if "mean" in name else total


def _listed(name: str, arguments: Sequence[Any], first: Any) -> Any:
    if name in ("range", "zeros", "ones"):
        ends = [plainly(one) for one in arguments]
        if name == "range":
            return [lifted(one) for one in range(*ends)]
        return Array([Form.number(int(name == "ones"))] * ends[0])
    if name == "enumerate":
        return [(lifted(index), item) for index, item in enumerate(first, *map(plainly, arguments[1:]))]
    if name == "zip":
        return list(zip(*arguments, strict=False))
    return list(reversed(first)) if name == "reversed" else list(first)


def method(
    walk: Run, receiver: Any, name: str, arguments: Sequence[Any], keywords: Mapping[str, Any], span: Span
) -> Any:
    """The value of a call of a method."""
    found = of_table(walk, name, [receiver, *arguments], keywords, span)
    if found is None:
        found = of_polars(walk, name, [receiver, *arguments], span)
    if found is not None:
        return found
    if isinstance(receiver, dict) and name in ("items", "values", "keys"):
        return list(map(lifted, getattr(receiver, name)()))
    if isinstance(receiver, dict) and name == "get":
        key, *default = arguments
        return receiver.get(as_key(key), *default)
    if name == "astype":
        return call(walk, str(arguments[0]), [receiver], {}, span)
    if name in ("copy", "tolist"):
        return list(receiver) if name == "tolist" else type(receiver)(receiver)
    if name == "count" and len(arguments) == 1 and isinstance(receiver, list):
        same = [walk.truth(walk.compare("==", one, arguments[0], True, span), True, span) for one in receiver]
        return Form.number(sum(same))
    return call(walk, name, [receiver, *arguments], {}, span)


def _of_number(walk: Run, name: str, arguments: Sequence[Any], span: Span) -> Any:
    if not arguments or not all(isinstance(one, Form | int) for one in arguments):
        raise unsupported(f"a call of {name}", span)
    one = _number(walk, arguments[0])
    if one.noisy:
        return one if name == "int" and walk.whole(one) else walk.watched(tuple(arguments))
    value = walk.at(one)
    if name in ("abs", "fabs", "absolute"):
        return Form.number(abs(value))
    if name in _ROUNDED:
        return Form.number(_ROUNDED[name](value))
    if name in ("exp", "expm1") or (name in ("log", "sqrt") and value > 0):
        return Form.number(Fraction(getattr(math, name)(value)))
    if name == "round" and len(arguments) == 1:
        return Form.number(round(value))
    raise unsupported(f"a call of {name.removesuffix('-of')}", span)


def _where(walk: Run, arguments: Sequence[Any], _: Mapping[str, Any], span: Span) -> Any:
    if len(arguments) != 3:
        raise unsupported("np.where of a condition alone", span)
    many = [len(one) for one in arguments if isinstance(one, list)]
    sides = [one if isinstance(one, list) else [one] * (many[0] if many else 1) for one in arguments]
    chosen = [_chosen(walk, *row, span=span) for row in zip(*sides, strict=True)]
    return Array(chosen) if many else chosen[0]


def _bincount(_: Run, arguments: Sequence[Any], keywords: Mapping[str, Any], __: Span) -> Any:
    places = [plainly(one) for one in arguments[0]]
    return Array(Form.number(places.count(k)) for k in range(plainly(keywords["minlength"])))


def _bisected(walk: Run, arguments: Sequence[Any], *, right: bool) -> Any:
    one = walk.at(_number(walk, arguments[1]))
    return Form.number(sum(walk.at(edge) <= one if right else walk.at(edge) < one for edge in arguments[0]))


def _digitized(walk: Run, arguments: Sequence[Any], _: Mapping[str, Any], __: Span) -> Any:
    values, edges = arguments
    if not isinstance(values, list):
        return _bisected(walk, (edges, values), right=True)
    return Array(_bisected(walk, (edges, one), right=True) for one in values)


def _count_nonzero(walk: Run, arguments: Sequence[Any], _: Mapping[str, Any], span: Span) -> Any:
    return Form.number(sum(walk.truth(one, True, span) for one in arguments[0]))


def _histogram(walk: Run, arguments: Sequence[Any], keywords: Mapping[str, Any], _: Span) -> Any:
    given = {**dict(zip(("bins", "range"), arguments[1:], strict=False)), **keywords}
    if "range" in given:
        (low, high), bins = map(walk.at, given["range"]), plainly(given["bins"])
        edges = [low + (high - low) * Fraction(k, bins) for k in range(bins + 1)]
    else:
        edges = list(map(walk.at, given["bins"]))
    values, last = [walk.at(one) for one in arguments[0]], len(edges) - 2
    counts = [
        sum(edges[k] <= one < edges[k + 1] or (k == last and one == edges[-1]) for one in values)
        for k in range(last + 1)
    ]
    return Array(map(Form.number, counts)), Array(map(Form.number, edges))


_COUNTED: Mapping[str, Callable[[Run, Sequence[Any], Mapping[str, Any], Span], Any]] = {
    "bincount": _bincount,
    "bisect": lambda walk, given, _, __: _bisected(walk, given, right=True),
    "bisect_left": lambda walk, given, _, __: _bisected(walk, given, right=False),
    "bisect_right": lambda walk, given, _, __: _bisected(walk, given, right=True),
    "count_nonzero": _count_nonzero,
    "digitize": _digitized,
    "histogram": _histogram,
    "where": _where,
}
"""How many numbers are where, and what they choose."""


def _chosen(walk: Run, condition: Any, one: Any, other: Any, *, span: Span) -> Any:
    """One of two numbers; where noise decides, what is some function of all three."""
    if isinstance(condition, Comparison) and condition.form.noisy:
        return walk.watched((condition.form, _number(walk, one), _number(walk, other)))
    return one if walk.truth(condition, True, span) else other


def _number(walk: Run, value: Any) -> Form:
    if isinstance(value, Comparison):
        value = walk.decided(value)
    return Form.number(int(value)) if isinstance(value, bool) else value


def _extreme(walk: Run, larger: bool, items: Sequence[Any]) -> Any:
    forms = [_number(walk, one) for one in items]
    if not forms:
        return walk.end("ValueError")
    if any(one.noisy for one in forms):
        return walk.watched(tuple(forms))
    return (max if larger else min)(forms, key=walk.at)


def _place(walk: Run, larger: bool, items: Sequence[Any]) -> Form:
    forms = [_number(walk, one) for one in items]
    if not any(one.noisy for one in forms):
        values = [walk.at(one) for one in forms]
        return Form.number(values.index(max(values) if larger else min(values)))
    chosen = walk.choose(len(forms)) if len(forms) > 1 else 0
    for k, other in enumerate(forms):
        if k != chosen:
            walk.note_condition(forms[chosen].plus(other, -1).times(1 if larger else -1))
    return Form.number(chosen)
