"""A claim of stability in words: what it promises, the pair that refutes it, and what was tried.

What a step of a training spends, and all of them together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from dplint.claims import Claim, Mechanism, Metric, Stability, Training
from dplint.outcomes import NotOverspent, NotRefuted, OutputPair, Overspent, StepSpend, Unstable
from dplint.report import numerals
from dplint.report.document import Block, Code, Inline, Items, Say, Source, ticked
from dplint.report.fingerprints import SourceLine
from dplint.report.literals import printable, shortened
from dplint.report.proof_words import scope_words
from dplint.report.spelled_calls import sides

NOT_STABLE = (
    "Not refuted does not mean stable or private: pairs and arguments that were not tried may still move the output "
    "further."
)
_SKIPPED = 4
_OF_ROWS = (Metric.SYMMETRIC, Metric.CHANGES, Metric.INSERT_DELETE)


DELTAS = {
    Metric.ABSOLUTE: "Δ",
    Metric.L1: "Δ₁",
    Metric.L2: "Δ₂",
    Metric.LINF: "Δ∞",
    Metric.SYMMETRIC: "Δ rows",
    Metric.CHANGES: "Δ places",
    Metric.INSERT_DELETE: "Δ edits",
}
"""How a distance of each metric is written."""
_LONGEST_INPUT = 120
_RESTS = "it rests on runs with given noise, in which what is compared was a constant and a sum of normal draws"


def stability_words(claim: Claim, stability: Stability) -> str:
    """The claim as it would be written, without what is left at its default."""
    d_out = f'"{stability.d_out}"' if isinstance(stability.d_out, str) else numerals.exact(stability.d_out or 0.0)
    parts = [f"d_out={d_out}"]
    if stability.d_in != 1:
        parts.append(f"d_in={numerals.exact(stability.d_in)}")
    if stability.metric is not Metric.ABSOLUTE:
        parts.append(f'metric="{stability.metric}"')
    parts.append(f'neighbors="{claim.neighbors}"')
    return ", ".join([*parts, *([f'user="{claim.user}"'] if claim.user else [])])


def apart_words(pair: OutputPair, metric: Metric) -> str:
    """How far the outputs of a pair are apart: "60 apart", "3 rows apart (symmetric)", "infinitely far apart (l1)"."""
    named = "" if metric is Metric.ABSOLUTE else f" ({metric.value})"
    if math.isinf(pair.distance):
        return f"infinitely far apart{named}"
    rows = f" {'row' if pair.distance == 1 else 'rows'}" if metric in _OF_ROWS else ""
    return f"{numerals.short(pair.distance, 6)}{rows} apart{named}"


def unstable_title(name: str, outcome: Unstable) -> Inline:
    """What is refuted, and by how much: "f is not stable: outputs 60 apart, where 10 is claimed"."""
    if isinstance(outcome, Overspent):
        return overspent_title(name, outcome)
    apart = apart_words(outcome.pair, outcome.stability.metric)
    claimed = f"where {numerals.short(outcome.d_out, 6)} is claimed"
    return Code(name), f" is not stable: outputs {apart}, {claimed}{chance_words(outcome)}"


def chance_words(outcome: Unstable) -> str:
    """How likely outputs are too far apart: ", with a probability of 0.93 at least"; nothing without noise."""
    at_least = numerals.short(outcome.probability, 3)
    return "" if outcome.probability == 1.0 else f", with a probability of {at_least} at least"


def tried_words(outcome: NotRefuted, *, brief: bool = True) -> str:
    """What was tried: "in 412 pairs; the furthest are 10 apart, as is claimed; lines 12 and 14 were not run"."""
    if isinstance(outcome, NotOverspent):
        return tried_steps_words(outcome)
    pairs = numerals.count(outcome.effort.pairs, "pair")
    furthest = "all outputs are the same"
    if outcome.furthest is not None:
        furthest = f"the furthest outputs are {apart_words(outcome.furthest, outcome.stability.metric)}"
    if outcome.d_out is not None:
        furthest += f", where {numerals.short(outcome.d_out, 6)} is claimed"
    said = f"{pairs}; {furthest}"
    if brief:
        return said
    choices = numerals.count(outcome.effort.argument_choices, "choice", "choices")
    return f"{said}; {choices} of arguments, {numerals.count(outcome.effort.runs, 'run')}"


def coverage_words(mechanism: Mechanism, outcome: NotRefuted) -> str:
    """Which lines of the function no run came to."""
    if not outcome.skipped:
        return "all of its lines were run, as far as they were watched"
    lines = [str(mechanism.span.line + one.below) for one in outcome.skipped]
    more = [f"{len(lines) - _SKIPPED} more"] if len(lines) > _SKIPPED else []
    word = "line" if len(lines) == 1 else "lines"
    return f"no run came to {word} {numerals.listing([*lines[:_SKIPPED], *more])}"


def pair_blocks(
    mechanism: Mechanism, pair: OutputPair, metric: Metric, room: int, *, noise: bool = False
) -> Iterator[Block]:
    """The two inputs, the two outputs, and what differs. noise: whether there is noise on these."""
    yield sides(mechanism, pair, (), room)
    outputs = (("D1", pair.output1), ("D2", pair.output2))
    without = " without noise" * noise
    yield Items(tuple((f"output on {side}{without}: ", Code(printable(output))) for side, output in outputs))
    differences = "; ".join(map(printable, pair.differences))
    apart = step_apart_words(pair) if noise else apart_words(pair, metric)
    yield Say((f"{apart}{f': {differences}' if differences else ''}",))


def unstable_body(mechanism: Mechanism, outcome: Unstable, source: SourceLine, room: int) -> Iterator[Block]:
    """What stands below the head of a refuted claim."""
    yield Source(source(mechanism.file, mechanism.span.line), mechanism.span)
    noise = isinstance(outcome, Overspent)
    yield from pair_blocks(mechanism, outcome.pair, outcome.stability.metric, room, noise=noise)
    if noise:
        yield Say(ticked(f"one pair refutes it, at no level of chance; {_RESTS}"), "dim")
        return
    if outcome.probability < 1.0:
        sure = f"at a level of {numerals.short(outcome.effort.alpha)}"
        yield Say(
            ticked(f"one pair refutes it by runs, {sure}, however outputs of both sides are drawn together"), "dim"
        )
        return
    yield Say(ticked("one pair refutes it, with no doubt: the function draws nothing, and gave the same again"), "dim")


def not_refuted_body(mechanism: Mechanism, outcome: NotRefuted, room: int) -> Iterator[Block]:
    """What only some ask for: the furthest pair, and what was not run."""
    yield Say((tried_words(outcome, brief=False),))
    if outcome.furthest is not None:
        noise = isinstance(outcome, NotOverspent)
        yield from pair_blocks(mechanism, outcome.furthest, outcome.stability.metric, room, noise=noise)
    if not isinstance(outcome, NotOverspent):
        yield Say((coverage_words(mechanism, outcome),))


def line_title(found: NotRefuted) -> tuple[str, str] | None:
    """How far neighbours move what a line assigns, and how that is known; None if no pair moves it and nothing is
    proved: "Δ₁ = 50" where a pair and a proof say the same, "Δ₁ ≥ 63" where there is a pair alone.
    """
    name, pair = DELTAS[found.stability.metric], found.furthest
    far = numerals.short(0.0 if pair is None else pair.distance, 6)
    if found.within is not None and found.within.full:
        return f"{name} = {far}", f"Proved {scope_words(found.within)}. There is a pair that is as far apart."
    if pair is None:
        return None
    d1, d2 = (shortened(printable(repr(one)), _LONGEST_INPUT) for one in (pair.d1, pair.d2))
    inputs = f"D1 = {d1}, D2 = {d2}"
    return f"{name} ≥ {far}", f"A pair was found that is {far} apart: {inputs}. A larger sensitivity is not ruled out."


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
