"""Runs on lanes in place of plain runs: made in the worker, checked against the user's function in the runner."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

import numpy as np

from dplint.audit.translation import events_of, first_difference, tolerance
from dplint.claims import Literal, Mechanism
from dplint.program.nodes import Program, Unsupported, UnsupportedConstruct
from dplint.readings.lanes import BLOCK, Kept, Outputs, Sampled, Texts, block_for, read_block
from dplint.runner.batch import Batch
from dplint.runner.client import DataValue, ReplayRequest, Runner
from dplint.runner.literals import encode
from dplint.runner.values import Frames, build

_LEAST_SPACE = 16
"""The check compacts early, so that it sees what larger blocks will do."""


class NotOnLanes(Exception):
    """The mechanism has to be run one call at a time, for the reason given in words."""


class LaneRuns:
    """One mechanism on lanes.

    Deterministic: the same seed gives the same runs. A caller that asks for `chunk` runs at a time needs the memory of
    one block, whatever the number of runs.
    """

    def __init__(self, program: Program, mechanism: Mechanism, runner: Runner) -> None:
        self._program = program
        self._mechanism = mechanism
        self._runner = runner
        major, minor = runner.versions[0].split(".")[:2]
        self._python = (int(major), int(minor))
        self._ulps = tolerance(program)
        self._block = BLOCK
        self._checked: dict[str, int] = {}

    @property
    def chunk(self) -> int:
        """Runs whose outputs fit into memory, for one data value."""
        return self._block

    def sample(
        self, data: DataValue, arguments: Mapping[str, Literal], runs: int, seed: np.random.SeedSequence
    ) -> Batch:
        """Outputs of so many runs. Raises NotOnLanes."""
        given = self._given(data, arguments)
        draws, outputs = Sampled(seed), Outputs(Texts())
        left = runs
        while left > 0:
            count = min(left, self._block)
            try:
                outputs.add(read_block(self._program, given, count, draws, outputs.texts, self._python))
            except UnsupportedConstruct as refused:
                raise NotOnLanes(in_words(refused.unsupported)) from None
            left -= count
        return outputs.batch()

    def check(
        self, data: DataValue, arguments: Mapping[str, Literal], lanes: int, seed: np.random.SeedSequence
    ) -> None:
        """Replay lanes through the user's function, unless as many have been checked on this input.

        Raises NotOnLanes if anything differs, RunnerError if the function does not come to an end.
        """
        key = repr((data, sorted(arguments.items())))
        if self._checked.get(key, 0) >= lanes:
            return
        draws, outputs = Kept(Sampled(seed)), Outputs(Texts(), placed=True)
        try:
            block = read_block(
                self._program,
                self._given(data, arguments),
                lanes,
                draws,
                outputs.texts,
                self._python,
                least=_LEAST_SPACE,
            )
        except UnsupportedConstruct as refused:
            raise NotOnLanes(in_words(refused.unsupported)) from None
        outputs.add(block)
        events = events_of(draws.made, block)
        replayed = self._runner.replay(ReplayRequest(data, arguments, lanes, events))
        if replayed.wrong_runs:
            raise NotOnLanes(f"the check of the translation failed: {replayed.complaints[0]}")
        mine = outputs.batch()
        wrong = first_difference(mine, replayed.batch, self._ulps)
        if wrong is not None:
            raise NotOnLanes(
                "the check of the translation failed: on the same draws the function gives "
                f"{_shown(replayed.batch, wrong)} and its translation {_shown(mine, wrong)}"
            )
        self._checked[key] = lanes
        drawn = sum(np.size(np.asarray(event.values)) for event in events)
        self._block = min(self._block, block_for(drawn / lanes))

    def _given(self, data: DataValue, arguments: Mapping[str, Literal]) -> dict[str, Any]:
        """The arguments as objects, as the runner makes them."""
        given: dict[str, Any] = dict(arguments)
        if self._mechanism.data is not None:
            if data.handle is not None or data.form == "frame":
                raise NotOnLanes("its data are objects that only the user's interpreter has")
            (value,) = build([{"value": encode(data.value), "form": data.form, "handle": None}], Frames(), ())
            given[self._mechanism.data] = value
        for name in self._program.parameters:
            if name not in given:
                given[name] = self._default(name)
        return given

    def _default(self, name: str) -> Any:
        parameter = self._mechanism.parameter(name)
        try:
            return ast.literal_eval(parameter.default or "") if parameter is not None else None
        except (ValueError, SyntaxError):
            raise NotOnLanes(f"the default of its parameter {name} is not a plain value") from None


def in_words(unsupported: Unsupported) -> str:
    """A construct that lanes do not know, for a note."""
    return f"{unsupported.construct} at line {unsupported.span.line} is not understood"


def _shown(batch: Batch, run: int) -> str:
    text = repr(batch.outputs()[run])
    return text if len(text) <= 80 else text[:79] + "…"
