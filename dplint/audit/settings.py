"""The values of the claim that an audit tests: epsilon = 0.2, 0.7 and 1.5, unless the claim fixes it."""

from __future__ import annotations

import ast
import math
from collections.abc import Sequence
from dataclasses import dataclass

from dplint.claims import Categories, Fixed, Interval, Literal, Mechanism
from dplint.expressions import evaluate_expression, expression_parameters
from dplint.outcomes import Argument

_DEFAULT_DELTA = 1e-5
_COUNTS = (1, 2, 5)
"""What a parameter annotated `int` is set to if a claim depends on it."""


class ClaimNotTestable(Exception):
    """The claim cannot be judged by running the mechanism, for the reason given."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One value of the claim: the parameters that it depends on, and the epsilon and delta that they make."""

    parameters: tuple[Argument, ...]
    epsilon: float
    delta: float


def claim_settings(mechanism: Mechanism, epsilons: Sequence[float]) -> list[Setting]:
    """The settings to test, without repetitions, in the order of `epsilons`.

    A parameter that the claim fixes keeps its value; one that only delta depends on keeps its default; others take
    `epsilons` in turn. Raises ClaimNotTestable if the claim depends on the data, or has no valid value.
    """
    claim = mechanism.claim
    names = {e: _parameters_of(e) for e in (claim.epsilon, claim.delta)}
    depends_on = sorted(names[claim.epsilon] | names[claim.delta])
    if mechanism.data in depends_on:
        raise ClaimNotTestable(f"the claim depends on the data ({mechanism.data}), so it promises nothing definite")
    columns = {name: _values(mechanism, name, name in names[claim.epsilon], epsilons) for name in depends_on}
    count = max((len(values) for values in columns.values()), default=1)
    settings: dict[tuple[float, float, str], Setting] = {}
    for index in range(count):
        chosen = {name: values[index % len(values)] for name, values in columns.items()}
        epsilon, delta = _number(claim.epsilon, chosen), _number(claim.delta, chosen)
        if epsilon > 0 and math.isfinite(epsilon) and 0 <= delta < 1:
            arguments = tuple(
                Argument(name, value, "the claim is tested at this value") for name, value in chosen.items()
            )
            settings.setdefault((epsilon, delta, repr(chosen)), Setting(arguments, epsilon, delta))
    if not settings:
        raise ClaimNotTestable("the claim gives no positive epsilon with a delta in [0, 1) at any value that was tried")
    return list(settings.values())


def _parameters_of(expression: float | str) -> frozenset[str]:
    return expression_parameters(expression) if isinstance(expression, str) else frozenset()


def _number(expression: float | str, values: dict[str, Literal]) -> float:
    return evaluate_expression(expression, values) if isinstance(expression, str) else float(expression)


def _values(mechanism: Mechanism, name: str, in_epsilon: bool, epsilons: Sequence[float]) -> Sequence[Literal]:
    spec = dict(mechanism.claim.args).get(name)
    if isinstance(spec, Fixed):
        return [spec.value]
    if isinstance(spec, Categories):
        return list(spec.values)
    if isinstance(spec, Interval):
        middle = (spec.low + spec.high) / 2
        return [int(v) if spec.integer else v for v in (spec.low, middle, spec.high)]
    parameter = mechanism.parameter(name)
    if parameter is not None and parameter.annotation == "int":
        return _COUNTS
    if not in_epsilon:
        return [_default(parameter.default if parameter else None)]
    return list(epsilons)


def _default(text: str | None) -> float:
    try:
        return float(ast.literal_eval(text or ""))
    except (ValueError, SyntaxError, TypeError):
        return _DEFAULT_DELTA
