"""Evidence in words: what counts, draws, models and plain runs show."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dplint.outcomes import Confirmation, CountedEvidence, Counterexample, CoupledRuns, DrawLoss, ExampleDraw, Violation
from dplint.report import numerals, ratios
from dplint.report.literals import literal, printable
from dplint.sites import noise_words

_MOST_DRAWS = 8


def e_value(log_e_value: float, alpha: float) -> str:
    """An e-value beside the one that is needed: "310,000, where 1,000 refutes the claim"."""
    return f"{numerals.times(log_e_value)}, where {numerals.times(-math.log(alpha))} refutes the claim"


def strongest(found: Counterexample, claimed: float) -> str:
    """The counterexample with the highest lower bound, on one line."""
    bound = "" if found.epsilon_lower is None else f"epsilon {ratios.shown(found.epsilon_lower, claimed)} "
    where = f"D1 = {literal(found.witness.d1)}, D2 = {literal(found.witness.d2)}"
    return f"{bound}by {printable(found.witness.event)} on {where}"


def draws_of_a_run(draws: Sequence[ExampleDraw]) -> str:
    """What the draws were in one run with the event: "in one such run the noise of line 12 was -1.3, ..."."""
    sites = [one.site for one in draws]
    told = [f"{noise_words(one.site, sites)} was {_noise(one)}" for one in draws[:_MOST_DRAWS]]
    more = f", and {len(draws) - len(told):,} more" if len(draws) > len(told) else ""
    return f"in one such run {numerals.listing(told)}{more}"


def confirmation(given: Confirmation) -> str:
    """What plain runs of the user's own function showed."""
    shares = [numerals.short(count / given.runs) for count in (given.count1, given.count2)]
    calls = f"{numerals.count(given.runs, 'call')} of the function itself with each of D1 and D2"
    if given.agrees:
        return f"by {calls}: {shares[0]} and {shares[1]}"
    return f"not by {calls}: {shares[0]} and {shares[1]} do not fit the counts above"


def counted(evidence: CountedEvidence, *, first: bool) -> str:
    """What a probability comes from: "310 of 2,000 runs", or a model and the runs beside it."""
    count, runs = (evidence.count1, evidence.runs1) if first else (evidence.count2, evidence.runs2)
    if evidence.coupled is None:
        return f"{count:,} of {numerals.count(runs, 'run')}"
    differ = evidence.coupled.differ1 if first else evidence.coupled.differ2
    return f"by a model, wrong in {differ:,} of {numerals.count(runs, 'run')}"


def coupled(given: CoupledRuns, evidence: CountedEvidence) -> str:
    """How a model confirms: by runs of its own, and by runs of the function beside it."""
    noise = " with noise that brings the model into the event" if given.given else ""
    runs = numerals.count(given.model_runs, "run") if given.model_runs else "computed probabilities"
    return (
        f"by {runs} of a model of the noise on either side, and "
        f"{numerals.count(evidence.runs1, 'coupled run')} of the function itself on D1{noise} and {evidence.runs2:,} "
        f"on D2, of which {given.differ1 + given.differ2:,} differed from the model; the bounds allow for that"
    )


def too_small(violation: Violation) -> str | None:
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
        return f"{_draw(losses[0])}: a scale of at least {numerals.short(enough)} would keep epsilon = {epsilon:g}"
    more = f", and {len(losses) - _MOST_DRAWS} more places" if len(losses) > _MOST_DRAWS else ""
    told = f"{numerals.listing([_draw(one) for one in losses[:_MOST_DRAWS]])}{more}"
    return (
        f"{told}{f'; together {numerals.short(total)}' if len(losses) > 1 else ''}: "
        f"scales {numerals.short(total / epsilon)} times as large would keep epsilon = {epsilon:g}"
    )


def _draw(one: DrawLoss) -> str:
    which = "the noise" if one.draws == 1 else f"each of {one.draws} draws"
    moved, scale = numerals.short(one.moved), numerals.short(one.scale)
    loss = f"{numerals.short(one.loss)}{'' if one.draws == 1 else ' in all'}"
    return f"{which} of line {one.line} hides a change of {moved} by scale {scale}, a loss of {loss}"


def _noise(draw: ExampleDraw) -> str:
    return numerals.short(draw.value) if isinstance(draw.value, float) else literal(draw.value)


IN_MACHINE_NUMBERS = "violation in machine numbers"
