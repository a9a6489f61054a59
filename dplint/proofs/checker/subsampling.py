"""Records of which chance has chosen some: of these a mechanism may claim more than of all of them.

A program that uses its data for nothing but to let each record in with probability q, and goes on with these, is a
mechanism on a Poisson sample. Where that keeps (e, d) for records that are added or removed, the whole keeps
(ln(1 + q (exp(e) - 1)), q d) for them (Li, Qardaji and Su, ASIACCS 2012, theorem 1; Balle, Barthe and Gaboardi,
NeurIPS 2018, theorem 8), which for q up to 1 is no more than (e, d).

So the program on all records is to be proved, for data of every length, with a claim from which that of the whole
follows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from flint import arb, ctx, fmpq

from dplint.claims import Claim
from dplint.outcomes import Scope
from dplint.program import nodes as ir
from dplint.program.walk import bound_names, walk
from dplint.proofs.checker.values import exact
from dplint.relations import Neighbourhood, relation_of

_BITS = 128


@dataclass(frozen=True, slots=True)
class Sampled:
    """A program without its sampling. rate: the share of the records that are chosen."""

    program: ir.Program
    rate: Fraction


def without_sampling(program: ir.Program, *, table: bool = False) -> Sampled | None:
    """The program that goes on with all records; None if it does not only choose some of them by chance.

    table: whether the data is one, of which an array of truth values chooses rows.
    """
    data = program.data or ""
    for place, statement in enumerate(program.body):
        if isinstance(statement, ir.Assign) and data:
            before, after = program.body[:place], program.body[place + 1 :]
            found = _sample(statement.value, data, table)
            if found is None:
                continue
            value, rate = found
            (target,) = statement.targets if len(statement.targets) == 1 else (None,)
            others = before if isinstance(target, ir.Name) and target.id == data else (*before, *after)
            used = any(isinstance(node, ir.Name) and node.id == data for node in walk(others))
            if not isinstance(target, ir.Name) or used or data in bound_names(walk(others)):
                return None
            return Sampled(replace(program, body=(*before, replace(statement, value=value), *after)), rate)
    return None


def _sample(value: ir.Expression, data: str, table: bool) -> tuple[ir.Expression, Fraction] | None:
    """What takes the place of the sample where every record is in it, and its rate."""
    match value:
        case ir.Comprehension(
            kind="list",
            element=ir.Name(id=element),
            clauses=(
                ir.Clause(target=ir.Name(id=target), iterable=ir.Name(id=name), conditions=(ir.Compare() as coin,)),
            ),
        ) if element == target and name == data and not table:
            rate, made = _rate(coin, many=False), "list"
        case ir.Subscript(
            value=ir.Name(id=name), index=ir.Compare(left=ir.Draw(size=ir.Call("len", (ir.Name(id=of),)))) as coin
        ) if name == of == data:
            rate, made = _rate(coin, many=True), "numpy.array"
        case _:
            return None
    whole = ir.Name(data, value.span)
    return None if rate is None else (whole if table else ir.Call(made, (whole,), (), value.span), rate)


def _rate(coin: ir.Compare, *, many: bool) -> Fraction | None:
    """Below what a uniform number is to be, a share. many: whether each record has one of an array."""
    match coin:
        case ir.Compare(
            left=ir.Draw(distribution="random", parameters=(), size=size),
            operators=("<" | "<=",),
            comparators=(ir.Constant(value=int() | float() as share),),
        ) if (size is not None) is many and 0 <= share <= 1:
            return Fraction(exact(share))
    return None


def claim_follows(claim: Claim, inner: Claim, sampled: Sampled) -> bool:
    """Whether a program keeps its claim if the one without sampling keeps the inner claim."""
    if relation_of(claim).definition is not Neighbourhood.ONE_MORE or claim.user is not None or claim.promise:
        return False
    if replace(claim, epsilon=inner.epsilon, delta=inner.delta) != inner:
        return False
    numbers = (claim.epsilon, inner.epsilon, claim.delta, inner.delta)
    if claim == inner or any(isinstance(one, str) for one in numbers):
        return claim == inner
    whole, part, most, delta = (Fraction(exact(one)) for one in numbers)
    with ctx.workprec(_BITS):
        high, low, share = (arb(fmpq(one.numerator, one.denominator)) for one in (whole, part, sampled.rate))
        return bool(share * low.expm1() <= high.expm1()) and sampled.rate * delta <= most and part >= 0


def speaks_of(scope: Scope) -> bool:
    """Whether a proof in the scope is one for samples of any length."""
    return scope.sizes is not None and (scope.sizes.smallest, scope.sizes.largest) == (0, None)
