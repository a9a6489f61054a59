"""Lanes evaluate events: on the values of a program's outputs, before these become outputs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.events.counting import EventCounter
from dplint.events.discover import discover_grids
from dplint.events.places import OUTPUT
from dplint.program.building import NOWHERE, name
from dplint.program.nodes import Assign, For, If, Program, Return, Statement, While
from dplint.readings.lanes import SampledDraws, read_lanes
from dplint.runner.texts import TextNumbers

FOLDER = Path(__file__).parents[2] / "fixtures" / "statdp"
RUNS = 2_000
TARGETS = {
    item.mechanism.qualname: item
    for path in sorted(FOLDER.glob("*.py"))
    for item in load_file(path, Settings())
    if isinstance(item, Target)
}


def asked(program: Program, tree) -> Program:
    """The program that returns what an expression says of its output."""

    def block(statements: tuple[Statement, ...]) -> tuple[Statement, ...]:
        found: list[Statement] = []
        for statement in statements:
            match statement:
                case Return(value, span):
                    found += [Assign((name(OUTPUT),), value, span), Return(tree, NOWHERE)]
                case If() | For() | While():
                    found.append(replace(statement, body=block(statement.body), orelse=block(statement.orelse)))
                case _:
                    found.append(statement)
        return tuple(found)

    return replace(program, body=block(program.body))


@pytest.mark.parametrize("function", ["noisy_max_v1a", "noisy_max_v2b", "histogram", "isvt1", "isvt3"])
def test_an_event_is_evaluated_on_values(function):
    """The same draws, once as outputs that are counted and once with the event at the end of the program."""
    target = TARGETS[function]
    program = target.program
    assert isinstance(program, Program)
    given = dict.fromkeys(program.parameters, 1.0)
    given |= {"epsilon": 0.7, "n_noise": 2, "N": 2, "T": 1.0, program.data: [2.0, 0.5, 1.0, 1.5, 0.0]}
    arguments = {parameter: given[parameter] for parameter in program.parameters}

    def batch(of: Program):
        return read_lanes(of, arguments, RUNS, SampledDraws(np.random.SeedSequence(4))).batch()

    texts, outputs = TextNumbers(), batch(program)
    grids = discover_grids([outputs], [], texts)
    events = [grid.event(grid.size // 2) for grid in grids][:40]
    counter = EventCounter(events, 1, texts)
    counter.add(0, outputs)

    assert events
    for event, (hits,) in zip(events, counter.hits(), strict=True):
        assert sum(batch(asked(program, event.tree)).outputs()) == hits, event.expression()
