"""Finds definitions by their names, and says what a claim promises in its own words."""

from __future__ import annotations

import importlib
import math
import pkgutil
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from dplint.claims import Claim, Literal, Promise
from dplint.definitions import known
from dplint.definitions.definition import ORDERS, Amounts, Definition, most_epsilon
from dplint.expressions import evaluate_expression, expression_parameters

ORDER = "alpha"
"""What the order is called in the expression of such a promise."""
_ORDER = 8
"""At this one it is told what epsilon follows from a promise about all orders."""
_SHARES = (0.75, 0.4, 0.1, 2e-3)
"""Of the delta that follows at epsilon = 0, less what stays at any: where on its curve a promise is tested."""
MORE_SHARES = (0.95, 0.85, 0.6, 0.4, 0.25, 0.02, 1e-4, 1e-7)
"""The same where no runs are needed for it."""
_FAR = 1e6


class UnknownDefinitionError(ValueError):
    """There is no definition of that name; the text says which there are."""


@cache
def definition_names() -> tuple[str, ...]:
    """The names of all definitions, sorted."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(known.__path__)))


@cache
def definition_named(name: str) -> Definition:
    """The definition of that name, imported now.

    Raises:
        UnknownDefinitionError: there is none, or its file has no `DEFINITION` of its name.
    """
    if name not in definition_names():
        raise UnknownDefinitionError(f"{name!r} is no definition: there are {', '.join(definition_names())}")
    found = getattr(importlib.import_module(f"{known.__name__}.{name}"), "DEFINITION", None)
    if not isinstance(found, Definition) or found.name != name:
        raise UnknownDefinitionError(f'{known.__name__}.{name} must have a DEFINITION whose name is "{name}"')
    return found


def definition_of(claim: Claim) -> Definition:
    """The definition that a claim uses."""
    if claim.promise is not None:
        return definition_named(claim.promise.kind)
    return definition_named("pure" if claim.delta == 0.0 else "approximate")


@dataclass(frozen=True, slots=True)
class Promised:
    """What a claim promises, in numbers. kind: the name of the definition."""

    kind: str
    amounts: Amounts

    @property
    def definition(self) -> Definition:
        """The definition of these amounts."""
        return definition_named(self.kind)

    @property
    def words(self) -> str:
        """As a claim would say it: "rho = 0.125"."""
        return promise_words(Promise(self.kind, self.amounts))

    @property
    def short(self) -> str:
        """After "is not": "0.125-zCDP", "(rho = 0.5, delta = 1e-05)-zCDP"."""
        (first, *rest), definition = self.amounts, self.definition
        if definition.said is not None:
            return definition.called
        return f"({self.words})-{definition.called}" if rest else f"{first:.6g}-{definition.called}"


def claimed_amounts(promise: Promise, values: Mapping[str, Literal]) -> Promised:
    """The promise with these values of the parameters.

    Raises:
        ExpressionError: an amount has no finite value with them.
    """

    def at(one: float | str, given: Mapping[str, Literal]) -> float:
        return evaluate_expression(one, given) if isinstance(one, str) else float(one)

    if promise.of_all_orders:
        (bound,) = promise.amounts
        pairs = [(order, at(bound, {**values, ORDER: order})) for order in ORDERS]
        return Promised(promise.kind, tuple(number for pair in pairs for number in pair))
    return Promised(promise.kind, tuple(at(one, values) for one in promise.amounts))


def implied(promise: Promise) -> tuple[float | str, float | str]:
    """An epsilon and a delta that follow from a promise: numbers, or expressions over the parameters."""
    definition, amounts = definition_named(promise.kind), promise.amounts
    if promise.function is not None:
        return definition.epsilon(amounts)
    if promise.of_all_orders:
        (bound,) = amounts
        amounts = (float(_ORDER), at_order(bound, _ORDER) if isinstance(bound, str) else bound)
    numbers = tuple(float(one) for one in amounts if not isinstance(one, str))
    epsilon, delta = definition.epsilon(amounts)
    if len(numbers) == len(amounts) and isinstance(delta, float):
        return most_epsilon(definition, numbers, delta), delta
    if isinstance(epsilon, str) and not expression_parameters(epsilon):
        epsilon = evaluate_expression(epsilon, {})
    return epsilon, delta


def at_order(expression: str, order: int) -> str:
    """An expression over the order, at one order."""
    return re.sub(rf"\b{ORDER}\b", str(order), expression)


def points_of(promised: Promised, shares: Sequence[float] = _SHARES) -> Iterator[tuple[float, float]]:
    """Some points (epsilon, delta) of the curve that follows, with epsilon > 0, where few and where many runs tell."""
    definition, amounts = promised.definition, promised.amounts
    most, least = definition.delta(amounts, 0.0), definition.delta(amounts, _FAR)
    for share in shares:
        epsilon = most_epsilon(definition, amounts, least + share * (most - least))
        if 0 < epsilon < math.inf:
            yield epsilon, definition.delta(amounts, epsilon)


def promise_words(promise: Promise) -> str:
    """A promise as it would be written: "rho = 0.5", "renyi = (8, 0.3)"."""
    definition, amounts = definition_named(promise.kind), promise.amounts
    if definition.said is not None:
        return definition.said(amounts)

    def written(one: float | str) -> str:
        return f'"{one}"' if isinstance(one, str) else f"{one:.6g}"

    if promise.kind == "rho" and len(amounts) > 1:
        return f"rho = {written(amounts[0])}, delta = {written(amounts[1])}"
    pairs = list(zip(amounts[::2], amounts[1::2], strict=False))
    shown = [f"({written(order)}, {written(bound)})" for order, bound in pairs]
    if not pairs:
        return f"{definition.keyword} = {written(amounts[0])}"
    listed = shown[0] if len(shown) == 1 else f"[{', '.join(shown)}]"
    return f"{definition.keyword} = {listed}"
