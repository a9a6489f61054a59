"""The numbers and texts that a function and its helpers know. Runs in the user's interpreter.

A bug is often about one value: `if age == 65`. The compiled function tells which values it holds, and which helpers and
constants of its modules it names, whatever the source looks like.

What the user's module replaces of modules that the runner calls as well. Runs in the user's interpreter.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
from types import CodeType, ModuleType
from typing import Any, Callable, Dict, Iterator, List, Set, Union

from .failures import CRASH, INTERNAL, Failure, user_traceback

MOST = 64
"""So many constants are told, the function's own first."""
_DEEPEST = 4
Constant = Union[int, float, str]


def constants_of(function: Any, own: Callable[[str], bool]) -> List[Constant]:
    """The finite numbers and short texts in the code of a function, of what it names, and so on; each once.

    own: whether a file belongs to the user's project; functions of others are not followed.
    """
    found: Dict[str, Constant] = {}
    for value in _walk(function, own, set(), _DEEPEST):
        if len(found) >= MOST:
            break
        found.setdefault(repr(value), value)
    return list(found.values())


def _walk(thing: Any, own: Callable[[str], bool], seen: Set[int], depth: int) -> Iterator[Constant]:
    """Breadth first: what the function itself holds comes before what its helpers do."""
    todo = [(thing, depth)]
    while todo:
        one, left = todo.pop(0)
        if id(one) in seen or left < 0:
            continue
        seen.add(id(one))
        if isinstance(one, (functools.partial, staticmethod, classmethod, property)):
            todo.append((getattr(one, "func", None) or getattr(one, "fget", None) or getattr(one, "__func__", 0), left))
        elif inspect.ismethod(one) or inspect.isfunction(one):
            code = one.__code__
            if own(code.co_filename):
                yield from _of_code(code)
                yield from _plain(getattr(one, "__defaults__", None) or ())
                todo += [(inner, left - 1) for inner in _named(code, getattr(one, "__globals__", {}))]
        elif isinstance(one, type):
            todo += [
                (inner, left - 1) for inner in vars(one).values() if callable(inner) or isinstance(inner, property)
            ]
        elif isinstance(one, CodeType):
            yield from _of_code(one)
        else:
            yield from _plain(one)


def _of_code(code: CodeType) -> Iterator[Constant]:
    for constant in code.co_consts[1:] if code.co_consts and isinstance(code.co_consts[0], str) else code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant)
        else:
            yield from _plain(constant)


def _named(code: CodeType, names: Dict[str, Any]) -> Iterator[Any]:
    """What the names in a code mean in its module: functions, classes, constants; modules are opened by attribute."""
    attributes = set(code.co_names)
    for name in code.co_names:
        value = names.get(name)
        if isinstance(value, ModuleType):
            yield from (vars(value)[inner] for inner in attributes & set(vars(value)))
        elif value is not None:
            yield value
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _named(constant, names)


def _plain(value: Any) -> Iterator[Constant]:
    """The numbers and texts in a plain value."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        if math.isfinite(value):
            yield value
    elif isinstance(value, str):
        if len(value) <= 40:
            yield value
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in list(value)[:MOST]:
            yield from _plain(item)
    elif isinstance(value, dict):
        for key, item in list(value.items())[:MOST]:
            yield from _plain(key)
            yield from _plain(item)


_CALLED = ("builtins", "json", "math", "os", "random", "struct", "sys", "time", "numpy", "numpy.random")
_MOST_NAMED = 3


class Watched:
    """Functions and classes as they were before the import, and which of them are others after it."""

    def __init__(self) -> None:
        self._replaced: List[str] = []
        self._before: Dict[str, Dict[str, Any]] = {
            module: {name: value for name, value in vars(sys.modules[module]).items() if callable(value)}
            for module in _CALLED
            if module in sys.modules
        }

    def look(self) -> None:
        """Right after the import: later the runner replaces some itself, for as long as it makes runs."""
        self._replaced = [
            f"{module}.{name}"
            for module, before in self._before.items()
            for name, value in before.items()
            if vars(sys.modules.get(module, sys)).get(name, value) is not value
        ]

    def blamed(self, failure: Failure, error: BaseException) -> Failure:
        """The failure; one of the runner itself is that of the module where this has replaced what the runner calls."""
        if not self._replaced or failure.document["kind"] != INTERNAL:
            return failure
        more = f" and {len(self._replaced) - _MOST_NAMED} more" if len(self._replaced) > _MOST_NAMED else ""
        names = f"the module replaces {', '.join(self._replaced[:_MOST_NAMED])}{more}, which dplint calls as well"
        return Failure(CRASH, f"{failure.document['reason']}; {names}", user_traceback(error))
