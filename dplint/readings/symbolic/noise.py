"""Draws of the symbolic interpretation: at their centre, or free within the bulk of their distribution.

Both are formulas of `dplint.distributions`, worked out on terms. A draw of a distribution whose formulas have no terms,
or that has no bulk, is unknown.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import z3

from dplint.claims import Span
from dplint.distributions import Distribution, NotDefinedError, Outcomes, of
from dplint.program.nodes import Draw
from dplint.readings.symbolic.arithmetic import binary, floor, is_zero
from dplint.readings.symbolic.convert import from_python
from dplint.readings.symbolic.symbolic_values import UNKNOWN, Items, Value, choose, is_number, is_term, plain_items
from dplint.sites import DrawSite, all_calls


class Noise:
    """Makes draws; `constraints` says what holds of those that are free.

    The variable of a free draw is named after its site: so two walks of one program, on other data perhaps, have the
    same variable for the same draw.
    """

    def __init__(self, free: bool, *, whole_support: bool = False) -> None:
        self._free = free
        self._whole_support = whole_support
        self._name = ""
        self.constraints: list[z3.BoolRef] = []

    def draw(self, node: Draw, parameters: Mapping[str, Value], size: Value, site: DrawSite) -> Value:
        """The value of a draw; UNKNOWN where its shape or its centre has no term."""
        self._name = name_of(site)
        distribution = of(node.distribution)
        if size is None:
            return self._scalar(distribution, parameters)
        if not isinstance(size, int):
            return UNKNOWN
        items = []
        for index in range(size):
            self._name = f"{name_of(site)}[{index}]"
            own = {name: _element(value, index) for name, value in parameters.items()}
            items.append(self._scalar(distribution, own if distribution.items is None else parameters))
        return plain_items("array", tuple(items))

    def _scalar(self, distribution: Distribution, parameters: Mapping[str, Value]) -> Value:
        if distribution.items is not None:
            return self._of_items(distribution, parameters[distribution.items])
        if distribution.outcomes is Outcomes.VECTOR:
            return UNKNOWN
        if not all(is_number(value) or value is None for value in parameters.values()):
            return UNKNOWN
        given = {name: _Formula(value) if is_term(value) else value for name, value in parameters.items()}
        try:
            found = self._free_draw(distribution, given) if self._free else distribution.centre(given)
        except (NotDefinedError, TypeError):  # no bulk, or a function that terms do not have
            return UNKNOWN
        return found.value if isinstance(found, _Formula) else found

    def _free_draw(self, distribution: Distribution, given: Mapping[str, Any]) -> Any:
        if self._whole_support:
            return self._supported_draw(distribution, given)
        low, high = (end.value if isinstance(end, _Formula) else end for end in distribution.bulk(given))
        variable = z3.Int(self._name) if distribution.is_discrete else z3.Real(self._name)
        self.constraints += [variable >= low, variable <= high]
        if not distribution.is_location_scale:
            return variable
        return distribution.location(given) + _Formula(variable) * distribution.scale(given)

    def _supported_draw(self, distribution: Distribution, given: Mapping[str, Any]) -> Any:
        variable = z3.Int(self._name) if distribution.is_discrete else z3.Real(self._name)
        low, high = (end.value if isinstance(end, _Formula) else end for end in distribution.support(given))
        if not (isinstance(low, float) and math.isinf(low)):
            self.constraints.append(variable >= low)
        if not (isinstance(high, float) and math.isinf(high)):
            self.constraints.append(variable <= high)
        return variable

    def _of_items(self, distribution: Distribution, value: Value) -> Value:
        options = from_python(range(value)) if isinstance(value, int) else value
        if distribution.name != "choice":
            return options  # the order as it was
        if not isinstance(options, Items) or not options.plain or not options.items:
            return UNKNOWN
        if not self._free:
            return distribution.centre({"a": options.items})
        index = z3.Int(self._name)
        self.constraints += [index >= 0, index < len(options.items)]
        result = options.items[0]
        for position, option in enumerate(options.items[1:], 1):
            result = choose(index == position, option, result)
        return result


class _Formula:
    """A term in a formula of a distribution: operators on it are those of the interpretation."""

    def __init__(self, value: Value) -> None:
        self.value = value

    def __add__(self, other: Any) -> _Formula:
        return _Formula(binary("+", self.value, _plain(other)))

    def __radd__(self, other: Any) -> _Formula:
        return self if is_zero(other) else _Formula(binary("+", other, self.value))

    def __sub__(self, other: Any) -> _Formula:
        return _Formula(binary("-", self.value, _plain(other)))

    def __rsub__(self, other: Any) -> _Formula:
        return _Formula(binary("-", other, self.value))

    def __mul__(self, other: Any) -> _Formula:
        return _Formula(binary("*", self.value, _plain(other)))

    def __rmul__(self, other: Any) -> _Formula:
        return _Formula(binary("*", other, self.value))

    def __truediv__(self, other: Any) -> _Formula:
        return _Formula(binary("/", self.value, _plain(other)))

    def __rtruediv__(self, other: Any) -> _Formula:
        return _Formula(binary("/", other, self.value))

    def __floordiv__(self, other: Any) -> _Formula:
        return _Formula(binary("//", self.value, _plain(other)))

    def __floor__(self) -> _Formula:
        return _Formula(floor(self.value))


def _plain(other: Any) -> Value:
    return other.value if isinstance(other, _Formula) else other


def name_of(site: DrawSite) -> str:
    """The variable of a draw; other sites have other names. `draw!8:13@20:5#0#2`: line and column, calls, turns."""
    calls = "".join(f"@{_place(call)}" for call in all_calls(site))
    turns = "".join(f"#{turn}" for turn in site.turns)
    return f"draw!{_place(site.span)}{calls}{turns}"


def _place(span: Span) -> str:
    return (f"{span.file}:" if span.file else "") + f"{span.line}:{span.column}"


def _element(value: Value, index: int) -> Value:
    if isinstance(value, Items):
        return value.items[index] if value.plain and index < len(value.items) else UNKNOWN
    return value
