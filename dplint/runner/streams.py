"""Where user code gets its randomness from. Runs in the user's interpreter.

Every unseeded generator of Python and NumPy takes its entropy from `os.urandom`, directly or through `secrets`, or from
`random.Random.seed(None)`. Those doors are replaced before the user's module is imported, so that generators made
anywhere follow our stream, while seeds that the user writes keep their meaning.
"""

from __future__ import annotations

# ruff: noqa: B905  (zip has no `strict` in Python 3.9)
import contextlib
import gc
import os
import random
import sys
from typing import Any, Callable, List, Sequence, Set

import numpy as np

from .failures import INPUT, Failure
from .generators import KEY, PYTHON_RANDOM, RANDOM_STATE, SEED

_MOST = 8
"""So many are kept: a run may have several at a time."""
_OURS = 3
"""References to one that only this module holds: the list, the variable, and the argument of `getrefcount`."""


class RecycledTwisters:
    """In place of the class that `RandomState` makes its bit generator of.

    number: the seed of one that is made without a seed, from the stream in hand. fresh: whether NumPy's own way is to
    be taken, as long as it is watched what it asks for.
    """

    def __init__(self, number: Callable[[], int], fresh: Callable[[], bool]) -> None:
        self._number, self._fresh = number, fresh
        self._kept: List[Any] = []

    def install(self) -> None:
        """Let `RandomState` use them. A NumPy that is built otherwise is left as it is."""
        module: Any = sys.modules.get("numpy.random.mtrand")
        if getattr(module, "_MT19937", None) is np.random.MT19937:
            module._MT19937 = _Twister("MT19937", (np.random.MT19937,), {"twisters": self})

    def one(self) -> Any:
        """A twister of which nothing is known."""
        if self._fresh():
            return np.random.MT19937()
        for twister in self._kept:
            if sys.getrefcount(twister) == _OURS:
                break
        else:
            # A seed of its own, so that what the stream gives does not depend on whether one was free.
            twister = np.random.MT19937(0)
            if len(self._kept) < _MOST:
                self._kept.append(twister)
        twister._legacy_seeding(self._number())
        return twister


class _Twister(type):
    """The class of that class: it makes a plain `MT19937`, and takes any for one of its own."""

    twisters: RecycledTwisters

    def __call__(cls, seed: Any = None) -> Any:
        return cls.twisters.one() if seed is None else np.random.MT19937(seed)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, np.random.MT19937)


SEEDS = 1 << 31
"""Seeds are smaller than this: all that take one take these."""
_PYTHON, _NUMPY = random.Random, np.random.Generator
"""The classes themselves, for which others stand in during a replay."""


