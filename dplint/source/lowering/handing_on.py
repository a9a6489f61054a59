"""`*args` and `**kwargs` that a function gathers and hands on: `f(*args, **kwargs)`, with each argument on its own."""

from __future__ import annotations

from collections.abc import Mapping

import libcst as cst

from dplint.source.bindings import bound_names
from dplint.source.lowering.helpers import SPREAD
from dplint.source.lowering.scope import Scope
from dplint.source.walking import is_name, nodes_below

_LOOKING = frozenset({"get", "items", "keys", "values"})


def gathered_and_handed_on(function: cst.FunctionDef | cst.Lambda) -> dict[str, tuple[bool, bool]]:
    """Those of a function that calls in it are given: whether it is a dict, and whether it is looked at otherwise, too.

    Nothing but that is done with them: what is changed before it is handed on would be something else.
    """
    found: dict[str, tuple[bool, bool]] = {}
    inside = [*nodes_below(function.body)]
    bound = set() if isinstance(function, cst.Lambda) else bound_names(function.body)
    for star, parameter in (("*", function.params.star_arg), ("**", function.params.star_kwarg)):
        if not isinstance(parameter, cst.Param):
            continue
        name, is_dict = parameter.name.value, star == "**"
        mentioned = sum(is_name(one, name) for one in inside)
        times = sum(isinstance(one, cst.Arg) and one.star == star and is_name(one.value, name) for one in inside)
        looked_at = sum(_looks_at(one, name) for one in inside)
        if times and name not in bound and (not is_dict or times + looked_at == mentioned):
            found[name] = (is_dict, mentioned > times)
    return found


def entries(word: str, given: Mapping[str, object], *, is_dict: bool) -> tuple[tuple[str, str], ...]:
    """The keywords of what is handed on, and the names of the values in the function."""
    start = f"{word}{SPREAD}"
    return tuple((one.removeprefix(start) if is_dict else "", one) for one in given if one.startswith(start))


def handed_on(scope: Scope, node: cst.Call) -> cst.Call | None:
    """A call that is given what the function has gathered, with each argument on its own; None for all others."""
    arguments: list[cst.Arg] = []
    for one in node.args:
        name = one.value.value if one.star and isinstance(one.value, cst.Name) else None
        if one.star and name not in scope.gathered:
            return None
        if name is None or not one.star:
            arguments.append(one)
            continue
        for word, held in scope.gathered[name]:
            keyword, value = cst.Name(word) if word else None, cst.Name(held)
            arguments.append(cst.Arg(value, keyword=keyword))
            for made in (arguments[-1], value, *([keyword] if keyword is not None else [])):
                scope.placed(made, one)
    whole = node.with_changes(args=arguments)
    scope.placed(whole, node)
    return whole


def _looks_at(node: cst.CSTNode, name: str) -> bool:
    """Whether something is only asked for what it holds: `kwargs.get("scale")`, `"scale" in kwargs`, `len(kwargs)`."""
    match node:
        case cst.Call(func=cst.Attribute(value=cst.Name(value=own), attr=cst.Name(value=method))):
            return own == name and method in _LOOKING
        case cst.Call(func=cst.Name(value="len"), args=[cst.Arg(value=cst.Name(value=own))]):
            return own == name
        case cst.ComparisonTarget(operator=cst.In() | cst.NotIn(), comparator=cst.Name(value=own)):
            return own == name
    return False
