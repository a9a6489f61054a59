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

    None for a program that cannot be run so, or has no numbers in its outputs.
    """
    setting = session.claimed[0]
    pairs = setting.fitting(session.find_pairs())
    if not pairs:
        return None, None
    (choice, *_) = find_choices(replace(job, program=programs[0]), session, pairs, setting, quick=True)
    data = session.data_value(max(pairs, key=lambda pair: pair.size), 1)
    found: list[float | None] = []
    for program in programs:
        try:
            given = program_arguments(program, session.mechanism, data, choice.values)
            found.append(_deviation(program, given, session.seed))
        except (NotPlain, UnsupportedConstruct, ValueError, OverflowError):
            found.append(None)
    first, second = found
    return first, second


def _deviation(program: Program, given: dict[str, Any], seed: int) -> float | None:
    """The mean over the places that every output has."""
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
    return float(np.mean(np.std(np.array([one[:places] for one in outputs], dtype=float), axis=0)))


def _numbers(output: Any) -> Iterator[float]:
    """The numbers in an output, in their order; a truth value is one."""
    match output:
        case bool() | int() | float() | np.number():
            yield float(output)
        case np.ndarray():
            yield from _numbers(output.tolist())
        case dict():
            yield from _numbers(list(output.values()))
        case Sequence() if not isinstance(output, str | bytes):
            for one in output:
                yield from _numbers(one)
