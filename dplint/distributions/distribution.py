"""What dplint knows of a distribution that mechanisms draw from: one frozen object, in one file, for all readers.

The law of noise, as functions on arrays, and the cost of a shift.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .numerics import np
from .parameters import REQUIRED, Parameter
from .signatures import DrawSignature

if TYPE_CHECKING:
    from numpy.typing import NDArray


Function = Callable[..., Any]
"""Takes parameters by their canonical names: only those that it needs."""


@dataclass(frozen=True)
class Law:
    """Functions of float64 arrays. Each takes first z, where a draw is location + scale * z, else the draw itself, and
    then the parameters that neither location nor scale is made of, by name.

    cdf: P(Z <= z). survival: P(Z > z), with full relative accuracy where it is small; of all such laws that noise has.
    """

    cdf: Function
    survival: Function | None = None


@dataclass(frozen=True)
class Piece:
    """A part of a density: coefficient * z**power * e**(rate * z) for low <= z <= high, in standard form.

    low, high: None if there is no end.
    """

    low: Fraction | None
    high: Fraction | None
    coefficient: Fraction
    power: int = 0
    rate: int = 0


@dataclass(frozen=True)
class ShiftCost:
    """The privacy cost of moving a draw by s: the supremum over x of log f(x) - log f(x + s).

    In a proof by randomness alignment the run on D' has x + s where the run on D has x, and the costs of all draws add
    up to the privacy loss (LightDP, Zhang and Kifer, POPL 2017, theorem 1; Albarghouthi and Hsu, POPL 2018).

    kind: "in proportion" to |s|, "bounded" by another function of it, or "infinite" but for 0. downward: whether
    negative shifts have the same cost; if not, theirs is infinite. whole: whether only whole shifts have a finite cost.
    """

    kind: str
    downward: bool = False
    whole: bool = False

    @property
    def is_finite(self) -> bool:
        """Whether some shift other than 0 has a finite cost."""
        return self.kind != "infinite"


INFINITE = ShiftCost("infinite")
"""No shift has a finite cost, since it moves what is possible to what is impossible, or to tails ever thinner."""


Parameters = Mapping[str, Any]
"""Values by canonical names; those that have a default may be left out."""
Sampler = Callable[[Any, Parameters, tuple[int, ...]], Any]


class NotDefinedError(ValueError):
    """What was asked for does not exist for this distribution, or has no closed form that dplint knows."""


class Outcomes(enum.Enum):
    """What one draw is."""

    REAL = "a real number"
    INTEGER = "a whole number"
    VECTOR = "several numbers"
    ITEMS = "one or some of given items, or all in another order"


@dataclass(frozen=True)
class Formulas:
    """Functions of the parameters, each of those that it needs, by their canonical names.

    They use + - * / // and `math.floor` alone where that is possible, so that their arguments may be floats, fractions
    or terms of a solver. centre: the draw without noise; of a symmetric distribution its centre, of noise that is only
    added 0, else what the distribution's file says. support: the least and the largest value. location, scale: if the
    draw is location + scale * z with a z whose law they do not change; None is 0 and 1, and no such form if both are.
    bulk: the ends of where most of z lies, or most draws if there is no such form; None where nobody has asked for it.
    """

    centre: Function
    support: Function | None = None
    location: Function | None = None
    scale: Function | None = None
    bulk: Function | None = None


def above(least: float) -> Function:
    """The support of what has no largest value."""
    return lambda: (least, math.inf)


def of_location_and_scale(low: float, high: float) -> Formulas:
    """Of loc + scale * z, where z is any number, and mostly one from low to high."""
    return Formulas(
        centre=lambda loc: loc,
        support=lambda: (-math.inf, math.inf),
        location=lambda loc: loc,
        scale=lambda scale: scale,
        bulk=lambda: (low, high),
    )


@dataclass(frozen=True, eq=False, repr=False)
class Distribution:
    """A distribution.

    name: canonical; its file bears it, too. parameters: in the order of NumPy's. draws: the methods and functions that
    draw from it, by family; of those of one family the first is the one to draw with. sampler: draws for many runs at
    once, where `numpy.random.Generator` has no method of this name or has a slower one. law, shift: None where nobody
    asks for them: of most that is no noise. pieces: the density of z, or of the draw where it has no standard form, in
    pieces of exponential polynomials, if it is made of such. condition: what must hold of the parameters together.
    items: the parameter with what is chosen from or arranged. noise: it is drawn, as a rule, to be added to data and
    hide it.
    """

    name: str
    parameters: tuple[Parameter, ...]
    draws: tuple[DrawSignature, ...]
    formulas: Formulas
    outcomes: Outcomes = Outcomes.REAL
    law: Law | None = None
    sampler: Sampler | None = None
    shift: ShiftCost | None = None
    pieces: tuple[Piece, ...] = ()
    condition: Function | None = None
    items: str | None = None
    noise: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "draws", tuple(replace(one, distribution=self.name) for one in self.draws))

    def __repr__(self) -> str:
        return f"<the {self.name} distribution>"

    # what there is

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parameters."""
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def is_discrete(self) -> bool:
        """Whether a draw is a whole number."""
        return self.outcomes is Outcomes.INTEGER

    @property
    def is_location_scale(self) -> bool:
        """Whether a draw is location + scale * z, with a z whose law neither of the two changes."""
        return self.formulas.location is not None or self.formulas.scale is not None

    @property
    def scale_parameters(self) -> tuple[str, ...]:
        """The parameters that the scale is made of: they say how much noise there is."""
        return () if self.formulas.scale is None else _needs(self.formulas.scale)

    @property
    def shape_parameters(self) -> tuple[str, ...]:
        """The parameters of the law of z, where a draw is location + scale * z; else all."""
        used = {*_used(self.formulas.location), *_used(self.formulas.scale)}
        return tuple(name for name in self.names if name not in used)

    def signature(self, family: str, parameters: Parameters) -> DrawSignature | None:
        """The method of a family by which a program draws with these canonical parameters, None if there is none."""
        return next(
            (one for one in self.draws if one.family == family and one.in_programs and one.expresses(parameters)),
            None,
        )

    # formulas

    def centre(self, parameters: Parameters) -> Any:
        """The draw of a run without noise, of the parameters' kind: numbers, fractions, terms of a solver."""
        return self._value(self.formulas.centre, parameters)

    def support(self, parameters: Parameters) -> Any:
        """The least and the largest value that a draw may have; -inf and inf where there is none."""
        return self._formula("support", self.formulas.support, parameters)

    def location(self, parameters: Parameters) -> Any:
        """What is added to scale * z. Raises NotDefinedError if the distribution has no such form."""
        self._must_have_standard_form()
        return 0.0 if self.formulas.location is None else self._value(self.formulas.location, parameters)

    def scale(self, parameters: Parameters) -> Any:
        """What z is multiplied by. Raises NotDefinedError if the distribution has no such form."""
        self._must_have_standard_form()
        return 1.0 if self.formulas.scale is None else self._value(self.formulas.scale, parameters)

    def bulk(self, parameters: Parameters) -> Any:
        """The ends of where most of z lies, or most draws if `is_location_scale` is false."""
        return self._formula("bulk", self.formulas.bulk, parameters)

    # draws

    def sample(self, generator: np.random.Generator, parameters: Parameters, shape: tuple[int, ...]) -> NDArray[Any]:
        """Independent draws, float64 or int64; each parameter a number, or an array that broadcasts against the shape.

        Vectors and orders have their entries on the first axis, before the shape. The law is promised, not the bits of
        the generator's own method of that name. Raises ValueError, TypeError or OverflowError where that method does.
        """
        if self.sampler is not None:
            return np.asarray(self.sampler(generator, parameters, shape))
        drawn = np.asarray(getattr(generator, self.name)(**parameters, size=shape))
        return np.moveaxis(drawn, -1, 0) if self.outcomes is Outcomes.VECTOR else drawn

    # the law

    def valid(self, parameters: Parameters) -> Any:
        """Whether there is a law for each of the parameters: bool, or a bool array."""
        given = self._given(parameters)
        holds = np.bool_(True)
        for parameter in self.parameters:
            if parameter.numeric:
                holds = holds & parameter.holds(np.asarray(given[parameter.name], np.float64))
        condition = self.condition
        return holds if condition is None else holds & self._value(condition, given)

    def _given(self, parameters: Parameters) -> dict[str, Any]:
        given = {one.name: one.default for one in self.parameters}
        given.update(parameters)
        missing = [name for name in self.names if given[name] is REQUIRED]
        if missing:
            raise ValueError(f"the {self.name} distribution needs {' and '.join(missing)}")
        unknown = [name for name in given if name not in self.names]
        if unknown:
            known = ", ".join(self.names) or "none"
            raise ValueError(f"the {self.name} distribution has no parameter {unknown[0]}: known are {known}")
        return given

    def _value(self, function: Function, parameters: Parameters) -> Any:
        """A function of the parameters that it needs."""
        names = _needs(function)
        if not all(name in parameters for name in names):
            parameters = self._given(parameters)
        return function(**{name: parameters[name] for name in names})

    def _formula(self, what: str, function: Function | None, parameters: Parameters) -> Any:
        if function is None:
            raise NotDefinedError(f"the {self.name} distribution has no {what}: one draw is {self.outcomes.value}")
        return self._value(function, parameters)

    def _must_have_standard_form(self) -> None:
        if not self.is_location_scale:
            raise NotDefinedError(f"a draw of the {self.name} distribution is not location + scale * z")


def _needs(function: Function) -> tuple[str, ...]:
    """The names of a function's arguments."""
    code = function.__code__
    names: tuple[str, ...] = code.co_varnames[: code.co_argcount]
    return names


def _used(function: Function | None) -> tuple[str, ...]:
    return () if function is None else _needs(function)
