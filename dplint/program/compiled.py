"""Expressions as Python functions: for those that are evaluated on many plain values, one after the other.

The same meaning as the evaluator has with the concrete interpretation, at the speed of Python, as it is Python: that of
the printed text. Only nodes of the program language are printed, so that no text of somebody else is ever executed.
"""

from __future__ import annotations

import builtins
import json
import math
import numbers
import re
from collections.abc import Callable
from typing import Any

from dplint.program.nodes import CallFunction, Draw, Expression, Opaque
from dplint.program.printing import printed
from dplint.program.refusals import unsupported
from dplint.program.vocabulary import BUILTINS, EXCEPTIONS, TYPES
from dplint.program.walk import walk

_BUILT_IN = BUILTINS | TYPES | EXCEPTIONS | {"frozenset", "isinstance", "map", "set", "type"}
_NAMES = {name: getattr(builtins, name) for name in _BUILT_IN if "." not in name}
_KNOWN = {**_NAMES, "__builtins__": {}, "json": json, "math": math, "numbers": numbers, "re": re}


def compiled(node: Expression, variable: str) -> Callable[[Any], Any]:
    """The expression as a function of its one variable. Raises UnsupportedConstruct for what is no Python.

    The function raises what Python would, and NameError for another variable.
    """
    for part in walk(node):
        if isinstance(part, Draw | CallFunction | Opaque):
            raise unsupported(f"{type(part).__name__} in an expression of plain values", part.span)
    function: Callable[[Any], Any] = eval(f"lambda {variable}: {printed(node)}", dict(_KNOWN))
    return function
