"""Residual programs: the operations of a function on one input, run in the worker for many runs at once.

The user's function is traced in the runner (`recorded_paths`); its paths are merged here into a tree, whose nodes are
operations and whose branches are what these answered. Runs go through the tree with no Python of the user's, at the
speed of arrays. Where an answer was never seen before, the runner is asked to trace the function with the draws of such
runs. Part of the worker.
"""

from __future__ import annotations

import functools
import importlib
import json
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.distributions import PACKAGES, SCIPY, program_draws
from dplint.runner.lane_draws import LaneDraws, draw_with
from dplint.runner.recorded_draws import DrawMethod
from dplint.runner.replay import Replay, own_signature
from dplint.runner.residual_tree import (
    DATUM,
    NOT_ONCE,
    Argument,
    Node,
    OfData,
    OnData,
    Output,
    by_lane,
    is_same,
    needed,
)
from dplint.runner.shared_noise import SharedNoise
from dplint.runner.streams import EntropySource, UnseededGenerators
from dplint.tracing import calls, kept_state  # noqa: F401 - they make the operations known
from dplint.tracing.lanes import NotTraced, PerLane, tracer
from dplint.tracing.paths import ARRAY
from dplint.tracing.recording import NotRecorded, Values, described, raised, shape_of

Ask = Callable[[int, Sequence[Any], Sequence[int]], Any]
"""Of a number of runs, the draws that they have made, and the lanes that they are like, the paths as `Runner.record`
gives them.
"""
_MOST_NODES = 40_000
_MOST_EXTENSIONS = 48
"""How often one block of runs may go ways that no run has gone: with more it would take too long to know them all."""
_MORE = 4096
"""Lanes that are traced when an answer is new for the first time: where there is one rare path, there are others."""
_SHOWN = (64, 1024, 16_384)
"""So many lanes are shown to the runner where an answer is new; more where it does not come to it with these."""
_DECIDED = "lanes.Tracer._decided"
"""The operation at which lanes part."""
_CONDITION = "lanes.Tracer.condition"
"""What tells whether the lanes of a mask agree."""
_PARTS = 1 / 4
"""Paths may be this share of the lanes, and a few more."""
_FEW = 400


class NotResidual(Exception):
    """The runs cannot be made by a residual program, for the reason in words."""


class _Fork:
    """Where lanes go on by themselves. values: by number `OfData`, or rows, form and kinds."""

    def __init__(self, node: Node, count: int, values: dict[int, Any]) -> None:
        self.node, self.count, self.values = node, count, values


