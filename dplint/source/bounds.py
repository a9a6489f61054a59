"""epsilon and delta of a claim: numbers, or expressions over the parameters of the function that bears it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from dplint.claims import ArgumentSpec, Categories, Domain, Fixed, Literal, Parameter, Span, is_number
from dplint.config import hint, nearest
from dplint.expressions import ExpressionError, evaluate_expression, expression_parameters, length_parameters
from dplint.relations import Relation
from dplint.source.domains import is_finite
from dplint.source.parameters import is_variadic
from dplint.source.problems import Item, Problems, respelling
from dplint.source.static_values import Names

_MOST_CANDIDATES = 100


@dataclass(frozen=True, slots=True)
class Bearer:
    """The function that a claim is about. name: its qualname. span: of its name.

    is_method: it is a method that needs an object. needs_receiver: that, or a function that no name leads to.
    factory_parameter: the parameter of what `make` names that takes the data, None if none does. schema: the domain of
    records that a class gives, by the annotation of the data. sample: the domain of a file with a sample. counts:
    whether nothing but the length of a parameter is used. constructor: the parameters of the class that makes its
    object, which `args` may name as well.
    """

    name: str
    span: Span
    parameters: tuple[Parameter, ...]
    names: Names
    is_method: bool = False
    needs_receiver: bool = False
    factory_parameter: Callable[[str], Parameter | None] = lambda _: None
    schema: Callable[[str | None], Domain | None] = lambda _: None
    sample: Callable[[str], Domain] | None = None
    counts: Callable[[str], bool] = lambda _: False
    constructor: Collection[str] = ()

    def takes_data(self, make: str | None) -> Parameter | None:
        """The parameter of the factory that takes the data."""
        return None if make is None else self.factory_parameter(make)

    def annotation_of(self, name: str | None) -> str | None:
        """The annotation of a parameter of the function."""
        return next((entry.annotation for entry in self.parameters if entry.name == name), None)

    def names_of(self, *, variadic: bool = False) -> tuple[str, ...]:
        """The names of its parameters, without `*args` and `**kwargs` unless asked for."""
        return tuple(item.name for item in self.parameters if variadic or not is_variadic(item))

    def unknown(self, field: str, name: str) -> str:
        """A message that `field` of the claim names a parameter that there is not."""
        known = hint(name, self.names_of(), noun="its parameters" if self.parameters else "parameters")
        return f"{field} names {name!r}, which is no parameter of {self.name}. {known}"

    def meant(self, name: str, not_in: Collection[str | None] = ()) -> str | None:
        """The parameter that a misspelt name stands for; None if none is near, or if that one will not do."""
        near = nearest(name, self.names_of())
        return None if near in not_in else near


@dataclass(frozen=True, slots=True)
class Bounds:
    """Reads epsilon and delta, which may be expressions over the parameters."""

    bearer: Bearer
    relation: Relation | None
    data: str | None
    rng: str | None
    specs: Mapping[str, ArgumentSpec]
    problems: Problems

    def epsilon(self, item: Item) -> float | str | None:
        """epsilon; None if it is wrong."""
        return self._bound(item, "epsilon", "DP003")

    def delta(self, item: Item) -> float | str:
        """delta; 0 if it is wrong."""
        value = self._bound(item, "delta", "DP004")
        return 0.0 if value is None else value

    def distance(self, item: Item) -> float | str | None:
        """d_out; None if it is wrong."""
        return self._bound(item, "d_out", "DP023")

    def _bound(self, item: Item, field: str, code: str) -> float | str | None:
        value = item.value
        if isinstance(value, str):
            return self._expression(value, item, field, code)
        if not is_number(value) or not is_finite(value):
            self.problems.add(code, item.span, f"{field} must be {_wanted(field)}, not {value!r}.")
            return None
        return float(value) if self._in_range(float(value), item.span, field, code, "") else None

    def _in_range(self, value: float, span: Span, field: str, code: str, where: str) -> bool:
        right = value > 0 if field == "epsilon" else value >= 0 if field == "d_out" else 0 <= value < 1
        if not right:
            self.problems.add(code, span, f"{field} must be {_wanted(field)}, not {value:g}{where}.")
        return right

    def _expression(self, text: str, item: Item, field: str, code: str) -> float | str | None:
        span = item.span
        try:
            used = expression_parameters(text)
            lengths = length_parameters(text)
        except ExpressionError as error:
            self.problems.add("DP008", span, f"{field} is no expression of a claim: {error}.")
            return None
        for name in sorted(used):
            if not self._may_use(name, name in lengths, item, field):
                return None
        if not used:
            return self._value(text, {}, span, field, code)
        for values in self._fixed_values(sorted(used)):
            if self._value(text, values, span, field, code) is None:
                return None
        return text

    def _may_use(self, name: str, only_length: bool, item: Item, field: str) -> bool:
        span = item.span
        if name not in self.bearer.names_of():
            places = item.quoted.names(name) if item.quoted is not None else ()
            fix = respelling(name, self.bearer.meant(name, not_in=(self.data, self.rng)), *places)
            self.problems.add("DP007", span, self.bearer.unknown(field, name), fix)
        elif name == self.rng:
            self.problems.add("DP008", span, f"{field} uses the generator {name!r}. A promise cannot be random.")
        elif name == self.data and not (only_length and self.relation is not None and self.relation.same_size):
            relation = self.relation.name if self.relation is not None else "this relation"
            message = f"{field} depends on the data {name!r}, which a promise must not" + (
                f" (with {relation!r} neighbours may differ in length)."
                if only_length
                else "; only len(...) of it may be used."
            )
            self.problems.add("DP008", span, message)
        else:
            return True
        return False

    def _fixed_values(self, used: Sequence[str]) -> list[dict[str, Literal]]:
        """The combinations of values that args gives to all of `used`; none if it leaves one of them open."""
        choices: list[Sequence[Literal]] = []
        for name in used:
            match self.specs.get(name):
                case Fixed(value=value):
                    choices.append([value])
                case Categories(values=values):
                    choices.append(values)
                case _:
                    return []
        combinations = itertools.islice(itertools.product(*choices), _MOST_CANDIDATES)
        return [dict(zip(used, combination, strict=True)) for combination in combinations]

    def _value(self, text: str, values: Mapping[str, Literal], span: Span, field: str, code: str) -> float | None:
        where = "".join(f" with {name} = {value!r}" for name, value in values.items())
        try:
            value = evaluate_expression(text, values)
        except ExpressionError as error:
            self.problems.add("DP008", span, f"{field} has no value{where}: {error}.")
            return None
        return value if self._in_range(value, span, field, code, where) else None


def _wanted(field: str) -> str:
    words = {"epsilon": "positive and finite", "d_out": "at least 0 and finite"}
    return words.get(field, "at least 0 and less than 1")
