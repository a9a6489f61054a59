"""DP212: categories are numbered in the order in which the data has them."""

from __future__ import annotations

from dplint.rules.flow.exposure import Exposure
from dplint.rules.raw_sinks import is_released
from dplint.rules.rule import Context, Report, Reports, Rule, Term, inside

_NUMBERING = frozenset({"factorize", "to_physical"})


def check(context: Context) -> Reports:
    """Calls that number what occurs in exact data, where the numbers have a part in what is released."""
    for term in context.graph.terms:
        if not term.is_call(_NUMBERING) or not term.args:
            continue
        fixed = term.argument("sort") is not None or any(one.name.rpartition(".")[2] == "Enum" for one in inside(term))
        users = context.users.get(term, ())
        names_alone = bool(users) and all(_is_second(one) for one in users)
        exact = Exposure.VALUE in context.exposed.of(term.args[0])
        if exact and not fixed and not names_alone and is_released(context, term):
            message = (
                "categories are numbered in the order in which they occur, so that one record renumbers others: "
                "number them by a list that is fixed before"
            )
            yield Report(term.node, message, (context.the_claim,))


def _is_second(term: Term) -> bool:
    """Whether it is the second part of a pair: the categories beside their numbers."""
    return term.name == "[]" and len(term.args) == 2 and term.args[1].value == 1


RULE = Rule("DP212", check, error_if_refuted=True)
