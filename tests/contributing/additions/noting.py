"""An interpretation that does what Python does, run by run, and notes the distributions that it draws from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported, UnsupportedConstruct
from dplint.readings.concrete import run
from dplint_conformance import Outcome, Replay, raised

drawn: set[str] = set()


def noting(program: Program, arguments: Mapping[str, Any], replays: Sequence[Replay]) -> list[Outcome] | Unsupported:
    try:
        return [_one(program, arguments, replay) for replay in replays]
    except UnsupportedConstruct as refused:
        return refused.unsupported


def _one(program: Program, arguments: Mapping[str, Any], replay: Replay) -> Outcome:
    def draw(node: Any, *rest: Any) -> Any:
        drawn.add(node.distribution)
        return replay(node, *rest)

    found = run(program, arguments, draw, fuel=1000)
    return ("output", found.output) if found.exception is None else raised(found.exception[0])
