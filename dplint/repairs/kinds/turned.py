"""A fraction turned round: `epsilon` in place of `1 / epsilon`."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.products import product_of
from dplint.repairs.subject import Subject


def _candidates(subject: Subject) -> Iterator[Candidate]:
    for draw in subject.draws:
        if draw.scale is None:
            continue
        product = product_of(draw.scale, subject.segment)
        if any(name in part for part in product.top for name in subject.claimed):
            turned = str(product.inverse)
            edit = subject.replaced(draw.scale, turned)
            yield Candidate(f"Turn the scale round: {turned}", (edit,), f"turned {draw.node.lineno}")


KIND = Kind(
    "turned",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon="epsilon", neighbors="l1")
def total(rng, value: float, epsilon):
    return value + rng.laplace(scale=epsilon / 2)
""",
        after="""from dplint import dp

@dp(epsilon="epsilon", neighbors="l1")
def total(rng, value: float, epsilon):
    return value + rng.laplace(scale=2 / epsilon)
""",
    ),
    order=10,
    second=True,
)
