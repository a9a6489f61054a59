"""Real generators that remember what they gave, and replays that hand the same draws to an interpretation.

A replay does more than play back: it draws again, from a twin of the generator, what the interpretation asks for, and
notes a fault where that is not what the function got. So an interpretation with the wrong distribution, the wrong
parameters in some runs, or the wrong order of draws is found out, although it computes with the right numbers.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from unittest import mock

import numpy as np

from dplint.distributions import GENERATOR, LEGACY, PYTHON, DrawSignature, program_draws, reorder
from dplint.program.nodes import Draw
from dplint.sites import DrawSite

_MAKERS: Mapping[str, Callable[[Any], Any]] = {
    GENERATOR: lambda seed: np.random.Generator(np.random.PCG64(seed)),
    LEGACY: np.random.RandomState,
    PYTHON: random.Random,
}
_ARGUMENT, _NUMPY_MODULE, _PYTHON_MODULE = range(3)
_LABELS = ("argument", "numpy.random", "random")


@dataclass(frozen=True, slots=True)
class Given:
    """One draw that the function made: from which source, by which method, and the value or the exception."""

    source: int
    family: str
    method: str
    value: Any


class Sources:
    """All generators of one run of the function, and what they gave, in order."""

    def __init__(self, seed: int, family: str) -> None:
        self.seed = seed
        self.given: list[Given] = []
        self._families: list[str] = []
        self._kept: dict[int, Recorder] = {}
        self.argument: Recorder
        self.numpy: Any
        self.python: Any
        self.argument, self.numpy, self.python = map(self.make, (family, "legacy", "python"))

    def make(self, family: str) -> Recorder:
        """A new generator; the function itself may make some."""
        self._families.append(family)
        return Recorder(self, len(self._families) - 1, family)

    def kept(self, key: int, family: str) -> Recorder:
        """The generator that a module keeps under a name, the same whenever it is asked for in one run."""
        if key not in self._kept:
            self._kept[key] = self.make(family)
        return self._kept[key]


class Recorder:
    """A generator that notes what it gives. Arrays are noted as they are now: the function may change them later."""

    def __init__(self, sources: Sources, source: int, family: str) -> None:
        self._sources = sources
        self._source = source
        self._family = family
        self._generator = _made(family, sources.seed, source)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._generator, name)
        signature = program_draws(self._family).get(name)
        if signature is not None and signature.in_place:
            return partial(self._in_place, signature)

        def draw(*args: Any, **kwargs: Any) -> Any:
            try:
                value = method(*args, **kwargs)
            except Exception as error:
                self._note(name, error)
                raise
            self._note(name, copy.deepcopy(value))
            return value

        return draw

    def _in_place(self, signature: DrawSignature, items: Any, **named: Any) -> None:
        """What is noted is the order; of what no program shuffles there is none."""
        if named or not isinstance(items, list | np.ndarray):
            getattr(self._generator, signature.method)(items, **named)
            return
        order = signature.call(self._generator, {"x": len(items)}, None)
        self._note(signature.method, order)
        reorder(items, order)

    def _note(self, method: str, value: Any) -> None:
        self._sources.given.append(Given(self._source, self._family, method, value))


class _OfModule:
    """A generator that a module makes when it is loaded, and functions draw from later: each run has one of its own."""

    def __init__(self, family: str) -> None:
        self._family = family

    def __getattr__(self, name: str) -> Any:
        return getattr(_present[-1].kept(id(self), self._family), name)


def _made(family: str, seed: int, source: int) -> Any:
    return _MAKERS[family](1000 * seed + source)


_present: list[Sources] = []


@contextmanager
def redirected() -> Iterator[None]:
    """Inside, the functions of `numpy.random` and `random` draw from the sources of the present run."""

    def indirect(module: str, name: str) -> Any:
        def draw(*args: Any, **kwargs: Any) -> Any:
            return getattr(getattr(_present[-1], module), name)(*args, **kwargs)

        return draw

    def maker(name: str, family: str) -> Any:
        def make(given: Any = None) -> Any:
            if isinstance(given, Recorder | _OfModule):
                return given
            if given is not None:
                return _MAKERS[family](given)  # what a seed gives is no draw
            return _present[-1].make(family) if _present else _OfModule(family)

        make.__name__ = name  # annotations are told apart by it
        return make

    def sow(module: str, make: Callable[[Any], Any]) -> Any:
        """What gives the generator of a library a seed: from there on it is a real one."""
        return lambda seed: setattr(_present[-1], module, make(seed))

    numpy = {name: indirect("numpy", name) for name in program_draws(LEGACY) if hasattr(np.random, name)}
    numpy |= {"default_rng": maker("default_rng", "generator"), "RandomState": maker("RandomState", "legacy")}
    python = {name: indirect("python", name) for name in program_draws(PYTHON)}
    python |= {name: maker(name, "python") for name in ("Random", "SystemRandom")}
    numpy["seed"], python["seed"] = sow("numpy", np.random.RandomState), sow("python", random.Random)
    with mock.patch.multiple(np.random, **numpy), mock.patch.multiple(random, **python):
        yield


@contextmanager
def drawing_from(sources: Sources) -> Iterator[None]:
    """Inside `redirected`: makes these sources the present ones."""
    _present.append(sources)
    try:
        yield
    finally:
        _present.pop()


@dataclass(slots=True)
class Replay:
    """Gives an interpretation the draws of one run, in order. `fault`: the first way in which it asked for something
    else. `sites`: where it drew.
    """

    sources: Sources
    fault: str | None = None
    used: int = 0
    sites: list[DrawSite] = field(default_factory=list)
    _twins: dict[int, Any] = field(default_factory=dict)

    def __call__(self, node: Draw, parameters: Mapping[str, Any], size: Any, site: DrawSite) -> Any:
        """The next draw; raises what the generator raised."""
        self.sites.append(site)
        if self.used == len(self.sources.given):
            self.fault = self.fault or f"one draw more than the function made, {node.distribution}"
            return 0.0
        given = self.sources.given[self.used]
        self.used += 1
        self._compare(given, node, parameters, size)
        if isinstance(given.value, Exception):
            raise given.value
        return copy.deepcopy(given.value)

    def finish(self) -> str | None:
        """The fault, if there was one; draws that were never asked for are one."""
        left = len(self.sources.given) - self.used
        return self.fault or (f"{left} draws fewer than the function made" if left else None)

    def _compare(self, given: Given, node: Draw, parameters: Mapping[str, Any], size: Any) -> None:
        label = _LABELS[given.source] if given.source < len(_LABELS) else "a generator of its own"
        what = f"draw {self.used}: {node.distribution}({dict(parameters)}, size={size}) of {node.family}"
        drawn_from = node.generator if node.generator in _LABELS else "a generator of its own"
        if (node.family, drawn_from) != (given.family, label):
            self.fault = self.fault or f"{what}, {node.generator}, where {given.family}, {label} was drawn from"
            return
        twin = self._twins.setdefault(given.source, _made(given.family, self.sources.seed, given.source))
        try:
            again = _draw(twin, given, node.distribution, dict(parameters), size)
        except Exception as error:
            again = error
        if not _same_draw(again, given.value):
            self.fault = self.fault or f"{what} gives {again!r}, where {given.method} gave {given.value!r}"


def _draw(twin: Any, given: Given, distribution: str, parameters: dict[str, Any], size: Any) -> Any:
    """A draw by its canonical name and parameters, with the method that the function called."""
    signature = program_draws(given.family)[given.method]
    if signature.distribution != distribution or not signature.expresses(parameters):
        raise ValueError(f"{given.method} does not draw {distribution} with {sorted(parameters)}")
    return signature.call(twin, parameters, size)


def _same_draw(again: Any, value: Any) -> bool:
    """Equal, up to the rounding of a rate that became a scale."""
    if isinstance(value, Exception) or isinstance(again, Exception):
        return type(value) is type(again)
    if not isinstance(value, int | float | np.generic | np.ndarray):
        return type(again) is type(value) and bool(again == value)
    first, second = np.asarray(again), np.asarray(value)
    if first.shape != second.shape or first.dtype.kind != second.dtype.kind:
        return False
    if first.dtype.kind == "f":
        return bool(np.allclose(first, second, rtol=1e-12, atol=0.0, equal_nan=True))
    return bool(np.all(first == second))
