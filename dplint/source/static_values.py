"""Values that can be read from the source without running it."""

from __future__ import annotations

import ast
import math
import operator
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from dplint.claims import Literal

Number = int | float

_OPERATORS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
}
_FUNCTIONS: Mapping[str, Callable[..., float]] = {
    name: getattr(math, name) for name in ("log", "log2", "log10", "log1p", "exp", "expm1", "sqrt")
}
_BUILTINS: Mapping[str, Callable[..., Any]] = {
    "len": len,
    "list": list,
    "tuple": tuple,
    "sorted": sorted,
    "min": min,
    "max": max,
    "sum": sum,
    "abs": abs,
    "round": round,
    "int": int,
    "float": float,
    "str": str,
    "chr": chr,
}
"""Python's own functions whose value is a literal if their arguments are."""
_LONGEST_RANGE = 100_000
_CONSTANTS: Mapping[str, float] = {"inf": math.inf, "nan": math.nan, "pi": math.pi, "e": math.e}
_MODULES = ("math", "numpy")
_TEXTS: Mapping[str, str] = {
    name: getattr(string, name) for name in ("ascii_letters", "ascii_lowercase", "ascii_uppercase", "digits")
}
_BIGGEST_POWER_BITS = 4096
"""An integer power with more bits than this is not computed: it could take forever."""


