"""Claims from which one by another definition may follow: a pure one, and one of normal noise alone."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from dplint.claims import Claim, Promise
from dplint.definitions import ORDER, at_order, claimed_amounts
from dplint.expressions import ExpressionError, expression_parameters
from dplint.proofs.checker.currency import KINDS
from dplint.proofs.checker.inputs import RANGE


def inner_claims(claim: Claim) -> Iterator[Claim]:
    """To be tried in turn, normal noise first: the checker says whether the claim follows."""
    promise = claim.promise
    if promise is None or promise.kind not in KINDS:
        return
    for normal in [Promise("mu", promise.amounts)] if promise.kind == "mu" else _rhos(promise):
        yield replace(claim, epsilon=normal.amounts[0], delta=0.0, promise=normal)
    for ranged in _pure(promise, 2.0):
        yield replace(claim, epsilon=ranged, delta=0.0, promise=Promise(RANGE, (ranged,)))
    for epsilon in _pure(promise, 1.0):
        yield replace(claim, epsilon=epsilon, delta=0.0, promise=None)


def _rhos(promise: Promise) -> Iterator[Promise]:
    """The largest rho of which all orders follow, as far as it is known; of numbers also a bit less."""
    amounts = promise.amounts
    if promise.kind == "rho":
        yield Promise("rho", amounts[:1])
        return
    if promise.of_all_orders:
        (bound,) = amounts
        if isinstance(bound, str):
            yield Promise("rho", (at_order(bound, 1),))
        return
    pairs = list(zip(amounts[::2], amounts[1::2], strict=True))
    numbers = [bound / order for order, bound in pairs if not isinstance(order, str) and not isinstance(bound, str)]
    if len(numbers) == len(pairs):
        yield from (Promise("rho", (one,)) for one in (min(numbers), math.nextafter(min(numbers), 0)))
    elif len(pairs) == 1:
        yield Promise("rho", (f"({pairs[0][1]}) / {pairs[0][0]}",))


def _pure(promise: Promise, times: float) -> Iterator[float | str]:
    """So many times what epsilon may be at most: a number, or a multiple of the only parameter."""
    names = {
        name for one in promise.amounts if isinstance(one, str) for name in expression_parameters(one) if name != ORDER
    }
    if not names:
        yield _below(times * _most(promise, {}))
    elif len(names) == 1:
        (name,) = names
        try:
            factor = _below(times * _most(promise, {name: 1.0}))
        except ExpressionError:
            return
        yield name if factor == 1 else f"{factor!r} * {name}"


def _most(promise: Promise, values: dict[str, float]) -> float:
    amounts = claimed_amounts(promise, dict(values)).amounts
    if promise.kind == "mu":
        half = amounts[0] / 2
        return math.log(math.erfc(-half / math.sqrt(2)) / math.erfc(half / math.sqrt(2)))
    if promise.kind == "rho":
        return math.sqrt(2 * amounts[0])
    pairs = zip(amounts[::2], amounts[1::2], strict=True)
    return min(max(bound, math.sqrt(2 * bound / order)) for order, bound in pairs)


def _below(number: float) -> float:
    """A bit less: a number that is a short decimal stays one."""
    short = float(f"{number:.9g}")
    return short if abs(short - number) <= 1e-15 * number else number * (1 - 1e-12)
