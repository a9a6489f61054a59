"""The loop that runs a mechanism, compiled for one request. Runs in the user's interpreter.

Time in this loop is time that is taken from the user's function, so the call is written out as source text, as
`timeit` does: names are local, constants are bound, and only what is mutable is copied.

From a qualified name to something that can be called: a function, a method of an object that is made for each run.

Runs in the user's interpreter.
"""

from __future__ import annotations

import inspect
from copy import deepcopy
from functools import lru_cache, partial
from itertools import repeat
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

from .data_forms import text_of
from .failures import IMPORT, INPUT, Failure, summary, user_traceback
from .flatten import Raised, drain
from .fresh_values import copy_expression, find, fresh, made
from .literals import decode
from .observing import Observer


class Reached:
    """A mechanism that can be called.

    function: what is called, or None if a receiver has to be made for every run. factory: what makes that. method: the
    name of the method that is then called; None where the factory returns the function itself. takes, attribute: where
    the data goes if it is no parameter of the function: as the first argument of the factory, which calls it so, or
    into an attribute. given: what else the factory gets, by name. code: the function whose source and constants are
    the mechanism's, as far as it is known before a run. rng: the parameter of the factory that takes the generator.
    preparations: the methods that prepare what it makes, each with what it gets, by name, and what of it is the data.
    """

    def __init__(
        self,
        function: Any,
        factory: Any = None,
        method: Optional[str] = None,
        takes: Optional[str] = None,
        attribute: Optional[str] = None,
        code: Any = None,
        given: Optional[Dict[str, Any]] = None,
        rng: Optional[str] = None,
        preparations: Sequence[Tuple[str, Dict[str, Any], Optional[str]]] = (),
    ) -> None:
        self.rng = rng
        self.preparations = preparations
        self.function = function
        self.factory = factory
        self.method = method
        self.takes = takes
        self.attribute = attribute
        self.given = given or {}
        self.code = code if code is not None else function

    @property
    def data_in_receiver(self) -> bool:
        """Whether the data goes into the receiver."""
        return self.takes is not None or self.attribute is not None

    def receive(self, source: Optional[Callable[[], Any]], *data: Any, shown: Sequence[Any] = ()) -> Any:
        """The receiver of one run: the object whose method is called, or the function itself.

        source: gives the generator or the seed, where the factory takes one. shown: the data, for each preparation
        that takes it.
        """
        given = {name: fresh(value) for name, value in self.given.items()}
        if self.rng is not None and source is not None:
            given[self.rng] = source()
        if self.takes is not None and isinstance(self.factory, type):
            given[self.takes], data = data[0], ()
        made = self.factory(*(data if self.takes is not None else ()), **given)
        if self.attribute is not None:
            setattr(made, self.attribute, data[0])
        values = iter(shown)
        for method, taken, name in self.preparations:
            given = {one: fresh(value) for one, value in taken.items()}
            getattr(made, method)(**given, **({} if name is None else {name: next(values)}))
        return made


def reach(module: Any, qualname: str, receiver: Optional[Dict[str, Any]]) -> Reached:
    """What the qualified name means in the module. receiver: how it is made, as the claim says, by field names.

    Raises Failure where there is no such function, or nothing that makes its receiver.
    """
    if receiver is None:
        return Reached(function_of(module, qualname))
    factory = find(module, receiver["factory"], "make of the claim")
    method = qualname.rpartition(".")[2] if receiver["method"] else None
    code = None if method is None else _attribute(module, qualname)
    given = _made_of(module, receiver["given"])
    preparations = [(name, _made_of(module, taken), data) for name, taken, data in receiver["preparations"]]
    places = (receiver["takes"], receiver["attribute"])
    return Reached(None, factory, method, *places, code or factory, given, receiver["rng"], preparations)


def _made_of(module: Any, encoded: Any) -> Dict[str, Any]:
    return {name: made(module, value) for name, value in decode(encoded).items()}


def numbers_of(curve: Any, epsilons: Sequence[float]) -> List[float]:
    """What the claim's own curve says for each of some epsilons. Raises Failure where that is no number."""
    said = []
    for epsilon in epsilons:
        try:
            value = curve(epsilon)
        except MemoryError:
            raise
        except Exception as error:
            reason = f"the curve failed at epsilon = {epsilon:g}: {summary(error)}"
            raise Failure(INPUT, reason, user_traceback(error)) from None
        try:
            said.append(float(value))
        except (TypeError, ValueError):
            raise Failure(INPUT, f"the curve gives {text_of(value)} at epsilon = {epsilon:g}, no number") from None
    return said


