"""Calls of the standard `logging` and `warnings`: nothing that a mechanism computes, draws or returns hangs on them.

What such a call does not leave as it is, is the log; `logging` itself catches what goes wrong when a record is
formatted or written (`logging.Handler.handleError`), and gives None. So a program evaluates the arguments, with all
that they draw and raise, and leaves the call out. That holds for loggers as they come; handlers and filters that
somebody has written may do anything, and where they draw or raise, the replay of runs through the function shows it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator

import libcst as cst

from dplint.program.calls import sinks
from dplint.program.nodes import (
    Constant,
    Expression,
    ExpressionStatement,
    ListDisplay,
    Pass,
    Statement,
    TupleDisplay,
)
from dplint.source.lowering.object_classes import LOGGER_MAKER
from dplint.source.lowering.observed import shown
from dplint.source.lowering.reader import Reader

_METHODS = sinks("log") - {".warn"}
"""The last one warns of itself."""
_HARMLESS = frozenset(["exc_info", "stack_info", "stacklevel"])
"""Keywords that raise nothing where they are constants."""
_RECORD = frozenset([*vars(logging.makeLogRecord({})), "message", "asctime"])
"""Keys that `extra` may not have."""


def logged(reader: Reader, call: cst.Call) -> tuple[Statement, ...] | None:
    """What is left of a call of a logger that stands as a statement; None if it is no such call.

    Nor is it where it may raise, as by a level that is no number.
    """
    if not call.args or not isinstance(call.func, cst.Attribute) or f".{call.func.attr.value}" not in _METHODS:
        return None
    if not _is_logger(reader, call.func.value):
        return None
    levels, rest = (call.args[:1], call.args[1:]) if call.func.attr.value == "log" else ((), call.args)
    passed = [_passed(argument) for argument in rest]
    if not all(_is_level(reader, one) for one in levels) or not rest or None in passed:
        return None
    span = reader.span(call)
    values = [value for found in passed for value in found or ()]
    if reader.scope.observing:
        return _observed(reader, call)
    parts = [part for value in values for part in _evaluated(reader.expression(value))]
    return tuple(ExpressionStatement(part, span) for part in parts) or (Pass(span),)


def _observed(reader: Reader, call: cst.Call) -> tuple[Statement, ...] | None:
    """What is left of a call whose log is observed; None where keywords say what is logged.

    The same from another place may be from another logger.
    """
    if any(one.keyword is not None or one.star for one in call.args):
        return None
    values = [reader.expression(one.value) for one in call.args]
    return shown(reader, f"logging at {reader.span(call)!r}", values, call)


def makes_logger(reader: Reader, value: cst.BaseExpression) -> bool:
    """Whether an expression is `logging.getLogger(...)` of a constant or `__name__`, or of nothing."""
    if not isinstance(value, cst.Call) or reader.scope.canonical(value.func) != LOGGER_MAKER:
        return False
    plain = cst.SimpleString | cst.Name
    return all(isinstance(one.value, plain) and one.keyword is None and not one.star for one in value.args)


def _is_level(reader: Reader, argument: cst.Arg) -> bool:
    """Whether an argument is certainly a number: an integer or one of the constants of `logging`."""
    if argument.keyword is not None or argument.star:
        return False
    name = (reader.scope.canonical(argument.value) or "").removeprefix("logging.")
    return isinstance(argument.value, cst.Integer) or (name.isupper() and isinstance(getattr(logging, name, None), int))


def _passed(argument: cst.Arg) -> tuple[cst.BaseExpression, ...] | None:
    """What is evaluated of an argument; None where logging with it may raise."""
    value, name = argument.value, argument.keyword and argument.keyword.value
    if argument.star:
        return None
    if name is None:
        return (value,)
    if name in _HARMLESS:
        constant = isinstance(value, cst.Integer) or (isinstance(value, cst.Name) and value.value in ("True", "False"))
        return () if constant else None
    if name != "extra" or not isinstance(value, cst.Dict):
        return None
    pairs = [one for one in value.elements if isinstance(one, cst.DictElement)]
    keys = [one.key.evaluated_value for one in pairs if isinstance(one.key, cst.SimpleString)]
    return tuple(one.value for one in pairs) if len(keys) == len(value.elements) and not _RECORD & {*keys} else None


def _is_logger(reader: Reader, node: cst.BaseExpression) -> bool:
    """Whether it is the module `logging`, or a name or attribute that holds a logger all the time."""
    scope = reader.scope
    if scope.canonical(node) == "logging":
        return True
    if scope.holds_logger(node):
        return True
    if not isinstance(node, cst.Name) or node.value in scope.aliases:
        return False
    if scope.local(node.value) is not None:
        return scope.local(node.value) in scope.loggers
    made = scope.facts.calls.get(node.value)
    return made is not None and scope.canonical(made.func) == LOGGER_MAKER


def _evaluated(node: Expression) -> Iterator[Expression]:
    """The parts that may draw or raise, in their order; what only puts values together does neither."""
    if isinstance(node, ListDisplay | TupleDisplay):
        for part in node.elements:
            yield from _evaluated(part)
    elif not isinstance(node, Constant):
        yield node
