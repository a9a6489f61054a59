"""Calls of libraries that release, answered from recorded draws during a replay. Runs in the user's interpreter.

Of such a call nothing but its claim is known, so a replay compares with what it is called, and hands out what was
recorded in place of what it gives. The library is called all the same: so errors are those that the user would see, and
the result tells the type to give. What it draws for that is really drawn.

Draws that a library makes of random bits of its own: recorded by the noise of its mechanisms, with its law.

OpenDP makes noise in compiled code. What a measurement returns, less what it was given, over its scale is a standard
draw, if the law is the documented one. diffprivlib needs nothing here: it draws from Python's generators. PyTorch has
its own functions and classes of draws. Runs in the user's interpreter.
"""

from __future__ import annotations

import inspect
import math
import sys
from functools import partial
from typing import Any, Callable, ContextManager, Dict, Iterator, List, Mapping, Optional, Tuple

import numpy as np

from ..distributions import draw_signatures, of
from ..distributions.signatures import TORCH, TORCH_CLASS
from .generator_patches import Swap, package_functions
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


# ruff: noqa: B905  (zip has no `strict` in Python 3.9)


_Reader = Callable[[Any, Mapping[str, Any]], Dict[str, Any]]
"""From the arguments of a call to canonical parameters."""
_FILLING: Dict[str, Any] = {
    "normal_": ("normal", ("mean", "std"), (0.0, 1.0), lambda mean, std: {"loc": mean, "scale": std}),
    "uniform_": ("uniform", ("from", "to"), (0.0, 1.0), lambda low, high: {"low": low, "high": high}),
    "exponential_": ("exponential", ("lambd",), (1.0,), lambda rate: {"scale": 1.0 / rate}),
}
"""Methods of tensors: the law, the names of the arguments and their defaults, and the parameters that they give."""
_METHODS = ("sample", "rsample")
_OTHERS, _OPAQUE = ("bernoulli_", "cauchy_", "geometric_", "log_normal_", "random_"), "opaque"
"""Draws of which is only known that they have been made."""
_STATES = ("get_rng_state", "set_rng_state", "seed")


def torch_swaps(tape: Any) -> List[Swap]:
    """The replacements. tape: a `DrawTape`."""
    torch = sys.modules.get("torch")
    if torch is None or not hasattr(torch, "distributions"):
        return []
    found: List[Tuple[Any, str, str, Optional[_Reader]]] = []
    for name, signature in draw_signatures(TORCH).items():
        found.append((torch, name, signature.distribution, partial(_arguments, signature)))
    for name, signature in draw_signatures(TORCH_CLASS).items():
        kind = getattr(torch.distributions, name, None)
        found += [(kind, method, signature.distribution, partial(_attributes, signature)) for method in _METHODS]
    found += [(torch.Tensor, name, law, partial(_filling, rest)) for name, (law, *rest) in _FILLING.items()]
    found += [(torch.Tensor, name, _OPAQUE, None) for name in _OTHERS]
    found += [(owner, name, "", None) for owner in (torch, torch.random) for name in _STATES]
    swaps: List[Swap] = [
        (owner, name, _recording_torch(getattr(owner, name), law, read, tape))
        for owner, name, law, read in found
        if hasattr(owner, name)
    ]
    swaps += [(owner, "manual_seed", _seeding(owner.manual_seed, tape)) for owner in (torch, torch.random)]
    return swaps


def _arguments(signature: Any, args: Any, named: Mapping[str, Any]) -> Dict[str, Any]:
    parameters, _ = signature.read(args, named, any_others=True)
    return {name: value for name, value in parameters.items() if name not in ("like", "size")}


def _attributes(signature: Any, args: Any, _: Mapping[str, Any]) -> Dict[str, Any]:
    found = {one.parameter: (one.inverse, getattr(args[0], one.name)) for one in signature.parameters}
    return {name: 1.0 / value if inverse else value for name, (inverse, value) in found.items()}


def _filling(rest: Any, args: Any, named: Mapping[str, Any]) -> Dict[str, Any]:
    names, defaults, parameters = rest
    given = {**dict(zip(names, defaults)), **dict(zip(names, args[1:]))}
    return dict(parameters(*(named.get(name, given[name]) for name in names)))


def _recording_torch(real: Any, law: str, read: Optional[_Reader], tape: Any) -> Callable[..., Any]:
    """A function or method that records what it gives. law, read: empty and None where nothing is known of it."""

    def draw(*args: Any, **named: Any) -> Any:
        if tape.inside:
            return real(*args, **named)
        tape.inside = True
        try:
            value = real(*args, **named)
        finally:
            tape.inside = False
        try:
            tape.opaque = tape.opaque or law == _OPAQUE
            if law == _OPAQUE and named.get("generator") is None:
                return value
            if read is None or named.get("generator") is not None:
                raise LookupError("a draw that is not known")
            drawn = _as_array(value)
            parameters = {name: _as_array(one) for name, one in read(args, named).items()}
            other = tape.record(of(law), parameters, drawn)
            return value if other is drawn else _instead(value, other, (*args, *named.values()))
        except Exception:
            tape.forget()
        return value

    return draw


def _as_array(value: Any) -> Any:
    """A tensor as an array."""
    return value.detach().numpy().copy() if hasattr(value, "detach") else value


def _instead(value: Any, other: Any, arguments: Any) -> Any:
    """A tensor with other numbers, or the very one where it was to be filled."""
    tensor = value.detach().new_tensor(other)
    return value.copy_(tensor) if any(value is one for one in arguments) else tensor


def _seeding(real: Any, tape: Any) -> Callable[[Any], Any]:
    def manual_seed(seed: Any) -> Any:
        tape.takes(seed)
        return real(seed)

    return manual_seed


Law = Tuple[str, float]
"""Name and scale of the noise that is added."""
_UNIT = 1.0
"""The distance between inputs for which a measurement is asked what it costs."""


def library_swaps(tape: Any) -> List[Swap]:
    """The replacements in the libraries that have been imported. tape: a `DrawTape`."""
    unknown = [(owner, name, _forgetting(getattr(owner, name), tape)) for owner, name, _ in package_functions()]
    return [*_opendp(tape), *unknown]


def _forgetting(real: Callable[..., Any], tape: Any) -> Callable[..., Any]:
    """A function that draws by a generator of its own: the runs in which it is called have no record."""

    def draw(*args: Any, **named: Any) -> Any:
        tape.forget()
        return real(*args, **named)

    return draw


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