class NotStaticError(Exception):
    """The value cannot be read without running the code; `reason` names the part and may give a hint."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Names:
    """What names mean in a module, as far as the source says.

    aliases: imported names and their full dotted names. constants: names that are assigned once, to a value that can
    be read. bound: all names that the module's top level binds. frames: names that are assigned once, to a table whose
    records or columns can be read, or whose file.
    """

    aliases: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, Literal] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    frames: Mapping[str, Literal] = field(default_factory=dict)

    def full_name(self, dotted: str) -> str:
        """The dotted name with its first part replaced by what that was imported as."""
        first, dot, rest = dotted.partition(".")
        return self.aliases.get(first, first) + dot + rest


def dotted_name(node: ast.expr) -> str | None:
    """`a.b.c` for a chain of attributes on a name, None for everything else."""
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=attribute):
            before = dotted_name(value)
            return None if before is None else f"{before}.{attribute}"
        case _:
            return None


def read_value(node: ast.expr, names: Names) -> Literal:
    """The value of literals, arithmetic, comprehensions, names of constants, and calls of `math` and a few built-ins.

    Raises:
        NotStaticError: the value cannot be read so.
    """
    match node:
        case ast.Constant() | ast.JoinedStr():
            return _constant(node, names)
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            items = [item for element in elements for item in _elements(element, names)]
            return tuple(items) if isinstance(node, ast.Tuple) else items
        case ast.Dict(keys=keys, values=values):
            return {_key(key, names): read_value(value, names) for key, value in zip(keys, values, strict=True)}
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() as sign, operand=operand):
            number = _number(operand, names)
            return -number if isinstance(sign, ast.USub) else number
        case ast.BinOp(op=op) if type(op) in _OPERATORS:
            return _operation(node, names)
        case ast.Name() | ast.Attribute():
            return _named(node, names)
        case ast.Call(func=func, args=args, keywords=[]):
            return _call(node, func, args, names)
        case ast.ListComp(generators=[clause]) | ast.DictComp(generators=[clause]):
            return _comprehension(node, clause, names)
        case ast.Subscript(value=whole, slice=index):
            return _item(node, read_value(whole, names), _index(index, names))
        case _:
            why = " is a set, which has no order: write a list" if isinstance(node, ast.Set) else ""
            raise NotStaticError(ast.unparse(node) + why)


def _elements(node: ast.expr, names: Names) -> Sequence[Literal]:
    """What an element of a list or tuple stands for: `*NAMES` for several."""
    if not isinstance(node, ast.Starred):
        return [read_value(node, names)]
    items = _iterated(node.value, names)
    if not isinstance(items, list | tuple | range | str):
        raise NotStaticError(ast.unparse(node))
    return list(items)


def _key(node: ast.expr | None, names: Names) -> str:
    key = None if node is None else read_value(node, names)
    if not isinstance(key, str):
        raise NotStaticError("keys of a dict must be strings" if node is None else f"{ast.unparse(node)} as a key")
    return key


def _constant(node: ast.Constant | ast.JoinedStr, names: Names) -> Literal:
    if isinstance(node, ast.JoinedStr):
        return "".join(_formatted(node, part, names) for part in node.values)
    if node.value is None or isinstance(node.value, bool | int | float | str):
        return node.value
    raise NotStaticError(ast.unparse(node))


def _formatted(node: ast.JoinedStr, part: ast.expr, names: Names) -> str:
    """A part of an f-string: a text, or a number or text that is put in as it is."""
    inside = part.value if isinstance(part, ast.FormattedValue) else part
    value = read_value(inside, names)
    plain = not isinstance(part, ast.FormattedValue) or (part.conversion == -1 and part.format_spec is None)
    if not plain or not isinstance(value, str | int | float):
        raise NotStaticError(ast.unparse(node))
    return f"{value}"


def _number(node: ast.expr, names: Names) -> Number:
    return _as_number(node, read_value(node, names))


def _as_number(node: ast.expr, value: Literal) -> Number:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotStaticError(f"{ast.unparse(node)} is not a number")
    return value


def _operation(node: ast.BinOp, names: Names) -> Literal:
    """Arithmetic on numbers, and `+` of two lists, tuples or texts."""
    left, right = read_value(node.left, names), read_value(node.right, names)
    if isinstance(node.op, ast.Add) and isinstance(left, list | tuple | str) and type(left) is type(right):
        return left + right  # type: ignore[operator]
    return _arithmetic(node, _as_number(node.left, left), _as_number(node.right, right))


def _arithmetic(node: ast.BinOp, left: Number, right: Number) -> Number:
    integers = isinstance(left, int) and isinstance(right, int)
    if integers and isinstance(node.op, ast.Pow) and int(left).bit_length() * abs(right) > _BIGGEST_POWER_BITS:
        raise NotStaticError(f"{ast.unparse(node)} is too large")
    try:
        result = _OPERATORS[type(node.op)](left, right)
    except (ArithmeticError, ValueError) as error:
        raise NotStaticError(f"{ast.unparse(node)}: {error}") from None
    if not isinstance(result, int | float):  # a root of a negative number is complex
        raise NotStaticError(f"{ast.unparse(node)} is not a real number")
    return result


def _named(node: ast.Name | ast.Attribute, names: Names) -> Literal:
    dotted = dotted_name(node)
    if dotted is None:
        raise NotStaticError(ast.unparse(node))
    if dotted in names.constants:
        return names.constants[dotted]
    module, _, name = names.full_name(dotted).rpartition(".")
    if module in _MODULES and name in _CONSTANTS:
        return _CONSTANTS[name]
    if module == "string" and name in _TEXTS:
        return _TEXTS[name]
    if dotted in names.bound:
        raise NotStaticError(f"{dotted}, which is not assigned exactly once to a value that can be read")
    raise NotStaticError(dotted)


def _index(node: ast.expr, names: Names) -> Any:
    if not isinstance(node, ast.Slice):
        return read_value(node, names)
    return slice(*(None if end is None else read_value(end, names) for end in (node.lower, node.upper, node.step)))


def _item(node: ast.Subscript, whole: Literal, index: Any) -> Literal:
    try:
        return whole[index]  # type: ignore[index]
    except (LookupError, TypeError, ValueError) as error:
        raise NotStaticError(f"{ast.unparse(node)}: {error}") from None


def _comprehension(node: ast.ListComp | ast.DictComp, clause: ast.comprehension, names: Names) -> Literal:
    if isinstance(node, ast.ListComp):
        return _made(node, node.elt, clause, names)
    made: Any = _made(node, ast.Tuple([node.key, node.value]), clause, names)
    if not all(isinstance(key, str) for key, _ in made):
        raise NotStaticError(f"{ast.unparse(node.key)} as a key")
    return dict(made)


def _made(node: ast.expr, element: ast.expr, clause: ast.comprehension, names: Names) -> list[Literal]:
    """The list that a comprehension over values that can be read makes."""
    if clause.ifs or clause.is_async:
        raise NotStaticError(ast.unparse(node))
    items: Any = _iterated(clause.iter, names)
    if not isinstance(items, list | tuple | range | str):
        raise NotStaticError(ast.unparse(node))
    given = [dict(_taken(node, clause.target, item)) for item in items]
    inside = (replace(names, constants={**names.constants, **one}, bound=names.bound | one.keys()) for one in given)
    return [read_value(element, one) for one in inside]


def _taken(node: ast.expr, target: ast.expr, item: Any) -> Iterator[tuple[str, Literal]]:
    """What a turn gives the names of a target."""
    match target:
        case ast.Name(id=name):
            yield name, item
        case ast.Tuple(elts=parts) if isinstance(item, list | tuple) and len(item) == len(parts):
            for part, one in zip(parts, item, strict=True):
                yield from _taken(node, part, one)
        case _:
            raise NotStaticError(ast.unparse(node))


def _iterated(node: ast.expr, names: Names) -> Any:
    """What is gone through at once: a value, a range, or what a generator gives."""
    match node:
        case ast.GeneratorExp(elt=element, generators=[clause]):
            return _made(node, element, clause, names)
        case _ if _is_range(node, names):
            return _range(node, names)
        case ast.Call(func=ast.Name(id="enumerate" | "zip" as name), args=args, keywords=[]) if (
            name not in names.bound and name not in names.aliases
        ):
            return _paired(node, name, args, names)
        case _:
            return read_value(node, names)


def _paired(node: ast.expr, name: str, args: list[ast.expr], names: Names) -> list[Any]:
    """The pairs of `enumerate(NAMES)` or `zip(NAMES, range(3))`."""
    try:
        return [*{"enumerate": enumerate, "zip": zip}[name](*(_iterated(arg, names) for arg in args))]
    except TypeError as error:
        raise NotStaticError(f"{ast.unparse(node)}: {error}") from None


def _call(node: ast.Call, func: ast.expr, args: list[ast.expr], names: Names) -> Literal:
    dotted = dotted_name(func)
    if dotted is not None and dotted in _BUILTINS and dotted not in names.bound and dotted not in names.aliases:
        return _built_in(node, dotted, args, names)
    module, _, name = names.full_name(dotted).rpartition(".") if dotted is not None else ("", "", "")
    if module not in _MODULES or name not in _FUNCTIONS:
        raise NotStaticError(ast.unparse(node))
    try:
        return _FUNCTIONS[name](*(_number(arg, names) for arg in args))
    except (ArithmeticError, ValueError, TypeError) as error:
        raise NotStaticError(f"{ast.unparse(node)}: {error}") from None


def _built_in(node: ast.Call, name: str, args: list[ast.expr], names: Names) -> Literal:
    """What one of Python's own functions gives for values that can be read, e.g. `len(NAMES)` or `list(range(21))`."""
    values = [_iterated(arg, names) for arg in args]
    try:
        found: Literal = _BUILTINS[name](*values)
    except (ArithmeticError, ValueError, TypeError) as error:
        raise NotStaticError(f"{ast.unparse(node)}: {error}") from None
    return found


def _is_range(node: ast.expr, names: Names) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func) == "range" and "range" not in names.bound


def _range(node: ast.expr, names: Names) -> range:
    assert isinstance(node, ast.Call)
    try:
        found = range(*(read_value(arg, names) for arg in node.args))  # type: ignore[arg-type]
    except (ValueError, TypeError) as error:
        raise NotStaticError(f"{ast.unparse(node)}: {error}") from None
    if len(found) > _LONGEST_RANGE:
        raise NotStaticError(f"{ast.unparse(node)} is too long")
    return found
