"""What is known by the source alone, in words that nobody takes for a verdict, and as JSON."""

from __future__ import annotations

from dplint.claims import Claim, Mechanism
from dplint.outcomes import BySource, Counterexample, Effort, Result, Unconfirmed, Violation
from dplint.report import editor
from dplint.report.json_evidence import fields
from dplint.report.json_values import Json
from dplint.report.loss_words import largest_title
from dplint.report.proof_words import EXACT_ARITHMETIC, verdict_words
from dplint.report.violation import seen

BY_SOURCE = "by the source alone, not confirmed by a run"
HOW_SURE = (
    "the numbers are exact, of the program that dplint reads in the function. Whether the function does the same is "
    f"seen by a test, and none has been made. {EXACT_ARITHMETIC}"
)


def unconfirmed_message(mechanism: Mechanism, against: Unconfirmed) -> str:
    """One sentence about what would refute the claim."""
    return f"{BY_SOURCE}: {editor.message(Result(mechanism, if_confirmed(against)))}"


def by_source_title(known: BySource, claim: Claim) -> str:
    """What was computed, in a few words; empty if nothing was."""
    if known.against is None and known.proved is not None:
        every = known.proved.scope.sizes is not None and known.proved.scope.sizes.largest is None
        return f"{verdict_words(known.proved.scope)}{' for every length' * every} {BY_SOURCE}"
    if known.against is None:
        return largest_title(known.losses)
    bound = editor.bound_title(if_confirmed(known.against), claim)
    return f"{bound}{',' * (',' in bound)} {BY_SOURCE}"


def unconfirmed_json(against: Unconfirmed) -> dict[str, Json]:
    """The same for programs. confirmed: false, always."""
    return {
        "confirmed": False,
        "words": BY_SOURCE,
        **fields(against, "epsilon=epsilon_tested delta=delta_tested lower=epsilon_lower witness evidence"),
        "seen": seen(if_confirmed(against)),
    }


def if_confirmed(against: Unconfirmed) -> Violation:
    """The violation that it would be if runs had confirmed it: for words about its numbers, and for nothing else."""
    return Violation(
        counterexample=Counterexample(witness=against.witness, evidence=against.evidence, epsilon_lower=against.lower),
        tested=(),
        epsilon_tested=against.epsilon,
        delta_tested=against.delta,
        epsilon_lower=against.lower,
        confidence=1.0,
        effort=Effort(alpha=0.0),
    )
