"""The defaults of parameters as values: needs the standard library alone."""

from __future__ import annotations

import ast
import math

from dplint.claims import Literal, Parameter

_INFINITIES = {"math.inf": math.inf, "np.inf": math.inf, "-math.inf": -math.inf, "-np.inf": -math.inf}


class DefaultNotRead(Exception):
    """The parameter has no default, or one that only running the module would tell."""


def default_of(parameter: Parameter) -> Literal:
    """What Python fills in for the parameter: a literal, or what the module's constants make of a name.

    Raises:
        DefaultNotRead: nothing says it.
    """
    if parameter.default_value is not None:
        return parameter.default_value.value
    text = (parameter.default or "").strip()
    if text in _INFINITIES:
        return _INFINITIES[text]
    try:
        found: Literal = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        raise DefaultNotRead(parameter.name) from None
    return found
