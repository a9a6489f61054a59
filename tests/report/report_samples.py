"""Outcomes made by hand, one of every kind, for the tests of the report and the command line."""

from __future__ import annotations

from dataclasses import replace

from dplint.claims import Claim, Literal, Mechanism, Parameter, Span
from dplint.outcomes import (
    Argument,
    Bounds,
    Certificate,
    CheckError,
    CheckEvent,
    Confirmation,
    CountedEvidence,
    Counterexample,
    Curve,
    CurveLine,
    CurvePoint,
    Edit,
    Effort,
    ExactCurve,
    ExactDelta,
    ExactEvidence,
    Failed,
    FailureKind,
    FailureScope,
    Finding,
    Fix,
    Impossible,
    Measure,
    NoViolation,
    OutputEvent,
    Plan,
    Power,
    Progress,
    Proved,
    Range,
    Related,
    Result,
    Scope,
    Severity,
    Sizes,
    Standing,
    StopReason,
    TestedEpsilon,
    Underpowered,
    Untestable,
    Violation,
    Witness,
)

SOURCE = """\
import numpy as np
from dplint import dp

@dp(epsilon="epsilon")
def noisy_max(rng, queries, epsilon):
    return max(q + rng.laplace(scale=1 / epsilon) for q in queries)
"""


def mechanism(name: str = "noisy_max", *, line: int = 5, file: str = "src/release.py", **claim: object) -> Mechanism:
    fields: dict[str, object] = {"epsilon": "epsilon", **claim}
    return Mechanism(
        file=file,
        path=f"/somewhere/{file}",
        import_root="/somewhere/src",
        project_root="/somewhere",
        module="release",
        qualname=name,
        span=Span(line, 5, line, 5 + len(name)),
        claim_span=Span(line - 1, 1, line - 1, 23),
        claim=Claim(**fields),  # type: ignore[arg-type]
        parameters=(Parameter("rng"), Parameter("queries"), Parameter("epsilon")),
        data="queries",
        rng="rng",
        digest="00ff",
    )


def at_epsilon(epsilon: float, *, rejected: bool = False, lower: float = 0.1, delta: float = 0.0) -> TestedEpsilon:
    return TestedEpsilon(
        epsilon=epsilon,
        delta=delta,
        parameters=(Argument("epsilon", epsilon, "value of the claim"),),
        p_value=1e-30 if rejected else 0.4,
        lower=lower,
        runs=1_200_000,
        rejected=rejected,
    )


EFFORT = Effort(
    runs=3_600_000,
    seconds=12.34,
    pairs=28,
    argument_choices=3,
    events=512,
    alpha=0.001,
    seed=7,
    stop=StopReason.BUDGET,
)
TESTED = (at_epsilon(0.2), at_epsilon(0.7, rejected=True, lower=1.19), at_epsilon(1.5))


def violation(
    d1: Literal = None,
    d2: Literal = None,
    *,
    event: str = "output < 0.5",
    count1: int = 171_000,
    count2: int = 50_500,
    delta: float = 0.0,
    arguments: tuple[Argument, ...] = (
        Argument("epsilon", 0.7, "value of the claim"),
        Argument("T", 1, "10 of 10 comparisons differ"),
        Argument("N", 1, "least noise"),
    ),
    exact: bool = False,
    lower: float = 1.1987,
) -> Violation:
    """A violation that was counted; or the same probabilities as if they had been computed."""
    p1, p2 = count1 / 500_000, count2 / 500_000
    witness = Witness(
        d1=[1.0, 1.0, 2.0, 1.0, 1.0] if d1 is None else d1,
        d2=[1.0, 1.0, 1.0, 1.0, 1.0] if d2 is None else d2,
        arguments=arguments,
        observation=OutputEvent(event),
    )
    counted = CountedEvidence(
        count1=count1,
        count2=count2,
        runs1=500_000,
        runs2=500_000,
        interval1=Bounds(max(0.0, p1 - 0.0022), p1 + 0.0022),
        interval2=Bounds(max(0.0, p2 - 0.0014), p2 + 0.0014) if count2 else Bounds(0.0, 1.5e-5),
        confidence=0.999,
        p_value=1.25e-30,
        log_e_value=None,
        seed=7,
    )
    computed = ExactEvidence(
        measure=Measure.PROBABILITY,
        p1=Bounds(p1, p1),
        p2=Bounds(p2, p2),
        certified_by=("made by hand",),
        infinite=None if p2 else Impossible(Bounds(p1, p1)),
    )
    return Violation(
        counterexample=Counterexample(witness=witness, evidence=computed if exact else counted),
        tested=TESTED,
        epsilon_tested=0.7,
        delta_tested=delta,
        epsilon_lower=lower,
        confidence=1.0 if exact else 0.999,
        effort=replace(EFFORT, stop=StopReason.VIOLATION),
    )


