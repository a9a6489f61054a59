"""DP301: noise from a generator that can be predicted."""

from __future__ import annotations

from dplint.distributions.signatures import SYSTEM_GENERATORS
from dplint.rules.flow.terms import DrawTerm, Term, TermKind, reached
from dplint.rules.flow.vocabulary import PASSING
from dplint.rules.rule import Context, Report, Reports, Rule

_SECURE = ("secrets.", "os.")
_ELEMENTWISE = PASSING | frozenset({"log", "exp", "sqrt", "sign", "floor", "ceil", "sum", "cos", "sin", "where"})
_BESIDE = frozenset({"tuple", "dict", "set", "object"})
"""What only puts values side by side."""


def check(context: Context) -> Reports:
    """Draws from `random`, `numpy.random` and generators made of those; what is passed in is the caller's choice."""
    for draw in context.exposed.draws:
        info = draw.value
        if not isinstance(info, DrawTerm) or info.source not in ("module", "local"):
            continue
        made = info.generator.value if info.generator is not None else None
        if info.spelling.startswith(_SECURE) or made in SYSTEM_GENERATORS or not _protects(context, draw):
            continue
        name = str(made) if info.generator is not None else info.spelling
        message = (
            f"noise from {name} can be predicted by whoever sees enough of it: use random.SystemRandom or a library "
            "with secure noise"
        )
        yield Report(draw.node, message, (context.the_claim,))


def _protects(context: Context, draw: Term) -> bool:
    """Whether a draw hides something: it comes together with data, or with the budget.

    What only shuffles, picks examples, or feeds a generative model may be known to everybody.
    """
    if draw.name == "permutation" or (draw.name == "choice" and _is_subset(draw)):
        return False
    noise = set(reached([draw], lambda term: (user for user in context.users_of(term) if _carries(user, term))))
    others = {one for term in noise for one in term.inputs() if one.kind is not TermKind.GENERATOR} - noise
    return any(_counts(context, one) for one in others)


def _is_subset(draw: Term) -> bool:
    size, weights = draw.argument("size"), draw.argument("p", "weights")
    return size is not None and not (size.kind is TermKind.CONSTANT and size.value in (None, 1)) and weights is None


def _counts(context: Context, term: Term) -> bool:
    """Whether a value is made of data, more than its length, or of the budget."""
    return term in context.mentions or (context.exposed.depends(term) and term.kind is not TermKind.LENGTH)


def _carries(user: Term, term: Term) -> bool:
    """Whether a draw goes on in what is made of it, as noise does; an index of other values is no noise."""
    if user.is_operation("[]"):
        return user.args[0] is term
    if user.kind is TermKind.CALL:
        return user.name in _ELEMENTWISE
    return user.kind not in (TermKind.LENGTH, TermKind.DRAW) and not user.is_container(_BESIDE)


RULE = Rule("DP301", check, opt_in=True, foretells=False)
