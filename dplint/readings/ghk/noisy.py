"""Numbers of a program on one path: a real with a gradient, plus draws that are still latent, each times a real.

They are handed to Python in the place of floats: sums and scalings keep draws latent, any other function samples them.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import numpy as np

from dplint.program.refusals import unsupported
from dplint.readings.ghk.one_path import Latent, OnePath
from dplint.readings.ghk.reals import Real

_NUMBERS = (bool, int, float, np.number, np.bool_)


class Noisy:
    """See the module."""

    __slots__ = ("path", "real", "terms")
    __array_ufunc__ = None  # NumPy leaves operators with arrays to the ones below

    def __init__(self, path: OnePath, real: Real, terms: Mapping[Latent, Real] | None = None) -> None:
        self.path = path
        self.real = real
        self.terms = dict(terms or {})

    # what there is

    def settled(self) -> Noisy:
        """The same with draws that have been sampled in its real part."""
        done = {latent: a for latent, a in self.terms.items() if latent.sampled is not None}
        if not done:
            return self
        real = self.real
        for latent, a in done.items():
            assert latent.sampled is not None
            real = real + a * latent.sampled
        return Noisy(self.path, real, {latent: a for latent, a in self.terms.items() if latent not in done})

    def sampled(self) -> Real:
        """Its value in each sample."""
        for latent in self.terms:
            self.path.sample(latent)
        return self.settled().real

    @property
    def is_data(self) -> bool:
        """Whether it is one number without noise."""
        return not self.terms and self.real.is_plain

    def mapped(self, function: Callable[[Any], Any], derivative: Callable[[Any], Any]) -> Noisy:
        """A function of it that has a derivative."""
        return Noisy(self.path, self.sampled().mapped(function, derivative))

    # arithmetic

    def _lifted(self, other: Any) -> Noisy | None:
        if isinstance(other, Noisy):
            return other
        return Noisy(self.path, Real(float(other))) if isinstance(other, _NUMBERS) else None

    def __add__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _elementwise(lambda x: self + x, other)
        number = self._lifted(other)
        if number is None:
            return NotImplemented
        terms = dict(self.terms)
        for latent, a in number.terms.items():
            terms[latent] = terms[latent] + a if latent in terms else a
        return Noisy(self.path, self.real + number.real, {one: a for one, a in terms.items() if np.any(a.value != 0)})

    __radd__ = __add__

    def __neg__(self) -> Noisy:
        return Noisy(self.path, -self.real, {latent: -a for latent, a in self.terms.items()})

    def __pos__(self) -> Noisy:
        return self

    def __sub__(self, other: Any) -> Any:
        return self + (-other)

    def __rsub__(self, other: Any) -> Any:
        return -self + other

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _elementwise(lambda x: self * x, other)
        number = self._lifted(other)
        if number is None:
            return NotImplemented
        one, two = (self, number) if not number.terms else (number, self)
        factor = two.real if not two.terms else two.sampled()
        one = one.settled()
        return Noisy(self.path, one.real * factor, {latent: a * factor for latent, a in one.terms.items()})

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _elementwise(lambda x: self / x, other)
        number = self._lifted(other)
        if number is None:
            return NotImplemented
        if number.is_data and number.real.value == 0:
            raise ZeroDivisionError("float division by zero")
        return self * number.mapped(lambda x: 1 / x, lambda x: -1 / (x * x))

    def __rtruediv__(self, other: Any) -> Any:
        return other * self.mapped(lambda x: 1 / x, lambda x: -1 / (x * x))

    def __pow__(self, other: Any) -> Any:
        if not isinstance(other, _NUMBERS):
            raise unsupported("a power that is noisy, or data", self.path.span)
        power = float(other)
        return self.mapped(lambda x: x**power, lambda x: power * x ** (power - 1))

    def __mod__(self, other: Any) -> Any:
        return self - other * (self // other)

    def __floordiv__(self, other: Any) -> Any:
        return self._whole(np.floor, self / other)

    def _whole(self, function: Callable[[Any], Any], value: Any) -> Any:
        if not value.is_data:
            self.path.jumps = True
        return Noisy(self.path, Real(function(value.sampled().value)))

    def __abs__(self) -> Noisy:
        return self if self >= 0 else -self

    # functions that NumPy calls for arrays of objects

    def exp(self) -> Noisy:
        """E to it."""
        return self.mapped(np.exp, np.exp)

    def log(self) -> Noisy:
        """Its logarithm."""
        return self.mapped(np.log, lambda x: 1 / x)

    def sqrt(self) -> Noisy:
        """Its root."""
        return self.mapped(np.sqrt, lambda x: 0.5 / np.sqrt(x))

    # comparisons

    def _compare(self, other: Any, holds: Callable[[Any, Any], bool], sign: int) -> Any:
        if isinstance(other, np.ndarray):
            found = [self._compare(x, holds, sign) for x in other.ravel().tolist()]
            return np.array(found, bool).reshape(other.shape)
        if isinstance(other, _NUMBERS) and not math.isfinite(other):
            return holds(0.0, float(other))
        number = self._lifted(other)
        if number is None:
            return NotImplemented
        difference = ((self - number) * sign).settled()
        if difference.is_data:
            return bool(holds(sign * float(difference.real.value), 0.0))
        return self.path.decide(difference.real, list(difference.terms.items()))

    def __gt__(self, other: Any) -> Any:
        return self._compare(other, operator.gt, 1)

    def __ge__(self, other: Any) -> Any:
        return self._compare(other, operator.ge, 1)

    def __lt__(self, other: Any) -> Any:
        return self._compare(other, operator.lt, -1)

    def __le__(self, other: Any) -> Any:
        return self._compare(other, operator.le, -1)

    def __eq__(self, other: object) -> Any:
        """Noise with a density is equal to nothing but itself."""
        if isinstance(other, np.ndarray):
            return np.array([self == x for x in other.ravel().tolist()], bool).reshape(other.shape)
        number = self._lifted(other)
        if number is None:
            return False
        difference = (self - number).settled()
        return bool(difference.is_data and difference.real.value == 0)

    def __ne__(self, other: object) -> Any:
        found = self == other
        return ~found if isinstance(found, np.ndarray) else not found

    def __bool__(self) -> bool:
        return bool(self != 0)

    # one number of Python's

    def _data(self, function: Callable[[float], Any]) -> Any:
        if not self.is_data:
            raise unsupported("a whole number made of noise", self.path.span)
        return function(float(self.real.value))

    def __int__(self) -> int:
        return int(self._data(int))

    def __round__(self, digits: int | None = None) -> Any:
        return self._data(lambda x: round(x, digits))

    def __floor__(self) -> int:
        return int(self._data(math.floor))

    def __ceil__(self) -> int:
        return int(self._data(math.ceil))

    def _refused(self, *_: Any) -> NoReturn:
        raise unsupported("a noisy number, or data, where one float is needed", self.path.span)

    __float__ = __index__ = __complex__ = __format__ = __str__ = _refused

    def __hash__(self) -> int:
        raise unsupported("a noisy number, or data, as a key", self.path.span)


def _elementwise(function: Callable[[Any], Any], array: Any) -> Any:
    found = np.empty(array.size, object)
    for index, item in enumerate(array.ravel().tolist()):
        found[index] = function(item)
    return found.reshape(array.shape)
