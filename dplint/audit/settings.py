"""The values of the claim that an audit tests: epsilon = 0.2, 0.7 and 1.5, unless the claim fixes it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from dplint.claims import Categories, Claim, Fixed, Interval, Literal, Mechanism, Pair, Parameter
from dplint.definitions import ORDER, Promised, claimed_amounts, points_of, promise_words, scaled_to
from dplint.expressions import evaluate_expression, expression_parameters, length_parameters
from dplint.inputs.forms import DefaultNotRead, data_form, default_of
from dplint.outcomes import Argument, Broken, Violation
from dplint.relations import DEFAULT_SIZES

_WHY = "the claim is tested at this value"
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
    size: int | None = None
    """The length of the data that this value is for, where the claim depends on it; None where it does not."""
    promised: Promised | None = None
    """What is claimed in another currency, on whose curve epsilon and delta are a point; None for a claim of these."""
    last: bool = True
    """Whether it is the last of the points of one promise: what is asked of the whole promise is asked there."""

    def broken(self, lower: float) -> Broken | None:
        """What is known of the promise where epsilon, with this delta, is at least `lower`; None without a promise.

        What keeps no epsilon below it with this delta keeps no promise that would imply one.
        """
        if self.promised is None:
            return None
        kind, amounts = self.promised.kind, self.promised.amounts
        least = scaled_to(self.promised.definition, amounts, lower, self.delta)
        return Broken(kind=kind, claimed=amounts, least=least)

    def fitting(self, pairs: Sequence[Pair]) -> list[Pair]:
        """The pairs of that length."""
        return [pair for pair in pairs if self.size is None or (pair.size == self.size and self._is_long(pair))]

    def _is_long(self, pair: Pair) -> bool:
        """Whether the data really has that length, as shorter ones stand among the patterns of a size."""
        return all(len(side) == self.size for side in (pair.d1, pair.d2) if isinstance(side, list))


def points_note(claim: Claim) -> str | None:
    """What an epsilon is where a claim is by another definition; None of any other claim."""
    if claim.promise is None:
        return None
    return f"claimed is {promise_words(claim.promise)}: each epsilon, with its delta, is a point that follows"


def claim_settings(mechanism: Mechanism, epsilons: Sequence[float]) -> list[Setting]:
    """The settings to test, without repetitions, in the order of `epsilons`.

    A parameter that the claim fixes keeps its value; one that only delta depends on keeps its default; others take
    `epsilons` in turn. Raises ClaimNotTestable if the claim depends on the data, or has no valid value.
    """
    claim = mechanism.claim
    if claim.stable is not None:
        return [Setting((), 0.0, 0.0)]  # what it allows follows from the arguments
    amounts = (claim.epsilon, claim.delta) if claim.promise is None else claim.promise.amounts
    names = {e: _parameters_of(e) for e in amounts}
    main = names[amounts[0]].union(*(names[one] for one in amounts[2:]), names[amounts[1 % len(amounts)]])
    if claim.promise is None or claim.promise.kind == "rho":
        main = names[amounts[0]]  # beside a delta
    depends_on = sorted(frozenset[str]().union(*names.values()))
    sizes: Sequence[int | None] = [None]
    if mechanism.data in depends_on:
        sizes = _sizes(mechanism, names)
        depends_on.remove(mechanism.data)
    columns = {name: _values(mechanism, name, name in main, epsilons) for name in depends_on}
    count = max((len(values) for values in columns.values()), default=1)
    settings: dict[tuple[float, float, str, int | None], Setting] = {}
    for index, size in product(range(count), sizes):
        chosen = {name: values[index % len(values)] for name, values in columns.items()}
        known: dict[str, Literal] = dict(chosen)
        if size is not None:
            known[str(mechanism.data)] = [0.0] * size
        arguments = tuple(Argument(name, value, _WHY) for name, value in chosen.items())
        for setting in _at_values(claim, arguments, known, size):
            settings.setdefault((setting.epsilon, setting.delta, repr(chosen), size), setting)
    if not settings and claim.promise is not None:
        raise ClaimNotTestable("the claim promises nothing that a run could show, at any value that was tried")
    if not settings:
        raise ClaimNotTestable("the claim gives no positive epsilon with a delta in [0, 1) at any value that was tried")
    return list(settings.values())


def _at_values(
    claim: Claim, arguments: tuple[Argument, ...], known: dict[str, Literal], size: int | None
) -> Iterator[Setting]:
    """One value of the claim; of a promise in another currency some points of its curve, if the amounts are some."""
    if claim.promise is None:
        epsilon, delta = _number(claim.epsilon, known), _number(claim.delta, known)
        if epsilon > 0 and math.isfinite(epsilon) and 0 <= delta < 1:
            yield Setting(arguments, epsilon, delta, size)
        return
    promised = claimed_amounts(claim.promise, known)
    if not all(0 <= one < math.inf for one in promised.amounts) or promised.amounts[0] == 0:
        return
    points = list(points_of(promised))
    for point in points:
        yield Setting(arguments, *point, size, promised, last=point == points[-1])


def in_currency(mechanism: Mechanism, epsilons: Sequence[float], found: Violation) -> Violation:
    """The violation with what it says of the promise, where the claim is by another definition.

    epsilons: as for `claim_settings`, whose settings the audit was about.
    """
    tested = (found.epsilon_tested, found.delta_tested)
    if mechanism.claim.promise is None or found.broken is not None:
        return found
    settings = (one for one in claim_settings(mechanism, epsilons) if (one.epsilon, one.delta) == tested)
    return replace(found, broken=next(settings).broken(found.epsilon_lower))


def _sizes(mechanism: Mechanism, names: dict[float | str, frozenset[str]]) -> Sequence[int]:
    """The lengths of the data to test a claim at that depends on nothing but its length."""
    for expression, parameters in names.items():
        if mechanism.data in parameters and mechanism.data not in length_parameters(str(expression)):
            raise ClaimNotTestable(f"the claim depends on the data ({mechanism.data}), so it promises nothing definite")
    if data_form(mechanism) == "scalar":
        raise ClaimNotTestable(f"the claim depends on the length of {mechanism.data}, which is one value")
    return mechanism.claim.size or DEFAULT_SIZES


def _parameters_of(expression: float | str) -> frozenset[str]:
    return expression_parameters(expression) - {ORDER} if isinstance(expression, str) else frozenset()


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
        return [_default(parameter)]
    return list(epsilons)


def _default(parameter: Parameter | None) -> float:
    """The default of a parameter that only delta depends on, as a number; a usual delta where nobody can tell."""
    try:
        value = None if parameter is None else default_of(parameter)
    except DefaultNotRead:
        value = None
    return float(value) if isinstance(value, int | float) else _DEFAULT_DELTA
