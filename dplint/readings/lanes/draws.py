"""Where the draws of lanes come from: a sampler, one call for each lane, or a sampler whose draws are kept."""

from __future__ import annotations

import functools
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dplint.distributions import GENERATOR, LEGACY, PYTHON, SCIPY, Outcomes, of
from dplint.program.nodes import Draw
from dplint.program.refusals import unsupported
from dplint.readings.lanes.arrays import HELD, as_array
from dplint.readings.lanes.functions import holds
from dplint.readings.lanes.lane_values import Arrays, Lists, Numbers, Tag, Uniform, Value
from dplint.readings.lanes.lanes import Lanes
from dplint.readings.lanes.merging import largest, plain
from dplint.readings.lanes.places import chosen, looked_up
from dplint.readings.lanes.shared_noise import SharedNoise
from dplint.readings.lanes.spaces import Mask
from dplint.sites import DrawSite

_ALL = 0.85
"""If more than this share of a space's lanes draw, it is cheaper to draw for all of them."""
_MOST_IN_ORDER = 1 << 10
"""Of so many items orders are drawn whole where only a few are chosen."""
_NEARLY_ONE = 1e-9
"""Weights whose sum is further from 1 than this may be refused by NumPy, which allows 1.5e-8."""


class SampledDraws:
    """Fresh draws, at array speed where the distribution allows.

    shared: noise that other blocks have as well, see `SharedNoise`; None for noise of one's own.
    """

    def __init__(self, seed: np.random.SeedSequence, shared: SharedNoise | None = None) -> None:
        self._seed = seed
        self._generator = np.random.Generator(np.random.SFC64(self._child(0)))
        self._shared, self._shared_draws = shared, Counter[str]()

    @functools.cached_property
    def _real(self) -> RealGenerators:
        """For what cannot be drawn at array speed; most blocks need none, and Mersenne twisters are slow to begin."""
        return RealGenerators(self._child(1), self._child(2))

    def _child(self, number: int) -> np.random.SeedSequence:
        """What `spawn` gives, without those that nobody needs: it takes longer than some blocks."""
        return np.random.SeedSequence(self._seed.entropy, spawn_key=(*self._seed.spawn_key, number))

    def draw(
        self,
        lanes: Lanes,
        node: Draw,
        parameters: Mapping[str, Value],
        size: Value | None,
        active: Mask,
        _site: DrawSite,
    ) -> Value:
        """The draw in the active lanes."""
        found = self._fast(lanes, node, parameters, size, active)
        return draw_singly(lanes, node, parameters, size, active, self._real.draw) if found is None else found

    def _fast(
        self, lanes: Lanes, node: Draw, parameters: Mapping[str, Value], size: Value | None, active: Mask
    ) -> Value | None:
        shape = _shape(size)
        if shape is None:
            return None
        if node.distribution == "choice":
            chosen_by = self._choice if size is None else functools.partial(self._choices, shape)
            return chosen_by(lanes, node, parameters, active)
        if node.distribution == "permutation":
            return self._permutation(parameters["x"], active)
        if size is None and node.family in (GENERATOR, LEGACY):
            found = self._vector(lanes, node, parameters, active)
            if found is not None:
                return found
        return self._same_shape(lanes, node, parameters, shape, active, array=size is not None)

    def _same_shape(
        self,
        lanes: Lanes,
        node: Draw,
        parameters: Mapping[str, Value],
        shape: tuple[int, ...],
        active: Mask,
        *,
        array: bool,
    ) -> Value | None:
        """A draw of one shape in every lane, with parameters that are numbers. array: whether a size was given."""
        space = active.space
        count = lanes.count(active)
        rows = None if active.bits is None or count > _ALL * space.size else np.flatnonzero(active.bits)
        given: dict[str, Any] = {}
        for name, parameter in parameters.items():
            one = plain(lanes.at(parameter, space))
            if one is None:
                return None
            given[name] = one[0][rows] if rows is not None and isinstance(one[0], np.ndarray) else one[0]
        drawn = self._numbers(node.distribution, given, (*shape, space.size if rows is None else count))
        if drawn is None:
            return None
        if rows is not None:
            wide = np.zeros((*shape, space.size), drawn.dtype)
            wide[..., rows] = drawn
            drawn = wide
        if array:
            return Arrays(space, drawn)
        return _number(node, drawn, parameters, active)

    def _vector(self, lanes: Lanes, node: Draw, parameters: Mapping[str, Value], active: Mask) -> Value | None:
        """A draw for each of some parameters, which are arrays of one dimension or lists, in each lane."""
        given: dict[str, Any] = {}
        lengths: set[int] = set()
        for name, parameter in parameters.items():
            value = lanes.at(parameter, active.space)
            one = plain(value)
            if one is not None:
                given[name] = one[0]
                continue
            array = as_array(lanes, value, active)
            if array is None or len(array.shape) != 1:
                return None
            given[name] = array.data
            lengths.add(array.shape[0])
        if len(lengths) != 1:
            return None
        drawn = self._numbers(node.distribution, given, (lengths.pop(), active.space.size))
        return None if drawn is None else Arrays(active.space, drawn)

    def _numbers(self, name: str, parameters: Mapping[str, Any], shape: tuple[int, ...]) -> NDArray[Any] | None:
        """Draws that are numbers; None where the user's generator refuses the parameters, in its own words."""
        distribution = of(name)
        if distribution.outcomes is Outcomes.VECTOR:
            return None
        if self._shared is not None:
            self._shared_draws[name] += 1
            found = self._shared.draw(name, self._shared_draws[name], parameters, shape)
            if found is not None:
                return found
        try:
            drawn = distribution.sample(self._generator, parameters, shape)
        except (ValueError, TypeError, OverflowError):
            return None
        return drawn if drawn.dtype in (np.float64, np.int64) else None

    def _choice(self, lanes: Lanes, node: Draw, parameters: Mapping[str, Value], active: Mask) -> Value | None:
        items, weights = lanes.at(parameters["a"], active.space), lanes.at(parameters["p"], active.space)
        if not _replaces(parameters):
            return None
        if isinstance(items, Lists) and node.family == PYTHON:
            return self._of_lists(lanes, node, items, weights, active)
        table = _table(node, items, active)
        index = self._index(lanes, node, len(table), weights, active) if table else None
        return None if index is None else looked_up(lanes, table, index, active.space)

    def _choices(
        self, shape: tuple[int, ...], lanes: Lanes, node: Draw, parameters: Mapping[str, Value], active: Mask
    ) -> Value | None:
        """Several of some items, which are the same in all lanes: an array, of Python a list."""
        items, weights = lanes.at(parameters["a"], active.space), lanes.at(parameters["p"], active.space)
        table = _table(node, items, active)
        if not table or not isinstance(weights, Uniform):
            return None
        several = (math.prod(shape), active.space.size)
        if _replaces(parameters):
            index = self._indices(node, len(table), weights.value, several)
        elif weights.value is None and several[0] <= len(table) <= _MOST_IN_ORDER:
            # Those that an order of all begins with.
            index = of("permutation").sample(self._generator, {"x": len(table)}, several[1:])[: several[0]]
        else:
            return None
        if index is None:
            return None
        if node.family == PYTHON:
            found = tuple(looked_up(lanes, table, row, active.space) for row in index)
            return Lists(active.space, found, None, tuples=False)
        array = np.asarray(table)
        return Arrays(active.space, array[index.reshape(*shape, -1)]) if array.dtype in HELD else None

    def _indices(self, node: Draw, count: int, weights: Any, shape: tuple[int, ...]) -> NDArray[Any] | None:
        """Indices below a count, by weights that are the same in all lanes; None where the user's generator refuses
        them, in its own words.
        """
        try:
            shares = weights if node.family != PYTHON or weights is None else _shares(weights)
            return of("choice").sample(self._generator, {"a": count, "p": shares}, shape)
        except (ValueError, TypeError):
            return None

    def _of_lists(self, lanes: Lanes, node: Draw, items: Lists, weights: Value, active: Mask) -> Value | None:
        """A choice from a list that may differ between lanes, also in length."""
        lengths = items.lengths
        if lengths is None or _are_all_there(items, active):
            index = self._index(lanes, node, len(items.items), weights, active)
        elif isinstance(weights, Uniform) and weights.value is None and holds(lengths > 0, active.bits):
            index = (self._generator.random(active.space.size) * lengths).astype(np.int64)
        else:
            return None
        return None if index is None else chosen(lanes, items.items, index, active)

    def _index(self, lanes: Lanes, node: Draw, count: int, weights: Value, active: Mask) -> NDArray[Any] | None:
        """Which of so many items is chosen in each lane of the active space; None where the user's generator refuses
        the weights, in its own words.
        """
        size, python = active.space.size, node.family == PYTHON
        if isinstance(weights, Uniform):
            return self._indices(node, count, weights.value, (size,))
        array = as_array(lanes, weights, active)
        if array is None or array.shape != (count,) or array.data.dtype != np.float64:
            return None
        # As NumPy and Python do it: where a uniform number stands among the cumulative weights.
        cumulative = np.cumsum(array.data, axis=0)
        total = cumulative[-1]
        one = (total > 0) & np.isfinite(total) if python else np.abs(total - 1) <= _NEARLY_ONE
        good = (array.data >= 0).all(axis=0) & one
        if not holds(good, active.bits):
            return None
        drawn = self._generator.random(size) * np.where(good, total, 1.0)
        index: NDArray[Any] = np.zeros(size, np.int64)
        for row in cumulative[:-1]:
            index += row <= drawn
        return index

    def _permutation(self, items: Value, active: Mask) -> Value | None:
        if not isinstance(items, Uniform):
            return None
        sample, shape = functools.partial(of("permutation").sample, self._generator), (active.space.size,)
        if isinstance(items.value, int):
            return Arrays(active.space, sample({"x": max(items.value, 0)}, shape))
        table = np.asarray(items.value)
        if table.ndim != 1 or table.dtype not in (np.float64, np.int64, np.bool_):
            return None
        return Arrays(active.space, table[sample({"x": len(table)}, shape)])


