"""Calls of the standard `logging` and `warnings`: nothing that a mechanism computes, draws or returns hangs on them.

What such a call does not leave as it is, is the log; `logging` itself catches what goes wrong when a record is
formatted or written (`logging.Handler.handleError`), and gives None. So a program evaluates the arguments, with all
that they draw and raise, and leaves the call out. That holds for loggers as they come; handlers and filters that
somebody has written may do anything, and where they draw or raise, the replay of runs through the function shows it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from dplint.program.nodes import (
    Constant,
    Expression,
    ExpressionStatement,
    ListDisplay,
    Pass,
    Statement,
    TupleDisplay,
)
from dplint.source.lowering.reader import Reader

_LEVELS = frozenset(["critical", "debug", "error", "exception", "info", "warning"])


def logged(reader: Reader, call: cst.Call) -> tuple[Statement, ...] | None:
    """What is left of a call of a logger that stands as a statement; None if it is no such call.

    With keywords it is none: `extra` and `exc_info` may raise. `warnings.warn` is one, with category and stacklevel.
    """
    if reader.scope.canonical(call.func) == "warnings.warn":
        return _warned(reader, call)
    plain = call.args and not any(argument.keyword or argument.star for argument in call.args)
    if not plain or not isinstance(call.func, cst.Attribute) or call.func.attr.value not in _LEVELS:
        return None
    if not _is_logger(reader, call.func.value):
        return None
    span = reader.span(call)
    parts = [part for argument in call.args for part in _evaluated(reader.expression(argument.value))]
    return tuple(ExpressionStatement(part, span) for part in parts) or (Pass(span),)


def _warned(reader: Reader, call: cst.Call) -> tuple[Statement, ...] | None:
    """What is left of a warning: its text. That a filter makes an exception of it is left to the replay of runs."""
    text = [argument for argument in call.args[:1] if argument.keyword is None and not argument.star]
    known = all(
        isinstance(one.value, cst.Name | cst.Integer)
        and (one.keyword is None or one.keyword.value in ("category", "stacklevel"))
        and not one.star
        for one in call.args[1:]
    )
    if not text or not known:
        return None
    span = reader.span(call)
    parts = _evaluated(reader.expression(text[0].value))
    return tuple(ExpressionStatement(part, span) for part in parts) or (Pass(span),)


def _is_logger(reader: Reader, node: cst.BaseExpression) -> bool:
    """Whether it is the module `logging`, or a name of the module that holds a logger all the time."""
    if reader.scope.canonical(node) == "logging":
        return True
    scope = reader.scope
    if not isinstance(node, cst.Name) or scope.local(node.value) is not None or node.value in scope.aliases:
        return False
    made = scope.facts.calls.get(node.value)
    return made is not None and scope.canonical(made.func) == "logging.getLogger"


def _evaluated(node: Expression) -> Iterator[Expression]:
    """The parts that may draw or raise, in their order; what only puts values together does neither."""
    if isinstance(node, ListDisplay | TupleDisplay):
        for part in node.elements:
            yield from _evaluated(part)
    elif not isinstance(node, Constant):
        yield node