class ResidualProgram:
    """The operations of one function on one input, or on all of one shape.

    ask: traces more paths in the runner, on the data of the runs in hand. root: of its tree.
    """

    def __init__(self, ask: Ask, first: int = 512) -> None:
        self.ask = ask
        self.root = Node()
        self._nodes = 1
        self._forks, self._extended, self._extensions = True, False, 0
        self._on_data = OnData()
        self._take(ask(first, (), ()))

    def _take(self, answer: Any) -> int:
        """Merge paths into the tree; how many nodes are new. Raises NotResidual."""
        before = self._nodes
        try:
            for steps, output in answer["paths"]:
                self._merge(steps, output)
        except (KeyError, TypeError, ValueError, IndexError, NotRecorded) as error:
            raise NotResidual(f"not a recording: {error}") from error
        if not self.root.key and self.root.output is None:
            raise NotResidual(next(iter(answer["lost"]), "no path of it could be recorded"))
        if self._nodes > _MOST_NODES:
            raise NotResidual("it has too many paths")
        return self._nodes - before

    def _merge(self, steps: Sequence[Any], output: Any) -> None:
        node = self.root
        for name, (arguments, named), answer in steps:
            key = json.dumps([name, arguments, named])
            if node.key != key:  # the function may be followed in another way than before
                node.becomes(key, name, arguments, named)
            before = len(node.answers)
            following = node.add(answer)
            self._nodes += len(node.answers) - before
            node.needs = None
            node = following
        if node.output is None:
            node.output = Output(output)
            self._nodes += 1

    def run(
        self,
        count: int,
        draws: ResidualDraws,
        take: Callable[[Output, Values], None],
        *,
        draws_wanted: bool = False,
    ) -> None:
        """So many runs. Raises NotResidual.

        take: gets the end of each path, in whose space it is called. draws_wanted: `tracer.draws` tells there what was
        asked for.
        """
        self._forks, self._extensions = not draws_wanted, 0
        self._on_data.forget()
        draw_with(draws)
        tracer.forget()
        try:
            tracer.run(lambda: self._walk(take), count, lambda paths: paths <= _FEW + _PARTS * count)
        except NotTraced as reason:
            raise NotResidual(str(reason)) from None
        if tracer.left_out:
            raise NotResidual("some runs cannot be made together with others")

    def _walk(self, take: Callable[[Output, Values], None]) -> None:
        """One path."""
        node, values = self.root, Values()
        if tracer.start is not None:
            node, values = tracer.start.node, _values_of(tracer.start)
            if any(number < tracer.start.count and number not in tracer.start.values for number in needed(node)):
                raise tracer.again()  # more is needed since paths were added
        while node.output is None:
            node = self._decided(node, values) if node.name == _DECIDED else self._done(node, values)
        by_lane([first for first, second in node.output.leaves if isinstance(second, int)], values)
        take(node.output, values)

    def _done(self, node: Node, values: Values) -> Node:
        """What follows after an operation. Raises Restart."""
        try:
            result = self._worked_out(node, values)
        except Exception as error:
            answer: Any = raised(error)
        else:
            usual = node.usual
            if usual is not None and type(result) in (PerLane, OfData) and values.number(result) is None:
                form, dtype, mixed, shape, following = usual
                rows = result.rows
                if (
                    result.form == form
                    and rows.dtype == dtype
                    and (result.kinds is not None) is mixed
                    and (result.base is None and rows.shape[1:] == shape)
                ):
                    values.add(result)
                    return following
            answer = _answer(result, values)
        following_one = node.after(answer)
        if following_one is None and node.name == _CONDITION and node.usual is not None and type(result) is bool:
            # Both sides of the branch are known: here one of them has no lanes.
            values.add(PerLane(np.full(tracer.count, result)))
            return node.usual[-1]
        if following_one is None:
            self._extend(node, values, answer)
            raise tracer.again()
        return following_one

    def _worked_out(self, node: Node, values: Values) -> Any:
        """What an operation gives: once for all lanes, where all that it is given is the same in all of them, and once
        for each data value, where that is so in all lanes of one.
        """
        result = NOT_ONCE
        if node.is_pure and tracer.count > 1:
            given = [values.values[number] for number in node.numbers]
            if all(map(is_same, given)):
                result = _once(node, values, given)
            else:
                result = self._on_data.worked_out(node, values, given)
        elif node.name == DATUM:
            result = self._on_data.datum(node)
        if result is not NOT_ONCE:
            return result
        by_lane(node.numbers, values)
        return node.called(values)

    def _decided(self, node: Node, values: Values) -> Node:
        """A decision: where lanes differ, the smaller part goes on from here by itself."""
        if tracer.branches or not self._forks:
            return self._done(node, values)
        by_lane(node.numbers, values)
        test = node.arguments[1].value(values)
        if test.form == ARRAY:
            return self._done(node, values)
        truth = tracer.truth(test)
        known = tracer.known(truth)
        if known is None:
            sides = {side: node.after(["=", side]) for side in (True, False)}
            less = bool(2 * np.count_nonzero(truth) < tracer.count)
            other = sides[less]
            if other is None:
                return self._done(node, values)
            live = [(number, values.values[number]) for number in needed(other) if number < len(values.values)]
            if any(value.base is not None or value.alias_at is not None for _, value in live):
                return self._done(node, values)
            index = np.flatnonzero(truth == less)
            kept: dict[int, Any] = {}
            for number, value in live:
                if type(value) is OfData:
                    kept[number] = value
                    continue
                kept[number] = (_rows_of(value, index), value.form, None if value.kinds is None else value.kinds[index])
            tracer.fork(index, _Fork(other, len(values.values), kept))
            known = not less
        following = node.after(["=", known])
        if following is None:
            self._extend(node, values, ["=", known])
            raise tracer.again()
        return following

    def _extend(self, node: Node, values: Values, answer: Any) -> None:
        """Have the runner trace the lanes of the present space. Raises NotResidual."""
        by_lane(node.numbers, values)
        self._extensions += 1
        if self._extensions > _MOST_EXTENSIONS:
            raise NotResidual("it has too many paths")
        if not self._extended:
            self._extended = True
            self._take(self.ask(_MORE, (), ()))
        for most in _SHOWN:
            lanes = np.linspace(0, tracer.count - 1, min(most, tracer.count)).astype(np.intp)
            lanes = np.unique(np.concatenate([lanes, *_of_either_side(node.arguments, values, most)]))
            new = self._take(
                self.ask(len(lanes), [_described(draw, lanes) for draw in tracer.draws], tracer.lanes[lanes].tolist())
            )
            if new or node.after(answer) is not None:
                return  # the lanes begin anew, and what is new may lie before this node
            if tracer.count <= most:
                break
        if tracer.start is None and tracer.began == tracer.count:
            raise NotResidual("the function goes other ways than its residual program")


def _rows_of(value: PerLane, index: NDArray[np.intp]) -> Any:
    """The rows of some lanes; one in memory where that is so of all lanes."""
    rows = tracer.raw(value)
    return np.broadcast_to(rows[:1], (len(index), *rows.shape[1:])) if is_same(value) else rows[index]


