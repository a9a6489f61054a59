"""What a step of a training spends in words, and all of them together."""

from __future__ import annotations

import math

from dplint.claims import Training
from dplint.outcomes import NotOverspent, OutputPair, Overspent, StepSpend
from dplint.report import numerals
from dplint.report.document import Code, Inline


def training_words(training: Training) -> str:
    """The part of a claim: "sample_rate=0.01, steps=3000"."""
    rate = "" if training.sample_rate == 1.0 else f"sample_rate={numerals.exact(training.sample_rate)}, "
    return f"{rate}steps={training.steps}"


def all_steps_words(spend: StepSpend) -> str:
    """What one step spends, and all: "a step spends mu = 1.41; 3,000 steps at rate 0.01 come to epsilon = 11.2 ..."."""
    rate = "" if spend.sample_rate == 1.0 else f" at rate {numerals.short(spend.sample_rate)}"
    steps = "alone that comes" if spend.steps == 1 and not rate else f"{numerals.count(spend.steps, 'step')}{rate} come"
    if math.isinf(spend.apart):
        one = "no noise hides a sample in a step"
    elif spend.ratio == 1.0:
        one = f"a step spends mu = {numerals.short(spend.apart, 6)}"
    else:
        moved = f"a sample moves a step by {numerals.short(spend.apart, 6)} standard deviations"
        one = f"{moved} and makes its noise {numerals.short(spend.ratio, 6)} times as wide"
    least = (
        "no finite epsilon" if math.isinf(spend.epsilon) else f"epsilon = {numerals.short(spend.epsilon, 4)} at least"
    )
    return f"{one}; {steps} to {least} with delta = {numerals.short(spend.delta)}"


def overspent_title(name: str, outcome: Overspent) -> Inline:
    """What is refuted, and by how much."""
    return Code(name), f" spends more than its claim: {all_steps_words(outcome.spend)}, {_claimed(outcome.spend)}"


def tried_steps_words(outcome: NotOverspent) -> str:
    """What was tried: "977 pairs; of the furthest a step spends mu = 1; 4 steps come to epsilon = 7.39 at least"."""
    pairs = numerals.count(outcome.effort.pairs, "pair")
    if outcome.spend is None:
        return f"{pairs}; none moves what is released"
    return f"{pairs}; of the furthest {all_steps_words(outcome.spend)}, {_claimed(outcome.spend)}"


def _claimed(spend: StepSpend) -> str:
    return f"where the claim allows {numerals.short(spend.claimed, 4)}"


def step_apart_words(pair: OutputPair) -> str:
    """How far what a step releases of a pair is apart."""
    if math.isinf(pair.distance):
        return "no noise hides which of the two it is"
    return f"told apart as normal laws at a distance of {numerals.short(pair.distance, 6)} standard deviations"
