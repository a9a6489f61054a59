"""Draws of the symbolic reading: at their centre, or free within the bulk of their distribution.

Centres: the location of a Laplace, normal, Gumbel or logistic draw; 0 for an exponential; the middle of a uniform or
of a range of integers; 1 for a geometric; the mean, rounded down, of a binomial or Poisson; the middle item of a
choice; the order as it was for a permutation.
"""

from __future__ import annotations

from collections.abc import Mapping

import z3

from dplint.program.nodes import Draw
from dplint.readings.symbolic.arithmetic import binary, is_zero, truncate
from dplint.readings.symbolic.convert import from_python
from dplint.readings.symbolic.values import UNKNOWN, Items, Value, choose, is_number, is_term, plain_items

BULK = 3
"""How many scales from its centre a free draw may lie: about 95 % of the Laplace distribution."""


class Noise:
    """Makes draws; `constraints` says what holds of those that are free."""

    def __init__(self, free: bool) -> None:
        self._free = free
        self._count = 0
        self.constraints: list[z3.BoolRef] = []

    def draw(self, node: Draw, parameters: Mapping[str, Value], size: Value) -> Value:
        """The value of a draw; UNKNOWN where its shape or its centre has no term."""
        if size is None:
            return self._scalar(node.distribution, parameters)
        if not isinstance(size, int) or node.distribution == "permutation":
            return UNKNOWN
        items = []
        for index in range(size):
            own = {name: _element(value, index) for name, value in parameters.items()}
            items.append(self._scalar(node.distribution, own if node.distribution != "choice" else parameters))
        return plain_items("array", tuple(items))

    def _scalar(self, distribution: str, parameters: Mapping[str, Value]) -> Value:
        if distribution == "choice":
            return self._choice(parameters["a"])
        if distribution == "permutation":
            return _sequence(parameters["x"])
        if not all(is_number(value) or value is None for value in parameters.values()):
            return UNKNOWN
        if distribution in ("laplace", "normal", "gumbel", "logistic"):
            return _plus(parameters["loc"], _times(self._between(-BULK, BULK, 0), parameters["scale"]))
        if distribution == "exponential":
            return _times(self._between(0, BULK, 0), parameters["scale"])
        if distribution in ("uniform", "random"):
            low, high = parameters.get("low", 0.0), parameters.get("high", 1.0)
            return _plus(low, _times(self._between(0, 1, 0.5), _plus(high, _times(-1, low))))
        return self._integer(distribution, parameters)

    def _integer(self, distribution: str, parameters: Mapping[str, Value]) -> Value:
        if distribution == "integers":
            low, high = parameters["low"], parameters["high"]
            if parameters.get("endpoint") is not True:
                high = _plus(high, -1)
            centre = _operate("//", _plus(low, high), 2)
        elif distribution == "geometric":
            low, high, centre = 1, 5, 1
        elif distribution == "binomial":
            low, high = 0, parameters["n"]
            centre = (
                truncate(_times(high, parameters["p"])) if is_term(parameters["p"]) else _floor(high, parameters["p"])
            )
        elif distribution == "poisson":
            low, high = 0, _plus(_times(2, parameters["lam"]), 3)
            centre = _floor(parameters["lam"], 1)
        else:
            return UNKNOWN
        if not self._free:
            return centre
        variable = z3.Int(self._name())
        self.constraints += [variable >= low, variable <= high]
        return variable

    def _choice(self, value: Value) -> Value:
        options = _sequence(value)
        if not isinstance(options, Items) or not options.plain or not options.items:
            return UNKNOWN
        if not self._free:
            return options.items[len(options.items) // 2]
        index = z3.Int(self._name())
        self.constraints += [index >= 0, index < len(options.items)]
        result = options.items[0]
        for position, option in enumerate(options.items[1:], 1):
            result = choose(index == position, option, result)
        return result

    def _between(self, low: int, high: int, centre: float) -> Value:
        if not self._free:
            return centre
        variable = z3.Real(self._name())
        self.constraints += [variable >= low, variable <= high]
        return variable

    def _name(self) -> str:
        self._count += 1
        return f"draw!{self._count}"


def _element(value: Value, index: int) -> Value:
    if isinstance(value, Items):
        return value.items[index] if value.plain and index < len(value.items) else UNKNOWN
    return value


def _sequence(value: Value) -> Value:
    return from_python(range(value)) if isinstance(value, int) else value


def _operate(operator: str, left: Value, right: Value) -> Value:
    if is_term(left) or is_term(right):
        return binary(operator, left, right)
    if operator == "//":
        return left // right
    return left + right if operator == "+" else left * right


def _plus(left: Value, right: Value) -> Value:
    return right if not is_term(left) and is_zero(left) else _operate("+", left, right)


def _times(left: Value, right: Value) -> Value:
    return 0.0 if not is_term(left) and is_zero(left) else _operate("*", left, right)


def _floor(left: Value, right: Value) -> Value:
    product = _operate("*", left, right)
    return truncate(product) if is_term(product) else int(product)
