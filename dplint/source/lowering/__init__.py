"""Lowering: from a function's LibCST tree to a program.

Lowering is never a guess. A construct whose meaning here would differ from Python's, or that nobody has taught it yet,
makes the whole function `Unsupported`, with the construct, its place, and a way to write it that works.
"""

from __future__ import annotations

import libcst as cst

from dplint.claims import Mechanism, ParameterKind
from dplint.program import Program, Unsupported, UnsupportedConstruct, unsupported
from dplint.source.lowering.scope import ModuleFacts, Scope, dotted, parameter_stream
from dplint.source.lowering.statements import Helpers, lower_body

__all__ = ["ModuleFacts", "lower"]


def lower(function: cst.FunctionDef, module: ModuleFacts, mechanism: Mechanism) -> Program | Unsupported:
    """The program of a mechanism, or the first construct that stands in the way.

    function: a node of `module.tree`. Helper functions of the same module are lowered along.
    Not promised: that the program is fast to read, or that every reading knows every call in it.
    """
    try:
        return _lower(function, module, mechanism)
    except UnsupportedConstruct as refused:
        return refused.unsupported


def _lower(function: cst.FunctionDef, module: ModuleFacts, mechanism: Mechanism) -> Program:
    if function.asynchronous is not None:
        raise unsupported("an async function", module.span(function.name), "use a plain function")
    for decorator in function.decorators:
        _check_decorator(decorator, module)
    for parameter in mechanism.parameters:
        if parameter.kind in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD):
            raise unsupported(parameter.kind.value, module.span(function.params), "name every parameter")
    streams = {}
    if mechanism.rng is not None:
        params = (*function.params.posonly_params, *function.params.params, *function.params.kwonly_params)
        annotation = next((p.annotation for p in params if p.name.value == mechanism.rng), None)
        streams[mechanism.rng] = parameter_stream(annotation)
    names = tuple(p.name for p in mechanism.parameters if p.name != mechanism.rng)
    helpers = Helpers(open=[function.name.value])
    body, shared = lower_body(module, function, names, streams, helpers)
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


def _check_decorator(decorator: cst.Decorator, module: ModuleFacts) -> None:
    """Only the claim itself leaves the function as it is; any other decorator may change what a call does."""
    expression = decorator.decorator
    target = expression.func if isinstance(expression, cst.Call) else expression
    scope = Scope(module, frozenset(), frozenset(), {})
    canonical = scope.canonical(target)
    if canonical in ("staticmethod", "dplint.dp", "dplint.decorator.dp"):
        return
    text = ".".join(dotted(target) or ["..."])
    raise unsupported(f"the decorator {text}", module.span(decorator), "claim the undecorated function")
