"""What the parameters of a mechanism mean: first from the expressions of the claim, then, weakly, from their names."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field

from dplint.claims import DELTA_NAME, EPSILON_NAME, Fixed, Mechanism
from dplint.expressions import ExpressionError, evaluate_expression, expression_parameters
from dplint.relations import DEFAULT_SIZES, DataKind, relation_of
from dplint.syntax import parse_expression


@dataclass(frozen=True, slots=True)
class Roles:
    """The roles of names.

    epsilons: what makes up the claim's epsilon, each of degree one. factor: the claim's epsilon divided by its only
    epsilon, None if there are several or other parameters in it. others: further parameters in the claim's epsilon.
    deltas: the parameters that hold delta. fixed: parameters that the claim gives one numeric value.
    """

    epsilons: frozenset[str]
    factor: float | None
    others: frozenset[str]
    deltas: frozenset[str]
    fixed: Mapping[str, float] = field(default_factory=dict)
    value: float | None = None
    """The claim's epsilon, if it is a number."""

    def is_epsilon_constant(self, name: str, value: object) -> bool:
        """Whether a constant of the module is the epsilon of a claim that is a number."""
        return (
            self.value is not None
            and EPSILON_NAME.match(name.rpartition(".")[2]) is not None
            and isinstance(value, int | float)
            and float(value) == self.value
        )


def roles_of(mechanism: Mechanism) -> Roles:
    """The roles of a mechanism's parameters."""
    claim = mechanism.claim
    fixed = {
        name: float(spec.value)
        for name, spec in claim.args
        if isinstance(spec, Fixed) and isinstance(spec.value, int | float) and not isinstance(spec.value, bool)
    }
    deltas = _names(claim.delta) | {one.name for one in mechanism.parameters if DELTA_NAME.match(one.name)}
    if claim.promise is not None:  # rules know scales for epsilon, and none for rho or mu
        return Roles(frozenset(), None, frozenset(), deltas, fixed)
    if not isinstance(claim.epsilon, str):
        epsilons = frozenset(
            one.name
            for one in mechanism.parameters
            if EPSILON_NAME.match(one.name) and _is_number(one.default, float(claim.epsilon))
        )
        return Roles(epsilons, 1.0 if len(epsilons) <= 1 else None, frozenset(), deltas, fixed, float(claim.epsilon))
    names = _names(claim.epsilon)
    epsilons = _of_degree_one(claim.epsilon, names)
    factor = None
    if len(epsilons) == 1 and names == epsilons:
        factor = _factor(claim.epsilon, next(iter(epsilons)))
    return Roles(epsilons, factor, names - epsilons, deltas, fixed)


def least_size(mechanism: Mechanism) -> int:
    """The largest length of data that is tried: how many coordinates may move under `linf`."""
    return max(mechanism.claim.size or DEFAULT_SIZES)


def is_scalar(mechanism: Mechanism) -> bool:
    """Whether the data is a single value."""
    parameter = mechanism.parameter(mechanism.data) if mechanism.data is not None else None
    annotation = (parameter.annotation or "").strip("\"'") if parameter is not None else ""
    return relation_of(mechanism.claim).data is DataKind.VALUE or annotation in ("int", "float", "bool", "str")


def _names(expression: float | str) -> frozenset[str]:
    if not isinstance(expression, str):
        return frozenset()
    try:
        return expression_parameters(expression)
    except ExpressionError:
        return frozenset()


def _is_number(text: str | None, value: float) -> bool:
    try:
        return text is not None and float(text) == value
    except ValueError:
        return False


def _factor(expression: str, name: str) -> float | None:
    """c, if the expression is c times the name."""
    try:
        one, two = (evaluate_expression(expression, {name: value}) for value in (1.0, 2.0))
    except ExpressionError:
        return None
    return one if one > 0 and abs(two - 2 * one) < 1e-9 * one else None


def _of_degree_one(expression: str, names: frozenset[str]) -> frozenset[str]:
    try:
        found = _linear(parse_expression(expression.strip()))
    except SyntaxError:
        found = None
    if found is None:
        return frozenset(name for name in names if EPSILON_NAME.match(name))
    return found & names


def _linear(node: ast.expr) -> frozenset[str] | None:
    """The names that the expression is a linear form of, other names being its coefficients; None if it is none."""
    match node:
        case ast.Name(id=name):
            return frozenset({name})
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, two = _linear(left), _linear(right)
            return None if one is None or two is None else one | two
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            found = _linear(left)
            below = {one.id for one in ast.walk(right) if isinstance(one, ast.Name)}
            if below and found is not None and not any(map(EPSILON_NAME.match, found)):
                return None  # sensitivity / scale
            return found
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _product(left, right)
        case ast.Call(func=ast.Name(id="min" | "max" | "sum"), args=args):
            parts = [_linear(one) for one in args]
            return frozenset().union(*(one or frozenset() for one in parts)) if all(parts) else None
    return None


def _product(left: ast.expr, right: ast.expr) -> frozenset[str] | None:
    parts = [_linear(one) for one in (left, right)]
    known = [one for one in parts if one]
    if len(known) == 1:
        return known[0]
    named = [one for one in known if any(map(EPSILON_NAME.match, one))]
    return named[0] if len(named) == 1 else None
