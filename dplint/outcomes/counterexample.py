"""Counterexamples: a witness and the evidence for it; and plain runs that confirm one."""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from typing import TypeAlias

from dplint.claims import Literal
from dplint.outcomes.effort import Argument
from dplint.outcomes.evidence import Evidence
from dplint.sites import DrawSite
from dplint.syntax import parse_expression

_ENDINGS = ("Error", "Exception", "Interrupt", "Warning", "Exit", "Iteration")
"""Of the names of exceptions."""


def is_exception_name(name: str) -> bool:
    """Whether a type of this name is an exception by the custom of Python."""
    return name.endswith(_ENDINGS)


@dataclass(frozen=True, slots=True)
class OutputEvent:
    """A set of outputs. expression: a Python expression over `output`, true for those in the set."""

    expression: str

    @property
    def of_exceptions(self) -> bool:
        """Whether it asks for an exception, or for that there is none and for nothing else."""
        try:
            tree = parse_expression(self.expression)
        except (SyntaxError, ValueError, RecursionError):
            return False
        parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
        others = [part for part in parts if not _asks_for_none(part)]
        return not others or any(_names_exception(part) for part in others)


@dataclass(frozen=True, slots=True)
class SingleOutput:
    """One output. Exact evidence may be about a single value of a continuous output, by densities."""

    value: Literal

    @property
    def of_exceptions(self) -> bool:
        """No exception is a plain value."""
        return False

    @property
    def expression(self) -> str:
        """The set that holds this output alone, as a Python expression over `output`."""
        return f"output == {_written(self.value)}"


def _asks_for_none(tree: ast.expr) -> bool:
    """Whether a condition is that no exception is raised: what returned values are asked for together with."""
    return isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not) and _names_exception(tree.operand)


def _names_exception(tree: ast.expr) -> bool:
    """Whether a condition asks of what is raised: by `isinstance`, or by the name of a type."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name("isinstance"), args=[_, ast.Name("Exception")]):
                return True
            case ast.Compare(left=ast.Attribute(attr="__name__"), comparators=[other]):
                names = other.elts if isinstance(other, ast.List | ast.Tuple | ast.Set) else [other]
                if any(isinstance(one, ast.Constant) and is_exception_name(str(one.value)) for one in names):
                    return True
    return False


def _written(value: Literal) -> str:
    """A value as Python has it, infinities too, which have no literal."""
    match value:
        case float() if math.isinf(value):
            return f"float('{value}')"
        case [*items] if isinstance(value, list):
            return f"[{', '.join(map(_written, items))}]"
        case (one,):
            return f"({_written(one)},)"
        case [*items] if isinstance(value, tuple):
            return f"({', '.join(map(_written, items))})"
        case dict():
            return f"{{{', '.join(f'{key!r}: {_written(item)}' for key, item in value.items())}}}"
    return repr(value)


Observation: TypeAlias = OutputEvent | SingleOutput


@dataclass(frozen=True, slots=True, kw_only=True)
class Witness:
    """Two neighbouring inputs, arguments, and an observation that is too much likelier on D1 than on D2.

    d1, d2: data of plain values; for custom pairs that hold other objects, their `repr`.
    """

    d1: Literal
    d2: Literal
    arguments: tuple[Argument, ...]
    observation: Observation

    @property
    def event(self) -> str:
        """What is observed, as a Python expression over `output`."""
        return self.observation.expression


@dataclass(frozen=True, slots=True, kw_only=True)
class ExampleDraw:
    """What one draw was in one run.

    distribution: its name, as "laplace". value: the noise, centre and scale included; a list for a draw of an array.
    """

    site: DrawSite
    distribution: str
    value: Literal


@dataclass(frozen=True, slots=True, kw_only=True)
class Counterexample:
    """A witness against the claim and the evidence for it.

    epsilon_lower: lower bound for the loss that this observation alone gives, for certain or at the level of the audit;
    None if not known. draws: those of one run on D1 whose output is observed, in the order in which they were made;
    empty where none was recorded.
    """

    witness: Witness
    evidence: Evidence
    epsilon_lower: float | None = None
    draws: tuple[ExampleDraw, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """The counterexample's event counted anew on plain runs of the user's own function, `runs` on either side.

    agrees: whether both shares lie within the counterexample's intervals, widened for the number of runs.
    """

    count1: int
    count2: int
    runs: int
    agrees: bool
