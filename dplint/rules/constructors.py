"""What an object holds whose method is a mechanism, as its constructor tells."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import libcst as cst

from dplint.claims import Literal
from dplint.rules.flow.names import ModuleScope
from dplint.source.parameters import read_parameters


def attributes_of(method: cst.FunctionDef | cst.Lambda, scope: ModuleScope) -> Mapping[str, Literal]:
    """The attributes that `__init__` sets to a literal, or to a parameter with a default that is one."""
    maker = scope.methods_beside(method).get("__init__")
    if maker is None:
        return {}
    parameters = read_parameters(scope.module.tree, maker, scope.module.names, bound=True)
    defaults = {one.name: one for one in parameters if one.default is not None}
    found: dict[str, Literal] = {}
    for name, value in assigned_in(maker):
        if isinstance(value, cst.Name) and value.value in defaults:
            known = defaults[value.value].default_value
            if known is not None:
                found[name] = known.value
        elif isinstance(value, cst.Name) and value.value in scope.module.constants:
            found[name] = scope.module.constants[value.value]
        else:
            try:
                found[name] = ast.literal_eval(scope.module.tree.code_for_node(value))
            except (ValueError, SyntaxError):
                continue
    return found


def assigned_in(maker: cst.FunctionDef) -> Iterator[tuple[str, cst.BaseExpression]]:
    """`self.name = value` in the own block of a constructor."""
    for line in maker.body.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            match small:
                case cst.Assign(
                    targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name("self"), attr=cst.Name(name)))],
                    value=value,
                ):
                    yield name, value
                case cst.AnnAssign(
                    target=cst.Attribute(value=cst.Name("self"), attr=cst.Name(name)),
                    value=cst.BaseExpression() as value,
                ):
                    yield name, value
                case _:
                    continue
