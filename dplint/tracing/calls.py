"""What rewritten code asks: calls, conditional values, tests, texts and loops.

It asks by the names that are here, also for what is imported.
"""

from __future__ import annotations

import functools
import operator
import random
import types
from typing import Any, Callable, Dict, Mapping, Sequence, Set, Tuple

import numpy as np

from .array_calls import called_on_arrays, wide
from .branches import Branch, append, begin, select, some_go_on  # noqa: F401
from .catching import catches, entered  # noqa: F401
from .each import IMMUTABLE, differs, each
from .items import contains, get_item, same_or_equal  # noqa: F401
from .kept_state import decorator  # noqa: F401
from .lanes import PerLane, tracer
from .names import PLAIN_FUNCTIONS, words
from .paths import ARRAY, PYTHON, SCALARS, CannotJoin, NotTraced
from .recording import nameable, operation
from .rewriting import RUNTIME
from .table import ALWAYS, DECLINED, TABLE, caller, not_
from .writes import augmented as in_place  # noqa: F401
from .writes import is_scalar, set_attribute, set_item  # noqa: F401

in_ = contains
"""`value in items`."""
impure = tracer.impure
"""What cannot be taken back is about to be done."""
given_up = tracer.abort
"""A side that is walked for some lanes has raised: the lanes are split there."""
REWRITTEN: Set[str] = set()
"""The names of the modules whose code was rewritten."""
REAL = (np.random.Generator, np.random.RandomState, random.Random)
"""Generators with a seed: what they give next goes by what they gave before, in whichever branch."""
_SEEDED = __name__.rpartition("tracing.")[0] + "runner.seeded_generators"
_NATIVE = (
    types.BuiltinFunctionType,
    np.ufunc,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.MethodWrapperType,
    type(np.sum),
)
_PURE = words(
    """
    math cmath numpy scipy statistics _statistics operator _operator bisect _bisect fractions decimal _decimal string
    re json hashlib _hashlib zlib datetime xxhash _xxhash mmh3
    """
)
"""Modules whose functions have no effects: they may be called lane by lane."""
_ANY_VALUE = words(
    """
    builtins collections _collections itertools functools _functools copy types typing dataclasses enum heapq _heapq
    contextlib abc _abc inspect warnings _warnings logging
    """
)
"""Modules whose native functions and classes hand on what they are given, or ask it as Python asks its objects."""
_CHANGING = words(
    """
    append pop extend insert remove clear sort reverse update setdefault add discard popitem popleft appendleft
    extendleft rotate move_to_end subtract send throw __setitem__ __delitem__ fill put partition resize itemset
    intersection_update difference_update symmetric_difference_update
    """
)

_GETTERS = (operator.itemgetter, operator.attrgetter)
"""What they look up is looked up as Python does it."""


def _module(function: Any) -> str:
    return (getattr(function, "__module__", None) or "").partition(".")[0]


def call(function: Any, *args: Any, **named: Any) -> Any:
    """`function(*args, **named)`."""
    if type(function) is types.FunctionType and RUNTIME in function.__globals__:
        return function(*args, **named)
    if type(function) in _GETTERS:
        return function(*args, **named)
    try:
        known = ALWAYS.get(function)
    except TypeError:
        return function(*args, **named)
    lanes = any(map(differs, args)) or any(map(differs, named.values()))
    if known is None and lanes:
        known = TABLE.get(function)
    if known is not None:
        result = known(*args, **named)
        if result is not DECLINED:
            return result
    owner = getattr(function, "__self__", None)
    if tracer.branches and (type(owner) in REAL or getattr(function, "__module__", None) == _SEEDED):
        tracer.impure()
    if isinstance(function, types.BuiltinMethodType) and owner is not None and not isinstance(owner, types.ModuleType):
        if not isinstance(owner, type):
            return _array_by_lane(_method(function, owner, args, named))
        return each(function, args, named) if lanes and owner is not dict else function(*args, **named)
    result = _on_lanes(function, args, named) if lanes else function(*args, **named)
    return (
        _array_by_lane(result) if type(function) is not types.FunctionType or _module(function) == "numpy" else result
    )


caller[0] = call


def _array_by_lane(result: Any) -> Any:
    return wide(result) if tracer.arrays_by_lane and type(result) is np.ndarray else result