def _values_of(fork: _Fork) -> Values:
    values = Values()
    values.values = [None] * fork.count
    for number, kept in fork.values.items():
        values.put(number, kept if type(kept) is OfData else PerLane(*kept))
    return values


def _once(node: Node, values: Values, given: Sequence[PerLane]) -> Any:
    """What an operation gives in one lane, for all; NOT_ONCE where its result shares what it was given."""
    count, mask = tracer.count, tracer.mask
    alone = Values()
    alone.values = [None] * len(values.values)
    tracer.count, tracer.mask = 1, None
    try:
        for number, value in zip(node.numbers, given, strict=True):
            alone.put(number, PerLane(value.rows[:1], value.form))
        result = node.called(alone)
        if any(value.alias_at is not None for value in alone.values if value is not None):
            return NOT_ONCE
    finally:
        tracer.count, tracer.mask = count, mask
    return _for_all(result, alone)


def _for_all(result: Any, alone: Values) -> Any:
    if type(result) in (list, tuple):
        items = [_for_all(item, alone) for item in result]
        return NOT_ONCE if any(item is NOT_ONCE for item in items) else type(result)(items)
    if not isinstance(result, PerLane):
        return NOT_ONCE if isinstance(result, dict) else result
    if result.base is not None or result.kinds is not None or alone.number(result) is not None:
        return NOT_ONCE
    return PerLane(np.broadcast_to(result.rows, (tracer.count, *result.rows.shape[1:])), result.form)


def _of_either_side(arguments: Sequence[Argument], values: Values, most: int) -> list[NDArray[np.intp]]:
    """Lanes of the mask, and of those in which a bool that is asked for is true and false."""
    chosen = [] if tracer.mask is None else [tracer.mask]
    for argument in arguments:
        value = argument.value(values) if argument.number is not None else None
        if value is not None and value.form != ARRAY and value.rows.dtype == np.bool_:
            rows = tracer.rows(value)
            chosen += [rows, ~rows]
    return [np.flatnonzero(rows)[: most // 4] for rows in chosen]


def _described(draw: Any, lanes: NDArray[np.intp]) -> list[Any]:
    """A draw of some lanes, as `recorded_paths.made_of` takes it."""

    def told(value: Any) -> Any:
        return described(value, told)

    rows = tracer.raw(draw.value)[lanes]
    kinds = None if draw.value.kinds is None else draw.value.kinds[lanes]
    mask = None if draw.mask is None else tracer.rows(draw.mask)[lanes]
    return [told(rows), told(draw.value.form), *(None if part is None else told(part) for part in (kinds, mask))]


def _answer(result: Any, values: Values) -> Any:
    if isinstance(result, PerLane | OfData):
        number = values.number(result)
        return ["v", number] if number is not None else ["new", values.add(result), *shape_of(result)]
    return described(result, lambda inner: _answer(inner, values))


class ResidualDraws(LaneDraws):
    """Draws of all families from one stream. shared: noise that other blocks draw, too."""

    def __init__(self) -> None:
        super().__init__()
        source = EntropySource()
        self.methods = _Methods(Replay(source, UnseededGenerators(source), self).methods)
        self._shared: SharedNoise | None = None
        self._drawn: Counter[str] = Counter()

    def begin(self, seed: np.random.SeedSequence, shared: SharedNoise | None = None) -> None:
        """Another block begins."""
        self.source = np.random.Generator(np.random.SFC64(seed))
        self._shared = shared
        self._drawn.clear()

    def sampled(self, distribution: Any, parameters: dict[str, Any], shape: tuple[int, ...]) -> Any:
        """See `LaneDraws`."""
        if self._shared is not None:
            number = self._drawn[distribution.name]
            self._drawn[distribution.name] += 1
            rows = self._shared.draw(distribution.name, number, parameters, shape)
            if rows is not None:
                return rows
        return super().sampled(distribution, parameters, shape)


class _Methods(dict[str, DrawMethod]):
    """The methods that draw, by their labels; those of `scipy.stats` as they are asked for, as it is slow to import."""

    def __missing__(self, label: str) -> DrawMethod:
        name, _, method = label.rpartition(".")
        if label in program_draws(PACKAGES):
            real = getattr(importlib.import_module(name), method)
            self[label] = DrawMethod(label, real, program_draws(PACKAGES)[label], python=False)
            return self[label]
        signature = next((one for one in program_draws(SCIPY).values() if one.method == name), None)
        if method != "rvs" or signature is None:
            raise KeyError(label)
        law = getattr(importlib.import_module("scipy.stats"), name)
        real = functools.partial(law.rvs, random_state=np.random.RandomState(0))
        self[label] = DrawMethod(label, real, own_signature(signature), python=False)
        return self[label]


__all__ = ["NotResidual", "ResidualDraws", "ResidualProgram"]
