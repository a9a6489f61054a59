"""Outcomes made by hand whose evidence is exact, or that bear a proof: for tests, and for the pictures of the docs.

The probabilities are closed forms, rounded outwards, so that what reports make of them can be checked on paper.
"""

from __future__ import annotations

import math
from dataclasses import replace

from dplint.claims import Categories as Choices
from dplint.claims import Domain, Mechanism, Span
from dplint.outcomes import (
    Argument,
    ArgumentScope,
    Bounds,
    BySource,
    Certificate,
    Counterexample,
    CoupledRuns,
    Decision,
    DrawLoss,
    Effort,
    ExactEvidence,
    ExampleDraw,
    Impossible,
    LargestLoss,
    Linear,
    Measure,
    NoViolation,
    OutputEvent,
    PairLoss,
    Power,
    Proved,
    Range,
    Result,
    Scope,
    Shift,
    ShiftCase,
    SingleOutput,
    Sizes,
    StopReason,
    TestedEpsilon,
    Unconfirmed,
    UnequalVanishing,
    Violation,
    Witness,
)
from dplint.sites import DrawSite
from tests.report.report_samples import (
    ANYTIME_EFFORT,
    anytime_violation,
    at_epsilon,
    mechanism,
    with_counts,
    with_witness,
)

FILE = "src/private.py"
SOURCE = """\
import numpy as np
from dplint import dp


@dp(epsilon=1, neighbors="any", domain=["no", "yes"])
def answer(rng, truth):
    other = "no" if truth == "yes" else "yes"
    return truth if rng.random() < 0.9 else other


@dp(epsilon="epsilon")
def above(rng, queries, epsilon):
    return [q if q + rng.laplace(scale=1 / epsilon) > 1 else None for q in queries]


@dp(epsilon="epsilon")
def noisy_max(rng, queries, epsilon):
    return max(q + rng.exponential(scale=2 / epsilon) for q in queries)


@dp(epsilon="epsilon")
def svt(rng, queries, epsilon, T, N):
    threshold = T + rng.laplace(scale=2 / epsilon)
    output = []
    for query in queries:
        noisy = query + rng.laplace(scale=4 * N / epsilon)
        output.append(bool(noisy >= threshold))
        if sum(output) >= N:
            break
    return output


@dp(epsilon="epsilon")
def noisy_index(rng, queries, epsilon):
    return int(np.argmax([q + rng.laplace(scale=2 / epsilon) for q in queries]))
"""
LINES = SOURCE.splitlines()


def line_of(file: str, line: int) -> str | None:
    """The source of the samples, for reports that quote it."""
    return LINES[line - 1] if file == FILE and 0 < line <= len(LINES) else None


def place(text: str, *, after: int = 0) -> Span:
    """The range of a text in the source, the first one from this line on."""
    for number, line in enumerate(LINES[after:], start=after + 1):
        if text in line:
            column = line.index(text) + 1
            return Span(number, column, number, column + len(text))
    raise ValueError(text)


def bearer(name: str, **claim: object) -> Mechanism:
    """A mechanism of the source."""
    line = place(f"def {name}(").line
    return mechanism(name, line=line, file=FILE, **claim)


def around(value: float) -> Bounds:
    """The closest floats on both sides, as an engine would give them that rounds outwards."""
    return Bounds(math.nextafter(value, -math.inf), math.nextafter(value, math.inf))


def at(epsilon: float) -> tuple[Argument, ...]:
    return (Argument("epsilon", epsilon, "value of the claim"),)


ELIMINATION = "elimination of noise in 128-bit ball arithmetic"
EFFORT = Effort(
    method="exact", seconds=0.02, pairs=2, argument_choices=1, events=2, alpha=0.0, seed=0, stop=StopReason.VIOLATION
)


def refuted(witness: Witness, evidence: ExactEvidence, epsilon: float, lower: float, **fields: object) -> Violation:
    tested = TestedEpsilon(epsilon=epsilon, delta=0.0, parameters=(), p_value=None, lower=lower, runs=0, rejected=True)
    return Violation(
        counterexample=Counterexample(witness=witness, evidence=evidence, epsilon_lower=lower),
        tested=(tested,),
        epsilon_tested=epsilon,
        delta_tested=0.0,
        epsilon_lower=lower,
        confidence=1.0,
        effort=EFFORT,
        **fields,  # type: ignore[arg-type]
    )


YES_NO: Domain = Choices(("no", "yes"))
TRUTH = {"epsilon": 1.0, "relation": "any", "domain": YES_NO}

# The answer is true with probability 0.9, so the loss is ln 9.
EXACT = Result(
    replace(bearer("answer", **TRUTH), data="truth"),
    refuted(
        Witness(d1="yes", d2="no", arguments=(), observation=SingleOutput("yes")),
        ExactEvidence(measure=Measure.PROBABILITY, p1=around(0.9), p2=around(0.1), certified_by=(ELIMINATION,)),
        1.0,
        math.nextafter(math.log(9), 0.0),
    ),
)

