"""Draws on one path: noise with a density becomes a name; of a few possible values each becomes a way to go on."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import comb
from typing import Any

import numpy as np
from flint import arb, ctx, fmpq

from dplint.distributions import SCIPY, Distribution, Outcomes, of
from dplint.program.nodes import Draw
from dplint.readings.exact.affine import Affine, NotFollowed, array_of, is_noisy
from dplint.readings.exact.functions import Function
from dplint.readings.exact.gaussian_points import forget_gaussian_points, gaussian_points
from dplint.readings.exact.lattices import DISCRETE_LAWS, even_law, forget_discrete_laws
from dplint.readings.exact.piecewise import Part, Piecewise
from dplint.readings.exact.smooth import SMOOTH_LAWS, smooth_density
from dplint.readings.exact.terms import ONE, ZERO, Terms, rate, rational
from dplint.readings.exact.weights import Weight

_MOST_VALUES = 4_096
"""Ways that one draw may come out in."""
_POINTS: Mapping[str, Callable[[fmpq], Function]] = {**DISCRETE_LAWS, "discrete_gaussian": gaussian_points}
"""Whole numbers that are not followed one by one: their laws, of one parameter."""
_SUM_OF_WEIGHTS = 1e-8
"""How far from 1 NumPy lets the sum of the weights of a choice be."""


def draw_ways(
    node: Draw, parameters: Mapping[str, Any], size: Any, weight: Weight, name: Callable[[int, bool], int]
) -> list[tuple[Weight, Any]]:
    """The ways in which a draw can come out, and their weights. name: gives the number of its n-th element, by whether
    that is a whole number.

    Raises NotFollowed for a distribution or parameters that are not known here.
    """
    distribution = of(node.distribution)
    shape = _shape(size)
    if shape is None and distribution.outcomes is Outcomes.REAL:
        shape = _shape_of_parameters(parameters)
    noisy = sorted(key for key, value in parameters.items() if key != "loc" and is_noisy(value))
    if noisy:
        raise NotFollowed(f"a draw whose {noisy[0]} is noisy")
    if distribution.outcomes is Outcomes.REAL:
        return [_real(node, distribution, parameters, shape, weight, name)]
    if distribution.name in _POINTS or (distribution.name == "integers" and _many(parameters)):
        return [_whole(node, distribution, parameters, shape, weight, name)]
    if distribution.outcomes in (Outcomes.INTEGER, Outcomes.ITEMS):
        return _listed(node, distribution, parameters, shape, weight)
    raise NotFollowed(f"the {distribution.name} distribution")


def _shape(size: Any) -> tuple[int, ...] | None:
    if size is None:
        return None
    shape = size if isinstance(size, tuple) else (size,)
    if not all(isinstance(one, int | np.integer) and one >= 0 for one in shape):
        raise NotFollowed("a draw of a size that is no whole number")
    return tuple(int(one) for one in shape)


def _shape_of_parameters(parameters: Mapping[str, Any]) -> tuple[int, ...] | None:
    """Without a size, parameters that are arrays give the draw their shape."""
    shapes = {np.shape(value) for value in parameters.values() if isinstance(value, np.ndarray | list)}
    return shapes.pop() if len(shapes) == 1 else None


# noise with a density


def _real(
    node: Draw,
    distribution: Distribution,
    parameters: Mapping[str, Any],
    shape: tuple[int, ...] | None,
    weight: Weight,
    name: Callable[[int, bool], int],
) -> tuple[Weight, Any]:
    if not distribution.pieces and distribution.name not in SMOOTH_LAWS:
        raise NotFollowed(f"the {distribution.name} distribution")
    found = weight.copy()
    values: list[Any] = []
    for index, given in _elements(parameters, shape):
        noisy_loc = given["loc"] if isinstance(given.get("loc"), Affine) else None
        numbers = {key: _plain(value) for key, value in given.items() if not isinstance(value, Affine)}
        if noisy_loc is not None:
            numbers["loc"] = 0
        scale, location = _line(distribution.name, tuple(numbers.items()))
        draw = name(index, False)
        found.functions[draw] = (density_of(distribution, scale),)
        noise = Affine({draw: ONE}, location, shape is None and node.family == SCIPY)
        values.append(noise if noisy_loc is None else noisy_loc + noise)
    return found, _shaped(values, shape)


def _elements(
    parameters: Mapping[str, Any], shape: tuple[int, ...] | None, *, whole: bool = False
) -> Iterator[tuple[int, dict[str, Any]]]:
    """The number and the parameters of each element that is drawn; whole: lists among them are the same for all."""
    for index in range(1 if shape is None else math.prod(shape)):
        yield index, {key: value if whole else _element(value, index, shape) for key, value in parameters.items()}


def _shaped(values: list[Any], shape: tuple[int, ...] | None) -> Any:
    return values[0] if shape is None else array_of(values, shape)


def _element(value: Any, index: int, shape: tuple[int, ...] | None) -> Any:
    if not isinstance(value, np.ndarray | list):
        return value
    if shape is None or len(shape) != 1 or np.shape(value) != shape:
        raise NotFollowed("a draw whose parameters are arrays of another shape")
    return value[index]


@lru_cache(4096)
def _line(name: str, numbers: tuple[tuple[str, float], ...]) -> tuple[fmpq, fmpq]:
    """Scale and location with these parameters. Raises NotFollowed where there is no such law."""
    distribution = of(name)
    exact = {key: Fraction(number) for key, number in numbers}
    _must_be_valid(distribution, exact)
    return rational(distribution.scale(exact)), rational(distribution.location(exact))


def _number(value: Any) -> Fraction:
    return Fraction(_plain(value))


def _plain(value: Any) -> float:
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise NotFollowed("a draw with a parameter that is no finite number")
    return value


def _must_be_valid(distribution: Distribution, numbers: Mapping[str, Any]) -> None:
    given = {key: value for key, value in numbers.items() if value is not None}
    if not bool(distribution.valid(given)):
        ranges = ", ".join(parameter.range for parameter in distribution.parameters if parameter.numeric)
        raise NotFollowed(f"the {distribution.name} distribution with parameters out of range ({ranges})")


def density_of(distribution: Distribution, scale: fmpq) -> Function:
    """The density of scale * z; one object for each scale and precision."""
    return _density(distribution.name, int(scale.p), int(scale.q), ctx.prec)


def forget_densities() -> None:
    """Let go of all laws."""
    _density.cache_clear()
    forget_discrete_laws()
    forget_gaussian_points()


@lru_cache(4096)
def _density(name: str, numerator: int, denominator: int, _precision: int) -> Function:
    scale = fmpq(numerator, denominator)
    if name in SMOOTH_LAWS:
        return smooth_density(name, scale)
    return _standard(name).as_density_of(scale, ZERO)


def _standard(name: str) -> Piecewise:
    """The density of z from the pieces of its distribution, which are in order and do not overlap."""
    pieces = of(name).pieces
    ends: list[tuple[fmpq | None, fmpq | None]] = []
    parts: list[Part | None] = []
    for piece in pieces:
        low = None if piece.low is None else rational(piece.low)
        high = None if piece.high is None else rational(piece.high)
        if piece.coefficient <= 0 or (piece.power and (low is None or low < 0)):
            raise NotFollowed(f"the {name} distribution")
        terms: Terms = {(rate(fmpq(piece.rate)), piece.power): arb(rational(piece.coefficient))}
        ends.append((low, high))
        parts.append(Part(terms, piece.power if low == 0 else 0, 0))
    cuts: list[fmpq] = []
    cells: list[Part | None] = []
    if ends[0][0] is not None:
        cuts.append(ends[0][0])
        cells.append(None)
    cells.append(parts[0])
    for (one, other), part in zip(pairwise(ends), parts[1:], strict=True):
        assert one[1] is not None
        assert one[1] == other[0]
        cuts.append(one[1])
        cells.append(part)
    if ends[-1][1] is not None:
        cuts.append(ends[-1][1])
        cells.append(None)
    return Piecewise(cuts, cells)


# whole numbers


def _many(parameters: Mapping[str, Any]) -> bool:
    """Whether evenly drawn whole numbers are too many to be followed one by one."""
    if any(isinstance(value, np.ndarray | list) for value in parameters.values()):
        return False
    low, last = _bounds(parameters)
    return last - low >= _MOST_VALUES


def _whole(
    node: Draw,
    distribution: Distribution,
    parameters: Mapping[str, Any],
    shape: tuple[int, ...] | None,
    weight: Weight,
    name: Callable[[int, bool], int],
) -> tuple[Weight, Any]:
    """Whole numbers with too many possible values for a path each."""
    found = weight.copy()
    values: list[Any] = []
    numpy_scalar = _is_numpy_scalar(node, distribution, parameters, shape)
    for index, given in _elements(parameters, shape):
        draw = name(index, True)
        if distribution.name == "integers":
            found.functions[draw] = (even_law(*_bounds(given)),)
        else:
            numbers = {key: _number(value) for key, value in given.items()}
            _must_be_valid(distribution, numbers)
            found.functions[draw] = (_POINTS[distribution.name](*map(rational, numbers.values())),)
        values.append(Affine({draw: ONE}, ZERO, numpy_scalar))
    return found, _shaped(values, shape)


# a few values


def _listed(
    node: Draw,
    distribution: Distribution,
    parameters: Mapping[str, Any],
    shape: tuple[int, ...] | None,
    weight: Weight,
) -> list[tuple[Weight, Any]]:
    ways: list[tuple[arb, list[Any]]] = [(arb(1), [])]
    for _, given in _elements(parameters, shape, whole=distribution.items is not None):
        values = _values(node, distribution, given, shape)
        ways = [(p * q, [*before, value]) for p, before in ways for value, q in values]
        if len(ways) > _MOST_VALUES:
            raise NotFollowed(f"a draw with more than {_MOST_VALUES:,} possible values")
    return [
        (
            Weight(weight.functions, weight.limits, weight.number * p),
            values[0] if shape is None else np.array(values).reshape(shape),
        )
        for p, values in ways
    ]


def _values(
    node: Draw, distribution: Distribution, parameters: Mapping[str, Any], shape: tuple[int, ...] | None
) -> list[tuple[Any, arb]]:
    """What one draw can be, and how likely that is."""
    if distribution.name == "choice":
        return _choice(node, parameters, shape)
    numbers = {key: None if value is None else _number(value) for key, value in parameters.items()}
    if distribution.name == "integers":
        low, last = _bounds(parameters)
        chances = [(k, fmpq(1, last - low + 1)) for k in _few(low, last)]
    elif distribution.name == "binomial":
        _must_be_valid(distribution, numbers)
        n, p = int(numbers["n"] or 0), rational(numbers["p"] or 0)
        chances = [(k, comb(n, k) * p**k * (1 - p) ** (n - k)) for k in _few(0, n)]
    else:
        raise NotFollowed(f"the {distribution.name} distribution")
    numpy_scalar = _is_numpy_scalar(node, distribution, parameters, shape)
    return [(np.int64(k) if numpy_scalar else k, arb(chance)) for k, chance in chances if chance != 0]


def _is_numpy_scalar(
    node: Draw, distribution: Distribution, parameters: Mapping[str, Any], shape: tuple[int, ...] | None
) -> bool:
    signature = distribution.signature(node.family, parameters)
    return shape is not None or (signature is not None and signature.numpy_scalar)


def _bounds(parameters: Mapping[str, Any]) -> tuple[int, int]:
    """The least and the largest of evenly drawn whole numbers."""
    low, high = parameters["low"], parameters.get("high")
    if high is None:
        low, high = 0, low
    if not all(isinstance(one, int | np.integer) for one in (low, high)):
        raise NotFollowed("whole numbers between bounds that are none")
    return int(low), int(high) - (0 if parameters.get("endpoint") else 1)


def _few(low: int, last: int) -> range:
    if low > last:
        raise NotFollowed("a whole number between bounds in the wrong order")
    if last - low >= _MOST_VALUES:
        raise NotFollowed(f"a draw with more than {_MOST_VALUES:,} possible values")
    return range(low, last + 1)


def _choice(node: Draw, parameters: Mapping[str, Any], shape: tuple[int, ...] | None) -> list[tuple[Any, arb]]:
    given, weights = parameters["a"], parameters.get("p")
    if shape is not None and not parameters.get("replace", True):
        raise NotFollowed("a choice of several items without replacement")
    if isinstance(given, int | np.integer):
        items: list[Any] = list(range(int(given)))
    elif node.family == "python":
        items = list(given)
    else:
        array = np.asarray(given)
        if array.ndim != 1 or array.dtype == object:
            raise NotFollowed("a choice among items that are no plain numbers or texts")
        items = list(array)
    if not items:
        raise NotFollowed("a choice among nothing")
    if weights is None:
        return [(item, arb(fmpq(1, len(items)))) for item in items]
    exact = [_number(weight) for weight in weights]
    total = sum(exact, Fraction(0))
    one = total > 0 if node.family == "python" else abs(total - 1) <= _SUM_OF_WEIGHTS
    if len(exact) != len(items) or min(exact) < 0 or not one:
        raise NotFollowed("a choice with weights that do not add up to 1")
    return [(item, arb(rational(p / total))) for item, p in zip(items, exact, strict=True) if p]
