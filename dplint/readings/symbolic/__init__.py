"""The symbolic interpretation: z3 terms over the arguments, branch conditions, and what the solver makes of them."""

from dplint.readings.symbolic.arithmetic import from_python
from dplint.readings.symbolic.interpretation import Condition, Trace, trace
from dplint.readings.symbolic.solver import SIMPLE, Answer, Status, Variable, VariableKind, holds, solve
from dplint.readings.symbolic.symbolic_values import (
    UNKNOWN,
    Entries,
    Items,
    Mask,
    Text,
    Value,
    both,
    either,
    negate,
    rational,
)

__all__ = [
    "SIMPLE",
    "UNKNOWN",
    "Answer",
    "Condition",
    "Entries",
    "Items",
    "Mask",
    "Status",
    "Text",
    "Trace",
    "Value",
    "Variable",
    "VariableKind",
    "both",
    "either",
    "from_python",
    "holds",
    "negate",
    "rational",
    "solve",
    "trace",
]
