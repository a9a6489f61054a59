"""What a claim observes besides what is returned: prints, logs, written files, and arguments that are changed in place.

The program of such a claim fills a list with all that it shows, in order, and gives a pair: what it returns, and that
list with the arguments as they are in the end. Whoever observes one channel sees a function of that list, so what is
said of the pair holds of what the claim observes. What is shown in a way that is not read here is no program, as ever;
and in a function that is called, rather than read into its caller, nothing may be shown.

Calls of the standard `logging` and `warnings`: nothing that a mechanism computes, draws or returns hangs on them.

What such a call does not leave as it is, is the log; `logging` itself catches what goes wrong when a record is
formatted or written (`logging.Handler.handleError`), and gives None. So a program evaluates the arguments, with all
that they draw and raise, and leaves the call out. That holds for loggers as they come; handlers and filters that
somebody has written may do anything, and where they draw or raise, the replay of runs through the function shows it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

import libcst as cst

from dplint.claims import Mechanism
from dplint.program import nodes as ir
from dplint.program.calls import sinks
from dplint.program.refusals import Unsupported
from dplint.program.sharing import shared_names
from dplint.program.walk import rebuilt, walk
from dplint.source.bindings import dotted_name
from dplint.source.lowering.object_classes import LOGGER_MAKER
from dplint.source.lowering.reader import Reader
from dplint.source.lowering.reading_in import ends

SHOWN = "shown"
"""The variable that holds what was shown."""
_ARGUMENTS = "arguments"
_CHANNELS = frozenset(["stdout", "stderr", "logging", "files", _ARGUMENTS])
_STREAMS = ("sys.stdout", "sys.stderr")
_PATH = "pathlib.Path"
_WRITES = frozenset(["write_bytes", "write_text"])
_MODES = frozenset(["w", "a", "x", "wt", "at", "wb", "ab"])
_ARRAYS = ("np.ndarray", "numpy.ndarray", "ndarray")


def observes(mechanism: Mechanism) -> bool:
    """Whether all that the claim observes besides what is returned is known here, and there is some."""
    return bool(mechanism.claim.observe) and _CHANNELS.issuperset(mechanism.claim.observe)


def shown(reader: Reader, kind: str, values: Sequence[ir.Expression], node: cst.CSTNode) -> tuple[ir.Statement, ...]:
    """What shows a function of these values. kind: tells it from what else may be shown of them."""
    name, span = reader.scope.observed, reader.span(node)
    if name is None:
        raise reader.refuse("something shown in a function that is called", node, "return it, and show it there")
    if not all(isinstance(one, ir.Constant) for one in values):
        # How a number is written hangs on more than its value.
        hint = "no rewrite: how a number is written hangs on more than its value"
        written = Unsupported(f"what is shown by {kind.partition(' ')[0]}", span, hint)
        values = (ir.Opaque(written, tuple(values), (), True, span, function=True),)
    return (ir.Update(name, "append", (ir.TupleDisplay((ir.Constant(kind, span), *values), span),), span),)


def printed(reader: Reader, call: cst.Call) -> tuple[ir.Statement, ...] | None:
    """A call of `print`, or of a path that is written to, where the claim observes such; None for all others."""
    if not reader.scope.observing:
        return None
    if reader.scope.canonical(call.func) == "print":
        return _printed(reader, call)
    match call.func:
        case cst.Attribute(value=cst.Call() as path, attr=cst.Name(value=method)) if method in _WRITES:
            plain = all(one.keyword is None and not one.star for one in (*path.args, *call.args))
            if reader.scope.canonical(path.func) == _PATH and plain and len(call.args) == 1:
                given = [reader.expression(one.value) for one in (*path.args, *call.args)]
                return shown(reader, method, given, call)
    return None


def _printed(reader: Reader, call: cst.Call) -> tuple[ir.Statement, ...] | None:
    values, stream = [], "sys.stdout"
    for one in call.args:
        name = None if one.keyword is None else one.keyword.value
        if name == "file":
            stream = reader.scope.canonical(one.value) or ""
        elif one.star or name not in (None, "sep", "end", "flush"):
            return None
        else:
            values.append(reader.expression(one.value))
    return shown(reader, f"print to {stream}", values, call) if stream in _STREAMS else None


def written(reader: Reader, node: cst.With) -> tuple[ir.Statement, ...] | None:
    """`with open(name, "w") as file:` whose block does nothing with the file but write to it; None for all others."""
    match node.items:
        case [cst.WithItem(item=cst.Call(func=func, args=[name, mode]), asname=cst.AsName(name=cst.Name(value=file)))]:
            pass
        case _:
            return None
    text = str(mode.value.evaluated_value) if isinstance(mode.value, cst.SimpleString) else ""
    plain = all(one.keyword is None and not one.star for one in (name, mode)) and text in _MODES
    if not reader.scope.observing or not plain or reader.scope.canonical(func) != "open":
        return None
    begin = shown(reader, f"open in mode {text}", [reader.expression(name.value)], node)
    lines: list[ir.Statement] = []
    for line in node.body.body:
        match line:
            case cst.SimpleStatementLine(body=[cst.Expr(value=cst.Call(func=called, args=[one]))]) if (
                dotted_name(called) == f"{file}.write" and one.keyword is None and not one.star
            ):
                lines += shown(reader, "write", [reader.expression(one.value)], line)
            case _:
                return None
    return (*begin, *lines)


def with_what_is_shown(
    body: tuple[ir.Statement, ...], name: ir.Name, mechanism: Mechanism, parameters: Sequence[str]
) -> tuple[tuple[ir.Statement, ...], frozenset[str]] | None:
    """The body that gives the pair, and its shared names; None where it is not known what an argument is in the end."""
    span = name.span
    kept = [one for one in parameters if one == mechanism.data]
    observed: tuple[ir.Expression, ...] = (name,)
    if _ARGUMENTS in mechanism.claim.observe:
        if not kept or not _stays(body, kept[0], mechanism):
            return None
        observed = (name, *(ir.Name(one, span) for one in kept))
    shared = shared_names([one for one in parameters if len(observed) == 1 or one not in kept], body)

    def paired(node: object) -> ir.Return | None:
        if not isinstance(node, ir.Return):
            return None
        return ir.Return(ir.TupleDisplay((node.value, *observed), node.span), node.span)

    end = () if ends(body) else (paired(ir.Return(ir.Constant(None, span), span)),)
    start = ir.Assign((name,), ir.ListDisplay((), span), span)
    return (start, *rebuilt(body, paired), *(one for one in end if one is not None)), shared


def _stays(body: Sequence[ir.Statement], data: str, mechanism: Mechanism) -> bool:
    """Whether a name holds what the caller has, to the end: nothing else is assigned to it, and it is a list or array.

    `answers += noise` changes an array in place where its type has room for broken numbers; else it raises.
    """
    anew = [target for node in walk(body) for target in _targets(node)]
    while anew:
        target = anew.pop()
        if isinstance(target, ir.TupleTarget):
            anew += target.elements
        elif isinstance(target, ir.Name) and target.id == data:
            return False
    parameter = mechanism.parameter(data)
    annotation = (parameter.annotation if parameter is not None else None) or ""
    is_array = annotation in _ARRAYS and mechanism.claim.domain is None
    adds = (node.target for node in walk(body) if isinstance(node, ir.AugAssign))
    return is_array or not any(isinstance(one, ir.Name) and one.id == data for one in adds)


def _targets(node: ir.Node) -> tuple[ir.Target, ...]:
    """What a statement or a clause gives a value to, if it gives a new one."""
    match node:
        case ir.Assign(targets=targets):
            return targets
        case ir.For(target=target) | ir.Clause(target=target):
            return (target,)
    return ()


_METHODS = sinks("log") - {".warn"}
"""The last one warns of itself."""
_HARMLESS = frozenset(["exc_info", "stack_info", "stacklevel"])
"""Keywords that raise nothing where they are constants."""
_RECORD = frozenset([*vars(logging.makeLogRecord({})), "message", "asctime"])
"""Keys that `extra` may not have."""


def logged(reader: Reader, call: cst.Call) -> tuple[ir.Statement, ...] | None:
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
    return tuple(ir.ExpressionStatement(part, span) for part in parts) or (ir.Pass(span),)


def _observed(reader: Reader, call: cst.Call) -> tuple[ir.Statement, ...] | None:
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


def _evaluated(node: ir.Expression) -> Iterator[ir.Expression]:
    """The parts that may draw or raise, in their order; what only puts values together does neither."""
    if isinstance(node, ir.ListDisplay | ir.TupleDisplay):
        for part in node.elements:
            yield from _evaluated(part)
    elif not isinstance(node, ir.Constant):
        yield node