# The same numbers before anybody has run the function.
BY_SOURCE = BySource(
    against=Unconfirmed(
        witness=EXACT.outcome.counterexample.witness,
        evidence=EXACT.outcome.counterexample.evidence,
        lower=EXACT.outcome.epsilon_lower,
        epsilon=1.0,
        delta=0.0,
        parameters=(),
    )
)

# 2 + Laplace(1 / 0.7) > 1 with probability 1 - e^-0.7 / 2; a query of 1 is never released as 2.
RELEASED = around(1 - math.exp(-0.7) / 2)
IMPOSSIBLE = Result(
    bearer("above"),
    refuted(
        Witness(d1=[2.0], d2=[1.0], arguments=at(0.7), observation=OutputEvent("output == [2.0]")),
        ExactEvidence(
            measure=Measure.PROBABILITY,
            p1=RELEASED,
            p2=Bounds(0.0, 0.0),
            certified_by=(ELIMINATION, "z3: no values of the draws lead to it"),
            infinite=Impossible(RELEASED),
        ),
        0.7,
        math.inf,
    ),
)

# Just above 1, max(1 + X, Y) has the density r (1 - e^-r), where X and Y have the rate r = 0.7 / 2; but the density of
# max(1 + X, 1 + Y) at 1 + t is 2 r^2 t.
RATE = 0.35
LIMIT = Result(
    bearer("noisy_max"),
    refuted(
        Witness(d1=[1.0, 0.0], d2=[1.0, 1.0], arguments=at(0.7), observation=SingleOutput(1.0)),
        ExactEvidence(
            measure=Measure.DENSITY,
            p1=around(RATE * -math.expm1(-RATE)),
            p2=Bounds(0.0, 0.0),
            certified_by=(ELIMINATION,),
            infinite=UnequalVanishing(0, 1),
        ),
        0.7,
        math.inf,
    ),
)

# Laplace noise of scale 1 / (2 epsilon) has a density that falls by e^(2 epsilon) from one answer to the next.
DENSITY = Result(
    mechanism("release"),
    refuted(
        Witness(d1=[1.0], d2=[0.0], arguments=at(0.7), observation=SingleOutput(1.5)),
        ExactEvidence(
            measure=Measure.DENSITY,
            p1=around(0.7 * math.exp(-0.7)),
            p2=around(0.7 * math.exp(-2.1)),
            certified_by=(ELIMINATION,),
        ),
        0.7,
        math.nextafter(1.4, 0.0),
    ),
)

PROOF_EFFORT = Effort(method="proof", seconds=0.42, argument_choices=1, alpha=0.0, seed=0, stop=StopReason.NOTHING_LEFT)
ANY_EPSILON = Range(low=0.0, above=True)
THRESHOLD = place("rng.laplace(scale=2 / epsilon)", after=21)
NOISY = place("rng.laplace(scale=4 * N / epsilon)")
ABOVE = Decision(place("noisy >= threshold"), "noisy >= threshold", holds=True)

# Lyu, Su, Li: Understanding the sparse vector technique, VLDB 2017, Algorithm 1: the threshold moves by 1, each answer
# above it by 1 and by what the query has moved, the others not at all.
SVT_PROOF = Proved(
    scope=Scope(
        relation="linf",
        neighbors="linf",
        sensitivity=1.0,
        sizes=Sizes(0, None),
        arguments=(
            ArgumentScope("epsilon", ANY_EPSILON),
            ArgumentScope("T", Range()),
            ArgumentScope("N", Range(low=1, high=5, integer=True)),
        ),
        epsilon=ANY_EPSILON,
    ),
    certificate=Certificate(
        method="randomness alignment",
        words="the threshold moves up, each answer above it makes up for its query, and no other noise moves",
        shifts=(
            Shift(
                site=DrawSite(THRESHOLD),
                distribution="laplace",
                scale="2 / epsilon",
                cases=(ShiftCase(Linear("1")),),
                cost="1/2",
            ),
            Shift(
                site=DrawSite(NOISY),
                distribution="laplace",
                scale="4 * N / epsilon",
                cases=(
                    ShiftCase(Linear("1", (("D2[i] - D1[i]", "-1"),)), (ABOVE,)),
                    ShiftCase(Linear(), (replace(ABOVE, holds=False),)),
                ),
                cost="1/(2*N)",
                every_turn=True,
            ),
        ),
        cost="1",
        checked_by=("z3: outputs are equal, and the cost is within the claim",),
    ),
    epsilon_upper="epsilon",
    effort=PROOF_EFFORT,
)
PROVED = Result(bearer("svt"), SVT_PROOF)

