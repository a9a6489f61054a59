"""The solver: arguments that satisfy as many constraints as possible, simple numbers first.

MaxSMT by z3's `Optimize`, in lexicographic order of the groups of soft constraints. Its work is bounded by `rlimit`
and its seeds are pinned, so that the same question gets the same answer on every machine; "unknown" is an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import z3

from dplint.claims import Literal
from dplint.readings.symbolic.symbolic_values import Mask, Text, Value, rational, term

SIMPLE: tuple[float, ...] = (0, 1, -1, 2, -2, 3, 4, 5, 10, 0.5, 1.5, -0.5, 2.5)
"""The numbers that the solver prefers, best first."""
_SMALL = 20


class VariableKind(StrEnum):
    """The type of a parameter that the solver chooses."""

    INT = "int"
    REAL = "real"
    BOOL = "bool"
    TEXT = "text"


class Status(StrEnum):
    """What the solver said. UNKNOWN: the work was too much, or the constraints are beyond it."""

    SAT = "sat"
    UNSAT = "unsat"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Variable:
    """A parameter that the solver chooses.

    low, high: bounds, None where there is none. values: if not empty, the only ones allowed; of a TEXT, its candidates.
    liked: numbers worth trying besides the simple ones, best first. first: those to try before the simple ones.
    """

    name: str
    kind: VariableKind
    low: float | None = None
    high: float | None = None
    values: tuple[Literal, ...] = ()
    liked: tuple[float, ...] = ()
    first: tuple[float, ...] = ()

    @property
    def value(self) -> Value:
        """The variable as a value of the interpretation."""
        if self.kind is VariableKind.TEXT:
            return Text(z3.Int(self.name), tuple(str(value) for value in self.values))
        return {VariableKind.INT: z3.Int, VariableKind.REAL: z3.Real, VariableKind.BOOL: z3.Bool}[self.kind](self.name)

    @property
    def term(self) -> z3.ExprRef:
        """The variable as a term."""
        value = self.value
        return value.term if isinstance(value, Text) else value

    def domain(self) -> list[z3.BoolRef]:
        """What holds of every value that it may have."""
        variable = self.term
        if self.kind is VariableKind.TEXT:
            return [variable >= 0, variable < len(self.values)]
        if self.values:
            return [z3.Or(*(variable == self.literal(value) for value in self.values))]
        bounds = []
        if self.low is not None:
            bounds.append(variable >= self.literal(self.low))
        if self.high is not None:
            bounds.append(variable <= self.literal(self.high))
        return bounds

    def literal(self, value: Literal) -> z3.ExprRef:
        """A value as a term of the variable's sort."""
        if self.kind is VariableKind.TEXT:
            return z3.IntVal(self.values.index(value))
        if self.kind is VariableKind.BOOL:
            return z3.BoolVal(bool(value))
        assert isinstance(value, int | float)
        return z3.IntVal(int(value)) if self.kind is VariableKind.INT else rational(float(value))

    def preferences(self) -> list[z3.BoolRef]:
        """Soft constraints, each implied by the one before: the more hold, the simpler the value."""
        variable = self.term
        if self.kind is VariableKind.BOOL:
            return [z3.Not(variable)]
        if self.kind is VariableKind.TEXT or self.values:
            ranked = [variable == self.literal(value) for value in self.values]
            return [z3.Or(*ranked[:count]) for count in range(1, len(ranked))]
        simple = [v for v in (*SIMPLE, *self.liked) if self.kind is VariableKind.REAL or float(v).is_integer()]
        ranked = [variable == self.literal(value) for value in simple]
        chain = [z3.Or(*ranked[:count]) for count in range(1, len(ranked) + 1)]
        small = z3.And(variable >= -_SMALL, variable <= _SMALL)
        if self.kind is VariableKind.INT:
            return [*chain, z3.Or(*ranked, small)]
        whole, half = z3.IsInt(variable), z3.IsInt(2 * variable)
        return [*chain, z3.Or(*ranked, z3.And(small, whole)), z3.Or(*ranked, whole), z3.Or(*ranked, half)]

    def ranks(self, value: Literal) -> bool:
        """Whether a value has a place of its own among the preferences, so that it is no accident of the solver."""
        if self.kind in (VariableKind.BOOL, VariableKind.TEXT) or self.values:
            return True
        return value in SIMPLE or value in self.liked

    def read(self, model: z3.ModelRef) -> Literal:
        """The value in a model: whole numbers as ints."""
        found = model.eval(self.term, model_completion=True)
        if self.kind is VariableKind.TEXT:
            chosen: Literal = self.values[int(found.as_long())]
            return chosen
        if self.kind is VariableKind.BOOL:
            return bool(z3.is_true(found))
        if z3.is_int_value(found):
            return int(found.as_long())
        if z3.is_algebraic_value(found):
            found = found.approx(20)
        fraction = found.as_fraction()
        return int(fraction) if fraction.denominator == 1 else float(fraction)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the solver said, with a value for each variable if it found one."""

    status: Status
    values: Mapping[str, Literal]


def solve(
    variables: Sequence[Variable],
    hard: Sequence[Mask],
    soft: Sequence[Sequence[Mask]],
    *,
    rlimit: int = 500_000,
) -> Answer:
    """Values that satisfy `hard`, then as many of each group of `soft` as possible, then simple values.

    Earlier groups and earlier variables come first. Never raises for what z3 cannot do: the status is UNKNOWN.
    """
    return _solve(tuple(variables), tuple(hard), tuple(map(tuple, soft)), rlimit)


@lru_cache(maxsize=512)
def _solve(
    variables: tuple[Variable, ...], hard: tuple[Mask, ...], soft: tuple[tuple[Mask, ...], ...], rlimit: int
) -> Answer:
    """The same question, which most mechanisms raise again for every epsilon, is worked out once."""
    for seed in ("smt.random_seed", "sat.random_seed", "nlsat.seed", "sls.random_seed"):
        z3.set_param(seed, 0)
    optimizer = z3.Optimize()
    optimizer.set("rlimit", rlimit)
    for variable in variables:
        optimizer.add(*variable.domain())
    optimizer.add(*(term(constraint) for constraint in hard))
    for number, group in enumerate(soft):
        for constraint in group:
            optimizer.add_soft(term(constraint), 1, f"wish{number}")
    for number, variable in enumerate(variables):
        for preference in _preferences(variable):
            optimizer.add_soft(preference, 1, f"simple{number}")
    try:
        status = optimizer.check()
        if status == z3.unsat:
            return Answer(Status.UNSAT, {})
        if status != z3.sat:
            return Answer(Status.UNKNOWN, {})
        model = optimizer.model()
        reached = [sum(z3.is_true(model.eval(term(wish), model_completion=True)) for wish in group) for group in soft]
        groups = zip(soft, reached, strict=True)
        kept = [z3.Sum([z3.If(term(wish), 1, 0) for wish in group]) >= count for group, count in groups if count]
        return Answer(Status.SAT, _settle(variables, [*map(term, hard), *kept], model, rlimit))
    except z3.Z3Exception:
        return Answer(Status.UNKNOWN, {})


@lru_cache(maxsize=64)
def _preferences(variable: Variable) -> tuple[z3.BoolRef, ...]:
    """Terms are dear, and the same question is asked of many pairs."""
    return tuple(variable.preferences())


def _settle(
    variables: Sequence[Variable], constraints: Sequence[z3.BoolRef], model: z3.ModelRef, rlimit: int
) -> dict[str, Literal]:
    """The values of the model; those without a rank become as small as they can.

    Which of many equally good models z3 finds depends on what it did before; this does not.
    """
    values: dict[str, Literal] = {}
    known: list[z3.BoolRef] = [bound for variable in variables for bound in variable.domain()]
    known += constraints
    for variable in variables:
        value = variable.read(model)
        for parts in () if variable.ranks(value) else (1, 2):
            least = _least(variable, parts, known, rlimit)
            if least is not None:
                value = least
                break
        values[variable.name] = value
        known.append(variable.term == variable.literal(value))
    return values


def _least(variable: Variable, parts: int, known: Sequence[z3.BoolRef], rlimit: int) -> Literal:
    """The least multiple of 1/parts, in size, that the variable can be; None if that is not known."""
    steps = z3.Int(f"{variable.name}!steps")
    optimizer = z3.Optimize()
    optimizer.set("rlimit", rlimit)
    optimizer.add(*known, variable.term * parts == steps)
    optimizer.minimize(z3.If(steps >= 0, steps, -steps))
    optimizer.minimize(-steps)
    return variable.read(optimizer.model()) if optimizer.check() == z3.sat else None


def possible(mask: z3.BoolRef, *, rlimit: int = 20_000) -> bool:
    """False if no values at all satisfy the formula; True also where that is not known."""
    solver = z3.Solver()
    solver.set("rlimit", rlimit)
    solver.add(mask)
    return bool(solver.check() != z3.unsat)


def holds(mask: Mask, variables: Sequence[Variable], values: Mapping[str, Literal]) -> bool | None:
    """Whether a formula is true for these values; None if it depends on something else as well."""
    if isinstance(mask, bool):
        return mask
    pairs = [(variable.term, variable.literal(values[variable.name])) for variable in variables]
    result = z3.simplify(z3.substitute(mask, *pairs))
    return True if z3.is_true(result) else False if z3.is_false(result) else None
