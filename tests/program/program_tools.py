"""Lowering of source text, real calls with recorded draws, and replay of the draws."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import libcst as cst
import numpy as np

from dplint.program import Draw, Program, Unsupported
from dplint.source.lowering import lower
from dplint.source.read import read_source

HEADER = "import math\nimport random\n\nimport numpy as np\nfrom dplint import dp\n\n\n"
CLAIM = '@dp(epsilon=1.0, neighbors="linf")\n'


def lowered(source: str, folder: Path) -> Program | Unsupported:
    """The program of the one mechanism in a module; the claim is put before its last `def`."""
    text = module_text(source)
    path = folder / "module.py"
    path.write_text(text, encoding="utf-8")
    read = read_source(path, file="module.py", table={})
    assert read.module is not None, read.errors
    (found,) = read.mechanisms
    assert isinstance(found.node, cst.FunctionDef)
    return lower(found.node, read.module, found.mechanism)


def module_text(source: str) -> str:
    before, definition, after = ("\n" + textwrap.dedent(source).strip("\n")).rpartition("\ndef ")
    return f"{HEADER}{before}\n{CLAIM}{definition.strip()} {after}\n"


def real_function(source: str) -> Any:
    """The Python function itself."""
    namespace: dict[str, Any] = {}
    exec(compile(module_text(source), "module.py", "exec"), namespace)
    name = ("\n" + textwrap.dedent(source)).rpartition("\ndef ")[2].partition("(")[0]
    return namespace[name]


class Recorder:
    """A generator that remembers what it gave."""

    def __init__(self, seed: int) -> None:
        self._generator = np.random.default_rng(seed)
        self.given: list[Any] = []

    def __getattr__(self, name: str) -> Any:
        method = getattr(self._generator, name)

        def draw(*args: Any, **kwargs: Any) -> Any:
            value = method(*args, **kwargs)
            self.given.append(value)
            return value

        return draw


class Replay:
    """A callback for the concrete reading that gives the recorded draws in order."""

    def __init__(self, given: list[Any]) -> None:
        self._given = list(given)
        self.left = len(given)

    def __call__(self, node: Draw, parameters: Mapping[str, Any], size: Any) -> Any:
        self.left -= 1
        return self._given[len(self._given) - self.left - 1]


def call(function: Any, recorder: Recorder, arguments: Mapping[str, Any]) -> Any:
    """What the real function does: ("output", value) or ("raised", name of the exception)."""
    try:
        return ("output", function(recorder, **arguments))
    except Exception as error:  # an exception is an output
        return ("raised", error_name(type(error).__name__))


def error_name(name: str) -> str:
    """Inside a comprehension, Python up to 3.11 reports an unassigned variable as a NameError, later ones do not."""
    return "NameError" if name == "UnboundLocalError" else name


def plain(value: Any) -> Any:
    """A value that can be compared and shown: arrays as lists, types kept."""
    if isinstance(value, np.ndarray):
        return ("array", value.tolist())
    if isinstance(value, list | tuple):
        return (type(value).__name__, [plain(item) for item in value])
    return (type(value).__name__, repr(value))
