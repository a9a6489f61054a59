"""Runs without noise: every draw returns the centre of its distribution. Runs in the user's interpreter.

The centres are those of `dplint.distributions`; of `scipy.stats`, which has more laws than are known there, a draw is
the median. Draws that pick return the first items, and draws that arrange leave the order as it is. Rejection samplers
may never accept such a draw; after `MOST_DRAWS` of them the run ends with `NoNoiseFreeOutput`, and later ones end after
`FEWER_DRAWS`.
"""

from __future__ import annotations

# ruff: noqa: ARG001, ARG002, ARG005  (signatures are those of NumPy and random)
import contextlib
import random
import secrets
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional

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
from .generator_patches import GeneratorPatches, Swap, package_functions, rvs_swaps
from .jax_draws import Keys, as_python, jax_swaps
from .library_releases import torch_swaps

MOST_DRAWS, FEWER_DRAWS = 100_000, 1_000
_EVERYBODY = {"random": 0, "uniform": 0, "binomial": 1}
"""Laws by which records are chosen, and which end of what they give chooses all: `rng.random(n) < rate`."""
Note = Callable[[Distribution, Mapping[str, Any]], None]


class NoNoiseFreeOutput(Exception):
    """The mechanism does not come to an end if every draw returns its centre."""


class _Count:
    """Counts draws, to stop what would draw for ever, and tells who wants to know what they ask for."""

    def __init__(self) -> None:
        self.most = self.left = MOST_DRAWS
        self.note: Optional[Note] = None
        self.everybody: Optional[bool] = None

    def draw(self) -> None:
        self.left -= 1
        if self.left < 0:
            drawn, self.most = self.most, FEWER_DRAWS
            raise NoNoiseFreeOutput(f"no end after {drawn} draws that all return their centre")


_count = _Count()


@contextlib.contextmanager
def noting(note: Optional[Note]) -> Iterator[None]:
    """While it is entered, every draw without noise is noted, unless `note` is None."""
    _count.note = note
    try:
        yield
    finally:
        _count.note = None


def _method(signature: DrawSignature) -> Callable[..., Any]:
    """A method that returns the centre of the distribution that it is asked for, in the shape that it is asked for."""
    distribution = of(signature.distribution)

    def method(_: Any, *args: Any, out: Any = None, **named: Any) -> Any:
        parameters, size = signature.read(args, named, any_others=True)
        if _count.note is not None:
            _count.note(distribution, parameters)
        if distribution.outcomes is Outcomes.VECTOR:
            return _rows(np.array(distribution.centre(parameters)), size)
        value = _centre(distribution, parameters)
        if out is not None:
            out[...] = value
            return out
        if size is not None:
            return _spread(value, size)  # NumPy returns an array for every size that is given, () included
        return np.asarray(value)[()] if signature.numpy_scalar and np.ndim(value) == 0 else value

    return method


def _centre(distribution: Distribution, parameters: Mapping[str, Any]) -> Any:
    """A number, or an array if a parameter is one: they spread over the result, even where the centre needs none."""
    kind = int if distribution.is_discrete else float
    end = _EVERYBODY.get(distribution.name) if _count.everybody else None
    if end is not None:
        return distribution.support(parameters)[end]
    if not any(isinstance(value, (list, tuple, np.ndarray)) for value in parameters.values()):
        return kind(distribution.centre(parameters))
    names = tuple(parameters)

    def one(*values: Any) -> Any:
        return distribution.centre(dict(zip(names, values)))  # noqa: B905  (no `strict` in Python 3.9)

    value = np.vectorize(one, otypes=[kind])(*parameters.values())
    return value if np.ndim(value) else kind(value)


def _spread(value: Any, size: Any) -> Any:
    return np.array(np.broadcast_to(value, size if isinstance(size, tuple) else np.empty(size).shape))


def _rows(row: Any, size: Any) -> Any:
    return row if size is None else np.array(np.broadcast_to(row, np.empty(size).shape + row.shape))


