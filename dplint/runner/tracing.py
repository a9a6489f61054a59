"""Runs whose draws are recorded, as numbers that no parameter changes. Runs in the user's interpreter.

A traced run draws as any other, from generators that keep what they gave. A draw from a family of location and scale is
kept as (value - location) / scale, one of another law of numbers as it is, with the parameters that this law has. Of
vectors and choices is only known that they have been made, unless they are made of such numbers: these are opaque, and
what is kept is independent of them.

What is kept of a run is independent noise, each number of its law. Of a run that sets, copies or seeds a generator, so
that noise could come again, nothing is kept: a seed that the function was handed is taken once.
"""

from __future__ import annotations

import contextlib
import math
import random
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Set

import numpy as np

from ..distributions import (
    GENERATOR,
    LEGACY,
    PYTHON,
    Distribution,
    DrawSignature,
    Outcomes,
    draw_signatures,
    of,
)
from .generator_patches import GeneratorPatches, Swap, rvs_swaps
from .generators import KEY, SEED, law_key, standard_parameters
from .jax_draws import Keys, as_python, jax_swaps
from .library_releases import library_swaps, torch_swaps
from .streams import new_key
from .watch import place_of

_FAR = 1e6
"""Scales that a location may be away from zero, for the number behind a draw to be known to ten digits."""
_SEEDS = 1 << 31
_STATES = ("bit_generator", "_bit_generator", "spawn", "get_state", "set_state", "getstate", "setstate", "__reduce__")
"""Attributes by which noise that was drawn can be drawn again."""


