"""The gap to the noisy threshold in place of the noisy answer that was compared with it (Wang et al., PLDI 2019)."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.subject import Subject


def _candidates(subject: Subject) -> Iterator[Candidate]:
    for node in subject.released():
        test = subject.around(node, ast.If)
        if not isinstance(node, ast.Name) or not isinstance(test, ast.If):
            continue
        for other in _compared_with(test.test, node.id):
            edit = subject.replaced(node, f"{node.id} - {subject.segment(other)}")
            yield Candidate("Release the gap to the threshold, not the answer", (edit,), f"gap {node.lineno}")


def _compared_with(test: ast.expr, name: str) -> Iterator[ast.expr]:
    """Noisy numbers that a condition compares a name with: by itself, or less that number."""
    match test:
        case ast.Compare(left=ast.Name(id=left), ops=[_], comparators=[ast.Name() as other]) if left == name:
            yield other
        case ast.Compare(left=ast.BinOp(left=ast.Name(id=left), op=ast.Sub(), right=ast.Name() as other)):
            if left == name:
                yield other


KIND = Kind(
    "gap",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def first_above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    for query in queries:
        noisy = query + rng.laplace(scale=4 / epsilon)
        if noisy > threshold:
            return noisy
    return None
""",
        after="""from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def first_above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    for query in queries:
        noisy = query + rng.laplace(scale=4 / epsilon)
        if noisy > threshold:
            return noisy - threshold
    return None
""",
    ),
    order=12,
)
