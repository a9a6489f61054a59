"""DP602: the noise of a step has the noise multiplier as its scale, and not the multiplier times the clip."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.rules.flow.scales import Monomial
from dplint.rules.rule import Context, Report, Reports, Rule, Term, TermKind
from dplint.rules.training import bounds, full_name, is_noise, scaled

_ACCOUNTANTS = ("opacus.accountants.", "dp_accounting.", "tensorflow_privacy.", "prv_accountant.")
_MULTIPLIERS = ("noise_multiplier", "multiplier", "sigma")
_FIRST = ("GaussianDpEvent",)
"""Those whose first argument is the multiplier."""


def check(context: Context) -> Reports:
    """Noise of just the size that an accountant is told as the multiplier, beside a clip to something else than 1."""
    told = list(_multipliers(context))
    multipliers = [single for term in told if (single := context.algebra.single(term)) is not None]
    clips = [bound for bound in bounds(context) if not _may_be_one(context, bound)]
    if not told or not clips or len(clips) < len(list(bounds(context))):
        return
    for draw in filter(is_noise, context.graph.terms):
        top = scaled(context, draw)
        scale = context.algebra.single(top)
        same = any(_are_equal(scale, multiplier) for multiplier in multipliers) or (
            top is draw and draw.argument("scale") in told
        )
        if draw.loops and same:
            message = (
                f"gradients are clipped to {context.code(clips[0], 'a bound')}, and the noise is only as large as the "
                "multiplier: multiply it by the clip, as the accountant reckons"
            )
            yield Report(draw.node, message, context.related([(clips[0].node, "the clip")]))


def _multipliers(context: Context) -> Iterator[Term]:
    """What accountants are told of the noise, and the multiplier that is chosen for an epsilon."""
    for term in context.graph.terms:
        full = full_name(term)
        if full == "opacus.accountants.utils.get_noise_multiplier":
            yield term
        if full.startswith(_ACCOUNTANTS):
            given = term.argument(*_MULTIPLIERS)
            if given is None and full.endswith(_FIRST) and term.args and not term.keys[0]:
                given = term.args[0]
            if given is not None:
                yield given


def _may_be_one(context: Context, bound: Term) -> bool:
    """Whether a bound may be 1, so that nothing is lost without it."""
    if bound.kind is TermKind.CONSTANT:
        return bound.value in (1, 1.0)
    parameter = context.mechanism.parameter(bound.name) if bound.kind is TermKind.SYMBOL else None
    if parameter is None or parameter.default is None:
        return parameter is None
    try:
        return float(parameter.default) == 1
    except ValueError:
        return True


def _are_equal(scale: Monomial | None, multiplier: Monomial) -> bool:
    if scale is None or not (scale.exact and multiplier.exact):
        return False
    return dict(scale.powers) == dict(multiplier.powers) and abs(scale.coefficient - multiplier.coefficient) < 1e-9


RULE = Rule("DP602", check, foretells=False)
