"""DP214: a mean over what is left of the records, with noise for a mean over all."""

from __future__ import annotations

from dplint.claims import Columns, Interval
from dplint.rules.costs import scale_node
from dplint.rules.flow.draws import Noise
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.terms import Term, TermKind, innermost, inside
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule

_MEANS = frozenset({"mean", "average", "nanmean", "fmean"})
_COERCING = frozenset({"to_numeric", "to_datetime", "to_timedelta"})
_CASTS = frozenset({"cast", "to_integer", "to_decimal", "to_date", "strptime"})
_FILLING = frozenset({"fillna", "fill_null", "fill_nan", "nan_to_num"})
_DROPPING = frozenset({"dropna", "drop_nulls", "drop_nans"})
_LEAVING_OUT = frozenset({"query", "filter"})


def check(context: Context) -> Reports:
    """Means of values of which some are left out, where the scale is divided by the number of all records."""
    for noise in context.noises:
        if not noise.ways or any(way.power("len") != -1 for way in noise.ways):
            continue
        for raw in noise.raw:
            step = _left_out(context, raw)
            if step is not None and not _counts(noise, step):
                message = (
                    "some values may be left out here, and the mean divides by how many are left: the noise is made "
                    "for a mean over all records; fill the gaps with a constant, or divide a sum by the number of "
                    "records"
                )
                node = scale_node(noise, noise.ways[0])
                related = context.claim_and((raw.node, "the mean"), (node, "the scale of its noise"))
                yield Report(step.node, message, related)


def _counts(noise: Noise, step: Term) -> bool:
    """Whether the scale is divided by how many values are left behind a step, as the mean is."""
    lengths = [one for one in inside(noise.scale) if one.kind is TermKind.LENGTH] if noise.scale is not None else []
    return any(step in set(inside(one.args[0])) for one in lengths)


def _left_out(context: Context, term: Term) -> Term | None:
    """The step before a mean at which values get lost; None if there is none, or it is not known."""
    if Exposure.VALUE not in context.exposed.of(term):
        return None
    term = innermost(term, lambda one: one.is_call(("float", "round", "clip", "item")))
    if not term.is_call(_MEANS) or not term.args:
        return None
    term, gaps = term.args[0], _may_have_gaps(context)
    while term.args and not term.is_call(_FILLING):
        if (gaps and _makes_gaps(term)) or _selects(context, term):
            return term
        if term.kind not in (TermKind.CALL, TermKind.OPERATION):
            return None
        term = term.args[0]
    return None


def _may_have_gaps(context: Context) -> bool:
    """Whether there are records that are no numbers: those that are become other numbers, and none gets lost."""
    domain = context.mechanism.claim.domain
    columns = [column for _, column in domain.columns] if isinstance(domain, Columns) else [domain]
    return not all(isinstance(column, Interval) for column in columns)


def _makes_gaps(term: Term) -> bool:
    """Whether a call gives no value for some, which a mean then leaves out."""
    if term.kind is not TermKind.CALL:
        return False
    errors, strict = term.argument("errors"), term.argument("strict")
    coerced = term.name in _COERCING and errors is not None and errors.value == "coerce"
    lenient = term.name in _CASTS and strict is not None and strict.value is False
    dropped = term.name in _DROPPING
    return coerced or lenient or dropped or (term.name in ("where", "mask") and len(term.args) == 2)


def _selects(context: Context, term: Term) -> bool:
    """Whether some of the records are chosen by their values."""
    if term.kind is TermKind.CALL:
        return term.name in _LEAVING_OUT and context.exposed.depends(term.args[0])
    chosen = term.is_operation("[]") and len(term.args) == 2
    return chosen and term.args[1].kind is TermKind.COMPARISON and context.exposed.depends(term.args[1])


RULE = Rule("DP214", check, error_if_refuted=True, effects=ANY_EFFECT)
