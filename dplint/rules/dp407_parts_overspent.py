"""DP407: the claimed functions that are called spend more than the claim promises."""

from __future__ import annotations

from collections.abc import Iterator

from dplint.contracts.tree import Standing
from dplint.outcomes import Severity
from dplint.rules.context import Context, Report
from dplint.rules.rule import Rule


def check(context: Context) -> Iterator[Report]:
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
            f"with this call of {over.name} the parts spend {budget.spent} of the {budget.epsilon} that is claimed"
            f"{for_these}, by their own claims: give each a share, or claim their sum"
        )
    # A call in another module is told at the claim.
    place = over.span if over.file == context.mechanism.file else context.mechanism.claim_span
    yield Report(place, message, (context.the_claim,))


RULE = Rule(
    code="DP407",
    name="parts overspend",
    severity=Severity.WARNING,
    what=(
        "A claimed function calls claimed functions, or those of diffprivlib, on the same records. The epsilons "
        "that these claim add up to more than its own. Calls on parts that no record is in two of count once. Nothing "
        "is said where it is not understood which records a call is given, or where the claim has a delta; "
        "`dplint budget` shows the whole sum and what is not understood."
    ),
    why=(
        "Losses add up. What is promised of the parts is all that can be relied upon, whatever is inside of them. "
        "It does not pay for the promise of the whole."
    ),
    bug=(
        "diffprivlib let the centring of X and y share one slice of epsilon (issue 104); MOSTLY AI spent the whole "
        "epsilon twice."
    ),
    bad=(
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
        def count(rng, ages, epsilon):
            return len(ages) + rng.laplace(scale=1 / epsilon)

        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
        def everybody_and_children(rng, ages, epsilon):
            children = [age for age in ages if age < 18]
            return count(rng, ages, epsilon), count(rng, children, epsilon)
        """,
        # the whole epsilon twice, by a library
        """
        from diffprivlib import tools

        @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
        def summary(values, epsilon):
            mean = tools.mean(values, epsilon=epsilon, bounds=(0, 100))
            spread = tools.std(values, epsilon=epsilon, bounds=(0, 100))
            return {"mean": mean, "std": spread}
        """,
    ),
    good=(
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
        def count(rng, ages, epsilon):
            return len(ages) + rng.laplace(scale=1 / epsilon)

        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
        def everybody_and_children(rng, ages, epsilon):
            children = [age for age in ages if age < 18]
            return count(rng, ages, epsilon / 2), count(rng, children, epsilon / 2)
        """,
        # nobody is both
        """
        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
        def count(rng, ages, epsilon):
            return len(ages) + rng.laplace(scale=1 / epsilon)

        @dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
        def children_and_adults(rng, ages, epsilon):
            children = [age for age in ages if age < 18]
            adults = [age for age in ages if age >= 18]
            return count(rng, children, epsilon), count(rng, adults, epsilon)
        """,
    ),
    check=check,
    error_if_refuted=True,
)
