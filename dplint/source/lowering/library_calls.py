"""Calls of functions of which a library promises something: `diffprivlib.tools.mean(...)`, `mechanism.randomise(x)`.

No program has them, for it is not said how they draw. What they are given is lowered, so that a proof may rest on what
is promised (`Opaque.promised`).

Measurements of OpenDP that are called: `total(pay)`, where a parameter is one by default or the module has made it.

A measurement is a chain: some transformations of the data, and a mechanism. What the transformations do is written as a
program, so that a proof sees for itself how far they carry a move; of the mechanism alone it rests on what the library
promises, `make_laplace`: d / scale where the number, or all numbers together, move by d
(`dplint.program.library_claims`). Chains are read from what stands in the module: stages joined by `>>`, names that are
given a value once, and functions that only return a chain.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import libcst as cst

from dplint.program import nodes as ir
from dplint.program.library_claims import (
    BY_DEFAULT,
    CALLED_WITH,
    COST,
    DISTANCE,
    OPENDP_LAPLACE,
    of_function,
    of_mechanism,
)
from dplint.source.bindings import SCOPES, all_parameters, binding_counts, statements
from dplint.source.lowering.reader import Promised, Reader
from dplint.source.lowering.scope import Scope, top_level_names
from dplint.source.operators import BINARY
from dplint.source.static_values import NotStaticError
from dplint.source.walking import nodes_below

_PRELUDE = "opendp.prelude."
_DOMAINS = frozenset(["vector_domain", "atom_domain"])
_METRICS = frozenset(["symmetric_distance", "absolute_distance"])
_DEEPEST = 8
_UNKNOWN = "no chain that is understood"
_ARITHMETIC: Mapping[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}


@dataclass(frozen=True, slots=True)
class Stage:
    """A transformation or a mechanism, with what it is given, all numbers or texts."""

    name: str
    given: Mapping[str, object]


@dataclass(frozen=True, slots=True)
class _Around:
    """Where an expression stands: the module, what its names are given, and how deep that is."""

    scope: Scope
    given: Mapping[str, tuple[cst.BaseExpression, _Around]]
    depth: int = 0


class Measurements:
    """Says of calls which measurement they are of. parameters: of the mechanism, with their defaults."""

    def __init__(self, reader: Reader, parameters: Mapping[str, cst.BaseExpression]) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._parameters = parameters

    def promised(self, node: cst.Call) -> Promised | None:
        """What a call of a measurement is given; None for all others."""
        match node:
            case cst.Call(func=cst.Name(value=name), args=[cst.Arg(value=data, star="", keyword=None)]):
                pass
            case _:
                return None
        facts = self._scope.facts
        around = _Around(
            Scope(facts, top_level_names(facts.tree), frozenset(), frozenset(), {}, self._scope.elsewhere), {}
        )
        local = self._scope.local(name)
        made = self._parameters.get(name) if local == name else node.func if local is None else None
        try:
            stages = [] if made is None else _chain(made, around)
        except NotStaticError:
            return None
        if not stages or stages[-1].name not in ("then_laplace", "make_laplace"):
            return None
        *before, last = stages
        scale = last.given.get("scale")
        given_data = self._reader.expression(data)
        value = self._transformed(given_data, before, node)
        if value is None or last.given.keys() != {"scale"} or not isinstance(scale, int | float):
            return None
        span = self._reader.span(node)
        given: list[tuple[str, ir.Expression]] = [("value", value), ("scale", ir.Constant(scale, span))]
        given += [(BY_DEFAULT, ir.Name(name, span))] if local is not None else []
        given += [(CALLED_WITH, given_data)]
        given += [(COST, ir.Constant(_longest_step(before) / scale, span))] if scale > 0 else []
        return OPENDP_LAPLACE, tuple(given)

    def _transformed(self, data: ir.Expression, stages: list[Stage], node: cst.CSTNode) -> ir.Expression | None:
        """The data after all transformations; None where one of them is not known."""
        span = self._reader.span(node)
        item = ir.Name(self._scope.rename({"item"})["item"], span)

        def of_each(element: ir.Expression, *conditions: ir.Expression) -> ir.Comprehension:
            return ir.Comprehension("list", element, (ir.Clause(item, data, conditions),), span)

        for stage in stages:
            match stage.name, stage.given:
                case "then_clamp", {"bounds": (float() as low, float() as high)} if low <= high:
                    above = ir.Call("max", (item, ir.Constant(low, span)), (), span)
                    data = of_each(ir.Call("min", (above, ir.Constant(high, span)), (), span))
                case "then_sum", {}:
                    data = ir.Call("sum", (data,), (), span)
                case "then_count", {}:
                    data = ir.Call("len", (data,), (), span)
                case "then_count_by_categories", {"categories": tuple() as known, "null_category": False}:
                    tests = [ir.Compare(item, ("==",), (ir.Constant(one, span),), span) for one in known]
                    ones = [ir.Call("sum", (of_each(ir.Constant(1, span), test),), (), span) for test in tests]
                    data = ir.ListDisplay(tuple(ones), span)
                case _:
                    return None
        return data


def _longest_step(stages: list[Stage]) -> float:
    """By how much the value moves at most after these, for one record that is added, or a number that moves by one."""
    bounds = [one.given["bounds"] for one in stages if one.name == "then_clamp"]
    if not any(one.name == "then_sum" for one in stages):
        return 1.0
    # What was cut twice lies within the last bounds; of what was not cut no sum is one of OpenDP's.
    match bounds:
        case [*_, (float() as low, float() as high)]:
            return max(abs(low), abs(high))
    return math.inf


def _chain(node: cst.BaseExpression, around: _Around) -> list[Stage]:
    """The stages of a chain, without the domain and the metric that it begins with. Raises NotStaticError."""
    if around.depth > _DEEPEST:
        raise NotStaticError(_UNKNOWN)
    match node:
        case cst.BinaryOperation(left=left, operator=cst.RightShift(), right=right):
            return [*_chain(left, around), *_chain(right, around)]
        case cst.Tuple(elements=[cst.Element(value=cst.Call() as domain), cst.Element(value=cst.Call() as metric)]):
            if _called(domain, around) in _DOMAINS and _called(metric, around) in _METRICS:
                return []
        case cst.Name(value=name):
            return _chain(*_value_of(name, around))
        case cst.Call():
            return _of_call(node, around)
    raise NotStaticError(_UNKNOWN)


def _of_call(node: cst.Call, around: _Around) -> list[Stage]:
    name = _called(node, around)
    if name.startswith(("t.then_", "m.then_", "m.make_")):
        return _stage(name[2:], node, around)
    found = around.scope.helper(node.func)
    if found is None or found[0] is not around.scope.facts:
        raise NotStaticError(_UNKNOWN)
    function = found[1]
    inside = [one for one in statements(function.body) if not isinstance(one, cst.Expr)]
    match inside:
        case [cst.Return(value=cst.BaseExpression() as value)] if not function.decorators:
            parameters = [(one.name.value, one.default) for one in all_parameters(function)]
        case _:
            raise NotStaticError(_UNKNOWN)
    given: dict[str, tuple[cst.BaseExpression, _Around]] = {}
    for place, one in enumerate(node.args):
        word = (
            one.keyword.value if one.keyword is not None else "".join(key for key, _ in parameters[place : place + 1])
        )
        if one.star or word not in dict(parameters) or word in given:
            raise NotStaticError(_UNKNOWN)
        given[word] = (one.value, around)
    top = _Around(around.scope, {}, around.depth + 1)
    for word, default in parameters:
        if word not in given:
            if default is None:
                raise NotStaticError(_UNKNOWN)
            given[word] = (default, top)
    return _chain(value, _Around(around.scope, given, around.depth + 1))


def _stage(name: str, node: cst.Call, around: _Around) -> list[Stage]:
    """One stage; a mechanism that is made has a domain and a metric in front of what it is given."""
    args = list(node.args)
    if name.startswith("make_") and (not args or args[0].star != "*" or _chain(args.pop(0).value, around)):
        raise NotStaticError(_UNKNOWN)
    positions = {"then_clamp": "bounds", "then_laplace": "scale"}
    given: dict[str, object] = {}
    for place, one in enumerate(args):
        word = one.keyword.value if one.keyword is not None else positions.get(name, "") if place == 0 else ""
        if one.star or not word or word in given:
            raise NotStaticError(_UNKNOWN)
        given[word] = _literal(one.value, around)
    return [Stage(name, given)]


def _called(node: cst.Call, around: _Around) -> str:
    """The name of a function of OpenDP, without that of its prelude; empty for all others."""
    full = around.scope.canonical(node.func) or ""
    known = full.startswith(_PRELUDE) and not around.scope.elsewhere.has_module("opendp")
    return full.removeprefix(_PRELUDE) if known else ""


def _value_of(name: str, around: _Around) -> tuple[cst.BaseExpression, _Around]:
    """What a name stands for: what a function is given, or the only value that the module gives it."""
    if name in around.given:
        return around.given[name]
    scope, tree = around.scope, around.scope.facts.tree
    certain = not any(isinstance(one, cst.Global) for one in nodes_below(tree)) and binding_counts(tree)[name] == 1
    certain = certain and not scope.elsewhere.patches(f"{scope.facts.place.module}.{name}")
    for one in nodes_below(tree, SCOPES) if certain else ():
        match one:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value=bound))], value=value) if bound == name:
                return value, _Around(scope, {}, around.depth + 1)
    raise NotStaticError(_UNKNOWN)


def _literal(node: cst.BaseExpression, around: _Around) -> object:
    """A number, a text, a truth value, or a tuple of such, as a list is, too. Raises NotStaticError."""
    match node:
        case cst.Integer() | cst.Float() | cst.SimpleString():
            return node.evaluated_value
        case cst.Name(value="True" | "False" as value):
            return value == "True"
        case cst.Name(value=name):
            return _literal(*_value_of(name, around))
        case cst.Tuple(elements=elements) | cst.List(elements=elements):
            return tuple(_literal(one.value, around) for one in elements)
        case cst.UnaryOperation(operator=cst.Minus(), expression=inner):
            return -_number(inner, around)
        case cst.BinaryOperation(left=left, operator=sign, right=right) if BINARY[type(sign)] in _ARITHMETIC:
            try:
                return _ARITHMETIC[BINARY[type(sign)]](_number(left, around), _number(right, around))
            except (ZeroDivisionError, OverflowError):
                raise NotStaticError(_UNKNOWN) from None
    raise NotStaticError(_UNKNOWN)


def _number(node: cst.BaseExpression, around: _Around) -> float:
    value = _literal(node, around)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise NotStaticError(_UNKNOWN)
    return value


_METHOD = "randomise"


class LibraryCalls:
    """Says of refused calls what they are given, and keeps what makes a mechanism of a library."""

    def __init__(self, reader: Reader, parameters: Mapping[str, cst.BaseExpression]) -> None:
        """parameters: those of the mechanism that are only called, with their defaults."""
        self._reader = reader
        self._measurements = Measurements(reader, parameters)
        self._scope = reader.scope
        reader.promised = self.promised

    def promised(self, node: cst.BaseExpression) -> Promised | None:
        """What a call is given, where a library promises something of it; None for all others."""
        if not isinstance(node, cst.Call):
            return None
        full = _full_name(self._scope, node.func)
        claim = of_function(full)
        if claim is not None and claim.relation != DISTANCE:
            given = _given(claim.parameters, node.args)
            if given is None or not {claim.parameters[0], *claim.required} <= given.keys():
                return None
            return full, tuple((key, _numbers(one)) for key, one in given.items())
        match node.func:
            case cst.Attribute(value=maker, attr=cst.Name(value=name)) if name == _METHOD:
                return self._of_mechanism(maker, node.args)
        return self._measurements.promised(node)

    def _of_mechanism(self, maker: cst.BaseExpression, passed: Sequence[cst.Arg]) -> Promised | None:
        value = _given(("value",), passed)
        if value is None or "value" not in value:
            return None
        if isinstance(maker, cst.Name):
            kept = self._scope.mechanisms.get(self._scope.local(maker.value) or "")
            return None if kept is None else (kept[0], (*value.items(), *kept[1]))
        made = self._made(maker)
        return None if made is None else (made[0], (*made[1].items(), *value.items()))

    def kept(self, name: str, node: cst.BaseExpression) -> tuple[ir.Statement, ...] | None:
        """`name = diffprivlib.mechanisms.Laplace(...)`: what it is given, in variables of their own."""
        made = self._made(node)
        if made is None:
            return None
        span, lowered = self._reader.span(node), {key: self._reader.expression(one) for key, one in made[1].items()}
        kept = {
            key: one if isinstance(one, ir.Constant) else ir.Name(f"{name}[{key}]", span)
            for key, one in lowered.items()
        }
        self._scope.mechanisms[name] = (made[0], tuple(kept.items()))
        assigned = [ir.Assign((one,), lowered[key], span) for key, one in kept.items() if isinstance(one, ir.Name)]
        return tuple(assigned) or (ir.Pass(span),)

    def _made(self, node: cst.BaseExpression) -> tuple[str, dict[str, cst.BaseExpression]] | None:
        """A mechanism with all that its claim needs, each by its name."""
        if not isinstance(node, cst.Call):
            return None
        full = _full_name(self._scope, node.func)
        claim = of_mechanism(full)
        if claim is None or any(one.keyword is None for one in node.args):
            return None
        given = _given(claim.parameters[1:], node.args)
        return None if given is None or given.keys() != {*claim.parameters[1:]} else (full, given)


def _full_name(scope: Scope, node: cst.BaseExpression) -> str:
    """What is called, by its full name; empty where the project has a module of the library's name."""
    full = scope.canonical(node) or ""
    return "" if scope.elsewhere.has_module(full.partition(".")[0]) else full


def _numbers(node: cst.BaseExpression) -> cst.BaseExpression:
    """The column whose numbers `column.to_numpy()` gives as an array."""
    match node:
        case cst.Call(func=cst.Attribute(value=column, attr=cst.Name(value="to_numpy")), args=[]):
            return column
    return node


def _given(names: Sequence[str], passed: Sequence[cst.Arg]) -> dict[str, cst.BaseExpression] | None:
    """Arguments by the names of parameters; None where there are others."""
    given: dict[str, cst.BaseExpression] = {}
    for place, one in enumerate(passed):
        name = one.keyword.value if one.keyword is not None else "".join(names[place : place + 1])
        if one.star or name not in names or name in given:
            return None
        given[name] = one.value
    return given
