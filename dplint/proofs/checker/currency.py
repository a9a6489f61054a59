"""Whether a claim by another definition follows from one that the other parts of the checker know.

Lemmas, with their proofs in `docs/proofs.md`, of a claim for which *pure* epsilon is shown:

- rho = epsilon**2 / 2 (Bun and Steinke, TCC 2016, proposition 1.4);
- a Renyi divergence of order alpha is at most epsilon, and at most alpha * epsilon**2 / 2 (the same);
- mu where Phi(mu / 2) >= e**epsilon Phi(-mu / 2) (Dong, Roth and Su, JRSS B 2022: the two trade-off curves).

Of one whose losses lie within epsilon of one another, a *range*, which `choices.check_choices` shows: rho is
epsilon**2 / 8, and Renyi divergences are alpha * epsilon**2 / 8 (Cesar and Rogers, ALT 2021, lemma 3.2).

And of one for which *normal* noise is shown that moves by mu of its sigmas: mu; rho = mu**2 / 2; and a Renyi divergence
of alpha * mu**2 / 2. `gaussian.check_gaussian` shows that; no other part of the checker accepts a promise.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import z3
from flint import arb, ctx, fmpq

from dplint.claims import Claim, Promise
from dplint.definitions import ORDER
from dplint.expressions import expression_parameters
from dplint.proofs.checker.inputs import RANGE, claimed
from dplint.proofs.checker.known import Known
from dplint.proofs.checker.values import NotProved, Value, term

KINDS = frozenset({"rho", "mu", "renyi"})
"""Definitions by which a promise may follow; of others nothing is shown."""
_BITS = 128


def follows(claim: Claim, inner: Claim) -> bool:
    """Whether a mechanism keeps its claim if it keeps the inner one, which is pure, or of normal noise alone."""
    if (
        claim.promise is None
        or claim.promise.kind not in KINDS
        or replace(inner, epsilon=claim.epsilon, delta=claim.delta, promise=claim.promise) != claim
    ):
        return False
    if inner.delta != 0.0 or _names(claim.promise.amounts) != _names((inner.epsilon,)):
        return False  # of what else is claimed, nothing is known to be positive
    return _follows(claim.promise, inner.promise, inner.epsilon)


@cache
def _follows(promise: Promise, inner: Promise | None, amount: float | str) -> bool:
    """amount: epsilon where inner is None, else what it promises."""
    if inner is not None and (inner.kind not in ("rho", "mu", RANGE) or inner.amounts != (amount,)):
        return False
    if promise.kind == "mu":
        return inner == promise if inner is not None else _within_mu(promise.amounts[0], amount)
    bounds = _rho_bounds(promise)
    if inner is not None:
        rule = {"rho": _of_rho, RANGE: _of_range}.get(inner.kind)
        return rule is not None and all(_holds(order, amount, bound, rule) for order, bound in bounds)
    return all(_holds(order, amount, bound, _of_epsilon) for order, bound in bounds)


def _rho_bounds(promise: Promise) -> list[tuple[float | None, float | str]]:
    """Orders, and how large a divergence of that order may be; None for any order, and of rho for all of them."""
    if promise.kind == "rho":
        return [(None, f"({promise.amounts[0]}) * {ORDER}")]
    if promise.of_all_orders:
        return [(None, promise.amounts[0])]
    return list(zip(promise.amounts[::2], promise.amounts[1::2], strict=True))  # type: ignore[arg-type]


def _of_rho(amount: z3.ArithRef, order: z3.ArithRef, bound: z3.ArithRef) -> z3.BoolRef:
    return amount * order <= bound


def _of_range(amount: z3.ArithRef, order: z3.ArithRef, bound: z3.ArithRef) -> z3.BoolRef:
    return order * amount * amount <= 8 * bound


def _of_epsilon(amount: z3.ArithRef, order: z3.ArithRef, bound: z3.ArithRef) -> z3.BoolRef:
    return z3.Or(amount <= bound, order * amount * amount <= 2 * bound)


def _holds(order: float | None, amount: float | str, bound: float | str, allowed: object) -> bool:
    """Whether it is so for all positive values of the parameters, and of the order above 1 if none is given."""
    assert callable(allowed)
    names = {name: z3.Real(name) for name in (*_names((amount, bound)), ORDER)}
    world = [*(one > 0 for one in names.values()), names[ORDER] > 1]
    if order is not None:
        world.append(names[ORDER] == term(Fraction(order)))
    given: dict[str, Value] = dict(names)
    try:
        known, most = (term(claimed(one, given, "", None)) for one in (amount, bound))
        return Known(world).certain(allowed(known, names[ORDER], most))
    except NotProved:
        return False


def _within_mu(mu: float | str, epsilon: float | str) -> bool:
    """Whether no pure mechanism with this epsilon is told apart better than two normal laws with this mu."""
    if isinstance(mu, str) or isinstance(epsilon, str):
        return False
    with ctx.workprec(_BITS):
        half, most = (arb(fmpq(*one.as_integer_ratio())) for one in (mu / 2, epsilon))
        root = arb(2).sqrt()
        return bool((-half / root).erfc() >= most.exp() * (half / root).erfc())


def _names(expressions: tuple[float | str, ...]) -> frozenset[str]:
    texts = [one for one in expressions if isinstance(one, str)]
    return frozenset[str]().union(*(expression_parameters(one) for one in texts)) - {ORDER}