def with_witness(found: Violation, **fields: object) -> Violation:
    """The violation with another witness. event: its expression."""
    if "event" in fields:
        fields["observation"] = OutputEvent(str(fields.pop("event")))
    witness = replace(found.counterexample.witness, **fields)  # type: ignore[arg-type]
    return replace(found, counterexample=replace(found.counterexample, witness=witness))


def with_counts(found: Violation, **fields: object) -> Violation:
    """The violation with other counts."""
    evidence = replace(found.counterexample.evidence, **fields)  # type: ignore[arg-type]
    return replace(found, counterexample=replace(found.counterexample, evidence=evidence))


NO_VIOLATION = NoViolation(
    tested=(at_epsilon(0.2), at_epsilon(0.7), at_epsilon(1.5)),
    choices=((Argument("T", 1, "10 of 10 comparisons differ"),), (Argument("T", 2, "a branch not taken before"),)),
    confidence=0.999,
    effort=replace(EFFORT, notes=("run as it is, by calling it: `with` in line 9 is Unsupported",)),
)
ANYTIME_EFFORT = replace(
    EFFORT, method="anytime", looks=41, runs=2_100_000, earlier_runs=1_500_000, pairs=16, events=1_240, seconds=4.2
)


def anytime_violation(*, log_e_value: float = 24.0) -> Violation:
    """One of three tested epsilons is rejected: the event alone has made e^24, all bets together e^20 / 3 at least."""
    found = with_counts(
        violation(count1=588, count2=182),
        runs1=5_000,
        runs2=5_000,
        log_e_value=log_e_value,
        p_value=3.8e-11,
        interval1=Bounds(0.103, 0.133),
        interval2=Bounds(0.028, 0.046),
    )
    simplest = replace(found.counterexample, epsilon_lower=0.944)
    other = with_counts(
        with_witness(found, d1=[2.0] + [1.0] * 9, d2=[1.0] * 10, event="output[-1] < 0.25"), log_e_value=31.0
    )
    strongest = replace(other.counterexample, epsilon_lower=1.37)
    rejected = replace(at_epsilon(0.7, rejected=True, lower=1.1987), p_value=6.183e-9, log_e_value=20.0)
    return replace(
        found,
        counterexample=simplest,
        strongest=strongest,
        confirmation=Confirmation(count1=2_352, count2=728, runs=20_000, agrees=True),
        tested=(replace(at_epsilon(0.2), log_e_value=0.3), rejected),
        effort=replace(ANYTIME_EFFORT, stop=StopReason.VIOLATION),
    )


ANYTIME_NO_VIOLATION = NoViolation(
    tested=tuple(replace(at_epsilon(epsilon), log_e_value=0.0, p_value=1.0) for epsilon in (0.2, 0.7, 1.5)),
    choices=((Argument("T", 1, "10 of 10 comparisons differ"),),),
    confidence=0.999,
    effort=ANYTIME_EFFORT,
    power=Power(claimed=0.7, epsilon=0.78, share=0.05, probability=0.95),
)
STANDING = Standing(epsilon=0.7, lower=0.4267, event="output[0] < 0.25", log_e_value=4.3, share=0.62)
PROVED = Proved(
    scope=Scope(
        relation="linf",
        neighbors="linf",
        sensitivity=1.0,
        sizes=Sizes(0, None),
        arguments=(),
        epsilon=Range(low=0.0, above=True),
    ),
    certificate=Certificate(
        method="randomness alignment",
        words="the noise of the answer makes up for the difference",
        shifts=(),
        cost="1",
        checked_by=("made by hand",),
    ),
    epsilon_upper="epsilon",
    effort=replace(EFFORT, method="proof", runs=0, alpha=0.0, stop=StopReason.NOTHING_LEFT),
)
UNTESTABLE = Untestable(reason="a method that needs an instance")
UNDERPOWERED = Underpowered(
    why="4,100 runs are too few for twice the claim to be seen",
    helps=("more time (--budget 120)", "smaller data (size= in the claim)"),
    tested=(at_epsilon(0.7),),
    confidence=0.999,
    effort=replace(EFFORT, method="anytime", runs=4_100),
    power=Power(claimed=0.7, epsilon=1.9, share=0.05, probability=0.95),
)
NOT_IMPORTED = Failed(
    kind=FailureKind.IMPORT,
    reason="the import of shop failed: the interpreter /usr/bin/python3 has no module 'nowhere'",
    detail="Traceback (most recent call last):\n"
    '  File "/project/src/shop.py", line 2, in <module>\n'
    "    import nowhere\n",
    cure="Install nowhere there, or name the interpreter that has it with --interpreter.",
    scope=FailureScope.MODULE,
    line=2,
)
FAILED = Failed(
    kind=FailureKind.DEADLINE, reason="no run ended within 10 s", detail="Traceback:\n  endless()", effort=EFFORT
)

