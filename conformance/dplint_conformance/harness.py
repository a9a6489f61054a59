"""Puts an interpretation through a case: what it gives must be what calling the Python function gives on the same
draws.

That CPython and NumPy gave it is the reason why an expected outcome is right; nothing here is copied from an
interpretation.
"""

from __future__ import annotations

import copy
import importlib
import inspect
import math
import re
import struct
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import libcst as cst
import numpy as np

from dplint.program.nodes import Program
from dplint.program.refusals import Unsupported
from dplint.program.walk import runnable
from dplint.source.lowering import lower
from dplint.source.module import ParsedModule
from dplint.source.read import Found, read_source
from dplint_conformance.recording import Replay, Sources, drawing_from, redirected

Outcome: TypeAlias = tuple[str, Any]
"""("output", value) or ("raised", name of the exception)."""
Adapter: TypeAlias = Callable[[Program, Mapping[str, Any], Sequence[Replay]], list[Outcome] | Unsupported]
"""Calls an interpretation: one outcome for each replay, or what it refuses."""

_CLAIM = '# dplint: dp(epsilon=1.0, neighbors="linf")\n'
_FAMILIES = {"RandomState": "legacy", "Random": "python"}


@dataclass(frozen=True, eq=False)
class Case:
    """A mechanism: the function of that name in a module, and its arguments. Equal only to itself."""

    name: str
    source: str
    arguments: Mapping[str, Any]

    def __str__(self) -> str:
        return self.name


def check(case: Case, adapter: Adapter, seeds: Iterable[int]) -> Unsupported | None:
    """Compare an interpretation with Python, one run for each seed.

    Returns what the lowering or the interpretation refuses, None if it followed the case. Raises AssertionError with
    the first runs that differ in outcome, in type, or in what they drew.
    """
    program = program_of(case)
    if isinstance(program, Unsupported):
        return program
    expected, replays = plain_outcomes(case, seeds)
    with quiet():
        found = adapter(program, copy.deepcopy(dict(case.arguments)), replays)
    if isinstance(found, Unsupported):
        return found
    if len(found) != len(expected):
        raise AssertionError(f"{case.name}: {len(found)} outcomes of {len(expected)} runs")
    wrong = [
        f"seed {replay.sources.seed}: {fault or ''}\n    Python:  {show(right)}\n    interpretation: {show(given)}"
        for right, given, replay in zip(expected, found, replays, strict=True)
        if (fault := replay.finish()) is not None or plain(given) != plain(right)
    ]
    if wrong:
        raise AssertionError(f"{case.name}: {len(wrong)} of {len(found)} runs differ\n" + "\n".join(wrong[:3]))
    return None


def plain_outcomes(case: Case, seeds: Iterable[int]) -> tuple[list[Outcome], list[Replay]]:
    """What the Python function does, and fresh replays of what it drew. Equal seeds give equal outcomes."""
    runs = _recorded(case, tuple(seeds))
    return [outcome for outcome, _ in runs], [Replay(sources) for _, sources in runs]


@lru_cache(maxsize=1000)
def _recorded(case: Case, seeds: tuple[int, ...]) -> list[tuple[Outcome, Sources]]:
    function, runs = function_of(case), []
    with redirected(), quiet():
        for seed in seeds:
            sources = sources_for(function, seed)
            runs.append((outcome_of(function, case.arguments, sources), sources))
    return runs


def sources_for(function: Any, seed: int) -> Sources:
    """Generators for one run of a function."""
    rng = inspect.signature(function).parameters.get("rng")
    family = "generator" if rng is None else _FAMILIES.get(getattr(rng.annotation, "__name__", ""), "generator")
    return Sources(seed, family)


