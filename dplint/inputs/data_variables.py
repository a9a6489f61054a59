"""Data of which only the length is known: a variable of the solver for each number in it, and what neighbours are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import z3

from dplint.claims import Categories, Column, Columns, Interval, Literal, Mechanism, NumbersOrMissing
from dplint.inputs.pairs import data_domain, has_whole_numbers
from dplint.readings.symbolic import Entries, Items, Value, Variable, VariableKind, rational
from dplint.relations import Neighbourhood


@dataclass(frozen=True, slots=True)
class Entry:
    """One number, value or record of the data. names: of the columns; empty where it is no record with columns."""

    variables: tuple[Variable, ...]
    names: tuple[str, ...] = ()

    @property
    def value(self) -> Value:
        """It as a value of the symbolic interpretation."""
        if not self.names:
            return self.variables[0].value
        return Entries(self.names, tuple(one.value for one in self.variables))

    def same(self, other: Entry) -> z3.BoolRef:
        """When two are equal."""
        pairs = zip(self.variables, other.variables, strict=True)
        return z3.And(*(one.term == two.term for one, two in pairs))

    def read(self, model: z3.ModelRef) -> Literal:
        """Its value in a model: reals are floats."""
        found = [float(one.read(model)) if one.kind is VariableKind.REAL else one.read(model) for one in self.variables]  # type: ignore[arg-type]
        return dict(zip(self.names, found, strict=True)) if self.names else found[0]


@dataclass(frozen=True, slots=True)
class DataVariables:
    """The data of one side. form: "scalar" for a single entry, else that of a list, tuple or array."""

    entries: tuple[Entry, ...]
    form: str

    @property
    def value(self) -> Value:
        """It as a value of the symbolic interpretation."""
        if self.form == "scalar":
            return self.entries[0].value
        return Items(self.form, tuple(one.value for one in self.entries), (True,) * len(self.entries))

    def domain(self) -> list[z3.BoolRef]:
        """What holds of all data that the claim speaks of."""
        return [bound for entry in self.entries for one in entry.variables for bound in one.domain()]

    def read(self, model: z3.ModelRef) -> Literal:
        """The data in a model, as a pair has it."""
        found = [entry.read(model) for entry in self.entries]
        return found[0] if self.form == "scalar" else found


def data_variables(mechanism: Mechanism, form: str, size: int, name: str, far: float) -> DataVariables | None:
    """Variables for data of a length; None where the domain has values that the solver does not know.

    name: what their names begin with. far: bounds answers of which the claim says nothing.
    """
    domain = data_domain(mechanism)
    if domain is None:
        domain = Interval(-far, far, has_whole_numbers(mechanism))
    elif isinstance(domain, Interval) and has_whole_numbers(mechanism):
        domain = Interval(domain.low, domain.high, True)
    entries = [_entry(domain, f"{name}!{i}") for i in range(size)]
    known = tuple(entry for entry in entries if entry is not None)
    return DataVariables(known, form) if len(known) == size else None


def _entry(domain: Column | Columns, name: str) -> Entry | None:
    if not isinstance(domain, Columns):
        variable = _variable(domain, name)
        return None if variable is None else Entry((variable,))
    found = [_variable(column, f"{name}!{number}") for number, (_, column) in enumerate(domain.columns)]
    variables = tuple(one for one in found if one is not None)
    return Entry(variables, tuple(one for one, _ in domain.columns)) if len(variables) == len(found) else None


def _variable(domain: Column, name: str) -> Variable | None:
    match domain:
        case Interval(low, high, integer):
            kind = VariableKind.INT if integer else VariableKind.REAL
            ends = [None if math.isinf(end) else end for end in (low, high)]
            return Variable(name, kind, low=ends[0], high=ends[1])
        case NumbersOrMissing(numbers=numbers):
            return _variable(numbers, name)
        case Categories(values):
            kinds = {type(value) for value in values}
            known = {str: VariableKind.TEXT, bool: VariableKind.BOOL, int: VariableKind.INT, float: VariableKind.REAL}
            return (
                Variable(name, known[kinds.pop()], values=values) if len(kinds) == 1 and kinds <= set(known) else None
            )


def has_whole_domain(mechanism: Mechanism) -> bool:
    """Whether the variables of `data_variables` stand for all that the claim lets an entry be: for no missing one."""
    domain = data_domain(mechanism)
    columns = [column for _, column in domain.columns] if isinstance(domain, Columns) else [domain]
    return not any(isinstance(one, NumbersOrMissing) for one in columns)


def neighbouring(
    definition: Neighbourhood, one: DataVariables, two: DataVariables, sensitivity: float
) -> z3.BoolRef | None:
    """When two data are neighbours. A sufficient condition: of Euclidean length the sum of moves is bounded, and one
    record more is the last one. None where it has no term.
    """
    if definition is Neighbourhood.ONE_MORE:
        shorter, longer = sorted((one.entries, two.entries), key=len)
        return z3.And(*(a.same(b) for a, b in zip(shorter, longer, strict=False)))
    if definition is Neighbourhood.ANY_TWO:
        return z3.BoolVal(True)
    pairs = list(zip(one.entries, two.entries, strict=True))
    if definition is Neighbourhood.ONE_REPLACED:
        return z3.Sum([z3.If(a.same(b), 0, 1) for a, b in pairs]) <= 1
    if any(len(a.variables) > 1 or not z3.is_arith(a.variables[0].term) for a, _ in pairs):
        return None
    moves = [b.variables[0].term - a.variables[0].term for a, b in pairs]
    most = rational(sensitivity)
    if definition in (Neighbourhood.SUM_OF_MOVES, Neighbourhood.LENGTH_OF_MOVE):
        return z3.Sum([z3.If(move >= 0, move, -move) for move in moves]) <= most
    near = z3.And(*(z3.And(-most <= move, move <= most) for move in moves))
    if definition is Neighbourhood.ONE_DIRECTION:
        up, down = (z3.And(*(sign * move >= 0 for move in moves)) for sign in (1, -1))
        return z3.And(near, z3.Or(up, down))
    return near
