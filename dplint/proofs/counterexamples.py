"""What the checker knew against a certificate, as another sample for the proposer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

import z3

from dplint.claims import Categories, Columns, Domain, Interval, Mechanism
from dplint.outcomes import Scope
from dplint.proofs.alignment import ANY, Case, Shape
from dplint.proofs.checker.values import number_in
from dplint.proofs.proposer.forms import Key
from dplint.proofs.proposer.samples import argument_samples
from dplint.relations import Neighbourhood, relation_of

Values: TypeAlias = Mapping[str, Fraction]
"""Of the checker's variables, by their names."""


@dataclass(frozen=True, slots=True)
class Against:
    """Arguments and neighbours: numbers of a vector with their moves, or records; neither where they are not known."""

    arguments: dict[str, Any]
    numbers: dict[Key, Fraction] = field(default_factory=dict)
    records: tuple[Any, Any] | None = None


def values_in(model: z3.ModelRef) -> dict[str, Fraction]:
    """What the variables of data and arguments are in a model, by their names."""
    values = {}
    for declared in model.decls():
        name = declared.name()
        if declared.arity() == 0 and name[0] in "dav":
            found = model[declared]
            if z3.is_algebraic_value(found):
                found = found.approx(20)
            known = Fraction(int(z3.is_true(found))) if z3.is_bool(found) else number_in(found)
            if known is not None:
                values[name] = known
    return values


def sample_of(mechanism: Mechanism, scope: Scope, shape: Shape, case: Case, model: z3.ModelRef) -> Against:
    """What a model of z3 says of the checker's variables."""
    values = values_in(model)
    arguments = argument_samples(scope, case)[0]
    for name, simplest in arguments.items():
        value = values.get(f"a:{name}", simplest)
        arguments[name] = int(value) if isinstance(simplest, int) and isinstance(value, Fraction) else value
    numbers: dict[Key, Fraction] = {}
    for name, value in values.items():
        kind, _, rest = name.partition(":")
        if kind == "d" and rest[:1] in "qe" and rest[1:].isdigit():
            numbers[rest[0], int(rest[1:])] = value
    definition = relation_of(mechanism.claim).definition
    if definition not in (Neighbourhood.ONE_MORE, Neighbourhood.ONE_REPLACED) or shape.size == ANY:
        return Against(arguments, numbers)
    return Against(arguments, records=_records(mechanism.claim.domain, shape, values))


def _records(domain: Domain | None, shape: Shape, values: Values) -> tuple[Any, Any] | None:
    if domain is None:
        return None
    one = [_record(domain, f"d:q{k}", values) for k in range(shape.size)]
    action, _, place = shape.edit.partition(" ")
    other = [] if action == "remove" else [_record(domain, "d:r", values)]
    at = int(place)
    return one, one[:at] + other + one[at + (action != "add") :]


def _record(domain: Domain, name: str, values: Values) -> Any:
    """The record whose variables begin with the name; where nothing depends on it, any."""
    if isinstance(domain, Columns):
        return {key: _record(column, f"{name}.{key}", values) for key, column in domain.columns}
    value = values.get(name)
    if isinstance(domain, Categories):
        if value is None:
            return domain.values[0]
        for one in domain.values:
            if isinstance(one, int | float) and Fraction(repr(float(one))) == value:
                return one
        return domain.values[int(value)]
    assert isinstance(domain, Interval)
    least = Fraction(repr(float(domain.low))) if value is None else value
    return int(least) if domain.integer else least
