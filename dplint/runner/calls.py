"""The loop that runs a mechanism, compiled for one request. Runs in the user's interpreter.

Time in this loop is time that is taken from the user's function, so the call is written out as source text, as
`timeit` does: names are local, constants are bound, and only what is mutable is copied.
"""

from __future__ import annotations

from copy import deepcopy
from functools import lru_cache
from itertools import repeat
from typing import Any, Callable, Dict, List, Optional, Sequence

import numpy as np

from .failures import INPUT, Failure
from .flatten import Raised
from .observing import Observer
from .reaching import Reached, finish, needs_finish

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


RECEIVED = "the data of the receiver"
Loop = Callable[[int, Callable[[Any], None]], None]

_TEMPLATE = """
def loop(count, sink):
    function = bound_function
    for _ in repeat(None, count):
        try:
            output = {call}
        except Exception as error:
            output = Raised(error)
        sink(output)
"""
_OBSERVED = """
def loop(count, sink):
    function = bound_function
    with observer:
        for _ in repeat(None, count):
            begin()
            run_receiver = None
            try:
                output = {call}
            except Exception as error:
                output = Raised(error)
            sink(observed(output, {changed}, run_receiver))
"""


def compile_loop(
    reached: Reached,
    given: Dict[str, Any],
    parameters: Sequence[Dict[str, Any]],
    shared: Sequence[str],
    made: Sequence[str] = (),
    observer: Optional[Observer] = None,
) -> Loop:
    """A function (count, sink) that runs the mechanism `count` times and hands every output to `sink`.

    given: values by parameter, and by `RECEIVED` what the receiver gets. parameters: name and kind of each, in order.
    shared: the given ones that are not copied, as the generator. made: the given ones that are functions, of which
    every run gets a value of its own. observer: makes of each run the output. Raises Failure for what cannot be passed.
    """
    names: Dict[str, Any] = {
        "bound_function": reached.function,
        "receive": reached.receive,
        "repeat": repeat,
        "Raised": Raised,
        "deepcopy": deepcopy,
        "finish": finish,
    }
    given = dict(given)
    changed: Optional[Dict[str, str]] = {} if observer is not None and observer.arguments else None
    kept = observer is not None and observer.attributes
    function = _called(names, reached, given, changed, kept=kept, fresh=RECEIVED in made)
    known = {parameter["name"]: parameter["kind"] for parameter in parameters}
    takes_any = "**kwargs" in known.values()
    parts: List[str] = []
    keywords: List[str] = []
    open_positions = True
    for parameter in parameters:
        if parameter["kind"] == "positional-only":
            if parameter["name"] not in given:
                open_positions = False
            elif open_positions:
                parts.append(_bind(names, parameter["name"], given, shared, made, changed))
            else:
                raise Failure(
                    INPUT, f"parameter {parameter['name']!r} is positional-only and follows one without a value"
                )
    for name in given:
        kind = known.get(name)
        if kind in ("*args", "**kwargs") or (kind is None and not takes_any):
            what = f"collects {kind}" if kind else "does not exist"
            raise Failure(INPUT, f"cannot pass {name!r}: the parameter {what}")
        if kind != "positional-only":
            keywords.append(f"{name}={_bind(names, name, given, shared, made, changed)}")
    call = f"{function}({', '.join(parts + keywords)})"
    if needs_finish(reached):
        call = f"finish({call})"
    template = _TEMPLATE
    if observer is not None:
        template = _OBSERVED
        names.update(observer=observer, begin=observer.begin, observed=observer.observed)
    shown = ", ".join(f"{name!r}: {copy}" for name, copy in (changed or {}).items())
    exec(_code(template.format(call=call, changed=f"{{{shown}}}")), names)
    loop: Loop = names["loop"]
    return loop


@lru_cache(maxsize=64)
def _code(text: str) -> Any:
    """Many inputs of a mechanism are called in the same words."""
    return compile(text, "<dplint runs>", "exec")


def _called(
    names: Dict[str, Any],
    reached: Reached,
    given: Dict[str, Any],
    changed: Optional[Dict[str, str]],
    kept: bool,
    fresh: bool,
) -> str:
    """What a run calls, in source text. The data of the receiver is taken out of `given`.

    kept: the receiver is kept for whoever looks at it after the run. fresh: its data is a function that makes it.
    """
    if reached.factory is None:
        return "function"
    received = ""
    if RECEIVED in given:
        names["received"] = given.pop(RECEIVED)
        received = "received()" if fresh else _copied("received", names["received"], "data", changed)
    made = f"receive({received})"
    if kept:
        made = f"(run_receiver := {made})"
    return made + (f".{reached.method}" if reached.method is not None else "")


def _bind(
    names: Dict[str, Any],
    name: str,
    given: Dict[str, Any],
    shared: Sequence[str],
    made: Sequence[str],
    changed: Optional[Dict[str, str]],
) -> str:
    bound = f"given_{name}"
    names[bound] = given[name]
    if name in made:
        return f"{bound}()"
    return bound if name in shared else _copied(bound, given[name], name, changed)


def _copied(bound: str, value: Any, name: str, changed: Optional[Dict[str, str]]) -> str:
    """A fresh copy, in source text. changed: where the copy is kept for whoever looks at it after the run, by name."""
    copy = copy_expression(bound, value)
    if changed is None or copy == bound:
        return copy
    changed[name] = f"run_{bound}"
    return f"({changed[name]} := {copy})"
