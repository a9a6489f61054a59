"""Seeds that are fixed where no call shows it: defaults of parameters, what objects keep, seeds of the whole module."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import libcst as cst

from dplint.rules.constructors import assigned_in, attributes_of
from dplint.rules.context import Context
from dplint.rules.flow.terms import Term, TermKind
from dplint.rules.flow.vocabulary import GENERATORS, SEEDS
from dplint.source.module_names import dotted_name
from dplint.source.parameters import read_parameters


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
    for line in context.scope.module.tree.body:
        for small in line.body if isinstance(line, cst.SimpleStatementLine) else ():
            match small:
                case cst.Expr(value=cst.Call(func=func, args=[cst.Arg(value=seed)]) as call):
                    name = context.scope.canonical(dotted_name(func) or "") or ""
                    if name in SEEDS and name.partition(".")[0] == library and _is_constant(context, seed):
                        yield call
                case _:
                    continue


def _is_constant(context: Context, seed: cst.BaseExpression) -> bool:
    constants = context.scope.module.constants
    return isinstance(seed, cst.Integer) or (isinstance(seed, cst.Name) and _is_number(constants.get(seed.value)))


def _is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