class DrawTape:
    """The draws of a run. laws: of each number, as `law_key` has it; values: the standardized numbers; scales: theirs.
    documented: whether some of the laws are what the documentation of a library says. opaque: whether draws were made
    that are not kept. places: file and line of the draws, if `placing`.

    keys: those of JAX that the run has. inside: whether a recorded draw is being made, which may be made of others.
    noise: for what no draw has told. most: numbers of one run that are kept; of a run with more none are.
    """

    def __init__(self, noise: np.random.Generator, own: Callable[[str], bool], most: int) -> None:
        self.inside = self.placing = False
        self._most = most
        self._own = own
        self._noise = noise
        self._seeds: Set[int] = set()
        self._laws: Optional[List[str]] = None
        self._rows: Iterator[List[float]] = iter(())
        self.begin()

    def give(self, laws: List[str], rows: List[List[float]]) -> None:
        """The next runs are to draw these numbers, one row each; what draws of other laws is not known any more."""
        self._laws, self._rows = laws, iter(rows)

    def fresh_seed(self) -> int:
        """A seed to hand to the function."""
        seed = int(self._noise.integers(_SEEDS))
        self._seeds.add(seed)
        return seed

    def fresh_key(self) -> Any:
        """A key of JAX to hand to the function. Raises Failure where JAX was not imported."""
        key = new_key(int(self._noise.integers(_SEEDS)))
        self.keys.add(key)
        return key

    def handed(self, seed: Any) -> bool:
        """Whether the function was handed this seed, and has made no generator of it."""
        return isinstance(seed, (int, np.integer)) and int(seed) in self._seeds

    def takes(self, seed: Any) -> None:
        """A generator is made with this seed: noise is independent where there is none, or one that is taken once."""
        if seed is None:
            return
        if self.handed(seed):
            self._seeds.remove(int(seed))
        else:
            self.forget()

    def begin(self) -> None:
        """A run is about to be made."""
        self.inside = False
        self.laws: List[str] = []
        self.values: List[float] = []
        self.scales: List[float] = []
        self.documented = self.opaque = False
        self.keys = Keys()
        self.places: List[Any] = []
        self._known = True
        self._row: Optional[List[float]] = None

    def taken(self) -> Optional[List[Any]]:
        """A run has given its output, and the next one begins: None if some draw is not known."""
        known = self._known and len(self.values) <= self._most and all(map(math.isfinite, self.values))
        found = [self.laws, self.values, self.scales, self.documented, self.opaque, self.places] if known else None
        self.begin()
        return found

    def record(self, distribution: Distribution, parameters: Mapping[str, Any], value: Any) -> Any:
        """One draw, or an array of them, and what takes its place: another one where noise is given.

        Where the scale is 0 the number is a fresh one, which nothing hangs on.
        """
        if len(self.values) > self._most:
            return value
        numbers = {name: np.asarray(one, float) for name, one in parameters.items()}
        drawn = np.asarray(value, float)
        fixed = {
            one.name: np.asarray(parameters[one.name])
            for one in distribution.parameters
            if has_shape(distribution, one)
        }
        if any(one.ndim for one in fixed.values()):
            self.forget()
            return value
        shape = {name: one.item() for name, one in fixed.items()}
        if self.placing:
            self.places += [place_of(self._own, 2)] * drawn.size
        location, scale = np.zeros(()), np.ones(())
        if distribution.is_location_scale:
            location, scale = np.asarray(distribution.location(numbers)), np.asarray(distribution.scale(numbers))
        scales = np.broadcast_to(scale, drawn.shape)
        if (np.abs(np.broadcast_to(location, drawn.shape)) > _FAR * scales)[scales != 0].any():
            self.forget()
        law = law_key(distribution.name, shape)
        standardized = self._given(law, drawn)
        if standardized is not None:
            value = like(value, location + scale * standardized)
        else:
            fresh = np.zeros(drawn.shape)
            if (scale == 0).any():
                fresh = distribution.sample(self._noise, standard_parameters(distribution, shape), drawn.shape)
            standardized = np.divide(drawn - location, scale, out=np.asarray(fresh, float), where=scales != 0)
        self.values += standardized.ravel().tolist()
        self.scales += scales.ravel().tolist()
        self.laws += [law] * drawn.size
        return value

    def _given(self, law: str, drawn: Any) -> Any:
        """The given numbers for a draw, None where none are."""
        if self._laws is None:
            return None
        self._row = next(self._rows, []) if self._row is None else self._row
        begin = len(self.values)
        end = begin + drawn.size
        if end > len(self._row) or any(one != law for one in self._laws[begin:end]):
            self.forget()
            return None
        return np.asarray(self._row[begin:end], float).reshape(drawn.shape)

    def forget(self) -> None:
        """Something was drawn that has no standardized number."""
        self._known = False


def like(value: Any, numbers: Any) -> Any:
    """The numbers in the form of a value: an array of its type, or a number."""
    if isinstance(value, np.ndarray):
        return numbers.astype(value.dtype)
    if isinstance(value, (list, tuple)):
        return type(value)(numbers.tolist())
    return type(value)(numbers)


def filled(value: Any, other: Any, arguments: Any) -> Any:
    """What takes the place of a value, in the array that was to be filled with it if there is one."""
    if other is not value and any(value is one for one in arguments):
        value[...] = other
        return value
    return other


def has_shape(distribution: Distribution, parameter: Any) -> bool:
    """Whether the law of a standardized draw hangs on a parameter."""
    return not distribution.is_location_scale or parameter.default is ...


def is_known(distribution: Distribution) -> bool:
    """Whether a draw is one number, of a law with numbers for parameters."""
    return distribution.outcomes in (Outcomes.REAL, Outcomes.INTEGER)


def _method(base: Any, signature: DrawSignature, tape: DrawTape) -> Callable[..., Any]:
    """The method of the real generator, which records what it gives."""
    distribution, draw = of(signature.distribution), getattr(base, signature.method)
    known = is_known(distribution)

    def method(self: Any, *args: Any, **named: Any) -> Any:
        if tape.inside:
            return draw(self, *args, **named)
        if not known:
            before = len(tape.values)
            value = draw(self, *args, **named)
            tape.opaque = tape.opaque or len(tape.values) == before
            return value
        tape.inside = True
        try:
            value = draw(self, *args, **named)
        finally:
            tape.inside = False
        try:
            parameters, _ = signature.read(args, named, any_others=True)
            return filled(value, tape.record(distribution, parameters, value), (*args, *named.values()))
        except Exception:
            tape.forget()
        return value

    return method


