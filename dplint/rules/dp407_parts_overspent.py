"""DP407: the claimed functions that are called spend more than the claim promises."""

from __future__ import annotations

from dplint.contracts.tree import Standing
from dplint.rules.rule import Context, Report, Reports, Rule


def check(context: Context) -> Reports:
    """The call at which the parts have spent more than the whole claims."""
    budget = context.budget
    if budget is None or budget.standing is not Standing.OVERSPENT or budget.over is None:
        return
    over = budget.over
    for_these = "".join(f", for {name} = {value}" for name, value in budget.at)
    if not over.delta.is_zero:
        message = f"{over.name} claims a delta of {over.delta}, and the whole claims none: claim a delta, too"
    else:
        message = (
            f"with this call of {over.name} the parts spend {budget.spent} of the {budget.epsilon} "
            f"{f'in {budget.currency} ' * bool(budget.currency)}that is claimed"
            f"{for_these}, by their own claims: give each a share, or claim their sum"
        )
    # A call in another module is told at the claim.
    place = over.span if over.file == context.mechanism.file else context.mechanism.claim_span
    yield Report(place, message, (context.the_claim,))


RULE = Rule("DP407", check, error_if_refuted=True)