class EntropySource:
    """The source of entropy: bytes from a seeded generator instead of the operating system."""

    def __init__(self) -> None:
        self.source: Any = np.random.Generator(np.random.SFC64(np.random.SeedSequence(0)))
        self.handed_out: Set[int] = set()
        self.unseeded: List[random.Random] = []
        self.recording = False

    def install(self) -> None:
        """Replace the sources of `os`, `random` and, through `secrets`, of NumPy."""
        os.urandom = self._bytes
        random._urandom = self._bytes  # type: ignore[attr-defined]
        seed = random.Random.seed

        def seeded(generator: random.Random, a: Any = None, version: int = 2) -> None:
            if a is None:
                a = int.from_bytes(self._bytes(32), "little")
                if self.recording:
                    self.unseeded.append(generator)
            seed(generator, a, version)

        random.Random.seed = seeded  # type: ignore[method-assign,assignment]
        random.seed = random._inst.seed
        bit_generator: Any = np.random.bit_generator
        # A NumPy without this name reads the operating system itself; then only reproducibility is lost.
        if hasattr(bit_generator, "randbits"):
            bit_generator.randbits = self._bits
        RecycledTwisters(lambda: int(self.source.integers(1 << 32)), lambda: self.recording).install()

    def _bytes(self, size: int) -> bytes:
        return bytes(self.source.bytes(size))

    def _bits(self, count: int) -> int:
        value = int.from_bytes(self._bytes((count + 7) // 8), "little") >> (-count % 8)
        if self.recording:
            self.handed_out.add(value)
        return value


class Stream:
    """The random state of one data value in one request: the generator to pass in, and the global states."""

    def __init__(
        self, entropy: int, spawn_key: Sequence[int], kind: str, own: Callable[[Any], Any] = lambda _: None
    ) -> None:
        """own: makes the generator to pass in of a seed, where its class is the user's; None for all others."""
        passed, numpy_global, python, entropy_source, self.inner, torch = np.random.SeedSequence(
            entropy, spawn_key=tuple(spawn_key)
        ).spawn(6)
        self.rng = own(passed) or _generator(passed, kind)
        self._numpy = np.random.RandomState(np.random.MT19937(numpy_global)).get_state(legacy=False)
        self._python = random.Random(_number(python)).getstate()
        self._entropy_source = np.random.Generator(np.random.SFC64(entropy_source))
        self._torch_seed, self._torch = int(torch.generate_state(1)[0]), None

    def enter(self, entropy_source: EntropySource) -> None:
        """Make this the stream of the global generators."""
        np.random.set_state(self._numpy)
        random.setstate(self._python)
        entropy_source.source = self._entropy_source
        torch = _torch_generator()
        if torch is not None:
            torch.manual_seed(self._torch_seed) if self._torch is None else torch.set_state(self._torch)

    def leave(self) -> None:
        """Keep where the global generators have come to."""
        torch = _torch_generator()
        self._torch = None if torch is None else torch.get_state()
        self._numpy = np.random.get_state(legacy=False)
        self._python = random.getstate()


def _torch_generator() -> Any:
    """The global one of PyTorch, which takes no entropy from where others do; None if it was not imported."""
    return getattr(sys.modules.get("torch"), "default_generator", None)


class UnseededGenerators:
    """Generators that were made without a seed while the user's modules were imported, wherever they are kept."""

    def __init__(self, entropy_source: EntropySource) -> None:
        self._entropy_source = entropy_source
        self._found: List[Any] = []

    def __enter__(self) -> "UnseededGenerators":
        self._entropy_source.recording = True
        return self

    def __exit__(self, *_: Any) -> None:
        self._entropy_source.recording = False
        known = set(map(id, self._found))
        for item in gc.get_objects():
            if (
                type(item) in (np.random.Generator, np.random.RandomState)
                and id(item) not in known
                and self._is_unseeded(item)
            ):
                self._found.append(item)
        self._found.extend(item for item in self._entropy_source.unseeded if item is not random._inst)
        self._entropy_source.unseeded.clear()

    def reseed(self, sequence: np.random.SeedSequence) -> None:
        """Give each of them a stream of its own, but for those that take no seed, as numbers of the processor."""
        for item, child in zip(self._found, sequence.spawn(len(self._found))):
            if isinstance(item, random.Random):
                item.seed(_number(child))
                continue
            bits = _bit_generator(item)
            with contextlib.suppress(TypeError):
                bits.state = type(bits)(child).state

    def states(self) -> List[Any]:
        """Where each of them has come to."""
        return [
            _PYTHON.getstate(item) if isinstance(item, _PYTHON) else _bit_generator(item).state for item in self._found
        ]

    def _is_unseeded(self, item: Any) -> bool:
        bits = _bit_generator(item)
        sequence = getattr(bits, "seed_seq", None) or getattr(bits, "_seed_seq", None)
        entropy = getattr(sequence, "entropy", None)
        return isinstance(entropy, int) and entropy in self._entropy_source.handed_out


def _generator(sequence: np.random.SeedSequence, kind: str) -> Any:
    if kind == RANDOM_STATE:
        return np.random.RandomState(np.random.MT19937(sequence))
    if kind == PYTHON_RANDOM:
        return random.Random(_number(sequence))
    if kind in (SEED, KEY):
        numbers = np.random.Generator(np.random.SFC64(sequence))
        return lambda: (new_key if kind == KEY else int)(numbers.integers(SEEDS))
    return np.random.Generator(np.random.SFC64(sequence))


def new_key(seed: Any) -> Any:
    """A key of JAX with this seed. Raises Failure where JAX was not imported."""
    jax = sys.modules.get("jax")
    if jax is None:
        raise Failure(INPUT, "a parameter takes a key of JAX, and nothing that is imported here imports jax")
    with jax.disable_jit(False):
        return jax.random.PRNGKey(int(seed))


def _number(sequence: np.random.SeedSequence) -> int:
    return int.from_bytes(sequence.generate_state(8, np.uint32).tobytes(), "little")


def _bit_generator(item: Any) -> Any:
    return item.bit_generator if isinstance(item, _NUMPY) else item._bit_generator
