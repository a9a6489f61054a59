"""Words for evidence by a model of the noise, and by runs beside it."""

from __future__ import annotations

from dplint.outcomes import CountedEvidence, CoupledRuns, DrawLoss, Violation
from dplint.report import numerals

_MOST_DRAWS = 4


def counted_words(evidence: CountedEvidence, *, first: bool) -> str:
    """What a probability comes from: "310 of 2,000 runs", or a model and the runs beside it."""
    count, runs = (evidence.count1, evidence.runs1) if first else (evidence.count2, evidence.runs2)
    if evidence.coupled is None:
        return f"{count:,} of {numerals.count(runs, 'run')}"
    differ = evidence.coupled.differ1 if first else evidence.coupled.differ2
    return f"by a model, wrong in {differ:,} of {numerals.count(runs, 'run')}"


def coupled_words(coupled: CoupledRuns, runs: int) -> str:
    """How a model confirms: by runs of its own, and by runs of the function beside it."""
    return (
        f"by {numerals.count(coupled.model_runs, 'run')} of a model of the noise on either side, and "
        f"{numerals.count(runs, 'coupled run')} of the function itself on either side, of which "
        f"{coupled.differ1 + coupled.differ2:,} differed from the model; the bounds allow for that"
    )


def too_small_words(violation: Violation) -> str | None:
    """Which noise is too small, and what it should be; None where that is not known."""
    evidence = violation.counterexample.evidence
    if not isinstance(evidence, CountedEvidence) or evidence.coupled is None or not evidence.coupled.losses:
        return None
    losses, epsilon = evidence.coupled.losses, violation.epsilon_tested
    total = sum(one.loss for one in losses)
    if total <= epsilon:
        return None
    if len(losses) == 1 and losses[0].draws == 1:
        enough = losses[0].moved / epsilon
        return f"{_noise(losses[0])}: a scale of at least {numerals.short(enough)} would keep epsilon = {epsilon:g}"
    more = f", and {len(losses) - _MOST_DRAWS} more places" if len(losses) > _MOST_DRAWS else ""
    told = f"{numerals.listing([_noise(one) for one in losses[:_MOST_DRAWS]])}{more}"
    return (
        f"{told}; together {numerals.short(total)}: "
        f"scales {numerals.short(total / epsilon)} times as large would keep epsilon = {epsilon:g}"
    )


def _noise(one: DrawLoss) -> str:
    which = "the noise" if one.draws == 1 else f"each of {one.draws} draws"
    moved, scale = numerals.short(one.moved), numerals.short(one.scale)
    loss = numerals.short(one.loss)
    return f"{which} of line {one.line} hides a change of {moved} by scale {scale}, a loss of {loss}"
