"""Counterexamples: a witness and the evidence for it; and plain runs that confirm one.

Evidence: the probabilities of an observation on D1 and on D2, as counted in runs or as computed exactly.
"""

from __future__ import annotations

import ast
import math
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from dplint.claims import Literal
from dplint.outcomes.effort import Argument
from dplint.sites import DrawSite
from dplint.syntax import parse_expression


@dataclass(frozen=True, slots=True)
class Bounds:
    """A closed interval, low <= high, that holds a real number: for certain, or at a confidence that is told beside it.

    An end may be infinite. Ends that were computed are rounded outwards.
    """

    low: float
    high: float

    @property
    def middle(self) -> float:
        """A number to show; nothing is promised of it but that it lies within."""
        return self.low if self.low == self.high else self.low + (self.high - self.low) / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawLoss:
    """What a draw of Laplace noise loses by a model: scale, and by how much the noise is moved from D1 to D2.

    file, line: where it is drawn; several draws of one line and scale are together. draws: how many.
    """

    file: str
    line: int
    scale: float
    moved: float
    draws: int

    @property
    def loss(self) -> float:
        """Of all of them."""
        return self.draws * self.moved / self.scale


@dataclass(frozen=True, slots=True, kw_only=True)
class CoupledRuns:
    """What a model of the noise says of the event, and in how many runs beside it function and model differed.

    p1, p2: shares of model_runs simulated runs of either model; computed probabilities if that is 0. differ1, differ2:
    of the runs on D1 and on D2. given: those on D1 had noise by which the model is in the event, and count1 says
    nothing of how often it is. losses: of the draws, which add up; empty where the noise is other noise, or not the
    same on either side.
    """

    model_runs: int
    p1: float
    p2: float
    differ1: int
    differ2: int
    given: bool = False
    losses: tuple[DrawLoss, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedEvidence:
    """How often an event happened in runs that had no part in choosing it.

    count1 of runs1 on D1, count2 of runs2 on D2; runs are at least 1. interval1, interval2: Clopper-Pearson intervals
    for the two probabilities, each at `confidence`. p_value: of the final test, two-sided correction included.
    log_e_value: natural logarithm; None unless betting was used. seed: that of the runs. coupled: the model that was
    run beside the function, from which probabilities and intervals are then; None where there was none.
    """

    count1: int
    count2: int
    runs1: int
    runs2: int
    interval1: Bounds
    interval2: Bounds
    confidence: float
    p_value: float | None
    log_e_value: float | None
    seed: int
    coupled: CoupledRuns | None = None

    @property
    def p1(self) -> float:
        """An estimate of the probability on D1: the share of the runs there, or what the model says."""
        return self.count1 / self.runs1 if self.coupled is None else self.coupled.p1

    @property
    def p2(self) -> float:
        """The same on D2."""
        return self.count2 / self.runs2 if self.coupled is None else self.coupled.p2


class Measure(StrEnum):
    """What exact evidence is about: probabilities of an event or output, or densities at an output."""

    PROBABILITY = "probability"
    DENSITY = "density"


@dataclass(frozen=True, slots=True)
class Impossible:
    """The observation has probability zero on D2.

    mass: the probability on D1 of all outputs that the argument shows to be impossible on D2, the observed one among
    them. No epsilon is kept with a delta below it. For an event it is the probability of the event.
    """

    mass: Bounds


@dataclass(frozen=True, slots=True)
class UnequalVanishing:
    """The ratio of the densities grows without limit near the output: there they vanish to different orders.

    At a distance t from it they behave like t**order1 on D1 and t**order2 on D2, where 0 <= order1 < order2.
    """

    order1: int
    order2: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ExactEvidence:
    """The probabilities or densities of an observation on D1 and D2, as intervals that certainly hold them.

    In exact arithmetic: values of the mechanism are real numbers, and how floats are rounded is not modelled.
    infinite: why no finite epsilon holds, None if the ratio is finite or nothing more is known. certified_by: what
    shows all of this, one phrase for each independent argument, e.g. "elimination of noise in 128-bit ball arithmetic".
    """

    measure: Measure
    p1: Bounds
    p2: Bounds
    certified_by: tuple[str, ...]
    infinite: Impossible | UnequalVanishing | None = None


Evidence: TypeAlias = CountedEvidence | ExactEvidence


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
class Broken:
    """What a counterexample shows in the currency of the claim. kind: the definition, as `Promise.kind`.

    claimed: the amounts in numbers. least: the least multiple of them that the mechanism can keep, at the confidence of
    the violation, rounded down; infinite if none. order, divergence: where a Renyi divergence of that order refutes the
    claim, a lower bound for it; None where the counterexample's event does so by itself.
    """

    kind: str
    claimed: tuple[float, ...]
    least: tuple[float, ...]
    order: float | None = None
    divergence: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """The counterexample's event counted anew on plain runs of the user's own function, `runs` on either side.

    agrees: whether both shares lie within the counterexample's intervals, widened for the number of runs.
    """

    count1: int
    count2: int
    runs: int
    agrees: bool