WINNER = Decision(place("np.argmax"), "output == i", holds=True)
INDEX_PROOF = Proved(
    scope=Scope(
        relation="linf",
        neighbors="linf",
        sensitivity=1.0,
        sizes=Sizes(1, 5),
        arguments=(ArgumentScope("epsilon", ANY_EPSILON),),
        epsilon=ANY_EPSILON,
    ),
    certificate=Certificate(
        method="randomness alignment",
        words="the noise of the winner makes up for all that the others can gain",
        shifts=(
            Shift(
                site=DrawSite(place("rng.laplace(scale=2 / epsilon)", after=THRESHOLD.line)),
                distribution="laplace",
                scale="2 / epsilon",
                cases=(
                    ShiftCase(Linear("1", (("D2[i] - D1[i]", "-1"),)), (WINNER,)),
                    ShiftCase(Linear(), (replace(WINNER, holds=False),)),
                ),
                cost="1",
                every_turn=True,
            ),
        ),
        cost="1",
        checked_by=("z3: outputs are equal, and the cost is within the claim",),
    ),
    epsilon_upper="epsilon",
    effort=PROOF_EFFORT,
)
PROVED_UP_TO = Result(bearer("noisy_index"), INDEX_PROOF)

# True with probability 0.7: a loss of ln(7 / 3) of 1 claimed.
NOTHING_FOUND = Result(
    replace(bearer("answer", **TRUTH), data="truth"),
    NoViolation(
        tested=(replace(at_epsilon(1.0), parameters=(), log_e_value=0.0, p_value=1.0),),
        choices=((),),
        confidence=0.999,
        effort=replace(ANYTIME_EFFORT, pairs=2, argument_choices=1, events=14, earlier_runs=0, seconds=1.1),
        power=Power(claimed=1.0, epsilon=1.02, share=0.05, probability=0.95),
        losses=(
            LargestLoss(
                pair=PairLoss(
                    d1="yes",
                    d2="no",
                    arguments=(),
                    loss=around(math.log(7 / 3)),
                    claimed=1.0,
                    where=SingleOutput("yes"),
                ),
                pairs=2,
                high=math.nextafter(math.log(7 / 3), 1.0),
            ),
        ),
    ),
)

# An e-value of 1,250 where 1,000 is needed: chance, in one of a thousand right mechanisms.
LUCKY = with_counts(
    with_witness(anytime_violation(log_e_value=math.log(1250)), d1=[1.0], d2=[0.0], event="output == [True]"),
    count1=1_120,
    count2=500,
    interval1=Bounds(0.205, 0.244),
    interval2=Bounds(0.087, 0.115),
    p_value=1 / 1250,
)
CONFLICT = Result(
    bearer("svt"),
    replace(
        LUCKY,
        tested=(replace(LUCKY.tested[1], p_value=1 / 1250, log_e_value=math.log(1250), lower=0.7004),),
        epsilon_lower=0.7004,
        strongest=None,
        confirmation=None,
        against=SVT_PROOF,
    ),
)

ONE_RUN = (
    ExampleDraw(site=DrawSite(THRESHOLD), distribution="laplace", value=-0.4127),
    ExampleDraw(site=DrawSite(NOISY, turns=(0,)), distribution="laplace", value=2.7183),
    ExampleDraw(site=DrawSite(NOISY, turns=(1,)), distribution="laplace", value=-1.3),
)
COUNTED = anytime_violation()
WITH_DRAWS = Result(bearer("svt"), replace(COUNTED, counterexample=replace(COUNTED.counterexample, draws=ONE_RUN)))

EVIDENCE: dict[str, Result] = {
    "exact": EXACT,
    "impossible": IMPOSSIBLE,
    "limit": LIMIT,
    "proved": PROVED,
    "proved-up-to": PROVED_UP_TO,
    "no-violation": NOTHING_FOUND,
    "conflict": CONFLICT,
}
"""Those of which the docs have a picture, by the name of its file."""
# Two sums with 0.6 and 0.65 of the budget, of which a record moves both: 5/4 by a model that was wrong in 3 runs.
COUPLED = Result(
    replace(bearer("answer", **TRUTH), data="truth"),
    with_counts(
        anytime_violation(),
        count1=95,
        count2=27,
        runs1=400,
        runs2=400,
        coupled=CoupledRuns(
            model_runs=2_000_000,
            p1=0.25,
            p2=0.0716,
            differ1=2,
            differ2=1,
            losses=(
                DrawLoss(file="sums.py", line=20, scale=153.8, moved=100.0, draws=1),
                DrawLoss(file="sums.py", line=21, scale=166.7, moved=50.0, draws=2),
            ),
        ),
    ),
)

EVERY_KIND: tuple[Result, ...] = (*EVIDENCE.values(), DENSITY, WITH_DRAWS, COUPLED)
