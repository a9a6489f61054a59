"""Records that a coin of each has let in: of these a mechanism may claim more than of all of them.

A program that uses its data for nothing but to let each record in with probability q, and goes on with these, is a
mechanism on a Poisson sample. Where that keeps (e, d) for records that are added or removed, the whole keeps
(ln(1 + q (exp(e) - 1)), q d) for them (Li, Qardaji and Su, ASIACCS 2012, theorem 1; Balle, Barthe and Gaboardi,
NeurIPS 2018, theorem 8), which for q up to 1 is no more than (e, d). So the program without the coins is to be proved,
for data of every length, with a claim from which that of the whole follows. The coins are in none of its hands.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, ctx, fmpq

from dplint.claims import Claim
from dplint.program.nodes import (
    Assign,
    Call,
    Clause,
    Compare,
    Comprehension,
    Constant,
    Draw,
    Expression,
    Name,
    Program,
    Subscript,
)
from dplint.program.walk import bound_names, walk
from dplint.proofs.checker.values import exact
from dplint.relations import Neighbourhood, relation_of
from dplint.syntax import parse_expression

_BITS = 128


@dataclass(frozen=True, slots=True)
class Sampled:
    """A program without its coins. rate: the probability of each, a number between 0 and 1 or a parameter's name."""

    program: Program
    rate: Fraction | str


def without_sampling(program: Program) -> Sampled | None:
    """The program that goes on with all records; None if it does not only let each in by a coin of its own."""
    data = program.data or ""
    for place, statement in enumerate(program.body):
        if isinstance(statement, Assign) and data:
            before, after = program.body[:place], program.body[place + 1 :]
            found = _sample(program, statement.value, data)
            if found is None:
                continue
            (target,) = statement.targets if len(statement.targets) == 1 else (None,)
            others = before if isinstance(target, Name) and target.id == data else (*before, *after)
            used = any(isinstance(node, Name) and node.id == data for node in walk(others))
            if not isinstance(target, Name) or used or data in bound_names(walk(others)):
                return None
            value, rate = found
            return Sampled(replace(program, body=(*before, replace(statement, value=value), *after)), rate)
    return None


def _sample(program: Program, value: Expression, data: str) -> tuple[Expression, Fraction | str] | None:
    """What takes the place of the sample where every record is let in, and the rate."""
    match value:
        case Comprehension(
            kind="list",
            element=Name(id=element),
            clauses=(Clause(target=Name(id=target), iterable=Name(id=name), conditions=(Compare() as coin,)),),
        ) if element == target and name == data:
            rate, made = _rate(program, coin, None), "list"
        case Subscript(value=Name(id=name), index=Compare(left=Draw(size=Call("len", (Name(id=of),))), span=_) as coin):
            rate, made = (_rate(program, coin, data), "numpy.array") if name == of == data else (None, "")
        case _:
            return None
    return None if rate is None else (Call(made, (Name(data, value.span),), (), value.span), rate)


def _rate(program: Program, coin: Compare, data: str | None) -> Fraction | str | None:
    """Of a uniform number below it. data: of what each record has a number, None for a single one."""
    draw = coin.left
    if (
        coin.operators not in (("<",), ("<=",))
        or not isinstance(draw, Draw)
        or (draw.size is None) is not (data is None)
    ):
        return None
    if (draw.distribution, draw.parameters) != ("random", ()):
        return None
    match coin.comparators[0]:
        case Constant(value=int() | float() as number) if 0 <= number <= 1:
            return Fraction(exact(number))
        case Name(id=name) if name in program.parameters and name != data and name not in bound_names(walk(program)):
            return name
    return None


def claim_follows(claim: Claim, inner: Claim, rate: Fraction | str) -> bool:
    """Whether a program keeps its claim if the one without coins keeps the inner claim, with a rate from 0 to 1."""
    if relation_of(claim).definition is not Neighbourhood.ONE_MORE or claim.user is not None:
        return False
    same = replace(claim, epsilon=inner.epsilon, delta=inner.delta)
    if same != inner:
        return False
    if claim == inner:
        return True
    if isinstance(rate, Fraction):
        return _follows_in_numbers(claim, inner, rate)
    wanted = f"log(1 + {rate} * (exp({inner.epsilon}) - 1))", f"{rate} * ({inner.delta})"
    return _alike(claim.epsilon, wanted[0]) and (claim.delta == inner.delta == 0.0 or _alike(claim.delta, wanted[1]))


def _follows_in_numbers(claim: Claim, inner: Claim, rate: Fraction) -> bool:
    numbers = (claim.epsilon, inner.epsilon, claim.delta, inner.delta)
    if any(isinstance(one, str) for one in numbers):
        wanted = f"log(1 + {float(rate)!r} * (exp({inner.epsilon}) - 1))"
        return _alike(claim.epsilon, wanted) and claim.delta == inner.delta == 0.0
    whole, part, most, delta = (Fraction(exact(one)) for one in numbers)
    with ctx.workprec(_BITS):
        high, low, share = (arb(fmpq(one.numerator, one.denominator)) for one in (whole, part, rate))
        return bool(share * low.expm1() <= high.expm1()) and rate * delta <= most and part >= 0


def _alike(expression: float | str, wanted: str) -> bool:
    """Whether a claim is written so, but for spaces, parentheses and `math.`."""
    if not isinstance(expression, str):
        return False
    one, other = (ast.dump(parse_expression(text.replace("math.", ""))) for text in (expression, wanted))
    return one == other
