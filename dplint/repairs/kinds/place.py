"""Where the largest noisy answer is, in place of what it is: the noise of a selection pays for the place alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.subject import Subject

_TITLE = "Return the place of the {name}, not its value"
_NAMES = ("winner", "place", "index_of_best")


def _candidates(subject: Subject) -> Iterator[Candidate]:
    for node in subject.released():
        match node:
            case ast.Call(func=ast.Name(id="max" | "min" as name), args=[ast.Name(id=items)], keywords=[]):
                edit = subject.replaced(node, f"{items}.index({name}({items}))")
                yield Candidate(_TITLE.format(name="largest" if name == "max" else "smallest"), (edit,), "place")
            case ast.Name(id=name) if isinstance(subject.parents[node], ast.Return):
                yield from _kept_along(subject, node, name)


def _kept_along(subject: Subject, node: ast.Name, name: str) -> Iterator[Candidate]:
    """The turn of a loop is kept beside the best answer so far, and returned."""
    taken = {one.id for one in subject.nodes if isinstance(one, ast.Name)} | set(subject.free)
    new = next((one for one in _NAMES if one not in taken), None)
    for kept in subject.assigned(name):
        loop = subject.around(kept, ast.For)
        turn = _turn(loop)
        first = next((one for one in subject.assigned(name) if subject.around(one, ast.For) is None), None)
        if (
            loop is None
            or turn is None
            or first is None
            or new is None
            or not isinstance(subject.around(kept, ast.If), ast.If)
        ):
            continue
        edits = (
            subject.below(first, f"{new} = 0"),
            subject.below(kept, f"{new} = {turn}"),
            subject.replaced(node, new),
        )
        yield Candidate(_TITLE.format(name="best"), edits, "place")


def _turn(loop: ast.AST | None) -> str | None:
    """The name that counts the turns of a loop over `enumerate` or `range`."""
    match loop:
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=name), _]), iter=ast.Call(func=ast.Name(id="enumerate"))):
            return name
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"), args=[_])):
            return name
    return None


KIND = Kind(
    "place",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def most_visited(rng, counts, epsilon):
    noisy = [count + rng.laplace(scale=2 / epsilon) for count in counts]
    return max(noisy)
""",
        after="""from dplint import dp

@dp(epsilon="epsilon", neighbors="linf")
def most_visited(rng, counts, epsilon):
    noisy = [count + rng.laplace(scale=2 / epsilon) for count in counts]
    return noisy.index(max(noisy))
""",
    ),
    order=11,
)
