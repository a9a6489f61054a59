"""Proposes what a mechanism on a sample of the records may claim, so that the claim of the whole follows."""

from __future__ import annotations

import ast
import math
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from dplint.claims import Claim, Interval
from dplint.syntax import parse_expression

_LESS = 1e-9
_LARGEST = 50.0


def claims_of_samples(claim: Claim, rate: Fraction, argument: tuple[str, Interval] | None) -> Iterator[Claim]:
    """Where a claim is written as amplified, what it is amplified from; of numbers, the largest one; the same claim.

    argument: one that the rate hangs on, with what it may be.
    """
    if argument is not None and argument[0] not in dict(claim.args):
        claim = replace(claim, args=(*claim.args, argument))
    if isinstance(claim.epsilon, str):
        delta: float | str = claim.delta
        if isinstance(delta, str):
            product = parse_expression(delta)
            delta = _plain(product.right) if isinstance(product, ast.BinOp) else delta
        for node in ast.walk(parse_expression(claim.epsilon)):
            match node:
                case ast.Call(func=ast.Name(id="exp") | ast.Attribute(attr="exp"), args=[inside]):
                    yield replace(claim, epsilon=_plain(inside), delta=delta)
    elif rate > 0 and not isinstance(claim.delta, str) and claim.epsilon < _LARGEST:
        epsilon, delta = math.log1p(math.expm1(claim.epsilon) / float(rate)), claim.delta / float(rate)
        # A program may have worked it out in floats, which are not larger than what follows, or are.
        for share in (1.0, 1 - _LESS):
            yield replace(claim, epsilon=epsilon * share, delta=delta * share)
    yield claim


def _plain(node: ast.expr) -> float | str:
    """A number where it is one, else its text."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, int | float) else ast.unparse(node)
