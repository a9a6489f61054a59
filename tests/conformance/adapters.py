"""The interpretations as the suite sees them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any
from unittest import mock

from dplint.program.evaluator import evaluate
from dplint.program.nodes import Draw, Program
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.concrete import ConcreteInterpretation, Run, run
from dplint.readings.lanes import CallbackDraws, distinct, objects_of, read_block
from dplint.runner.texts import TextNumbers
from dplint.sites import DrawSite
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


def lanes(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome] | Unsupported:
    """The interpretation on arrays, which lets go of ended lanes as soon as there are four."""

    def draw(lane: int, node: Draw, parameters: dict[str, object], size: object, site: DrawSite) -> object:
        return replays[lane](node, parameters, size, site)

    try:
        block = read_block(
            program, arguments, len(replays), CallbackDraws(draw), TextNumbers(), sys.version_info[:2], least=4
        )
        return [raised(value) if kind == "raised" else (kind, value) for kind, value in objects_of(block)]
    except UnsupportedConstruct as refused:
        return refused.unsupported


def lanes_by_combination(
    program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]
) -> list[Outcome] | Unsupported:
    """The same, and Python is asked once for all lanes that hold the same operands, however few they are."""
    with mock.patch.multiple(distinct, _FEWEST=2, _MOST_SHARE=1.0):
        return lanes(program, arguments, replays)


def outcome_of_run(result: Run) -> Outcome:
    """How a concrete run ended."""
    assert not result.out_of_fuel
    return ("output", result.output) if result.exception is None else raised(result.exception[0])


INTERPRETATIONS: tuple[Adapter, ...] = (concrete, many_runs, lanes)
