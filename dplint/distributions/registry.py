"""All distributions: found by their files, and looked up by their names.

The list of all distributions: `python -m dplint.distributions > docs/distributions.md` writes it.
"""

from __future__ import annotations

import difflib
import functools
import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from . import known
from .distribution import Distribution, ShiftCost
from .signatures import GENERATOR, LEGACY, PACKAGES, PYTHON, SCIPY, DrawSignature


class UnknownDistributionError(LookupError):
    """There is no distribution of that name."""


@functools.cache
def distributions() -> Mapping[str, Distribution]:
    """All distributions by their canonical names, in the order of the alphabet.

    Raises ValueError for a file without one of its own name, or several in `DISTRIBUTIONS`, and for two that claim one
    method.
    """
    found: dict[str, Distribution] = {}
    claimed: dict[tuple[str, str], str] = {}
    for module in sorted(pkgutil.iter_modules(known.__path__), key=lambda module: module.name):
        path = f"{known.__name__}.{module.name}"
        loaded = importlib.import_module(path)
        alone: Distribution | None = getattr(loaded, "DISTRIBUTION", None)
        several = [one for one in getattr(loaded, "DISTRIBUTIONS", (alone,)) if isinstance(one, Distribution)]
        if not several:
            raise ValueError(f"{path} has no distribution: assign one to DISTRIBUTION")
        if alone is not None and alone.name != module.name:
            raise ValueError(f"{path} is called {alone.name!r}: a distribution and its file have one name")
        for one in several:
            for draw in one.draws:
                other = claimed.setdefault((draw.family, draw.method), one.name)
                if other != one.name:
                    raise ValueError(f"{other} and {one.name} both claim {draw.method} of {draw.family}")
            found[one.name] = one
    return MappingProxyType(dict(sorted(found.items())))


def of(name: str) -> Distribution:
    """The distribution of a canonical name. Raises UnknownDistributionError."""
    try:
        return distributions()[name]
    except KeyError:
        near = difflib.get_close_matches(name, distributions(), 1)
        hint = f": did you mean {near[0]!r}?" if near else ""
        raise UnknownDistributionError(f"there is no distribution {name!r}{hint}") from None


@functools.cache
def draw_signatures(family: str) -> Mapping[str, DrawSignature]:
    """The methods or functions of a family that draw, those that no program contains too, by their names."""
    return MappingProxyType(
        {draw.method: draw for one in distributions().values() for draw in one.draws if draw.family == family}
    )


@functools.cache
def program_draws(family: str) -> Mapping[str, DrawSignature]:
    """The methods of a family that a program may contain, by their names."""
    return MappingProxyType({name: draw for name, draw in draw_signatures(family).items() if draw.in_programs})


_INTRODUCTION = """\
# Distributions

What dplint knows of the distributions that mechanisms draw from. A [program](program.md) may draw by every method of
the first table. Rules know the functions of the second, too: they read any source.

A *shift* is what a proof moves a draw by. Its cost is a bound of the privacy loss: *in proportion* to the shift,
*bounded* by another function of it, or *infinite*; *upwards* means that shifts below zero have no finite cost, *whole*
that only whole numbers have one. Of what is no noise nothing is said.

Of SciPy these are distributions of `scipy.stats`; what has dots in its name is a function of another package. Discrete
Gaussian noise is drawn so: no library above has it.

In code, `dplint.distributions.of("laplace")` has all of it: parameters, support, samplers, and the laws of common
noise. A new distribution is a new file in `dplint/distributions/known/`."""
_DRAWS = """\
| distribution | parameters | `Generator` | `RandomState`, `numpy.random` | `random` | SciPy, others | a shift costs |
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
    methods = (_listed(_methods(distribution, one)) for one in ((GENERATOR,), (LEGACY,), (PYTHON,), (SCIPY, PACKAGES)))
    return f"| {' | '.join([distribution.name, parameters, *methods, _cost(distribution.shift)])} |"


def _methods(distribution: Distribution, families: tuple[str, ...]) -> Iterable[str]:
    return [draw.method for draw in distribution.draws if draw.family in families and draw.in_programs]


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