def _traced(base: Any, family: str, tape: DrawTape) -> Any:
    """A class that is called as the real one, for functions that look at names."""
    draws = draw_signatures(family)
    methods: Dict[str, Any] = {
        name: _method(base, signature, tape) for name, signature in draws.items() if hasattr(base, name)
    }
    methods.update((name, _watched(base, name, tape)) for name in _STATES if hasattr(base, name))
    # Python's own are seeded by the method when they are made, NumPy's are not.
    methods.update((name, _seeded(base, name, tape)) for name in ("__init__", "seed") if name in vars(base))
    if family == PYTHON:
        del methods["__init__"]
    methods["__module__"], methods["__slots__"] = base.__module__, ()
    return type(base.__name__, (base,), methods)


def _seeded(base: Any, name: str, tape: DrawTape) -> Callable[..., Any]:
    """A method that sets the seed, which nobody else may have."""
    real = getattr(base, name)

    def method(self: Any, *args: Any, **named: Any) -> Any:
        for seed in (*args, *named.values())[:1]:
            tape.takes(seed)
        return real(self, *args, **named)

    return method


def _watched(base: Any, name: str, tape: DrawTape) -> Any:
    """An attribute that gives or takes a state."""
    real = getattr(base, name)
    if not callable(real):

        def bits(self: Any) -> Any:
            tape.forget()
            return real.__get__(self)

        return property(bits)

    def method(self: Any, *args: Any, **named: Any) -> Any:
        tape.forget()
        return real(self, *args, **named)

    return method


class TracedPatches(GeneratorPatches):
    """Generators that draw from a seed and record what they give, and the replacement of all others by them."""

    def __init__(self, seed: np.random.SeedSequence, tape: DrawTape) -> None:
        first, second, third = seed.spawn(3)
        self._tape = tape
        super().__init__(
            _traced(np.random.Generator, GENERATOR, tape)(np.random.SFC64(first)),
            _traced(np.random.RandomState, LEGACY, tape)(np.random.MT19937(second)),
            _traced(random.Random, PYTHON, tape)(int(third.generate_state(1)[0])),
        )

    def of_kind(self, kind: str) -> Any:
        """The generator to pass in; for SEED and KEY a function that gives another one every time."""
        made = {SEED: self._tape.fresh_seed, KEY: self._tape.fresh_key}
        return made.get(kind) or super().of_kind(kind)

    @contextlib.contextmanager
    def applied(self, modules: Iterable[Any]) -> Iterator[None]:
        """Functions under `jit` are run as Python."""
        with super().applied(modules), as_python():
            yield

    def default_rng(self, seed: Any = None, **_: Any) -> Any:
        """The recording generator, whatever the seed; a generator in its place is that one."""
        if not isinstance(seed, type(self.generator)):
            self._tape.takes(seed)
        return self.generator

    def library_swaps(self) -> List[Swap]:
        """Those of every stand-in, `scipy.stats`, which is given a recording generator, and libraries of mechanisms."""
        of_libraries = [*library_swaps(self._tape), *torch_swaps(self._tape), *rvs_swaps(self._rvs)]
        return [*super().library_swaps(), *self.of_the_system(), *of_libraries, *jax_swaps(self._tape)]

    def _rvs(self, draw: Callable[..., Any]) -> Callable[..., Any]:
        ours = (type(self.generator), type(self.random_state))

        def rvs(law: Any, *args: Any, random_state: Any = None, **named: Any) -> Any:
            if isinstance(random_state, ours):
                return draw(law, *args, random_state=random_state, **named)
            self._tape.takes(random_state)
            return draw(law, *args, random_state=self.random_state, **named)

        return rvs
