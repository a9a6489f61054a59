"""DP610: a sampling rate that is the batch size over the number of batches."""

from __future__ import annotations

from dplint.rules.dp404_accountant import ACCOUNTANTS
from dplint.rules.flow.dicts import root_of
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind
from dplint.rules.training import LOADERS, called, engine_of, full_name


def check(context: Context) -> Reports:
    """Rates of accountants with more than one record over the length of a loader."""
    for term in context.graph.terms:
        known = ACCOUNTANTS.get(called(term))
        rate = term.argument("sample_rate", "sampling_probability", "q") if known is not None else None
        if rate is None or not rate.is_operation("/"):
            continue
        size, length = rate.args
        loader = root_of(length.args[0]) if length.kind is TermKind.LENGTH else None
        if loader is not None and (full_name(loader) in LOADERS or engine_of(loader) is not None) and _is_several(size):
            message = (
                "the length of a loader is its number of batches, not of records: the rate is one over it, or the size "
                "of a batch over the number of records"
            )
            yield Report(rate.node, message, context.related([(loader.node, "the loader")]))


def _is_several(size: Term) -> bool:
    """Whether it is a number of records: a constant above one, or what is called a size."""
    if size.kind is TermKind.CONSTANT:
        return isinstance(size.value, int | float) and size.value > 1
    return size.kind is TermKind.SYMBOL and "size" in size.name


RULE = Rule("DP610", check, foretells=False)
