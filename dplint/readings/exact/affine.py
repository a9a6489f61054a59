"""Noisy values: sums of draws with rational coefficients, and a constant.

Draws of whole numbers have negative numbers, those with a density others. A float becomes the rational that it is as
soon as it meets noise; arithmetic without noise stays Python's own. Values are real numbers: that a sum of floats is
rounded is not modelled.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterable
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np
from flint import fmpq

from dplint.readings.exact.terms import ZERO, rational

Coefficients: TypeAlias = dict[int, fmpq]
"""By the number of the draw; none is 0."""
_NUMBERS = frozenset([float, int, bool])
_PLAIN = frozenset([float, int, bool, str, type(None)])
"""The types of most values that hold no noise."""
_EXACT = frozenset([int, bool, str, type(None)])
"""Those among them whose values are told apart by `==` as Python tells them apart."""


class NotFollowed(Exception):
    """An operation on noise that is not computed exactly here: what it is, and a way to write it that works."""

    def __init__(self, construct: str, hint: str = "") -> None:
        super().__init__(construct)
        self.construct = construct
        self.hint = hint


_SEQUENCES = (list, tuple)


class Undecided(Exception):
    """A comparison that both outcomes are possible for, where nobody decides."""


class Oracle(Protocol):
    """Decides comparisons."""

    def decide(self, difference: Affine) -> bool:
        """Whether a noisy value is at least 0, where that it is exactly 0 has probability zero."""
        ...


class _Undecided:
    def decide(self, difference: Affine) -> bool:  # noqa: ARG002
        raise Undecided


oracles: list[Oracle] = [_Undecided()]
"""The last one decides the comparisons that Python makes."""


class Affine:
    """The sum of coefficient * draw, plus a constant, with a draw at least.

    Such a sum of whole numbers alone lies on a grid, and can be equal to a number. numpy: whether Python has a
    `numpy.float64` there, as from an array, and not a float: comparisons then give a `numpy.bool`, whose arithmetic is
    another.
    """

    __slots__ = ("coefficients", "constant", "numpy")
    __array_ufunc__ = None  # NumPy leaves operators with arrays to the ones below
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, coefficients: Coefficients, constant: fmpq, numpy: bool = False) -> None:
        self.coefficients = coefficients
        self.constant = constant
        self.numpy = numpy

    def key(self) -> tuple[Any, ...]:
        """Equal for equal values."""
        return (
            "noisy",
            self.numpy,
            tuple(sorted((draw, int(a.p), int(a.q)) for draw, a in self.coefficients.items())),
            int(self.constant.p),
            int(self.constant.q),
        )

    # arithmetic

    def __add__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _elementwise(lambda x: self + x, other)
        if isinstance(other, Affine):
            coefficients = dict(self.coefficients)
            for draw, a in other.coefficients.items():
                coefficients[draw] = coefficients.get(draw, ZERO) + a
            return affine_or_float(coefficients, self.constant + other.constant, self._kind(other))
        return Affine(self.coefficients, self.constant + _finite(other), self._kind(other))

    __radd__ = __add__

    def __neg__(self) -> Affine:
        return Affine({draw: -a for draw, a in self.coefficients.items()}, -self.constant, self.numpy)

    def _kind(self, other: Any) -> bool:
        """Whether an operation with another number gives a number of NumPy's."""
        return self.numpy or (other.numpy if isinstance(other, Affine) else isinstance(other, np.generic))

    def __pos__(self) -> Affine:
        return self

    def __sub__(self, other: Any) -> Any:
        if not isinstance(other, Affine):
            return self + (-other)
        coefficients = dict(self.coefficients)
        for draw, a in other.coefficients.items():
            coefficients[draw] = coefficients[draw] - a if draw in coefficients else -a
        return affine_or_float(coefficients, self.constant - other.constant, self._kind(other))

    def __rsub__(self, other: Any) -> Any:
        return (-self) + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _elementwise(lambda x: self * x, other)
        if isinstance(other, Affine):
            raise NotFollowed("a product of two noisy values")
        factor = _finite(other)
        coefficients = {draw: a * factor for draw, a in self.coefficients.items()}
        return affine_or_float(coefficients, self.constant * factor, self._kind(other))

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _elementwise(lambda x: self / x, other)
        if isinstance(other, Affine):
            raise NotFollowed("a quotient of two noisy values")
        divisor = _finite(other)
        if divisor == 0:
            raise NotFollowed("a noisy value divided by zero")
        coefficients = {draw: a / divisor for draw, a in self.coefficients.items()}
        return Affine(coefficients, self.constant / divisor, self._kind(other))

    def __rtruediv__(self, other: Any) -> NoReturn:
        raise NotFollowed("a division by a noisy value")

    def __abs__(self) -> Affine:
        return self if self >= 0 else -self

    def _refused(self, *_: Any) -> NoReturn:
        raise NotFollowed("a function of a noisy value that is not linear", "noise may be added, scaled and compared")

    __pow__ = __rpow__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __divmod__ = __rdivmod__ = _refused
    __int__ = __float__ = __index__ = __round__ = __floor__ = __ceil__ = __trunc__ = __complex__ = _refused
    __matmul__ = __rmatmul__ = __len__ = __iter__ = __getitem__ = __str__ = __format__ = _refused
    exp = log = sqrt = log2 = log10 = log1p = expm1 = sin = cos = tan = tanh = rint = floor = ceil = _refused

    def __repr__(self) -> str:
        return " + ".join([*(f"{a} * draw{v}" for v, a in self.coefficients.items()), str(self.constant)])

    # comparisons

    def _compare(self, other: Any, sign: int, *, strict: bool) -> Any:
        """Whether sign * (self - other) is positive, or at least 0."""
        if isinstance(other, np.ndarray):
            found = [self._compare(x, sign, strict=strict) for x in other.ravel().tolist()]
            return np.array(found, bool).reshape(other.shape)
        if _is_number(other) and not math.isfinite(other):
            return self._truth(not math.isnan(other) and (sign > 0) == (other < 0), other)
        difference = (self - other) if sign > 0 else (other - self)
        if isinstance(difference, Affine):
            return self._truth(oracles[-1].decide(difference.without_ties(strict=strict)), other)
        return self._truth(bool(difference > 0 if strict else difference >= 0), other)

    def _truth(self, holds: bool, other: Any) -> Any:
        return np.bool_(holds) if self._kind(other) else holds

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, 1, strict=False)

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, 1, strict=True)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, -1, strict=False)

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, -1, strict=True)

    def __eq__(self, other: object) -> Any:
        """Noise with a density equals a number with probability zero, and another noisy value only where both are the
        same.
        """
        if isinstance(other, np.ndarray):
            return np.array([self == x for x in other.ravel().tolist()], bool).reshape(other.shape)
        number: Any = other
        if self.on_grid and (isinstance(other, Affine) or (_is_number(number) and math.isfinite(number))):
            difference = self - number
            if isinstance(difference, Affine) and difference.on_grid:
                return self._truth(bool(difference >= 0) and not bool(difference > 0), other)
        same = isinstance(other, Affine) and self.constant == other.constant and self.coefficients == other.coefficients
        return self._truth(same, other)

    def __ne__(self, other: object) -> Any:
        found = self == other
        return ~found if isinstance(found, np.ndarray | np.bool_) else not found

    def __bool__(self) -> bool:
        return not self.on_grid or bool(self != 0)

    # whole numbers

    @property
    def on_grid(self) -> bool:
        """Whether all of its draws are whole numbers."""
        return max(self.coefficients) < 0

    @property
    def is_whole(self) -> bool:
        """Whether it is a whole number itself."""
        return self.on_grid and all(a.q == 1 for a in (*self.coefficients.values(), self.constant))

    def without_ties(self, *, strict: bool) -> Affine:
        """A value that is at least 0 where this one is, or is above 0 if strict, and is never 0 itself."""
        if not self.on_grid:
            return self
        width = _width(self.coefficients.values())
        least = self.constant - width * fmpq((self.constant / width).floor())
        if strict and least == 0:
            least = width
        return Affine(self.coefficients, self.constant - least + width / 2, self.numpy)