LISTS = Result(mechanism("svt_bools", line=12), violation(event="output == [False] * 9 + [True]"))
MIXED = Result(
    mechanism("svt_mixed", line=20),
    violation(
        [2.0] + [1.0] * 29,
        [1.0] * 30,
        event="output[:9] == [False] * 9 and -2.4 < output[-1] < 2.4",
        count2=0,
    ),
)
RECORDS = Result(
    mechanism("count_records", line=30, relation="add-remove"),
    violation([3, 5, 9, 9], [3, 5, 9], event="len(output) == 4"),
)
ROWS = Result(
    mechanism("rows", line=40, relation="replace-one", delta=1e-5),
    violation(
        [{"age": 30, "diagnosis": "flu"}, {"age": 90, "diagnosis": "none"}],
        [{"age": 30, "diagnosis": "flu"}, {"age": 18, "diagnosis": "none"}],
        delta=1e-5,
    ),
)
SCALAR = Result(
    mechanism("respond", line=50, relation="any", epsilon=0.7),
    violation(True, False, count2=0, exact=True, lower=float("inf")),
)
RESULTS: tuple[Result, ...] = (
    Result(mechanism(), violation()),
    LISTS,
    MIXED,
    RECORDS,
    ROWS,
    SCALAR,
    Result(mechanism("fine", line=60), NO_VIOLATION),
    Result(mechanism("proved", line=70), PROVED),
    Result(replace(mechanism("Counter.release", line=80), untestable="a method"), UNTESTABLE),
    Result(mechanism("endless", line=90), FAILED),
    Result(mechanism("slow", line=100), UNDERPOWERED),
)
IN_SHOP = tuple(
    Result(replace(mechanism(name, line=line), file="src/shop.py", path="/project/src/shop.py"), NOT_IMPORTED)
    for name, line in (("count", 6), ("total", 12), ("mean", 20))
)
"""Three mechanisms of a module that cannot be imported."""
FINDINGS = (
    Finding("src/release.py", Span(4, 5, 4, 22), "noisy_max", "DP001", Severity.ERROR, "unknown parameter `epsilom`"),
    Finding(
        "src/release.py",
        Span(6, 37, 6, 48),
        "noisy_max",
        "DP101",
        Severity.WARNING,
        "scale is a constant",
        Fix("scale by 2 / epsilon", (Edit(Span(6, 37, 6, 48), "2 / epsilon"),), safe=False),
        (Related(Span(5, 29, 5, 36), "`epsilon` is here"),),
        foretells=True,
    ),
)
ERROR = CheckError("src/broken.py", 3, "does not parse: expected ':'")
EVENTS: tuple[CheckEvent, ...] = (
    Plan(tuple(result.mechanism for result in RESULTS)),
    Progress(RESULTS[0].mechanism, "selecting", 1000, 600_000),
    *reversed(RESULTS),
    *FINDINGS,
    ERROR,
)


def _exact_curve(claimed: float, epsilons: list[float]) -> ExactCurve:
    """Delta falls from claimed / 4 to nothing at the claim."""
    return ExactCurve(
        d1=[2, 1],
        d2=[1, 1],
        arguments=(Argument("epsilon", claimed, "value of the claim"),),
        loss=Bounds(claimed, claimed + 1e-12),
        deltas=tuple(
            ExactDelta(epsilon, Bounds(delta, delta))
            for epsilon in epsilons
            for delta in [max(0, claimed - epsilon) / 4]
        ),
        pairs=16,
        certified_by="elimination of noise in 128-bit ball arithmetic",
    )


def curve() -> Curve:
    """Three claims, each rejected below its claimed epsilon and accepted above."""

    def point(epsilon: float, claimed: float) -> CurvePoint:
        rejected = epsilon < claimed - 0.05
        return CurvePoint(
            epsilon=epsilon,
            p_value=0.0 if rejected else min(1.0, 0.5 + (epsilon - claimed) * 2),
            lower=claimed - 0.1,
            rejected=rejected,
            d1=[2, 1],
            d2=[1, 1],
            arguments=(Argument("epsilon", claimed, "value of the claim"),),
            event=None if epsilon > claimed + 0.3 else "output == 0",
        )

    epsilons = [round(0.1 * i, 10) for i in range(1, 21)]
    lines = tuple(
        CurveLine(
            parameters=(Argument("epsilon", claimed, "value of the claim"),),
            claimed=claimed,
            points=tuple(point(epsilon, claimed) for epsilon in epsilons),
            exact=_exact_curve(claimed, epsilons) if claimed < 1 else None,
            not_exact="" if claimed < 1 else "not computed exactly: rounding at line 9 is not understood",
        )
        for claimed in (0.2, 0.7, 1.5)
    )
    return Curve(mechanism=mechanism(), lines=lines, level=0.05, effort=EFFORT)
