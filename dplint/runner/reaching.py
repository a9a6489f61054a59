"""From a qualified name to something that can be called: a function, a method of an object that is made for each run.

Runs in the user's interpreter.
"""

from __future__ import annotations

import inspect
from copy import deepcopy
from typing import Any, Dict, Optional, Sequence

from .failures import IMPORT, INPUT, Failure, summary, user_traceback
from .flatten import drain
from .literals import decode


class Reached:
    """A mechanism that can be called.

    function: what is called, or None if a receiver has to be made for every run. factory: what makes that. method: the
    name of the method that is then called; None where the factory returns the function itself. takes, attribute: where
    the data goes if it is no parameter of the function: as the first argument of the factory, which calls it so, or
    into an attribute. given: what else the factory gets, by name. code: the function whose source and constants are
    the mechanism's, as far as it is known before a run.
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
    ) -> None:
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

    def receive(self, *data: Any) -> Any:
        """The receiver of one run: the object whose method is called, or the function itself."""
        given = deepcopy(self.given)
        if self.takes is not None and isinstance(self.factory, type):
            given[self.takes], data = data[0], ()
        made = self.factory(*(data if self.takes is not None else ()), **given)
        if self.attribute is not None:
            setattr(made, self.attribute, data[0])
        return made


def reach(module: Any, qualname: str, receiver: Optional[Dict[str, Any]]) -> Reached:
    """What the qualified name means in the module. receiver: how it is made, as the claim says, by field names.

    Raises Failure where there is no such function, or nothing that makes its receiver.
    """
    if receiver is None:
        return Reached(function_of(module, qualname))
    factory = find(module, receiver["factory"], "make")
    method = qualname.rpartition(".")[2] if receiver["method"] else None
    code = None if method is None else _attribute(module, qualname)
    given = decode(receiver["given"])
    return Reached(None, factory, method, receiver["takes"], receiver["attribute"], code or factory, given)


def find(module: Any, reference: str, field: str, function: bool = True) -> Any:
    """What "module:name" or ":name" of a claim's field means. function: it has to be one. Raises Failure."""
    module_name, _, name = reference.rpartition(":")
    try:
        found = __import__(module_name, fromlist=["_"]) if module_name else module
        for part in name.split("."):
            found = getattr(found, part)
    except Exception as error:
        reason = f"{reference!r}, which {field} of the claim names, is not to be found: {summary(error)}"
        raise Failure(INPUT, reason, user_traceback(error)) from None
    if function and not callable(found):
        raise Failure(
            INPUT, f"{reference!r}, which {field} of the claim names, is not callable: {type(found).__name__}"
        )
    return found


def arguments_of(encoded: Dict[str, Any], named: Sequence[str], module: Any) -> Dict[str, Any]:
    """The arguments of a request. named: those that the claim gives by name, as "module:name". Raises Failure."""
    found = {name: decode(value) for name, value in encoded.items()}
    by_name = {name: find(module, found[name], "args", function=False) for name in named if name in found}
    return {**found, **by_name}


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