def _width(coefficients: Iterable[fmpq]) -> fmpq:
    """Of the grid on which sums of whole multiples lie: the greatest common divisor."""
    found = list(coefficients)
    common = math.lcm(*[int(a.q) for a in found])
    return fmpq(math.gcd(*[int(a.p) * (common // int(a.q)) for a in found]), common)


def affine_or_float(coefficients: Coefficients, constant: fmpq, numpy: bool) -> Affine | float:
    """A noisy value, or a float where all noise has cancelled."""
    left = {draw: a for draw, a in coefficients.items() if a != 0}
    if left:
        return Affine(left, constant, numpy)
    number = int(constant.p) / int(constant.q)
    return np.float64(number) if numpy else number


def of_kind(value: Any, *, numpy: bool) -> Any:
    """The same number as a float of NumPy's, or of Python's."""
    return Affine(value.coefficients, value.constant, numpy) if isinstance(value, Affine) else value


def _is_number(value: Any) -> bool:
    if type(value) in _NUMBERS:
        return True
    return isinstance(value, numbers.Real) or (isinstance(value, np.generic) and np.issubdtype(value.dtype, np.number))


def _finite(value: Any) -> fmpq:
    if isinstance(value, np.bool_):
        value = bool(value)
    if not _is_number(value):
        raise NotFollowed(f"arithmetic of noise with {type(value).__name__}")
    if not math.isfinite(value):
        raise NotFollowed("arithmetic of noise with infinity or NaN")
    return rational(value.item() if isinstance(value, np.generic) else value)


def _elementwise(function: Callable[[Any], Any], array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return array_of([function(x) for x in array.ravel().tolist()], array.shape)


def array_of(items: list[Any], shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """An array of Python objects, of noisy values among them; of plain numbers where there is no noise."""
    if not any(isinstance(item, Affine) for item in items):
        return np.array(items).reshape(shape)
    found = np.empty(len(items), object)
    for index, item in enumerate(items):
        found[index] = of_kind(item, numpy=True)
    return found.reshape(shape)


def noisy_values(value: Any) -> list[Affine]:
    """All noisy values in a value or container, in order."""
    found: list[Affine] = []
    _gather(value, found)
    return found


def _gather(value: Any, found: list[Affine]) -> None:
    kind = type(value)
    if kind in _PLAIN:
        return
    if kind is Affine:
        found.append(value)
    elif isinstance(value, _SEQUENCES):
        for item in value:
            if type(item) not in _PLAIN:
                _gather(item, found)
    elif isinstance(value, dict):
        for item in value.values():
            _gather(item, found)
    elif isinstance(value, np.ndarray) and value.dtype == object:
        for item in value.ravel():
            _gather(item, found)


def is_noisy(value: Any) -> bool:
    """Whether there is noise in it. An array of objects counts, for NumPy treats it otherwise than numbers."""
    kind = type(value)
    if kind in _PLAIN:
        return False
    if kind is Affine:
        return True
    if isinstance(value, _SEQUENCES):
        return any(type(item) not in _PLAIN and is_noisy(item) for item in value)
    if isinstance(value, dict):
        return any(map(is_noisy, value.values()))
    return isinstance(value, np.ndarray) and value.dtype == object


def mapped(value: Any, function: Callable[[Affine], Any]) -> Any:
    """The same container with other noisy values."""
    if isinstance(value, Affine):
        return function(value)
    if isinstance(value, _SEQUENCES):
        return type(value)([mapped(item, function) for item in value])
    if isinstance(value, dict):
        return {key: mapped(item, function) for key, item in value.items()}
    if isinstance(value, np.ndarray) and value.dtype == object:
        return array_of([mapped(item, function) for item in value.ravel()], value.shape)
    return value


def key_of(value: Any, of_noise: Callable[[Affine], Any] = Affine.key) -> Any:
    """A hashable key of a value or container: equal only if Python goes on alike with both."""
    kind = type(value)
    if kind in _EXACT:
        return kind, value
    if kind is Affine:
        return of_noise(value)
    if isinstance(value, _SEQUENCES):
        items = [(type(item), item) if type(item) in _EXACT else key_of(item, of_noise) for item in value]
        return (kind, *items)
    if isinstance(value, dict):
        return ("dict", *[(key_of(key), key_of(item, of_noise)) for key, item in value.items()])
    if isinstance(value, np.ndarray) and value.dtype == object:
        return ("array", value.shape, *[key_of(item, of_noise) for item in value.ravel().tolist()])
    if isinstance(value, np.ndarray):
        return ("array", value.dtype.str, value.shape, value.tobytes())
    return kind, repr(value)
