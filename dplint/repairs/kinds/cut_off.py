"""The cut-off of the sparse vector technique: it stops after as many answers above as its noise pays for."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.subject import Subject


def _candidates(subject: Subject) -> Iterator[Candidate]:
    for node in subject.nodes:
        if not isinstance(node, ast.If) or not isinstance(loop := subject.around(node, ast.For), ast.For):
            continue
        if any(isinstance(one, ast.Break | ast.Return) for one in ast.walk(node)) or not _appends(node.body):
            continue
        below = subject.below(node.body[-1], "break")
        yield Candidate("Stop after the first answer above", (below,), f"stop {node.lineno}")
        for name in subject.counts:
            edits = (
                subject.above(loop, "count = 0"),
                subject.below(node.body[-1], f"count += 1\nif count >= {name}:\n    break"),
            )
            yield Candidate(f"Stop after {name} answers above", edits, f"stop {node.lineno}")


def _appends(body: list[ast.stmt]) -> bool:
    """Whether something is released there."""
    calls = (one for statement in body for one in ast.walk(statement) if isinstance(one, ast.Call))
    return any(isinstance(one.func, ast.Attribute) and one.func.attr == "append" for one in calls)


KIND = Kind(
    "cut-off",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    output = []
    for query in queries:
        if query + rng.laplace(scale=4 / epsilon) >= threshold:
            output.append(True)
        else:
            output.append(False)
    return output
""",
        after="""from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    threshold = T + rng.laplace(scale=2 / epsilon)
    output = []
    for query in queries:
        if query + rng.laplace(scale=4 / epsilon) >= threshold:
            output.append(True)
            break
        else:
            output.append(False)
    return output
""",
    ),
    order=13,
    second=True,
)
