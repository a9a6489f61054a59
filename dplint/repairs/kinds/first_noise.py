"""Noise for a function that has none: for what it releases or keeps, each item of a loop, or a threshold and answers.

The scales are those of the textbook: Laplace mechanism, report noisy max, sparse vector (Dwork and Roth, 2014).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from fractions import Fraction

from dplint.outcomes import Edit
from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.products import Product, factor, product_of
from dplint.repairs.subject import Subject
from dplint.syntax import parse_expression

_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)


def _candidates(subject: Subject) -> Iterator[Candidate]:
    unit = _unit(subject)
    if subject.draws or subject.program is None or unit is None:
        return
    counts = [factor(1), *(factor(1, (name,)) for name in subject.counts)]
    for name, places in (("kept", _kept(subject)), ("released", _released(subject))):
        for times in (*counts, factor(2), factor(1, (f"len({subject.mechanism.data})",))):
            noise = _noise(subject, unit.times(times))
            if places:
                edits = tuple(subject.replaced(one, _plus(subject, one, noise)) for one in places)
                what = f"`{subject.segment(places[0])}`" if len(places) == 1 else f"all that is {name}"
                yield Candidate(f"Add noise to {what}", edits, name)
    for loop in subject.nodes:
        if isinstance(loop, ast.For):
            for item in _items(subject, loop):
                yield from _of_loop(subject, loop, item, unit, counts)


def _of_loop(
    subject: Subject, loop: ast.For, item: str, unit: Product, counts: Sequence[Product]
) -> Iterator[Candidate]:
    """Items that are compared with one another, or with a threshold: that gets noise once, and each item its own."""
    first, noisy = loop.body[0], f"noisy_{item}"
    uses = _uses(loop.body, item)
    used = [subject.replaced(one, noisy) for one in uses]

    def drawn(times: Product) -> Edit:
        return subject.above(first, f"{noisy} = {item} + {_noise(subject, unit.times(times))}")

    yield Candidate(f"Add noise to each `{item}`", (drawn(factor(2)), *used), f"items {loop.lineno}")
    for threshold in _thresholds(subject, loop, item):
        other = f"noisy_{threshold}"
        compared = [subject.replaced(one, other) for one in _uses(loop.body, threshold)]

        def above(times: int, name: str = threshold, new: str = other) -> Edit:
            return subject.above(loop, f"{new} = {name} + {_noise(subject, unit.times(factor(times)))}")

        title, place = f"Compare each `{item}` with a noisy {threshold}", f"threshold {loop.lineno}"
        # An answer that is released with noise of its own costs a third.
        alone = [one for one in uses if _is_appended(subject, one)]
        for times in () if alone else [one.times(factor(more)) for more in (4, 8) for one in counts]:
            yield Candidate(title, (above(2), *compared, drawn(times), *used), place)
        for times in counts if alone else ():
            release, look = (_noise(subject, unit.times(times.times(factor(more)))) for more in (3, 6))
            noises = [(one, release if one in alone else look) for one in uses]
            edits = [subject.replaced(one, f"{item} + {noise}") for one, noise in noises]
            yield Candidate(f"{title}, and release it with fresh noise", (above(3), *compared, *edits), place)


def _unit(subject: Subject) -> Product | None:
    """The sensitivity over the claimed epsilon; None where the claim is no product."""
    claim = subject.mechanism.claim
    try:
        tree = parse_expression(str(claim.epsilon))
    except (SyntaxError, ValueError, RecursionError):
        return None
    text = str(claim.epsilon)
    spent = product_of(tree, lambda node: ast.get_source_segment(text, node) or "")
    return spent.inverse.times(factor(Fraction(str(claim.sensitivity))))


def _noise(subject: Subject, scale: Product) -> str:
    source = subject.mechanism.rng or "np.random"
    return f"{source}.laplace(scale={scale})"


def _plus(subject: Subject, node: ast.expr, noise: str) -> str:
    text = subject.segment(node)
    alone = isinstance(node, ast.Name | ast.Subscript | ast.Call | ast.BinOp | ast.Constant)
    return f"{text if alone else f'({text})'} + {noise}"


def _released(subject: Subject) -> list[ast.expr]:
    """The numbers that are released, of a list each of its own."""
    return [one for one in subject.parts_released() if subject.is_bare(one)]


def _kept(subject: Subject) -> list[ast.expr]:
    """What is kept in variables that are released."""
    names = {node.id: None for node in subject.released() if isinstance(node, ast.Name)}
    values = [one.value for name in names for one in subject.assigned(name)]
    return [one for one in values if not isinstance(one, ast.Constant | ast.List) and subject.is_bare(one)]


def _items(subject: Subject, loop: ast.For) -> list[str]:
    """The names of a loop that are data."""
    names = [one.id for one in ast.walk(loop.target) if isinstance(one, ast.Name)]
    counts = isinstance(loop.target, ast.Tuple) and isinstance(loop.iter, ast.Call)
    return [one for one in (names[1:] if counts else names) if one in subject.tainted]


def _thresholds(subject: Subject, loop: ast.For, item: str) -> list[str]:
    """Parameters that an item is compared with, by itself or as a difference."""
    found: dict[str, None] = {}
    for node in ast.walk(loop):
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], _ORDERS):
            names = {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}
            if item in names:
                found |= {one: None for one in subject.free if one in names and one not in subject.tainted}
    return [*found]


def _uses(body: Sequence[ast.stmt], name: str) -> list[ast.Name]:
    nodes = [node for statement in body for node in ast.walk(statement)]
    return [one for one in nodes if isinstance(one, ast.Name) and one.id == name and isinstance(one.ctx, ast.Load)]


def _is_appended(subject: Subject, node: ast.Name) -> bool:
    """Whether a name is released as it is."""
    parent = subject.parents[node]
    return isinstance(parent, ast.Call) and isinstance(parent.func, ast.Attribute) and parent.func.attr == "append"


KIND = Kind(
    "first-noise",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    output = []
    for query in queries:
        if query >= T:
            output.append(True)
            break
        output.append(False)
    return output
""",
        after="""from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def above(rng, queries, epsilon, T):
    output = []
    noisy_T = T + rng.laplace(scale=2 / epsilon)
    for query in queries:
        noisy_query = query + rng.laplace(scale=4 / epsilon)
        if noisy_query >= noisy_T:
            output.append(True)
            break
        output.append(False)
    return output
""",
    ),
    order=25,
)