def function_of(module: Any, qualname: str) -> Any:
    """The callable of that qualified name. Raises Failure where there is none, or where it needs an instance."""
    if "<locals>" in qualname:
        raise Failure(INPUT, f"{qualname} is made inside another function: `make` in the claim names what returns it")
    owner: Any = None
    found = module
    for part in qualname.split("."):
        owner = found
        try:
            found = getattr(found, part)
        except Exception:
            raise Failure(IMPORT, f"module {module.__name__} has no {qualname!r} after its import") from None
    if not callable(found):
        raise Failure(IMPORT, f"{qualname} in module {module.__name__} is not a function but {type(found).__name__}")
    if isinstance(owner, type):
        raw = next((vars(base)[part] for base in owner.__mro__ if part in vars(base)), None)
        if not isinstance(raw, (staticmethod, classmethod)) and not isinstance(found, type):
            raise Failure(
                INPUT, f"{qualname} needs an instance of {owner.__name__}: `make` in the claim names what makes one"
            )
    return found


def needs_finish(reached: Reached) -> bool:
    """Whether what a call returns may not be the output yet; where nothing is known, it may not."""
    function = reached.function
    plain = None if function is None else inspect.unwrap(getattr(function, "__func__", function))
    return (
        plain is None
        or inspect.isgeneratorfunction(plain)
        or inspect.iscoroutinefunction(plain)
        or inspect.isasyncgenfunction(plain)
    )


_loop: Any = None


def finish(output: Any) -> Any:
    """What a generator yields as a list, what a coroutine returns; any other output as it is."""
    if inspect.isgenerator(output):
        return drain(output)
    if inspect.isasyncgen(output):
        return _completed(_gathered(output))
    return _completed(output) if inspect.iscoroutine(output) else output


async def _gathered(generator: Any) -> Any:
    return [item async for item in generator]


def _completed(coroutine: Any) -> Any:
    """Run to its end in an event loop of our own, the same for all runs."""
    global _loop  # noqa: PLW0603 - one loop for the process: making one for each run would take most of the time
    if _loop is None:
        import asyncio  # noqa: PLC0415 - few mechanisms need it

        _loop = asyncio.new_event_loop()
    return _loop.run_until_complete(coroutine)


def _attribute(module: Any, dotted: str) -> Any:
    found = module
    for part in dotted.split("."):
        found = getattr(found, part, None)
    return found


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
    source: Optional[Callable[[], Any]] = None,
    *,
    drained: bool = True,
) -> Loop:
    """A function (count, sink) that runs the mechanism `count` times and hands every output to `sink`.

    given: values by parameter, and by `RECEIVED` what the receiver gets. parameters: name and kind of each, in order.
    shared: the given ones that are not copied, as the generator. made: the given ones that are functions, of which
    every run gets a value of its own. observer: makes of each run the output. source: as `Reached.receive` has it.
    drained: whether a generator's output is what it yields. Raises Failure for what cannot be passed.
    """
    names: Dict[str, Any] = {
        "bound_function": reached.function,
        "receive": partial(reached.receive, source),
        "repeat": repeat,
        "Raised": Raised,
        "deepcopy": deepcopy,
        "finish": finish,
    }
    given = dict(given)
    changed: Optional[Dict[str, str]] = {} if observer is not None and observer.arguments else None
    kept = observer is not None and observer.attributes
    function = _called(names, reached, given, changed, kept=kept, made_anew=made)
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
    if drained and needs_finish(reached):
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
    made_anew: Sequence[str],
) -> str:
    """What a run calls, in source text. The data of the receiver is taken out of `given`.

    kept: the receiver is kept for whoever looks at it after the run. made_anew: the given ones that are functions.
    """
    if reached.factory is None:
        return "function"
    received = ""
    if RECEIVED in given:
        names["received"] = given.pop(RECEIVED)
        received = "received()" if RECEIVED in made_anew else _copied("received", names["received"], "data", changed)
    shown = [_bind(names, data, given, (), made_anew, None) for _, _, data in reached.preparations if data is not None]
    received += f"{', ' * bool(received)}shown=({', '.join(shown)},)" if shown else ""
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
