"""The interpretation on arrays: one lane a run, thousands of runs at a time, from plain per-run Python.

`read_lanes` executes a program many times at once. What the lanes give is what the function gives on the same draws,
run by run; where no array operation means the same as Python, Python's own function is called for each lane.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from dplint.program.evaluator import evaluate
from dplint.program.nodes import Program
from dplint.readings.lanes.draws import CallbackDraws, KeptDraws, MadeDraw, SampledDraws
from dplint.readings.lanes.interpretation import LEAST, DrawSource, LanesInterpretation
from dplint.readings.lanes.lane_values import Uniform
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.outputs import Outputs, objects_of
from dplint.readings.lanes.shared_noise import SharedNoise
from dplint.readings.lanes.stacks import Stack, stack
from dplint.runner.texts import TextNumbers

__all__ = [
    "BLOCK",
    "LEAST",
    "CallbackDraws",
    "DrawSource",
    "KeptDraws",
    "Lanes",
    "MadeDraw",
    "Outputs",
    "SampledDraws",
    "SharedNoise",
    "Stack",
    "block_for",
    "objects_of",
    "read_block",
    "read_lanes",
    "stack",
]

BLOCK = 131_072
"""Lanes that are read together at most: enough to make NumPy's calls cheap."""
_DRAWS = 12
"""Draws of a run with which a full block of lanes stays in cache; with more, blocks are smaller."""
_LEAST_BLOCK = 256


def block_for(draws: float) -> int:
    """How many lanes to read together if a run makes so many draws."""
    block = BLOCK
    while block > _LEAST_BLOCK and block * draws > BLOCK * _DRAWS:
        block //= 2
    return block


def read_lanes(
    program: Program,
    arguments: Mapping[str, Any],
    runs: int,
    draws: DrawSource,
    *,
    python: tuple[int, int] = (3, 11),
    block: int = BLOCK,
) -> Outputs:
    """Run the program `runs` times.

    arguments: a Python object for each parameter; never changed. draws: `SampledDraws`, `KeptDraws` or `CallbackDraws`.
    python: the version whose meaning is followed (`sum` of floats compensates since 3.12). Memory does not grow with
    `block` alone: the outputs of all runs are kept. Raises UnsupportedConstruct where the program cannot be followed.
    """
    outputs = Outputs(TextNumbers())
    left = runs
    while left > 0:
        count = min(block, left)
        outputs.add(read_block(program, arguments, count, draws, outputs.texts, python))
        left -= count
    return outputs


def read_block(
    program: Program,
    arguments: Mapping[str, Any],
    lanes: int,
    draws: DrawSource,
    texts: TextNumbers,
    python: tuple[int, int],
    *,
    least: int = LEAST,
) -> Lanes:
    """One block of lanes, all of which have ended.

    arguments: an object for each parameter, or a `Stack` of several. least: lanes from which compacting pays.
    """
    interpretation = LanesInterpretation(lanes, texts, draws, python, least)
    with np.errstate(all="ignore"):
        given = {name: arguments[name] for name in program.parameters}
        values = {n: v.value(interpretation) if isinstance(v, Stack) else Uniform(v) for n, v in given.items()}
        evaluate(program, interpretation, values)
    return interpretation
