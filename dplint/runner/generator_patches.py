"""Generators that stand in for all others while a mechanism runs. Runs in the user's interpreter."""

from __future__ import annotations

import contextlib
import functools
import random
import secrets
from typing import Any, Iterable, Iterator, List, Tuple

import numpy as np

from ..distributions import GENERATOR, LEGACY, PYTHON, draw_signatures
from .generators import PYTHON_RANDOM, RANDOM_STATE, SEED
from .own_generators import draws_its_own_way, is_changed, is_replaced

Swap = Tuple[Any, str, Any]
"""An owner, the name of one of its attributes, and what stands in for its value."""
_INHERITED = object()
_KINDS = (np.random.Generator, np.random.RandomState, random.Random)
ALIASES = {"ranf": "random_sample", "sample": "random_sample"}


@functools.lru_cache(maxsize=None)
def _draws() -> List[str]:
    """Methods that draw."""
    return [name for family in (GENERATOR, LEGACY, PYTHON) for name in draw_signatures(family)]


_SECRETS = {"randbelow": "randrange", "randbits": "getrandbits", "choice": "choice"}
"""Functions of `secrets`, and the method of a generator that does the same."""


class GeneratorPatches:
    """One generator of each kind, and the replacement of everything that draws by them.

    generator, random_state, python: instances of subclasses of NumPy's and Python's classes, so that `isinstance`
    holds; the subclasses define every public method that draws, and replace the classes as makers of generators.
    """

    def __init__(self, generator: Any, random_state: Any, python: Any) -> None:
        self.generator = generator
        self.random_state = random_state
        self.random = python

    def of_kind(self, kind: str) -> Any:
        """The generator to pass in; for SEED a function that gives a seed."""
        if kind == SEED:
            return lambda: 0
        return {RANDOM_STATE: self.random_state, PYTHON_RANDOM: self.random}.get(kind, self.generator)

    def default_rng(self, *_: Any, **__: Any) -> Any:
        """What `numpy.random.default_rng` makes."""
        return self.generator

    def stand_in(self, value: Any) -> Any:
        """What stands in for a value that a module holds; None for what may stay, as generators of the user's own."""
        if isinstance(value, _KINDS) and draws_its_own_way(value, _draws()):
            return None
        if isinstance(value, np.random.Generator):
            return self.generator
        if isinstance(value, np.random.RandomState):
            return self.random_state
        return self.random if isinstance(value, random.Random) else None

    def library_swaps(self) -> List[Swap]:
        """The replacements in `numpy.random` and `random`, but for what user code has put there.

        A subclass adds other libraries.
        """
        legacy, python = type(self.random_state), type(self.random)
        swaps = [
            (np.random, name, getattr(self.random_state, name))
            for name in vars(legacy)
            if name[0] != "_" and callable(getattr(np.random, name, None))
        ]
        swaps += [
            (np.random, name, getattr(self.random_state, method))
            for name, method in ALIASES.items()
            if hasattr(np.random, name)
        ]
        swaps += [
            (np.random, "default_rng", self.default_rng),
            (np.random, "Generator", type(self.generator)),
            (np.random, "RandomState", legacy),
            (random, "Random", python),
            (random, "SystemRandom", python),
            (secrets, "SystemRandom", python),
        ]
        swaps += [
            (random, name, getattr(self.random, name))
            for name in vars(python)
            if name[0] != "_" and callable(getattr(random, name, None))
        ]
        changed = {name: is_changed(getattr(random, name)) for name in ("Random", "SystemRandom")}
        return [swap for swap in swaps if not (is_replaced(swap[0], swap[1]) or changed.get(swap[1]))]

    def of_the_system(self) -> List[Swap]:
        """`secrets`, and generators of the system that objects hold since before."""
        named = {
            name: getattr(self.random, name) for name in vars(type(self.random)) if name in draw_signatures(PYTHON)
        }
        swaps: List[Swap] = (
            []
            if is_changed(random.SystemRandom)
            else [(random.SystemRandom, name, method) for name, method in named.items()]
        )
        return swaps + [(secrets, name, named[method]) for name, method in _SECRETS.items()]

    @contextlib.contextmanager
    def applied(self, modules: Iterable[Any]) -> Iterator[None]:
        """Replace what the libraries have, and what the user's modules and their classes hold of it."""
        swaps = self.library_swaps()
        by_identity = {id(getattr(owner, name)): new for owner, name, new in swaps}
        for module in modules:
            classes = [item for item in vars(module).values() if getattr(item, "__module__", None) == module.__name__]
            for owner in [module, *(item for item in classes if isinstance(item, type))]:
                for name, value in vars(owner).items():
                    new = by_identity.get(id(value), self.stand_in(value))
                    if new is not None:
                        swaps.append((owner, name, new))
        # vars, not getattr: a static method must come back as the static method that it was, and nothing inherited.
        saved = [(owner, name, vars(owner).get(name, _INHERITED)) for owner, name, _ in swaps]
        try:
            for owner, name, new in swaps:
                setattr(owner, name, new)
            yield
        finally:
            for owner, name, old in saved:
                if old is _INHERITED:
                    delattr(owner, name)
                else:
                    setattr(owner, name, old)
