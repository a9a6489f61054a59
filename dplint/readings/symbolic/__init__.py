"""The symbolic reading: z3 terms over the arguments, their branch conditions, and what the solver makes of them."""

from dplint.readings.symbolic.convert import from_python
from dplint.readings.symbolic.reading import Condition, Trace, trace
from dplint.readings.symbolic.solver import SIMPLE, Answer, Kind, Status, Variable, holds, solve
from dplint.readings.symbolic.values import UNKNOWN, Mask, Text, Value, both, either, negate

__all__ = [
    "SIMPLE",
    "UNKNOWN",
    "Answer",
    "Condition",
    "Kind",
    "Mask",
    "Status",
    "Text",
    "Trace",
    "Value",
    "Variable",
    "both",
    "either",
    "from_python",
    "holds",
    "negate",
    "solve",
    "trace",
]
