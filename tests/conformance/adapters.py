"""The readings as the suite sees them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from dplint.program.evaluator import evaluate
from dplint.program.nodes import Draw, Program
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.concrete import ConcreteReading, Run, run
from dplint.readings.lanes import PerRun, Texts, objects_of, read_block
from tests.conformance.harness import Outcome, Read, raised
from tests.conformance.many_runs import ManyRuns
from tests.conformance.recording import Replay

FUEL = 1000


def concrete(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome] | Unsupported:
    """The concrete reading, one run after the other."""
    try:
        return [_outcome(run(program, arguments, replay, fuel=FUEL)) for replay in replays]
    except UnsupportedConstruct as refused:
        return refused.unsupported


def many_runs(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome] | Unsupported:
    """Concrete readings side by side, under masks."""
    oracle = ManyRuns([ConcreteReading(replay, FUEL) for replay in replays])
    try:
        evaluate(program, oracle, {name: (arguments[name],) * len(replays) for name in program.parameters})
    except UnsupportedConstruct as refused:
        return refused.unsupported
    return [_outcome(reading.result) for reading in oracle.runs]


def lanes(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome] | Unsupported:
    """The reading on arrays, which lets go of ended lanes as soon as there are four."""

    def draw(lane: int, node: Draw, parameters: dict[str, object], size: object) -> object:
        return replays[lane](node, parameters, size)

    try:
        block = read_block(program, arguments, len(replays), PerRun(draw), Texts(), sys.version_info[:2], least=4)
        return [raised(value) if kind == "raised" else (kind, value) for kind, value in objects_of(block)]
    except UnsupportedConstruct as refused:
        return refused.unsupported


def _outcome(result: Run) -> Outcome:
    assert not result.out_of_fuel
    return ("output", result.output) if result.exception is None else raised(result.exception[0])


READINGS: tuple[Read, ...] = (concrete, many_runs, lanes)
