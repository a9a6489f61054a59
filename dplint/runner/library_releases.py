"""Calls of libraries that release, answered from recorded draws during a replay. Runs in the user's interpreter.

Of such a call nothing but its claim is known, so a replay compares with what it is called, and hands out what was
recorded in place of what it gives. The library is called all the same: so errors are those that the user would see, and
the result tells the type to give. What it draws for that is really drawn.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any, Callable, ContextManager, Dict, List, Tuple

import numpy as np

from .generator_patches import Swap
from .recorded_draws import DrawMethod, RecordedDraws

_TOOLS = "mean var std sum nanmean nanvar nanstd nansum median quantile percentile count_nonzero histogram"
_MECHANISMS = ("Laplace", "LaplaceFolded", "LaplaceTruncated")
_KEPT = ("epsilon", "sensitivity", "lower", "upper")
_EPSILON = 1.0
"""Where a function of diffprivlib is given none, by its documentation."""
_MEASUREMENT = "opendp.measurements.make_laplace"
_Read = Callable[..., Dict[str, Any]]


class LibraryReleases:
    """The replacements in the libraries that have been imported. passing: in it, draws are really made."""

    def __init__(self, recorded_draws: RecordedDraws, passing: Callable[[], ContextManager[None]]) -> None:
        self._recorded_draws, self._passing = recorded_draws, passing
        self._made: Dict[int, Tuple[Any, Any]] = {}

    def swaps(self) -> List[Swap]:
        """Functions by all modules of their library that name them, methods by their classes."""
        swaps: List[Swap] = []
        imported = sys.modules.items() if "diffprivlib.tools" in sys.modules else ()
        tools = [module for name, module in imported if name.startswith("diffprivlib.tools")]
        for name in _TOOLS.split():
            real = getattr(sys.modules.get("diffprivlib.tools"), name, None)
            owners = [one for one in tools if _is_of_library(real) and vars(one).get(name) is real]
            swaps += [(one, name, self._released(f"diffprivlib.tools.{name}", real, _arguments_of)) for one in owners]
        for name in _MECHANISMS:
            kind = getattr(sys.modules.get("diffprivlib.mechanisms"), name, None)
            if kind is not None and _is_of_library(vars(kind).get("randomise")):
                full = f"diffprivlib.mechanisms.{name}"
                swaps.append((kind, "randomise", self._released(full, vars(kind)["randomise"], _of_mechanism)))
        kind = getattr(sys.modules.get("opendp.mod"), "Measurement", None)
        for name in ("__call__", "invoke") if kind is not None else ():
            if _is_of_library(vars(kind).get(name)):
                swaps.append((kind, name, self._released(_MEASUREMENT, vars(kind)[name], _of_measurement)))
        return swaps

    def _released(self, name: str, real: Any, read: _Read) -> Any:
        """What stands in for a function of a library; the same one each time."""
        if id(real) not in self._made:
            made = self._stand_in(name, real, read)
            self._made[id(real)] = (real, made)
        return self._made[id(real)][1]

    def _stand_in(self, name: str, real: Any, read: _Read) -> Any:
        recorded_draws = self._recorded_draws
        signature: Any = _Signature(name, real, read)

        def really(*args: Any, **named: Any) -> Any:
            with self._passing():
                result = real(*args, **named)
            # A bound at which noise was cut may be an int.
            return float(result) if read is _of_mechanism and type(result) is int else result

        method = DrawMethod(name, really, signature, python=False)

        def released(*args: Any, **named: Any) -> Any:
            if recorded_draws.passes:
                return real(*args, **named)
            return recorded_draws.draw(method, args, named)

        return released


class _Signature:
    """Reads a call of a library as `DrawSignature` reads one of a generator."""

    listed = in_place = False

    def __init__(self, distribution: str, real: Any, read: _Read) -> None:
        self.distribution = distribution
        self._real, self._read = real, read

    def read(self, args: Tuple[Any, ...], named: Dict[str, Any]) -> Tuple[Dict[str, Any], None]:
        """What it is given, by names."""
        read = self._read(inspect.signature(self._real).bind(*args, **named).arguments)
        return {name: _plain(value) for name, value in read.items()}, None


def _is_of_library(function: Any) -> bool:
    """Whether it is none that user code has put there."""
    return str(getattr(function, "__module__", "")).startswith(("diffprivlib.", "opendp."))


def _arguments_of(given: Dict[str, Any]) -> Dict[str, Any]:
    return {"epsilon": _EPSILON, **given}


def _of_mechanism(given: Dict[str, Any]) -> Dict[str, Any]:
    mechanism = given["self"]
    read = {name: getattr(mechanism, name) for name in _KEPT if hasattr(mechanism, name)}
    # There is no claim for one with a delta.
    more = {"delta": mechanism.delta} if getattr(mechanism, "delta", 0) else {}
    return {"value": given["value"], **read, **more}


def _of_measurement(given: Dict[str, Any]) -> Dict[str, Any]:
    """What it is called with, and what one step costs by its own privacy map."""
    measurement, *values = given.values()
    (value,) = values
    return {"called with": value, "cost": measurement.map(1), **_other_measure(measurement)}


def _other_measure(measurement: Any) -> Dict[str, Any]:
    measure = str(measurement.output_measure).partition("(")[0]
    return {} if measure == "MaxDivergence" else {"measure": measure}


def _plain(value: Any) -> Any:
    """Columns of tables as lists."""
    return np.asarray(value).tolist() if hasattr(value, "__array__") else value
