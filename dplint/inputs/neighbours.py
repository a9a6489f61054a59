"""Whether a claim speaks of an input: of two values of the data, and of a value of another parameter.

Inputs that somebody else has thought of are looked at here before they are tried: what is seen on data that are no
neighbours, or on arguments that the claim rules out, says nothing against it.
"""

from __future__ import annotations

import math
from typing import TypeGuard

from dplint.claims import Categories, Columns, Domain, Fixed, Interval, Literal, Mechanism, NumbersOrMissing
from dplint.inputs.forms import data_form
from dplint.inputs.pairs import data_domain, has_whole_numbers, stay_neighbours
from dplint.relations import DataKind, relation_of


def are_neighbours(mechanism: Mechanism, d1: Literal, d2: Literal) -> bool:
    """Whether two different values of the data are neighbours by the claim's relation, and both in its domain.

    Never for a custom relation, whose neighbours only its own function knows; nor for data of another size than the
    claim names, which is that of the smaller side.
    """
    relation = relation_of(mechanism.claim)
    if relation.are_neighbours is None or repr(d1) == repr(d2):
        return False
    if not (_is_data(mechanism, relation.data, d1) and _is_data(mechanism, relation.data, d2)):
        return False
    sizes = mechanism.claim.size
    if sizes is not None and isinstance(d1, list) and isinstance(d2, list) and min(len(d1), len(d2)) not in sizes:
        return False
    if d1 == d2 or not relation.are_neighbours(d1, d2, mechanism.claim.sensitivity):
        return False
    return stay_neighbours(mechanism, d1, d2)


def allows_argument(mechanism: Mechanism, name: str, value: Literal) -> bool:
    """Whether the claim speaks of this value of a parameter that is neither the data nor the generator.

    A parameter that the claim does not name may have any value if it has no default, and keeps its default otherwise.
    """
    spec = dict(mechanism.claim.args).get(name)
    if isinstance(spec, Fixed):
        return type(value) is type(spec.value) and value == spec.value
    if spec is not None:
        return _is_in(spec, value)
    parameter = mechanism.parameter(name)
    return parameter is not None and parameter.default is None and name not in mechanism.roles


def _is_data(mechanism: Mechanism, kind: DataKind, value: Literal) -> bool:
    """Whether the data may be this: numbers for answers, values or records of the domain for all else."""
    domain = data_domain(mechanism)
    if kind is DataKind.VECTOR:
        answers = [value] if data_form(mechanism) == "scalar" else value
        bounds = domain if isinstance(domain, Interval) else Interval(-math.inf, math.inf, False)
        whole = has_whole_numbers(mechanism)
        return isinstance(answers, list) and all(
            _is_number(one, whole) and bounds.low <= one <= bounds.high for one in answers
        )
    if domain is None:
        return False
    if kind is DataKind.VALUE:
        return _is_in(domain, value)
    return isinstance(value, list) and all(_is_in(domain, record) for record in value)


def _is_in(domain: Domain, value: Literal) -> bool:
    match domain:
        case Interval(low, high, integer):
            return _is_number(value, integer) and low <= value <= high
        case NumbersOrMissing(numbers=numbers, none=none, nan=nan):
            missing = (none and value is None) or (nan and isinstance(value, float) and math.isnan(value))
            return missing or _is_in(numbers, value)
        case Categories(values):
            return any(type(value) is type(one) and value == one for one in values)
        case Columns(columns):
            return (
                isinstance(value, dict)
                and list(value) == [name for name, _ in columns]
                and all(_is_in(column, value[name]) for name, column in columns)
            )


def _is_number(value: Literal, whole: bool) -> TypeGuard[int | float]:
    kinds = (int,) if whole else (int, float)
    return isinstance(value, kinds) and not isinstance(value, bool) and math.isfinite(value)
