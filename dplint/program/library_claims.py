"""What libraries promise of their functions: how they are called, and for which neighbours they keep epsilon.

The functions of `diffprivlib.tools` take epsilon (1.0 by default) and an accountant, which they ask before they look
at the data (`accountant.check`). Means, variances, sums and quantiles have a sensitivity that is worked out for a fixed
number of records, so their claim is about replacing one, and so is that of a count. Histograms have a sensitivity of 1,
which is that of adding or removing a record. Its mechanisms keep epsilon where the number that they are given moves by
`sensitivity` at most (Holohan, Braghin, Mac Aonghusa, Levacher: Diffprivlib, 2019).

A measurement of OpenDP with Laplace noise keeps d / scale where its number, or all its numbers together, move by d:
that is its privacy map (`opendp.measurements.make_laplace`).

Without bounds, or a range, these functions take them from the data, and then nothing is promised.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

DISTANCE, LIBRARY = "any distance", "library"
"""A relation, see `LibraryClaim`; the family of draws that a library makes, of which only its claim is known."""


@dataclass(frozen=True, slots=True)
class LibraryClaim:
    """A function that keeps its parameter `epsilon`.

    relation: of the data, which is the first parameter; "" for a number that moves by the parameter `sensitivity` at
    most; DISTANCE for one that keeps as many times 1 / `scale` as its numbers move by. parameters: that are known, in
    order. required: without which nothing is promised.
    """

    relation: str
    parameters: tuple[str, ...]
    required: frozenset[str] = frozenset()


_MOMENTS = ("mean", "var", "std", "sum", "nanmean", "nanvar", "nanstd", "nansum")
_QUANTILES: Mapping[str, tuple[str, ...]] = {"median": (), "quantile": ("quant",), "percentile": ("percent",)}
BY_DEFAULT = "by default"
"""Stands for a parameter that is what is called, if it is what it is by default."""
CALLED_WITH, COST = "called with", "cost"
"""What a measurement is called with, before its transformations; what one step of its input costs, by its privacy map.

A proof rests on neither: they are what can be seen of a call.
"""
_BOUNDS = frozenset({"bounds"})
_TOOLS = "diffprivlib.tools."
_FUNCTIONS: Mapping[str, LibraryClaim] = {
    **{_TOOLS + one: LibraryClaim("replace-one", ("array", "epsilon", "bounds"), _BOUNDS) for one in _MOMENTS},
    **{
        _TOOLS + one: LibraryClaim("replace-one", ("array", *more, "epsilon", "bounds"), frozenset({*more, "bounds"}))
        for one, more in _QUANTILES.items()
    },
    _TOOLS + "count_nonzero": LibraryClaim("replace-one", ("array", "epsilon")),
    _TOOLS + "histogram": LibraryClaim("add-remove", ("sample", "epsilon", "bins", "range"), frozenset({"range"})),
}
_MECHANISMS: Mapping[str, LibraryClaim] = {
    f"diffprivlib.mechanisms.{one}": LibraryClaim("", ("value", "epsilon", "sensitivity", *more), frozenset(more))
    for one, more in {
        "Laplace": (),
        "LaplaceFolded": ("lower", "upper"),
        "LaplaceTruncated": ("lower", "upper"),
    }.items()
}
"""By the class: its method `randomise` takes the number, and its constructor the rest, by their names."""


OPENDP_LAPLACE = "opendp.measurements.make_laplace"
_OPENDP = LibraryClaim(DISTANCE, ("value", "scale"), frozenset({"scale"}))


def of_function(full: str) -> LibraryClaim | None:
    """What is promised of a function of that full name, in whichever module of its library."""
    if full == OPENDP_LAPLACE:
        return _OPENDP
    return _FUNCTIONS.get(seen_as(full))


def seen_as(full: str) -> str:
    """The name of a function or a class as its library's users spell it, in whichever module it stands."""
    return _TOOLS + full.rpartition(".")[2] if full.startswith(_TOOLS) else full


def of_mechanism(full: str) -> LibraryClaim | None:
    """What is promised of `randomise` of a class of that full name."""
    return _MECHANISMS.get(full)
