"""DP405: functions of libraries that are known to be wrong."""

from __future__ import annotations

from collections.abc import Mapping

from dplint.rules.flow.terms import DrawTerm, Term, TermKind
from dplint.rules.rule import ANY_EFFECT, Context, Report, Reports, Rule

KNOWN: Mapping[tuple[str, str], str] = {
    ("diffprivlib", "Wishart"): "the Wishart mechanism is not private at all: use a Gaussian or Bingham mechanism",
    ("opendp", "make_base_stability"): (
        "make_base_stability underestimates its sensitivity and was removed in OpenDP 0.4: use make_laplace_threshold"
    ),
    ("tensorflow_privacy", "compute_dp_sgd_privacy"): (
        "compute_dp_sgd_privacy ignores microbatches and takes Poisson sampling for granted: use "
        "compute_dp_sgd_privacy_statement"
    ),
    ("opacus", "get_privacy_spent"): (
        "get_privacy_spent of the RDP analysis takes Poisson sampling for granted: use PrivacyEngine.get_epsilon with "
        "its own data loader"
    ),
}
"""By package and name: what is wrong, and what to use."""


def check(context: Context) -> Reports:
    """Calls of what is in the table, each name once."""
    told: set[str] = set()
    for term in context.graph.terms:
        package, _, rest = _full_name(term).partition(".")
        name = rest.rpartition(".")[2]
        reason = KNOWN.get((package, name))
        if reason is not None and name not in told:
            told.add(name)
            yield Report(term.node, reason, (context.the_claim,))


def _full_name(term: Term) -> str:
    if term.kind is TermKind.DRAW and isinstance(term.value, DrawTerm) and term.value.source in ("library", "unknown"):
        return term.value.spelling
    return term.value if term.kind is TermKind.CALL and isinstance(term.value, str) else ""


RULE = Rule("DP405", check, outside=True, disprovable=False, effects=ANY_EFFECT)
