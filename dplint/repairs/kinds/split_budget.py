"""A budget that several calls spend: each gets its part of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.subject import Subject


def _candidates(subject: Subject) -> Iterator[Candidate]:
    drawn = {part for one in subject.draws for part in ast.walk(one.node)}
    passed = [
        one
        for node in subject.nodes
        if isinstance(node, ast.Call) and node not in drawn
        for one in (*node.args, *(keyword.value for keyword in node.keywords))
        if isinstance(one, ast.Name) and one.id in subject.claimed
    ]
    loops = [one.iter for one in subject.nodes if isinstance(one, ast.For | ast.comprehension)]
    parts = [str(max(2, len(passed))), *subject.counts]
    parts += [f"len({subject.segment(one)})" for one in loops if isinstance(one, ast.Name)]
    for part in dict.fromkeys(parts) if passed else ():
        edits = tuple(subject.replaced(one, f"{one.id} / {part}") for one in passed)
        yield Candidate(f"Give each call its part of the budget: / {part}", edits, "split")


KIND = Kind(
    "split-budget",
    _candidates,
    Example(
        before="""from dplint import dp

def noisy(rng, value, epsilon):
    return value + rng.laplace(scale=1 / epsilon)

@dp(epsilon="epsilon", neighbors="l1")
def twice(rng, value: float, epsilon):
    return noisy(rng, value, epsilon), noisy(rng, value, epsilon)
""",
        after="""from dplint import dp

def noisy(rng, value, epsilon):
    return value + rng.laplace(scale=1 / epsilon)

@dp(epsilon="epsilon", neighbors="l1")
def twice(rng, value: float, epsilon):
    return noisy(rng, value, epsilon / 2), noisy(rng, value, epsilon / 2)
""",
    ),
    order=14,
    second=True,
)
