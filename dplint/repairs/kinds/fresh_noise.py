"""Noise where there is none, or noise of its own: for what is released, kept or compared."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.products import factor, product_of
from dplint.repairs.subject import DrawCall, Subject

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
"""A number with noise in it equals nothing."""


def _candidates(subject: Subject) -> Iterator[Candidate]:
    for node in subject.released():
        if isinstance(node, ast.Name):
            yield from _drawn_anew(subject, node)
    for node in dict.fromkeys(_places(subject)):
        for draw in _distinct(subject):
            for noise in _noises(subject, draw):
                text = subject.segment(node)
                sum_of = text if isinstance(node, ast.Name | ast.Subscript | ast.Call) else f"({text})"
                if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub | ast.Mult | ast.Div):
                    sum_of = text
                edit = subject.replaced(node, f"{sum_of} + {noise}")
                yield Candidate(f"Add noise to `{text}`", (edit,), f"noise {node.lineno}:{node.col_offset}")


def _drawn_anew(subject: Subject, node: ast.Name) -> Iterator[Candidate]:
    """A noisy number that was looked at before is drawn again where it is released."""
    for one in subject.assigned(node.id):
        if subject.has_noise(one.value):
            edit = subject.replaced(node, subject.segment(one.value))
            yield Candidate(f"Draw fresh noise for `{node.id}` where it is released", (edit,), f"fresh {node.lineno}")


def _places(subject: Subject) -> Iterator[ast.expr]:
    """Data without noise: what is released, what is compared, what is kept in a variable that is released."""
    released = [*subject.parts_released()]
    names = {node.id for node in released if isinstance(node, ast.Name)}
    compared = [
        side
        for node in subject.nodes
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], _ORDERS) and len(node.comparators) == 1
        for side in (node.left, *node.comparators)
    ]
    kept = [one.value for name in names for one in subject.assigned(name)]
    for node in (*released, *compared, *kept):
        if not isinstance(node, ast.Constant | ast.List) and subject.is_bare(node):
            yield node


def _distinct(subject: Subject) -> list[DrawCall]:
    """One draw for each text."""
    return list({subject.segment(one.node): one for one in reversed(subject.draws)}.values())[::-1]


def _noises(subject: Subject, draw: DrawCall) -> Iterator[str]:
    """The draw, and with twice its scale, and with that of a number of them."""
    yield subject.segment(draw.node)
    if draw.scale is None:
        return
    product = product_of(draw.scale, subject.segment)
    span, scale = subject.span(draw.node), subject.span(draw.scale)
    if span.line != scale.line or scale.line != scale.end_line:
        return
    text, start, end = subject.segment(draw.node), scale.column - span.column, scale.end_column - span.column
    for by in (
        factor(2),
        *(factor(1, (name,)) for name in subject.counts),
        factor(1, (f"len({subject.mechanism.data})",)),
    ):
        yield f"{text[:start]}{product.times(by)}{text[end:]}"


KIND = Kind(
    "fresh-noise",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon=1.0, neighbors="linf", size=4)
def second(rng, values):
    if values[0] > 15:
        return values[1]
    return values[1] + rng.laplace(scale=1.0)
""",
        after="""from dplint import dp

@dp(epsilon=1.0, neighbors="linf", size=4)
def second(rng, values):
    if values[0] > 15:
        return values[1] + rng.laplace(scale=1.0)
    return values[1] + rng.laplace(scale=1.0)
""",
    ),
    order=30,
)
