"""How far the outputs of programs scatter, on the same data: by runs of the programs, none of the function."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from dplint.audit.choices import find_choices
from dplint.audit.program_arguments import NotPlain, program_arguments
from dplint.audit.session import AuditSession
from dplint.jobs import SourceJob
from dplint.program.nodes import Program
from dplint.program.refusals import UnsupportedConstruct
from dplint.readings import concrete
from dplint.readings.generators import RealGenerators

_RUNS = 200
_STREAM = 1 << 23


def standard_deviations(
    session: AuditSession, job: SourceJob, programs: tuple[Program, Program]
) -> tuple[float | None, float | None]:
    """Of the numbers in an output, their mean: data and arguments are those of the first program, the largest data.

    None for both where one cannot be run so or has no numbers in its outputs, and where one gives places, or counts,
    and the other measures.
    """
    setting = session.claimed[0]
    pairs = setting.fitting(session.find_pairs())
    if not pairs:
        return None, None
    (choice, *_) = find_choices(replace(job, program=programs[0]), session, pairs, setting, quick=True)
    data = session.data_value(max(pairs, key=lambda pair: pair.size), 1)
    found: list[tuple[float, bool] | None] = []
    for program in programs:
        try:
            given = program_arguments(program, session.mechanism, data, choice.values)
            found.append(_deviation(program, given, session.seed))
        except (NotPlain, UnsupportedConstruct, ValueError, OverflowError):
            found.append(None)
    first, second = found
    if first is None or second is None or first[1] != second[1]:
        return None, None
    return first[0], second[0]


def _deviation(program: Program, given: dict[str, Any], seed: int) -> tuple[float, bool] | None:
    """The mean over the places that every output has, and whether all numbers there are whole."""
    generators = RealGenerators(*np.random.SeedSequence(seed, spawn_key=(_STREAM,)).spawn(2))
    outputs = []
    for _ in range(_RUNS):
        run = concrete.run(
            program, given, lambda node, parameters, size, _site: generators.draw(node, dict(parameters), size)
        )
        if run.exception is None:
            outputs.append(list(_numbers(run.output)))
    places = min(map(len, outputs), default=0)
    if len(outputs) < _RUNS or not places:
        return None
    whole = all(isinstance(number, int) for one in outputs for number in one[:places])
    return float(np.mean(np.std(np.array([one[:places] for one in outputs], dtype=float), axis=0))), whole


def _numbers(output: Any) -> Iterator[float]:
    """The numbers in an output, in their order; a truth value is none."""
    match output:
        case bool() | np.bool_():
            return
        case int() | float() | np.number():
            yield output if isinstance(output, int) else output.item() if isinstance(output, np.number) else output
        case np.ndarray():
            yield from _numbers(output.tolist())
        case dict():
            yield from _numbers(list(output.values()))
        case Sequence() if not isinstance(output, str | bytes):
            for one in output:
                yield from _numbers(one)
