"""DP304: floating-point noise at full precision."""

from __future__ import annotations

from dplint.rules.flow.releases import Form
from dplint.rules.rule import Context, Report, Reports, Rule, Term

_ROUNDS = frozenset({"round", "int", "floor", "ceil", "trunc"})


def check(context: Context) -> Reports:
    """Sums of data and continuous noise that are released with all their digits."""
    for noise in context.noises:
        for met in noise.meets:
            if Form.VALUE in context.releases.of(met) and not _is_rounded(context, met):
                message = (
                    f"the digits of a float with {noise.draw.name} noise show which value it was added to: round it to "
                    "a grid as wide as the noise, or use discrete noise"
                )
                yield Report(met.node, message, (context.the_claim,))


def _is_rounded(context: Context, term: Term) -> bool:
    """Whether all that uses the value rounds it."""
    users = context.users.get(term, [])
    scaled = [user for user in users if user.is_operation(("*", "/"))]
    if scaled and len(scaled) == len(users):
        return all(_is_rounded(context, user) for user in scaled)
    return bool(users) and all(user.is_call(_ROUNDS) for user in users)


RULE = Rule("DP304", check, opt_in=True, foretells=False)
