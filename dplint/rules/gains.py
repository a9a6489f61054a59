"""How far a value moves at least, where the data moves as far as the claim allows."""

from __future__ import annotations

from dplint.claims import Interval
from dplint.program.calls import words
from dplint.rules.context import Context
from dplint.rules.flow.terms import Term, TermKind


def moves_fully(context: Context, term: Term) -> bool:
    """Whether a value certainly moves by the whole sensitivity of the claim, or, for records, by one.

    An element of a vector, and a sum of all of them, do; of records the counts do, and sums of values that are clipped
    to bounds that far apart. For everything else the answer is no, which means that it is not known.
    """
    if context.on_vectors:
        return _is_element(term) or _is_sum(term)
    return context.on_records and (_is_count(term) or _moves_by_one(context, term))


def share_of_move(context: Context, term: Term) -> float | None:
    """The share of the data's own move that is left in a value, at most 1; None where a factor is not known.

    Averages, weights and units make it smaller. Of what is neither arithmetic nor a copy, nothing is said: it is 1.
    """
    return _share(context, term, {})


def _share(context: Context, term: Term, known: dict[Term, float | None]) -> float | None:
    if term not in known:
        known[term] = 1.0  # in a circle
        known[term] = _work_out_share(context, term, known)
    return known[term]


def _work_out_share(context: Context, term: Term, known: dict[Term, float | None]) -> float | None:
    moving = [one for one in term.args if context.exposed.depends(one)]
    if not moving or not (
        term.kind is TermKind.OPERATION or (term.kind is TermKind.CALL and term.name in words("moves"))
    ):
        return 1.0
    least = 1.0
    for one in moving:
        share = _share(context, one, known)
        if share is None:
            return None
        least = min(least, share)
    if term.name not in ("*", "/") or len(term.args) != 2 or len(moving) != 1:
        return least
    one, other = term.args
    if moving[0] is other:
        if term.name == "/":
            return None
        other = one
    factor = context.algebra.single(other)
    if factor is None or not factor.exact or factor.powers or not factor.coefficient:
        return None
    size = abs(factor.coefficient)
    return least * min(1.0, 1 / size if term.name == "/" else size)


def _is_data(term: Term) -> bool:
    while term.kind is TermKind.CALL and term.name in (
        "list",
        "tuple",
        "array",
        "float",
        "copy",
        "reversed",
        "enumerate",
    ):
        if len(term.args) != 1:
            return False
        term = term.args[0]
    return term.kind is TermKind.DATA


def _is_element(term: Term) -> bool:
    if term.kind is TermKind.DATA:
        return term.value == "scalar"
    if term.kind is TermKind.ELEMENT:
        return _is_data(term.args[0])
    return (
        term.kind is TermKind.OPERATION
        and term.name == "[]"
        and len(term.args) == 2
        and (_is_data(term.args[0]) and term.args[1].name != "slice")
    )


def _is_sum(term: Term) -> bool:
    if term.kind is TermKind.CALL and term.name == "sum":
        return len(term.args) == 1 and _is_data(term.args[0])
    return _accumulates(term, _is_element)


def _is_count(term: Term) -> bool:
    if term.kind is TermKind.LENGTH:
        return term.args[0].kind is TermKind.DATA
    if term.kind is TermKind.CALL and term.name == "sum" and term.args:
        inner = term.args[0]
        return inner.kind is TermKind.CONTAINER and isinstance(inner.value, tuple) and _is_one(inner.args[0])
    if term.kind is TermKind.CALL and term.name == "count" and len(term.args) == 2:
        return _is_data(term.args[0])
    return _accumulates(term, _is_one)


def _moves_by_one(context: Context, term: Term) -> bool:
    """Whether a term is a sum of clipped values, one of which may move it by 1 or more, in the claim's domain."""
    domain = context.mechanism.claim.domain
    if term.kind is not TermKind.CALL or term.name != "sum" or len(term.args) != 1 or not isinstance(domain, Interval):
        return False
    bounds = _clipped(term.args[0])
    if bounds is None or domain.low > bounds[0] or domain.high < bounds[1]:
        return False
    exponent = _exponent(term.args[0])
    low, high = bounds
    if exponent is not None:
        if low < 0 or exponent <= 0:
            return False
        low, high = low**exponent, high**exponent
    return max(abs(low), abs(high)) >= 1 if context.records_come_and_go else high - low >= 1


def _exponent(term: Term) -> float | None:
    if term.kind is TermKind.OPERATION and term.name == "**" and term.args[1].kind is TermKind.CONSTANT:
        value = term.args[1].value
        return float(value) if isinstance(value, int | float) else None
    return None


def _clipped(term: Term) -> tuple[float, float] | None:
    """The numbers that all of the data is clipped to, also where it is raised to a power afterwards."""
    if _exponent(term) is not None:
        term = term.args[0]
    if term.kind is not TermKind.CALL or term.name != "clip" or len(term.args) != 3 or not _is_data(term.args[0]):
        return None
    low, high = (one.value if one.kind is TermKind.CONSTANT else None for one in term.args[1:])
    if not isinstance(low, int | float) or not isinstance(high, int | float) or low > high:
        return None
    return low, high


def _is_one(term: Term) -> bool:
    return term.kind is TermKind.CONSTANT and term.value == 1


def _accumulates(term: Term, part: object) -> bool:
    """Whether a variable is zero before a loop, and a part is added in each round, or in some."""
    while term.kind is TermKind.EXIT:
        term = term.args[0]
    if term.kind is not TermKind.LOOP or len(term.args) != 2 or not callable(part):
        return False
    start, step = term.args
    if not (start.kind is TermKind.CONSTANT and start.value in (0, 0.0)):
        return False
    ways = step.args if step.kind is TermKind.CHOICE else [step]
    added = [one for one in ways if one is not term]
    return bool(added) and all(
        one.kind is TermKind.OPERATION and one.name == "+" and one.args[0] is term and part(one.args[1])
        for one in added
    )
