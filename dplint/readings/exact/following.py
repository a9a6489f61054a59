"""The exact interpretation at numbers: which of its paths the draws of one run take, and what its values are there.

Everything is done as for losses: draws are names, comparisons split paths, and paths are merged. Beside that, one path
is followed. Its draws get the numbers of the run; where it splits, it goes on where the weight is positive at these
numbers; where it is merged, the numbers are told in the names of the merged path. Few of the other paths are kept, as
many as it takes for merging to have something to merge.

One run of a program as the exact reading has it: its own code, with numbers put in for the draws.

    run_at(program, {"queries": [1.0], "epsilon": 0.5}, draw)

What losses rest on is walked here as it is for them: the program unfolded, operations on noisy values, draws, splits,
merges, and the forms of outputs. It is what `dplint.readings.concrete.run` gives wherever the
reading is right. Noise is a real number here: floats that a sum rounds differ by that, and a whole number may be an int
where Python has the float.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
from flint import ctx, fmpq

from dplint.claims import Span
from dplint.collecting import rarely_collected
from dplint.program.evaluator import evaluate
from dplint.program.interpretation import Branch, DrawCallback, Hooks, LiveVariables, Run
from dplint.program.nodes import Draw, Expression, For, Program, Statement, While
from dplint.program.refusals import UnsupportedConstruct, unsupported
from dplint.readings.exact.affine import Affine, NotFollowed
from dplint.readings.exact.computing import FIRST_PRECISION, Prepared, hooks_of, kept, prepared_of
from dplint.readings.exact.interpretation import ExactInterpretation, Limits
from dplint.readings.exact.merging import Merging, State
from dplint.readings.exact.outputs import form_of
from dplint.readings.exact.paths import Mask, Value
from dplint.readings.exact.piecewise import Cell
from dplint.readings.exact.terms import ZERO, rational
from dplint.readings.exact.weights import Weight
from dplint.sites import DrawSite

__all__ = ["OnBoundary", "ReadingDisagrees", "run_at"]


_OTHERS = 6
"""Paths beside the one that is followed, after each statement."""
_BESIDE = 2
"""New ones of them each time that it splits."""


class ReadingDisagrees(Exception):
    """The reading is wrong at these numbers, whatever the function does: what contradicts what."""


class OnBoundary(Exception):
    """A number lies exactly where two paths meet, which has probability 0: of it nothing is claimed."""


class Ended(Exception):
    """The path that is followed has come to its end."""


class Followed(ExactInterpretation):
    """See the module. path: the leaf that is followed. numbers: of its draws.

    value: the output of the reading, once the path has ended by `return`. result: the run.
    """

    def __init__(self, draw: DrawCallback, fuel: int, limits: Limits) -> None:
        super().__init__(limits)
        self.path = 0
        self.numbers: dict[int, fmpq] = {}
        self.value: Any = None
        self.result = Run()
        self._draw = draw
        self._fuel = fuel
        self._asked: Callable[[], Any] | None = None
        self._chosen = 0

    @property
    def fuel(self) -> int:
        """No more than there is for losses."""
        return min(self._fuel, super().fuel)

    # numbers

    def at(self, noise: Affine) -> fmpq:
        """A noisy value at the numbers."""
        return sum((a * self.numbers[draw] for draw, a in noise.coefficients.items()), noise.constant)

    def plain(self, value: Any) -> Any:
        """A value as Python has it: whole numbers as int, others as the nearest float."""
        return put_in(value, self._number)

    def _number(self, noise: Affine) -> Any:
        number = self.at(noise)
        if noise.is_whole:
            return np.int64(int(number.p)) if noise.numpy and abs(number) < 2**63 else int(number.p)
        try:
            found = int(number.p) / int(number.q)
        except OverflowError:
            found = math.copysign(math.inf, number.p)
        return np.float64(found) if noise.numpy else found

    def rename(self, old: Affine, new: Affine) -> None:
        """The path goes on with the draw of another one, which has the value `new` where this one had `old`."""
        value = self.at(old)
        ((draw, slope),) = new.coefficients.items()
        self.numbers[draw] = (value - new.constant) / slope

    # draws

    def draw(
        self, node: Draw, parameters: Mapping[str, Value], size: Value | None, active: Mask, site: DrawSite
    ) -> Value:
        """As ever; of the path that is followed, the callback is asked."""

        def asked() -> Any:
            path = self.path
            given = {name: self.plain(self.get(value, path)) for name, value in parameters.items()}
            return self._draw(node, given, None if size is None else self.plain(self.get(size, path)), site)

        self._asked = asked
        try:
            return super().draw(node, parameters, size, active, site)
        finally:
            self._asked = None

    def _drawn(self, ask: Callable[[], Any], ways: Sequence[tuple[Weight, Any]]) -> int:
        """The way that a draw comes out in; its names get their numbers."""
        try:
            number = ask()
        except (UnsupportedConstruct, MemoryError):
            raise
        except Exception as error:
            raise ReadingDisagrees(f"a draw ends in {type(error).__name__}, which the law does not know") from error
        # Items that stand twice in what is chosen from are two ways with one value.
        for index, (_, value) in enumerate(ways):
            if self._learn(value, number):
                return index
        raise ReadingDisagrees(f"what is drawn is not among what the law knows: {number!r}")

    def _learn(self, drawn: Any, number: Any) -> bool:
        """Whether a value may be what was drawn; if it is a name, it is from now on."""
        if isinstance(drawn, np.ndarray):
            same = drawn.shape == np.shape(number)
            return same and all(map(self._learn, drawn.ravel().tolist(), np.ravel(np.asarray(number)).tolist()))
        if not isinstance(drawn, Affine):
            nan = all(isinstance(x, float) and math.isnan(x) for x in (drawn, number))
            return nan or bool(drawn == number)
        new = drawn.coefficients.keys() - self.numbers.keys()
        if not isinstance(number, int | float | np.number) or not math.isfinite(number) or len(new) != 1:
            return False
        (draw,) = new
        self.numbers[draw] = ZERO
        found = rational(number.item() if isinstance(number, np.generic) else number) - self.at(drawn)
        self.numbers[draw] = found / drawn.coefficients[draw]
        return draw > 0 or bool(self.numbers[draw].q == 1)

    # paths

    def split(self, leaf: int, weights: Sequence[Weight]) -> list[int]:
        """The path goes on in the way that was chosen."""
        children = super().split(leaf, weights)
        if leaf == self.path:
            self.path = children[self._chosen]
        return children

    def merge(self, leaves: Sequence[int], weight: Weight) -> int:
        """The path goes on as the merged one."""
        child = super().merge(leaves, weight)
        if self.path in leaves:
            self.path = child
        return child

    def _follow(self, leaf: int, ways: Sequence[tuple[Weight, Any]], table: dict[int, Any]) -> None:
        count = len(ways)
        if leaf != self.path:
            most = max(1, _OTHERS + 1 - len(self.weights))
            kept = {(self.steps + i) % count for i in range(min(most, count))}
        else:
            chosen = self._chosen_way(ways)
            kept = {(chosen + i) % count for i in range(min(_BESIDE + 1, count))}
            self._chosen = sorted(kept).index(chosen)
        super()._follow(leaf, [way for index, way in enumerate(ways) if index in kept], table)

    def _chosen_way(self, ways: Sequence[tuple[Weight, Any]]) -> int:
        """The one way that the numbers take."""
        before = self.weights[self.path]
        if self._asked is not None:
            chosen = self._drawn(self._asked, ways)
            ways, possible = [ways[chosen]], [chosen]
        else:
            possible = list(range(len(ways)))
        inside = [self._place(weight, before) for weight, _ in ways]
        possible = [index for index, where in zip(possible, inside, strict=True) if where is not None]
        if len(possible) == 1:
            return possible[0]
        if not possible:
            raise ReadingDisagrees("no path of the reading is possible at these numbers")
        if False in inside:
            raise OnBoundary("a number lies where two paths meet")
        raise ReadingDisagrees(f"{len(possible)} paths of the reading are taken at the same numbers")

    def require_possible(self) -> None:
        """Raises ReadingDisagrees if the weight of the path is 0 at its numbers."""
        if self._place(self.weights[self.path], Weight()) is None:
            raise ReadingDisagrees("merged paths are impossible at the numbers of one of them")

    def _place(self, weight: Weight, before: Weight) -> bool | None:
        """Where the numbers lie in what the weight restricts, beyond one before it: inside, at an end, outside (None).

        A function that is zero between two cells on which it is positive is so on a set without probability, or not.
        """
        places: list[int] = []
        for draw, functions in weight.functions.items():
            if functions is not before.functions.get(draw):
                number = self.numbers[draw]
                places.extend(max(_within(number, cell) for cell in [*one.support(), _EMPTY]) for one in functions)
        for direction, limits in weight.limits.items():
            if limits is not before.limits.get(direction):
                total = sum((a * self.numbers[draw] for draw, a in direction), ZERO)
                places.append(_within(total, limits))
        least = min(places, default=_INSIDE)
        return None if least == _OUTSIDE else least == _INSIDE

    def prune(self, active: Mask) -> None:
        """End the oldest of the other paths that stand here, if there are too many."""
        many = len(self.weights) - 1 - _OTHERS
        if many > 0:
            self.end(sorted(self.leaves(active) - {self.path})[:many])

    # what happens

    def _raise(self, error: Exception, active: Mask, values: Sequence[Value], span: Span) -> Value:
        """What is said of the reading is no exception of the mechanism."""
        if isinstance(error, ReadingDisagrees | OnBoundary):
            raise error
        return super()._raise(error, active, values, span)

    def branch(self, condition: Mask, active: Mask, node: Expression | For) -> None:
        """Noted in the result."""
        if self.path in self.leaves(active):
            place = node.iterable.span if isinstance(node, For) else node.span
            self.result.branches.append(Branch(place, self.path in self.leaves(condition)))

    def returned(self, value: Value, active: Mask, span: Span) -> None:
        """Ends all, if the path that is followed is among these."""
        ends = self.path in self.leaves(active)
        super().returned(value, active, span)
        if ends:
            self.value = self.get(value, self.path)
            self.result.output = self.plain(self.value)
            raise Ended

    def raised(self, exception: str, arguments: Sequence[Value], active: Mask, span: Span) -> None:
        """Ends all, if the path that is followed is among these."""
        ends = self.path in self.leaves(active)
        super().raised(exception, arguments, active, span)
        if ends:
            self.result.exception = exception, tuple(self.get(argument, self.path) for argument in arguments)
            raise Ended


_OUTSIDE, _AT_END, _INSIDE = range(3)
_EMPTY: Cell = (ZERO, ZERO - 1)


def _within(number: fmpq, cell: Cell) -> int:
    low, high = cell
    if (low is not None and number < low) or (high is not None and number > high):
        return _OUTSIDE
    at_end = (low is not None and number == low) or (high is not None and number == high)
    return _AT_END if at_end else _INSIDE


class FollowedMerging(Merging):
    """Merging, which tells the numbers of the path in the names of what it becomes."""

    _interpretation: Followed

    def _replaced(self, states: Sequence[State], weight: Weight) -> State:
        interpretation = self._interpretation
        followed = next((state for state in states if state.leaf == interpretation.path), None)
        found = super()._replaced(states, weight)
        if followed is not None:
            if followed.anchor is not None and found.anchor is not None:
                interpretation.rename(followed.anchor, found.anchor)
            interpretation.require_possible()
        return found


class Pruning:
    """Hooks that end paths beyond the few that are kept, after the hooks for losses."""

    def __init__(self, hooks: Hooks[Value, Mask], interpretation: Followed) -> None:
        self._hooks, self._interpretation = hooks, interpretation

    def entering_loop(
        self, node: For | While, iterable: Value | None, active: Mask, live: LiveVariables[Value, Mask]
    ) -> None:
        """Passed on."""
        self._hooks.entering_loop(node, iterable, active, live)

    def after_statement(self, statement: Statement, active: Mask, live: LiveVariables[Value, Mask]) -> None:
        """Raises ReadingDisagrees if the path that is followed was ended."""
        interpretation = self._interpretation
        self._hooks.after_statement(statement, active, live)
        if interpretation.path not in interpretation.weights:
            raise ReadingDisagrees("the path of these numbers was ended")
        interpretation.prune(active)


def put_in(value: Any, noise: Callable[[Affine], Any]) -> Any:
    """A value with something in the place of its noise."""
    if isinstance(value, Affine):
        return noise(value)
    if isinstance(value, list | tuple):
        return type(value)([put_in(item, noise) for item in value])
    if isinstance(value, dict):
        return {key: put_in(item, noise) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype == object:
        return np.array([put_in(item, noise) for item in value.ravel()]).reshape(value.shape)
    return value


def run_at(program: Program, arguments: Mapping[str, Any], draw: DrawCallback, *, fuel: int = 10_000) -> Run:
    """Run the program once. The arguments are those of `dplint.readings.concrete.run`.

    Numbers that the callback gives for noise with a density should be such that no comparison is an equality. Laws and
    losses that were computed before may be used afterwards if they are of the same program.

    Raises:
        UnsupportedConstruct: the reading does not follow the program; then there are no losses either.
        ReadingDisagrees: the reading contradicts the draws, or itself.
        OnBoundary: an equality that has probability 0.
    """
    prepared = prepared_of(program)
    kept.turn_to(program)
    with rarely_collected(), ctx.workprec(FIRST_PRECISION):
        whole = _walk(prepared, arguments, draw, fuel)
        if whole.result.exception is None:
            _compare_form(whole)
    return whole.result


def _walk(prepared: Prepared, arguments: Mapping[str, Any], draw: DrawCallback, fuel: int) -> Followed:
    program, interpretation = prepared.program, Followed(draw, fuel, Limits())
    given = {name: Value(copy.deepcopy(arguments[name])) for name in program.parameters}
    hooks = Pruning(hooks_of(prepared, interpretation, FollowedMerging), interpretation)
    try:
        evaluate(program, interpretation, given, hooks=hooks, liveness=prepared.liveness)
    except Ended:
        return interpretation
    except NotFollowed as refused:
        raise unsupported(refused.construct, program.span, refused.hint) from refused
    raise ReadingDisagrees("the path of these numbers does not come to an end")


def _compare_form(whole: Followed) -> None:
    """The output as the law writes it."""
    form, free = form_of(whole.value)
    written = form.output([whole.at(noise) for noise in free], discrete=all(noise.on_grid for noise in free))
    if not _same(_likeness(written), _likeness(whole.result.output)):
        raise ReadingDisagrees(f"the form of the output: {written!r} is not {whole.result.output!r}")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, int | float) and isinstance(other, int | float):
        # Large whole numbers are written as floats.
        with suppress(OverflowError):
            return float(one) == float(other) or (math.isnan(one) and math.isnan(other))
    return bool(one == other)


def _likeness(value: Any) -> Any:
    """A value with lists for arrays, and Python's numbers for NumPy's."""
    if isinstance(value, np.ndarray | np.generic):
        return _likeness(value.tolist())
    if isinstance(value, list | tuple):
        return type(value)([_likeness(item) for item in value])
    if isinstance(value, dict):
        return {key: _likeness(item) for key, item in value.items()}
    return value
