"""Looking for terms inside of other terms."""

from __future__ import annotations

from dplint.rules.flow.terms import Term, TermKind, inside

_ARITHMETIC = (TermKind.OPERATION, TermKind.CALL, TermKind.CHOICE, TermKind.EXIT, TermKind.COMPARISON)


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
