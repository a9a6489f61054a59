"""Draws of PyTorch, recorded as those of NumPy are, where it has been imported. Runs in the user's interpreter.

Recorded are functions of `torch`, classes of `torch.distributions`, and the methods by which tensors are filled. What
takes a generator of its own is not known, for that may be seeded. On the processor alone: others are not seeded here.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
import sys
from functools import partial
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple

from ..distributions import draw_signatures, of
from ..distributions.signatures import TORCH, TORCH_CLASS
from .generator_patches import Swap

_Reader = Callable[[Any, Mapping[str, Any]], Dict[str, Any]]
"""From the arguments of a call to canonical parameters."""
_FILLING: Dict[str, Any] = {
    "normal_": ("normal", ("mean", "std"), (0.0, 1.0), lambda mean, std: {"loc": mean, "scale": std}),
    "uniform_": ("uniform", ("from", "to"), (0.0, 1.0), lambda low, high: {"low": low, "high": high}),
    "exponential_": ("exponential", ("lambd",), (1.0,), lambda rate: {"scale": 1.0 / rate}),
}
"""Methods of tensors: the law, the names of the arguments and their defaults, and the parameters that they give."""
_METHODS = ("sample", "rsample")
_OTHERS = ("bernoulli_", "cauchy_", "geometric_", "log_normal_", "random_")
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
    found += [(torch.Tensor, name, "", None) for name in _OTHERS]
    found += [(owner, name, "", None) for owner in (torch, torch.random) for name in _STATES]
    swaps: List[Swap] = [
        (owner, name, _recording(getattr(owner, name), law, read, tape))
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


def _recording(real: Any, law: str, read: Optional[_Reader], tape: Any) -> Callable[..., Any]:
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
            if read is None or named.get("generator") is not None:
                raise LookupError("a draw that is not known")
            drawn = _plain(value)
            parameters = {name: _plain(one) for name, one in read(args, named).items()}
            other = tape.record(of(law), parameters, drawn)
            return value if other is drawn else _instead(value, other, (*args, *named.values()))
        except Exception:
            tape.forget()
        return value

    return draw


def _plain(value: Any) -> Any:
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