class CallbackDraws:
    """Draws from a callback, lane by lane: (lane, node, parameters, size, site) to what the generator would return."""

    def __init__(self, callback: Callable[[int, Draw, dict[str, Any], Any, DrawSite], Any]) -> None:
        self._callback = callback

    def draw(
        self,
        lanes: Lanes,
        node: Draw,
        parameters: Mapping[str, Value],
        size: Value | None,
        active: Mask,
        site: DrawSite,
    ) -> Value:
        """What the callback gives; what it raises ends the lane, unless it is UnsupportedConstruct."""

        def one(lane: int, node: Draw, parameters: dict[str, Any], size: Any) -> Any:
            return self._callback(lane, node, parameters, size, site)

        return draw_singly(lanes, node, parameters, size, active, one)


@dataclass(frozen=True, slots=True, eq=False)
class MadeDraw:
    """A draw that was made: where, in which lanes, with which parameters, and what came out."""

    node: Draw
    site: DrawSite
    lanes: Mask
    parameters: Mapping[str, Value]
    size: Value | None
    value: Value


class KeptDraws:
    """Draws of another source, which are kept in the order in which they were made."""

    def __init__(self, source: SampledDraws) -> None:
        self._source = source
        self.made: list[MadeDraw] = []

    def draw(
        self,
        lanes: Lanes,
        node: Draw,
        parameters: Mapping[str, Value],
        size: Value | None,
        active: Mask,
        site: DrawSite,
    ) -> Value:
        """The source's draw."""
        value = self._source.draw(lanes, node, parameters, size, active, site)
        left = lanes.alive(active)
        if not lanes.never(left):
            self.made.append(MadeDraw(node, site, left, dict(parameters), size, value))
        return value


