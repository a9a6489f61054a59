"""Draws that a library makes of random bits of its own: recorded by the noise of its mechanisms, with its law.

OpenDP makes noise in compiled code. What a measurement returns, less what it was given, over its scale is a standard
draw, if the law is the documented one. diffprivlib needs nothing here: it draws from Python's generators. Runs in the
user's interpreter.
"""

from __future__ import annotations

import math
import sys
from typing import Any, Callable, Iterator, List, Optional, Tuple

from ..distributions import of
from .generator_patches import Swap

Law = Tuple[str, float]
"""Name and scale of the noise that is added."""
_UNIT = 1.0
"""The distance between inputs for which a measurement is asked what it costs."""


def library_swaps(tape: Any) -> List[Swap]:
    """The replacements in the libraries that have been imported. tape: a `DrawTape`."""
    return list(_opendp(tape))


def _recording(real: Callable[..., Any], law_of: Callable[[Any, Any, Any], Optional[Law]], tape: Any) -> Any:
    """A method (self, value) that records what it adds. law_of: of the object, the value and the result."""

    def method(self: Any, *args: Any, **named: Any) -> Any:
        if tape.inside:
            return real(self, *args, **named)
        tape.inside = True
        try:
            result = real(self, *args, **named)
        finally:
            tape.inside = False
        try:
            (value,) = (*args, *named.values())
            law = law_of(self, value, result)
            if law is None:
                tape.forget()
            elif law[1] > 0:
                tape.record(of(law[0]), {"loc": value, "scale": law[1]}, result)
                tape.documented = True
        except Exception:
            tape.forget()
        return result

    return method


def _opendp(tape: Any) -> Iterator[Swap]:
    measurement = getattr(sys.modules.get("opendp.mod"), "Measurement", None)
    for name in ("__call__", "invoke"):
        if name in vars(measurement or object) and measurement is not None:
            yield measurement, name, _recording(vars(measurement)[name], _additive, tape)


def _additive(measurement: Any, value: Any, result: Any) -> Optional[Law]:
    """The law of a measurement from floats to as many floats, by what it costs to move one by a unit.

    None for whole numbers, whose noise is discrete, for data, of which nobody knows where it lies, and for choices.
    """
    moved, noisy = ([one] if isinstance(one, float) else one for one in (value, result))
    if not (isinstance(moved, list) and isinstance(noisy, list) and len(moved) == len(noisy)):
        return None
    if not all(isinstance(one, float) for one in (*moved, *noisy)):
        return None
    measure = str(measurement.output_measure)
    if measure == "MaxDivergence":
        return "laplace", _UNIT / measurement.map(_UNIT)
    if measure == "ZeroConcentratedDivergence":
        return "normal", _UNIT / math.sqrt(2 * measurement.map(_UNIT))
    return None
