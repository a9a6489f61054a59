"""DP109: the width of the bounds as the sensitivity of a sum, where records come and go."""

from __future__ import annotations

from dplint.claims import Interval
from dplint.rules.costs import factors_above
from dplint.rules.flow.exposure import Exposure
from dplint.rules.flow.terms import Term, TermKind, innermost
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """Scales with upper - lower as a factor, on sums under add-remove."""
    if not context.records_come_and_go:
        return
    for noise in context.noises:
        if noise.scale is None or not noise.raw or not all(_is_sum(context, raw) for raw in noise.raw):
            continue
        width = _width(context, noise.scale)
        if width is not None:
            message = (
                "a record that comes or goes moves the sum by up to the larger bound, not by the width between the "
                "bounds: use max(abs(lower), abs(upper))"
            )
            yield Report(width.node, message, context.claim_and(*((raw.node, "the sum") for raw in noise.raw)))


def _is_sum(context: Context, term: Term) -> bool:
    term = innermost(term, lambda one: one.kind is TermKind.EXIT)
    if Exposure.VALUE not in context.exposed.of(term):
        return False
    if term.kind is TermKind.CALL:
        counts = bool(term.args) and term.args[0].kind is TermKind.CONTAINER and _adds_ones(term.args[0])
        return term.name == "sum" and not counts
    steps = [one for one in term.args[1:] if one.is_operation("+")]
    return (
        term.kind is TermKind.LOOP and bool(steps) and all(one.args[1].kind is not TermKind.CONSTANT for one in steps)
    )


def _adds_ones(container: Term) -> bool:
    return bool(container.args) and container.args[0].kind in (TermKind.CONSTANT, TermKind.COMPARISON)


def _width(context: Context, scale: Term) -> Term | None:
    """The difference of two bounds that the scale has as a factor above the line."""
    widths = (one for one in factors_above(scale) if one.is_operation("-") and _are_bounds(context, one.args))
    return next((one for one in widths if not _may_be_zero(context, one.args[1])), None)


def _are_bounds(context: Context, terms: list[Term]) -> bool:
    known = (TermKind.SYMBOL, TermKind.CONSTANT, TermKind.OPERATION)
    return all(one.kind in known and not context.exposed.depends(one) for one in terms)


def _may_be_zero(context: Context, low: Term) -> bool:
    """Whether the lower bound is zero, by its value, by its default or by the claim's domain."""
    if low.kind is TermKind.CONSTANT:
        return not isinstance(low.value, int | float) or low.value == 0
    parameter = context.mechanism.parameter(low.name) if low.kind is TermKind.SYMBOL else None
    if parameter is not None and parameter.default in ("0", "0.0", "0.", "-0.0"):
        return True
    domain = context.mechanism.claim.domain
    return parameter is not None and parameter.default is None and isinstance(domain, Interval) and domain.low == 0


RULE = Rule("DP109", check)
