"""What arguments mean, and how each run gets a value of its own: a copy, or an object that is made anew.

Runs in the user's interpreter.
"""

from __future__ import annotations

import ast
import re
from copy import deepcopy
from typing import Any, Callable, Dict, Optional, Sequence

import numpy as np

from ..syntax import parse_expression
from .failures import INPUT, Failure, summary, user_traceback
from .literals import decode

_GENERATORS = "default_rng RandomState Random SeedSequence MT19937 PCG64 PCG64DXSM Philox SFC64".split()  # noqa: SIM905
"""What takes a seed."""
_MADE = re.compile(r"((?:[^\W\d][\w.]*)?:[^\W\d][\w.]*)\((.*)\)", re.DOTALL)
"""As in `dplint.claims`: what is called, and what it is given."""


def find(module: Any, reference: str, field: str, function: bool = True) -> Any:
    """What "module:name" or ":name" means. field: who says so. function: it has to be one. Raises Failure."""
    module_name, _, name = reference.rpartition(":")
    try:
        found = __import__(module_name, fromlist=["_"]) if module_name else module
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:
        reason = f"{reference!r}, which {field} names, is not to be found: {summary(error)}"
        raise Failure(INPUT, reason, user_traceback(error)) from None
    if function and not callable(found):
        raise Failure(INPUT, f"{reference!r}, which {field} names, is not callable: {type(found).__name__}")
    return found


def of_claim(module: Any, reference: str, field: str, bearer: Any) -> Any:
    """What a field of the claim names; or what the claim of its bearer has there, where the module does not."""
    try:
        return find(module, reference, f"{field} of the claim")
    except Failure:
        claim = getattr(bearer, "__dplint_claim__", None)
        found = claim.get(field) if isinstance(claim, dict) else None
        if reference.rpartition(":")[0] or not callable(found):
            raise
        return found


def arguments_of(encoded: Dict[str, Any], named: Sequence[str], module: Any) -> Dict[str, Any]:
    """The arguments of a request. named: those that are given by name, see `meant`. Raises Failure."""
    found = {name: decode(value) for name, value in encoded.items()}
    return {**found, **{name: meant(module, found[name]) for name in named if name in found}}


def meant(module: Any, reference: str) -> Any:
    """What "module:name" means, or "module:name(1, key=2)" gives; texts in a call may be such again. Raises Failure.

    ":name" is of this module. Of a call that gives no plain data a `Recipe`: each run makes its own.
    """
    called = _MADE.fullmatch(reference)
    if called is None:
        return find(module, reference, "args of the claim", function=False)
    without_seed = _takes_seed(find(module, called[1], "an argument"))
    try:
        call = parse_expression("_()" if without_seed else f"_({called[2]})")
        assert isinstance(call, ast.Call)
        given = [made(module, ast.literal_eval(one)) for one in call.args]
        named = {str(one.arg): made(module, ast.literal_eval(one.value)) for one in call.keywords}
        recipe = Recipe(lambda: find(module, called[1], "an argument"), given, named)
        value = recipe()
    except Failure:
        raise
    except Exception as error:
        reason = f"{reference!r}, which an argument is made by, fails: {summary(error)}"
        raise Failure(INPUT, reason, user_traceback(error)) from None
    if type(value).__module__ == "torch._C" and type(value).__name__ == "Generator":
        raise Failure(INPUT, f"{reference!r} draws the same in every run: let the function make its own generator")
    return value if type(value) in _ATOMS or _own_copy(type(value), value) is not None else recipe


class Recipe:
    """Makes an object for each run, which may hold a generator, or change. A generator is made without its seed."""

    def __init__(self, maker: Callable[[], Any], given: Sequence[Any], named: Dict[str, Any]) -> None:
        """maker: finds what is called, which patches may have replaced in the meantime."""
        self._maker, self._given, self._named = maker, given, named

    def __call__(self) -> Any:
        """What one run gets."""
        return self._maker()(*map(fresh, self._given), **{name: fresh(value) for name, value in self._named.items()})


def _takes_seed(maker: Any) -> bool:
    module = str(getattr(maker, "__module__", ""))
    return module.startswith(("numpy.random", "random")) and getattr(maker, "__name__", "") in _GENERATORS


def fresh(value: Any) -> Any:
    """The value for one run."""
    return value() if isinstance(value, Recipe) else deepcopy(value)


def made(module: Any, value: Any) -> Any:
    """What a value stands for if it is a text with such a call, else itself. Raises Failure."""
    return meant(module, value) if isinstance(value, str) and _MADE.fullmatch(value) else value


_ATOMS = (bool, int, float, str, bytes, complex, type(None))


def copy_expression(name: str, value: Any) -> str:
    """Source text that makes a fresh copy of the value called `name`, as cheaply as its type allows."""
    kind = type(value)
    if kind in _ATOMS or (kind in (tuple, frozenset) and _flat(value)):
        return name
    own = _own_copy(kind, value)
    if own is not None:
        return f"{name}.{own}()"
    if kind is list:
        if _flat(value):
            return f"{name}[:]"
        if all(type(item) is dict and _flat(item.values()) for item in value):
            return f"[{{**record}} for record in {name}]"
        if all(type(item) is list and _flat(item) for item in value):
            return f"[record[:] for record in {name}]"
        if all(type(item) is tuple and _flat(item) for item in value):
            return f"{name}[:]"
    if kind is dict and _flat(value.values()):
        return f"{{**{name}}}"
    try:
        deepcopy(value)
    except Exception:
        # An object that cannot be copied is shared by all runs; the mechanism's own doing.
        return name
    return f"deepcopy({name})"


def _own_copy(kind: type, value: Any) -> Optional[str]:
    """The method by which a value of this type copies itself, None if there is none that suffices."""
    if kind.__module__.partition(".")[0] == "polars":
        return "clone"
    if (kind is set and _flat(value)) or (kind is np.ndarray and value.dtype != object):
        return "copy"
    return "copy" if kind.__name__ in ("DataFrame", "Series") else None


def _flat(values: Any) -> bool:
    return all(type(value) in _ATOMS for value in values)
