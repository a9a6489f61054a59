"""A choice among items, evenly or by weights.

As numbers for many runs at once, its draws are indices: `sample` takes a count for `a`. It has no density and no cost
of a shift; what an index costs follows from the weights. Those of `random.choices` need not add up to 1.
"""

from __future__ import annotations

from typing import Any

from ..distribution import Distribution, Formulas, Outcomes
from ..numerics import np
from ..parameters import other
from ..signatures import (
    GENERATOR,
    LEGACY,
    PYTHON,
    SECRETS,
    SIZE,
    Argument,
    DrawSignature,
    arguments,
    outside,
    python,
    torch,
    torch_class,
)

_GIVEN = ("a", ("size", None), ("replace", True), ("p", None))
_EVENLY = (("replace", True), ("p", None))
_NONE_TWICE = (("replace", False), ("p", None))


def _sample(generator: Any, parameters: Any, shape: Any) -> Any:
    """Indices below the count `a`, with replacement."""
    if parameters["p"] is None:
        return generator.integers(0, parameters["a"], size=shape)
    return np.asarray(generator.choice(parameters["a"], size=shape, p=parameters["p"]), np.int64)


def _first(a: Any) -> Any:
    """Where several are chosen and none twice, it is the first ones: what a shuffle that leaves the order chooses."""
    return (range(a) if isinstance(a, int) else a)[0]


DISTRIBUTION = Distribution(
    name="choice",
    parameters=(other("a"), other("replace", True), other("p", None)),
    draws=(
        DrawSignature(
            GENERATOR,
            "choice",
            arguments(*_GIVEN, Argument("axis", None, 0), Argument("shuffle", None, True)),
        ),
        DrawSignature(LEGACY, "choice", arguments(*_GIVEN)),
        *python("choice", "seq=a", fixed=_EVENLY),
        DrawSignature(
            PYTHON,
            "choices",
            arguments("population=a", ("weights=p", None), Argument("cum_weights", None, None), Argument("k", SIZE, 1)),
            fixed=(("replace", True),),
            listed=True,
        ),
        *python("sample", "population=a", Argument("k", SIZE), Argument("counts", None, None), fixed=_NONE_TWICE),
        *outside(SECRETS, "choice", "sequence=a"),
        *torch("multinomial", "input=p", Argument("num_samples", SIZE), ("replacement=replace", False)),
        *torch_class("Categorical", ("probs=p", None), ("logits", None)),
    ),
    outcomes=Outcomes.ITEMS,
    formulas=Formulas(centre=_first),
    sampler=_sample,
    items="a",
)
