"""Both runs along one path on one sample: what the shifts of its draws have to do there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dplint.program.evaluator import evaluate
from dplint.program.nodes import Program
from dplint.proofs.alignment import Decisions
from dplint.proofs.proposer.forms import Duty, Form, Key, NoProposal
from dplint.proofs.proposer.walking import Drawn, NoDecision, Runs, SampleWalk, Walked, numbers_of

_MOST_PATHS = 2_000


@dataclass(frozen=True, slots=True)
class Sample:
    """Two neighbours and arguments. numbers: of their variables. epsilon: the claimed one. data: tells it apart."""

    first: Mapping[str, Any]
    second: Mapping[str, Any]
    numbers: Mapping[Key, Fraction]
    epsilon: Fraction
    data: object


@dataclass(slots=True)
class PairOfRuns:
    """What holds on one path. weights: the cost of a shift by 1, in shares of epsilon, for each draw."""

    decisions: Decisions
    conditions: list[Form]
    duties: list[Duty]
    draws: list[Drawn]
    offsets: list[Form]
    weights: list[Fraction]
    output: Any
    sample: Sample
    looked: bool = False


def pairs_of_runs(program: Program, sample: Sample, runs: Runs[SampleWalk]) -> Iterator[PairOfRuns]:
    """Every path of the run on D1 with the run on D2 that decides alike. runs: those on other samples."""
    count, numbers = 0, numbers_of(sample.numbers, runs.parts)
    open_paths: list[Decisions] = [()]

    def walked(run: int, decisions: Decisions) -> Walked:
        return runs.of(
            (sample.data, run, decisions),
            numbers,
            lambda: SampleWalk(run, decisions, numbers, runs.leaves, program),
            lambda walk: evaluate(program, walk, sample.first if run == 1 else sample.second),
        ).walked()

    while open_paths:
        decisions = open_paths.pop()
        try:
            first = walked(1, decisions)
        except NoDecision as asked:
            open_paths += [(*decisions, way) for way in reversed(range(asked.options))]
            continue
        count += 1
        if count > _MOST_PATHS:
            raise NoProposal(f"there are more than {_MOST_PATHS:,} paths")
        try:
            second = walked(2, decisions)
        except NoDecision:
            raise NoProposal("the run on D2 looks at noise more often") from None
        yield compared(decisions, first, second, sample)


def compared(decisions: Decisions, first: Walked, second: Walked, sample: Sample) -> PairOfRuns:
    """The duties of the shifts, where the run on D2 is to decide as that on D1, and to give the same."""
    duties: list[Duty] = []
    if len(first.conditions) != len(second.conditions) or len(first.watched) != len(second.watched):
        raise NoProposal("the runs do not look at noise equally often")
    for one, other in zip(first.conditions, second.conditions, strict=True):
        _duty(one, other, duties, equality=False)
    for one, other in zip(first.watched, second.watched, strict=True):
        equal(one, other, duties)
    equal(first.output, second.output, duties)
    offsets = []
    for number, drawn in enumerate(first.draws):
        known = number < len(second.draws) and drawn.base is not None and second.draws[number].base is not None
        offsets.append(second.draws[number].base.plus(drawn.base, -1) if known else Form({}))  # type: ignore[union-attr, arg-type]
    looked = first.looked or second.looked
    weights = [1 / (drawn.scale * sample.epsilon) for drawn in first.draws]
    return PairOfRuns(decisions, first.conditions, duties, first.draws, offsets, weights, first.output, sample, looked)


def equal(one: Any, other: Any, duties: list[Duty]) -> None:
    """Both runs have to give the same here."""
    if isinstance(one, Form) and isinstance(other, Form):
        _duty(one, other, duties, equality=True)
    elif isinstance(one, list | tuple) and isinstance(other, list | tuple) and len(one) == len(other):
        for a, b in zip(one, other, strict=True):
            equal(a, b, duties)
    elif isinstance(one, dict) and isinstance(other, dict) and list(one) == list(other):
        equal(list(one.values()), list(other.values()), duties)
    elif type(one) is not type(other) or one != other:
        raise NoProposal("an output that differs between the runs, whatever the noise")


def _duty(one: Form, other: Form, duties: list[Duty], *, equality: bool) -> None:
    difference = other.plus(one, -1)
    if difference.noisy:
        raise NoProposal("noise that has another part in the run on D2")
    factors = tuple((key[1], factor) for key, factor in one.part("n").items())
    if factors or not equality or difference.factors:
        duties.append(Duty(factors, difference, equality))
