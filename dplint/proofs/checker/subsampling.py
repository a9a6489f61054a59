"""Records of which chance has chosen some: of these a mechanism may claim more than of all of them.

A program that uses its data for nothing but to let each record in with probability q, and goes on with these, is a
mechanism on a Poisson sample. Where that keeps (e, d) for records that are added or removed, the whole keeps
(ln(1 + q (exp(e) - 1)), q d) for them (Li, Qardaji and Su, ASIACCS 2012, theorem 1; Balle, Barthe and Gaboardi,
NeurIPS 2018, theorem 8), which for q up to 1 is no more than (e, d).

One that goes on with m of n records, drawn without replacement, keeps the same with q = m / n for records that are
replaced (Balle, Barthe and Gaboardi, theorem 9); all data of the claim has the same n, so it is known to both. That
speaks of sets; here the sample has an order, each as likely as any other, in which a record that is replaced keeps its
place, and so does one that comes in its stead: the coupling of their proof is one of sequences, too. Where there are
fewer than m records both runs end by the same exception, or all records are taken, for which q counts as 1.

So the program on all records is to be proved, for data of every length, with a claim from which that of the whole
follows. What it says of its arguments has to be within what the sampling is known for.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, ctx, fmpq

from dplint.claims import Categories, Claim, Fixed, Interval, Literal
from dplint.outcomes import ArgumentScope, Scope
from dplint.program.nodes import (
    Assign,
    Call,
    Clause,
    Compare,
    Comprehension,
    Constant,
    Draw,
    Expression,
    If,
    Name,
    Program,
    Raise,
    Slice,
    Statement,
    Subscript,
)
from dplint.program.walk import bound_names, walk
from dplint.proofs.checker.values import exact
from dplint.relations import Neighbourhood, relation_of
from dplint.syntax import parse_expression

_BITS = 128
_SHARE = Interval(0.0, 1.0, False)
_COUNT = Interval(1.0, math.inf, True)


@dataclass(frozen=True, slots=True)
class Sampled:
    """A program without its sampling.

    relation: of the neighbours that gain by it. rate: the share of the records that are chosen, at most. written: the
    same as a claim may write it. argument: of the program that is in there, and the values that it may have. smallest:
    the length of the data from which on this holds.
    """

    program: Program
    relation: Neighbourhood
    rate: Fraction
    written: str
    argument: tuple[str, Interval] | None = None
    smallest: int = 0


def without_sampling(program: Program, claim: Claim, *, table: bool = False) -> Sampled | None:
    """The program that goes on with all records; None if it does not only choose some of them by chance.

    table: whether the data is one, of which an array of truth values chooses rows.
    """
    data = program.data or ""
    for place, statement in enumerate(program.body):
        if isinstance(statement, Assign) and data:
            before, after = program.body[:place], program.body[place + 1 :]
            found = _sample(program, statement.value, data, table)
            if found is None:
                continue
            value, sampled = found
            if sampled.relation is Neighbourhood.ONE_REPLACED:
                before, sampled = _of_some_length(before, sampled, claim, data)
            (target,) = statement.targets if len(statement.targets) == 1 else (None,)
            others = before if isinstance(target, Name) and target.id == data else (*before, *after)
            used = any(isinstance(node, Name) and node.id == data for node in walk(others))
            if not isinstance(target, Name) or used or data in bound_names(walk(others)):
                return None
            body = (*before, replace(statement, value=value), *after)
            return replace(sampled, program=replace(program, body=body))
    return None


def _sample(program: Program, value: Expression, data: str, table: bool) -> tuple[Expression, Sampled] | None:
    """What takes the place of the sample where every record is in it, and how it is drawn."""
    coins, amount = Neighbourhood.ONE_MORE, Neighbourhood.ONE_REPLACED
    match value:
        case Comprehension(
            kind="list",
            element=Name(id=element),
            clauses=(Clause(target=Name(id=target), iterable=Name(id=name), conditions=(Compare() as coin,)),),
        ) if element == target and name == data:
            relation, made = coins, "list"
            bound: Expression | None = _threshold(coin, None)
        case Subscript(value=Name(id=name), index=Compare(left=Draw(size=Call("len", (Name(id=of),)))) as coin) if (
            name == of == data
        ):
            relation, made, bound = coins, "numpy.array", _threshold(coin, data)
        case Draw(distribution="choice", size=Constant() | Name() as bound) if _of_data(value, "a", data):
            given = {name: one.value for name, one in value.parameters if isinstance(one, Constant)}
            if (given.get("replace"), given.get("p", value)) != (False, None):
                return None
            relation, made = amount, "list" if value.family == "python" else "numpy.array"
        case Subscript(
            value=Draw(distribution="permutation", size=None) as draw,
            index=Slice(start=None, stop=Constant() | Name() as bound, step=None),
        ) if _of_data(draw, "x", data):
            relation, made = amount, "numpy.array"
        case _:
            return None
    sampled = None if bound is None else _drawn(program, relation, bound, data)
    if sampled is None or (table and not (coins is relation and isinstance(value, Subscript))):
        return None
    whole = Name(data, value.span)
    return (whole if table else Call(made, (whole,), (), value.span)), sampled


def _of_data(draw: Draw, parameter: str, data: str) -> bool:
    items = dict(draw.parameters)[parameter]
    return isinstance(items, Name) and items.id == data


def _threshold(coin: Compare, data: str | None) -> Expression | None:
    """What a uniform number is to be below. data: of what each record has a number, None for a single one."""
    draw = coin.left
    if not isinstance(draw, Draw) or (draw.size is None) is not (data is None):
        return None
    uniform = (draw.distribution, draw.parameters) == ("random", ())
    return coin.comparators[0] if uniform and coin.operators in (("<",), ("<=",)) else None


def _drawn(program: Program, relation: Neighbourhood, bound: Expression, data: str) -> Sampled | None:
    """By coins that are let in below the bound, or so many of the records: a number, or an argument as it was given."""
    coins = relation is Neighbourhood.ONE_MORE
    written = "{}" if coins else f"{{}} / len({data})"
    match bound:
        case Constant(value=int() | float() as number) if coins and 0 <= number <= 1:
            return Sampled(program, relation, Fraction(exact(number)), repr(float(number)))
        case Constant(value=int() as number) if type(number) is int and number >= 0:
            return Sampled(program, relation, Fraction(number), written.format(number)) if not coins else None
        case Name(id=name) if name in program.parameters and name != data and name not in bound_names(walk(program)):
            values = _SHARE if coins else _COUNT
            return Sampled(program, relation, Fraction(1), written.format(name), (name, values))
    return None


def _of_some_length(
    before: tuple[Statement, ...], sampled: Sampled, claim: Claim, data: str
) -> tuple[tuple[Statement, ...], Sampled]:
    """What comes before the sample without `if len(data) < ...: raise ...`, and the rate for data that is let through.

    Neighbours have one length, so that both are refused, or neither is.
    """
    bounds = [_refused_below(one, data) for one in before]
    refused = max((one.value for one in bounds if isinstance(one, Constant) and type(one.value) is int), default=0)
    named = min(claim.size or (0,))
    least = max(refused, named, 0)
    counted = sampled.argument is None and least > 0
    rate = min(sampled.rate / least, Fraction(1)) if counted else Fraction(1)
    kept = tuple(one for one, bound in zip(before, bounds, strict=True) if bound is None)
    return kept, replace(sampled, rate=rate, smallest=least if counted and least > refused else 0)


def _refused_below(statement: Statement, data: str) -> Expression | None:
    """The number below which the length of the data is refused, by a message without the data; None for all else."""
    match statement:
        case If(
            test=Compare(
                left=Call("len", (Name(id=name),), ()), operators=("<",), comparators=(Constant() | Name() as bound,)
            ),
            body=(Raise(arguments=told),),
            orelse=(),
        ) if name == data and all(isinstance(one, Constant) for one in told):
            return None if isinstance(bound, Name) and bound.id == data else bound
    return None


def claim_follows(claim: Claim, inner: Claim, sampled: Sampled) -> bool:
    """Whether a program keeps its claim if the one without sampling keeps the inner claim."""
    if relation_of(claim).definition is not sampled.relation or claim.user is not None:
        return False
    same = replace(claim, epsilon=inner.epsilon, delta=inner.delta, args=inner.args)
    if same != inner or any(one not in inner.args for one in claim.args):
        return False
    if (claim.epsilon, claim.delta) == (inner.epsilon, inner.delta):
        return True
    numbers = (claim.epsilon, inner.epsilon, claim.delta, inner.delta)
    if any(isinstance(one, str) for one in numbers):
        wanted = f"log(1 + {sampled.written} * (exp({inner.epsilon}) - 1))", f"{sampled.written} * ({inner.delta})"
        return _alike(claim.epsilon, wanted[0]) and (
            claim.delta == inner.delta == 0.0 or _alike(claim.delta, wanted[1])
        )
    whole, part, most, delta = (Fraction(exact(one)) for one in numbers)
    with ctx.workprec(_BITS):
        high, low, share = (arb(fmpq(one.numerator, one.denominator)) for one in (whole, part, sampled.rate))
        return bool(share * low.expm1() <= high.expm1()) and sampled.rate * delta <= most and part >= 0


def speaks_of(scope: Scope, sampled: Sampled) -> bool:
    """Whether a proof in the scope is one for samples of any length, and for no more arguments than sampling is."""
    if scope.sizes is None or (scope.sizes.smallest, scope.sizes.largest) != (0, None):
        return False
    if sampled.argument is None:
        return True
    name, known = sampled.argument
    return all(one.name != name or _lie_in(one, known) for one in scope.arguments)


def _lie_in(argument: ArgumentScope, known: Interval) -> bool:
    values = argument.values
    if isinstance(values, Fixed | Categories):
        listed = (values.value,) if isinstance(values, Fixed) else values.values
        return all(type(one) in (int, float)[: 2 - known.integer] and _within(one, known) for one in listed)
    return known.low <= values.low and values.high <= known.high and (values.integer or not known.integer)


def _within(value: Literal, known: Interval) -> bool:
    return isinstance(value, int | float) and known.low <= value <= known.high


def _alike(expression: float | str, wanted: str) -> bool:
    """Whether a claim is written so, but for spaces, parentheses and `math.`."""
    if not isinstance(expression, str):
        return False
    one, other = (ast.dump(parse_expression(text.replace("math.", ""))) for text in (expression, wanted))
    return one == other
