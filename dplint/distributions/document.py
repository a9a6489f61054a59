"""The list of all distributions: `python -m dplint.distributions > docs/distributions.md` writes it."""

from __future__ import annotations

from collections.abc import Iterable

from .distribution import Distribution
from .law import ShiftCost
from .registry import distributions
from .signatures import GENERATOR, LEGACY, PYTHON, SCIPY, DrawSignature

_INTRODUCTION = """\
# Distributions

What dplint knows of the distributions that mechanisms draw from. A [program](program.md) may draw by every method of
the first table. Rules know the functions of the second, too: they read any source.

A *shift* is what a proof moves a draw by. Its cost is a bound of the privacy loss: *in proportion* to the shift,
*bounded* by another function of it, or *infinite*; *upwards* means that shifts below zero have no finite cost, *whole*
that only whole numbers have one. Of what is no noise nothing is said.

In code, `dplint.distributions.of("laplace")` has all of it: parameters, support, samplers, and the laws of common
noise. A new distribution is a new file in `dplint/distributions/known/`."""
_DRAWS = """\
| distribution | parameters | `Generator` | `RandomState`, `numpy.random` | `random` | `scipy.stats` | a shift costs |
|---|---|---|---|---|---|---|"""
_NAMES = """\
| distribution | functions and classes |
|---|---|"""


def document() -> str:
    """An introduction, the methods that a program may contain, and the names that only rules know."""
    known = list(distributions().values())
    draws = [_DRAWS, *(_row(one) for one in known if any(draw.in_programs for draw in one.draws))]
    names = [_NAMES, *(f"| {one.name} | {_listed(_other_names(one))} |" for one in known if _other_names(one))]
    heads = ("## Draws of programs", "## Names that rules know")
    return "\n\n".join([_INTRODUCTION, heads[0], "\n".join(draws), heads[1], "\n".join(names)]) + "\n"


def _row(distribution: Distribution) -> str:
    parameters = ", ".join(parameter.range for parameter in distribution.parameters)
    methods = (_listed(_methods(distribution, family)) for family in (GENERATOR, LEGACY, PYTHON, SCIPY))
    return f"| {' | '.join([distribution.name, parameters, *methods, _cost(distribution.shift)])} |"


def _methods(distribution: Distribution, family: str) -> Iterable[str]:
    return [draw.method for draw in distribution.draws if draw.family == family and draw.in_programs]


def _other_names(distribution: Distribution) -> list[str]:
    """Full names, and methods of a generator that has no functions."""
    return [_name(draw) for draw in distribution.draws if not draw.in_programs]


def _name(draw: DrawSignature) -> str:
    return draw.full_names[0] if draw.full_names else f"numpy.random.Generator.{draw.method}"


def _cost(shift: ShiftCost | None) -> str:
    if shift is None:
        return ""
    if not shift.is_finite:
        return shift.kind
    return ", ".join([shift.kind, *([] if shift.downward else ["upwards"]), *(["whole"] if shift.whole else [])])


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
