"""One scale, whatever the data: noise whose scale hangs on the data tells of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.subject import Subject


def _candidates(subject: Subject) -> Iterator[Candidate]:
    names = {one.scale.id for one in subject.draws if isinstance(one.scale, ast.Name)}
    scales = [one.scale for one in subject.draws if one.scale is not None]
    values = [one.value for name in sorted(names) for one in subject.assigned(name)]
    for node in (*scales, *values):
        if isinstance(node, ast.IfExp) and subject.hangs_on_data(node.test):
            for side in (node.orelse, node.body):
                text = subject.segment(side)
                yield Candidate(f"The scale is always {text}", (subject.replaced(node, text),), f"same {node.lineno}")
    for node in values:
        test = subject.around(node, ast.If)
        if isinstance(test, ast.If) and len(test.body) == 1 and not test.orelse and subject.hangs_on_data(test.test):
            yield Candidate("Draw with one scale, whatever the data", (subject.without(test),), f"same {node.lineno}")
        elif isinstance(test, ast.If):
            for other in values:
                text = subject.segment(other)
                if text != subject.segment(node) and not subject.hangs_on_data(other):
                    yield Candidate(
                        f"The scale is always {text}", (subject.replaced(node, text),), f"same {node.lineno}"
                    )


KIND = Kind(
    "same-scale",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon=1.0, neighbors="linf", size=4)
def first(rng, values):
    scale = 0.5 if values[1] > 20 else 1.0
    return values[0] + rng.laplace(scale=scale)
""",
        after="""from dplint import dp

@dp(epsilon=1.0, neighbors="linf", size=4)
def first(rng, values):
    scale = 1.0
    return values[0] + rng.laplace(scale=scale)
""",
    ),
    order=17,
    second=True,
)
