"""Operations of residual programs as expressions of programs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from dplint.claims import Span
from dplint.distributions import GENERATOR, LEGACY, PACKAGES, PYTHON, SCIPY, OtherArgumentError, program_draws
from dplint.program import nodes as ir
from dplint.program.calls import FUNCTIONS
from dplint.tracing.recording import Values, restored


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BINARY = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**"}
_BITS = {"and": "&", "or": "|", "xor": "^", "lshift": "<<", "rshift": ">>"}
_COMPARED = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
_FAMILIES = {"Generator": GENERATOR, "RandomState": LEGACY, "Random": PYTHON}
_KEPT = ("lanes.Tracer.condition", "lanes.Tracer.copied", "items.as_python")
"""Operations that give what they are given."""
_DTYPES = {"builtins.float": "float", "numpy.float64": "float", "<f8": "float", "float": "float"}
_DTYPES |= {"builtins.int": "int", "numpy.int64": "int", "<i8": "int", "int": "int"}
_DTYPES |= {"builtins.bool": "bool", "numpy.bool": "bool", "numpy.bool_": "bool", "|b1": "bool", "bool": "bool"}
_OF_SHAPES = _words(
    "abs absolute add all any argmax argmin argpartition argsort array asarray average ceil clip concatenate cos "
    "count_nonzero cumprod cumsum diff digitize divide dot equal exp expm1 fabs floor full_like greater "
    "greater_equal histogram hypot isfinite isinf isnan less less_equal linalg.norm log log10 log1p log2 "
    "logical_and logical_not logical_or matmul max maximum mean median min minimum mod multiply negative "
    "not_equal ones_like outer partition percentile power prod ptp quantile rint round searchsorted sign sin sort "
    "sqrt square std subtract sum tan tanh true_divide trunc var where zeros_like "
)
"""Functions of NumPy whose results have shapes that follow from those of their arguments, not from values."""
_DTYPE_AT = {"numpy.zeros": 1, "numpy.ones": 1, "numpy.array": 1, "numpy.asarray": 1, "numpy.full": 2}
"""Functions that take a type of numbers by place."""


class NotRead(Exception):
    """An operation that programs do not have, in words."""


class Parts:
    """What the parts of an operation are in a program. values: those by lane, by number. orders: the keys of
    those that are the order of a list, and whether it is the other way round. arrays: those that are arrays.
    """

    def __init__(self, span: Span, data: Mapping[int, ir.Expression], shown: Callable[[str], str]) -> None:
        """data: what the parts of the data are, by their places. shown: a file as spans have it."""
        self._span, self._data, self._shown = span, data, shown
        self.values: dict[int, ir.Expression] = {}
        self.orders: dict[int, tuple[Any, Any]] = {}
        self.arrays: set[int] = set()

    def of(self, told: Any) -> ir.Expression:
        """An argument. Raises NotRead."""
        kind, *rest = told
        if kind == "v":
            if rest[0] not in self.values:
                raise NotRead("a value from another path")
            return self.values[rest[0]]
        if kind == "=":
            return ir.Constant(rest[0], self._span)
        if kind == "float":
            return ir.Constant(float.fromhex(rest[0]), self._span)
        if kind == "named" and rest[0] == "None":
            return ir.Constant(None, self._span)
        if kind in ("scalar", "array"):
            return self._numbers(restored(told, Values()))
        if kind == "slice":
            start, stop, step = (None if part == ["named", "None"] else self.of(part) for part in rest[0])
            return ir.Slice(start, stop, step, self._span)
        if kind in ("list", "tuple"):
            display = ir.ListDisplay if kind == "list" else ir.TupleDisplay
            return display(tuple(map(self.of, rest[0])), self._span)
        if kind == "dict" and all(key[0] == "=" for key, _ in rest[0]):
            keys = tuple(key[1] for key, _ in rest[0])
            return ir.DictDisplay(keys, tuple(self.of(value) for _, value in rest[0]), self._span)
        raise NotRead(f"an argument that is {_in_words(told)}")

    def _numbers(self, value: Any) -> ir.Expression:
        """A number or an array of NumPy that is the same in all runs."""
        if isinstance(value, np.ndarray) and value.ndim:
            rows = ir.ListDisplay(tuple(map(self._numbers, value)), self._span)
            return ir.Call("numpy.array", (rows,), (), self._span)
        return ir.Constant(value.item(), self._span)

    def operation(self, name: str, arguments: list[Any]) -> ir.Expression:
        """What an operation without effects gives. arguments: as they were told. Raises NotRead."""
        if name in _KEPT:
            return self.of(arguments[-1])
        known = _OPERATIONS.get(name)
        if known is not None:
            return known(self, arguments)
        module, _, function = name.rpartition(".")
        called = next((one for one in (function, f"math.{function}", f"bisect.{function}") if one in FUNCTIONS), "")
        if module not in ("table", "math") or not called:
            raise NotRead(f"the operation {name}")
        return self.call(called, [self.of(argument) for argument in arguments])

    def call(
        self, function: str, arguments: list[ir.Expression], named: Mapping[str, ir.Expression] | None = None
    ) -> ir.Call:
        """A call of a function of programs. Raises NotRead for any other."""
        if function not in FUNCTIONS:
            raise NotRead(f"a call of {function}")
        return ir.Call(function, tuple(arguments), tuple((named or {}).items()), self._span)

    def datum(self, arguments: list[Any]) -> ir.Expression:
        """A part of the data."""
        return self._data[arguments[0][1]]

    def argument(self, arguments: list[Any]) -> ir.Expression:
        """An argument of the function."""
        return ir.Name(arguments[0][1], self._span)

    def operate(self, arguments: list[Any]) -> ir.Expression:
        """A binary operator."""
        name, left, right = arguments[0][1], self.of(arguments[1]), self.of(arguments[2])
        if name in _COMPARED:
            return ir.Compare(left, (_COMPARED[name],), (right,), self._span)
        operator = _BINARY.get(name) or _BITS.get(name)
        if operator is None:
            raise NotRead(f"the operator {name}")
        return ir.Binary(operator, left, right, self._span)

    def selected(self, arguments: list[Any]) -> ir.Expression:
        """One of two values, by a condition."""
        test, value, other = map(self.of, arguments[:3])
        return ir.IfExp(test, value, other, self._span)

    def called(self, arguments: list[Any]) -> ir.Expression:
        """A call of a function that has a name."""
        function, args, named = arguments
        if function[0] != "named":
            raise NotRead("a call of what has no name")
        name = function[1].removeprefix("builtins.")
        if name not in FUNCTIONS:
            last = name.rpartition(".")[2]
            name = next((one for one in (f"math.{last}", f"numpy.linalg.{last}") if one in FUNCTIONS), name)
        places, keywords = list(args[1]), {key[1]: value for key, value in named[1]}
        if name in _DTYPE_AT and len(places) > _DTYPE_AT[name]:
            keywords["dtype"] = places.pop()
        if name.startswith("numpy.") and name.removeprefix("numpy.") not in _OF_SHAPES:
            raise NotRead(f"a call of {name}, whose result has a shape of its own")
        given = {key: self._dtype(value) if key == "dtype" else self.of(value) for key, value in keywords.items()}
        return self.call(name, [self.of(argument) for argument in places], given)

    def _dtype(self, told: Any) -> ir.Expression:
        """A type of numbers that NumPy is asked for."""
        known = _DTYPES.get(told[1]) if told[0] in ("named", "dtype", "=") else None
        if known is None:
            raise NotRead(f"numbers of the type {_in_words(told)}")
        return ir.Constant(known, self._span)

    def among(self, arguments: list[Any]) -> ir.Expression:
        """`value in items`."""
        return ir.Compare(self.of(arguments[0]), ("in",), (self.of(arguments[1]),), self._span)

    def arranged(self, arguments: list[Any]) -> ir.Expression:
        """Items in the order of their keys. That order has no value of its own."""
        items, (_, order) = arguments
        if order not in self.orders:
            raise NotRead("an order of items that is made by itself")
        keys, reverse = self.orders[order]
        words = (("reverse", ir.Constant(True, self._span)),) if reverse[1] else ()
        if keys == items:
            return ir.Call("sorted", (self.of(items),), words, self._span)
        return ir.Call("sorted-by", (self.of(items), self.of(keys)), words, self._span)

    def unary(self, operator: str) -> Callable[[list[Any]], ir.Expression]:
        """An operator of one value."""
        return lambda arguments: ir.Unary(operator, self.of(arguments[0]), self._span)

    def searched(self, arguments: list[Any]) -> ir.Expression:
        """`index` and `count`."""
        owner, name, value = arguments
        return ir.MethodCall(self.of(owner), name[1], (self.of(value),), (), self._span)

    def item(self, arguments: list[Any]) -> ir.Expression:
        """An item of a list or an array; not those where an array of truth values is true, as many as these are."""
        if _by_mask(arguments[1], self.arrays):
            raise NotRead("items that a condition chooses")
        return ir.Subscript(self.of(arguments[0]), self.of(arguments[1]), self._span)

    def drawn(self, arguments: list[Any], turn: int) -> ir.Draw:
        """A draw."""
        (_, label), args, named, place = arguments
        owner, _, method = label.rpartition(".")
        of_package = label in program_draws(PACKAGES)
        family = PACKAGES if of_package else SCIPY if method == "rvs" else _FAMILIES.get(owner, "")
        wanted = label if of_package else owner if family == SCIPY else method
        signature = (
            next((one for one in program_draws(family).values() if one.method == wanted), None) if family else None
        )
        if signature is None or signature.in_place or signature.listed:
            raise NotRead(f"a draw by {label}")
        given = {key[1]: _Term(self.of(value), self._span) for key, value in named[1]}
        try:
            parameters, size = signature.read(tuple(_Term(self.of(one), self._span) for one in args[1]), given)
        except OtherArgumentError as error:
            raise NotRead(f"a draw by {label} with the argument {error}") from None
        told = tuple((name, self._term(value)) for name, value in parameters.items())
        return ir.Draw(
            distribution=signature.distribution,
            parameters=told,
            size=None if size is None else self._term(size),
            generator="local" if family == GENERATOR else "numpy.random",
            family=family,
            span=self._span_of(place),
            turns=(turn,),
        )

    def _span_of(self, place: Any) -> Span:
        """Where a draw stands, with the calls that lead there."""
        places = [tuple(part[1] for part in one[1]) for one in place[1]]
        if not places:
            return self._span
        *calls, (file, line, column, end_line, end) = places
        inside = tuple((*where, self._shown(name)) for name, *where in calls)
        return Span(line, column, end_line, end, self._shown(file), inside)

    def _term(self, value: Any) -> ir.Expression:
        return value.expression if isinstance(value, _Term) else ir.Constant(value, self._span)


class _Term:
    """An expression as an argument of a draw, of which signatures ask the reciprocal."""

    def __init__(self, expression: ir.Expression, span: Span) -> None:
        self.expression, self._span = expression, span

    def __rtruediv__(self, other: float) -> _Term:
        return _Term(ir.Binary("/", ir.Constant(other, self._span), self.expression, self._span), self._span)


def _by_mask(told: Any, arrays: set[int]) -> bool:
    """Whether an index may be an array by lane, which may be of truth values."""
    if told[0] == "v":
        return told[1] in arrays
    return told[0] in ("list", "tuple", "array") and (
        told[0] == "array" or any(_by_mask(one, arrays) for one in told[1])
    )


def _in_words(told: Any) -> str:
    return f"{told[0]} {told[1]}" if told[0] == "named" else told[0]


_OPERATIONS: dict[str, Callable[[Parts, list[Any]], ir.Expression]] = {
    "inputs.datum": Parts.datum,
    "inputs.argument": Parts.argument,
    "items.of_lanes": Parts.item,
    "operators.operate": Parts.operate,
    "operators.negative": lambda parts, arguments: parts.unary("-")(arguments),
    "table.not_": lambda parts, arguments: parts.unary("not")(arguments),
    "branches.selected": Parts.selected,
    "array_calls.called_on_arrays": Parts.called,
    "each.each": Parts.called,
    "calls.searched": Parts.searched,
    "items.scalar_at": Parts.item,
    "items.is_among": Parts.among,
    "orders.arranged_scalars": Parts.arranged,
    "array_calls.wide": lambda parts, arguments: parts.of(arguments[0]),
    "items.of_same_array": Parts.item,
    "items.tolist": lambda parts, arguments: ir.MethodCall(parts.of(arguments[0]), "tolist", (), (), parts._span),
}
