"""Draws of JAX, which are functions of a key: the same key gives the same noise. Runs in the user's interpreter.

A key is known if a run was handed it, or if it was made of a known one by `split` or `fold_in`. Keys are told by their
numbers, so that it does not matter on what way they come to a draw. Of a run that draws from another key, that draws
from one key by several laws or in several shapes, or that also splits one that it draws from, nothing is kept.

Code under `jit` and its kin is run as Python, while its own draws are not. What `vmap` maps is drawn lane by lane.
Noise that is drawn past `jax.random`, as by what was compiled ahead, is not seen, and differs from run to run.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import sys
from typing import Any, Callable, Dict, Iterator, List, Optional, Set, Tuple

import numpy as np

from ..distributions import draw_signatures, of
from ..distributions.signatures import JAX
from .generator_patches import Swap

_MAKE = ("PRNGKey", "key")
_DERIVE = ("split", "fold_in")
_SAME = ("clone", "wrap_key_data", "key_data", "key_dtype", "key_impl")
"""These change no number of a key."""


class Keys:
    """The keys of one run, by their numbers: those that are known, what was drawn from each, and which were split."""

    def __init__(self) -> None:
        self._known: Set[bytes] = set()
        self._split: Set[bytes] = set()
        self._drawn: Dict[bytes, Tuple[Any, Any]] = {}

    def add(self, keys: Any) -> None:
        """Keys that are independent of all others, or the same as one of them."""
        self._known.update(_numbers(keys))

    def derive(self, key: Any, made: Any) -> bool:
        """Keys are made of one or several: whether that leaves all noise independent."""
        parents = _numbers(key)
        if not self._known.issuperset(parents):
            return True  # what is made of it is not known either
        self._split.update(parents)
        self.add(made)
        return self._drawn.keys().isdisjoint(parents)

    def earlier(self, key: Any, what: Any) -> Any:
        """What was drawn from that key in the same way, None if nothing was."""
        found = self._drawn.get(_numbers(key)[0])
        return found[1] if found is not None and found[0] == what else None

    def draw(self, key: Any, what: Any, drawn: Any) -> bool:
        """A first draw, in words that tell it from others: whether it is independent of all before."""
        (number,) = _numbers(key)
        fresh = number in self._known and number not in self._split and number not in self._drawn
        self._drawn[number] = (what, drawn)
        return fresh


@contextlib.contextmanager
def as_python() -> Iterator[None]:
    """Inside, functions under `jit` are run as they are written."""
    jax: Any = sys.modules.get("jax")
    with jax.disable_jit() if hasattr(jax, "disable_jit") else contextlib.nullcontext():
        yield


def jax_swaps(tape: Any) -> List[Swap]:
    """The replacements. tape: a `DrawTape`, with the keys of the present run."""
    random = getattr(sys.modules.get("jax"), "random", None)
    swaps: List[Swap] = []
    for name, real in vars(random).items() if random is not None else ():
        if name[0] == "_" or name in _SAME or not inspect.isroutine(inspect.unwrap(real)):
            continue
        signature = draw_signatures(JAX).get(name)
        if name in _MAKE:
            one: Optional[Callable[..., Any]] = _maker
        elif name in _DERIVE:
            one = _derived
        elif signature is not None:
            one = functools.partial(_recorded, signature)
        else:
            one = _unknown if next(iter(inspect.signature(real).parameters), "") == "key" else None
        if one is not None:
            swaps.append((random, name, _stand_in(real, functools.partial(one, tape=tape), tape)))
    return swaps


def _stand_in(real: Any, one: Callable[..., Any], tape: Any) -> Callable[..., Any]:
    """A function of `jax.random`. one: does it for values, given the function, the arguments and the names."""

    @functools.wraps(real)
    def call(*args: Any, **named: Any) -> Any:
        if tape.inside:
            return real(*args, **named)
        tracer, given = sys.modules["jax"].core.Tracer, [*args, *named.values()]
        traced = [place for place, value in enumerate(given) if isinstance(value, tracer)]

        def with_others(function: Callable[..., Any], *others: Any) -> Any:
            values = list(given)
            for place, value in zip(traced, others):  # noqa: B905  (no `strict` in Python 3.9)
                values[place] = value
            return function(*values[: len(args)], **dict(zip(named, values[len(args) :])))  # noqa: B905

        if not traced:
            return one(real, args, named)
        really = functools.partial(with_others, functools.partial(_really, real))
        return _by_lane(really, functools.partial(with_others, call), given, traced)

    return call


def _by_lane(real: Callable[..., Any], call: Callable[..., Any], given: List[Any], traced: List[int]) -> Any:
    """A call with values that `vmap` maps. What other transformations trace is drawn past us, when it is run."""
    jax = sys.modules["jax"]
    mapped = jax.custom_batching.custom_vmap(real)

    def lanes(count: int, batched: Any, *values: Any) -> Any:
        found = [
            call(*(one[lane] if by_lane else one for one, by_lane in zip(values, batched)))  # noqa: B905
            for lane in range(count)
        ]
        return jax.numpy.stack(found), True

    mapped.def_vmap(lanes)
    return mapped(*(given[place] for place in traced))


def _maker(real: Any, args: Any, named: Any, *, tape: Any) -> Any:
    """A key that is made of a seed that the function was handed is known."""
    key = _really(real, *args, **named)
    if all(map(tape.handed, [*args, *named.values()][:1])):
        tape.keys.add(key)
    return key


def _derived(real: Any, args: Any, named: Any, *, tape: Any) -> Any:
    made = _really(real, *args, **named)
    if not tape.keys.derive(_first(args, named), made):
        tape.forget()
    return made


def _recorded(signature: Any, real: Any, args: Any, named: Any, *, tape: Any) -> Any:
    """A draw, or what takes its place where noise is given."""
    value = _really(real, *args, **named)
    drawn, key = np.asarray(value), _first(args, named)
    parameters = {name: np.asarray(one) for name, one in signature.read(args, named, any_others=True)[0].items()}
    what = (signature.method, drawn.shape, str(drawn.dtype), {name: one.tolist() for name, one in parameters.items()})
    other = tape.keys.earlier(key, what)
    if other is None:
        tape.inside = True
        try:
            other = tape.record(of(signature.distribution), parameters, drawn)
        finally:
            tape.inside = False
        if not tape.keys.draw(key, what, other):
            tape.forget()
    return value if other is drawn else sys.modules["jax"].numpy.asarray(other, value.dtype)


def _unknown(real: Any, args: Any, named: Any, *, tape: Any) -> Any:
    """A draw of no known law: what hangs on it differs from run to run."""
    value = _really(real, *args, **named)
    tape.opaque = True
    if not tape.keys.draw(_first(args, named), real, value):
        tape.forget()
    return value


def _first(args: Any, named: Any) -> Any:
    """The key."""
    return args[0] if args else named.get("key")


def _really(real: Any, *args: Any, **named: Any) -> Any:
    """What JAX gives, compiled."""
    with sys.modules["jax"].disable_jit(False):
        return real(*args, **named)


def _numbers(keys: Any) -> List[bytes]:
    """What each of some keys is made of."""
    jax = sys.modules["jax"]
    if jax.numpy.issubdtype(keys.dtype, jax.dtypes.prng_key):
        keys = jax.random.key_data(keys)
    numbers = np.asarray(keys)
    return [row.tobytes() for row in numbers.reshape(-1, numbers.shape[-1])]