def draw_singly(
    lanes: Lanes,
    node: Draw,
    parameters: Mapping[str, Value],
    size: Value | None,
    active: Mask,
    callback: Callable[[int, Draw, dict[str, Any], Any], Any],
) -> Value:
    """One call for each active lane."""
    names = tuple(parameters)
    numbers = Numbers(lanes.root, np.arange(lanes.root.size), Tag.INT, lanes.root.size)

    def call(lane: int, size: Any, *given: Any) -> Any:
        return callback(lane, node, dict(zip(names, given, strict=True)), size)

    operands = [numbers, Uniform(None) if size is None else size, *parameters.values()]
    return lanes.each(call, operands, active, pure=False)


def _shape(size: Value | None) -> tuple[int, ...] | None:
    """The shape of a draw in each lane; None if it differs between lanes, or is none."""
    if size is None:
        return ()
    given = size.value if isinstance(size, Uniform) else None
    shape = given if isinstance(given, tuple) else (given,)
    if not 1 <= len(shape) <= 2 or any(type(one) not in (int, np.int64) or one < 0 for one in shape):
        return None
    return tuple(int(one) for one in shape)


def _number(node: Draw, drawn: Any, parameters: Mapping[str, Value], active: Mask) -> Value:
    """A scalar draw with the type that its generator gives."""
    if drawn.dtype == np.float64:
        return Numbers(active.space, drawn, Tag.NP_FLOAT if node.family == SCIPY else Tag.FLOAT)
    given = {name: one.value for name, one in parameters.items() if isinstance(one, Uniform)}
    signature = of(node.distribution).signature(node.family, given)
    if signature is not None and signature.numpy_scalar:
        return Numbers(active.space, drawn, Tag.NP_INT)
    return Numbers(active.space, drawn, Tag.INT, largest(drawn))


