"""DP213: a join multiplies the rows of the data without a bound."""

from __future__ import annotations

from dplint.rules.flow.dicts import whole_of
from dplint.rules.raw_sinks import is_released
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind

_JOINS = frozenset({"merge", "join"})
_ONE_EACH = frozenset({"semi", "anti"})


def check(context: Context) -> Reports:
    """Joins of the records with records themselves: one record more is a row for each that it meets."""
    if not context.records_come_and_go:
        return
    for term in context.graph.terms:
        if not term.is_call(_JOINS) or len(term.args) < 2:
            continue
        how, validated = term.argument("how"), term.argument("validate")
        once = how is not None and how.value in _ONE_EACH
        if all(map(_are_records, term.args[:2])) and not once and validated is None and is_released(context, term):
            message = (
                "the records are joined with themselves, so that one record has a part in any number of rows: keep "
                "so many rows of each key at most before the join"
            )
            yield Report(term.node, message, (context.the_claim,))


def _are_records(term: Term) -> bool:
    """Whether it is the data, or some of its rows or columns: any key may be in any number of them."""
    return whole_of(term).kind is TermKind.DATA


RULE = Rule("DP213", check, error_if_refuted=True)
