"""Generators that stand in for all others while a mechanism runs. Runs in the user's interpreter.

Generators whose class is the user's own, and what user code has put in place of the draws of libraries.

Where an annotation names such a class, a run gets an object of it: its draws are what the mechanism adds, and no
generator of ours draws as it does. Runs in the user's interpreter.

Generators with a seed during a replay: real ones, as their numbers are the same in every run; and a seed that the
function is handed. Runs in the user's interpreter.
"""

from __future__ import annotations

import contextlib
import functools
import inspect
import random
import secrets
import sys
import typing
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Set, Tuple

import numpy as np

from ..distributions import GENERATOR, LEGACY, PACKAGES, PYTHON, DrawSignature, draw_signatures, program_draws
from .failures import INPUT, Failure, summary, user_traceback
from .generators import KEY, PYTHON_RANDOM, RANDOM_STATE, SEED, SEED_NAMES
from .streams import new_key

REAL = (np.random.Generator, np.random.RandomState, random.Random)
"""The classes of real generators."""
_LIBRARIES = ("numpy", "random", "_random", "secrets", __name__.partition(".")[0])
_SEED_PARAMETERS = (*SEED_NAMES, "random_state", "x")
_AS_IT_WAS: Dict[Any, Dict[str, Any]] = {
    owner: dict(vars(owner)) for owner in (random, secrets, np.random, random.Random, random.SystemRandom)
}
"""What libraries and classes had before any user code ran."""
_OURS = ("seed", "_urandom")
"""What the runner itself puts there, so that runs follow its streams."""


def is_replaced(owner: Any, name: str) -> bool:
    """Whether user code has put something else there; not asked while the runner's own stand-ins are there."""
    before = _AS_IT_WAS.get(owner)
    if before is None or name in _OURS:
        return False
    return vars(owner).get(name) is not before.get(name)


def is_changed(kind: Any) -> bool:
    """Whether user code has changed a class, or one that it is derived from."""
    owners = [owner for owner in kind.__mro__ if owner in _AS_IT_WAS]
    return any(is_replaced(owner, name) for owner in owners for name in {**vars(owner), **_AS_IT_WAS[owner]})


def draws_its_own_way(value: Any, draws: List[str]) -> bool:
    """Whether a generator is of a class of the user's that has draws of its own, or of one that was changed."""
    kinds = [one for one in type(value).__mro__ if one.__module__.partition(".")[0] not in _LIBRARIES]
    return is_changed(type(value)) or any(name in vars(one) for one in kinds if one is not object for name in draws)


def own_class(function: Any, name: Optional[str], modules: List[Any]) -> Optional[type]:
    """The class that annotates a generator parameter, if it is of the user's modules or derived from a generator."""
    function = inspect.unwrap(function) if callable(function) else function
    hint = getattr(function, "__annotations__", {}).get(name)
    names = {module.__name__ for module in modules}
    for item in _parts(hint, getattr(function, "__globals__", {})):
        if not isinstance(item, type) or getattr(item, "_is_protocol", False):
            continue
        is_library = item.__module__.partition(".")[0] in _LIBRARIES
        if not is_library and (issubclass(item, REAL) or item.__module__ in names):
            return item
    return None


def made(kind: type, name: str, sequence: np.random.SeedSequence) -> Any:
    """A generator of such a class, with a seed where it takes one. Raises Failure where none can be made."""
    attempts: List[Callable[[], Any]] = []
    number = int(sequence.generate_state(1)[0]) & 0x7FFFFFFF
    call: Any = kind
    if issubclass(kind, np.random.Generator):
        attempts.append(lambda: call(np.random.SFC64(sequence)))
    if issubclass(kind, np.random.RandomState):
        attempts.append(lambda: call(np.random.MT19937(sequence)))
    if issubclass(kind, REAL) or _takes_seed(kind):
        attempts.append(lambda: call(number))
    attempts.append(call)
    errors: List[BaseException] = []
    for attempt in attempts:
        try:
            return attempt()
        except Exception as error:
            errors.append(error)
    what = f"{name} is annotated with {kind.__name__}, and no generator of that class could be made"
    cure = "let its constructor take a seed, or nothing"
    raise Failure(INPUT, f"{what}: {summary(errors[-1])}", user_traceback(errors[-1]), cure)


def _takes_seed(kind: type) -> bool:
    try:
        taken = list(inspect.signature(kind).parameters)
    except (TypeError, ValueError):
        return False
    return bool(taken) and taken[0] in _SEED_PARAMETERS


def _parts(hint: Any, names: Dict[str, Any]) -> Iterator[Any]:
    """An annotation and what stands in its brackets; a text stands for what it means in its module."""
    hint = getattr(hint, "__forward_arg__", hint)
    if isinstance(hint, str):
        try:
            hint = eval(hint, names)
        except Exception:
            return
    yield hint
    for item in typing.get_args(hint):
        yield from _parts(item, names)


Swap = Tuple[Any, str, Any]
"""An owner, the name of one of its attributes, and what stands in for its value."""
_INHERITED = object()
ALIASES = {"ranf": "random_sample", "sample": "random_sample"}


