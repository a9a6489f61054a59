"""Looking for terms inside of other terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from dplint.rules.flow.terms import Term, TermKind

_ARITHMETIC = (TermKind.OPERATION, TermKind.CALL, TermKind.CHOICE, TermKind.EXIT, TermKind.COMPARISON)


def inside(term: Term, follow: Callable[[Term], bool] | None = None) -> Iterator[Term]:
    """The term and what it is made of, each once. follow: whether to look into a term; by default into all of them."""
    pending, seen = [term], {term}
    while pending:
        one = pending.pop()
        yield one
        if follow is None or follow(one):
            new = [other for other in one.args if other not in seen]
            seen.update(new)
            pending += new


def is_arithmetic(term: Term) -> bool:
    """Whether a term is made by operators and functions, not by loops, containers or draws."""
    return term.kind in _ARITHMETIC


def logarithm_of_delta(term: Term) -> Term | None:
    """The `log(1.25 / delta)` of the classic Gaussian mechanism inside a scale, None if there is none."""
    for one in inside(term, is_arithmetic):
        if one.kind is TermKind.CALL and one.name == "log" and one.args:
            for part in inside(one.args[0], is_arithmetic):
                if part.kind is TermKind.CONSTANT and part.value == 1.25:
                    return one
    return None
