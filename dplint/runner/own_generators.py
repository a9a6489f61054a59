"""Generators whose class is the user's own, and what user code has put in place of the draws of libraries.

Where an annotation names such a class, a run gets an object of it: its draws are what the mechanism adds, and no
generator of ours draws as it does. Runs in the user's interpreter.
"""

from __future__ import annotations

import inspect
import random
import secrets
import typing
from typing import Any, Callable, Dict, Iterator, List, Optional

import numpy as np

from .failures import INPUT, Failure, summary, user_traceback
from .generators import SEED_NAMES

_BASES = (np.random.Generator, np.random.RandomState, random.Random)
_LIBRARIES = ("numpy", "random", "_random", "secrets", __name__.partition(".")[0])
_SEEDS = (*SEED_NAMES, "random_state", "x")
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
        if not is_library and (issubclass(item, _BASES) or item.__module__ in names):
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
    if issubclass(kind, _BASES) or _takes_seed(kind):
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
    return bool(taken) and taken[0] in _SEEDS


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