@functools.lru_cache(maxsize=None)
def _draws() -> List[str]:
    """Methods that draw."""
    return [name for family in (GENERATOR, LEGACY, PYTHON) for name in draw_signatures(family)]


_SECRETS = {"randbelow": "randrange", "randbits": "getrandbits", "choice": "choice"}
"""Functions of `secrets`, and the method of a generator that does the same."""


def package_functions() -> Iterator[Tuple[Any, str, DrawSignature]]:
    """The functions of other packages that draw, as far as these are imported: module, name and signature."""
    for full, signature in program_draws(PACKAGES).items():
        path, _, name = full.rpartition(".")
        owner = sys.modules.get(path)
        # What user code has put there is no function of the package.
        if getattr(getattr(owner, name, None), "__module__", None) == path:
            yield owner, name, signature


def rvs_swaps(instead: Callable[[Any], Any]) -> List[Swap]:
    """The replacements of `rvs` of `scipy.stats`, if that is imported. instead: what takes the place of a method."""
    scipy = sys.modules.get("scipy.stats._distn_infrastructure")
    owners = () if scipy is None else (scipy.rv_generic, scipy.rv_discrete)
    return [(owner, "rvs", instead(vars(owner)["rvs"])) for owner in owners if "rvs" in vars(owner)]


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
        """The generator to pass in; for SEED and KEY a function that gives one."""
        if kind in (SEED, KEY):
            return lambda: new_key(0) if kind == KEY else 0
        return {RANDOM_STATE: self.random_state, PYTHON_RANDOM: self.random}.get(kind, self.generator)

    def default_rng(self, *_: Any, **__: Any) -> Any:
        """What `numpy.random.default_rng` makes."""
        return self.generator

    def stand_in(self, value: Any) -> Any:
        """What stands in for a value that a module holds; None for what may stay, as generators of the user's own."""
        if isinstance(value, REAL) and draws_its_own_way(value, _draws()):
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


class HandedSeeds:
    """The seed itself is a draw, and a generator that is made of it draws as one without a seed.

    Sound for one generator of each family: a second one with the same seed would give the same numbers again.
    draw: gives a seed. same: whether two values are equal in all runs. refuse: called for a second generator.
    """

    def __init__(self, draw: Callable[[], Any], same: Callable[[Any, Any], bool], refuse: Callable[[str], Any]) -> None:
        self._draw, self._same, self._refuse = draw, same, refuse
        self._seed: Any = None
        self._families: Set[str] = set()

    def begin_run(self) -> None:
        """No seed has been handed yet."""
        self._seed = None
        self._families.clear()

    def hand(self) -> Any:
        """The seed of the run."""
        self._seed = self._draw()
        return self._seed

    def makes(self, family: str, *given: Any, **named: Any) -> bool:
        """Whether a generator of a family with these arguments is one with the seed that was handed."""
        values = (*given, *named.values())
        if self._seed is None or len(values) != 1 or not self._same(values[0], self._seed):
            return False
        if family in self._families:
            self._refuse("a second generator with the same seed")
        self._families.add(family)
        return True


Make = Callable[..., Any]
_SEEDS = (int, float, str, bytes, np.integer, np.ndarray, np.random.SeedSequence, np.random.BitGenerator)


_RANDOM_STATE, _TWISTER, _BITS = np.random.RandomState, np.random.MT19937, np.random.BitGenerator


def is_seed(value: Any) -> bool:
    """Whether a generator that is made of the value is the same each time: a seed, or real bits that are made of one.

    The bits that a module keeps go on from run to run, but of these there is only a stand-in.
    """
    if isinstance(value, (list, tuple)):
        return all(map(is_seed, value))
    return isinstance(value, _SEEDS)


def with_seed(*given: Any, **named: Any) -> bool:
    """Whether what is made with these arguments is made of a seed."""
    values = (*given, *named.values())
    return bool(values) and all(map(is_seed, values))


def is_real(value: Any) -> bool:
    """Whether it is a real generator, and no stand-in."""
    return type(value) in REAL


def random_state(*given: Any, **named: Any) -> Any:
    """`RandomState(seed)`, which would ask the operating system before it looks at its seed."""
    values = (*given, *named.values())
    if len(values) != 1 or isinstance(values[0], _BITS):
        return _RANDOM_STATE(*given, **named)
    bits: Any = _TWISTER(0)
    bits._legacy_seeding(*values)
    return _RANDOM_STATE(bits)


class SeededLibrary:
    """The generator that a library has of its own: a real one, from where a run gives it a seed.

    make: makes one of a seed. refuse: called for a seed that is none.
    """

    def __init__(self, make: Make, refuse: Make) -> None:
        self._make = make
        self._refuse = refuse
        self.generator: Optional[Any] = None

    def seed(self, *given: Any, **named: Any) -> None:
        """From here on it has this seed."""
        if not with_seed(*given, **named):
            self._refuse()
        self.generator = self._make(*given, **named)

    def function(self, method: str, otherwise: Make) -> Make:
        """The function of that library for a method. otherwise: what draws where there is no seed."""

        def call(*args: Any, **named: Any) -> Any:
            draw = otherwise if self.generator is None else getattr(self.generator, method)
            return draw(*args, **named)

        return call