def _shares(weights: Any) -> NDArray[Any]:
    """The weights of `random.choices` over their sum. Raises ValueError for what are none."""
    given: NDArray[Any] = np.asarray(weights, np.float64)
    total = float(given.sum())
    if not (given >= 0).all() or not 0 < total < np.inf:
        raise ValueError("these are no weights")
    shares: NDArray[Any] = given / total
    return shares


def _replaces(parameters: Mapping[str, Value]) -> bool:
    replace = parameters.get("replace", Uniform(True))
    return isinstance(replace, Uniform) and bool(replace.value)


def _are_all_there(lists: Lists, active: Mask) -> bool:
    """Whether no active lane has fewer items than others."""
    return bool(lists.lengths is None or holds(lists.lengths == len(lists.items), active.bits))


def _table(node: Draw, items: Value, active: Mask) -> list[Any]:
    """What a choice is made from, with the types that it has when chosen; empty if that is not clear."""
    given: Any
    if isinstance(items, Uniform):
        given = items.value
    elif isinstance(items, Lists) and _are_all_there(items, active):
        given = [one.value for one in items.items if isinstance(one, Uniform)]
        if len(given) < len(items.items):
            return []
    else:
        return []
    if node.family == PYTHON:
        return list(given) if isinstance(given, list | tuple | str | range) else []
    if isinstance(given, int):
        return list(range(given))
    array = np.asarray(given)
    return list(array) if array.ndim == 1 and array.dtype != object else []


class SciPyDraws:
    """The draws of `scipy.stats` from a generator, each as a method."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Callable[..., Any]:
        from scipy import stats  # noqa: PLC0415 - it takes a second, and few programs need it

        return functools.partial(getattr(stats, name).rvs, random_state=self._generator)


class RealGenerators:
    """The generators that users call, for draws that have to be made one by one."""

    def __init__(self, numpy_seed: np.random.SeedSequence, python_seed: np.random.SeedSequence) -> None:
        self._generators: dict[str, Any] = {
            GENERATOR: np.random.Generator(np.random.SFC64(numpy_seed)),
            LEGACY: np.random.RandomState(np.random.MT19937(numpy_seed)),
            PYTHON: random.Random(int(python_seed.generate_state(1, np.uint64)[0])),
        }
        self._generators[SCIPY] = SciPyDraws(self._generators[GENERATOR])

    def draw(self, _lane: int, node: Draw, parameters: dict[str, Any], size: Any) -> Any:
        """The draw as the user's generator makes it, with canonical parameters."""
        signature = of(node.distribution).signature(node.family, parameters)
        if signature is None:
            raise unsupported(f"the draw {node.distribution} of {node.family}", node.span, "draw it in another way")
        return signature.call(self._generators[node.family], parameters, size)
