"""Records clipped to bounds that are public before they are summed; or the clipped ones used, where there are some."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.subject import Subject

_LOW, _HIGH = re.compile(r"^(low|lower|lo|minimum|floor)"), re.compile(r"^(high|upper|hi|maximum|clip|bound|cap|limit)")


_CLIPS = frozenset({"min", "max", "clip"})


def _candidates(subject: Subject) -> Iterator[Candidate]:
    yield from _clipped_already(subject)
    high = next((one for one in subject.free if _HIGH.match(one)), None)
    low = next((one for one in subject.free if _LOW.match(one)), None)
    if high is None:
        return
    lower = low if low is not None else f"-{high}"
    place: ast.expr
    for node in subject.nodes:
        match node:
            case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=items)], keywords=[]) if items in subject.tainted:
                place, text = node, f"sum(min(max(one, {lower}), {high}) for one in {items})"
            case ast.AugAssign(op=ast.Add(), value=ast.Name(id=item)) if item in subject.tainted:
                place, text = node.value, f"min(max({item}, {lower}), {high})"
            case _:
                continue
        yield Candidate(f"Clip to {lower} and {high} before summing", (subject.replaced(place, text),), "clip")


def _clipped_already(subject: Subject) -> Iterator[Candidate]:
    """A sum of the raw data where a clipped copy of it has a name."""
    copies = [one for one in subject.nodes if isinstance(one, ast.Assign) and _clips(subject, one.value)]
    for copy in copies:
        name = subject.segment(copy.targets[0])
        for node in subject.nodes:
            match node:
                case ast.Call(func=ast.Name(id="sum"), args=[ast.Name(id=items) as raw]) if (
                    items == subject.mechanism.data
                ):
                    edit = subject.replaced(raw, name)
                    yield Candidate(f"Sum `{name}`, not `{items}`", (edit,), "clip")


def _clips(subject: Subject, node: ast.expr) -> bool:
    """Whether an expression clips the data."""
    called = [one.func for one in ast.walk(node) if isinstance(one, ast.Call)]
    names = {one.id if isinstance(one, ast.Name) else getattr(one, "attr", "") for one in called}
    return bool(names & _CLIPS) and subject.is_bare(node)


KIND = Kind(
    "clip",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1000.0), args={"upper": (1.0, 10.0)})
def total(rng, amounts, epsilon, upper):
    return sum(amounts) + rng.laplace(scale=upper / epsilon)
""",
        after="""from dplint import dp

@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1000.0), args={"upper": (1.0, 10.0)})
def total(rng, amounts, epsilon, upper):
    return sum(min(max(one, -upper), upper) for one in amounts) + rng.laplace(scale=upper / epsilon)
""",
    ),
    order=16,
    second=True,
)
