"""DP608: the delta of an accountant is made of the number of records."""

from __future__ import annotations

from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind
from dplint.rules.training import full_name

_LIBRARIES = ("opacus.", "dp_accounting.", "tensorflow_privacy.", "prv_accountant.", "jax_privacy.")
_DELTAS = ("target_delta", "delta")


def check(context: Context) -> Reports:
    """Deltas that are a number over the length of the data."""
    for term in context.graph.terms:
        given = term.argument(*_DELTAS) if full_name(term).startswith(_LIBRARIES) else None
        counted = _share(context, given) if given is not None else None
        if counted is None or given is None:
            continue
        share, length = counted
        if context.records_come_and_go:
            message = (
                "this delta tells how many records there are, which is private, and is no number that a claim can "
                "name: write a number far below one over the records"
            )
        elif share is not None and share >= 0.1:
            message = (
                "a delta of one over the records lets one of them be published as it is: write a number far below it"
            )
        else:
            continue
        yield Report(given.node, message, context.claim_and((length.node, "the records")))


def _share(context: Context, delta: Term) -> tuple[float | None, Term] | None:
    """What a delta is times the number of records, None inside if that is not known, and the number; else None."""
    if not delta.is_operation(("/", "*")):
        return None
    sides = [side for side in delta.args if side.kind is TermKind.LENGTH or side.kind is TermKind.OPERATION]
    length = next((inner for side in sides if (inner := _length(context, side)) is not None), None)
    if length is None:
        return None
    share = delta.args[0].value if delta.name == "/" and delta.args[1] is length else None
    return (float(share) if isinstance(share, int | float) else None), length


def _length(context: Context, term: Term) -> Term | None:
    if term.kind is TermKind.LENGTH:
        return term if context.exposed.depends(term.args[0]) and _is_whole(term.args[0]) else None
    arithmetic = term.is_operation(("/", "*", "**"))
    return (
        next((inner for part in term.args if (inner := _length(context, part)) is not None), None)
        if arithmetic
        else None
    )


def _is_whole(term: Term) -> bool:
    """Whether it is the data, or what holds all of it: `len(loader.dataset)`."""
    held = term.kind is TermKind.CALL and term.value == ".dataset"
    return term.kind is TermKind.DATA or held or term.is_call(("list", "array"))


RULE = Rule("DP608", check, foretells=False)
