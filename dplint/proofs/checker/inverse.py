"""One Laplace draw for an inverse of its distribution function: `u = random() - 1/2`, `b * sign(u) * log(1 - 2 * |u|)`.

Theorem (Devroye, Non-Uniform Random Variate Generation, 1986, section II.2): for u uniform on (-1/2, 1/2) the sign of u
and |u| are independent, the sign is fair, and -log(1 - 2 |u|) is an exponential number of scale 1; so sign(u) *
log(1 - 2 |u|) is a Laplace number of scale 1, and b times that, or -b times, one of scale b. The name of u has to stand
nowhere else, and a run that comes to the product has drawn u for it alone: the product stands after the draw in the
same block, and not in a loop below it. What else the product has is the scale, but for signs: the law is symmetric.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any

from dplint.distributions import SCIPY
from dplint.program.nodes import (
    Assign,
    Binary,
    Call,
    Constant,
    Draw,
    Expression,
    Name,
    Node,
    Program,
    Statement,
    Unary,
)
from dplint.program.walk import bound_names, exchanged, once_at_most, rebuilt, walk

_SIGNS = frozenset(["numpy.sign"])
_SIGNED = frozenset(["math.copysign", "numpy.copysign"])


def with_laplace(program: Program) -> Program:
    """The same program, with a Laplace draw for each such product; the program itself if there is none."""
    body = _in_body(program.body, program.parameters)
    functions = tuple(replace(one, body=_in_body(one.body, one.parameters)) for one in program.functions)
    same = body is program.body and all(a.body is b.body for a, b in zip(functions, program.functions, strict=True))
    return program if same else replace(program, body=body, functions=functions)


def _in_body(body: tuple[Statement, ...], parameters: Sequence[str]) -> tuple[Statement, ...]:
    """A body in which names mean the same throughout."""
    nodes = list(walk(body))
    for begin in nodes:
        match begin:
            case Assign(targets=(Name(id=name),), value=value) if _is_centred(value):
                bindings = sum(name in bound_names([one]) for one in nodes)
                used = sum(isinstance(one, Name) and one.id == name for one in nodes) - 1
                if name not in parameters and bindings == 1 and used == 2:
                    changed = rebuilt(body, partial(_block, begin=begin, name=name))
                    if changed != body:
                        return _in_body(changed, parameters)
    return body


def _block(node: Any, *, begin: Assign, name: str) -> Any:
    """The block in which u is drawn, without that and with the draw in place of the product; None for all else."""
    if not isinstance(node, tuple) or not any(one is begin for one in node):
        return None
    place = next(k for k, one in enumerate(node) if one is begin)
    for product in once_at_most(node[place + 1 :]):
        scale = _scale(product, name)
        if scale is not None:
            source = next(one for one in walk(begin) if isinstance(one, Draw))
            parameters = (("scale", scale), ("loc", Constant(0.0, source.span)))
            family = SCIPY if _is_of_numpy(product) else source.family
            drawn = replace(source, distribution="laplace", parameters=parameters, family=family)
            return (*node[:place], *exchanged(node[place + 1 :], {id(product): drawn}))
    return node


def _is_of_numpy(product: Node) -> bool:
    """Whether NumPy has a part in it, so that the number is one of its own; a draw of SciPy's is such a number."""
    return any(isinstance(one, Call) and one.function.startswith("numpy.") for one in walk(product))


def _is_centred(value: Expression) -> bool:
    """Whether it is a uniform number between -1/2 and 1/2."""
    match value:
        case Binary(operator="-", left=Draw(distribution="random", size=None), right=Constant(value=0.5)):
            return True
        case Draw(distribution="uniform", size=None, parameters=parameters):
            ends = dict(parameters)
            return [_number(ends.get(one)) for one in ("low", "high")] == [-0.5, 0.5]
    return False


def _number(node: Expression | None) -> float | None:
    match node:
        case Constant(value=float() | int() as value):
            return float(value)
        case Unary(operator="-", operand=Constant(value=float() | int() as value)):
            return -float(value)
    return None


def _scale(product: Node, name: str) -> Expression | None:
    """Of a product that is Laplace noise its scale; None for what is no such product."""
    if not isinstance(product, Binary) or product.operator not in ("*", "/"):
        return None
    factors, divisors = _factors(product)
    sign = [one for one in factors if _is_sign(one, name)]
    logarithm = [one for one in factors if _is_logarithm(one, name)]
    if len(sign) != 1 or len(logarithm) != 1 or any(isinstance(one, Draw) for one in walk([*factors, *divisors])):
        return None
    rest = [one for one in factors if one is not sign[0] and one is not logarithm[0]]
    rest += [sign[0].arguments[0]] if isinstance(sign[0], Call) and sign[0].function in _SIGNED else []
    span = product.span
    scale = reduce(lambda one, other: Binary("*", one, other, span), rest or [Constant(1.0, span)])
    return reduce(lambda one, other: Binary("/", one, other, span), divisors, scale)


def _factors(node: Expression) -> tuple[list[Expression], list[Expression]]:
    match node:
        case Binary(operator="*", left=left, right=right):
            (one, below), (other, more) = _factors(left), _factors(right)
            return one + other, below + more
        case Binary(operator="/", left=left, right=right):
            above, below = _factors(left)
            return above, [*below, right]
        case Unary(operator="-", operand=operand):
            return _factors(operand)
    return [node], []


def _is_sign(node: Expression, name: str) -> bool:
    match node:
        case Call(function=function, arguments=(*_, Name(id=of)), keywords=()):
            many = 1 if function in _SIGNS else 2 if function in _SIGNED else 0
            return of == name and len(node.arguments) == many
    return False


def _is_logarithm(node: Expression, name: str) -> bool:
    """Whether it is log(1 - 2 * |u|)."""
    match node:
        case Call(function="math.log" | "numpy.log", arguments=(inside,), keywords=()):
            match inside:
                case Binary(operator="-", left=Constant(value=1), right=twice):
                    return _is_twice(twice, 2.0, name)
        case Call(function="math.log1p" | "numpy.log1p", arguments=(twice,), keywords=()):
            return _is_twice(twice, -2.0, name)
    return False


def _is_twice(node: Expression, factor: float, name: str) -> bool:
    match node:
        case Binary(operator="*", left=left, right=right):
            return any(
                _number(one) == factor and _is_size(other, name) for one, other in ((left, right), (right, left))
            )
    return False


def _is_size(node: Expression, name: str) -> bool:
    match node:
        case Call(function="abs" | "math.fabs" | "numpy.abs" | "numpy.absolute" | "numpy.fabs", keywords=()):
            return len(node.arguments) == 1 and isinstance(node.arguments[0], Name) and node.arguments[0].id == name
    return False