class _NumPyChoices:
    """Draws that pick, arrange or fill bytes; the same for both kinds of NumPy generators."""

    def choice(
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        items = np.arange(a) if isinstance(a, (int, np.integer)) else np.asarray(a)
        if size is None:
            return items[0]
        if replace:
            return np.full(size, items[0])
        return items[: int(np.prod(size))].reshape(size)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """The order stays."""

    def permutation(self, x: Any, axis: int = 0) -> Any:
        return np.arange(x) if isinstance(x, (int, np.integer)) else np.array(x)

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> Any:
        return np.array(x)

    def bytes(self, length: int) -> bytes:
        return b"\0" * length

    def tomaxint(self, size: Any = None) -> Any:
        middle = np.iinfo(np.int_).max // 2
        return middle if size is None else np.full(size, middle)


class _PythonChoices:
    """Draws of `random` that pick, arrange or fill bytes, and those of bits."""

    def choice(self, seq: Any) -> Any:
        return seq[0]

    def choices(self, population: Any, weights: Any = None, *, cum_weights: Any = None, k: int = 1) -> Any:
        return [population[0]] * k

    def sample(self, population: Any, k: int, *, counts: Any = None) -> Any:
        return list(population)[:k]

    def shuffle(self, x: Any) -> None:
        """The order stays."""

    def randrange(self, start: int, stop: Any = None, step: int = 1) -> Any:
        values = range(start) if stop is None else range(start, stop, step)
        return values[(len(values) - 1) // 2]

    def getrandbits(self, k: int) -> int:
        return ((1 << k) - 1) // 2

    def randbytes(self, n: int) -> bytes:
        return b"\0" * n


def _counted(draw: Callable[..., Any]) -> Callable[..., Any]:
    def method(*args: Any, **named: Any) -> Any:
        _count.draw()
        return draw(*args, **named)

    return method


def _noise_free(base: Any, family: str, by_hand: Any) -> Any:
    """A subclass of a generator's class, all of whose draws are without noise."""
    draws = draw_signatures(family)
    methods: Dict[str, Any] = {
        name: _counted(getattr(by_hand, name, None) or _method(signature))
        for name, signature in draws.items()
        if hasattr(base, name)
    }
    if hasattr(base, "seed"):
        methods["seed"] = lambda self, *_, **__: None
    return type(f"NoiseFree{base.__name__}", (base,), methods)


NoiseFreeGenerator = _noise_free(np.random.Generator, GENERATOR, _NumPyChoices)
NoiseFreeRandomState = _noise_free(np.random.RandomState, LEGACY, _NumPyChoices)
NoiseFreeRandom = _noise_free(random.Random, PYTHON, _PythonChoices)


class NoiseFreePatches(GeneratorPatches):
    """Noise-free generators, and the replacement of everything that draws by them."""

    def __init__(self) -> None:
        """For one mechanism: another one may come to an end."""
        super().__init__(NoiseFreeGenerator(np.random.SFC64(0)), NoiseFreeRandomState(0), NoiseFreeRandom())
        _count.most = MOST_DRAWS

    def begin(self) -> None:
        """From here on, draws are counted anew."""
        _count.left = _count.most

    @contextlib.contextmanager
    def applied(self, modules: Iterable[Any], *, everybody: Optional[bool] = None) -> Iterator[None]:
        """Silence `numpy.random`, `random`, `secrets`, `scipy.stats`, and what the user's modules hold of them.

        everybody: whether draws by which records are chosen choose all, in place of their centre; torch and JAX are
        silenced too, then. None to leave it as it is.
        """
        self.begin()
        _count.everybody = everybody
        try:
            with super().applied(modules), contextlib.nullcontext() if everybody is None else as_python():
                yield
        finally:
            _count.everybody = None

    def library_swaps(self) -> List[Swap]:
        """Those of every stand-in, and `secrets` and `scipy.stats`."""
        swaps = super().library_swaps()
        swaps += [
            (secrets, "randbelow", lambda n: (n - 1) // 2),
            (secrets, "randbits", self.random.getrandbits),
            (secrets, "choice", self.random.choice),
        ]
        swaps += rvs_swaps(lambda _: _counted(_median))
        swaps += [*torch_swaps(_OfTensors()), *jax_swaps(_OfTensors())] if _count.everybody is not None else []
        return swaps + [(owner, name, _centre_of(signature)) for owner, name, signature in package_functions()]


class _OfTensors:
    """What draws of torch and JAX are told to, as a `DrawTape` is: each is given its centre."""

    inside = opaque = False

    @property
    def keys(self) -> Keys:
        return Keys()

    def handed(self, seed: Any) -> bool:
        return False

    def record(self, distribution: Distribution, parameters: Mapping[str, Any], value: Any) -> Any:
        _count.draw()
        return np.broadcast_to(_centre(distribution, parameters), value.shape).astype(value.dtype)

    def forget(self) -> None:
        pass

    def takes(self, seed: Any) -> None:
        pass


def _centre_of(signature: DrawSignature) -> Callable[..., Any]:
    def centre(*args: Any, **named: Any) -> Any:
        return of(signature.distribution).centre(signature.read(args, named)[0])

    return _counted(centre)


def _median(self: Any, *args: Any, random_state: Any = None, discrete: Any = None, **named: Any) -> Any:
    shapes, loc, scale, size = self._parse_args_rvs(*args, **named)
    scaled = {"loc": loc} if hasattr(self, "pmf") else {"loc": loc, "scale": scale}
    value = self.median(*shapes, **scaled)
    if size in ((), None):
        return value.item() if np.ndim(value) == 0 else value
    return _spread(value, size)
