"""DP409: nothing bounds how many rows of one user are summed or counted."""

from __future__ import annotations

from dplint.rules.flow.dicts import whole_of
from dplint.rules.flow.terms import Term, TermKind, innermost, inside
from dplint.rules.rule import Context, Report, Reports, Rule

_TOTALS = frozenset({"sum", "count", "len", "height", "size"})
_ROW_BY_ROW = frozenset({"clip", "abs", "round", "astype", "cast", "fillna", "fill_null", "reset_index", "sort_values"})
_CUTS = frozenset({"head", "tail", "limit", "nlargest", "nsmallest", "sample", "top_k"})
_GROUPED = frozenset({"groupby", "group_by"})


def check(context: Context) -> Reports:
    """Sums over rows, under a claim about users of several rows."""
    if context.mechanism.claim.user is None:
        return
    for noise in context.noises:
        for raw in noise.raw:
            step = _unbounded(raw)
            if step is None:
                continue
            if step.name in _CUTS:
                message = (
                    "rows are kept only after the rows of each user were summed, so that a user brings in any number "
                    "of them: keep so many rows of each user before the sum, or clip the sums"
                )
            else:
                message = (
                    "a user may have any number of rows, and all have a part here: sum the rows of each user and clip "
                    "these sums, or keep so many rows of each user at most"
                )
            way = context.way(context.exposed.way(raw), noise.draw.node, "the noise")
            yield Report(step.node, message, context.claim_and((noise.draw.node, "the noise")), way=way)


def _unbounded(total: Term) -> Term | None:
    """The total, or what is cut after a sum of groups; None where something may bound what a user brings."""
    total = innermost(total, lambda one: one.is_call(("float", "int")))
    counted = total.is_call(_TOTALS) and len(total.args) == 1
    if total.kind is not TermKind.LENGTH and not counted:
        return None
    step, clipped, term = total, False, total.args[0]
    while term.kind is not TermKind.DATA:
        if term.is_call(_ROW_BY_ROW) and term.args:
            clipped = clipped or term.name == "clip"
        elif term.is_call(_CUTS) and term.args and _is_sum_of_groups(term.args[0]):
            if clipped:
                return None
            step, term = term, _groups(term.args[0])
        elif not _chooses_rows(term):
            return None
        term = term.args[0]
    return step


def _chooses_rows(term: Term) -> bool:
    """Whether it is a column, or some of the rows by what stands in each."""
    if not term.is_operation("[]") or len(term.args) != 2:
        return False
    index = term.args[1]
    named = index.kind is TermKind.CONSTANT and isinstance(index.value, str)
    return named or (index.kind is TermKind.COMPARISON and all(one.kind is not TermKind.CALL for one in inside(index)))


def _is_sum_of_groups(term: Term) -> bool:
    return term.is_call(("sum", "size", "count")) and _groups(term) is not term


def _groups(total: Term) -> Term:
    """The call that makes the groups of which this is a sum, with a column of them between; else the sum itself."""
    inner = whole_of(total.args[0]) if total.args else total
    return inner if inner.is_call(_GROUPED) else total


RULE = Rule("DP409", check, error_if_refuted=True)
