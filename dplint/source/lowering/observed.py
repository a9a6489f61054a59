"""What a claim observes besides what is returned: prints, logs, written files, and arguments that are changed in place.

The program of such a claim fills a list with all that it shows, in order, and gives a pair: what it returns, and that
list with the arguments as they are in the end. Whoever observes one channel sees a function of that list, so what is
said of the pair holds of what the claim observes. What is shown in a way that is not read here is no program, as ever;
and in a function that is called, rather than read into its caller, nothing may be shown.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dplint.claims import Mechanism
from dplint.program.nodes import (
    Assign,
    AugAssign,
    Clause,
    Constant,
    Expression,
    For,
    ListDisplay,
    Name,
    Node,
    Opaque,
    Return,
    Statement,
    Target,
    TupleDisplay,
    TupleTarget,
    Update,
)
from dplint.program.refusals import Unsupported
from dplint.program.sharing import shared_names
from dplint.program.walk import rebuilt, walk
from dplint.source.lowering.inlining import ends
from dplint.source.lowering.reader import Reader
from dplint.source.module_names import dotted_name

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


def shown(reader: Reader, kind: str, values: Sequence[Expression], node: cst.CSTNode) -> tuple[Statement, ...]:
    """What shows a function of these values. kind: tells it from what else may be shown of them."""
    name, span = reader.scope.observed, reader.span(node)
    if name is None:
        raise reader.refuse("something shown in a function that is called", node, "return it, and show it there")
    if not all(isinstance(one, Constant) for one in values):
        # How a number is written hangs on more than its value.
        hint = "no rewrite: how a number is written hangs on more than its value"
        written = Unsupported(f"what is shown by {kind.partition(' ')[0]}", span, hint)
        values = (Opaque(written, tuple(values), (), True, span, function=True),)
    return (Update(name, "append", (TupleDisplay((Constant(kind, span), *values), span),), span),)


def printed(reader: Reader, call: cst.Call) -> tuple[Statement, ...] | None:
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


def _printed(reader: Reader, call: cst.Call) -> tuple[Statement, ...] | None:
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


def written(reader: Reader, node: cst.With) -> tuple[Statement, ...] | None:
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
    lines: list[Statement] = []
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
    body: tuple[Statement, ...], name: Name, mechanism: Mechanism, parameters: Sequence[str]
) -> tuple[tuple[Statement, ...], frozenset[str]] | None:
    """The body that gives the pair, and its shared names; None where it is not known what an argument is in the end."""
    span = name.span
    kept = [one for one in parameters if one == mechanism.data]
    observed: tuple[Expression, ...] = (name,)
    if _ARGUMENTS in mechanism.claim.observe:
        if not kept or not _stays(body, kept[0], mechanism):
            return None
        observed = (name, *(Name(one, span) for one in kept))
    shared = shared_names([one for one in parameters if len(observed) == 1 or one not in kept], body)

    def paired(node: object) -> Return | None:
        if not isinstance(node, Return):
            return None
        return Return(TupleDisplay((node.value, *observed), node.span), node.span)

    end = () if ends(body) else (paired(Return(Constant(None, span), span)),)
    start = Assign((name,), ListDisplay((), span), span)
    return (start, *rebuilt(body, paired), *(one for one in end if one is not None)), shared


def _stays(body: Sequence[Statement], data: str, mechanism: Mechanism) -> bool:
    """Whether a name holds what the caller has, to the end: nothing else is assigned to it, and it is a list or array.

    `answers += noise` changes an array in place where its type has room for broken numbers; else it raises.
    """
    anew = [target for node in walk(body) for target in _targets(node)]
    while anew:
        target = anew.pop()
        if isinstance(target, TupleTarget):
            anew += target.elements
        elif isinstance(target, Name) and target.id == data:
            return False
    parameter = mechanism.parameter(data)
    annotation = (parameter.annotation if parameter is not None else None) or ""
    is_array = annotation in _ARRAYS and mechanism.claim.domain is None
    adds = (node.target for node in walk(body) if isinstance(node, AugAssign))
    return is_array or not any(isinstance(one, Name) and one.id == data for one in adds)


def _targets(node: Node) -> tuple[Target, ...]:
    """What a statement or a clause gives a value to, if it gives a new one."""
    match node:
        case Assign(targets=targets):
            return targets
        case For(target=target) | Clause(target=target):
            return (target,)
    return ()