def _takes_lanes(kind: type) -> bool:
    """Whether a class may be given values by lane: stand-ins of generators, and named tuples."""
    return issubclass(kind, REAL) or (issubclass(kind, tuple) and hasattr(kind, "_fields"))


def _on_lanes(function: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Any:
    if type(getattr(function, "__self__", None)) in REAL:
        raise tracer.singly()  # it gives other numbers each time that it is called
    module = _module(function)
    native = isinstance(function, _NATIVE)
    if isinstance(function, np.ufunc) or (module == "numpy" and (native or type(function) is types.FunctionType)):
        return called_on_arrays(function, args, named)
    is_class = isinstance(function, type)
    if is_class and _takes_lanes(function):
        return function(*args, **named)
    pure = module in (IMMUTABLE if is_class else _PURE)
    if pure or isinstance(function, types.MethodDescriptorType) or function in PLAIN_FUNCTIONS:
        return each(function, args, named)
    if (
        (is_class or native)
        and module
        and module not in _ANY_VALUE
        and getattr(function, "__module__", None) not in REWRITTEN
    ):
        raise tracer.singly()
    if is_class or native or module in _ANY_VALUE:
        for value in (*args, *named.values()):
            _tell_none(value)
        args = [_one_value(value) for value in args]
        named = {name: _one_value(value) for name, value in named.items()}
    try:
        return function(*args, **named)
    except (TypeError, AttributeError):
        if is_class or native:  # which may want a number of Python's own
            raise tracer.singly() from None
        raise


def _tell_none(value: Any) -> None:
    """Split lanes where a value is None in some of them: code that is not rewritten asks for that by `is`."""
    if isinstance(value, PerLane) and value.form == PYTHON and (value.kinds is not None or value.rows.dtype == object):
        tracer.decide(is_(value, None))


def _one_value(value: Any) -> Any:
    return None if isinstance(value, PerLane) and value.form == PYTHON and _is_none(value) else value


def _is_none(value: PerLane) -> bool:
    mixed = value.kinds is not None or value.rows.dtype == object
    return mixed and tracer.condition(is_(value, None)) is True


def _method(function: Any, owner: Any, args: Tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """A method of an object of Python's own or of a library."""
    name = function.__name__
    if name == "append" and type(owner) is list:
        return append(owner, *args)
    lanes = differs(args) or differs(list(named.values()))
    if name in _CHANGING:
        tracer.impure()
        return _change(function, owner, name, args, named)
    if isinstance(owner, (list, tuple)) and name in ("index", "count") and len(args) == 1 and (lanes or differs(owner)):
        return _searched(function, owner, name, args[0])
    if isinstance(owner, dict) and name == "get" and args and isinstance(args[0], PerLane):
        return function(tracer.choose(args[0]), *args[1:])
    if isinstance(owner, (str, bytes)) and lanes:
        return each(getattr(type(owner), name), (owner, *args), named)
    if isinstance(owner, np.ndarray) and lanes:
        return each(getattr(np.ndarray, name), (owner, *args), named)
    return function(*args, **named)


def _change(function: Any, owner: Any, name: str, args: Tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    if name == "sort" and isinstance(owner, list) and (differs(owner) or named):
        owner[:] = call(sorted, owner, **named)
        return None
    if name in ("pop", "insert") and isinstance(owner, list) and args:
        args = (tracer.choose(args[0]), *args[1:])
    if isinstance(owner, (dict, set)) and name in ("pop", "setdefault", "add", "discard", "remove") and args:
        args = (tracer.choose(args[0]) if isinstance(args[0], PerLane) else args[0], *args[1:])
    if isinstance(owner, np.ndarray) and (differs(args) or differs(list(named.values()))):
        raise tracer.singly()
    return function(*args, **named)


def _searched(function: Any, owner: Any, name: str, value: Any) -> Any:
    """`index` and `count` of a list or tuple."""
    if not owner or not all(map(is_scalar, owner)) or not is_scalar(value):
        return function(value)
    return searched(owner, name, value)


@operation
def searched(owner: Any, name: str, value: Any) -> Any:
    """The same of scalars."""

    def equal() -> Any:
        found = [tracer.truth(same_or_equal(item, value)) for item in owner]
        return np.stack([np.broadcast_to(np.asarray(one), (tracer.count,)) for one in found], 1)

    if name == "count":
        return PerLane(equal().sum(1))
    if tracer.decided(~equal().any(1)):
        return owner.index(tracer.choose(value))
    return PerLane(np.argmax(equal(), 1))


def if_expression(site: Any, test: Any, value: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """`value if test else other`."""
    if not isinstance(test, PerLane):
        return value() if test else other()
    branch = begin(site, test, (), {})
    if branch is True:
        return value()
    if branch is False:
        return other()
    try:
        one = value()
        branch.flip({})
        another = other()
        branch.join({})
    except Exception:
        raise tracer.abort() from None
    try:
        return select(branch.test, one, another, site)
    except CannotJoin:
        tracer.branches.append(branch)
        raise tracer.abort() from None


def bool_operation(site: Any, conjunction: bool, *values: Callable[[], Any]) -> Any:
    """`a and b and ...`, or the same with `or`."""
    value = values[0]()
    for place, following in enumerate(values[1:], 1):
        if isinstance(value, PerLane):
            rest = functools.partial(bool_operation, (site, place), conjunction, *values[place:])
            known = functools.partial(_itself, value)
            return if_expression((site, place), value, *((rest, known) if conjunction else (known, rest)))
        if bool(value) != conjunction:
            return value
        value = following()
    return value


def _itself(value: Any) -> Any:
    return value


def chain(site: Any, comparisons: Sequence[str], left: Any, *others: Callable[[], Any]) -> Any:
    """`left < a <= b ...`: each operand is worked out once, and only as far as the comparisons hold."""
    right = others[0]()
    result = _COMPARED[comparisons[0]](left, right)
    if len(others) == 1:
        return result
    rest = functools.partial(chain, (site, len(others)), comparisons[1:], right, *others[1:])
    return if_expression(site, result, rest, functools.partial(_itself, result))


def not_in(value: Any, items: Any) -> Any:
    """`value not in items`."""
    return not_(contains(value, items))


def is_(value: Any, other: Any) -> Any:
    """`value is other`."""
    if isinstance(value, PerLane) and not isinstance(other, PerLane) and value.form != ARRAY:
        if value.kinds is None and value.rows.dtype != object and not isinstance(other, bool):
            return False
        return is_single(value, other)
    return value is other


@operation
def is_single(value: PerLane, other: Any) -> PerLane:
    """`value is other` of True, False or None."""
    return PerLane(np.array([item is other for item in tracer.items(value)]))


def is_not(value: Any, other: Any) -> Any:
    """`value is not other`."""
    return not_(is_(value, other))


_COMPARED: Dict[str, Callable[[Any, Any], Any]] = {
    **{name: getattr(operator, name) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    "in_": contains,
    "not_in": not_in,
    "is_": is_,
    "is_not": is_not,
}


def matched(subject: Any) -> Any:
    """What a `match` takes apart by the types of scalars: such lanes are left out."""
    if differs(subject) or not isinstance(subject, (*SCALARS, list, tuple, dict)):
        raise tracer.singly()
    return subject


def text(*parts: Any) -> Any:
    """An f-string of texts and (value, conversion, format)."""
    return each(_text, parts, {}) if differs(list(parts)) else _text(*parts)


@functools.partial(nameable, name="text")
def _text(*parts: Any) -> str:
    return "".join(part if isinstance(part, str) else _formatted(*part) for part in parts)


def _formatted(value: Any, conversion: int, spec: str) -> str:
    conversions: Dict[int, Callable[[Any], Any]] = {-1: _itself, 115: str, 114: repr, 97: ascii}
    made = conversions[conversion](value)
    return format(made, spec)


def modulo(left: Any, right: Any) -> Any:
    """`left % right`, which formats where the left is a text."""
    if isinstance(left, (str, bytes)) and differs(right):
        return each(operator.mod, (left, right), {})
    return left % right


def loop_over(items: Any) -> Any:
    """What a `for` goes through."""
    if tracer.branches and hasattr(items, "__next__"):
        tracer.impure()
    return items


def key_of(value: Any) -> Any:
    """A key of a dict or an item of a set that is written out."""
    return tracer.choose(value) if isinstance(value, PerLane) else value


def keeps_state() -> None:
    """A global name is assigned in a function: runs may go on from what others have left."""
    raise NotTraced("it assigns a global name, so that runs may go on from what others have left")


def is_branch(branch: Any) -> bool:
    """Whether a branch is walked on both sides."""
    return type(branch) is Branch


def sides(branch: Any) -> Tuple[bool, ...]:
    """The sides that are walked."""
    return (True, False) if type(branch) is Branch else (branch,)
