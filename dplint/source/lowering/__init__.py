"""Lowering: from a function's LibCST tree to a program.

Lowering is never a guess. A construct whose meaning here would differ from Python's, or that nobody has taught it yet,
makes the whole function `Unsupported`, with the construct, its place, and a way to write it that works.
"""

from __future__ import annotations

import libcst as cst

from dplint.claims import Mechanism, ParameterKind
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported
from dplint.source.lowering.helpers import Helpers
from dplint.source.lowering.scope import ModuleFacts, Refusals, Scope, dotted, parameter_stream
from dplint.source.lowering.statements import lower_body

__all__ = ["ModuleFacts", "lower", "lower_all"]


def lower(function: cst.FunctionDef, module: ModuleFacts, mechanism: Mechanism) -> Program | Unsupported:
    """The program of a mechanism, or the first construct that stands in the way; see `lower_all`."""
    found = lower_all(function, module, mechanism)
    return found if isinstance(found, Program) else found[0]


def lower_all(
    function: cst.FunctionDef, module: ModuleFacts, mechanism: Mechanism
) -> Program | tuple[Unsupported, ...]:
    """The program of a mechanism, or every construct that stands in the way, in the order of the source.

    function: a node of `module.tree`. Helper functions of the same module are lowered along.
    Not promised: that the program is fast to read, or that every interpretation knows every call in it. A construct
    inside of another that is refused as a whole, such as a lambda, may come to light only when that one is gone.
    """
    refusals = Refusals()
    _check_signature(function, module, mechanism, refusals)
    names = tuple(p.name for p in mechanism.parameters if p.name != mechanism.rng)
    helpers = Helpers(refusals, open=[function.name.value])
    stream = None if mechanism.rng is None else parameter_stream(mechanism)
    streams = {} if mechanism.rng is None or stream is None else {mechanism.rng: stream}
    body, shared = lower_body(module, function, names, streams, helpers)
    if refusals.found:
        return tuple(sorted(refusals.found, key=lambda refused: refused.span))
    return Program(
        name=mechanism.qualname,
        parameters=names,
        body=body,
        data=mechanism.data,
        rng=mechanism.rng,
        functions=tuple(helpers.done.values()),
        shared=shared,
        span=module.span(function.name),
    )


def _check_signature(function: cst.FunctionDef, module: ModuleFacts, mechanism: Mechanism, refusals: Refusals) -> None:
    if mechanism.receiver is not None and mechanism.data not in {one.name for one in mechanism.parameters}:
        hint = "give the data a parameter of its own"
        refusals.add(Unsupported("data that an object holds", module.span(function.name), hint))
    if function.asynchronous is not None:
        refusals.add(Unsupported("an async function", module.span(function.name), "use a plain function"))
    for decorator in function.decorators:
        _check_decorator(decorator, module, refusals)
    for parameter in mechanism.parameters:
        if parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD):
            refusals.add(Unsupported(parameter.kind.value, module.span(function.params), "name every parameter"))


def _check_decorator(decorator: cst.Decorator, module: ModuleFacts, refusals: Refusals) -> None:
    """Only the claim itself leaves the function as it is; any other decorator may change what a call does."""
    expression = decorator.decorator
    target = expression.func if isinstance(expression, cst.Call) else expression
    scope = Scope(module, frozenset(), frozenset(), frozenset(), {}, refusals)
    if scope.canonical(target) in ("staticmethod", "dplint.dp", "dplint.decorator.dp"):
        return
    text = ".".join(dotted(target) or ["..."])
    hint = "claim the undecorated function"
    refusals.add(Unsupported(f"the decorator {text}", module.span(decorator), hint))
