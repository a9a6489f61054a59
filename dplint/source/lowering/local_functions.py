"""Functions and lambdas that a function makes for itself, as helper functions that are given what they capture.

Python looks up what a local function captures when it is called, and so does the call here: it passes the present
values along. That is the same as long as the captured names certainly have a value by then, and the function changes
none of them. A local function that is kept as a value, changed or made in a branch is opaque.
"""

from __future__ import annotations

from collections.abc import Collection

import libcst as cst

from dplint.source.bindings import bound_names
from dplint.source.lowering.scope import LocalFunction, Scope
from dplint.source.module_names import bound_names as names_in_target
from dplint.source.walking import nodes_below

_BARRED = (cst.FunctionDef, cst.ClassDef, cst.Lambda, cst.Yield, cst.Await, cst.Global, cst.Nonlocal)


def local_function(
    scope: Scope,
    name: str,
    node: cst.FunctionDef | cst.Lambda,
    assigned: set[str],
    bindings: int,
    kinds: Collection[str],
) -> LocalFunction | None:
    """The function that a statement of the function's own block gives a name, None if it is not that simple.

    assigned: what certainly has a value here. bindings: how often the function around it binds the name. kinds: names
    that hold containers which are no plain dicts, and so are not passed on.
    """
    inside = [*nodes_below(node.params), *nodes_below(node.body)]
    if bindings != 1 or name in scope.parameters or any(isinstance(one, _BARRED) for one in inside):
        return None
    if isinstance(node, cst.FunctionDef) and (node.decorators or node.asynchronous is not None):
        return None
    own = {one.name.value for one in inside if isinstance(one, cst.Param)}
    if isinstance(node, cst.FunctionDef):
        own |= bound_names(node.body)
    own |= {found for one in inside if isinstance(one, cst.CompFor) for found in names_in_target(one.target)}
    mentioned = {one.value for one in inside if isinstance(one, cst.Name)} - own
    if name in mentioned:
        return None
    called = {one: scope.local_functions[one] for one in mentioned & scope.local_functions.keys()}
    captured = {one for one in mentioned - called.keys() if one in scope.names and one not in scope.streams}
    captured |= {one for function in called.values() for one in function.captured}
    streams = {one: scope.streams[one] for one in mentioned & scope.streams.keys()}
    for function in called.values():
        streams |= function.streams
    hidden = own & {*captured, *streams}
    if hidden or not captured <= assigned or not captured.isdisjoint([*scope.laws, *kinds]):
        return None
    return LocalFunction(name, node, tuple(sorted(captured)), streams, called)
