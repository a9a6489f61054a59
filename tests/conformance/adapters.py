"""The interpretations as the suite sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dplint.program.evaluator import evaluate
from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.concrete import ConcreteInterpretation, Run, run
from dplint_conformance import Adapter, Outcome, Replay, raised
from tests.conformance.many_runs import ManyRuns

FUEL = 1000


def concrete(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome] | Unsupported:
    """The concrete interpretation, one run after the other."""
    try:
        return [outcome_of_run(run(program, arguments, replay, fuel=FUEL)) for replay in replays]
    except UnsupportedConstruct as refused:
        return refused.unsupported


def many_runs(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome] | Unsupported:
    """Concrete interpretations side by side, under masks."""
    oracle = ManyRuns([ConcreteInterpretation(replay, FUEL) for replay in replays])
    try:
        evaluate(program, oracle, {name: (arguments[name],) * len(replays) for name in program.parameters})
    except UnsupportedConstruct as refused:
        return refused.unsupported
    return [outcome_of_run(interpretation.result) for interpretation in oracle.runs]


def outcome_of_run(result: Run) -> Outcome:
    """How a concrete run ended."""
    assert not result.out_of_fuel
    return ("output", result.output) if result.exception is None else raised(result.exception[0])


INTERPRETATIONS: tuple[Adapter, ...] = (concrete, many_runs)
