"""A parameter in place of what is read off the data: a domain, bounds, or a size that is public."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from dplint.repairs.kind import Candidate, Example, Kind
from dplint.repairs.subject import Subject

_READ_OFF = frozenset({"set", "len", "max", "min", "sorted", "unique", "Counter", "keys", "mean", "std", "ptp"})


def _candidates(subject: Subject) -> Iterator[Candidate]:
    used = {one.id for one in subject.nodes if isinstance(one, ast.Name)}
    names = [*(one for one in subject.free if one not in used), *(one for one in subject.free if one in used)]
    size = subject.mechanism.claim.size
    for node in _read_off(subject):
        numbers = [str(size[0])] if size is not None and len(size) == 1 and _called(node) == "len" else []
        for text in (*names, *numbers):
            edit = subject.replaced(node, text)
            yield Candidate(
                f"Take `{text}` in place of `{subject.segment(node)}`, which is read off the data", (edit,), "public"
            )


def _read_off(subject: Subject) -> Iterator[ast.expr]:
    """Calls that read a property off the data, but those around others; and what loops go over but the data itself."""
    found = [
        one
        for one in subject.nodes
        if isinstance(one, ast.Call) and _called(one) in _READ_OFF and not _mixed(subject, one)
    ]
    loops = [one.iter for one in subject.nodes if isinstance(one, ast.For | ast.comprehension)]
    found_in_loops = [one for one in loops if _called(one) in _READ_OFF and not _mixed(subject, one)]
    yield from dict.fromkeys((*found_in_loops, *found))


def _mixed(subject: Subject, node: ast.expr) -> bool:
    return subject.has_noise(node) or not subject.hangs_on_data(node)


def _called(node: ast.expr) -> str:
    function = node.func if isinstance(node, ast.Call) else node
    return (
        function.attr if isinstance(function, ast.Attribute) else function.id if isinstance(function, ast.Name) else ""
    )


KIND = Kind(
    "public-value",
    _candidates,
    Example(
        before="""from dplint import dp

@dp(epsilon=1.0, neighbors="add-remove", domain=["north", "south"], args={"regions": ["north,south"]})
def by_region(rng, records, regions):
    noisy = {}
    for region in set(records):
        noisy[region] = records.count(region) + rng.laplace(scale=1.0)
    return noisy
""",
        after="""from dplint import dp

@dp(epsilon=1.0, neighbors="add-remove", domain=["north", "south"], args={"regions": ["north,south"]})
def by_region(rng, records, regions):
    noisy = {}
    for region in regions:
        noisy[region] = records.count(region) + rng.laplace(scale=1.0)
    return noisy
""",
    ),
    order=15,
    second=True,
)
