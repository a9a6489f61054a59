"""An event that was printed, read back: whether it holds for an output, and what of the output it is about.

The text may come out of a store that somebody else has written. So only what events are printed with is let through,
and nothing of it can reach beyond the output.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

_FUNCTIONS: dict[str, Callable[..., Any]] = {
    one.__name__: one
    for one in (abs, all, any, bool, float, int, isinstance, len, list, map, max, min, str, sum, tuple, type, zip)
}
_CLASSES = {"Exception": Exception, "complex": complex, "dict": dict, "set": set, "frozenset": frozenset}
_LOCALS = {"output", "a", "b", "x"}
_NODES = (
    *(ast.Expression, ast.BoolOp, ast.And, ast.Or, ast.Not, ast.Compare, ast.BinOp, ast.UnaryOp, ast.IfExp),
    *(ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.USub, ast.UAdd, ast.cmpop),
    *(ast.Constant, ast.Name, ast.Load, ast.Store, ast.Subscript, ast.Attribute, ast.Call, ast.Starred),
    *(ast.List, ast.Tuple, ast.Dict, ast.GeneratorExp, ast.comprehension),
)
_ATTRIBUTE_OF_TYPE = "__name__"
_LONGEST = 20_000
UNDEFINED = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
"""What it raises to look at a part that an output does not have."""


class NoEvent(ValueError):
    """A text that is no event, or none that dplint prints."""


@dataclass(frozen=True, slots=True)
class Measure:
    """What an event looks at: a Python expression over `output`, and the numbers that it is compared with."""

    expression: str
    thresholds: tuple[float, ...]
    code: CodeType = field(repr=False, compare=False)

    def of(self, output: object) -> Any:
        """Its value. Raises one of UNDEFINED where an output has none."""
        return eval(self.code, {"__builtins__": {}, **_FUNCTIONS, **_CLASSES}, {"output": output})


class PrintedEvent:
    """An event by its printed text. Raises NoEvent for any other text."""

    def __init__(self, text: str) -> None:
        tree = _parsed(text)
        self._code = compile(tree, "<event>", "eval")
        self.measures = tuple(_measures(tree))
        """What it looks at, at least the output itself; the most telling one is for the caller to find."""

    def holds(self, output: object) -> bool:
        """Whether the output is in the event; one that lacks what the event looks at is not."""
        try:
            return bool(eval(self._code, {"__builtins__": {}, **_FUNCTIONS, **_CLASSES, "output": output}))
        except UNDEFINED:
            return False


def _parsed(text: str) -> ast.Expression:
    if len(text) > _LONGEST:
        raise NoEvent("the event is too long to be read back")
    try:
        tree = ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise NoEvent(f"the event is no Python expression: {error}") from None
    for node in ast.walk(tree):
        if not _allowed(node):
            raise NoEvent(f"the event holds {type(node).__name__}, which dplint does not print: {text[:200]}")
    return tree


def _allowed(node: ast.AST) -> bool:
    match node:
        case ast.Name(id=name):
            return name in _FUNCTIONS or name in _LOCALS or name in _CLASSES
        case ast.Attribute(attr=name, value=value):
            if name.startswith("_"):
                return name == _ATTRIBUTE_OF_TYPE and isinstance(value, ast.Call)
            return True
        case ast.Call(func=ast.Name(id=name), keywords=[]):
            return name in _FUNCTIONS
        case ast.Call(func=ast.Attribute(attr=name), keywords=[]):
            return name == "count"
        case ast.BinOp(op=ast.Pow(), left=ast.Constant(value=2), right=ast.Constant(value=53)):
            return True
        case ast.Call() | ast.BinOp(op=ast.Pow()):
            return False
        case _:
            return isinstance(node, _NODES)


def _measures(tree: ast.Expression) -> Iterator[Measure]:
    """What the conjuncts compare, each once, with all thresholds that it is compared with; the output as a last one."""
    found: dict[str, list[float]] = {}
    for comparison in _conjuncts(tree.body):
        if not isinstance(comparison, ast.Compare):
            continue
        sides = [comparison.left, *comparison.comparators]
        measured = [side for side in sides if "output" in _names(side)]
        if len(measured) == 1:
            limits = found.setdefault(ast.unparse(measured[0]), [])
            limits += [value for side in sides if (value := _number(side)) is not None]
    found.setdefault("output", [])
    for expression, limits in found.items():
        yield Measure(expression, tuple(sorted(set(limits))), compile(expression, "<measure>", "eval"))


def _conjuncts(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        for value in node.values:
            yield from _conjuncts(value)
    else:
        yield node


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


def _number(node: ast.expr) -> float | None:
    try:
        value = ast.literal_eval(node)
    except ValueError:
        return None
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
