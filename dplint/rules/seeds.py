"""Seeds that are fixed where no call shows it: defaults of parameters, what objects keep, seeds of the whole module.

What an object holds whose method is a mechanism, as its constructor tells.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

import libcst as cst

from dplint.claims import Literal
from dplint.rules.context import Context
from dplint.rules.flow.terms import Term, TermKind
from dplint.rules.flow.vocabulary import GENERATORS, SEEDS, ModuleScope
from dplint.source.bindings import dotted_name, statements, target_of
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
    for line in statements(maker.body):
        targets = [target.target for target in line.targets] if isinstance(line, cst.Assign) else [target_of(line)]
        value = line.value if isinstance(line, cst.Assign | cst.AnnAssign) else None
        match targets:
            case [cst.Attribute(value=cst.Name("self"), attr=cst.Name(name))] if value is not None:
                yield name, value


def default_of(context: Context, seed: Term) -> tuple[str, int] | None:
    """The name and the number of a seed that is a parameter, or an attribute that the constructor sets, by default."""
    if seed.kind is not TermKind.SYMBOL:
        return None
    if seed.name.startswith("self."):
        number = attributes_of(context.node, context.scope).get(seed.name.removeprefix("self."))
        return (seed.name, number) if _is_number(number) else None  # type: ignore[return-value]
    parameter = context.mechanism.parameter(seed.name)
    if parameter is None or parameter.default is None or seed.name in context.roles.fixed:
        return None
    try:
        number = ast.literal_eval(parameter.default)
    except (ValueError, SyntaxError):
        number = context.scope.module.constants.get(parameter.default)
    return (seed.name, number) if _is_number(number) else None  # type: ignore[return-value]


def kept_generator(context: Context, name: str) -> tuple[cst.Call, str] | None:
    """The call by which a constructor makes `self.rng` with a fixed seed, with the seed in words."""
    maker = context.scope.methods_beside(context.node).get("__init__")
    if maker is None or not name.startswith("self."):
        return None
    made = [value for attribute, value in assigned_in(maker) if f"self.{attribute}" == name]
    if len(made) != 1 or not isinstance(made[0], cst.Call) or len(made[0].args) != 1:
        return None
    call, seed = made[0], made[0].args[0].value
    if context.scope.canonical(dotted_name(call.func) or "") not in GENERATORS:
        return None
    if isinstance(seed, cst.Integer):
        return call, seed.value
    parameters = read_parameters(context.scope.module.tree, maker, context.scope.module.names, bound=True)
    for one in parameters:
        if isinstance(seed, cst.Name) and one.name == seed.value and one.default_value is not None:
            return (
                (call, f"{one.default}, the default of `{one.name}`") if _is_number(one.default_value.value) else None
            )
    return None


def is_script(context: Context) -> bool:
    """Whether a module does its work when it is run: it has a main part, or loops at its top level."""
    return any(
        isinstance(line, cst.For | cst.While) or (isinstance(line, cst.If) and "__main__" in context.text(line.test))
        for line in context.scope.module.tree.body
    )


def seeds_of_module(context: Context, library: str) -> Iterator[cst.Call]:
    """The calls at the top level of the module that seed a library's functions with a number."""
    for line in statements(context.scope.module.tree):
        match line:
            case cst.Expr(value=cst.Call(func=func, args=[cst.Arg(value=seed)]) as call):
                name = context.scope.canonical(dotted_name(func) or "") or ""
                if name in SEEDS and name.partition(".")[0] == library and _is_constant(context, seed):
                    yield call


def _is_constant(context: Context, seed: cst.BaseExpression) -> bool:
    constants = context.scope.module.constants
    return isinstance(seed, cst.Integer) or (isinstance(seed, cst.Name) and _is_number(constants.get(seed.value)))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
