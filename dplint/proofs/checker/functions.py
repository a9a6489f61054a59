"""Functions and methods that the checker knows; all others are refused, and other numbers of arguments, too."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import z3

from dplint.claims import Span
from dplint.proofs.checker import arithmetic, containers, counting, limits
from dplint.proofs.checker.context import Asked, Context
from dplint.proofs.checker.counting import NO_WHOLE_NUMBERS
from dplint.proofs.checker.values import (
    Entries,
    Items,
    Tally,
    Value,
    abs_of,
    all_of,
    any_of,
    is_number,
    is_term,
    real,
    refuse,
    refuse_if,
    select,
    sort,
    term,
    unmixed,
)

_OPAQUE = frozenset(
    "round exp log log2 log10 log1p expm1 sqrt floor ceil rint trunc sin cos tanh around sign cbrt square".split()  # noqa: SIM905
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
_OF_ARRAYS = frozenset(["sum", "mean", "max", "min", "argmax", "argmin", "any", "all"])
_MADE = frozenset(["array", "asarray", "zeros", "ones"])
_ALONG_AXES = _OF_ARRAYS | _MADE | {"amax", "amin", "count_nonzero"}
_ITERATING = frozenset(["enumerate", "fsum", "list", "max", "min", "sum", "tuple", "zip"])
"""Of a dict these go through the keys."""
KEYWORDS: Mapping[str, frozenset[str]] = {
    "enumerate": frozenset(["start"]),
    "bincount": frozenset(["minlength"]),
    "histogram": frozenset(["bins", "range"]),
    **dict.fromkeys(("max", "min"), frozenset(["default"])),
    **dict.fromkeys(_MADE, frozenset(["dtype"])),
}
"""What functions may be given by name; methods nothing."""


Function = Callable[..., Value]


def called(walk: Context, asked: Asked) -> Value:
    """The value of a call."""
    name, keywords = asked.name, asked.keywords
    if not keywords.keys() <= (set() if asked.method else KEYWORDS.get(name, set())):
        raise refuse(f"a keyword of {asked.function}", asked.span)
    refuse_if(keywords.get("dtype") not in (None, "float", "int"), f"a dtype of {asked.function}", asked.span)
    if asked.method:
        return _method(walk, asked, *asked.arguments)
    no_arrays = any(isinstance(one, Items) and one.kind == "view" for one in asked.arguments)
    refuse_if(asked.of_numpy and name != "shape" and no_arrays, f"{asked.function} of what is no list", asked.span)
    for one in asked.arguments if asked.of_numpy else ():
        limits.all_in_array(walk, one, asked.active, asked.span)
    if asked.of_numpy and len(asked.arguments) > 1 and name in _ALONG_AXES:
        raise refuse(f"an axis of {asked.function}", asked.span)
    known = _FUNCTIONS.get(name, _opaque if name in _OPAQUE else None)
    if known is None:
        raise refuse(f"a call of {asked.function}", asked.span)
    given = {key: one for key, one in keywords.items() if key != "dtype"}
    return known(walk, asked, *(map(_keys, asked.arguments) if name in _ITERATING else asked.arguments), **given)


def _method(walk: Context, asked: Asked, receiver: Value, *arguments: Value) -> Value:
    """The value of a call of a method that leaves its receiver as it is."""
    name, span, array = asked.name, asked.span, getattr(receiver, "kind", None) == "array"
    match receiver, name, arguments:
        case Items(kind="array"), _, () if name in _OF_ARRAYS:
            return _FUNCTIONS[name](walk, asked, receiver)
        case _, "clip", (_, _) if array:
            return _clip(walk, asked, receiver, *arguments)
        case Items(), "copy" | "tolist", ():
            return Items("list" if name == "tolist" else receiver.kind, receiver.items, receiver.guards)
        case Items(), "count", (wanted,) if receiver.plain:
            same = [arithmetic.compare("==", one, wanted, span) for one in receiver.items]
            refuse_if(any(map(walk.leaves.noisy, same)), "a count of noisy numbers", span)
            return _sum(walk, asked, Items.of("list", same))
        case Items(items=()), "astype", ("int",) if array:
            return NO_WHOLE_NUMBERS
        case _, "astype", ("float" | "int" as kind,) if array:
            return walk.by_element(lambda one: _FUNCTIONS[kind](walk, asked, one), (receiver,), span)
        case Tally(), "items" | "values" | "keys", ():
            return receiver.view(name)
        case Entries(), "items" | "values" | "keys", ():
            pairs = [Items.of("tuple", pair) for pair in zip(receiver.keys, receiver.values, strict=True)]
            return Items.of("view", {"items": pairs, "values": receiver.values, "keys": receiver.keys}[name])
        case Entries() | Tally(), "get", (key, *default) if len(default) < 2:
            return containers.entry(walk, receiver, key, asked.active, span, default or [None])
    raise refuse(f"the method {name}", span)


def _keys(value: Value) -> Value:
    """What going through a value gives, if it is a dict."""
    if isinstance(value, Tally):
        return value.view("keys")
    return Items.of("view", value.keys) if isinstance(value, Entries) else value


def _opaque(walk: Context, asked: Asked, value: Value, *more: Value) -> Value:
    """A function of which nothing is known but that it is one."""

    def opaque(one: Value) -> Value:
        result = _unknown(walk, asked, (one, *more))
        return _float(walk, asked, result) if asked.of_numpy else result

    return walk.by_element(opaque, (value,), asked.span) if asked.of_numpy else opaque(value)


def _unknown(walk: Context, asked: Asked, arguments: Sequence[Value]) -> Value:
    name, whole = asked.name, asked.name in _WHOLE and len(arguments) == 1
    refuse_if(not all(is_number(one) for one in arguments), f"{name} of what is no finite number", asked.span)
    if whole and not is_term(arguments[0]):
        return _WHOLE[name](Fraction(arguments[0]))
    for one in arguments:
        limits.as_float(walk, one, asked.active, asked.span)
    if whole and not walk.leaves.noisy(arguments[0]) and not isinstance(arguments[0], z3.BoolRef):
        return arithmetic.rounded(name, real(arguments[0]))
    if name in _PARTIAL and not walk.decider.certain(term(arguments[0]) > 0):
        raise refuse(f"{name} of what may be no positive number", asked.span)
    if name in ("log", "log2", "log10"):
        limits.not_tiny(walk, arguments[0], asked.active, f"{name} of", asked.span)
    if name in ("exp", "expm1") and not (asked.of_numpy and walk.leaves.noisy(arguments[0])):
        limits.exponent(walk, arguments[0], asked.active, asked.span)
    refuse_if(name == "square" and sort(arguments[0]) != "float", "the square of what is no float", asked.span)
    result = arithmetic.unknown(name, arguments, whole=whole)
    if name == "exp" and not walk.leaves.noisy(result):
        walk.decider.assume(result > 0)
        walk.intervals.lies(result, limits.EXPONENTIAL)
    return result


def _record(_walk: Context, _asked: Asked, name: Value, fields: Value, entries: Value) -> Value:
    """What a program returns; records are equal where their classes and all fields are."""
    given = dict(zip(entries.keys, entries.values, strict=True))
    return Entries.of(("", *fields.items), (name, *(given[field] for field in fields.items)))


def _sum(walk: Context, asked: Asked, values: Value, start: Value = 0) -> Value:
    if isinstance(values, Items):
        numbers = [_int(walk, asked, one) if is_number(one) and sort(one) == "bool" else one for one in values.items]
        values = Items(values.kind, tuple(numbers), values.guards)
    return containers.total(walk, values, start, asked.active, asked.span)


def _mean(walk: Context, asked: Asked, values: Value) -> Value:
    count = len(_listed((values,), asked.span))
    refuse_if(not count, "the mean of nothing", asked.span)
    return walk.binary("/", _sum(walk, asked, values), count, asked.active, asked.span)


def _spread(walk: Context, asked: Asked, values: Value) -> Value:
    """A standard deviation of `statistics`, of which is known that it is no less than 0; a float."""
    items = _listed((values,), asked.span)
    refuse_if(asked.of_numpy or values.kind not in ("list", "tuple"), "this standard deviation", asked.span)
    enough = len(items) >= 1 + (asked.name == "stdev") and all(is_number(one) and sort(one) != "bool" for one in items)
    refuse_if(not enough, "the standard deviation of too few numbers, or of what is none", asked.span)
    refuse_if(any(map(walk.leaves.noisy, items)), "the standard deviation of noisy numbers", asked.span)
    for one in items:
        limits.as_float(walk, one, asked.active, asked.span)
    return abs_of(arithmetic.unknown(asked.name, items))


def _listed(arguments: Sequence[Value], span: Span) -> Sequence[Value]:
    """The numbers that `max` and its like look at."""
    if len(arguments) > 1:
        return arguments
    refuse_if(not isinstance(arguments[0], Items) or not arguments[0].plain, "what is no list of known length", span)
    items: Sequence[Value] = arguments[0].items
    return items


def _extreme(walk: Context, asked: Asked, *values: Value, **default: Value) -> Value:
    if default:
        refuse_if(len(values) != 1 or asked.of_numpy, "a default of several numbers, or of an array", asked.span)
        if not _listed(values, asked.span):
            return default["default"]
    return containers.extreme(walk, "max" in asked.name, _listed(values, asked.span), asked.span)


def _extreme_of_each(walk: Context, asked: Asked, *values: Value) -> Value:
    larger = "max" in asked.name

    def chosen(*row: Value) -> Value:
        return containers.extreme(walk, larger, _of_one_type(walk, asked, row), asked.span)

    return walk.by_element(chosen, values, asked.span)


def _of_one_type(walk: Context, asked: Asked, row: Sequence[Value]) -> Sequence[Value]:
    """Numbers as NumPy takes them together: one float makes floats of all."""
    whole = {"float"} & {sort(one) for one in row if is_number(one)}
    return [_float(walk, asked, one) if is_number(one) else one for one in row] if whole else row


def _clip(walk: Context, asked: Asked, *given: Value) -> Value:
    """Of a column, pandas exchanges bounds that are the wrong way round, and polars gives the other one: refused."""
    if getattr(given[0], "kind", None) == "array" and len(given) == 3:
        low, high = given[1:]
        known = is_number(low) and is_number(high)
        ordered = known and walk.decider.certain(term(low) <= term(high))
        for one in (low, high):
            limits.in_array(walk, one, asked.active, asked.span)
        refuse_if(not ordered, "a clip of a column whose lower bound may be above the upper one", asked.span)

    def clipped(*row: Value) -> Value:
        # Of whole numbers between floats, pandas makes floats only where one is cut off.
        value, low, high = _of_one_type(walk, asked, row) if is_number(row[0]) and sort(row[0]) == "float" else row
        raised = containers.extreme(walk, True, [value, low], asked.span)
        return containers.extreme(walk, False, [raised, high], asked.span)

    return walk.by_element(clipped, given, asked.span)


def _place(walk: Context, asked: Asked, values: Value) -> Value:
    items = _listed((values,), asked.span)
    return containers.first_extreme(walk, "max" in asked.name, items, asked.active, asked.span)


def _by(walk: Context, asked: Asked, values: Value, keys: Value) -> Value:
    """The first of those whose key is the largest or the smallest."""
    items = values.keys if isinstance(values, Entries) else _listed((values,), asked.span)
    return containers.subscript(walk, Items.of("list", items), _place(walk, asked, keys), asked.active, asked.span)


def _shape(_walk: Context, asked: Asked, value: Value) -> Value:
    if asked.name == "shape" and is_number(unmixed(value)):
        return Items.of("tuple", ())
    array = isinstance(value, Items) and value.kind == "array" and value.plain
    refuse_if(not array, "the shape of what is no array of known length", asked.span)
    return len(value.items) if asked.name == "size" else Items.of("tuple", [len(value.items)])


def _abs(walk: Context, asked: Asked, value: Value) -> Value:
    def absolute(one: Value) -> Value:
        refuse_if(not is_number(one), "the absolute value of what is no finite number", asked.span)
        refuse_if(walk.numpy and sort(one) == "bool", "the absolute value of a truth value, which is one", asked.span)
        found = abs_of(term(one)) if is_term(one) else abs(one)
        limits.result(walk, "-", (one,), found, asked.active, asked.span)
        return found

    return absolute(value) if asked.function.startswith("math.") else walk.by_element(absolute, (value,), asked.span)


def _pow(walk: Context, asked: Asked, base: Value, exponent: Value) -> Value:
    power = walk.binary("**", base, exponent, asked.active, asked.span)
    return power if asked.function == "pow" else _float(walk, asked, power)


def _float(walk: Context, asked: Asked, value: Value) -> Value:
    if isinstance(value, float) or (isinstance(value, str) and value in ("inf", "-inf")):
        return float(value)
    value = unmixed(value)
    refuse_if(not is_number(value), "float of what is no number", asked.span)
    limits.as_float(walk, value, asked.active, asked.span)
    return real(term(value)) if is_term(value) else Fraction(value)


def _int(walk: Context, asked: Asked, value: Value) -> Value:
    value = unmixed(value)
    refuse_if(not is_number(value), "int of what is no finite number", asked.span)
    if asked.name != "int" and sort(value) == "float":
        limits.as_whole(walk, value, asked.active, asked.span)
    if not is_term(value):
        return int(value)
    number = term(value)
    if number.is_int():
        return number
    if walk.leaves.noisy(number):
        return arithmetic.unknown("int", (number,), whole=True)
    return arithmetic.rounded("trunc", number)


def _bool(walk: Context, asked: Asked, value: Value) -> Value:
    return walk.truth(value, asked.active, asked.span)


def _quantified(walk: Context, asked: Asked, values: Value) -> Value:
    """`all` and `any`."""
    truths = [walk.truth(item, asked.active, asked.span) for item in _listed((values,), asked.span)]
    return all_of(truths) if asked.name == "all" else any_of(truths)


def _nonzero(walk: Context, asked: Asked, values: Value) -> Value:
    truths = [walk.truth(item, asked.active, asked.span) for item in _listed((values,), asked.span)]
    return _sum(walk, asked, Items.of("list", truths))


def _sequence(walk: Context, asked: Asked, *values: Value) -> Value:
    kind = asked.name.removeprefix("as")
    if not values:
        return Items.of(kind, ())
    (value,) = values
    refuse_if(not isinstance(value, Items), "a list made of what is none", asked.span)
    if kind == "array" and (not all(map(is_number, value.items)) or len(set(map(sort, value.items))) > 1):
        raise refuse("an array of what is not all of one type of numbers", asked.span)
    refuse_if(kind == "array" and not value.plain, "an array whose length depends on the data", asked.span)
    if not value.items and asked.keywords.get("dtype") == "int":
        return NO_WHOLE_NUMBERS
    return Items(kind, tuple(of_dtype(walk, asked, one) for one in value.items), value.guards)


def of_dtype(walk: Context, asked: Asked, value: Value) -> Value:
    """A number of an array of the type that is asked for, if one is."""
    dtype = asked.keywords.get("dtype")
    return value if dtype is None else _FUNCTIONS[dtype](walk, asked, value)


def _dict(walk: Context, asked: Asked, pairs: Value) -> Value:
    """Of pairs; equal keys are as in a display."""
    refuse_if(not isinstance(pairs, Items), "a dict made of what is no list of known length", asked.span)
    made: Value = Entries((), ())
    for pair, guard in zip(pairs.items, pairs.guards, strict=True):
        row = _listed((pair,), asked.span)
        refuse_if(len(row) != 2, "a dict made of what are no pairs", asked.span)
        made = containers.set_entry(walk, made, row[0], row[1], guard, asked.span)
    return made


def _filled(walk: Context, asked: Asked, size: Value) -> Value:
    refuse_if(not isinstance(size, int), "an array whose length is not known", asked.span)
    return Items.of("array", [of_dtype(walk, asked, Fraction(asked.name == "ones"))] * size)


def _range(_walk: Context, asked: Asked, *ends: Value) -> Value:
    refuse_if(not all(isinstance(one, int) for one in ends), "a range whose ends are not known", asked.span)
    refuse_if(len(ends) > 2 and not ends[2], "a range that goes no step", asked.span)
    return Items.of("range", range(*ends))


def _enumerate(_walk: Context, asked: Asked, values: Value, start: Value = 0) -> Value:
    refuse_if(not isinstance(start, int), "enumerate from what is not known", asked.span)
    return Items.of("view", [Items.of("tuple", pair) for pair in enumerate(_listed((values,), asked.span), start)])


def _zip(_walk: Context, asked: Asked, *values: Value) -> Value:
    rows = zip(*(_listed((one,), asked.span) for one in values), strict=False)
    return Items.of("view", [Items.of("tuple", row) for row in rows])


def _reversed(_walk: Context, asked: Asked, values: Value) -> Value:
    return Items.of("view", _listed((values,), asked.span)[::-1])


def _len(_walk: Context, asked: Asked, value: Value) -> Value:
    return containers.length(value, asked.span)


def _isinstance(_walk: Context, asked: Asked, value: Value, *types: Value) -> Value:
    """Whether a list, a tuple, an array or a dict is one of these."""
    kind = "dict" if isinstance(value, Entries | Tally) else getattr(value, "kind", "")
    refuse_if(kind not in ("list", "tuple", "array", "dict"), "the type of what is no list, array or dict", asked.span)
    return ("numpy.ndarray" if kind == "array" else kind) in types


def _where(walk: Context, asked: Asked, *given: Value) -> Value:
    refuse_if(len(given) != 3, "np.where of a condition alone", asked.span)

    def chosen(condition: Value, one: Value, other: Value) -> Value:
        known = isinstance(condition, bool | z3.BoolRef)
        mask = condition if known else walk.truth(condition, asked.active, asked.span)
        new, old = _of_one_type(walk, asked, (one, other))
        return select(mask, new, old, asked.span)

    return walk.by_element(chosen, given, asked.span)


def _places(walk: Context, asked: Asked, values: Value, edges: Value) -> Value:
    """In which bin each number lies."""
    found = walk.by_element(lambda one: counting.place(walk, asked, edges, one), (values,), asked.span)
    return NO_WHOLE_NUMBERS if isinstance(found, Items) and not found.items else found


_FUNCTIONS: Mapping[str, Function] = {
    **dict.fromkeys(("sum", "fsum"), _sum),
    **dict.fromkeys(("max", "min", "amax", "amin"), _extreme),
    **dict.fromkeys(("maximum", "minimum"), _extreme_of_each),
    **dict.fromkeys(("argmax", "argmin"), _place),
    **dict.fromkeys(("abs", "absolute", "fabs"), _abs),
    **dict.fromkeys(("float", "float64"), _float),
    **dict.fromkeys(("any", "all"), _quantified),
    **dict.fromkeys(("list", "tuple", "array", "asarray"), _sequence),
    **dict.fromkeys(("zeros", "ones"), _filled),
    "count_nonzero": _nonzero,
    **dict.fromkeys(("mean", "fmean"), _mean),
    **dict.fromkeys(("stdev", "pstdev"), _spread),
    **dict.fromkeys(("max-by", "min-by"), _by),
    **dict.fromkeys(("shape", "size"), _shape),
    **dict.fromkeys(("bincount", "histogram"), counting.counts),
    **dict.fromkeys(("bisect", "bisect_left", "bisect_right"), counting.place),
    "digitize": _places,
    "clip": _clip,
    "int": _int,
    "bool": _bool,
    "dict": _dict,
    "range": _range,
    "zip": _zip,
    "enumerate": _enumerate,
    "reversed": _reversed,
    "isinstance": _isinstance,
    "len": _len,
    "pow": _pow,
    "where": _where,
    "record": _record,
}
