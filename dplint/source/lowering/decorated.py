"""Functions behind decorators of the project: `@positive("scale")`, whose wrapper is read in where they are called.

A decorator makes one function and gives it, and has nothing to keep anything in: so it makes no difference that it is
applied anew for each call. What it is given itself are constants.
"""

from __future__ import annotations

import libcst as cst

from dplint.claims import Literal
from dplint.source.bindings import all_parameters, parameters_of, statements
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.functions import is_constant
from dplint.source.lowering.helpers import SPREAD
from dplint.source.lowering.object_classes import full, without_decorators
from dplint.source.lowering.scope import Choice, FunctionValue, Scope, top_level_names
from dplint.source.operators import literal
from dplint.source.walking import is_text

_WRAPS = "functools.wraps"


def decorated(scope: Scope, facts: ModuleFacts, function: cst.FunctionDef) -> FunctionValue | None:
    """The function that the decorators make of one, None where one of them is not of this kind."""
    value = FunctionValue(_around(scope, facts), without_decorators(function))
    for one in reversed(function.decorators):
        made = _applied(scope, facts, function, one.decorator, value)
        if made is None:
            return None
        value = made
    return value if function.decorators else None


def _applied(
    scope: Scope, facts: ModuleFacts, function: cst.FunctionDef, decorator: cst.BaseExpression, value: FunctionValue
) -> FunctionValue | None:
    """What a decorator makes of a function."""
    call = decorator if isinstance(decorator, cst.Call) else None
    helper = _around(scope, facts).helper(decorator if call is None else call.func)
    if helper is None or helper[1].decorators or helper[1].asynchronous is not None:
        return None
    where, made = helper
    inner = _around(scope, where)
    if call is not None:
        given = _constants(made, call)
        made_by = _made_by(where, made, "")
        if given is None or made_by is None:
            return None
        renamed = scope.rename({*given})
        inner.renamed.append(renamed)
        inner.unrolled.update({renamed[name]: one for name, one in given.items()})
        made = made_by
    parameters = all_parameters(made, variadic=True)
    if len(parameters) != 1 or made.params.star_kwarg is not None or made.params.params[:1] != parameters[:1]:
        return None
    name = parameters[0].name.value
    wrapper = _made_by(where, made, name)
    if wrapper is None or parameters[0].default is not None:
        return None
    # Another name than that of other wrappers, which a call inside of it may come to.
    named = cst.Name(f"{helper[1].name.value}{SPREAD}{function.name.value}")
    where.positions.also(named, wrapper.name)
    inner.names = frozenset({*inner.names, name, *(word for words in inner.renamed for word in words)})
    inner.functions[name] = Choice((value,), None)
    return FunctionValue(inner, wrapper.with_changes(name=named), tuple(inner.renamed))


def _around(scope: Scope, facts: ModuleFacts) -> Scope:
    """What functions of the top level of a module see."""
    names = top_level_names(facts.tree)
    return Scope(facts, names, frozenset(), frozenset(), {}, scope.elsewhere, kinds=scope.kinds, fixed=scope.fixed)


def _made_by(facts: ModuleFacts, function: cst.FunctionDef, wraps: str) -> cst.FunctionDef | None:
    """The function that one makes and gives, doing nothing else. wraps: what may decorate it, `functools.wraps` of."""
    inside = [one for one in statements(function.body) if not is_text(one)]
    match inside:
        case [cst.FunctionDef(name=cst.Name(value=name)) as made, cst.Return(value=cst.Name(value=given))] if (
            name == given
        ):
            pass
        case _:
            return None
    for one in made.decorators:
        match one.decorator:
            case cst.Call(func=func, args=[cst.Arg(value=cst.Name(value=wrapped), keyword=None, star="")]) if (
                full(facts, func) == _WRAPS and wrapped == wraps
            ):
                continue
        return None
    # A default may be what the decorator is given.
    defaults = [one.default for one in all_parameters(made) if one.default is not None]
    return without_decorators(made) if made.asynchronous is None and all(map(is_constant, defaults)) else None


def _constants(function: cst.FunctionDef, call: cst.Call) -> dict[str, Literal] | None:
    """What a decorator is given beside its function, by its parameters; None where that is not constants alone."""
    star = function.params.star_arg if isinstance(function.params.star_arg, cst.Param) else None
    places = parameters_of(function, ["" if one.keyword is None else one.keyword.value for one in call.args])
    given: dict[str, Literal] = {}
    rest: list[Literal] = []
    for argument, parameter in zip(call.args, places, strict=True):
        known = _constant(argument.value)
        if parameter is None or known is None or argument.star or parameter is function.params.star_kwarg:
            return None
        if parameter is star:
            rest += known
        else:
            given[parameter.name.value] = known[0]
    for one in all_parameters(function):
        if one.name.value not in given:
            known = None if one.default is None else _constant(one.default)
            if known is None:
                return None
            given[one.name.value] = known[0]
    return given if star is None else {**given, star.name.value: tuple(rest)}


def _constant(node: cst.BaseExpression) -> tuple[Literal] | None:
    known = literal(node)
    return None if known is None or isinstance(known[0], bytes) else (known[0],)
