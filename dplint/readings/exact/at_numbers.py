"""One run of a program as the exact reading has it: its own code, with numbers put in for the draws.

    run_at(program, {"queries": [1.0], "epsilon": 0.5}, draw)

What losses rest on is walked here as it is for them: the program unfolded, operations on noisy values, draws, splits,
merges, and the forms of outputs. It is what `dplint.readings.concrete.run` gives wherever the
reading is right. Noise is a real number here: floats that a sum rounds differ by that, and a whole number may be an int
where Python has the float.
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
from flint import ctx

from dplint.collecting import rarely_collected
from dplint.program.evaluator import evaluate
from dplint.program.nodes import Program
from dplint.program.refusals import unsupported
from dplint.program.runs import DrawCallback, Run
from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.computing import FIRST_PRECISION, Prepared, hooks_of, prepared_of
from dplint.readings.exact.following import (
    Ended,
    Followed,
    FollowedMerging,
    OnBoundary,
    Pruning,
    ReadingDisagrees,
)
from dplint.readings.exact.interpretation import Limits
from dplint.readings.exact.keeping import kept
from dplint.readings.exact.outputs import form_of
from dplint.readings.exact.paths import Value

__all__ = ["OnBoundary", "ReadingDisagrees", "run_at"]


def run_at(program: Program, arguments: Mapping[str, Any], draw: DrawCallback, *, fuel: int = 10_000) -> Run:
    """Run the program once. The arguments are those of `dplint.readings.concrete.run`.

    Numbers that the callback gives for noise with a density should be such that no comparison is an equality. Laws and
    losses that were computed before may be used afterwards if they are of the same program.

    Raises:
        UnsupportedConstruct: the reading does not follow the program; then there are no losses either.
        ReadingDisagrees: the reading contradicts the draws, or itself.
        OnBoundary: an equality that has probability 0.
    """
    prepared = prepared_of(program)
    kept.turn_to(program)
    with rarely_collected(), ctx.workprec(FIRST_PRECISION):
        whole = _walk(prepared, arguments, draw, fuel)
        if whole.result.exception is None:
            _compare_form(whole)
    return whole.result


def _walk(prepared: Prepared, arguments: Mapping[str, Any], draw: DrawCallback, fuel: int) -> Followed:
    program, interpretation = prepared.program, Followed(draw, fuel, Limits())
    given = {name: Value(copy.deepcopy(arguments[name])) for name in program.parameters}
    hooks = Pruning(hooks_of(prepared, interpretation, FollowedMerging), interpretation)
    try:
        evaluate(program, interpretation, given, hooks=hooks, liveness=prepared.liveness)
    except Ended:
        return interpretation
    except NotFollowed as refused:
        raise unsupported(refused.construct, program.span, refused.hint) from refused
    raise ReadingDisagrees("the path of these numbers does not come to an end")


def _compare_form(whole: Followed) -> None:
    """The output as the law writes it."""
    form, free = form_of(whole.value)
    written = form.output([whole.at(noise) for noise in free], discrete=all(noise.on_grid for noise in free))
    if not _same(_likeness(written), _likeness(whole.result.output)):
        raise ReadingDisagrees(f"the form of the output: {written!r} is not {whole.result.output!r}")


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, list | tuple):
        return type(one) is type(other) and len(one) == len(other) and all(map(_same, one, other))
    if isinstance(one, dict):
        return isinstance(other, dict) and one.keys() == other.keys() and all(_same(one[k], other[k]) for k in one)
    if isinstance(one, int | float) and isinstance(other, int | float):
        # Large whole numbers are written as floats.
        with suppress(OverflowError):
            return float(one) == float(other) or (math.isnan(one) and math.isnan(other))
    return bool(one == other)


def _likeness(value: Any) -> Any:
    """A value with lists for arrays, and Python's numbers for NumPy's."""
    if isinstance(value, np.ndarray | np.generic):
        return _likeness(value.tolist())
    if isinstance(value, list | tuple):
        return type(value)([_likeness(item) for item in value])
    if isinstance(value, dict):
        return {key: _likeness(item) for key, item in value.items()}
    return value