def outcome_of(function: Any, arguments: Mapping[str, Any], sources: Sources) -> Outcome:
    """One run; only inside of `redirected`."""
    takes_rng = "rng" in inspect.signature(function).parameters
    given = copy.deepcopy(dict(arguments)) | ({"rng": sources.argument} if takes_rng else {})
    with drawing_from(sources):
        try:
            output = function(**given)
            if inspect.isgenerator(output):
                output = [*output]
            return ("output", copy.deepcopy(output))  # a later run may change it
        except Exception as error:  # an exception is an output
            return raised(type(error).__name__)


def raised(exception: str) -> Outcome:
    """Inside a comprehension, Python up to 3.11 reports an unassigned variable as a NameError, later ones do not."""
    return ("raised", "NameError" if exception == "UnboundLocalError" else exception)


def program_of(case: Case) -> Program | Unsupported:
    """The lowered mechanism."""
    return _program(case.source, case.name)


@lru_cache(maxsize=1000)
def _program(source: str, name: str) -> Program | Unsupported:
    """Of one function of a module: who tries a few cases need not wait for all functions of their modules."""
    module, mechanisms = _mechanisms(source)
    found = mechanisms[name]
    assert isinstance(found.node, cst.FunctionDef)
    return runnable(lower(found.node, module, found.mechanism))


@lru_cache(maxsize=100)
def _mechanisms(source: str) -> tuple[ParsedModule, dict[str, Found]]:
    """A module, and its mechanisms by name."""
    read = read_source(Path("cases.py"), file="cases.py", text=claimed(source))
    assert read.module is not None, read.errors
    return read.module, {found.mechanism.qualname: found for found in read.mechanisms}


def claimed(source: str) -> str:
    """The source of a module with a claim above every function without a leading underscore."""
    return re.sub(r"^def (?!_)", f"{_CLAIM}def ", source, flags=re.MULTILINE)


def function_of(case: Case) -> Any:
    """The Python function itself. It draws from `redirected` sources only inside of that."""
    return functions(case.source)[case.name]


@lru_cache(maxsize=100)
def functions(source: str) -> dict[str, Any]:
    """The functions that a module defines, by name."""
    namespace: dict[str, Any] = {"__name__": "cases"}
    if "scipy.stats" in source:
        importlib.import_module("scipy.stats")  # it has a look at NumPy's own generators when it is loaded
    with redirected():
        exec(compile(source, "cases.py", "exec", dont_inherit=True), namespace)
    return {name: value for name, value in namespace.items() if getattr(value, "__module__", None) == "cases"}


@contextmanager
def quiet() -> Iterator[None]:
    """Inside, nothing warns: NumPy's warnings of overflow and division by zero are what some cases are about."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def plain(value: Any) -> Any:
    """A value as users tell it from others, to compare: NumPy's scalars count as Python's, floats bit for bit."""
    if isinstance(value, np.ndarray):
        return ("array", value.dtype.kind, value.shape, plain(value.ravel().tolist()))
    fields = getattr(value, "_fields", None) or getattr(value, "__dataclass_fields__", None)
    if fields is not None:
        return (type(value).__name__, [(name, plain(getattr(value, name))) for name in fields])
    if isinstance(value, list | tuple):
        return (type(value).__name__, [plain(item) for item in value])
    if isinstance(value, set | frozenset):
        return (type(value).__name__, sorted(map(plain, value), key=repr))
    if isinstance(value, dict):
        return ("dict", [(plain(key), plain(item)) for key, item in value.items()])
    if isinstance(value, bool | np.bool_):
        return ("bool", bool(value))
    if isinstance(value, int | np.integer):
        return ("int", int(value))
    if isinstance(value, float | np.floating):
        return ("float", "nan" if math.isnan(value) else struct.pack("<d", value))
    if isinstance(value, str):
        return ("str", str(value))
    assert value is None, f"a value of type {type(value).__name__}"
    return None


def show(outcome: Outcome) -> str:
    """An outcome in a message, with the types of NumPy as they are."""
    return f"{outcome[0]} {outcome[1]!r}"
